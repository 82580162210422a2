//! Advection step, in which the current moves heights and fluxes.

use super::advection::AdvectionField;
use super::{fluxes, heights};
use crate::error::InputError;
use crate::field::Field;
use crate::lattice::{Edge, Square};
use crate::waves::params::Params;
use crate::waves::solver::absorbing::{AbsorbingLayers, SplitHeights};
use crate::waves::solver::rule::WaveCoefficients;
use crate::waves::state::State;

/// Largest Courant number of a current (cells per step).
const LARGEST_COURANT: f64 = 1.0;

#[derive(Clone, Debug, Default)]
pub(in crate::waves) struct AdvectionWorkspace {
    /// Whether heights and fluxes are moved along x before y. The order alternates between steps to
    /// avoid a directional bias.
    pub(in crate::waves) x_first: bool,
    moved: Option<[Field<f32>; 2]>,
    level: Vec<f32>,
}

impl AdvectionField {
    /// Advects heights and fluxes by one step. Returns the height gained through edges of fixed
    /// height (m, summed over cells).
    pub(in crate::waves) fn advect(
        &self,
        state: &mut State,
        (layers, parts): (&AbsorbingLayers, Option<&mut SplitHeights>),
        rule: &WaveCoefficients,
        workspace: &mut AdvectionWorkspace,
        by_rows: bool,
    ) -> f64 {
        let State { height, flux_x, flux_y, carried: rise, .. } = state;
        let (nx, ny) = (height.nx(), height.ny());
        let x_first = workspace.x_first;
        let new = || [Field::new(nx + 1, ny, 0.0), Field::new(nx, ny + 1, 0.0)];
        let [moved_x, moved_y] = workspace.moved.get_or_insert_with(new);
        workspace.level.resize(nx, 0.0);
        let rise = rise.get_or_insert_with(|| Field::new(nx, ny, 0.0));
        rise.as_mut_slice().fill(0.0);
        let mut along = |x: bool| {
            let moved = if x { &mut *moved_x } else { &mut *moved_y };
            if by_rows {
                self.compute_transport_by_rows(height, &workspace.level, moved, rule, x);
                heights::apply_transport_by_rows(height, rise, moved, x);
            } else {
                self.compute_transport_plain(height, moved, rule, x);
                heights::apply_transport_plain(height, rise, moved, x);
            }
        };
        along(x_first);
        along(!x_first);
        let inflow = self.inflow(moved_x, moved_y);
        if let Some(parts) = parts {
            layers.record_transport(parts, moved_x, moved_y);
        }
        for (flux, half_way, [over_x, over_y]) in [
            (flux_x, moved_x, [&self.normal[0], &self.tangential[0]]),
            (flux_y, moved_y, [&self.tangential[1], &self.normal[1]]),
        ] {
            let pass = |from: &Field<f32>, to: &mut Field<f32>, x: bool| {
                let courant = if x { over_x } else { over_y };
                let period = if x { nx } else { ny };
                let wrap = self.periodic[usize::from(!x)].then_some(period);
                if by_rows {
                    fluxes::advect_fluxes_by_rows(from, to, courant, wrap, x);
                } else {
                    fluxes::advect_fluxes_plain(from, to, courant, wrap, x);
                }
            };
            pass(flux, half_way, x_first);
            pass(half_way, flux, !x_first);
        }
        inflow
    }

    fn inflow(&self, moved_x: &Field<f32>, moved_y: &Field<f32>) -> f64 {
        let (nx, ny) = (moved_y.nx(), moved_x.ny());
        let x_faces = |x: usize| (0..ny).map(|y| f64::from(moved_x[(x, y)])).sum::<f64>();
        let y_faces = |y: usize| moved_y.row(y).iter().map(|&v| f64::from(v)).sum::<f64>();
        Edge::ALL
            .into_iter()
            .filter(|&edge| self.pinned[edge as usize])
            .map(|edge| match edge {
                Edge::West => x_faces(0),
                Edge::East => -x_faces(nx),
                Edge::North => y_faces(0),
                Edge::South => -y_faces(ny),
            })
            .sum()
    }
}

pub(in crate::waves) fn check_courant(
    fastest: f64,
    params: &Params,
    lattice: &Square,
) -> Result<(), InputError> {
    let courant = fastest * params.step / lattice.dx();
    // Rounding can raise a Courant number of exactly 1.
    if courant <= LARGEST_COURANT * (1.0 + 1e-6) {
        return Ok(());
    }
    let speeds = LARGEST_COURANT * lattice.dx() / params.step;
    let steps = LARGEST_COURANT * lattice.dx() / fastest;
    Err(InputError::new(
        "a current",
        format!("{fastest} m/s along an axis with a step of {} s", params.step),
        format!(
            "no further than a cell in a step: currents up to {speeds} m/s along an axis with this step, or \
             steps up to {steps} s with this current"
        ),
    ))
}

#[cfg(test)]
mod tests {
    use crate::waves::current::fluxes::advected_flux;
    use crate::waves::current::heights::face_transport;

    #[test]
    fn heights_and_fluxes_are_advected_alike() {
        let wave = |i: isize| (0.7 * i as f32).sin();
        for courant in [-1.0_f32, -0.6, -0.1, 0.0, 0.3, 1.0] {
            let curvature_weight = (1.0 - courant * courant) / 6.0;
            let over = |face: isize| {
                face_transport(
                    courant,
                    curvature_weight,
                    [face - 2, face - 1, face, face + 1].map(wave),
                    9.0,
                )
            };
            let height = wave(0) + over(0) - over(1);
            let flux = advected_flux(courant, [-2, -1, 0, 1, 2].map(wave));
            assert!((height - flux).abs() < 1e-6, "{courant}: {height} {flux}");
            let exact = (-0.7 * courant).sin();
            assert!((flux - exact).abs() < 0.02, "{courant}: {flux} {exact}");
        }
    }

    #[test]
    fn advection_amplifies_no_wave() {
        for i in 0..=40 {
            let courant = i as f32 / 40.0;
            for j in 0..=60 {
                let k = core::f32::consts::PI * j as f32 / 60.0;
                let part = |f: fn(f32) -> f32| {
                    advected_flux(courant, [-2.0, -1.0, 0.0, 1.0, 2.0].map(|x| f(k * x)))
                };
                let size = part(f32::cos).hypot(part(f32::sin));
                assert!(size <= 1.0 + 1e-5, "{courant} {k}: {size}");
            }
        }
    }
}
