//! Both builds of the kernels against each other and against plain mathematics.

use super::*;

/// Numbers between −scale and scale, the same in every run.
pub(crate) fn numbers(seed: u64, count: usize, scale: f32) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next() * scale).collect()
}

fn tiles(seed: u64, inner: usize) -> (Vec<[f32; ROWS]>, Vec<[f32; COLUMNS]>, Tile) {
    let a = numbers(seed, inner * ROWS, 3.0).as_chunks().0.to_vec();
    let b = numbers(seed + 1, inner * COLUMNS, 3.0).as_chunks().0.to_vec();
    let mut tile = [[0.0; COLUMNS]; ROWS];
    tile.copy_from_slice(numbers(seed + 2, ROWS * COLUMNS, 1.0).as_chunks().0);
    (a, b, tile)
}

#[test]
fn tiles_are_equal_bit_for_bit() {
    for inner in [0, 1, 2, 31, 384] {
        let (a, b, start) = tiles(inner as u64 + 1, inner);
        let (mut plain, mut best) = (start, start);
        Kernels::Plain.multiply(&a, &b, &mut plain);
        Kernels::best().multiply(&a, &b, &mut best);
        assert_eq!(plain.map(|row| row.map(f32::to_bits)), best.map(|row| row.map(f32::to_bits)));
        let exact: f64 = (0..inner).map(|at| f64::from(a[at][2]) * f64::from(b[at][5])).sum();
        assert!((f64::from(best[2][5]) - f64::from(start[2][5]) - exact).abs() < 1e-3);
    }
}

/// Every build that this processor can run.
fn all_builds() -> Vec<Kernels> {
    let mut all = vec![Kernels::Plain, Kernels::best()];
    #[cfg(target_arch = "x86_64")]
    all.extend(avx2::Proof::find().map(Kernels::Avx2));
    all
}

#[test]
#[expect(clippy::cast_possible_truncation, reason = "the numbers are small")]
#[expect(clippy::cast_sign_loss, reason = "the numbers are not below zero")]
fn tiles_of_integers_are_equal_and_exact_at_the_limits() {
    for inner in [0, 1, 7, 384] {
        let a = numbers(1, inner * INTEGER_ROWS * GROUP, 127.5);
        let a: Vec<u8> = a.iter().map(|value| (value + 127.5).round() as u8).collect();
        let b = numbers(2, inner * INTEGER_COLUMNS * GROUP, 64.0);
        let b: Vec<i8> = b.iter().map(|value| value.round() as i8).collect();
        let a: Vec<GroupsOfRows> = a.as_chunks().0.as_chunks().0.to_vec();
        let b: Vec<GroupsOfColumns> = b.as_chunks().0.as_chunks().0.to_vec();
        let sums = all_builds().into_iter().map(|kernels| {
            let mut tile = [[3; INTEGER_COLUMNS]; INTEGER_ROWS];
            kernels.multiply_integers(&a, &b, &mut tile);
            tile
        });
        let sums: Vec<IntegerTile> = sums.collect();
        let exact = a.iter().zip(&b).map(|(a, b)| {
            a[5].iter().zip(&b[30]).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum::<i32>()
        });
        assert_eq!(sums[0][5][30], exact.sum::<i32>());
        assert!(sums.iter().all(|tile| *tile == sums[0]));
    }
    for two in [[127, 1], [64, 64], [-1, -127], [-64, -64], [-127, 127]] {
        let group = [two[0], two[1], two[0], two[1]];
        let (a, b) = ([[[255; GROUP]; INTEGER_ROWS]; 384], [[group; INTEGER_COLUMNS]; 384]);
        for kernels in all_builds() {
            let mut tile = IntegerTile::default();
            kernels.multiply_integers(&a, &b, &mut tile);
            let sum = 255 * 384 * 2 * (i32::from(two[0]) + i32::from(two[1]));
            assert!(tile.as_flattened().iter().all(|value| *value == sum), "{two:?} {kernels:?}");
        }
    }
}

#[test]
fn rows_are_equal_bit_for_bit() {
    for count in [1, 7, 8, 16, 100, 384] {
        let row = numbers(count as u64, count, 9.0);
        let (weight, bias) = (numbers(3, count, 1.0), numbers(4, count, 1.0));
        let run = |kernels: Kernels| {
            let mut all = [row.clone(), row.clone()];
            kernels.gelu(&mut all[0]);
            kernels.normalize(&mut all[1], &weight, &bias, 1e-12);
            let mut columns = numbers(5, count * COLUMNS, 9.0).as_chunks().0.to_vec();
            let sums = kernels.exponents(&mut columns, 0.17).map(f32::to_bits);
            all[1].extend(columns.as_flattened());
            let (mut scaled, mut integers) = (vec![0.0; count], vec![0; count]);
            let scale = kernels.quantize(&row, &weight, &mut scaled, &mut integers);
            let bits = all.concat().iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            (bits, sums, integers, scale.low.to_bits(), scale.step.to_bits())
        };
        assert_eq!(run(Kernels::Plain), run(Kernels::best()), "{count}");
    }
}

#[test]
fn functions_are_close_to_mathematics() {
    let inputs: Vec<f32> = (-1200..=1200).map(|at| at as f32 / 100.0).collect();
    let mut values = inputs.clone();
    Kernels::best().gelu(&mut values);
    for (x, value) in inputs.iter().zip(&values) {
        let exact = 0.5 * f64::from(*x) * (1.0 + libm::erf(f64::from(*x) / 2.0_f64.sqrt()));
        assert!(
            (f64::from(*value) - exact).abs() < 1e-6 * (1.0 + exact.abs()),
            "gelu({x}) = {value}"
        );
    }
    // A column for itself: the next one is shifted.
    let mut rows: Vec<[f32; COLUMNS]> =
        inputs.iter().map(|x| std::array::from_fn(|at| x + at as f32)).collect();
    let sums = Kernels::best().exponents(&mut rows, 0.5);
    let exact = |x: f32| ((f64::from(x) - 12.0) * 0.5).exp();
    for (x, row) in inputs.iter().zip(&rows) {
        for value in row {
            assert!((f64::from(*value) / exact(*x) - 1.0).abs() < 1e-5, "exp({x}) = {value}");
        }
    }
    let exact: f64 = inputs.iter().map(|x| exact(*x)).sum();
    assert!(sums.iter().all(|sum| (f64::from(*sum) / exact - 1.0).abs() < 1e-5));
    let mut far = [[0.0; COLUMNS], [-1e9; COLUMNS]];
    Kernels::best().exponents(&mut far, 1.0);
    assert!(far[1][0] < 1e-30);
}

#[test]
fn a_row_comes_back_from_integers_within_half_a_step() {
    let (row, factors) = (numbers(11, 384, 5.0), numbers(12, 384, 2.0));
    let (mut scaled, mut integers) = (vec![0.0; 384], vec![0; 384]);
    let scale = Kernels::best().quantize(&row, &factors, &mut scaled, &mut integers);
    for ((value, factor), integer) in row.iter().zip(&factors).zip(&integers) {
        let back = scale.low + scale.step * f32::from(*integer);
        assert!((value * factor - back).abs() <= scale.step * 0.501);
    }
    assert!(integers.contains(&0) && integers.contains(&255));
    let scale = Kernels::best().quantize(&[2.0; 9], &[1.0; 9], &mut [0.0; 9], &mut [7; 9]);
    assert_eq!((scale.low, scale.step), (2.0, 0.0));
}
