//! Reference scheme: a water surface of damped springs, as in common tutorials. A step integrates
//! each spring. Several passes then transfer a fraction of the height differences to both
//! neighbours. In each pass, a column reads from its neighbours instead of writing to them, so that
//! a compiler can vectorise the loops.

use multiversion::multiversion;
use std::hint::black_box;

/// A row of water columns, each on a damped spring.
pub(in crate::bench) struct Springs {
    height: Vec<f32>,
    speed: Vec<f32>,
    change: Vec<f32>,
    passes: usize,
}

/// Fraction of the height difference that each pass transfers to a neighbouring column.
const SPREAD_FRACTION: f32 = 0.05;

impl Springs {
    /// Creates a row of `n` columns at rest. Each step has `passes` passes that transfer height
    /// differences between columns.
    pub(in crate::bench) fn new(n: usize, passes: usize) -> Self {
        let height = (0..n).map(|i| (0.1 * i as f32).sin()).collect();
        let zeros = || vec![0.0; n];
        Self { height, speed: zeros(), change: zeros(), passes }
    }

    pub(in crate::bench) fn step(&mut self) {
        let Self { height, speed, change, passes } = self;
        update_speeds_and_heights(height, speed);
        for _ in 0..*passes {
            accumulate_height_differences(height, speed, change);
            add_changes(height, change);
        }
        black_box(height);
    }
}

#[multiversion(targets = "simd")]
fn update_speeds_and_heights(height: &mut [f32], speed: &mut [f32]) {
    for (height, speed) in height.iter_mut().zip(speed) {
        *speed -= 0.025 * *height + 0.025 * *speed;
        *height += *speed;
    }
}

#[multiversion(targets = "simd")]
fn accumulate_height_differences(height: &[f32], speed: &mut [f32], change: &mut [f32]) {
    let n = height.len();
    let (speed, change) = (&mut speed[..n], &mut change[..n]);
    let [first, last] = [height[1] - height[0], height[n - 2] - height[n - 1]];
    for (i, slope) in [(0, first), (n - 1, last)] {
        change[i] = SPREAD_FRACTION * slope;
        speed[i] += change[i];
    }
    for i in 1..n - 1 {
        change[i] = SPREAD_FRACTION * ((height[i - 1] - height[i]) + (height[i + 1] - height[i]));
        speed[i] += change[i];
    }
}

#[multiversion(targets = "simd")]
fn add_changes(height: &mut [f32], change: &[f32]) {
    let n = height.len();
    let change = &change[..n];
    for i in 0..n {
        height[i] += change[i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gathering_height_differences_equals_spreading_them() {
        let mut springs = Springs::new(300, 8);
        let [mut left, mut right] = [vec![0.0; 300], vec![0.0; 300]];
        // As in tutorials, each column passes part of its height difference to both neighbours.
        let (mut height, mut speed) = (springs.height.clone(), vec![0.0; 300]);
        for _ in 0..50 {
            springs.step();
            update_speeds_and_heights(&mut height, &mut speed);
            for _ in 0..8 {
                for i in 0..300 {
                    left[i] =
                        if i > 0 { SPREAD_FRACTION * (height[i] - height[i - 1]) } else { 0.0 };
                    right[i] =
                        if i < 299 { SPREAD_FRACTION * (height[i] - height[i + 1]) } else { 0.0 };
                }
                for i in 1..300 {
                    speed[i - 1] += left[i];
                    height[i - 1] += left[i];
                    speed[i] += right[i - 1];
                    height[i] += right[i - 1];
                }
            }
        }
        let both = height.iter().zip(&springs.height);
        assert!(both.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max) < 1e-5);
    }
}
