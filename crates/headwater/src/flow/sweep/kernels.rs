//! Stages 4 and 5 on a row: the loops that take the time. Each is compiled for several instruction sets, of
//! which the widest at hand runs. All rows of a call are cut to one length, and results are arguments of
//! their own, so that the compiler knows that they lie apart, and vectorises.

use crate::flow::transport;
use multiversion::multiversion;

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

/// Stages 4 and 5 on faces: each is fed by the cell that it leaves, and `moved` is the depth that crosses it.
/// `fed` and `h` are those of the cells before and after.
#[multiversion(targets = "simd")]
pub(super) fn cross(
    q: &mut [f32],
    moved: &mut [f32],
    fed: [&[f32]; 2],
    h: [&[f32]; 2],
    to_depth: f32,
) {
    let n = q.len();
    let moved = &mut moved[..n];
    let (fed_before, fed_after) = (&fed[0][..n], &fed[1][..n]);
    let (before, after) = (&h[0][..n], &h[1][..n]);
    for i in 0..n {
        let (scaled, crossed) =
            transport::cross(q[i], [fed_before[i], fed_after[i]], [before[i], after[i]], to_depth);
        (q[i], moved[i]) = (scaled, crossed);
    }
}

/// Stage 5, squares: new depths from what crosses the faces.
#[multiversion(targets = "simd")]
pub(super) fn update_depth(h: &mut [f32], moved: [[&[f32]; 2]; 2]) {
    let n = h.len();
    let [[west, east], [north, south]] = moved;
    let (west, east, north, south) = (&west[..n], &east[..n], &north[..n], &south[..n]);
    for i in 0..n {
        h[i] = transport::update_depth(h[i], [[west[i], east[i]], [north[i], south[i]]]);
    }
}

/// Stage 5, hexagons.
#[multiversion(targets = "simd")]
pub(super) fn update_depth_hexagons(h: &mut [f32], moved: [[&[f32]; 2]; 3]) {
    let n = h.len();
    let [[west, east], [north, south], [up, down]] = moved;
    let (west, east, north, south) = (&west[..n], &east[..n], &north[..n], &south[..n]);
    let (up, down) = (&up[..n], &down[..n]);
    for i in 0..n {
        let pairs = [[west[i], east[i]], [north[i], south[i]], [up[i], down[i]]];
        h[i] = transport::update_depth(h[i], pairs);
    }
}
