//! Bytes in, text and encoding out.

use super::*;

fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

#[track_caller]
fn check(bytes: &[u8], text: &str, encoding: Encoding) {
    assert_eq!(decode(bytes.to_vec()), Ok((text.to_owned(), encoding)));
    assert_eq!(decode_again(bytes.to_vec()).as_deref(), Some(text));
}

#[test]
fn every_encoding_is_told_by_content() {
    check(b"", "", Encoding::Utf8);
    check("plain, ünïcode, 🦀\r\n".as_bytes(), "plain, ünïcode, 🦀\r\n", Encoding::Utf8);
    check("\u{feff}marked".as_bytes(), "marked", Encoding::Utf8Bom);
    check(b"caf\xe9 \x80 5\r\n", "café € 5\r\n", Encoding::Latin1);
    let text = "hello wörld\r\nsecond line 🦀\r\n";
    let le = utf16(text, u16::to_le_bytes);
    let be = utf16(text, u16::to_be_bytes);
    check(&le, text, Encoding::Utf16Le);
    check(&be, text, Encoding::Utf16Be);
    check(&[b"\xff\xfe", le.as_slice()].concat(), text, Encoding::Utf16Le);
    check(&[b"\xfe\xff", be.as_slice()].concat(), text, Encoding::Utf16Be);
}

#[test]
fn what_is_not_text_is_binary() {
    let noise: Vec<u8> =
        (0u32..4096).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8 | 1).collect();
    for bytes in [
        b"\x7fELF\x02\x01\x01\0\0\0".to_vec(),
        b"text with a \0 in it".to_vec(),
        b"%PDF-1.4\n1 0 obj\n".to_vec(),
        b"\xff\xfe\0\0h\0\0\0i\0\0\0".to_vec(),
        b"\xff\xfe\x00\xd8odd".to_vec(),
        vec![1; 100],
        noise,
    ] {
        assert_eq!(decode(bytes.clone()), Err(SkipReason::Binary), "{bytes:?}");
    }
}

#[test]
fn colours_of_a_terminal_do_not_make_a_log_binary() {
    let log = "\x1b[32mok\x1b[0m\t1\x08\x0c\n".repeat(50);
    check(log.as_bytes(), &log, Encoding::Utf8);
}

#[test]
fn utf8_text_keeps_its_buffer() {
    let bytes = b"the same buffer".to_vec();
    let address = bytes.as_ptr();
    let (text, _) = decode(bytes).unwrap();
    assert_eq!(text.as_ptr(), address);
}

#[test]
fn content_is_text_or_the_reason_why_not() {
    let key = FileKey::from_text("a.rs");
    let skip = |bytes: &[u8]| match content(&key, bytes.to_vec()) {
        Content::Skip(reason) => reason.code(),
        Content::Text { .. } => "text",
    };
    assert_eq!(skip(b"fn main() {}\n"), "text");
    assert_eq!(skip(b"\0"), "binary");
    assert_eq!(skip(b"// @generated\n"), "generated");
    assert_eq!(skip("fn a() {} ".repeat(1000).as_bytes()), "minified");
}

proptest::proptest! {
    #[test]
    fn any_bytes_give_an_answer(bytes: Vec<u8>) {
        drop(content(&FileKey::from_text("a.js"), bytes));
    }

    #[test]
    fn any_text_without_controls_survives(text in "[a-zé🦀 \n]{0,200}") {
        proptest::prop_assert_eq!(decode(text.clone().into_bytes()), Ok((text, Encoding::Utf8)));
    }
}
