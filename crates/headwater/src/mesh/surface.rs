//! Vertices of a water surface at the cell centres. Each has a height, a kind (wet, shore or
//! unused) and a normal.

use crate::field::Field;
use crate::lattice::Lattice;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd)]
pub(super) enum VertexKind {
    /// The vertex is not part of the surface.
    #[default]
    None,
    /// The cell is dry but next to water, and the water surface continues below its ground.
    Shore,
    /// The cell is covered by water.
    Wet,
}

/// Callback that returns the bed height and the water depth (m) of the cell in a column and row.
pub(super) trait WaterSampler: Fn(usize, usize) -> [f32; 2] {}

impl<F: Fn(usize, usize) -> [f32; 2]> WaterSampler for F {}

/// Returns the height of the water surface at the centre of a cell (m) and the kind of the vertex
/// there. `water` returns the bed height and the water depth of a cell (m). A cell with a depth of
/// at most `dry` (m) is dry.
///
/// A dry cell next to water is placed at the mean height of the water in adjacent cells, unless its
/// ground is lower. The water surface therefore continues horizontally into the shore instead of
/// climbing it.
pub(super) fn height_and_kind(
    lattice: &Lattice,
    water: &impl WaterSampler,
    dry: f32,
    (x, y): (usize, usize),
) -> (f32, VertexKind) {
    let [bed, depth] = water(x, y);
    let own = bed + depth;
    if depth > dry {
        return (own, VertexKind::Wet);
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
        // Diagonal neighbours are included.
        for y in y.saturating_sub(1)..(y + 2).min(lattice.ny()) {
            (x.saturating_sub(1)..(x + 2).min(lattice.nx())).for_each(|x| add((x, y)));
        }
    }
    match count {
        0 => (own, VertexKind::None),
        _ => (own.min((sum / f64::from(count)) as f32), VertexKind::Shore),
    }
}

pub(super) struct SurfaceNormals<'a> {
    lattice: &'a Lattice,
    heights: &'a Field<f32>,
    kinds: &'a Field<VertexKind>,
    /// Factors (1/m) that convert a height difference along an axis to a slope. The first index is
    /// the axis. The second index (0 to 2) is the number of neighbours along this axis that belong
    /// to the surface.
    scales: [[f32; 3]; 2],
}

impl<'a> SurfaceNormals<'a> {
    pub(super) fn new(
        lattice: &'a Lattice,
        heights: &'a Field<f32>,
        kinds: &'a Field<VertexKind>,
    ) -> Self {
        let scale = |size: f64| [0.0, 1.0 / size as f32, 0.5 / size as f32];
        Self { lattice, heights, kinds, scales: [scale(lattice.dx()), scale(lattice.dy())] }
    }

    /// Returns the unit normal at the centre of a cell. It is computed from the heights (m) of the
    /// neighbours that belong to the surface.
    #[inline]
    pub(super) fn normal(&self, x: usize, y: usize) -> [f32; 3] {
        let [to_east, to_south] = match self.lattice {
            Lattice::Hex(_) => self.gradient((x, y)),
            Lattice::Square(_) => {
                let (nx, ny) = (self.heights.nx(), self.heights.ny());
                let (heights, kinds) = (self.heights.as_slice(), self.kinds.as_slice());
                let i = y * nx + x;
                // A missing neighbour is replaced by the cell itself.
                let height = |inside: bool, j: usize| {
                    let belongs = inside && kinds[j] != VertexKind::None;
                    (heights[if belongs { j } else { i }], usize::from(belongs))
                };
                let (west, east) = (height(x > 0, i.wrapping_sub(1)), height(x + 1 < nx, i + 1));
                let (north, south) =
                    (height(y > 0, i.wrapping_sub(nx)), height(y + 1 < ny, i + nx));
                [
                    (east.0 - west.0) * self.scales[0][west.1 + east.1],
                    (south.0 - north.0) * self.scales[1][north.1 + south.1],
                ]
            }
        };
        let length = (to_east * to_east + to_south * to_south + 1.0).sqrt();
        [-to_east, 1.0, -to_south].map(|component| component / length)
    }

    fn gradient(&self, cell: (usize, usize)) -> [f32; 2] {
        let height = |cell: (usize, usize)| {
            (self.kinds[cell] != VertexKind::None).then(|| f64::from(self.heights[cell]))
        };
        self.lattice.gradient(cell, height).map(|slope| slope as f32)
    }
}
