//! Output for renderers and games: heights, normals, named layers, meshes and caustics.

use crate::changes::Tile;
use crate::field::Field;
use crate::lattice::Edge;
use crate::layer::{LayerOutput, Reach, layers, write_blocks, write_cells, write_copy, write_rows};
use crate::mesh::Mesh;
use crate::model::Model as _;
use crate::region::Point;
use crate::waves::params::EdgeKind;
use crate::waves::solver::rule::WaveCoefficients;
use crate::waves::state::State;
use crate::waves::world::Waves;
use multiversion::multiversion;
use std::borrow::Cow;
use std::ops::Range;

layers! {
    Waves, Cow<'_, Field<f32>>;
    Height: "height", "m", "height of the surface";
    Velocity: "velocity", "m/s", "vertical velocity of the surface", Neighbours;
    NormalX: "normal_x", "1", "east component of the unit normal", Neighbours;
    NormalY: "normal_y", "1", "south component of the unit normal", Neighbours;
    Slope: "slope", "1", "slope of the surface, rise over run", Neighbours;
    Energy: "energy", "m³/s²", "energy per area and density", Neighbours;
    Caustics: "caustics", "1", "light on the bed; 1 under a flat surface", Anywhere;
    Land: "land", "1", "1 on land, 0 elsewhere";
}

impl Waves {
    /// Returns the values of a layer in all cells. The field is borrowed if the world stores the
    /// layer in this form, and computed otherwise.
    pub fn view(&self, view: View) -> Cow<'_, Field<f32>> {
        match view {
            View::Height => Cow::Borrowed(&self.state.height),
            _ => Cow::Owned(self.compute_layer(view)),
        }
    }

    fn write(&self, view: View, output: LayerOutput<'_>) {
        match view {
            View::Height => write_copy(output, &self.state.height),
            View::Velocity => write_rows(output, |y, columns, into| {
                self.write_height_change(y, columns, into);
                convert_to_velocities(into, self.params.step);
            }),
            View::NormalX => self.write_slopes(output, compute_normals::<0>),
            View::NormalY => self.write_slopes(output, compute_normals::<1>),
            View::Slope => self.write_slopes(output, compute_slopes),
            View::Energy => write_cells(output, |x, y| self.energy_density(x, y)),
            View::Caustics => self.write_caustics(self.params.depth, output),
            View::Land => write_rows(output, |y, columns, into| match &self.land {
                None => into.fill(0.0),
                Some(land) => {
                    let land = land.row(y)[columns].iter();
                    into.iter_mut().zip(land).for_each(|(into, &l)| *into = f32::from(u8::from(l)));
                }
            }),
        }
    }

    /// Writes the height changes in the last step (m) of the cells in row `y` and in the range
    /// `columns`. They equal [`last_height_change`](Self::last_height_change) bit for bit.
    fn write_height_change(&self, y: usize, columns: Range<usize>, into: &mut [f32]) {
        let State { flux_x, flux_y, carried, .. } = &self.state;
        let (west, north) = (&flux_x.row(y)[columns.start..], &flux_y.row(y)[columns.clone()]);
        let south = &flux_y.row(y + 1)[columns.clone()];
        compute_height_changes(&self.rule, [west, &west[1..], north, south], into);
        if let Some(carried) = carried {
            let carried = &carried.row(y)[columns];
            into.iter_mut().zip(carried).for_each(|(into, carried)| *into += carried);
        }
    }

    /// Writes a layer that depends on the slopes of the surface. `kernel` computes a row of values.
    /// Its arguments are the heights of the western, eastern, northern and southern neighbours,
    /// twice the cell size (m), and the output.
    fn write_slopes(
        &self,
        output: LayerOutput<'_>,
        kernel: impl Fn([&[f32]; 4], f32, &mut [f32]) + Sync,
    ) {
        write_blocks(output, |mut block| {
            let columns = block.tile.x..block.tile.x + block.tile.nx;
            let mut sides = self.scratch.take::<[Vec<f32>; 4]>();
            block.for_each_row(|y, into| {
                let sides = self.neighbour_rows(y, columns.clone(), &mut sides);
                kernel(sides, self.double_cell_size(), into);
            });
        });
    }

    /// Returns the [heights of the neighbours](Self::neighbour_heights) of cells in row `y`. Copies
    /// them to `scratch` unless they are contiguous.
    fn neighbour_rows<'a>(
        &'a self,
        y: usize,
        columns: Range<usize>,
        scratch: &'a mut [Vec<f32>; 4],
    ) -> [&'a [f32]; 4] {
        let (height, Range { start, end }) = (&self.state.height, columns);
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        let here = height.row(y);
        let inside = [
            (start > 0).then(|| &here[start - 1..end - 1]),
            (end < nx).then(|| &here[start + 1..end + 1]),
            (y > 0).then(|| &height.row(y - 1)[start..end]),
            (y + 1 < ny).then(|| &height.row(y + 1)[start..end]),
        ];
        // The height beyond an edge, given that of the cell there and that of the opposite edge.
        let beyond = |edge, cell: f32, opposite: f32| match self.params.edges.kind(edge) {
            EdgeKind::Pinned => 0.0,
            EdgeKind::Reflecting | EdgeKind::Absorbing => cell,
            EdgeKind::Periodic => opposite,
        };
        for ((side, inside), edge) in scratch.iter_mut().zip(inside).zip(Edge::ALL) {
            side.clear();
            match (edge, inside) {
                (_, Some(_)) if self.land.is_none() => {}
                (_, Some(inside)) => side.extend_from_slice(inside),
                (Edge::West, None) => {
                    side.push(beyond(edge, here[0], here[nx - 1]));
                    side.extend_from_slice(&here[..end - 1]);
                }
                (Edge::East, None) => {
                    side.extend_from_slice(&here[start + 1..]);
                    side.push(beyond(edge, here[nx - 1], here[0]));
                }
                (Edge::North | Edge::South, None) => {
                    let opposite = height.row(ny - 1 - y);
                    let ends = here[start..end].iter().zip(&opposite[start..end]);
                    side.extend(ends.map(|(&cell, &opposite)| beyond(edge, cell, opposite)));
                }
            }
        }
        if let Some(land) = &self.land {
            let is_land = |cell: Result<(usize, usize), ()>| cell.is_ok_and(|cell| land[cell]);
            for (i, x) in (start..end).enumerate() {
                for (side, cell) in scratch.iter_mut().zip(self.adjacent_cells(x, y)) {
                    if is_land(cell) {
                        side[i] = here[x];
                    }
                }
            }
        }
        let copies = scratch.each_ref().map(|side| &side[..]);
        let side = |i: usize| inside[i].filter(|_| self.land.is_none()).unwrap_or(copies[i]);
        [side(0), side(1), side(2), side(3)]
    }

    fn last_height_change(&self, x: usize, y: usize) -> f32 {
        let carried = self.state.carried.as_ref().map_or(0.0, |carried| carried[(x, y)]);
        self.wave_height_change(x, y) + carried
    }

    pub(in crate::waves) fn wave_height_change(&self, x: usize, y: usize) -> f32 {
        let state = &self.state;
        let (west, east) = (state.flux_x[(x, y)], state.flux_x[(x + 1, y)]);
        let (north, south) = (state.flux_y[(x, y)], state.flux_y[(x, y + 1)]);
        self.rule.new_height(0.0, west, east, north, south)
    }

    /// Returns the vertical velocity of the surface in a cell (m/s, positive upward). Returns 0 off
    /// the grid.
    pub fn velocity(&self, x: usize, y: usize) -> f32 {
        if !self.contains(x, y) {
            return 0.0;
        }
        (f64::from(self.last_height_change(x, y)) / self.params.step) as f32
    }

    /// Returns the surface heights (m) at a time between the last two steps, by linear
    /// interpolation. `alpha` is 0 for the older step and 1 for the newer step.
    /// [`advance`](Self::advance) returns the value of `alpha` for the current frame.
    pub fn interpolate_heights(&self, alpha: f64) -> Field<f32> {
        let back = (1.0 - alpha.clamp(0.0, 1.0)) as f32;
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        let mut heights = Field::new(nx, ny, 0.0);
        let tiles = &[Tile::all([nx, ny])];
        write_rows(LayerOutput::new(Reach::Cell, tiles, &mut heights), |y, columns, into| {
            self.write_height_change(y, columns.clone(), into);
            let now = &self.state.height.row(y)[columns];
            into.iter_mut().zip(now).for_each(|(into, now)| *into = now - back * *into);
        });
        heights
    }

    /// Returns the height of the surface at a position (m), by bilinear interpolation between cell
    /// centres. Returns `None` on land and off the grid.
    pub fn surface_at(&self, position: Point) -> Option<f32> {
        self.lattice.cell_at(position).filter(|&(x, y)| !self.is_land(x, y))?;
        let [x, y] = self.lattice.to_cell_coordinates(position);
        Some(self.state.height.sample(x, y))
    }

    /// Returns a normal of the surface at the centre of a cell: `(z_W − z_E, z_N − z_S, 2d)` for
    /// the cell size d (m; east, south, up). The vector is not normalised. Off the grid, it points
    /// straight up.
    pub fn normal(&self, x: usize, y: usize) -> [f32; 3] {
        let [west, east, north, south] = self.neighbour_heights(x, y);
        [west - east, north - south, self.double_cell_size()]
    }

    /// Returns the magnitude of the slope of the surface at the centre of a cell (m per m). Returns
    /// 0 off the grid.
    pub fn slope(&self, x: usize, y: usize) -> f32 {
        let [east, south, up] = self.normal(x, y);
        (east * east + south * south).sqrt() / up
    }

    fn contains(&self, x: usize, y: usize) -> bool {
        x < self.lattice.nx() && y < self.lattice.ny()
    }

    fn unit_normal(&self, x: usize, y: usize) -> [f32; 3] {
        let [east, south, up] = self.normal(x, y);
        let length = (east * east + south * south + up * up).sqrt();
        [east / length, south / length, up / length]
    }

    /// Returns the heights of the western, eastern, northern and southern neighbour of a cell (m).
    /// If the cell is next to a wall or land, its own height replaces that of the missing
    /// neighbour.
    fn neighbour_heights(&self, x: usize, y: usize) -> [f32; 4] {
        if !self.contains(x, y) {
            return [0.0; 4];
        }
        self.neighbour_cells(x, y).map(|cell| cell.map_or(0.0, |cell| self.state.height[cell]))
    }

    pub(in crate::waves) fn double_cell_size(&self) -> f32 {
        (2.0 * self.lattice.dx()) as f32
    }

    /// Returns the column and row of the western, eastern, northern and southern neighbour of a
    /// cell. If a wall or a shore lies on one side, the cell itself replaces the missing neighbour.
    /// The entry is `Err` for a neighbour beyond an edge at which the height is fixed at 0.
    pub(in crate::waves) fn neighbour_cells(
        &self,
        x: usize,
        y: usize,
    ) -> [Result<(usize, usize), ()>; 4] {
        self.adjacent_cells(x, y).map(|cell| match cell {
            Ok((there, row)) if self.is_land(there, row) => Ok((x, y)),
            other => other,
        })
    }

    /// Returns the same cells as [`neighbour_cells`](Self::neighbour_cells), except that a
    /// neighbour on land is not replaced.
    fn adjacent_cells(&self, x: usize, y: usize) -> [Result<(usize, usize), ()>; 4] {
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        let beyond = |edge| match self.params.edges.kind(edge) {
            EdgeKind::Pinned => Err(()),
            EdgeKind::Reflecting | EdgeKind::Absorbing => Ok((x, y)),
            EdgeKind::Periodic => Ok(match edge {
                Edge::West => (nx - 1, y),
                Edge::East => (0, y),
                Edge::North => (x, ny - 1),
                Edge::South => (x, 0),
            }),
        };
        let cell = |edge| match edge {
            Edge::West if x > 0 => Ok((x - 1, y)),
            Edge::East if x + 1 < nx => Ok((x + 1, y)),
            Edge::North if y > 0 => Ok((x, y - 1)),
            Edge::South if y + 1 < ny => Ok((x, y + 1)),
            _ => beyond(edge),
        };
        Edge::ALL.map(cell)
    }

    /// Returns the surface as a triangle mesh over all cells, including land.
    pub fn mesh(&self) -> Mesh {
        Mesh::from_heights(self.lattice, &self.state.height)
    }

    /// Returns the bed height and the water depth of a cell for meshes (m). In water cells, the bed
    /// lies far below the surface. In land cells, the depth is 0.
    fn bed_and_depth(&self, x: usize, y: usize) -> [f32; 2] {
        let deep = (4.0 * self.params.highest) as f32;
        if self.is_land(x, y) { [deep, 0.0] } else { [-deep, deep + self.state.height[(x, y)]] }
    }

    /// Returns the water surface as a triangle mesh, without triangles whose three corners are all
    /// on land. A corner on land takes the mean height of the adjacent water, so that the mesh is
    /// level at the shore.
    pub fn water_mesh(&self) -> Mesh {
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        let [bed, depth] =
            [0, 1].map(|i| Field::from_fn(nx, ny, |x, y| self.bed_and_depth(x, y)[i]));
        Mesh::from_water(self.lattice, &bed, &depth, 0.0)
    }

    /// Computes the brightness of a flat bed at `depth` (m) that is lit vertically through the
    /// surface. The mean brightness is 1. Each cell sends its light along one refracted ray to the
    /// four cells that are nearest to the point where the ray meets the bed. Rays stay within the
    /// grid or cross a periodic edge, so no light is lost.
    pub fn caustics(&self, depth: f64) -> Field<f32> {
        let grid = self.grid_size();
        let mut light = Field::new(grid[0], grid[1], 0.0);
        self.write_caustics(depth, LayerOutput::new(Reach::Cell, &[Tile::all(grid)], &mut light));
        light
    }

    fn write_caustics(&self, depth: f64, output: LayerOutput<'_>) {
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        let mut light = self.scratch.take_filled(nx * ny, 0.0_f64);
        let periodic = [
            self.params.edges.west == EdgeKind::Periodic,
            self.params.edges.north == EdgeKind::Periodic,
        ];
        for y in 0..ny {
            for x in 0..nx {
                let [east, south] = refracted_direction(self.unit_normal(x, y));
                let cells = depth / self.lattice.dx();
                let ((x0, x1), tx) = interpolation_cells(x as f64 + east * cells, nx, periodic[0]);
                let ((y0, y1), ty) = interpolation_cells(y as f64 + south * cells, ny, periodic[1]);
                light[y0 * nx + x0] += (1.0 - tx) * (1.0 - ty);
                light[y0 * nx + x1] += tx * (1.0 - ty);
                light[y1 * nx + x0] += (1.0 - tx) * ty;
                light[y1 * nx + x1] += tx * ty;
            }
        }
        let light = &light;
        write_rows(output, |y, columns, into| {
            let light = &light[y * nx..][columns];
            into.iter_mut().zip(light).for_each(|(into, &light)| *into = light as f32);
        });
    }
}

/// Converts height changes during a step (m) to velocities (m/s). `step` is the length of the step
/// (s).
#[multiversion(targets = "simd")]
fn convert_to_velocities(changes: &mut [f32], step: f64) {
    for change in changes {
        *change = (f64::from(*change) / step) as f32;
    }
}

#[multiversion(targets = "simd")]
fn compute_height_changes(
    rule: &WaveCoefficients,
    [west, east, north, south]: [&[f32]; 4],
    into: &mut [f32],
) {
    let n = into.len();
    let (west, east, north, south) = (&west[..n], &east[..n], &north[..n], &south[..n]);
    let rule = *rule;
    for (i, into) in into.iter_mut().enumerate() {
        *into = rule.new_height(0.0, west[i], east[i], north[i], south[i]);
    }
}

/// Computes one component of the unit normals from the heights of the neighbours: the eastward
/// component if `AXIS` is 0, or the southward component if it is 1. `double_cell_size` is twice the
/// cell size.
#[multiversion(targets = "simd")]
fn compute_normals<const AXIS: usize>(
    [west, east, north, south]: [&[f32]; 4],
    double_cell_size: f32,
    into: &mut [f32],
) {
    let n = into.len();
    let (west, east, north, south) = (&west[..n], &east[..n], &north[..n], &south[..n]);
    for (i, into) in into.iter_mut().enumerate() {
        let normal = [west[i] - east[i], north[i] - south[i]];
        let length =
            (normal[0] * normal[0] + normal[1] * normal[1] + double_cell_size * double_cell_size)
                .sqrt();
        *into = normal[AXIS] / length;
    }
}

/// Computes the magnitude of the slope of the surface from the heights of the neighbours.
/// `double_cell_size` is twice the cell size.
#[multiversion(targets = "simd")]
fn compute_slopes(
    [west, east, north, south]: [&[f32]; 4],
    double_cell_size: f32,
    into: &mut [f32],
) {
    let n = into.len();
    let (west, east, north, south) = (&west[..n], &east[..n], &north[..n], &south[..n]);
    for (i, into) in into.iter_mut().enumerate() {
        let [x, y] = [west[i] - east[i], north[i] - south[i]];
        *into = (x * x + y * y).sqrt() / double_cell_size;
    }
}

const REFRACTIVE_INDEX: f64 = 1.33;

/// Returns the direction of vertical light after refraction at a surface with the given unit normal
/// (Snell's law). The components are the eastward and the southward distance that the light travels
/// per metre of descent.
pub fn refracted_direction(normal: [f32; 3]) -> [f64; 2] {
    let [east, south, up] = normal.map(f64::from);
    let ratio = 1.0 / REFRACTIVE_INDEX;
    let along = ratio * up - (1.0 - ratio * ratio * (1.0 - up * up)).sqrt();
    let down = ratio - along * up;
    [along * east / down, along * south / down]
}

/// Returns the indices (0 to `n − 1`) of the two cells on either side of a position (in cells), and
/// the interpolation weight of the second cell.
fn interpolation_cells(position: f64, n: usize, periodic: bool) -> ((usize, usize), f64) {
    if periodic {
        let base = position.floor();
        let place = |p: f64| (p - n as f64 * (p / n as f64).floor()) as usize % n;
        return ((place(base), place(base + 1.0)), position - base);
    }
    let inside = position.clamp(0.0, (n - 1) as f64);
    let base = inside as usize;
    ((base, (base + 1).min(n - 1)), inside - base as f64)
}
