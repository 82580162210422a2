//! Springs side by side, as tutorials have them: a swing of each, then passes that hand on a part of the
//! difference to both neighbours.

use multiversion::multiversion;
use std::hint::black_box;

/// Columns of water on springs.
pub(in crate::bench) struct Springs {
    height: Vec<f32>,
    speed: Vec<f32>,
    left: Vec<f32>,
    right: Vec<f32>,
    passes: usize,
}

/// What each pass hands on of a difference.
const SPREAD: f32 = 0.05;

impl Springs {
    /// So many columns, and so many passes in a step.
    pub(in crate::bench) fn new(n: usize, passes: usize) -> Self {
        let height = (0..n).map(|i| (0.1 * i as f32).sin()).collect();
        let zeros = || vec![0.0; n];
        Self { height, speed: zeros(), left: zeros(), right: zeros(), passes }
    }

    pub(in crate::bench) fn step(&mut self) {
        let Self { height, speed, left, right, passes } = self;
        swing(height, speed);
        for _ in 0..*passes {
            pull(height, speed, left, right);
            follow(height, left, right);
        }
        black_box(height);
    }

    /// The same where each column gathers from its neighbours what they would hand on: loops that a compiler vectorises.
    pub(in crate::bench) fn step_in_vectors(&mut self) {
        let Self { height, speed, left: change, passes, .. } = self;
        swing(height, speed);
        for _ in 0..*passes {
            gather(height, speed, change);
            add(height, change);
        }
        black_box(height);
    }
}

#[multiversion(targets = "simd")]
fn swing(height: &mut [f32], speed: &mut [f32]) {
    for (height, speed) in height.iter_mut().zip(speed) {
        *speed -= 0.025 * *height + 0.025 * *speed;
        *height += *speed;
    }
}

#[multiversion(targets = "simd")]
fn pull(height: &[f32], speed: &mut [f32], left: &mut [f32], right: &mut [f32]) {
    let n = height.len();
    let (speed, left, right) = (&mut speed[..n], &mut left[..n], &mut right[..n]);
    for i in 0..n {
        if i > 0 {
            left[i] = SPREAD * (height[i] - height[i - 1]);
            speed[i - 1] += left[i];
        }
        if i + 1 < n {
            right[i] = SPREAD * (height[i] - height[i + 1]);
            speed[i + 1] += right[i];
        }
    }
}

#[multiversion(targets = "simd")]
fn follow(height: &mut [f32], left: &[f32], right: &[f32]) {
    let n = height.len();
    let (left, right) = (&left[..n], &right[..n]);
    for i in 0..n {
        if i > 0 {
            height[i - 1] += left[i];
        }
        if i + 1 < n {
            height[i + 1] += right[i];
        }
    }
}

#[multiversion(targets = "simd")]
fn gather(height: &[f32], speed: &mut [f32], change: &mut [f32]) {
    let n = height.len();
    let (speed, change) = (&mut speed[..n], &mut change[..n]);
    let [first, last] = [height[1] - height[0], height[n - 2] - height[n - 1]];
    for (i, slope) in [(0, first), (n - 1, last)] {
        change[i] = SPREAD * slope;
        speed[i] += change[i];
    }
    for i in 1..n - 1 {
        change[i] = SPREAD * ((height[i - 1] - height[i]) + (height[i + 1] - height[i]));
        speed[i] += change[i];
    }
}

#[multiversion(targets = "simd")]
fn add(height: &mut [f32], change: &[f32]) {
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
    fn gathering_comes_to_what_handing_on_does() {
        let [mut handing, mut gathering] = [(); 2].map(|()| Springs::new(300, 8));
        for _ in 0..50 {
            handing.step();
            gathering.step_in_vectors();
        }
        let both = handing.height.iter().zip(&gathering.height);
        assert!(both.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max) < 1e-5);
    }
}
