//! Where does each box go? Layers from left to right along the arrows, in whole numbers.

use super::Drawing;

/// Where boxes are, in pixels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) boxes: Vec<Place>,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// Where one box is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
}

pub(super) const BOX_HEIGHT: u32 = 24;
const ROW: u32 = 40;
const BETWEEN_LAYERS: u32 = 90;
const MARGIN: u32 = 20;
const LETTER: u32 = 7;
/// Rounds in which the boxes of a layer are put near those they are connected with.
const SWEEPS: usize = 8;

/// Places every box of a drawing.
pub(super) fn layout(drawing: &Drawing) -> Layout {
    let n = drawing.nodes.len();
    let links: Vec<(usize, usize)> = drawing
        .edges
        .iter()
        .filter(|edge| edge.is_inside(drawing) && edge.from != edge.to)
        .map(|edge| (edge.from, edge.to))
        .collect();
    let layers = ordered(layers_of(n, &links), &links, n);
    let mut boxes = vec![Place::default(); n];
    let mut x = MARGIN;
    let mut height = 0;
    for layer in &layers {
        let width_of = |node: usize| {
            let letters = drawing.nodes[node].label.chars().count();
            u32::try_from(letters).unwrap_or(u32::MAX / LETTER / 4).saturating_mul(LETTER) + 16
        };
        let widest = layer.iter().map(|&node| width_of(node)).max().unwrap_or(0);
        let mut y = MARGIN;
        for &node in layer {
            boxes[node] = Place { x, y, width: width_of(node) };
            y += ROW;
        }
        height = height.max(y);
        x = x.saturating_add(widest + BETWEEN_LAYERS);
    }
    let width = if layers.is_empty() { 2 * MARGIN } else { x - BETWEEN_LAYERS + MARGIN };
    Layout { boxes, width, height: height.max(MARGIN) + MARGIN }
}

/// The nodes of each layer: behind all that lead to them, but for arrows that close a circle.
fn layers_of(n: usize, links: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut targets = vec![Vec::new(); n];
    for &(from, to) in links {
        targets[from].push(to);
    }
    for list in &mut targets {
        list.sort_unstable();
        list.dedup();
    }
    let (finished, closing) = depth_first(&targets);
    let mut layer = vec![0usize; n];
    // In reverse order of finishing, all that lead to a node come before it.
    for &node in finished.iter().rev() {
        for &target in &targets[node] {
            if closing.binary_search(&(node, target)).is_err() {
                layer[target] = layer[target].max(layer[node] + 1);
            }
        }
    }
    let mut layers = vec![Vec::new(); layer.iter().max().map_or(0, |last| last + 1)];
    for (node, at) in layer.into_iter().enumerate() {
        layers[at].push(node);
    }
    layers
}

/// Nodes in the order in which a walk leaves them, and the links that close a circle, sorted.
fn depth_first(targets: &[Vec<usize>]) -> (Vec<usize>, Vec<(usize, usize)>) {
    let n = targets.len();
    let (mut is_seen, mut is_open) = (vec![false; n], vec![false; n]);
    let (mut finished, mut closing) = (Vec::with_capacity(n), Vec::new());
    for root in 0..n {
        let mut calls = vec![(root, 0)];
        while let Some((node, next)) = calls.pop() {
            if next == 0 {
                if is_seen[node] {
                    continue;
                }
                is_seen[node] = true;
                is_open[node] = true;
            }
            let Some(&target) = targets[node].get(next) else {
                is_open[node] = false;
                finished.push(node);
                continue;
            };
            calls.push((node, next + 1));
            if is_open[target] {
                closing.push((node, target));
            } else if !is_seen[target] {
                calls.push((target, 0));
            }
        }
    }
    closing.sort_unstable();
    (finished, closing)
}

/// The layers with each node near the middle of its neighbours.
fn ordered(mut layers: Vec<Vec<usize>>, links: &[(usize, usize)], n: usize) -> Vec<Vec<usize>> {
    const FINE: usize = 1 << 10;
    let mut neighbours = vec![Vec::new(); n];
    for &(from, to) in links {
        neighbours[from].push(to);
        neighbours[to].push(from);
    }
    let mut row = vec![0usize; n];
    for _ in 0..SWEEPS {
        for layer in &layers {
            for (at, &node) in layer.iter().enumerate() {
                row[node] = at * FINE;
            }
        }
        for layer in &mut layers {
            let middle = |&node: &usize| match neighbours[node].len() {
                0 => row[node],
                count => neighbours[node].iter().map(|&other| row[other]).sum::<usize>() / count,
            };
            layer.sort_by_key(|node| (middle(node), *node));
        }
    }
    layers
}
