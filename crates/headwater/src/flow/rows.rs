//! Stages 4 and 5 row by row, the rows spread over threads. Rows are slices of one length, so that the
//! compiler vectorises them; the outcome equals [`super::plain`] bit for bit, for any number of
//! threads.

use super::context::Step;
use super::state::{Scratch, State};
use super::transport;
use crate::field::Field;
use crate::parallel::for_each_row;

/// Turns the discharges over faces into new depths. What a cell cannot feed is cut down first.
pub(super) fn transport(state: &mut State, scratch: &mut Scratch, step: &Step) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let to_depth = step.to_depth();
    let State { depth, discharge_x, discharge_y, .. } = state;
    let (fed, next) = scratch.room(depth);

    // 4. Outflow scaling: first each cell's part, then each face by its upstream cell.
    for_each_row(fed, nx, |y, fed| {
        let (north, south) = (&discharge_y.row(y)[..nx], &discharge_y.row(y + 1)[..nx]);
        let (west, east) = (&discharge_x.row(y)[..nx], &discharge_x.row(y)[1..=nx]);
        let (fed, h) = (&mut fed[..nx], &depth.row(y)[..nx]);
        for x in 0..nx {
            fed[x] = transport::fed_part(h[x], west[x], east[x], north[x], south[x], to_depth);
        }
    });
    let fed: &[f32] = fed;
    for_each_row(discharge_x.as_mut_slice(), nx + 1, |y, qx| {
        let fed = &fed[y * nx..(y + 1) * nx];
        scale_outward(&mut qx[0], fed[0], -1.0);
        scale(&mut qx[1..nx], &fed[..nx - 1], &fed[1..]);
        scale_outward(&mut qx[nx], fed[nx - 1], 1.0);
    });
    for_each_row(discharge_y.as_mut_slice(), nx, |y, qy| match y {
        0 => qy.iter_mut().zip(&fed[..nx]).for_each(|(q, fed)| scale_outward(q, *fed, -1.0)),
        _ if y == ny => {
            let last = &fed[(ny - 1) * nx..];
            qy.iter_mut().zip(last).for_each(|(q, fed)| scale_outward(q, *fed, 1.0));
        }
        _ => scale(qy, &fed[(y - 1) * nx..y * nx], &fed[y * nx..(y + 1) * nx]),
    });

    // 5. Depth.
    let zeros = vec![0.0; nx];
    for_each_row(next.as_mut_slice(), nx, |y, next| {
        let above = if y > 0 { depth.row(y - 1) } else { &zeros };
        let below = if y + 1 < ny { depth.row(y + 1) } else { &zeros };
        settle_row(next, [above, depth.row(y), below], y, discharge_x, discharge_y, to_depth);
    });
    std::mem::swap(depth, next);
}

/// Stage 4 on inner faces: each is fed by the cell that it leaves.
fn scale(q: &mut [f32], before: &[f32], after: &[f32]) {
    let n = q.len();
    let (before, after) = (&before[..n], &after[..n]);
    for i in 0..n {
        q[i] = scaled(q[i], before[i], after[i]);
    }
}

/// A discharge scaled by what the cell that it leaves can feed. Both products are worked out: to choose
/// between two numbers vectorises, to choose which one to read does not.
#[inline(always)]
fn scaled(q: f32, before: f32, after: f32) -> f32 {
    let (forth, back) = (q * before, q * after);
    if q > 0.0 { forth } else { back }
}

/// Stage 4 on a boundary face, if it leads out of the grid. `outward` is ±1.
fn scale_outward(q: &mut f32, fed: f32, outward: f32) {
    if *q * outward > 0.0 {
        *q *= fed;
    }
}

/// Stage 5 on row `y`. `depth` holds the old depths of the row above, this one, and the row below.
fn settle_row(
    next: &mut [f32],
    depth: [&[f32]; 3],
    y: usize,
    discharge_x: &Field<f32>,
    discharge_y: &Field<f32>,
    to_depth: f32,
) {
    let n = next.len();
    let [above, here, below] = depth.map(|row| &row[..n]);
    let (qw, qe) = (&discharge_x.row(y)[..n], &discharge_x.row(y)[1..=n]);
    let (qn, qs) = (&discharge_y.row(y)[..n], &discharge_y.row(y + 1)[..n]);
    let mut settle = |x: usize, west: f32, east: f32| {
        let q = [qw[x], qe[x], qn[x], qs[x]];
        next[x] = settle_cell(here[x], q, [west, east, above[x], below[x]], to_depth);
    };
    if n == 1 {
        settle(0, 0.0, 0.0);
        return;
    }
    settle(0, 0.0, here[1]);
    settle(n - 1, here[n - 2], 0.0);
    let (west, east) = (&here[..n - 2], &here[2..]);
    for x in 1..n - 1 {
        let q = [qw[x], qe[x], qn[x], qs[x]];
        let beyond = [west[x - 1], east[x - 1], above[x], below[x]];
        next[x] = settle_cell(here[x], q, beyond, to_depth);
    }
}

/// Stage 5 on a cell of depth `h`: `q` over its faces and the depths `beyond` them, both in the order
/// west, east, north, south.
#[inline(always)]
fn settle_cell(h: f32, q: [f32; 4], beyond: [f32; 4], to_depth: f32) -> f32 {
    let cross = |i: usize| transport::transfer(q[i], transport::deeper(h, beyond[i]), to_depth);
    transport::settle(h, cross(0), cross(1), cross(2), cross(3))
}
