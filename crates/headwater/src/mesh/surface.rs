//! The surface of water over ground at the middles of cells: how high it is there, what belongs to it, which way it faces.

use crate::field::Field;
use crate::lattice::Lattice;

/// What a cell's middle is to the surface of water.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd)]
pub(super) enum Part {
    /// No part of it.
    #[default]
    None,
    /// Dry, beside water: the surface runs into the ground there.
    Shore,
    /// Water.
    Wet,
}

/// Ground and water: what a cell has of them.
pub(super) trait Water: Fn(usize, usize) -> [f32; 2] {}

impl<F: Fn(usize, usize) -> [f32; 2]> Water for F {}

/// Height of the surface (m) in the middle of a cell, and what that is to it; `water` says the bed and the depth (m) of a
/// cell, and up to `dry` (m) it counts as dry.
///
/// A dry cell beside water takes the mean surface of its wet neighbours, if its ground is not below that, so that the water
/// runs into the shore level instead of climbing it.
pub(super) fn at(
    lattice: &Lattice,
    water: &impl Water,
    dry: f32,
    (x, y): (usize, usize),
) -> (f32, Part) {
    let [bed, depth] = water(x, y);
    let own = bed + depth;
    if depth > dry {
        return (own, Part::Wet);
    }
    let (mut sum, mut count) = (0.0_f64, 0_u32);
    let mut add = |(x, y): (usize, usize)| {
        let [bed, depth] = water(x, y);
        if depth > dry {
            sum += f64::from(bed) + f64::from(depth);
            count += 1;
        }
    };
    if lattice.is_hex() {
        lattice.neighbours(x, y).for_each(&mut add);
    } else {
        // Those that share a corner as well.
        for y in y.saturating_sub(1)..(y + 2).min(lattice.ny()) {
            (x.saturating_sub(1)..(x + 2).min(lattice.nx())).for_each(|x| add((x, y)));
        }
    }
    match count {
        0 => (own, Part::None),
        _ => (own.min((sum / f64::from(count)) as f32), Part::Shore),
    }
}

/// The unit normal of a surface in the middle of a cell, by the heights (m) of its neighbours that belong to it.
pub(super) fn normal(
    lattice: &Lattice,
    heights: &Field<f32>,
    belongs: impl Fn((usize, usize)) -> bool,
    (x, y): (usize, usize),
) -> [f32; 3] {
    let height = |at: (usize, usize)| belongs(at).then(|| heights[at]);
    let [to_east, to_south] = match lattice {
        Lattice::Hex(_) => {
            lattice.gradient((x, y), |at| height(at).map(f64::from)).map(|slope| slope as f32)
        }
        Lattice::Square(square) => {
            let here = heights[(x, y)];
            let along = |before: Option<f32>, after: Option<f32>, size: f64| {
                let rise = after.unwrap_or(here) - before.unwrap_or(here);
                let cells = u8::from(before.is_some()) + u8::from(after.is_some());
                rise / (f32::from(cells.max(1)) * size as f32)
            };
            let west = x.checked_sub(1).and_then(|x| height((x, y)));
            let east = if x + 1 < square.nx() { height((x + 1, y)) } else { None };
            let north = y.checked_sub(1).and_then(|y| height((x, y)));
            let south = if y + 1 < square.ny() { height((x, y + 1)) } else { None };
            [along(west, east, square.dx()), along(north, south, square.dy())]
        }
    };
    let length = (to_east * to_east + to_south * to_south + 1.0).sqrt();
    [-to_east, 1.0, -to_south].map(|part| part / length)
}
