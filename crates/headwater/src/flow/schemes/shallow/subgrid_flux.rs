//! Formulas of the shallow-water scheme for subgrid cells and their faces. A bank splits such a
//! cell into a low and a high part; see [`Subgrid`](crate::flow::subgrid::Subgrid). The formulas
//! give the neighbour states from which slopes are computed, the fluxes through a face with low and
//! high ground side by side, and the pressure force on the bank.
//!
//! Both parts of a cell have the same water surface and velocity. Each part of a face has its own
//! flux. If one face of a cell has less low ground than the opposite face, the bank supplies the
//! missing pressure. A straight bank at any angle therefore exerts no force on water that flows
//! along it (Causon et al. 2000; Sanders, Schubert & Gallegos 2008).

use super::coefficients::{fast_max, fast_min};
use super::{
    Coefficients, FaceState, Flux, HalfSlopes, HalfState, Water, reconstruct_side,
    regularized_inverse_depth, rounding_scale, slope_force, wall_flux,
};
use crate::flow::subgrid::SubgridCell;

/// Water over the low part of a cell, and the subgrid parameters of the cell. A bank splits the
/// cell into a low and a high part.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellParts {
    /// Water over the low part of the cell, or over the whole cell if it is uniform.
    pub(super) low: Water,
    pub(super) ground: Option<SubgridCell>,
}

impl CellParts {
    /// Computes the water over the low part of a cell. `z` is the mean bed elevation (m),
    /// `mean_depth` the mean depth (m) and `q` the momentum (m²/s) of the cell. `ground` contains
    /// the subgrid parameters of the cell, or `None` if the cell is uniform.
    #[inline(always)]
    pub(super) fn new(z: f32, mean_depth: f32, q: [f32; 2], ground: Option<SubgridCell>) -> Self {
        let low = match ground {
            None => Water::new(z, mean_depth, q[0], q[1]),
            Some(of) => {
                let (z, h, per_depth) = (
                    z + of.low,
                    of.depth_over_low(mean_depth),
                    regularized_inverse_depth(mean_depth),
                );
                Water { z, h, w: z + h, u: q[0] * per_depth, v: q[1] * per_depth }
            }
        };
        Self { low, ground }
    }

    pub(super) fn transposed(self) -> Self {
        Self { low: self.low.transposed(), ..self }
    }

    /// Returns the water over the high part of the cell, or over the whole cell if it is uniform.
    fn water_over_high_part(self) -> Water {
        match self.ground {
            None => self.low,
            Some(of) => {
                let (z, h) = (self.low.z + of.rise, of.depth_over_high(self.low.h));
                Water { z, h, w: z + h, ..self.low }
            }
        }
    }

    /// Returns the neighbour's water from which the slopes of this cell are computed. `next` is the
    /// neighbour, and `open` is the fraction of the width of the common face with low ground on
    /// both sides. If high ground closes the whole face (`open` = 0), the result is `None` for a
    /// subgrid cell. For a uniform cell, it is then the water over the high part of the neighbour.
    pub(super) fn neighbour_water(self, next: Self, open: f32) -> Option<Water> {
        let parted = self.ground.is_some() || next.ground.is_some();
        match (parted && open == 0.0, self.ground) {
            (false, _) => Some(next.low),
            (true, None) => Some(next.water_over_high_part()),
            (true, Some(_)) => None,
        }
    }
}

/// Returns the states of the neighbours before and after a cell, from which its slopes are
/// computed. If a neighbour is `None` because a bank separates it from the cell, its bed and water
/// are extrapolated from the opposite neighbour. If that neighbour is dry or `None` too, the state
/// of the cell itself is used.
pub(super) fn neighbour_states(here: Water, [before, after]: [Option<Water>; 2]) -> [Water; 2] {
    let on = |from: Water| {
        if from.h == 0.0 {
            return here;
        }
        let h = fast_max(2.0 * here.h - from.h, 0.0);
        Water { z: 2.0 * here.z - from.z, h, w: 2.0 * here.w - from.w, ..here }
    };
    match [before, after] {
        [Some(before), Some(after)] => [before, after],
        [Some(before), None] => [before, on(before)],
        [None, Some(after)] => [on(after), after],
        [None, None] => [here, here],
    }
}

/// State of a cell half a time step later, and its half-slopes (changes from the cell centre to a
/// face) along each axis. The velocity components of a half-slope are parallel and normal to its
/// axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfStepCell {
    pub(super) z: f32,
    pub(super) half: HalfState,
    pub(super) x: HalfSlopes,
    pub(super) y: HalfSlopes,
    pub(super) ground: Option<SubgridCell>,
}

/// States over the low and over the high part of a cell, reconstructed at one of its faces.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellSides {
    low: FaceState,
    high: FaceState,
}

/// Water depth over the high part of a cell at which the bank no longer obstructs the flow, as a
/// fraction of the height of the bank.
const COVERED_FRACTION: f32 = 0.1;

impl HalfStepCell {
    pub(super) fn reconstruct_at_x_face(&self, direction: f32) -> CellSides {
        self.split_side(reconstruct_side(self.z, self.half, self.x, direction))
    }

    pub(super) fn reconstruct_at_y_face(&self, direction: f32) -> CellSides {
        self.split_side(reconstruct_side(self.z, self.half.transposed(), self.y, direction))
    }

    fn split_side(&self, low: FaceState) -> CellSides {
        let high = match self.ground {
            None => low,
            Some(of) => {
                let z = low.z + of.rise;
                let h = fast_max(low.w - z, 0.0);
                FaceState {
                    z,
                    h,
                    w: fast_max(low.w, z),
                    rounding_scale: rounding_scale(fast_max(low.w, z), h),
                    ..low
                }
            }
        };
        CellSides { low, high }
    }

    /// Returns the pressure force of the surface slope within the cell along x and y (m³/s²) (stage
    /// 6 of the scheme).
    pub(super) fn slope_forces(&self, gravity: f32) -> [f32; 2] {
        [self.x.w, self.y.w].map(|slope| {
            let low = slope_force(self.half.h, slope, gravity);
            match self.ground {
                None => low,
                Some(of) => {
                    let high = slope_force(of.depth_over_high(self.half.h), slope, gravity);
                    of.low_fraction * low + (1.0 - of.low_fraction) * high
                }
            }
        })
    }

    /// Returns the momentum change (m²/s, along x and y) that the bank within the cell causes in a
    /// step (stage 6 of the scheme). `open_fractions` contains, for the western, eastern, northern
    /// and southern face, the fraction of the width with low ground on both sides. `facing` is the
    /// direction from low to high ground (east, south). `continuation` is the fraction of the bank
    /// that borders on high ground in the neighbouring cells.
    pub(super) fn bank_momentum_change(
        &self,
        open_fractions: [f32; 4],
        facing: [f32; 2],
        continuation: f32,
        c: &Coefficients,
    ) -> [f32; 2] {
        let Some(of) = self.ground else { return [0.0; 2] };
        let length = |[x, y]: [f32; 2]| (x * x + y * y).sqrt();
        let per = [c.per_x, c.per_y];
        let bank = length([
            per[0] * (open_fractions[0] - open_fractions[1]),
            per[1] * (open_fractions[2] - open_fractions[3]),
        ]);
        let facing = [per[0] * facing[0], per[1] * facing[1]];
        let long = length(facing);
        let HalfState { h, u, v, .. } = self.half;
        if !(bank > 0.0 && long > 0.0 && h > 0.0) {
            return [0.0; 2];
        }
        let outward = facing.map(|part| part / long);
        let (z, w) = (self.z, self.z + h);
        let against = u * outward[0] + v * outward[1];
        let here = FaceState { z, h, w, u: against, v: 0.0, rounding_scale: rounding_scale(w, h) };
        // Water above the bank flows over it; a thin bank does not obstruct this flow. Where high
        // ground continues, the water below follows as if it flowed up a step.
        let over = of.depth_over_high(h);
        let (thin, step) =
            (1.0 - over / h, fast_max(1.0 - over / (COVERED_FRACTION * of.rise), 0.0));
        let under = thin + continuation * (step - thin);
        let pressure = under * wall_flux(here, c.gravity).before;
        outward.map(|part| -(bank * part * pressure))
    }
}

impl CellSides {
    fn mirrored(self) -> Self {
        Self { low: self.low.mirrored(), high: self.high.mirrored() }
    }
}

/// Returns the sum of the fluxes over the low and the high ground of a face. `open` is the fraction
/// of the face width with low ground on both sides. `flux` computes the fluxes between two
/// reconstructed states.
#[inline(always)]
pub(super) fn face_flux(
    [l, r]: [CellSides; 2],
    open: f32,
    flux: impl Fn(FaceState, FaceState) -> Flux,
) -> Flux {
    if open == 1.0 {
        return flux(l.low, r.low);
    }
    let high = scale_flux(flux(l.high, r.high), 1.0 - open);
    if open == 0.0 { high } else { add_fluxes(scale_flux(flux(l.low, r.low), open), high) }
}

/// Returns the fluxes through a boundary face on the eastern or southern side of a cell. `open` is
/// the fraction of the face width with low ground. `flux` computes the fluxes for one reconstructed
/// state of the cell.
#[inline(always)]
pub(super) fn boundary_flux_after(
    side: CellSides,
    open: f32,
    flux: impl Fn(FaceState) -> Flux,
) -> Flux {
    face_flux([side, side], open, |side, _| flux(side))
}

/// Returns the fluxes through a boundary face on the western or northern side of a cell. `open` is
/// the fraction of the face width with low ground. `flux` computes the fluxes for one reconstructed
/// state of the cell.
#[inline(always)]
pub(super) fn boundary_flux_before(
    side: CellSides,
    open: f32,
    flux: impl Fn(FaceState) -> Flux,
) -> Flux {
    boundary_flux_after(side.mirrored(), open, flux).mirrored()
}

fn scale_flux(flux: Flux, factor: f32) -> Flux {
    let Flux { volume, before, after, along } = flux;
    Flux {
        volume: factor * volume,
        before: factor * before,
        after: factor * after,
        along: factor * along,
    }
}

fn add_fluxes(a: Flux, b: Flux) -> Flux {
    Flux {
        volume: a.volume + b.volume,
        before: a.before + b.before,
        after: a.after + b.after,
        along: a.along + b.along,
    }
}

/// Returns the factors (1 to 2), along x and y, by which waves cross a subgrid cell faster than a
/// uniform cell of the same depth. A factor is above 1 if the low ground at a face is wider than
/// the low part of the cell. `open_fractions` contains the fractions of the western, eastern,
/// northern and southern face that have low ground.
pub(super) fn wave_rate_factors(ground: SubgridCell, open_fractions: [f32; 4]) -> [f32; 2] {
    let wider = |a: f32, b: f32| fast_max(fast_min(fast_max(a, b) / ground.low_fraction, 2.0), 1.0);
    [wider(open_fractions[0], open_fractions[1]), wider(open_fractions[2], open_fractions[3])]
}
