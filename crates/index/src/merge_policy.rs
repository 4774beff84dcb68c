//! Which segments are worth rewriting now? Few segments for readers, little rewriting for writers.
//!
//! Two rules. A segment of which more than a fifth is dead is rewritten, because its dead cost every query. Beyond ten
//! segments the smallest are put together, as long as none of them is much larger than all smaller ones combined: a
//! document is then rewritten a logarithmic number of times, and a huge segment is left alone for tiny ones. Nothing
//! larger than a bound is made, so that a merge takes bounded memory.

/// How big a segment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentSize {
    /// Number of documents, dead ones included.
    pub docs: u32,
    /// Number of dead documents.
    pub dead: u32,
    /// Size on disk.
    pub bytes: u64,
}

/// More segments than this are merged.
const MAX_SEGMENTS: usize = 10;
/// A segment joins a merge when it is at most so many times as large as all smaller ones together.
const REACH: u64 = 2;
/// A merge holds its result in memory, so it makes nothing larger; ten segments of this size are a large index.
const MAX_MERGED_BYTES: u64 = 24 << 20;
/// One part in so many may be dead.
const DEAD_SHARE: u64 = 5;

/// The positions of the segments to merge into one, rising, or `None` when all is well.
pub fn plan_merge(sizes: &[SegmentSize]) -> Option<Vec<usize>> {
    let mut total = 0u64;
    let decayed: Vec<usize> = (0..sizes.len())
        .filter(|&at| u64::from(sizes[at].dead) * DEAD_SHARE > u64::from(sizes[at].docs))
        .take_while(|&at| {
            let is_first = total == 0;
            total = total.saturating_add(sizes[at].bytes);
            is_first || total <= MAX_MERGED_BYTES
        })
        .collect();
    if !decayed.is_empty() {
        return Some(decayed);
    }
    if sizes.len() <= MAX_SEGMENTS {
        return None;
    }
    let mut by_size: Vec<usize> = (0..sizes.len()).collect();
    by_size.sort_by_key(|&at| (sizes[at].bytes, at));
    let mut total = 0u64;
    let mut chosen = Vec::new();
    for at in by_size {
        let merged = total.saturating_add(sizes[at].bytes);
        // Two are always merged where they may be: their number must go down.
        let is_unequal = chosen.len() >= 2 && sizes[at].bytes > total.saturating_mul(REACH);
        if is_unequal || merged > MAX_MERGED_BYTES {
            break;
        }
        total = merged;
        chosen.push(at);
    }
    chosen.sort_unstable();
    (chosen.len() >= 2).then_some(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_beyond_the_bound_is_made() {
        let large = SegmentSize { docs: 100_000, dead: 0, bytes: MAX_MERGED_BYTES / 2 + 1 };
        assert_eq!(plan_merge(&[large; 40]), None);
        let worn = SegmentSize { dead: 50_000, ..large };
        assert_eq!(plan_merge(&[worn; 3]), Some(vec![0]), "the others follow one by one");
    }

    fn alive(docs: u32) -> SegmentSize {
        SegmentSize { docs, dead: 0, bytes: u64::from(docs) * 500 }
    }

    #[test]
    fn few_healthy_segments_are_left_alone() {
        assert_eq!(plan_merge(&[]), None);
        assert_eq!(plan_merge(&[alive(25_000); 10]), None);
    }

    #[test]
    fn decayed_segments_are_rewritten_and_nothing_else() {
        let decayed = SegmentSize { docs: 100, dead: 21, bytes: 1 };
        let worn = SegmentSize { docs: 100, dead: 20, bytes: 1 };
        assert_eq!(plan_merge(&[alive(5), decayed, worn]), Some(vec![1]));
    }

    #[test]
    fn tiny_segments_are_merged_without_the_huge_one() {
        let mut sizes = vec![alive(25_000)];
        sizes.extend([alive(10); 10]);
        assert_eq!(plan_merge(&sizes), Some((1..=10).collect()));
    }

    #[test]
    fn many_updates_keep_segments_few_and_rewriting_small() {
        let mut docs = vec![100_000u32];
        let mut rewritten = 0u64;
        for _ in 0..2000 {
            docs.push(10);
            loop {
                let sizes: Vec<_> = docs.iter().map(|&docs| alive(docs)).collect();
                let Some(chosen) = plan_merge(&sizes) else { break };
                let merged: u32 = chosen.iter().map(|&at| docs[at]).sum();
                rewritten += u64::from(merged);
                for &at in chosen.iter().rev() {
                    docs.remove(at);
                }
                docs.push(merged);
            }
            assert!(docs.len() <= MAX_SEGMENTS);
        }
        assert!(rewritten < 2000 * 10 * 8, "{rewritten}");
        assert!(docs.contains(&100_000));
    }
}
