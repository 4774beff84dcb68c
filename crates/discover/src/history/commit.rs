//! What a commit says: who, when, why, and what came before it.

use crate::objects::ObjectId;

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

    /// Reads the bytes of a commit; `None` where they are none.
    pub(crate) fn parse(id: ObjectId, bytes: &[u8]) -> Option<Self> {
        let split = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap_or(bytes.len());
        let (head, message) = bytes.split_at(split);
        let mut lines = head.split(|byte| *byte == b'\n');
        let named = |line: &[u8], name: &str| {
            let value = line.strip_prefix(name.as_bytes())?;
            ObjectId::from_hex(std::str::from_utf8(value).ok()?)
        };
        let tree = named(lines.next()?, "tree ")?;
        let mut parents = Vec::new();
        let (mut author, mut committer, mut encoding) = (None, None, None);
        for line in lines {
            if let Some(parent) = named(line, "parent ") {
                parents.push(parent);
            } else if let Some(rest) = line.strip_prefix(b"author ") {
                author.get_or_insert(rest);
            } else if let Some(rest) = line.strip_prefix(b"committer ") {
                committer.get_or_insert(rest);
            } else if let Some(rest) = line.strip_prefix(b"encoding ") {
                encoding = encoding_rs::Encoding::for_label(rest);
            }
        }
        let encoding = encoding.unwrap_or(encoding_rs::UTF_8);
        let text = |bytes: &[u8]| encoding.decode_without_bom_handling(bytes).0.into_owned();
        let (name, mail, authored) = person(author?)?;
        let (_, _, committed) = person(committer?)?;
        Some(Self {
            id,
            parents,
            author: text(name),
            mail: text(mail),
            authored,
            committed,
            message: text(message).trim().to_owned(),
            tree,
        })
    }
}

/// The first line of a message.
pub(crate) fn subject(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}

/// A message without its first line.
pub(crate) fn body(message: &str) -> &str {
    message.split_once('\n').map_or("", |(_, body)| body.trim())
}

/// Name, address and time in `Name <address> seconds zone`.
fn person(line: &[u8]) -> Option<(&[u8], &[u8], i64)> {
    let open = line.iter().position(|byte| *byte == b'<')?;
    let close = line.iter().rposition(|byte| *byte == b'>').filter(|close| *close > open)?;
    let time = std::str::from_utf8(&line[close + 1..]).ok()?;
    let seconds = time.split_whitespace().next()?.parse().ok()?;
    Some((line[..open].trim_ascii(), &line[open + 1..close], seconds))
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
