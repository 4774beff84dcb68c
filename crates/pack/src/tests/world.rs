//! A project in memory: files with symbols that are chunks at the same time, and a graph of them.

use std::convert::Infallible;

use gik_contract::Timestamp;
use gik_contract::pack::{ContextPack, Here, SummaryLevel};
use gik_graph::{Edge, EdgeKind, Evidence, Memory, Node, Provenance};

use crate::{
    About, Body, Draft, Inputs, Known, Library, Nature, Outline, OutlineLine, Place, Points, Rule,
    Seed, Stop,
};

/// A file: its symbols are its lines that are not blank, named by their first word.
pub(super) struct File {
    pub(super) path: &'static str,
    pub(super) nature: Nature,
    pub(super) text: String,
    /// Names, and where they stand.
    pub(super) symbols: Vec<(String, std::ops::Range<usize>)>,
}

/// A project in memory.
pub(super) struct World {
    pub(super) files: Vec<File>,
    pub(super) edges: Vec<Edge>,
}

impl World {
    /// Files by path and text; a symbol is a paragraph, named by its first word.
    pub(super) fn new(files: &[(&'static str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| {
            let mut symbols = Vec::new();
            let mut start = 0;
            for part in text.split_inclusive("\n\n") {
                let name = part.split_whitespace().next().unwrap_or_default();
                let length = part.strip_suffix('\n').filter(|it| it.ends_with('\n'));
                let end = start + length.unwrap_or(part).len();
                symbols.push((name.to_owned(), start..end));
                start += part.len();
            }
            let nature = match path {
                path if path.contains("test") => Nature::Test,
                path if path.ends_with(".md") => Nature::Doc,
                _ => Nature::Code,
            };
            File { path, nature, text: (*text).to_owned(), symbols }
        });
        Self { files: files.collect(), edges: Vec::new() }
    }

    pub(super) fn node(&self, name: &str) -> Node {
        for (file, at) in self.files.iter().zip(0..) {
            if file.path == name {
                return Node::file(at);
            }
            if let Some(symbol) = file.symbols.iter().position(|(it, _)| it == name) {
                return Node::symbol(at, u32::try_from(symbol).unwrap());
            }
        }
        panic!("there is no `{name}`");
    }

    /// An edge with evidence at the beginning of who names.
    pub(super) fn edge(&mut self, from: &str, kind: EdgeKind, to: &str) -> &mut Edge {
        let (from, to) = (self.node(from), self.node(to));
        let at = from
            .symbol
            .map_or(0, |symbol| self.files[from.file as usize].symbols[symbol as usize].1.start);
        let start = u32::try_from(at).unwrap();
        self.edges.push(Edge {
            from,
            to,
            kind,
            provenance: Provenance::Import,
            confidence: 90,
            candidates: 1,
            evidence: Some(Evidence { file: from.file, start, end: start + 1 }),
        });
        self.edges.last_mut().unwrap()
    }

    pub(super) fn calls(&mut self, pairs: &[(&str, &str)]) {
        for (from, to) in pairs {
            self.edge(from, EdgeKind::Calls, to);
        }
    }

    fn place_of(&self, node: Node) -> Place {
        let file = &self.files[node.file as usize];
        let symbol = node.symbol.unwrap_or(0) as usize;
        let (name, bytes) = file.symbols[symbol].clone();
        let units = |end: usize| file.text[..end].encode_utf16().count() as u64;
        let line = |end: usize| u32::try_from(file.text[..end].matches('\n').count()).unwrap() + 1;
        Place {
            symbol_id: node.symbol.map(|_| format!("scip:gik x . {}/{name}().", file.path)),
            chunk_uid: format!("ck:{}:{symbol}", file.path),
            file: file.path.to_owned(),
            utf16: units(bytes.start)..units(bytes.end),
            lines: (line(bytes.start), line(bytes.end.saturating_sub(1))),
            bytes,
            language: "x".to_owned(),
            nature: file.nature,
        }
    }

    /// A seed by its name, with a score in hundredths.
    pub(super) fn seed(&self, name: &str, rule: Rule, score: u32) -> Seed {
        let node = self.node(name);
        Seed {
            place: self.place_of(node),
            nodes: vec![node],
            rule,
            score: Points::new(score * 100),
            lexical: Some(1.25),
            dense: None,
        }
    }

    pub(super) fn inputs(draft: Draft, seeds: Vec<Seed>, more: Vec<Seed>) -> Inputs<'static> {
        let known = Known {
            repo_id: "workspace".to_owned(),
            index_root: ".guided/knowledge/main".to_owned(),
            index_signature: "signature".to_owned(),
        };
        let (request, notes) = crate::normalize(draft, known);
        Inputs {
            request,
            seeds,
            more,
            created_at: Timestamp::UNIX_EPOCH,
            tokenizer: "words".to_owned(),
            count: &words,
            notes,
        }
    }

    pub(super) fn try_pack(
        &self,
        draft: Draft,
        seeds: Vec<Seed>,
        more: Vec<Seed>,
    ) -> Result<ContextPack, Stop<Infallible>> {
        let mut graph = Memory::new(self.edges.clone());
        crate::build(Self::inputs(draft, seeds, more), &mut Shelf(self), &mut graph)
    }

    /// A pack from one seed that was named.
    pub(super) fn focus(&self, name: &str, draft: Draft) -> ContextPack {
        self.try_pack(draft, vec![self.seed(name, Rule::Focus, 100)], Vec::new()).unwrap()
    }
}

/// Words and signs, as tokenizers of models count them.
pub(super) fn words(text: &str) -> u64 {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count() as u64
        + text.chars().filter(|c| !c.is_alphanumeric() && !c.is_whitespace()).count() as u64
}

pub(super) struct Shelf<'a>(pub(super) &'a World);

impl Library for Shelf<'_> {
    type Failure = Infallible;

    fn place(&mut self, node: Node) -> Result<Option<Place>, Infallible> {
        Ok(Some(self.0.place_of(node)))
    }

    fn name(&mut self, node: Node) -> Result<String, Infallible> {
        let place = self.0.place_of(node);
        Ok(place.symbol_id.unwrap_or(place.file))
    }

    fn body(&mut self, place: &Place) -> Result<Option<Body>, Infallible> {
        let file = self.0.files.iter().find(|file| file.path == place.file).unwrap();
        let text = file.text[place.bytes.clone()].to_owned();
        let head = text.find('\n').unwrap_or(text.len());
        let title = text.split_whitespace().next().unwrap_or_default().to_owned();
        Ok(Some(Body { text, breaks: Vec::new(), head, title }))
    }

    fn beside(&mut self, place: &Place) -> Result<Vec<Place>, Infallible> {
        let node = self.0.node(&place.file);
        let symbols = 0..u32::try_from(self.0.files[node.file as usize].symbols.len()).unwrap();
        let all = symbols.map(|symbol| self.0.place_of(Node::symbol(node.file, symbol)));
        Ok(all.filter(|other| other.bytes != place.bytes).collect())
    }

    fn evidence(&mut self, evidence: &Evidence) -> Result<Option<String>, Infallible> {
        let file = &self.0.files[evidence.file as usize];
        let before = &file.text[..evidence.start as usize];
        Ok(Some(format!("{}:{}", file.path, before.matches('\n').count() + 1)))
    }

    fn outlines(&mut self, here: &Here) -> Result<Vec<Outline>, Infallible> {
        let line = |text: &str, about| OutlineLine { text: text.to_owned(), about };
        let file = self.0.files.iter().find(|file| file.path == here.file_rel_path);
        let symbols = file.into_iter().flat_map(|file| {
            let about = |bytes| About::Text(file.path.to_owned(), bytes);
            file.symbols.iter().map(move |(name, bytes)| line(name, about(bytes.clone())))
        });
        let files = self.0.files.iter().filter(|file| file.path != here.file_rel_path);
        let files = files.map(|file| line(file.path, About::File(file.path.to_owned())));
        let outline = |level, path: &str, lines: Vec<OutlineLine>| Outline {
            level,
            path: path.to_owned(),
            heading: format!("{path} has {}", lines.len()),
            lines,
        };
        Ok(vec![
            outline(SummaryLevel::File, &here.file_rel_path, symbols.collect()),
            outline(SummaryLevel::Folder, ".", files.collect()),
            outline(SummaryLevel::Project, ".", vec![line("a project in memory", About::All)]),
        ])
    }
}

/// Four functions that call each other in a row, a test, a document, and one that stands alone.
pub(super) fn chain() -> World {
    let mut world = World::new(&[
        ("a.x", "one calls two\n\nalone\n"),
        ("b.x", "two calls three\n  more of two\n"),
        ("c.x", "three calls four\n"),
        ("d.x", "four\n  ends here\n"),
        ("guide.md", "guide speaks of two\n"),
        ("test.x", "check looks at two\n"),
    ]);
    world.calls(&[("one", "two"), ("two", "three"), ("three", "four"), ("check", "two")]);
    world.edge("check", EdgeKind::Tests, "two");
    world.edge("guide", EdgeKind::Mentions, "two");
    world.edge("a.x", EdgeKind::Imports, "b.x");
    world.edge("b.x", EdgeKind::Imports, "c.x");
    world
}
