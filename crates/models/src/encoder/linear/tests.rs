//! Packed products against slow ones.

use super::*;
use crate::kernels::tests::numbers;

/// The product as it is defined.
fn slow(rows: &[f32], weights: &[f32], bias: &[f32]) -> Vec<f64> {
    let inputs = weights.len() / bias.len();
    rows.chunks_exact(inputs)
        .flat_map(|row| {
            weights.chunks_exact(inputs).zip(bias).map(|(weights, bias)| {
                let products = row.iter().zip(weights);
                f64::from(*bias) + products.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>()
            })
        })
        .collect()
}

#[test]
fn packed_products_equal_slow_ones_at_every_edge() {
    let mut packed = Packed::default();
    for (count, inputs, outputs) in [(1, 2, 1), (5, 8, 16), (6, 64, 17), (13, 30, 48), (25, 33, 65)]
    {
        let (rows, weights) = (numbers(1, count * inputs, 2.0), numbers(2, outputs * inputs, 1.0));
        let bias = numbers(3, outputs, 1.0);
        let expected = slow(&rows, &weights, &bias);
        let mut out = vec![0.0; count * outputs];
        let floats = Linear::floats(&weights, bias.clone());
        floats.apply(Kernels::best(), &rows, &mut out, Finish::Store, &mut packed);
        for (value, expected) in out.iter().zip(&expected) {
            assert!((f64::from(*value) - expected).abs() < 1e-4);
        }
        floats.apply(Kernels::best(), &rows, &mut out, Finish::Add, &mut packed);
        assert!((f64::from(out[0]) - 2.0 * expected[0]).abs() < 1e-4);
        Linear::floats(&weights, bias).into_integers(&vec![1.0; inputs]).apply(
            Kernels::best(),
            &rows,
            &mut out,
            Finish::Store,
            &mut packed,
        );
        for (value, expected) in out.iter().zip(&expected) {
            assert!((f64::from(*value) - expected).abs() < 0.02 * (inputs as f64).sqrt());
        }
    }
}

#[test]
fn a_row_does_not_depend_on_its_neighbours() {
    let mut packed = Packed::default();
    let (rows, weights, bias) =
        (numbers(4, 20 * 32, 2.0), numbers(5, 24 * 32, 1.0), numbers(6, 24, 1.0));
    for linear in [
        Linear::floats(&weights, bias.clone()),
        Linear::floats(&weights, bias.clone()).into_integers(&[1.0; 32]),
    ] {
        let (mut all, mut one) = (vec![0.0; 20 * 24], vec![0.0; 24]);
        linear.apply(Kernels::best(), &rows, &mut all, Finish::Gelu, &mut packed);
        linear.apply(Kernels::Plain, &rows[7 * 32..8 * 32], &mut one, Finish::Gelu, &mut packed);
        assert_eq!(all[7 * 24..8 * 24], one);
    }
}
