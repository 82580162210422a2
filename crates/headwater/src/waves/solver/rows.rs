//! Flux updates for the faces of one row, including boundary conditions. The results are identical
//! to those of the plain loops bit for bit.

use super::loops;
use crate::field::Field;
use crate::lattice::Edge;
use crate::waves::context::StepContext;
use crate::waves::params::EdgeKind;
use std::ops::Range;

/// Returns the heads (heights that drive the fluxes) in the rows of cells to the north and to the
/// south of row `y` of the y-faces. `zero_row` is a row of zeros, which is used beyond edges of
/// fixed height.
pub(in crate::waves) fn adjacent_rows<'a>(
    head: &'a Field<f32>,
    zero_row: &'a [f32],
    step: &StepContext,
    y: usize,
) -> [&'a [f32]; 2] {
    let ny = head.ny();
    let outside = |edge, across: usize| match step.edges.kind(edge) {
        EdgeKind::Periodic => head.row(across),
        _ => zero_row,
    };
    [
        if y > 0 { head.row(y - 1) } else { outside(Edge::North, ny - 1) },
        if y < ny { head.row(y) } else { outside(Edge::South, 0) },
    ]
}

pub(in crate::waves) fn update_x_fluxes(
    flux: &mut [f32],
    head: &[f32],
    step: &StepContext,
    y: usize,
    faces: Range<usize>,
) {
    if faces.is_empty() {
        return;
    }
    let (before, after) = (&head[faces.start - 1..faces.end - 1], &head[faces.clone()]);
    let flux = &mut flux[faces.clone()];
    match &step.speed_map.map {
        None => {
            loops::update_fluxes(step.coefficients, step.coefficients.gain, before, after, flux);
        }
        Some(gains) => {
            loops::update_fluxes_with_gains(
                step.coefficients,
                &gains.x.row(y)[faces],
                before,
                after,
                flux,
            );
        }
    }
}

/// Returns the new flux through the western boundary face of row `y`. `end_heads` holds the heads
/// (heights that drive the fluxes) of the first and the last cell in the row.
pub(in crate::waves) fn west_boundary_flux(
    flux: f32,
    end_heads: [f32; 2],
    step: &StepContext,
    y: usize,
    nx: usize,
) -> f32 {
    let joined = step.edges.west == EdgeKind::Periodic;
    let outside = if joined { end_heads[1] } else { 0.0 };
    step.coefficients.new_flux(
        flux,
        outside,
        end_heads[0],
        step.speed_map.gain_x(step.coefficients, 0, y, nx),
    )
}

pub(in crate::waves) fn east_boundary_flux(
    flux: f32,
    end_heads: [f32; 2],
    step: &StepContext,
    y: usize,
    nx: usize,
) -> f32 {
    let joined = step.edges.east == EdgeKind::Periodic;
    let outside = if joined { end_heads[0] } else { 0.0 };
    step.coefficients.new_flux(
        flux,
        end_heads[1],
        outside,
        step.speed_map.gain_x(step.coefficients, nx, y, nx),
    )
}

pub(in crate::waves) fn update_y_fluxes(
    flux: &mut [f32],
    north: &[f32],
    south: &[f32],
    step: &StepContext,
    [y, ny]: [usize; 2],
    columns: Range<usize>,
) {
    let (north, south) = (&north[columns.clone()], &south[columns.clone()]);
    let flux = &mut flux[columns.clone()];
    match &step.speed_map.map {
        Some(gains) => {
            loops::update_fluxes_with_gains(
                step.coefficients,
                &gains.y.row(y)[columns],
                north,
                south,
                flux,
            );
        }
        None => {
            loops::update_fluxes(
                step.coefficients,
                step.speed_map.gain_y(step.coefficients, 0, y, ny),
                north,
                south,
                flux,
            );
        }
    }
}
