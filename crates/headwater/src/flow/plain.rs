//! Stages 4 and 5 as plain loops, cell by cell: with each level's own `plain`, the oracle that the fast
//! path must equal bit for bit, and the yardstick that the benchmarks hold it against. Not for use in
//! a game.

use super::context::Step;
use super::state::{Scratch, State};
use super::transport;

/// Turns the discharges over faces into new depths. What a cell cannot feed is cut down first.
pub(super) fn transport(state: &mut State, scratch: &mut Scratch, step: &Step) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let to_depth = step.to_depth();
    let (fed, next) = scratch.room(&state.depth);

    // 4. Outflow scaling: first each cell's part, then each face by its upstream cell.
    for y in 0..ny {
        for x in 0..nx {
            fed[y * nx + x] = transport::fed_part(
                state.depth[(x, y)],
                state.discharge_x[(x, y)],
                state.discharge_x[(x + 1, y)],
                state.discharge_y[(x, y)],
                state.discharge_y[(x, y + 1)],
                to_depth,
            );
        }
    }
    for y in 0..ny {
        for x in 0..=nx {
            let q = &mut state.discharge_x[(x, y)];
            if *q > 0.0 && x > 0 {
                *q *= fed[y * nx + x - 1];
            } else if *q < 0.0 && x < nx {
                *q *= fed[y * nx + x];
            }
        }
    }
    for y in 0..=ny {
        for x in 0..nx {
            let q = &mut state.discharge_y[(x, y)];
            if *q > 0.0 && y > 0 {
                *q *= fed[(y - 1) * nx + x];
            } else if *q < 0.0 && y < ny {
                *q *= fed[y * nx + x];
            }
        }
    }

    // 5. Depth.
    for y in 0..ny {
        for x in 0..nx {
            let h = state.depth[(x, y)];
            let crossing = |q: f32, neighbour: Option<f32>| {
                transport::transfer(q, transport::deeper(h, neighbour.unwrap_or(0.0)), to_depth)
            };
            let depth_at = |x: usize, y: usize| state.depth.get(x, y).copied();
            let west = x.checked_sub(1).and_then(|x| depth_at(x, y));
            let north = y.checked_sub(1).and_then(|y| depth_at(x, y));
            next[(x, y)] = transport::settle(
                h,
                crossing(state.discharge_x[(x, y)], west),
                crossing(state.discharge_x[(x + 1, y)], depth_at(x + 1, y)),
                crossing(state.discharge_y[(x, y)], north),
                crossing(state.discharge_y[(x, y + 1)], depth_at(x, y + 1)),
            );
        }
    }
    std::mem::swap(&mut state.depth, next);
}
