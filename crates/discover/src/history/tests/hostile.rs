//! Repositories that git would never make: written byte by byte, under names that are no hashes of anything.

use std::io::Write as _;

use super::super::*;

/// A repository whose objects are what a test says they are.
struct Crafted {
    _dir: tempfile::TempDir,
    root: PathBuf,
}

fn id(number: u32) -> ObjectId {
    ObjectId::from_hex(&format!("{number:08x}").repeat(5)).unwrap()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn entry(mode: &str, name: &str, target: u32) -> Vec<u8> {
    [mode.as_bytes(), b" ", name.as_bytes(), b"\0", id(target).as_bytes()].concat()
}

impl Crafted {
    /// One whose commit has a number.
    fn new(head: u32) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join(".git/objects/pack")).unwrap();
        std::fs::create_dir_all(root.join(".git/objects/info")).unwrap();
        std::fs::write(root.join(".git/HEAD"), format!("{}\n", id(head))).unwrap();
        Self { _dir: dir, root }
    }

    fn git(&self, path: &str) -> PathBuf {
        self.root.join(".git").join(path)
    }

    fn put(&self, number: u32, kind: &str, bytes: &[u8]) {
        let name = id(number).to_string();
        let path = self.git("objects").join(&name[..2]).join(&name[2..]);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let whole = [format!("{kind} {}\0", bytes.len()).as_bytes(), bytes].concat();
        std::fs::write(path, packed(&whole)).unwrap();
    }

    fn put_commit(&self, number: u32, tree: u32, message: &str) {
        let tree = id(tree);
        let person = "A <a@x> 1700000000 +0000";
        let text = format!("tree {tree}\nauthor {person}\ncommitter {person}\n\n{message}\n");
        self.put(number, "commit", text.as_bytes());
    }

    /// A pack of one entry, and its index.
    fn put_pack(&self, name: &str, number: u32, entry: &[u8]) {
        let start = b"PACK\0\0\0\x02\0\0\0\x01";
        let pack = [start, entry, &[0; 20]].concat();
        let mut index = b"\xfftOc\0\0\0\x02".to_vec();
        for first in 0..=255u8 {
            let is_behind = first >= id(number).as_bytes()[0];
            index.extend(u32::from(is_behind).to_be_bytes());
        }
        index.extend(id(number).as_bytes());
        index.extend([0; 4]);
        index.extend(u32::try_from(start.len()).unwrap().to_be_bytes());
        index.extend([0; 40]);
        std::fs::write(self.git(&format!("objects/pack/{name}.pack")), pack).unwrap();
        std::fs::write(self.git(&format!("objects/pack/{name}.idx")), index).unwrap();
    }

    fn open(&self) -> Repository {
        Repository::open(&self.root).unwrap().unwrap()
    }
}

#[test]
fn a_folder_that_holds_itself_is_followed_so_deep_and_no_deeper() {
    for (name, files) in [("", 1), ("a", 257)] {
        let crafted = Crafted::new(1);
        crafted.put_commit(1, 2, "one");
        crafted.put(2, "tree", &[entry("40000", name, 2), entry("100644", "f", 3)].concat());
        let repository = crafted.open();
        let found = Difference::of(&repository.objects, None, Some(id(2)), usize::MAX);
        assert_eq!(found.added.len(), files, "{name:?}");
        assert!(!found.is_cut);
    }
}

/// An entry of a pack: so many zeros as the difference from an object.
fn difference_from(base: u32, zeros: usize) -> Vec<u8> {
    let mut header = vec![0x80 | 7 << 4 | u8::try_from(zeros & 15).unwrap()];
    let mut left = zeros >> 4;
    while left > 0x7f {
        header.push(0x80 | u8::try_from(left & 0x7f).unwrap());
        left >>= 7;
    }
    header.push(u8::try_from(left).unwrap());
    [&header, id(base).as_bytes(), &packed(&vec![0; zeros])].concat()
}

#[test]
fn differences_in_a_circle_are_given_up_at_once() {
    let crafted = Crafted::new(0xff00_0000);
    crafted.put_commit(0xff00_0000, 1, "one");
    let zeros = 24 << 20;
    crafted.put_pack("itself", 1, &difference_from(1, zeros));
    crafted.put_pack("other", 2, &difference_from(3, zeros));
    crafted.put_pack("another", 3, &difference_from(2, zeros));
    let repository = crafted.open();
    let before = std::time::Instant::now();
    for number in 1..=3 {
        assert!(repository.objects.read(&id(number), Kind::Blob).is_none());
    }
    // Thousands of times round took minutes, and all memory.
    assert!(before.elapsed().as_secs() < 20);
}

#[test]
fn long_messages_of_many_commits_are_not_held() {
    let crafted = Crafted::new(1);
    crafted.put_commit(1, 9, &"why ".repeat(100_000));
    let repository = crafted.open();
    let commits = repository.commits(&|_| false, 10, &Cancel::default()).unwrap();
    assert_eq!(commits.len(), 1);
    assert!(commits[0].message.len() <= 4096);
    assert!(repository.commit(&id(1)).unwrap().message.len() > 60_000);
    crafted.put_commit(1, 9, &"why ".repeat(300_000));
    assert!(crafted.open().commit(&id(1)).is_none());
}

#[test]
#[cfg(unix)]
fn pipes_and_devices_in_place_of_files_are_not_read() {
    for path in [
        "shallow",
        "objects/info/alternates",
        "objects/00/00000100000001000000010000000100000001",
        "objects/pack/a.idx",
        "objects/pack/b.pack",
        "refs/heads/main",
        "packed-refs",
    ] {
        for is_pipe in [true, false] {
            let crafted = Crafted::new(7);
            crafted.put_commit(7, 1, "one");
            crafted.put_pack("b", 5, &difference_from(5, 3));
            let path = crafted.git(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            if path.exists() {
                std::fs::remove_file(&path).unwrap();
            }
            if is_pipe {
                let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
                assert!(made.success());
            } else {
                std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
            }
            let repository = crafted.open();
            assert!(repository.commit(&id(7)).is_some());
            assert!(repository.objects.read(&id(1), Kind::Tree).is_none());
            let dirs = git::git_dirs(&crafted.root).unwrap().unwrap();
            assert_eq!(dirs.commit_of("refs/heads/main").unwrap(), None);
        }
    }
}
