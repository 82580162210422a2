//! Stages 4 and 5 on a row: the loops that take the time. Each is compiled for several instruction sets, of
//! which the widest at hand runs. All rows of a call are cut to one length, and results are arguments of
//! their own, so that the compiler knows that they lie apart, and vectorises.

use crate::flow::transport;
use multiversion::multiversion;

/// Cells that are looked at before it is asked whether one of them is overdrawn.
const STRETCH: usize = 64;

/// Stage 4, squares: whether any cell is overdrawn. Mostly none is; then no discharge has to be scaled.
#[multiversion(targets = "simd")]
pub(super) fn any_overdrawn(h: &[f32], faces: [[&[f32]; 2]; 2], to_depth: f32) -> bool {
    let n = h.len();
    let [[west, east], [north, south]] = faces;
    let (west, east, north, south) = (&west[..n], &east[..n], &north[..n], &south[..n]);
    let mut from = 0;
    while from < n {
        let to = (from + STRETCH).min(n);
        let mut any = 0_u32;
        for i in from..to {
            let pairs = [[west[i], east[i]], [north[i], south[i]]];
            any |= u32::from(transport::is_overdrawn(h[i], pairs, to_depth));
        }
        if any > 0 {
            return true;
        }
        from = to;
    }
    false
}

/// Stage 4, hexagons: likewise.
#[multiversion(targets = "simd")]
pub(super) fn any_hexagon_overdrawn(h: &[f32], faces: [[&[f32]; 2]; 3], to_depth: f32) -> bool {
    let n = h.len();
    let [[west, east], [north, south], [up, down]] = faces;
    let (west, east, north, south) = (&west[..n], &east[..n], &north[..n], &south[..n]);
    let (up, down) = (&up[..n], &down[..n]);
    let mut from = 0;
    while from < n {
        let to = (from + STRETCH).min(n);
        let mut any = 0_u32;
        for i in from..to {
            let pairs = [[west[i], east[i]], [north[i], south[i]], [up[i], down[i]]];
            any |= u32::from(transport::is_overdrawn(h[i], pairs, to_depth));
        }
        if any > 0 {
            return true;
        }
        from = to;
    }
    false
}

/// Stage 4, squares: the part of its outgoing discharges that each cell can feed.
#[multiversion(targets = "simd")]
pub(super) fn feed(fed: &mut [f32], h: &[f32], faces: [[&[f32]; 2]; 2], to_depth: f32) {
    let n = fed.len();
    let h = &h[..n];
    let [[west, east], [north, south]] = faces;
    let (west, east, north, south) = (&west[..n], &east[..n], &north[..n], &south[..n]);
    for i in 0..n {
        let pairs = [[west[i], east[i]], [north[i], south[i]]];
        fed[i] = transport::fed_part(h[i], pairs, to_depth);
    }
}

/// Stage 4, hexagons.
#[multiversion(targets = "simd")]
pub(super) fn feed_hexagons(fed: &mut [f32], h: &[f32], faces: [[&[f32]; 2]; 3], to_depth: f32) {
    let n = fed.len();
    let h = &h[..n];
    let [[west, east], [north, south], [up, down]] = faces;
    let (west, east, north, south) = (&west[..n], &east[..n], &north[..n], &south[..n]);
    let (up, down) = (&up[..n], &down[..n]);
    for i in 0..n {
        let pairs = [[west[i], east[i]], [north[i], south[i]], [up[i], down[i]]];
        fed[i] = transport::fed_part(h[i], pairs, to_depth);
    }
}

/// Stage 4 on faces: each is fed by the cell that it leaves. `fed` are those of the cells before and after.
#[multiversion(targets = "simd")]
pub(super) fn scale(q: &mut [f32], fed: [&[f32]; 2]) {
    let n = q.len();
    let (before, after) = (&fed[0][..n], &fed[1][..n]);
    for i in 0..n {
        q[i] = transport::scaled(q[i], [before[i], after[i]]);
    }
}

/// Stage 5, squares: new depths and remainders from the discharges over the faces.
#[multiversion(targets = "simd")]
pub(super) fn update_depth(
    h: &mut [f32],
    remainder: &mut [f32],
    faces: [[&[f32]; 2]; 2],
    to_depth: f32,
) {
    let n = h.len();
    let remainder = &mut remainder[..n];
    let [[west, east], [north, south]] = faces;
    let (west, east, north, south) = (&west[..n], &east[..n], &north[..n], &south[..n]);
    for i in 0..n {
        let pairs = [[west[i], east[i]], [north[i], south[i]]];
        [h[i], remainder[i]] = transport::update_depth([h[i], remainder[i]], pairs, to_depth);
    }
}

/// Stage 5, hexagons.
#[multiversion(targets = "simd")]
pub(super) fn update_depth_hexagons(
    h: &mut [f32],
    remainder: &mut [f32],
    faces: [[&[f32]; 2]; 3],
    to_depth: f32,
) {
    let n = h.len();
    let remainder = &mut remainder[..n];
    let [[west, east], [north, south], [up, down]] = faces;
    let (west, east, north, south) = (&west[..n], &east[..n], &north[..n], &south[..n]);
    let (up, down) = (&up[..n], &down[..n]);
    for i in 0..n {
        let pairs = [[west[i], east[i]], [north[i], south[i]], [up[i], down[i]]];
        [h[i], remainder[i]] = transport::update_depth([h[i], remainder[i]], pairs, to_depth);
    }
}
