//! Which characters belong to scripts that are written without spaces between words?

/// Whether runs of this character are cut into overlapping pairs instead of words.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}'     // Thai, Lao
        | '\u{1000}'..='\u{109F}'   // Myanmar
        | '\u{1100}'..='\u{11FF}'   // Hangul letters
        | '\u{1780}'..='\u{17FF}'   // Khmer
        | '\u{2E80}'..='\u{2FDF}'   // Han radicals
        | '\u{3005}'..='\u{3007}'   // Han iteration marks and zero
        | '\u{3041}'..='\u{30FF}'   // Hiragana, Katakana
        | '\u{3105}'..='\u{318F}'   // Bopomofo, Hangul compatibility letters
        | '\u{31A0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}'   // Han
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7FF}'   // Hangul syllables
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FF9F}'   // Halfwidth Katakana
        | '\u{20000}'..='\u{3FFFF}' // Han
    ) && (c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c))
}
