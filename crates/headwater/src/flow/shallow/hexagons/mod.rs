//! Shallow water on hexagons: the scheme of [`super`] along three axes at 60° in place of two at a right angle. Every face
//! is met by the same formulas, in the view of its own axis; here is what is other on hexagons.
//!
//! Three axes see a vector one and a half times (`Σ n·nᵀ = 3/2`), so gradients, divergences and
//! pushes add up by 2/3; the width of a face gives the same factor, `(d/√3)/(√3/2·d²) = 2/3/d`, so
//! [`Coefficients::per_x`](super::Coefficients::per_x) serves all axes.
//!
//! Worlds turned by half a turn or mirrored in a row get the same bits: the slanted axes always
//! count together.

mod buffers;
pub(super) mod limit;
mod loops;
pub(in crate::flow) mod plain;
mod rim;
pub(in crate::flow) mod rows;
mod stages;

use super::buffers::View;
use super::{Coefficients, Flux, Half, HalfSlopes, Side, Water, half_later, incline, side};
use crate::lattice::{FaceAxis, Hex};

/// √3/2, how far down a slanted axis leads to the next cell.
const DOWN: f32 = 0.866_025_4;

/// An axis that leads down to the next row, half a cell to the east or to the west.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slant {
    /// How far aside it leads, to the east.
    aside: f32,
}

const SOUTHEAST: Slant = Slant { aside: 0.5 };

const SOUTHWEST: Slant = Slant { aside: -0.5 };

impl Slant {
    /// A vector as it sees it: along itself, and to the right of that as one looks from above.
    #[inline(always)]
    fn sees(self, [east, south]: [f32; 2]) -> [f32; 2] {
        [self.aside * east + DOWN * south, self.aside * south - DOWN * east]
    }
}

impl View for Slant {
    #[inline(always)]
    fn water(self, water: Water) -> Water {
        let [u, v] = self.sees([water.u, water.v]);
        Water { u, v, ..water }
    }

    #[inline(always)]
    fn half(self, half: Half) -> Half {
        let [u, v] = self.sees([half.u, half.v]);
        Half { u, v, ..half }
    }
}

/// The vector, to the east and south, from its parts along and to the right of the rows' axis,
/// [`SOUTHEAST`] and [`SOUTHWEST`]; one and a half times a vector seen by all three.
#[inline(always)]
fn gathered(along: [f32; 3], aside: [f32; 3]) -> [f32; 2] {
    let east = along[0] + (0.5 * (along[1] - along[2]) - DOWN * (aside[1] + aside[2]));
    let south = aside[0] + (DOWN * (along[1] + along[2]) + 0.5 * (aside[1] - aside[2]));
    [east, south]
}

/// 2. Half a step in time of the cell `here` with its half-slopes along the axes; see
///    [`half_step`](super::half_step).
#[inline(always)]
fn half_step(here: Water, slopes: [HalfSlopes; 3], drag: f32, c: &Coefficients) -> Half {
    let [east, southeast, southwest] = slopes;
    let velocity = [here.u, here.v];
    let [se, sw] = [SOUTHEAST.sees(velocity)[0], SOUTHWEST.sees(velocity)[0]];
    let spread = |u: f32, slope: HalfSlopes| u * slope.h + here.h * slope.u;
    let spread = spread(here.u, east) + (spread(se, southeast) + spread(sw, southwest));
    let push = |u: f32, slope: HalfSlopes| u * slope.u + c.gravity * slope.w;
    let [u, v] = gathered(
        [push(here.u, east), push(se, southeast), push(sw, southwest)],
        [here.u * east.v, se * southeast.v, sw * southwest.v],
    );
    half_later(here, c.per_x * spread, [c.per_x * u, c.per_x * v], drag, c)
}

#[derive(Clone, Copy)]
struct Acting {
    /// Momentum across the face, above the pressure in the cell (m³/s²).
    across: f32,
    along: f32,
}

impl Acting {
    #[inline(always)]
    fn before(flux: Flux) -> Self {
        Self { across: flux.after, along: flux.along }
    }

    #[inline(always)]
    fn after(flux: Flux) -> Self {
        Self { across: flux.before, along: flux.along }
    }
}

/// 6. What the faces of a cell, two on each axis, and the surface's slopes add to its momentum
///    (m²/s); `h` and `slopes` are depth and half-slopes half a step later.
#[inline(always)]
fn push(faces: [[Acting; 2]; 3], h: f32, slopes: [f32; 3], c: &Coefficients) -> [f32; 2] {
    let across = |i: usize| {
        let [first, second] = faces[i];
        (second.across - first.across) + incline(h, slopes[i], c.gravity)
    };
    let along = |i: usize| faces[i][1].along - faces[i][0].along;
    let [x, y] = gathered([across(0), across(1), across(2)], [along(0), along(1), along(2)]);
    [-(c.per_x * x), -(c.per_x * y)]
}

/// The axis that the y- or z-faces of row `y` are crossed along.
fn slant(axis: FaceAxis, y: usize) -> Slant {
    if (axis == FaceAxis::Z) == (Hex::z_offset(y) == 0) { SOUTHEAST } else { SOUTHWEST }
}

/// 3. A cell at a face on its western (−1) or eastern (1) edge; twice as `wide`, it includes the
///    slanted ones.
fn side_to_end(z: f32, half: Half, slope: HalfSlopes, to: f32, wide: f32) -> Side {
    let reach = 0.5 + 0.5 / wide;
    let HalfSlopes { h, w, u, v } = slope;
    let slope = HalfSlopes { h: h * reach, w: w * reach, u: u * reach, v: v * reach };
    side(z, half, slope, to)
}

/// 3. A cell at a face on its northern (−1) or southern (1) edge, seen from the north, half as far
///    as along slanted axes.
fn side_to_edge(z: f32, half: Half, [a, b]: [HalfSlopes; 2], to: f32) -> Side {
    let [east, south] = gathered([0.0, a.u, b.u], [0.0, a.v, b.v]);
    let slopes =
        HalfSlopes { h: 0.5 * (a.h + b.h), w: 0.5 * (a.w + b.w), u: 0.5 * south, v: 0.5 * east };
    side(z, half.turned(), slopes, to)
}

/// What a face on the northern or southern edge has of a flux over each of its slanted halves: both together push as it does.
fn halved(flux: Flux) -> Flux {
    Flux { along: -flux.along, ..flux }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_axes_see_a_vector_one_and_a_half_times() {
        let vector = [0.7, -1.3];
        let [a, b] = [SOUTHEAST, SOUTHWEST].map(|slant| slant.sees(vector));
        let [east, south] = gathered([vector[0], a[0], b[0]], [0.0; 3]);
        assert!((east - 1.05).abs() < 1e-6 && (south + 1.95).abs() < 1e-6);
        let [east, south] = gathered([0.0; 3], [vector[1], a[1], b[1]]);
        assert!((east - 1.05).abs() < 1e-6 && (south + 1.95).abs() < 1e-6);
    }

    #[test]
    fn both_halves_of_an_edge_push_as_it_does() {
        // √3 times as wide as a face, across to the south and along to the east.
        let flux = halved(Flux { volume: 0.0, before: 0.0, after: 2.0, along: 3.0 });
        let Acting { across, along } = Acting::before(flux);
        let [east, south] = gathered([0.0, across, across], [0.0, along, along]);
        let wide = 3.0_f32.sqrt();
        assert!((east - wide * 3.0).abs() < 1e-5 && (south - wide * 2.0).abs() < 1e-5);
    }
}
