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

#[test]
#[expect(clippy::cast_possible_truncation, reason = "the numbers are small")]
fn tiles_of_integers_are_equal_and_exact_at_the_limits() {
    for inner in [0, 1, 7, 768] {
        let integer = |seed: u64, count: usize, scale: f32| -> Vec<i16> {
            numbers(seed, count, scale).iter().map(|value| value.round() as i16).collect()
        };
        let a =
            integer(1, inner * ROWS * 2, 127.0).iter().map(|value| value + 127).collect::<Vec<_>>();
        let b = integer(2, inner * COLUMNS * 2, 127.0);
        let a: Vec<i32> = a.as_chunks().0.iter().map(|two| pair(*two)).collect();
        let a: Vec<PairsOfRows> = a.as_chunks().0.to_vec();
        let b: Vec<PairsOfColumns> = b.as_chunks().0.as_chunks().0.to_vec();
        let (mut plain, mut best) = ([[3; COLUMNS]; ROWS], [[3; COLUMNS]; ROWS]);
        Kernels::Plain.multiply_integers(&a, &b, &mut plain);
        Kernels::best().multiply_integers(&a, &b, &mut best);
        assert_eq!(plain, best);
    }
    let mut tile = [[0; COLUMNS]; ROWS];
    let (a, b) = ([[pair([255; 2]); ROWS]; 768], [[[-127; 2]; COLUMNS]; 768]);
    Kernels::best().multiply_integers(&a, &b, &mut tile);
    assert_eq!(tile[5][15], -255 * 127 * 1536);
}

#[test]
fn rows_are_equal_bit_for_bit() {
    for count in [1, 7, 8, 16, 100, 384] {
        let row = numbers(count as u64, count, 9.0);
        let (weight, bias) = (numbers(3, count, 1.0), numbers(4, count, 1.0));
        let run = |kernels: Kernels| {
            let mut all = [row.clone(), row.clone(), row.clone()];
            kernels.gelu(&mut all[0]);
            let sum = kernels.exponents(&mut all[1], 0.17);
            kernels.normalize(&mut all[2], &weight, &bias, 1e-12);
            let mut integers = vec![0; count];
            let scale = kernels.quantize(&row, 1000, &mut integers);
            let bits = all.concat().iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            (bits, sum.to_bits(), integers, scale.low.to_bits(), scale.step.to_bits())
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
    let mut values = inputs.clone();
    let sum = Kernels::best().exponents(&mut values, 0.5);
    let exact = |x: f32| ((f64::from(x) - 12.0) * 0.5).exp();
    for (x, value) in inputs.iter().zip(&values) {
        assert!((f64::from(*value) / exact(*x) - 1.0).abs() < 2e-6, "exp({x}) = {value}");
    }
    let exact: f64 = inputs.iter().map(|x| exact(*x)).sum();
    assert!((f64::from(sum) / exact - 1.0).abs() < 1e-5);
    let mut far = [0.0, -1e9];
    Kernels::best().exponents(&mut far, 1.0);
    assert!(far[1] < 1e-30);
}

#[test]
fn a_row_comes_back_from_integers_within_half_a_step() {
    let row = numbers(11, 384, 5.0);
    let mut integers = vec![0; 384];
    let scale = Kernels::best().quantize(&row, 255, &mut integers);
    for (value, integer) in row.iter().zip(&integers) {
        assert!((0..=255).contains(integer));
        let back = scale.low + scale.step * f32::from(*integer);
        assert!((value - back).abs() <= scale.step * 0.501);
    }
    let scale = Kernels::best().quantize(&[2.0; 9], 255, &mut [7; 9]);
    assert_eq!((scale.low, scale.step), (2.0, 0.0));
}
