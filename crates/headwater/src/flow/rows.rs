//! Stages 4 and 5 row by row, the rows spread over threads. Rows are slices of one length, so that the
//! compiler vectorises them; the outcome equals [`super::plain`] bit for bit, for any number of
//! threads.

use super::context::Step;
use super::plain::scale_seams;
use super::state::{Scratch, State};
use super::transport;
use crate::field::Field;
use crate::lattice::{Hex, Way, parted};
use crate::parallel::for_each_row;

/// Turns the discharges over faces into new depths. What a cell cannot feed is cut down first.
pub(super) fn transport(state: &mut State, scratch: &mut Scratch, step: &Step) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let to_depth = step.to_depth();
    let State { depth, discharge_x, discharge_y, discharge_z, .. } = state;
    let (fed, next) = scratch.room(depth);

    // 4. Outflow scaling: first each cell's part, then each face by its upstream cell.
    for_each_row(fed, nx, |y, fed| {
        let faces = Faces::of_row(discharge_x, discharge_y, discharge_z.as_ref(), y);
        feed_row(fed, depth.row(y), &faces, to_depth);
    });
    let joined = step.edges.joined;
    let fed: &[f32] = fed;
    let fed_row = |y: usize| &fed[y * nx..(y + 1) * nx];
    for_each_row(discharge_x.as_mut_slice(), nx + 1, |y, qx| {
        let fed = fed_row(y);
        scale(&mut qx[1..nx], &fed[..nx - 1], &fed[1..]);
        if !joined.x {
            scale_outward(&mut qx[..1], &fed[..1], -1.0);
            scale_outward(&mut qx[nx..], &fed[nx - 1..], 1.0);
        }
    });
    for_each_row(discharge_y.as_mut_slice(), nx, |y, qy| match y {
        _ if joined.y && (y == 0 || y == ny) => {}
        0 => scale_outward(qy, fed_row(0), -1.0),
        _ if y == ny => scale_outward(qy, fed_row(ny - 1), 1.0),
        _ => scale(qy, fed_row(y - 1), fed_row(y)),
    });
    if let Some(discharge_z) = discharge_z {
        for_each_row(discharge_z.as_mut_slice(), nx + 1, |y, qz| match y {
            _ if joined.y && (y == 0 || y == ny) => {}
            0 => scale_outward(qz, fed_row(0), -1.0),
            _ if y == ny => scale_outward(&mut qz[Hex::z_offset(ny - 1)..], fed_row(ny - 1), 1.0),
            _ => {
                let [above, below] = parted(Way::Z, y).map(|cells| {
                    let (x, y) = cells.from(1, y);
                    &fed[y * nx + x..y * nx + x + nx - 1]
                });
                scale(&mut qz[1..nx], above, below);
            }
        });
    }

    scale_seams(state, fed, step);

    // 5. Depth.
    let State { depth, discharge_x, discharge_y, discharge_z, .. } = state;
    let zeros = vec![0.0; nx];
    let beyond = |joins: bool, y: usize| if joins { depth.row(y) } else { &zeros[..] };
    for_each_row(next.as_mut_slice(), nx, |y, next| {
        let above = if y > 0 { depth.row(y - 1) } else { beyond(joined.y, ny - 1) };
        let below = if y + 1 < ny { depth.row(y + 1) } else { beyond(joined.y, 0) };
        let faces = Faces::of_row(discharge_x, discharge_y, discharge_z.as_ref(), y);
        settle_row(next, [above, depth.row(y), below], &faces, joined.x, to_depth);
    });
    std::mem::swap(depth, next);
}

/// The discharges over the faces of a row of cells, one of each for every cell.
struct Faces<'a> {
    west: &'a [f32],
    east: &'a [f32],
    north: &'a [f32],
    south: &'a [f32],
    /// The z-faces above and below, and where the cell beyond them lies: one place to the west, or to the east.
    slanted: Option<([&'a [f32]; 2], Side)>,
}

/// Where the second neighbour of a hexagon in the rows beside its own lies in store.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    West,
    East,
}

impl<'a> Faces<'a> {
    fn of_row(
        discharge_x: &'a Field<f32>,
        discharge_y: &'a Field<f32>,
        discharge_z: Option<&'a Field<f32>>,
        y: usize,
    ) -> Self {
        let nx = discharge_y.nx();
        let offset = Hex::z_offset(y);
        let row = |qz: &'a Field<f32>, y: usize| &qz.row(y)[offset..offset + nx];
        let side = if offset == 0 { Side::West } else { Side::East };
        Self {
            west: &discharge_x.row(y)[..nx],
            east: &discharge_x.row(y)[1..],
            north: discharge_y.row(y),
            south: discharge_y.row(y + 1),
            slanted: discharge_z.map(|qz| ([row(qz, y), row(qz, y + 1)], side)),
        }
    }
}

/// Stage 4 on a row of cells.
fn feed_row(fed: &mut [f32], h: &[f32], faces: &Faces, to_depth: f32) {
    let n = fed.len();
    let h = &h[..n];
    let (west, east) = (&faces.west[..n], &faces.east[..n]);
    let (north, south) = (&faces.north[..n], &faces.south[..n]);
    match faces.slanted {
        None => {
            for x in 0..n {
                let pairs = [[west[x], east[x]], [north[x], south[x]]];
                fed[x] = transport::fed_part(h[x], pairs, to_depth);
            }
        }
        Some(([above, below], _)) => {
            let (above, below) = (&above[..n], &below[..n]);
            for x in 0..n {
                let pairs = [[west[x], east[x]], [north[x], south[x]], [above[x], below[x]]];
                fed[x] = transport::fed_part(h[x], pairs, to_depth);
            }
        }
    }
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

/// Stage 4 on boundary faces, where they lead out of the grid. `outward` is ±1.
fn scale_outward(q: &mut [f32], fed: &[f32], outward: f32) {
    for (q, fed) in q.iter_mut().zip(fed) {
        if *q * outward > 0.0 {
            *q *= fed;
        }
    }
}

/// Stage 5 on a row. `depth` holds the old depths of the row above, this one, and the row below.
fn settle_row(next: &mut [f32], depth: [&[f32]; 3], faces: &Faces, joined: bool, to_depth: f32) {
    let n = next.len();
    let [above, here, below] = depth.map(|row| &row[..n]);
    let cross_at = |x: usize, q: f32, beyond: f32| cross(q, here[x], beyond, to_depth);
    // The first and the last cell have a neighbour less, or it is at the other end.
    let mut at_end = |x: usize| {
        let beyond = |row: &[f32], x: usize| row.get(x).copied().unwrap_or(0.0);
        let (west, east) = match x {
            0 if joined => (n - 1, 1 % n),
            _ if joined && x == n - 1 => (x - 1, 0),
            _ => (x.wrapping_sub(1), x + 1),
        };
        let along = [
            cross_at(x, faces.west[x], beyond(here, west)),
            cross_at(x, faces.east[x], beyond(here, east)),
        ];
        let across = [cross_at(x, faces.north[x], above[x]), cross_at(x, faces.south[x], below[x])];
        next[x] = match faces.slanted {
            None => transport::settle(here[x], [along, across]),
            Some(([up, down], side)) => {
                let second = if side == Side::West { west } else { east };
                let (up, down) = (
                    cross_at(x, up[x], beyond(above, second)),
                    cross_at(x, down[x], beyond(below, second)),
                );
                transport::settle(here[x], [along, across, [up, down]])
            }
        };
    };
    at_end(0);
    at_end(n - 1);
    if n < 3 {
        return;
    }
    // Sliced one by one to one length, so that the loops below vectorise.
    let m = n - 2;
    let next = &mut next[1..n - 1];
    let (h, h_west, h_east) = (&here[1..n - 1], &here[..m], &here[2..n]);
    let (h_north, h_south) = (&above[1..n - 1], &below[1..n - 1]);
    let (west, east) = (&faces.west[1..n - 1], &faces.east[1..n - 1]);
    let (north, south) = (&faces.north[1..n - 1], &faces.south[1..n - 1]);
    let crosses = |q: f32, here: f32, beyond: f32| cross(q, here, beyond, to_depth);
    match faces.slanted {
        None => {
            for x in 0..m {
                let h = h[x];
                let along = [crosses(west[x], h, h_west[x]), crosses(east[x], h, h_east[x])];
                let across = [crosses(north[x], h, h_north[x]), crosses(south[x], h, h_south[x])];
                next[x] = transport::settle(h, [along, across]);
            }
        }
        Some(([up, down], side)) => {
            let shift = if side == Side::West { 0 } else { 2 };
            let (up, down) = (&up[1..n - 1], &down[1..n - 1]);
            let (h_up, h_down) = (&above[shift..shift + m], &below[shift..shift + m]);
            for x in 0..m {
                let h = h[x];
                let along = [crosses(west[x], h, h_west[x]), crosses(east[x], h, h_east[x])];
                let across = [crosses(north[x], h, h_north[x]), crosses(south[x], h, h_south[x])];
                let aslant = [crosses(up[x], h, h_up[x]), crosses(down[x], h, h_down[x])];
                next[x] = transport::settle(h, [along, across, aslant]);
            }
        }
    }
}

/// The depth that crosses a face between a cell and the one beyond it.
#[inline(always)]
fn cross(q: f32, here: f32, beyond: f32, to_depth: f32) -> f32 {
    transport::transfer(q, transport::deeper(here, beyond), to_depth)
}
