//! Puts small neighbours together, so that a chunk says enough to be found and to be understood.

use std::ops::Range;

use super::pieces::{Piece, Standing};
use super::{HARD_MAX, JOIN_MAX, JOIN_MIN, split};
use crate::line_table::LineTable;

/// Pieces that make one chunk.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) lines: Range<usize>,
    pub(super) pieces: Vec<Piece>,
}

/// Joins pieces to groups, in order.
pub(super) fn join(lines: &LineTable<'_>, pieces: Vec<Piece>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    // Lines that wait for the piece they lean on.
    let mut leaning: Option<Piece> = None;
    for mut piece in pieces {
        if let Some(mut waiting) = leaning.take() {
            let joined = waiting.lines.start..piece.lines.end;
            if lines.size(&joined) <= HARD_MAX && waiting.zone == piece.zone {
                piece.lines = joined;
            } else {
                waiting.standing = Standing::LeansBack;
                add(lines, &mut groups, waiting);
            }
        }
        if piece.standing == Standing::LeansForward {
            leaning = Some(piece);
        } else {
            add(lines, &mut groups, piece);
        }
    }
    if let Some(waiting) = leaning {
        add(lines, &mut groups, waiting);
    }
    groups
}

fn add(lines: &LineTable<'_>, groups: &mut Vec<Group>, piece: Piece) {
    match groups.last_mut() {
        Some(group) if accepts(lines, group, &piece) => {
            group.lines.end = piece.lines.end;
            if piece.standing != Standing::LeansBack {
                group.pieces.push(piece);
            }
        },
        _ => groups.push(Group { lines: piece.lines.clone(), pieces: vec![piece] }),
    }
}

fn accepts(lines: &LineTable<'_>, group: &Group, piece: &Piece) -> bool {
    let joined = lines.size(&(group.lines.start..piece.lines.end));
    let Some(last) = group.pieces.last() else { return false };
    match piece.standing {
        Standing::LeansBack => joined <= HARD_MAX && last.zone == piece.zone,
        Standing::Joins => {
            let is_full = joined > JOIN_MAX
                || (lines.size(&group.lines) >= JOIN_MIN
                    && split::is_landmark(lines.line(piece.lines.start)));
            !is_full
                && last.standing == Standing::Joins
                && last.owner == piece.owner
                && last.zone == piece.zone
        },
        Standing::Alone | Standing::LeansForward => false,
    }
}
