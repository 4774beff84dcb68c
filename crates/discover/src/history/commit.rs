//! What a commit says: who, when, why, and what came before it.

use crate::objects::ObjectId;

/// What a message says beyond so many bytes is not told.
const MESSAGE_BYTES: usize = 64 << 10;
/// A longer name or address is cut.
const NAME_BYTES: usize = 1 << 10;
/// So many parents are followed; git's own merges have fewer.
const MOST_PARENTS: usize = 256;

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its name.
    pub id: ObjectId,
    /// What it was made from; more than one where it merges.
    pub parents: Vec<ObjectId>,
    /// Who wrote it.
    pub author: String,
    /// The address of the author.
    pub mail: String,
    /// When it was written, in seconds since 1970.
    pub authored: i64,
    /// When it was put into the history.
    pub committed: i64,
    /// Why: the message without blank lines around it.
    pub message: String,
    /// The root of its files.
    pub(crate) tree: ObjectId,
}

impl Commit {
    /// The first line of the message.
    pub fn subject(&self) -> &str {
        subject(&self.message)
    }

    /// The message without its first line.
    pub fn body(&self) -> &str {
        body(&self.message)
    }

    /// Reads the bytes of a commit; `None` where they are none. Whoever wrote it without a name or a time has none:
    /// what came before it is worth having all the same.
    pub(crate) fn parse(id: ObjectId, bytes: &[u8]) -> Option<Self> {
        let split = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap_or(bytes.len());
        let (head, message) = bytes.split_at(split);
        let mut lines = head.split(|byte| *byte == b'\n');
        let named = |line: &[u8], name: &str| {
            let value = line.strip_prefix(name.as_bytes())?;
            let named = ObjectId::from_hex(std::str::from_utf8(value).ok()?)?;
            (named.n_bytes() == id.n_bytes()).then_some(named)
        };
        let tree = named(lines.next()?, "tree ")?;
        let mut parents = Vec::new();
        let (mut author, mut committer, mut encoding) = (None, None, None);
        for line in lines {
            if let Some(parent) = named(line, "parent ") {
                if parents.len() < MOST_PARENTS {
                    parents.push(parent);
                }
            } else if let Some(rest) = line.strip_prefix(b"author ") {
                author.get_or_insert(rest);
            } else if let Some(rest) = line.strip_prefix(b"committer ") {
                committer.get_or_insert(rest);
            } else if let Some(rest) = line.strip_prefix(b"encoding ") {
                encoding = encoding_rs::Encoding::for_label(rest);
            }
        }
        let encoding = encoding.unwrap_or(encoding_rs::UTF_8);
        let text = |bytes: &[u8], most: usize| {
            let bytes = bytes.trim_ascii();
            let text = encoding.decode_without_bom_handling(bytes.get(..most).unwrap_or(bytes)).0;
            // What decoding made longer than it was is cut once more.
            cut(text.trim(), most).to_owned()
        };
        let (name, mail, authored) = person(author.unwrap_or_default());
        let (_, _, committed) = person(committer.unwrap_or_default());
        Some(Self {
            id,
            parents,
            author: text(name, NAME_BYTES),
            mail: text(mail, NAME_BYTES),
            authored,
            committed,
            message: text(message, MESSAGE_BYTES),
            tree,
        })
    }
}

/// The start of a text, of so many bytes at most.
pub(crate) fn cut(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// The first line of a message.
pub(crate) fn subject(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}

/// A message without its first line.
pub(crate) fn body(message: &str) -> &str {
    message.split_once('\n').map_or("", |(_, body)| body.trim())
}

/// Name, address and time in `Name <address> seconds zone`; empty and 0 where they make no sense.
fn person(line: &[u8]) -> (&[u8], &[u8], i64) {
    let Some(close) = line.iter().rposition(|byte| *byte == b'>') else { return (b"", b"", 0) };
    let time = std::str::from_utf8(&line[close + 1..]).unwrap_or_default();
    let seconds = time.split_whitespace().next().and_then(|seconds| seconds.parse().ok());
    let open = line[..close].iter().position(|byte| *byte == b'<');
    let (name, mail) =
        open.map_or((&b""[..], &b""[..]), |open| (&line[..open], &line[open + 1..close]));
    (name, mail, seconds.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id() -> ObjectId {
        ObjectId::from_hex(&"1".repeat(40)).unwrap()
    }

    #[test]
    fn a_commit_tells_who_when_and_why() {
        let text = format!(
            "tree {0}\nparent {0}\nparent {0}\nauthor Ann B <ann@x> 1700000000 +0100\ncommitter C <c@x> 1700000009 +0000\n\
             gpgsig -----BEGIN\n parent no\n\nFix it\n\nBecause.\n\n",
            "2".repeat(40)
        );
        let commit = Commit::parse(id(), text.as_bytes()).unwrap();
        assert_eq!(
            (commit.parents.len(), commit.author.as_str(), commit.mail.as_str()),
            (2, "Ann B", "ann@x")
        );
        assert_eq!((commit.authored, commit.committed), (1_700_000_000, 1_700_000_009));
        assert_eq!((commit.subject(), commit.body()), ("Fix it", "Because."));
    }

    #[test]
    fn a_commit_without_a_name_or_a_time_is_still_one() {
        let tree = "2".repeat(40);
        for (author, expected) in [
            ("author A <a@x> never +0000\n", ("A", "a@x", 0)),
            ("author A <a@x>\n", ("A", "a@x", 0)),
            ("author A <a@x> 99999999999999999999 +0000\n", ("A", "a@x", 0)),
            ("author > 5 +0000\n", ("", "", 5)),
            ("author \n", ("", "", 0)),
            ("", ("", "", 0)),
        ] {
            let text = format!("tree {tree}\nparent {tree}\n{author}\nWhy\n");
            let commit = Commit::parse(id(), text.as_bytes()).unwrap();
            let told = (commit.author.as_str(), commit.mail.as_str(), commit.authored);
            assert_eq!(told, expected, "{author}");
            assert_eq!((commit.parents.len(), commit.subject(), commit.committed), (1, "Why", 0));
        }
    }

    #[test]
    fn what_is_too_long_or_of_another_hash_is_cut() {
        let long = "ü".repeat(100_000);
        let parents = format!("parent {}\n", "3".repeat(40)).repeat(1000);
        let text = format!(
            "tree {}\nparent {}\n{parents}author {long} <{long}> 1 +0000\ncommitter C <c@x> 1 +0000\n\n{long}",
            "2".repeat(40),
            "2".repeat(64),
        );
        let commit = Commit::parse(id(), text.as_bytes()).unwrap();
        assert_eq!(commit.parents.len(), MOST_PARENTS);
        assert!(commit.parents.iter().all(|parent| parent.n_bytes() == 20));
        assert!(commit.author.len() <= NAME_BYTES && commit.mail.len() <= NAME_BYTES);
        assert!(commit.message.len() <= MESSAGE_BYTES && commit.message.starts_with('ü'));
        assert_eq!(commit.authored, 1);
        let other_tree = format!("tree {}\n\nWhy", "2".repeat(64));
        assert_eq!(Commit::parse(id(), other_tree.as_bytes()), None);
    }

    #[test]
    fn other_encodings_are_read_and_nonsense_is_none() {
        let mut text = format!("tree {0}\nauthor J\u{fffd} <j@x> 1 +0000\ncommitter J <j@x> 1 +0000\nencoding ISO-8859-1\n\nGr", "2".repeat(40))
            .replace('\u{fffd}', "o")
            .into_bytes();
        text.extend([0xfc, b'n']);
        assert_eq!(Commit::parse(id(), &text).unwrap().message, "Grün");
        for nonsense in ["", "tree x", "tree 22", "\n\n"] {
            assert_eq!(Commit::parse(id(), nonsense.as_bytes()), None);
        }
    }
}
