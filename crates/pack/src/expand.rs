//! From seeds to candidates: which edges fill which section, and which sections a request wants.

use std::collections::BTreeSet;

use gik_contract::pack::{Direction, EdgeType, PackRequest, SectionType, SeedMode};
use gik_graph::{EdgeKind, Edges, Node};

use crate::candidate::{Candidate, Hop, Rule, Seed};
use crate::library::{Library, Nature};
use crate::points::Points;
use crate::walk::{Terms, Walked, Way, walk};

/// What the graph and the files of the seeds gave.
#[derive(Debug, Default)]
pub(crate) struct Expanded {
    pub(crate) candidates: Vec<Candidate>,
    /// What required evidence is missing for.
    pub(crate) refused: Vec<Candidate>,
    /// Nodes without a text in this index.
    pub(crate) unsupported: u64,
    /// Sections that were not looked at, and why.
    pub(crate) off: Vec<(SectionType, String)>,
    /// Sections of which not all was looked at.
    pub(crate) cut: Vec<SectionType>,
    pub(crate) nodes: u64,
    pub(crate) edges: u64,
}

/// A section has so many candidates at most for each item it may hold.
const CANDIDATES_PER_ITEM: u64 = 4;
/// What stands beside the first seeds is related.
const SEEDS_WITH_NEIGHBORS: usize = 5;
/// So many of what stands beside a seed.
const NEIGHBORS: usize = 4;

/// Follows the graph from the seeds.
pub(crate) fn expand<L: Library, G: Edges<Failure = L::Failure>>(
    request: &PackRequest,
    seeds: &[Seed],
    library: &mut L,
    graph: &mut G,
) -> Result<Expanded, L::Failure> {
    let symbols: BTreeSet<Node> = seeds.iter().flat_map(|seed| seed.nodes.clone()).collect();
    let files = symbols.iter().map(|node| Node::file(node.file));
    let both: BTreeSet<Node> = symbols.iter().copied().chain(files).collect();
    let wanted = (request.budgets.max_items_per_section * CANDIDATES_PER_ITEM).max(1);
    let terms = Terms {
        expansion: &request.expansion,
        strictness: request.strictness,
        most_nodes: usize::try_from(wanted).unwrap_or(usize::MAX),
    };
    let mut expanded = Expanded::default();
    for section in SectionType::ALL {
        let (way, rule) = match way_of(section, request) {
            Ok(found) => found,
            Err(reason) => {
                expanded.off.push((section, reason));
                continue;
            },
        };
        if way.is_empty() {
            continue;
        }
        // Who imports, tests or mentions a seed may say so of its file.
        let starts = match section {
            SectionType::Imports
            | SectionType::Exports
            | SectionType::Tests
            | SectionType::Docs => &both,
            SectionType::Seeds
            | SectionType::Callers
            | SectionType::Callees
            | SectionType::Usages
            | SectionType::Dataflow
            | SectionType::Related => &symbols,
        };
        let walked = walk(graph, starts, &way, terms)?;
        expanded.take(walked, section, rule, library)?;
    }
    if request.expansion.include_same_file_neighbors {
        expanded.add_beside(seeds, library)?;
    }
    Ok(expanded)
}

impl Expanded {
    fn take<L: Library>(
        &mut self,
        walked: Walked,
        section: SectionType,
        rule: Rule,
        library: &mut L,
    ) -> Result<(), L::Failure> {
        self.nodes += walked.nodes;
        self.edges += walked.edges;
        if walked.is_cut {
            self.cut.push(section);
        }
        for reached in walked.reached {
            let Some(place) = library.place(reached.node)? else {
                self.unsupported += 1;
                continue;
            };
            // A test that calls is a test, and a document that links is a document.
            let (section, rule) = match place.nature {
                Nature::Code => (section, rule),
                Nature::Test => (SectionType::Tests, Rule::TestNeighbor),
                Nature::Doc => (SectionType::Docs, Rule::DocMention),
            };
            self.candidates.push(Candidate {
                place,
                section,
                rule,
                seed: Points::NONE,
                distance: u32::try_from(reached.path.len()).unwrap_or(u32::MAX),
                evidence: reached.strength,
                path: reached.path.into_iter().map(Hop::Edge).collect(),
            });
        }
        for (node, edge) in walked.refused {
            if let Some(place) = library.place(node)? {
                self.refused.push(Candidate {
                    place,
                    section,
                    rule,
                    seed: Points::NONE,
                    distance: 1,
                    evidence: Points::NONE,
                    path: vec![Hop::Edge(edge)],
                });
            }
        }
        Ok(())
    }

    /// What stands beside the first seeds.
    fn add_beside<L: Library>(
        &mut self,
        seeds: &[Seed],
        library: &mut L,
    ) -> Result<(), L::Failure> {
        for seed in seeds.iter().take(SEEDS_WITH_NEIGHBORS) {
            for place in library.beside(&seed.place)?.into_iter().take(NEIGHBORS) {
                let file = place.file.clone();
                self.candidates.push(Candidate {
                    place,
                    section: SectionType::Related,
                    rule: Rule::SameFile,
                    seed: Points::NONE,
                    distance: 1,
                    evidence: Points::NONE,
                    path: vec![Hop::Beside(file)],
                });
            }
        }
        Ok(())
    }
}

/// The edges that fill a section; an error says why it is not wanted.
fn way_of(section: SectionType, request: &PackRequest) -> Result<(Way, Rule), String> {
    use EdgeKind::{
        Calls, Contains, Dataflow, Exports, Extends, Implements, Imports, Mentions, Tests, Uses,
    };
    let expansion = &request.expansion;
    let out = expansion.direction != Direction::In;
    let into = expansion.direction != Direction::Out;
    let has = |edge: EdgeType| expansion.edge_types.contains(&edge);
    let along = |kinds: &[EdgeKind], wanted: bool| if wanted { kinds.to_vec() } else { Vec::new() };
    let only = |edge: EdgeType, name: &str| {
        if has(edge) { Ok(()) } else { Err(format!("edges of type {name} are not followed")) }
    };
    let way = |forth: Vec<EdgeKind>, back: Vec<EdgeKind>| {
        let way = Way { out: forth, into: back };
        if way.is_empty() { Err("the direction leads elsewhere".to_owned()) } else { Ok(way) }
    };
    const USES: &[EdgeKind] = &[Uses, Extends, Implements];
    Ok(match section {
        SectionType::Seeds => (Way::default(), Rule::Query),
        SectionType::Callers => {
            only(EdgeType::Call, "call")?;
            (way(Vec::new(), along(&[Calls], into))?, Rule::CallNeighbor)
        },
        SectionType::Callees => {
            only(EdgeType::Call, "call")?;
            (way(along(&[Calls], out), Vec::new())?, Rule::CallNeighbor)
        },
        SectionType::Imports => {
            only(EdgeType::Import, "import")?;
            (way(along(&[Imports], out), Vec::new())?, Rule::ImportNeighbor)
        },
        SectionType::Exports => {
            let (imports, exports) = (has(EdgeType::Import), has(EdgeType::Export));
            if !imports && !exports {
                return Err("edges of type export are not followed".to_owned());
            }
            let mut back = along(&[Imports], into && imports);
            back.extend(along(&[Exports], into && exports));
            (way(along(&[Exports], out && exports), back)?, Rule::ExportNeighbor)
        },
        SectionType::Usages => {
            only(EdgeType::Usage, "usage")?;
            (way(along(USES, out), along(USES, into))?, Rule::UsageNeighbor)
        },
        SectionType::Dataflow => {
            only(EdgeType::Dataflow, "dataflow")?;
            (way(along(&[Dataflow], out), along(&[Dataflow], into))?, Rule::DataflowNeighbor)
        },
        SectionType::Tests => (way(Vec::new(), vec![Tests])?, Rule::TestNeighbor),
        SectionType::Docs => {
            if request.seed_mode == SeedMode::Code {
                return Err("only code is asked".to_owned());
            }
            (way(Vec::new(), vec![Mentions])?, Rule::DocMention)
        },
        SectionType::Related => {
            let mut kinds = Vec::new();
            for (edge, own) in [
                (EdgeType::Call, &[Calls][..]),
                (EdgeType::Usage, USES),
                (EdgeType::Import, &[Imports]),
                (EdgeType::Export, &[Exports]),
                (EdgeType::Dataflow, &[Dataflow]),
            ] {
                kinds.extend(along(own, has(edge)));
            }
            kinds.extend(along(&[Contains], expansion.include_same_file_neighbors));
            let way = Way { out: along(&kinds, out), into: along(&kinds, into) };
            (way, Rule::GraphNeighbor)
        },
    })
}
