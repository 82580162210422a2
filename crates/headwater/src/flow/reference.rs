//! The five stages as plain loops, cell by cell: the oracle that the fast path must equal bit for
//! bit, and the yardstick that the benchmarks hold it against. Not for use in a game.

use super::pipes::{self, Coefficients};
use super::state::{Scratch, State};

/// Stages 2 to 5 of a step. Stage 1 has set the outermost faces.
pub(super) fn sweep(state: &mut State, scratch: &mut Scratch, c: &Coefficients) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let (fed, next) = scratch.room(&state.depth);

    // 2. Accelerate every inner face.
    for y in 0..ny {
        for x in 1..nx {
            let q = &mut state.discharge_x[(x, y)];
            let before = state.bed[(x - 1, y)] + state.depth[(x - 1, y)];
            let after = state.bed[(x, y)] + state.depth[(x, y)];
            *q = pipes::accelerate(*q, c.keep, c.push_x, before, after);
            if state.closed.contains(x - 1, y) || state.closed.contains(x, y) {
                *q = 0.0;
            }
        }
    }
    for y in 1..ny {
        for x in 0..nx {
            let q = &mut state.discharge_y[(x, y)];
            let before = state.bed[(x, y - 1)] + state.depth[(x, y - 1)];
            let after = state.bed[(x, y)] + state.depth[(x, y)];
            *q = pipes::accelerate(*q, c.keep, c.push_y, before, after);
            if state.closed.contains(x, y - 1) || state.closed.contains(x, y) {
                *q = 0.0;
            }
        }
    }

    // 3. Viscosity.
    if let Some(drag) = c.drag {
        for y in 0..ny {
            for x in 1..nx {
                let q = &mut state.discharge_x[(x, y)];
                let upstream = if *q > 0.0 { x - 1 } else { x };
                *q = pipes::drag(*q, state.depth[(upstream, y)], drag);
            }
        }
        for y in 1..ny {
            for x in 0..nx {
                let q = &mut state.discharge_y[(x, y)];
                let upstream = if *q > 0.0 { y - 1 } else { y };
                *q = pipes::drag(*q, state.depth[(x, upstream)], drag);
            }
        }
    }

    // 4. Outflow scaling: first each cell's part, then each face by its upstream cell.
    for y in 0..ny {
        for x in 0..nx {
            fed[y * nx + x] = pipes::fed_part(
                state.depth[(x, y)],
                state.discharge_x[(x, y)],
                state.discharge_x[(x + 1, y)],
                state.discharge_y[(x, y)],
                state.discharge_y[(x, y + 1)],
                c.to_depth,
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
                pipes::transfer(q, pipes::deeper(h, neighbour.unwrap_or(0.0)), c.to_depth)
            };
            let depth_at = |x: usize, y: usize| state.depth.get(x, y).copied();
            let west = x.checked_sub(1).and_then(|x| depth_at(x, y));
            let north = y.checked_sub(1).and_then(|y| depth_at(x, y));
            next[(x, y)] = pipes::settle(
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
