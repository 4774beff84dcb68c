//! Both builds of the kernels against each other and against plain mathematics.

use super::*;

/// Numbers between −1 and 1, the same in every run.
fn numbers(seed: u64, count: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

fn codes_of(vectors: &[Vec<f32>]) -> Vec<u8> {
    let mut codes = Vec::new();
    for vector in vectors {
        write_code(vector, &mut codes);
    }
    codes
}

#[test]
fn scores_are_equal_bit_for_bit_and_close_to_mathematics() {
    for dimension in [1, 2, 15, 16, 17, 100, 256, 384, 1000] {
        let (a, b) =
            (numbers(dimension as u64, dimension), numbers(7 + dimension as u64, dimension));
        for metric in Metric::ALL {
            let score = |kernels: Kernels| {
                kernels.score(metric, (&a, kernels.norm(&a)), (&b, kernels.norm(&b)))
            };
            assert_eq!(score(Kernels::Plain).to_bits(), score(Kernels::best()).to_bits());
            let sum = |term: fn(f64, f64) -> f64| -> f64 {
                a.iter().zip(&b).map(|(a, b)| term(f64::from(*a), f64::from(*b))).sum()
            };
            let exact = match metric {
                Metric::Dot => sum(|a, b| a * b),
                Metric::L2 => -sum(|a, b| (a - b) * (a - b)).sqrt(),
                Metric::Cosine => {
                    sum(|a, b| a * b) / (sum(|a, _| a * a).sqrt() * sum(|_, b| b * b).sqrt())
                },
            };
            assert!(
                (f64::from(score(Kernels::best())) - exact).abs() < 1e-4,
                "{metric:?} {dimension}"
            );
        }
    }
}

#[test]
fn a_vector_without_direction_is_near_to_nothing() {
    let kernels = Kernels::best();
    assert_eq!(kernels.score(Metric::Cosine, (&[0.0, 0.0], 0.0), (&[1.0, 0.0], 1.0)).to_bits(), 0);
}

#[test]
fn the_scan_finds_what_sorting_by_differing_bits_finds() {
    for dimension in [1, 63, 64, 65, 256, 300, 384, 512, 768, 1024] {
        let vectors: Vec<_> = (0..1300).map(|seed| numbers(seed + 1, dimension)).collect();
        let codes = codes_of(&vectors);
        assert_eq!(codes.len(), vectors.len() * code_bytes(dimension));
        let question = numbers(5000, dimension);
        let differing = |vector: &[f32]| {
            vector.iter().zip(&question).filter(|(a, b)| (**a > 0.0) != (**b > 0.0)).count()
        };
        let mut sorted: Vec<u32> = (0..1300).filter(|slot| slot % 3 != 0).collect();
        sorted.sort_by_key(|slot| (differing(&vectors[*slot as usize]), *slot));
        for limit in [0, 1, 10, 700, 2000] {
            for kernels in [Kernels::Plain, Kernels::best()] {
                let found = nearest_codes(kernels, &question, &codes, limit, |slot| slot % 3 != 0);
                let mut nearest = sorted[..limit.min(sorted.len())].to_vec();
                nearest.sort_unstable();
                assert_eq!(found, nearest, "{dimension} {limit}");
            }
        }
    }
}

#[test]
fn the_closer_look_sorts_by_the_sum_of_numbers_with_the_signs_of_the_code() {
    for dimension in [1, 7, 8, 9, 63, 64, 65, 256, 300, 384] {
        let vectors: Vec<_> = (0..300).map(|seed| numbers(seed + 1, dimension)).collect();
        let codes = codes_of(&vectors);
        let question = numbers(5000, dimension);
        let sum = |slot: u32| -> f64 {
            let signs = vectors[slot as usize].iter().map(|n| if *n > 0.0 { 1.0 } else { -1.0 });
            signs.zip(&question).map(|(sign, number)| sign * f64::from(*number)).sum()
        };
        let slots: Vec<u32> = (0..300).filter(|slot| slot % 3 != 0).collect();
        for limit in [0, 1, 50, 400] {
            let found = nearest_by_sums(Kernels::best(), &question, &codes, &slots, limit);
            assert_eq!(found, nearest_by_sums(Kernels::Plain, &question, &codes, &slots, limit));
            assert_eq!(found.len(), limit.min(slots.len()));
            assert!(found.iter().all(|slot| slots.contains(slot)));
            assert!(found.windows(2).all(|pair| sum(pair[0]) >= sum(pair[1]) - 1e-4));
            let worst = found.last().map_or(f64::INFINITY, |slot| sum(*slot));
            let others = slots.iter().filter(|slot| !found.contains(slot));
            assert!(others.into_iter().all(|slot| limit == 0 || sum(*slot) <= worst + 1e-4));
        }
    }
    assert!(nearest_by_sums(Kernels::best(), &numbers(1, 64), &[0; 7], &[0, 9], 3).is_empty());
}

#[test]
fn a_block_that_is_cut_is_read_as_far_as_it_goes() {
    let codes = codes_of(&[numbers(1, 64), numbers(2, 64)]);
    let found =
        nearest_codes(Kernels::best(), &numbers(1, 64), &codes[..codes.len() - 1], 9, |_| true);
    assert_eq!(found, [0]);
}

#[test]
fn the_nearest_are_kept_and_ties_go_to_the_smaller_id() {
    let mut best = Best::new(3);
    for (score, id) in [(0.5, 9), (0.5, 2), (-1.0, 1), (0.5, 4), (0.9, 7), (0.5, 3)] {
        best.push(Neighbour { score, id, row: () });
    }
    let ids: Vec<u64> = best.into_sorted().iter().map(|found| found.id).collect();
    assert_eq!(ids, [7, 2, 3]);
    let mut none = Best::new(0);
    none.push(Neighbour { score: 1.0, id: 1, row: () });
    assert!(none.into_sorted().is_empty());
}
