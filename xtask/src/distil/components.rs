//! In which directions do vectors differ? Principal components by Jacobi's rotations, in double precision and a fixed
//! order.

/// The directions that are kept.
#[derive(Debug)]
pub(super) struct Components {
    mean: Vec<f64>,
    /// Directions, each divided by the spread along it.
    axes: Vec<Vec<f64>>,
}

impl Components {
    /// The `count` strongest directions after the `skip` strongest, brought to the spread of the first that is kept.
    pub(super) fn of(rows: &[&[f32]], skip: usize, count: usize) -> Self {
        let size = rows.first().map_or(0, |row| row.len());
        let mut mean = vec![0.0; size];
        for row in rows {
            mean.iter_mut().zip(*row).for_each(|(sum, value)| *sum += f64::from(*value));
        }
        mean.iter_mut().for_each(|sum| *sum /= rows.len() as f64);

        let mut spread = vec![vec![0.0; size]; size];
        let mut centred = vec![0.0; size];
        for row in rows {
            for ((centred, value), mean) in centred.iter_mut().zip(*row).zip(&mean) {
                *centred = f64::from(*value) - mean;
            }
            for (line, factor) in spread.iter_mut().zip(&centred) {
                line.iter_mut().zip(&centred).for_each(|(sum, value)| *sum += factor * value);
            }
        }
        let mut axes = eigenvectors(spread);
        axes.drain(..skip.min(axes.len()));
        axes.truncate(count);
        let first = axes.first().map_or(1.0, |(value, _)| *value);
        let axes = axes.into_iter().map(|(value, mut axis)| {
            let factor = (first / value.max(f64::MIN_POSITIVE)).sqrt();
            axis.iter_mut().for_each(|part| *part *= factor);
            axis
        });
        Self { axes: axes.collect(), mean }
    }

    /// A vector along the directions that are kept.
    pub(super) fn project(&self, row: &[f32]) -> Vec<f64> {
        let along = |axis: &Vec<f64>| {
            let parts = axis.iter().zip(row).zip(&self.mean);
            parts.map(|((axis, value), mean)| axis * (f64::from(*value) - mean)).sum()
        };
        self.axes.iter().map(along).collect()
    }
}

/// Values and unit vectors of a symmetric matrix, the largest value first. The largest part of a vector is positive.
fn eigenvectors(mut matrix: Vec<Vec<f64>>) -> Vec<(f64, Vec<f64>)> {
    const SWEEPS: usize = 30;
    let size = matrix.len();
    // Rows are the vectors.
    let mut vectors: Vec<Vec<f64>> = (0..size)
        .map(|row| (0..size).map(|column| if row == column { 1.0 } else { 0.0 }).collect())
        .collect();
    let total: f64 = matrix.iter().flatten().map(|value| value * value).sum();
    for _ in 0..SWEEPS {
        let mut beside = 0.0;
        for p in 0..size {
            for q in p + 1..size {
                beside += matrix[p][q] * matrix[p][q];
                rotate(&mut matrix, &mut vectors, p, q);
            }
        }
        if beside <= total * 1e-24 {
            break;
        }
    }
    let mut pairs: Vec<(f64, Vec<f64>)> =
        vectors.into_iter().enumerate().map(|(at, vector)| (matrix[at][at], vector)).collect();
    pairs.sort_by(|one, other| other.0.total_cmp(&one.0));
    for (_, vector) in &mut pairs {
        let largest = vector
            .iter()
            .copied()
            .fold(0.0, |most: f64, part| if part.abs() > most.abs() { part } else { most });
        if largest < 0.0 {
            vector.iter_mut().for_each(|part| *part = -*part);
        }
    }
    pairs
}

/// Turns two directions so that they have nothing in common.
fn rotate(matrix: &mut [Vec<f64>], vectors: &mut [Vec<f64>], p: usize, q: usize) {
    let off = matrix[p][q];
    if off == 0.0 {
        return;
    }
    let slope = (matrix[q][q] - matrix[p][p]) / (2.0 * off);
    let tangent = slope.signum() / (slope.abs() + (slope * slope + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    let turn = |rows: &mut [Vec<f64>]| {
        let (before, after) = rows.split_at_mut(q);
        for (one, other) in before[p].iter_mut().zip(&mut after[0]) {
            (*one, *other) = (cosine * *one - sine * *other, sine * *one + cosine * *other);
        }
    };
    turn(matrix);
    for row in matrix.iter_mut() {
        (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
    }
    turn(vectors);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_vectors_of_a_known_matrix() {
        let found =
            eigenvectors(vec![vec![2.0, 1.0, 0.0], vec![1.0, 2.0, 0.0], vec![0.0, 0.0, 5.0]]);
        let values: Vec<f64> = found.iter().map(|(value, _)| *value).collect();
        for (value, expected) in values.iter().zip([5.0, 3.0, 1.0]) {
            assert!((value - expected).abs() < 1e-9);
        }
        let half = 0.5f64.sqrt();
        for (part, expected) in found[1].1.iter().zip([half, half, 0.0]) {
            assert!((part - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn kept_directions_have_equal_spread_and_the_strongest_are_gone() {
        // Spread 100 along x, 10 along y, 1 along z.
        let rows: Vec<[f32; 3]> = (0..64u8)
            .map(|at| {
                let sign = |bit: u8| if at >> bit & 1 == 1 { 1.0 } else { -1.0 };
                [100.0 * sign(0) + 7.0, 10.0 * sign(1), sign(2)]
            })
            .collect();
        let rows: Vec<&[f32]> = rows.iter().map(|row| &row[..]).collect();
        let components = Components::of(&rows, 1, 2);
        let spread = |axis: usize| -> f64 {
            rows.iter().map(|row| components.project(row)[axis].powi(2)).sum::<f64>().sqrt()
        };
        assert!((spread(0) - spread(1)).abs() < 1e-6);
        assert!((components.project(rows[0])[0].abs() - 10.0).abs() < 1e-6);
    }
}
