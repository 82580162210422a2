//! Open boundaries of the grid: fluxes through edges of fixed height, and layers that absorb waves.

use super::rule::WaveCoefficients;
use crate::field::Field;
use crate::lattice::{Edge, Square};
use crate::waves::params::{EdgeKind, Params};
use crate::waves::state::State;
use crate::waves::state::tiles::Tiles;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Fraction of the height of a wave that remains after it has crossed an absorbing layer twice,
/// with a reflection at the edge of the grid in between.
const RESIDUAL_HEIGHT: f64 = 5e-4;

/// Damping factors of heights and fluxes in absorbing layers, per step and by column or row.
///
/// The layers are perfectly matched layers (Berenger 1994): next to the west and east edges, motion
/// along x is damped equally in fluxes and heights, and motion along y is not damped. So the layer
/// boundary reflects no waves.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::waves) struct AbsorbingLayers {
    /// Width of the layers at the western, eastern, northern and southern edge (cells). 0 for edges
    /// that do not absorb waves.
    pub(in crate::waves) widths: [usize; 4],
    pub(in crate::waves) columns: Vec<f32>,
    pub(in crate::waves) x_faces: Vec<f32>,
    pub(in crate::waves) rows: Vec<f32>,
    pub(in crate::waves) y_faces: Vec<f32>,
}

/// Heights in absorbing layers, split into two parts: `x` is the height that fluxes along x have
/// contributed, and `y` is the height that fluxes along y have contributed (m). Both are multiples
/// of the unit of height, and they are 0 outside the layers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::waves) struct SplitHeights {
    pub(in crate::waves) x: Field<f32>,
    pub(in crate::waves) y: Field<f32>,
}

impl SplitHeights {
    pub(in crate::waves) fn new(params: &Params, nx: usize, ny: usize) -> Option<Self> {
        let absorbs = |edge: Edge| params.edges.kind(edge) == EdgeKind::Absorbing;
        let none = || Field::new(nx, ny, 0.0);
        Edge::ALL.into_iter().any(absorbs).then(|| Self { x: none(), y: none() })
    }
}

impl AbsorbingLayers {
    /// Creates the absorbing layers for waves with a given speed (m/s). If the layers on opposite
    /// edges would overlap, each of them covers half of the grid.
    pub(in crate::waves) fn new(params: &Params, lattice: &Square, speed: f64) -> Self {
        let absorbs = |edge| params.edges.kind(edge) == EdgeKind::Absorbing;
        let widths = Edge::ALL.map(|edge| {
            let n = if edge.has_x_faces() { lattice.nx() } else { lattice.ny() };
            if absorbs(edge) { params.absorbing_cells.min(n / 2) } else { 0 }
        });
        // σ is proportional to the cube of the depth in the layer, so ∮σ/c = ½·σ₀·width/c =
        // ln(1/RESIDUAL_HEIGHT).
        let damping = |distance: f64, width: usize| {
            let strongest = -2.0 * speed * libm::log(RESIDUAL_HEIGHT)
                / (params.absorbing_cells as f64 * lattice.dx());
            let part = if width == 0 { 0.0 } else { (1.0 - distance / width as f64).max(0.0) };
            strongest * part * part * part * params.step
        };
        let along = |n: usize, offset: f64, before: usize, after: usize, size: usize| {
            let at = |i: usize| {
                let distance = i as f64 + offset;
                let damping = damping(distance, before) + damping(size as f64 - distance, after);
                -libm::expm1(-damping) as f32
            };
            (0..n).map(at).collect::<Vec<f32>>()
        };
        let (nx, ny) = (lattice.nx(), lattice.ny());
        let [west, east, north, south] = widths;
        Self {
            widths,
            columns: along(nx, 0.5, west, east, nx),
            x_faces: along(nx + 1, 0.0, west, east, nx),
            rows: along(ny, 0.5, north, south, ny),
            y_faces: along(ny + 1, 0.0, north, south, ny),
        }
    }

    /// Returns the factor by which the current is reduced at a position (in cells). It is 1 outside
    /// the absorbing layers and falls to 0 at the edge of the grid. Absorbing layers would be
    /// unstable if a current crossed them (Hu 1996).
    pub(in crate::waves) fn current_factor(&self, x: f64, y: f64, [nx, ny]: [usize; 2]) -> f64 {
        let [west, east, north, south] = self.widths.map(|width| width as f64);
        let layers = [(x, west), (nx as f64 - x, east), (y, north), (ny as f64 - y, south)];
        let factor = |(distance, width): (f64, f64)| {
            let part = if width > 0.0 { (distance / width).clamp(0.0, 1.0) } else { 1.0 };
            part * part * (3.0 - 2.0 * part)
        };
        layers.into_iter().map(factor).product()
    }

    pub(in crate::waves) fn record_transport(
        &self,
        parts: &mut SplitHeights,
        moved_x: &Field<f32>,
        moved_y: &Field<f32>,
    ) {
        let (nx, ny) = (parts.x.nx(), parts.x.ny());
        let [west, east, north, south] = self.widths;
        for y in 0..ny {
            for x in (0..west).chain(nx - east..nx) {
                parts.x[(x, y)] += moved_x[(x, y)] - moved_x[(x + 1, y)];
            }
        }
        for y in (0..north).chain(ny - south..ny) {
            for x in 0..nx {
                parts.y[(x, y)] += moved_y[(x, y)] - moved_y[(x, y + 1)];
            }
        }
    }

    /// Damps the waves in the absorbing layers after a step. With the damping factor σ, the x part
    /// of a height becomes `z_x ← (1 − σ)·z_x + Δz_x`, and the fluxes through x-faces are
    /// multiplied by `1 − σ`. The y part and the y-faces are treated in the same way. Marks the
    /// tiles in which a height has changed as awake. Returns the total height gained in the rows in
    /// `included_rows` (m, summed over cells), which is negative for a loss.
    pub(in crate::waves) fn damp_waves(
        &self,
        state: &mut State,
        parts: &mut SplitHeights,
        rule: &WaveCoefficients,
        tiles: &mut Tiles,
        included_rows: &Range<usize>,
    ) -> f64 {
        let State { height, flux_x, flux_y, .. } = state;
        let (nx, ny) = (height.nx(), height.ny());
        let [west, east, north, south] = self.widths;
        // Changes outside `included_rows` are collected in a separate sum.
        let (mut inflow, mut excluded_inflow) = (0.0, 0.0);
        for y in 0..ny {
            let inflow =
                if included_rows.contains(&y) { &mut inflow } else { &mut excluded_inflow };
            for columns in [0..west, nx - east..nx] {
                let mut changed = false;
                for x in columns.clone() {
                    let part = &mut parts.x[(x, y)];
                    let lost = rule.quantize(*part * self.columns[x]);
                    *part +=
                        rule.quantize(flux_x[(x, y)]) - rule.quantize(flux_x[(x + 1, y)]) - lost;
                    height[(x, y)] -= lost;
                    *inflow -= f64::from(lost);
                    changed |= lost != 0.0;
                }
                if changed {
                    tiles.wake(columns, y..y + 1);
                }
            }
            for x in (0..=west).chain(nx - east..=nx) {
                flux_x[(x, y)] -= flux_x[(x, y)] * self.x_faces[x];
            }
        }
        for rows in [0..north, ny - south..ny] {
            for y in rows {
                let inflow =
                    if included_rows.contains(&y) { &mut inflow } else { &mut excluded_inflow };
                let mut changed = false;
                for x in 0..nx {
                    let part = &mut parts.y[(x, y)];
                    let lost = rule.quantize(*part * self.rows[y]);
                    *part +=
                        rule.quantize(flux_y[(x, y)]) - rule.quantize(flux_y[(x, y + 1)]) - lost;
                    height[(x, y)] -= lost;
                    *inflow -= f64::from(lost);
                    changed |= lost != 0.0;
                }
                if changed {
                    tiles.wake(0..nx, y..y + 1);
                }
            }
        }
        for y in (0..=north).chain(ny - south..=ny) {
            for flux in flux_y.row_mut(y) {
                *flux -= *flux * self.y_faces[y];
            }
        }
        inflow
    }
}

/// Returns the height that the last step moved into the grid through the edges of fixed height (m,
/// summed over cells). On the western and eastern edges, only the rows `included_rows` count.
pub(in crate::waves) fn pinned_inflow(
    state: &State,
    rule: &WaveCoefficients,
    params: &Params,
    included_rows: Range<usize>,
) -> f64 {
    let (nx, ny) = (state.height.nx(), state.height.ny());
    let x_faces = |x: usize| {
        included_rows.clone().map(|y| quantize_to_f64(state.flux_x[(x, y)], rule)).sum::<f64>()
    };
    let y_faces =
        |y: usize| (0..nx).map(|x| quantize_to_f64(state.flux_y[(x, y)], rule)).sum::<f64>();
    let inflow = |edge| match edge {
        Edge::West => x_faces(0),
        Edge::East => -x_faces(nx),
        Edge::North => y_faces(0),
        Edge::South => -y_faces(ny),
    };
    let pinned = |edge: &Edge| params.edges.kind(*edge) == EdgeKind::Pinned;
    Edge::ALL.into_iter().filter(pinned).map(inflow).sum()
}

fn quantize_to_f64(flux: f32, rule: &WaveCoefficients) -> f64 {
    f64::from(rule.quantize(flux))
}
