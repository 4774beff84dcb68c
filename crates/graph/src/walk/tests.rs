//! Walks against brute force on random graphs, and the limits at their edges.

use std::collections::{BTreeMap, BTreeSet};

use gik_testkit::Rng;

use super::*;
use crate::{Memory, Provenance};

fn edge(from: u32, to: u32, kind: EdgeKind) -> Edge {
    Edge {
        from: Node::file(from),
        to: Node::file(to),
        kind,
        provenance: Provenance::Syntax,
        confidence: 100,
        candidates: 1,
        evidence: None,
    }
}

fn calls(pairs: &[(u32, u32)]) -> Memory {
    Memory::new(pairs.iter().map(|&(from, to)| edge(from, to, EdgeKind::Calls)).collect())
}

fn all(direction: Direction) -> Selection {
    Selection::new(direction, &[])
}

fn random(rng: &mut Rng, n: u32, m: usize) -> Memory {
    let edges = (0..m).map(|_| {
        let mut any = || u32::try_from(rng.below(u64::from(n))).unwrap();
        let (from, to) = (any(), any());
        let mut made = edge(from, to, *rng.pick(&EdgeKind::ALL));
        made.confidence = u8::try_from(rng.below(101)).unwrap();
        made.candidates = 1 + u32::try_from(rng.below(3)).unwrap();
        made
    });
    Memory::new(edges.collect())
}

/// Steps from node 0 to every node, the slow way.
fn distances(graph: &Memory, direction: Direction) -> BTreeMap<Node, u32> {
    let mut known = BTreeMap::from([(Node::file(0), 0)]);
    loop {
        let before = known.clone();
        for edge in graph.edges() {
            let mut relax = |from: Node, to: Node| {
                if let Some(&far) = known.get(&from) {
                    let entry = known.entry(to).or_insert(u32::MAX);
                    *entry = (*entry).min(far + 1);
                }
            };
            if direction != Direction::Backward {
                relax(edge.from, edge.to);
            }
            if direction != Direction::Forward {
                relax(edge.to, edge.from);
            }
        }
        if before == known {
            return known;
        }
    }
}

fn near(graph: &Memory, direction: Direction, limits: Limits) -> Nearby {
    let mut graph = graph.clone();
    let Ok(found) = nearby(&mut graph, &[Node::file(0)], &all(direction), limits, &mut || true);
    found
}

#[test]
fn everything_near_is_found_at_its_distance_in_any_graph() {
    let mut rng = Rng::new(1);
    for round in 0..200 {
        let graph = random(&mut rng, 12, 4 + round % 30);
        for direction in [Direction::Forward, Direction::Backward, Direction::Both] {
            let found = near(&graph, direction, Limits::NONE);
            let by_walk: BTreeMap<Node, u32> =
                found.nodes.iter().map(|it| (it.node, it.depth)).collect();
            assert_eq!(by_walk, distances(&graph, direction));
            assert!(!found.cut.is_any());
            assert!(found.nodes.is_sorted_by_key(|it| it.depth));
            assert!(found.edges.is_sorted());
        }
    }
}

#[test]
fn shortest_ways_are_as_long_as_the_distance_and_hang_together() {
    let mut rng = Rng::new(2);
    for _ in 0..200 {
        let mut graph = random(&mut rng, 12, 24);
        let far = distances(&graph, Direction::Forward);
        for end in (0..12).map(Node::file) {
            let selection = all(Direction::Forward);
            let Ok(found) =
                path(&mut graph, &[Node::file(0)], &[end], &selection, Limits::NONE, &mut || true);
            let steps = found.steps.map(|steps| {
                for pair in steps.windows(2) {
                    let edge = pair[1].1.as_ref().unwrap();
                    assert_eq!((edge.from, edge.to), (pair[0].0, pair[1].0));
                }
                u32::try_from(steps.len()).unwrap() - 1
            });
            assert_eq!(steps, far.get(&end).copied());
        }
    }
}

#[test]
fn limits_cut_exactly_and_say_so() {
    let chain = calls(&[(0, 1), (1, 2), (2, 3)]);
    let at = |depth| near(&chain, Direction::Forward, Limits { depth, ..Limits::NONE });
    assert_eq!((at(2).nodes.len(), at(2).cut.depth), (3, true));
    assert_eq!((at(3).nodes.len(), at(3).cut.depth), (4, false));

    let star = calls(&[(0, 1), (0, 2), (0, 3)]);
    let at = |fan_out| near(&star, Direction::Forward, Limits { fan_out, ..Limits::NONE });
    assert_eq!((at(2).nodes.len(), at(2).cut.fan_out), (3, 1));
    assert_eq!((at(3).nodes.len(), at(3).cut.fan_out), (4, 0));
    let at = |nodes| near(&star, Direction::Forward, Limits { nodes, ..Limits::NONE });
    assert_eq!((at(3).nodes.len(), at(3).cut.nodes), (3, true));
    assert_eq!((at(4).nodes.len(), at(4).cut.nodes), (4, false));

    let mut graph = chain.clone();
    let mut steps = 0;
    let Ok(found) =
        nearby(&mut graph, &[Node::file(0)], &all(Direction::Forward), Limits::NONE, &mut || {
            steps += 1;
            steps <= 2
        });
    assert!(found.cut.time);
    assert_eq!(found.nodes.len(), 3);
}

#[test]
fn a_cut_search_for_a_way_does_not_claim_that_there_is_none() {
    let mut chain = calls(&[(0, 1), (1, 2), (2, 3)]);
    let limits = Limits { depth: 2, ..Limits::NONE };
    let selection = all(Direction::Forward);
    let Ok(found) =
        path(&mut chain, &[Node::file(0)], &[Node::file(3)], &selection, limits, &mut || true);
    assert_eq!(found.steps, None);
    assert!(found.cut.depth);
}

#[test]
fn candidates_and_unsure_edges_are_left_out_on_demand() {
    let mut unsure = edge(0, 1, EdgeKind::Calls);
    unsure.candidates = 2;
    let mut faint = edge(0, 2, EdgeKind::Calls);
    faint.confidence = 40;
    let mut graph = Memory::new(vec![unsure, faint, edge(0, 3, EdgeKind::Calls)]);
    let selection = Selection { min_confidence: 50, ..all(Direction::Forward).facts_only() };
    let Ok(found) = nearby(&mut graph, &[Node::file(0)], &selection, Limits::NONE, &mut || true);
    let nodes: Vec<u32> = found.nodes.iter().map(|it| it.node.file).collect();
    assert_eq!(nodes, [0, 3]);
}

#[test]
fn surer_neighbours_come_first() {
    let mut faint = edge(0, 1, EdgeKind::Calls);
    faint.confidence = 40;
    let graph = Memory::new(vec![faint, edge(0, 2, EdgeKind::Calls)]);
    let found = near(&graph, Direction::Forward, Limits::NONE);
    let nodes: Vec<u32> = found.nodes.iter().map(|it| it.node.file).collect();
    assert_eq!(nodes, [0, 2, 1]);
}

#[test]
fn circles_are_the_groups_of_nodes_that_reach_each_other() {
    let mut rng = Rng::new(3);
    for round in 0..200 {
        let graph = random(&mut rng, 10, 5 + round % 20);
        let reach: Vec<BTreeSet<Node>> = (0..10)
            .map(|start| {
                let mut copy = graph.clone();
                let Ok(found) = nearby(
                    &mut copy,
                    &[Node::file(start)],
                    &all(Direction::Forward),
                    Limits::NONE,
                    &mut || true,
                );
                found.nodes.into_iter().map(|it| it.node).collect()
            })
            .collect();
        let reaches = |a: u32, b: u32| reach[a as usize].contains(&Node::file(b));
        let mut expected: BTreeSet<Vec<Node>> = BTreeSet::new();
        for a in 0..10 {
            let group: Vec<Node> =
                (0..10).filter(|&b| reaches(a, b) && reaches(b, a)).map(Node::file).collect();
            if group.len() > 1 {
                expected.insert(group);
            }
        }
        let found = circles(&graph, &all(Direction::Forward));
        assert!(found.is_sorted_by_key(|it| std::cmp::Reverse(it.nodes.len())));
        for circle in &found {
            assert_eq!(circle.way[0].from, circle.nodes[0]);
            assert_eq!(circle.way.last().unwrap().to, circle.nodes[0]);
            for pair in circle.way.windows(2) {
                assert_eq!(pair[0].to, pair[1].from);
            }
        }
        let found: BTreeSet<Vec<Node>> = found.into_iter().map(|it| it.nodes).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn a_very_long_chain_does_not_overflow_the_stack() {
    let mut pairs: Vec<(u32, u32)> = (0..100_000).map(|at| (at, at + 1)).collect();
    pairs.push((100_000, 0));
    let found = circles(&calls(&pairs), &all(Direction::Forward));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].way.len(), 100_001);
}

fn touched(graph: &Memory, changed: u32, limits: Limits) -> Impact {
    let mut graph = graph.clone();
    let selection = all(Direction::Backward);
    let Ok(found) = impact(&mut graph, &[Node::file(changed)], &selection, limits, &mut || true);
    found
}

#[test]
fn a_change_is_felt_by_callers_of_callers_with_the_way_that_leads_there() {
    let graph = calls(&[(2, 1), (1, 0), (3, 2), (0, 3)]);
    let found = touched(&graph, 0, Limits::NONE);
    let nodes: Vec<(u32, u32)> = found.affected.iter().map(|it| (it.node.file, it.depth)).collect();
    assert_eq!(nodes, [(1, 1), (2, 2), (3, 3)]);
    let way: Vec<(u32, u32)> =
        found.affected[2].way.iter().map(|it| (it.from.file, it.to.file)).collect();
    assert_eq!(way, [(3, 2), (2, 1), (1, 0)]);
    let found = touched(&graph, 0, Limits { depth: 1, ..Limits::NONE });
    assert_eq!(found.affected.len(), 1);
    assert!(found.cut.depth);
}

#[test]
fn an_import_is_felt_once_and_a_re_export_hands_it_on() {
    let kinds = [
        edge(1, 0, EdgeKind::Imports),
        edge(2, 1, EdgeKind::Imports),
        edge(3, 0, EdgeKind::Exports),
        edge(4, 3, EdgeKind::Imports),
    ];
    let found = touched(&Memory::new(kinds.to_vec()), 0, Limits::NONE);
    let nodes: Vec<u32> = found.affected.iter().map(|it| it.node.file).collect();
    assert_eq!(nodes, [1, 3, 4]);
}

#[test]
fn each_unsure_step_takes_its_share() {
    let mut first = edge(1, 0, EdgeKind::Calls);
    first.confidence = 80;
    let mut second = edge(2, 1, EdgeKind::Calls);
    second.confidence = 50;
    second.candidates = 3;
    let found = touched(&Memory::new(vec![first, second]), 0, Limits::NONE);
    let told: Vec<(u8, bool)> =
        found.affected.iter().map(|it| (it.confidence, it.by_candidates)).collect();
    assert_eq!(told, [(80, false), (40, true)]);
}

#[test]
fn degrees_count_neighbours_once_and_leave_out_who_calls_itself() {
    let graph = Memory::new(vec![
        edge(0, 1, EdgeKind::Calls),
        edge(0, 1, EdgeKind::Uses),
        edge(2, 1, EdgeKind::Calls),
        edge(1, 1, EdgeKind::Calls),
    ]);
    let found = degrees(&graph, &all(Direction::Both));
    let told: Vec<(u32, u32, u32)> =
        found.iter().map(|it| (it.node.file, it.incoming, it.outgoing)).collect();
    assert_eq!(told, [(1, 2, 0), (0, 0, 1), (2, 0, 1)]);
    let nodes: Vec<Node> = (0..4).map(Node::file).collect();
    let lonely = unreached(&graph, &nodes, &all(Direction::Both));
    assert_eq!(lonely, [Node::file(0), Node::file(2), Node::file(3)]);
}
