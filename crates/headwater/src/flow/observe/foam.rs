//! Foam of a flow world for rendering, computed from the current state of the water.

use super::layers::View;
use super::velocity::{VelocityRows, is_dry};
use crate::changes::Tile;
use crate::field::Field;
use crate::flow::world::Flow;
use crate::lattice::Hex;
use crate::layer::OutputBlock;
use crate::scratch::PooledValue;
use multiversion::multiversion;
use std::ops::Range;

/// Froude numbers between which the foam cover rises from none to complete.
const BREAKING_FROUDE: [f32; 2] = [0.9, 2.0];
/// Slopes of the water surface (m/m) between which the foam cover of spilling waves rises from none
/// to complete.
const STEEP_SLOPE: [f32; 2] = [0.15, 0.45];
/// Convergence rates of the flow at which the foam cover begins to rise from none, and at which it
/// is complete. The rate is the decrease in the velocity from one cell to the next, as a fraction
/// of the wave speed.
const CONVERGENCE_RATE: [f32; 2] = [0.05, 0.4];

impl Flow {
    /// Returns the foam cover of each cell, from 0 (none) to 1 (complete). The foam cover is
    /// derived from the Froude number, the surface slope and the convergence of the flow, and is 0
    /// in dry cells.
    pub fn foam_cover(&self) -> Field<f32> {
        self.view(View::Foam).into_owned()
    }

    /// Returns the [`foam_cover`](Self::foam_cover) of a single cell, or 0 off the grid.
    pub fn foam_cover_at(&self, x: usize, y: usize) -> f32 {
        if !self.lattice.contains(x, y) {
            return 0.0;
        }
        let side = |x: usize, y: usize| {
            let depth = self.state.depth[(x, y)];
            CellWater { depth, surface: self.state.surface(x, y), velocity: self.velocity(x, y) }
        };
        if self.lattice.is_hex() {
            if !self.has_six_neighbours(x, y) {
                return self.foam_at_hex_edge((x, y), |(x, y)| self.velocity(x, y));
            }
            let shift = Hex::z_face_column(y);
            let across = [side(x - 1, y), side(x + 1, y)];
            let [north, south] =
                [y - 1, y + 1].map(|y| [side(x + shift - 1, y), side(x + shift, y)]);
            return self.hex_foam_model().foam_from_six_neighbours(
                side(x, y),
                across,
                [north, south],
            );
        }
        let [(west, east), (north, south)] =
            [neighbour_indices(x, self.lattice.nx()), neighbour_indices(y, self.lattice.ny())];
        let sides = [[side(west, y), side(east, y)], [side(x, north), side(x, south)]];
        self.foam_model([east - west, south - north]).foam_from_neighbours(side(x, y), sides)
    }

    /// Writes the foam cover of a block of cells. The values equal those of
    /// [`foam_cover_at`](Self::foam_cover_at), bit for bit.
    pub(super) fn write_foam(&self, block: &mut OutputBlock<'_>) {
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        let Tile { x: start, nx: width, .. } = block.tile;
        let mut rows = FoamRows::new(self, block.tile.expanded(1, [nx, ny]));
        block.for_each_row(|y, foam| {
            let depth = &self.state.depth.row(y)[start..start + width];
            if is_dry(self.params.dry_depth as f32, depth) {
                foam.fill(0.0);
                return;
            }
            let (north, south) = neighbour_indices(y, ny);
            (north..=south).for_each(|y| rows.compute_row(y));
            if self.lattice.is_hex() {
                self.write_hex_foam(foam, start, y, &rows);
                return;
            }
            let rows = [north, y, south].map(|y| rows.row(y));
            for x in [0, nx - 1].into_iter().filter(|x| (start..start + width).contains(x)) {
                let (west, east) = neighbour_indices(x, nx);
                let across = [rows[1].cell(west), rows[1].cell(east)];
                let sides = [across, [rows[0].cell(x), rows[2].cell(x)]];
                foam[x - start] = self
                    .foam_model([east - west, south - north])
                    .foam_from_neighbours(rows[1].cell(x), sides);
            }
            let inner = start.max(1)..(start + width).min(nx - 1);
            if !inner.is_empty() {
                let foam = &mut foam[inner.start - start..inner.end - start];
                let rows = rows.map(|row| row.sub_row(inner.start - 1, inner.len() + 2));
                compute_inner_foam(foam, self.foam_model([2, south - north]), rows);
            }
        });
    }

    fn foam_model(&self, intervals: [usize; 2]) -> FoamModel {
        let [x, y] = intervals.map(|cells| cells.max(1) as f32);
        let spans = [x * self.lattice.dx() as f32, y * self.lattice.dy() as f32];
        let (dry, gravity) = (self.params.dry_depth as f32, self.params.gravity as f32);
        FoamModel { dry, gravity, inverse_spans: [1.0 / x, 1.0 / y], spans }
    }

    /// Writes the foam cover of hexagons in row `y`, from column `start` on.
    fn write_hex_foam(&self, foam: &mut [f32], start: usize, y: usize, rows: &FoamRows<'_>) {
        let is_inner = |x: &usize| self.has_six_neighbours(*x, y);
        let inner = start.max(1)..(start + foam.len()).min(self.lattice.nx().saturating_sub(1));
        let inner = if is_inner(&inner.start) { inner } else { start..start };
        for x in (start..start + foam.len()).filter(|x| !inner.contains(x)) {
            foam[x - start] = self.foam_at_hex_edge((x, y), |(x, y)| rows.row(y).cell(x).velocity);
        }
        if inner.is_empty() {
            return;
        }
        let shift = Hex::z_face_column(y);
        let row = rows.row(y).sub_row(inner.start - 1, inner.len() + 2);
        let adjacent =
            [y - 1, y + 1].map(|y| rows.row(y).sub_row(inner.start + shift - 1, inner.len() + 1));
        let foam = &mut foam[inner.start - start..inner.end - start];
        compute_inner_hex_foam(foam, self.hex_foam_model(), row, adjacent);
    }

    /// Returns whether no neighbour of a hexagon is off the grid.
    fn has_six_neighbours(&self, x: usize, y: usize) -> bool {
        x > 0 && x + 1 < self.lattice.nx() && y > 0 && y + 1 < self.lattice.ny()
    }

    fn hex_foam_model(&self) -> HexFoamModel {
        HexFoamModel {
            foam: self.foam_model([1, 1]),
            spacing: self.lattice.dx() as f32,
            row_height: self.lattice.dy() as f32,
        }
    }

    /// Returns the foam cover of a hexagon that has fewer than six neighbours.
    fn foam_at_hex_edge(
        &self,
        cell: (usize, usize),
        velocity: impl Fn((usize, usize)) -> [f32; 2],
    ) -> f32 {
        let state = &self.state;
        let model = self.foam_model([1, 1]);
        let wet = |at: (usize, usize)| state.depth[at] > model.dry;
        let rise = self.lattice.gradient(cell, |at| {
            let (x, y) = if wet(at) { at } else { cell };
            Some(f64::from(state.surface(x, y)))
        });
        let change = |axis: usize| {
            let part = |at: (usize, usize)| if wet(at) { velocity(at)[axis] } else { 0.0 };
            self.lattice.gradient(cell, |at| Some(f64::from(part(at))))[axis]
        };
        let spreading = change(0) * self.lattice.dx() + change(1) * self.lattice.dy();
        model.foam_from_state(
            state.depth[cell],
            velocity(cell),
            rise.map(|r| r as f32),
            spreading as f32,
        )
    }
}

fn neighbour_indices(index: usize, count: usize) -> (usize, usize) {
    (index.saturating_sub(1), (index + 1).min(count - 1))
}

/// Surface heights and velocities in three consecutive rows of a block, including the adjacent
/// columns to the west and east. Rows are computed on demand.
struct FoamRows<'a> {
    flow: &'a Flow,
    columns: Range<usize>,
    velocities: VelocityRows<'a>,
    /// Row `y` of the grid is at index `y % 3`.
    rows: PooledValue<'a, [FoamRowBuffers; 3]>,
    /// Rows of the grid that are in `rows`.
    computed: [Option<usize>; 3],
}

#[derive(Default)]
struct FoamRowBuffers {
    surface: Vec<f32>,
    u: Vec<f32>,
    v: Vec<f32>,
}

impl<'a> FoamRows<'a> {
    fn new(flow: &'a Flow, area: Tile) -> Self {
        let columns = area.x..area.x + area.nx;
        let velocities = VelocityRows::new(flow.velocity_input(), columns.clone(), &flow.scratch);
        Self { flow, columns, velocities, rows: flow.scratch.take(), computed: [None; 3] }
    }

    /// Computes row `y` unless it is present.
    fn compute_row(&mut self, y: usize) {
        if self.computed[y % 3] == Some(y) {
            return;
        }
        let FoamRowBuffers { surface, u, v } = &mut self.rows[y % 3];
        [&mut *surface, u, v].into_iter().for_each(|row| row.resize(self.columns.len(), 0.0));
        self.flow.state.write_surface(y, self.columns.clone(), surface);
        self.velocities.write_both(y, u, v);
        self.computed[y % 3] = Some(y);
    }

    fn row(&self, y: usize) -> WaterRow<'_> {
        let FoamRowBuffers { surface, u, v } = &self.rows[y % 3];
        let depth = &self.flow.state.depth.row(y)[self.columns.clone()];
        WaterRow { first: self.columns.start, depth, surface, u, v }
    }
}

/// Water in a row of cells. The first cell is in column `first`.
#[derive(Clone, Copy)]
struct WaterRow<'a> {
    first: usize,
    depth: &'a [f32],
    surface: &'a [f32],
    u: &'a [f32],
    v: &'a [f32],
}

impl<'a> WaterRow<'a> {
    #[inline(always)]
    fn cell(self, x: usize) -> CellWater {
        let i = x - self.first;
        CellWater {
            depth: self.depth[i],
            surface: self.surface[i],
            velocity: [self.u[i], self.v[i]],
        }
    }

    /// Returns the part of the row that begins in column `from` and has `count` cells.
    #[inline(always)]
    fn sub_row(self, from: usize, count: usize) -> WaterRow<'a> {
        let cut = |values: &'a [f32]| &values[from - self.first..][..count];
        let [depth, surface, u, v] = [self.depth, self.surface, self.u, self.v].map(cut);
        WaterRow { first: 0, depth, surface, u, v }
    }
}

/// Computes the foam cover of the cells in a row, from the water in that row and in the adjacent
/// rows to the north and south. Each of the three rows of water has one extra cell at each end.
#[multiversion(targets = "simd")]
fn compute_inner_foam(foam: &mut [f32], model: FoamModel, [north, row, south]: [WaterRow<'_>; 3]) {
    let n = foam.len();
    let (west, here, east) = (row.sub_row(0, n), row.sub_row(1, n), row.sub_row(2, n));
    let (north, south) = (north.sub_row(1, n), south.sub_row(1, n));
    for (x, foam) in foam.iter_mut().enumerate() {
        let sides = [[west.cell(x), east.cell(x)], [north.cell(x), south.cell(x)]];
        *foam = model.foam_from_neighbours(here.cell(x), sides);
    }
}

/// Computes the foam cover of the hexagons in a row, from the water in that row and in the adjacent
/// rows to the north and south. `row` has one extra cell at each end. The first two cells of an
/// adjacent row are the neighbours of the first hexagon.
#[multiversion(targets = "simd")]
fn compute_inner_hex_foam(
    foam: &mut [f32],
    model: HexFoamModel,
    row: WaterRow<'_>,
    adjacent: [WaterRow<'_>; 2],
) {
    let n = foam.len();
    let (west, here, east) = (row.sub_row(0, n), row.sub_row(1, n), row.sub_row(2, n));
    let [north, south] = adjacent.map(|row| [row.sub_row(0, n), row.sub_row(1, n)]);
    for (x, foam) in foam.iter_mut().enumerate() {
        let across = [west.cell(x), east.cell(x)];
        let [north, south] =
            [[north[0].cell(x), north[1].cell(x)], [south[0].cell(x), south[1].cell(x)]];
        *foam = model.foam_from_six_neighbours(here.cell(x), across, [north, south]);
    }
}

#[derive(Clone, Copy)]
struct HexFoamModel {
    foam: FoamModel,
    /// Distance between the centres of neighbouring cells (m).
    spacing: f32,
    /// Distance between adjacent rows (m).
    row_height: f32,
}

impl HexFoamModel {
    /// Returns the foam cover of a hexagon from the water in the cell, in its western and eastern
    /// neighbours, and in the two pairs of neighbours in the adjacent rows to the north and south.
    /// For a dry neighbour, the surface height of the cell itself is used.
    #[inline(always)]
    fn foam_from_six_neighbours(
        self,
        here: CellWater,
        [west, east]: [CellWater; 2],
        [[northwest, northeast], [southwest, southeast]]: [[CellWater; 2]; 2],
    ) -> f32 {
        let model = self.foam;
        let level = |side: CellWater| model.select_by_wetness(side, side.surface, here.surface);
        let part =
            |side: CellWater, axis: usize| model.select_by_wetness(side, side.velocity[axis], 0.0);
        let sides = [west, east, northwest, northeast, southwest, southeast];
        let levels = sides.map(level);
        let rise = [self.slope_along(levels), self.slope_across(levels)];
        let change_along = self.slope_along(sides.map(|side| part(side, 0)));
        let change_across = self.slope_across(sides.map(|side| part(side, 1)));
        let spreading = change_along * self.spacing + change_across * self.row_height;
        model.foam_from_state(here.depth, here.velocity, rise, spreading)
    }

    /// Returns the eastward slope of a quantity (per metre) by least squares over six neighbours at
    /// equal distances, in the order west, east, northwest, northeast, southwest, southeast.
    #[inline(always)]
    fn slope_along(
        self,
        [west, east, northwest, northeast, southwest, southeast]: [f32; 6],
    ) -> f32 {
        let oblique = (northeast - northwest) + (southeast - southwest);
        ((east - west) + 0.5 * oblique) / (3.0 * self.spacing)
    }

    /// Returns the southward slope of a quantity (per metre), like
    /// [`slope_along`](Self::slope_along).
    #[inline(always)]
    fn slope_across(self, [_, _, northwest, northeast, southwest, southeast]: [f32; 6]) -> f32 {
        ((southwest - northwest) + (southeast - northeast)) / (4.0 * self.row_height)
    }
}

#[derive(Clone, Copy)]
struct CellWater {
    depth: f32,
    surface: f32,
    velocity: [f32; 2],
}

#[derive(Clone, Copy)]
struct FoamModel {
    dry: f32,
    gravity: f32,
    /// Reciprocals of two distances (in cells): between the western and eastern neighbours of a
    /// cell, and between its northern and southern neighbours. Each distance is 2, or 1 at an edge
    /// of the grid, so the reciprocals are exact.
    inverse_spans: [f32; 2],
    /// Two distances (m): between the western and eastern neighbours of a cell, and between its
    /// northern and southern neighbours.
    spans: [f32; 2],
}

impl FoamModel {
    /// Returns the foam cover of a square cell from the water in the cell and in its western,
    /// eastern, northern and southern neighbours. For a dry neighbour, the surface height of the
    /// cell itself is used.
    #[inline(always)]
    fn foam_from_neighbours(
        self,
        here: CellWater,
        [[west, east], [north, south]]: [[CellWater; 2]; 2],
    ) -> f32 {
        // A loop over the axes would not be vectorised.
        let level = |side: CellWater| self.select_by_wetness(side, side.surface, here.surface);
        let part =
            |side: CellWater, axis: usize| self.select_by_wetness(side, side.velocity[axis], 0.0);
        let rise = [
            (level(east) - level(west)) / self.spans[0],
            (level(south) - level(north)) / self.spans[1],
        ];
        let spreading = (part(east, 0) - part(west, 0)) * self.inverse_spans[0]
            + (part(south, 1) - part(north, 1)) * self.inverse_spans[1];
        self.foam_from_state(here.depth, here.velocity, rise, spreading)
    }

    #[inline(always)]
    fn select_by_wetness(self, side: CellWater, if_wet: f32, if_dry: f32) -> f32 {
        if side.depth > self.dry { if_wet } else { if_dry }
    }

    /// Returns the foam cover for a water depth (m), a velocity (m/s), a surface slope `slope`
    /// along both axes, and a divergence `divergence` of the velocity (m/s per cell).
    #[inline(always)]
    fn foam_from_state(
        self,
        depth: f32,
        [u, v]: [f32; 2],
        slope: [f32; 2],
        divergence: f32,
    ) -> f32 {
        let wave = (self.gravity * depth).sqrt();
        let steepness = (slope[0] * slope[0] + slope[1] * slope[1]).sqrt();
        let breaking = smoothstep(BREAKING_FROUDE, (u * u + v * v).sqrt() / wave);
        let steep = smoothstep(STEEP_SLOPE, steepness);
        let churning = smoothstep(CONVERGENCE_RATE, -divergence / wave);
        // Thin films have no foam: they are wet ground.
        let body = smoothstep([self.dry, 10.0 * self.dry], depth);
        let white = body * (1.0 - (1.0 - breaking) * (1.0 - steep) * (1.0 - churning));
        if depth > self.dry { white } else { 0.0 }
    }
}

/// Returns 0 for a value below `low`, 1 for a value above `high`, and a smooth transition in
/// between.
#[inline(always)]
fn smoothstep([low, high]: [f32; 2], value: f32) -> f32 {
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use crate::flow::{Flow, Params};
    use crate::{Field, Hex, Lattice, Square};

    fn flat_world(depth: impl FnMut(usize, usize) -> f32) -> Flow {
        let lattice = Square::new(40, 20, 1.0, 1.0).unwrap();
        let bed = Field::new(40, 20, 0.0);
        Flow::new(lattice, Params::default(), bed, Field::from_fn(40, 20, depth)).unwrap()
    }

    #[test]
    fn still_water_and_dry_land_have_no_foam() {
        let mut flow = flat_world(|_, _| 2.0);
        flow.advance(1.0).unwrap();
        assert_eq!(flow.foam_cover().min_max(), Some((0.0, 0.0)));
        assert_eq!(flat_world(|_, _| 0.0).foam_cover().min_max(), Some((0.0, 0.0)));
    }

    #[test]
    fn foam_of_one_cell_equals_the_field() {
        let mut flow = flat_world(|x, y| if x + y < 20 { 2.0 } else { 0.02 });
        flow.advance(1.5).unwrap();
        let foam = flow.foam_cover();
        for (x, y) in [(0, 0), (10, 10), (18, 5), (39, 19), (20, 0)] {
            assert_eq!(foam[(x, y)].to_bits(), flow.foam_cover_at(x, y).to_bits());
        }
    }

    #[test]
    fn narrow_worlds_have_foam_too() {
        let sizes = [(1, 1), (1, 7), (7, 1), (2, 2), (3, 3), (9, 8)];
        let square = |(nx, ny)| Lattice::from(Square::new(nx, ny, 1.0, 1.0).unwrap());
        let hex = |(nx, ny)| Lattice::from(Hex::new(nx, ny, 1.0).unwrap());
        for lattice in sizes.map(square).into_iter().chain(sizes.map(hex)) {
            let (nx, ny) = (lattice.nx(), lattice.ny());
            let depth = Field::from_fn(nx, ny, |x, y| if x + y < 2 { 2.0 } else { 0.02 });
            let bed = Field::new(nx, ny, 0.0);
            let mut flow = Flow::new(lattice, Params::default(), bed, depth).unwrap();
            flow.advance(0.5).unwrap();
            let foam = flow.foam_cover();
            for (x, y) in (0..nx * ny).map(|i| (i % nx, i / nx)) {
                assert_eq!(
                    foam[(x, y)].to_bits(),
                    flow.foam_cover_at(x, y).to_bits(),
                    "{lattice:?}"
                );
            }
        }
    }

    #[test]
    fn the_formula_for_six_neighbours_is_the_least_squares_gradient() {
        let lattice = Hex::new(30, 20, 1.0).unwrap();
        let depth = Field::from_fn(30, 20, |x, y| if x + y < 20 { 2.0 } else { 0.02 });
        let bed = Field::new(30, 20, 0.0);
        let mut flow = Flow::new(lattice, Params::default(), bed, depth).unwrap();
        flow.advance(1.0).unwrap();
        let mut foamy = 0;
        for (x, y) in (1..19).flat_map(|y| (1..29).map(move |x| (x, y))) {
            let foam = flow.foam_cover_at(x, y);
            let general = flow.foam_at_hex_edge((x, y), |(x, y)| flow.velocity(x, y));
            assert!((foam - general).abs() < 1e-4, "{foam} {general}");
            foamy += usize::from(foam > 0.2);
        }
        assert!(foamy > 10, "{foamy}");
    }

    #[test]
    fn a_bore_has_foam_and_the_lake_behind_it_has_none() {
        let mut flow = flat_world(|x, _| if x < 20 { 2.0 } else { 0.02 });
        flow.advance(1.5).unwrap();
        let foam = flow.foam_cover();
        let front = foam.row(10)[20..].iter().copied().fold(0.0, f32::max);
        assert!(front > 0.5, "{front}");
        assert!(foam[(2, 10)] < 0.1, "{}", foam[(2, 10)]);
        assert!(foam.as_slice().iter().all(|f| (0.0..=1.0).contains(f)));
    }
}
