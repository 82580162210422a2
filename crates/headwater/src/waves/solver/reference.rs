//! Reference implementation of a step with plain loops over all cells, for tests and as a baseline
//! of benchmarks.

use crate::field::Field;
use crate::lattice::Edge;
use crate::waves::context::StepContext;
use crate::waves::params::EdgeKind;
use crate::waves::state::State;

pub(in crate::waves) fn update_surface(
    state: &mut State,
    step: &StepContext,
    head: Option<&Field<f32>>,
) {
    let (nx, ny) = (state.height.nx(), state.height.ny());
    let State { height, flux_x, flux_y, .. } = state;
    let rule = step.coefficients;
    let head = head.unwrap_or(height);
    let outside = |edge, across: (usize, usize)| match step.edges.kind(edge) {
        EdgeKind::Periodic => head[across],
        _ => 0.0,
    };
    for y in 0..ny {
        for x in 0..=nx {
            let west = if x > 0 { head[(x - 1, y)] } else { outside(Edge::West, (nx - 1, y)) };
            let east = if x < nx { head[(x, y)] } else { outside(Edge::East, (0, y)) };
            let gain = step.speed_map.gain_x(rule, x, y, nx);
            flux_x[(x, y)] = rule.new_flux(flux_x[(x, y)], west, east, gain);
        }
    }
    for y in 0..=ny {
        for x in 0..nx {
            let north = if y > 0 { head[(x, y - 1)] } else { outside(Edge::North, (x, ny - 1)) };
            let south = if y < ny { head[(x, y)] } else { outside(Edge::South, (x, 0)) };
            let gain = step.speed_map.gain_y(rule, x, y, ny);
            flux_y[(x, y)] = rule.new_flux(flux_y[(x, y)], north, south, gain);
        }
    }
    for y in 0..ny {
        for x in 0..nx {
            let (west, east) = (flux_x[(x, y)], flux_x[(x + 1, y)]);
            let (north, south) = (flux_y[(x, y)], flux_y[(x, y + 1)]);
            height[(x, y)] = rule.new_height(height[(x, y)], west, east, north, south);
        }
    }
}
