//! [`PixelScene`]: state of a world seen from the side, prepared for drawing one picture.

use super::canvas::drawn_cell_count;
use super::light::CellField;
use headwater::Field;
use headwater::blocks::{Blocks, Cell, FULL, Liquid};
use headwater::columns::Columns;

/// Maximum width (cells) of a stream whose entry into a body of liquid is drawn.
const MAX_STREAM_WIDTH: usize = 16;

/// Content of a drawn cell: air, wall, or liquid with a fill fraction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SceneCell(Cell);

impl SceneCell {
    pub(super) fn is_wall(self) -> bool {
        self.0 == Cell::Wall
    }

    pub(super) fn liquid(self) -> Option<Liquid> {
        self.0.liquid()
    }

    /// Returns the fill fraction of the cell, 0 to 1.
    pub(super) fn fill_fraction(self) -> f32 {
        f32::from(self.0.fill()) / f32::from(FULL)
    }
}

/// Properties of a cell on which the drawing of walls depends, both in the cell and in its
/// neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WallState {
    is_wall: bool,
    is_wet: bool,
    depth_in_rock: f32,
}

/// State of a world seen from the side at one time: cells, bodies of liquid, pressure heads and
/// light.
pub(super) struct PixelScene {
    pub(super) nx: usize,
    pub(super) ny: usize,
    pub(super) ticks: u64,
    cells: Field<SceneCell>,
    /// Number of the connected body of liquid that contains each cell, counted from 1; 0 in cells
    /// without standing liquid.
    pub(super) body: Field<f32>,
    /// Pressure head in each cell (cells).
    pub(super) head: Field<f32>,
    /// Colour index of each body of liquid, by body number; empty if the picture does not use body
    /// colours.
    pub(super) colors: Vec<u8>,
    /// Distance (cells) of each cell from the nearest cell that is not a wall.
    pub(super) depth_in_rock: CellField,
    /// Strength of the light from lava in each cell, 0 to 1.
    pub(super) glow: CellField,
    /// Streams that enter a body of liquid in each cell.
    landings: Field<Option<Landing>>,
}

/// Stream that falls onto a body of liquid and raises its surface for a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Landing {
    /// Vertical position of the surface beside the stream (cells below the top of the picture). The
    /// stream is drawn down to this surface.
    pub(super) surface: f32,
    /// Fill fraction of the lowest cell of the stream (0 to 1).
    pub(super) fill_fraction: f32,
}

impl PixelScene {
    /// Creates the scene from every `skip`-th cell of a block world along each axis.
    pub(super) fn new(world: &Blocks, skip: usize) -> Self {
        let [nx, ny] = [world.nx(), world.ny()].map(|cells| drawn_cell_count(cells, skip));
        let all = world.cells();
        let sample = |field: Option<Field<f32>>| {
            let empty = || Field::new(world.nx(), world.ny(), 0.0);
            let field = field.unwrap_or_else(empty);
            if skip == 1 {
                field
            } else {
                Field::from_fn(nx, ny, |x, y| field[(x * skip, y * skip)])
            }
        };
        let cells = Field::from_fn(nx, ny, |x, y| SceneCell(all[(x * skip, y * skip)]));
        let lava = Field::from_fn(nx, ny, |x, y| match cells[(x, y)].liquid() {
            Some(Liquid::Lava) => cells[(x, y)].fill_fraction(),
            _ => 0.0,
        });
        let mut scene = Self {
            body: sample(world.layer("body")),
            head: sample(world.layer("pressure")),
            glow: CellField::new(super::light::spread_light(lava)),
            ..Self::from_cells(cells, world.steps())
        };
        scene.find_landings();
        scene
    }

    /// Creates a scene from cells, without bodies of liquid and without light.
    fn from_cells(cells: Field<SceneCell>, ticks: u64) -> Self {
        let (nx, ny) = (cells.nx(), cells.ny());
        let is_open = |x, y| !cells[(x, y)].is_wall();
        let depth_in_rock = CellField::new(super::light::distance_transform(nx, ny, is_open));
        let [body, head, glow] = [(); 3].map(|()| Field::new(nx, ny, 0.0));
        let (colors, glow) = (Vec::new(), CellField::new(glow));
        let landings = Field::new(nx, ny, None);
        Self { nx, ny, ticks, cells, body, head, colors, depth_in_rock, glow, landings }
    }

    /// Creates the scene from the walls and wet cells of a column world, at every `skip`-th cell
    /// along each axis.
    pub(super) fn from_pools(world: &Columns, skip: usize) -> Self {
        let empty = || Field::new(1, 1, 0.0);
        let [walls, fill] = ["walls", "fill"].map(|name| world.layer(name).unwrap_or_else(empty));
        let [nx, ny] = [walls.nx(), walls.ny()].map(|cells| drawn_cell_count(cells, skip));
        let cells = Field::from_fn(nx, ny, |x, y| {
            let place = (x * skip, y * skip);
            let fill = (fill[place] * f32::from(FULL)) as u16;
            SceneCell(match () {
                () if walls[place] > 0.0 => Cell::Wall,
                () if fill > 0 => Cell::Liquid(Liquid::Water, fill),
                () => Cell::Air,
            })
        });
        Self::from_cells(cells, world.steps())
    }

    pub(super) fn cell(&self, x: usize, y: usize) -> SceneCell {
        self.cells[(x, y)]
    }

    pub(super) fn wall_state(&self, x: usize, y: usize) -> WallState {
        let cell = self.cell(x, y);
        let (is_wall, is_wet) = (cell.is_wall(), cell.liquid().is_some());
        WallState { is_wall, is_wet, depth_in_rock: self.depth_in_rock.value_in_cell(x, y) }
    }

    /// Returns the cell at an offset of `columns` columns and `rows` rows from the cell `(x, y)`.
    /// Cells beyond the sides and the bottom of the world are walls; cells above the top are air.
    pub(super) fn cell_at_offset(
        &self,
        x: usize,
        y: usize,
        columns: isize,
        rows: isize,
    ) -> SceneCell {
        match (x.checked_add_signed(columns), y.checked_add_signed(rows)) {
            (Some(x), Some(y)) if x < self.nx && y < self.ny => self.cells[(x, y)],
            (_, None) => SceneCell(Cell::Air),
            _ => SceneCell(Cell::Wall),
        }
    }

    /// Returns the stream that enters a body of liquid in the cell `(x, y)`.
    pub(super) fn landing(&self, x: usize, y: usize) -> Option<Landing> {
        self.landings[(x, y)]
    }

    fn find_landings(&mut self) {
        for y in 1..self.ny {
            for x in 0..self.nx {
                if !self.is_hit(x, y) {
                    continue;
                }
                let own = self.surface(x, y);
                let Some(surface) = self.surface_beside_stream(x, y).filter(|beside| *beside > own)
                else {
                    continue;
                };
                let fill_fraction = self.cell(x, y - 1).fill_fraction();
                for row in y..=(surface as usize).min(self.ny - 1) {
                    self.landings[(x, row)] = Some(Landing { surface, fill_fraction });
                }
            }
        }
    }

    /// Returns the vertical position of the surface in a cell (cells below the top of the picture).
    fn surface(&self, x: usize, y: usize) -> f32 {
        (y + 1) as f32 - self.cell(x, y).fill_fraction()
    }

    /// Returns true if a falling stream of the same liquid hits the standing liquid in a cell.
    fn is_hit(&self, x: usize, y: usize) -> bool {
        let liquid = self.cell(x, y).liquid();
        liquid.is_some()
            && self.is_standing(x, y)
            && y > 0
            && self.cell(x, y - 1).liquid() == liquid
            && !self.is_standing(x, y - 1)
    }

    /// Returns the vertical position (cells below the top of the picture) that the surface would
    /// have below a stream that hits the cell `(x, y)`. It is interpolated between the nearest
    /// columns of the same body that no stream hits. Returns `None` if there are none.
    fn surface_beside_stream(&self, x: usize, y: usize) -> Option<f32> {
        let find = |columns: &mut dyn Iterator<Item = usize>| {
            for (distance, column) in columns.take(MAX_STREAM_WIDTH).enumerate() {
                let mut rows = y - 1..(y + 4).min(self.ny);
                let row = rows.find(|&row| self.body[(column, row)] == self.body[(x, y)])?;
                if !self.is_hit(column, row) {
                    return Some((distance as f32 + 1.0, self.surface(column, row)));
                }
            }
            None
        };
        match [find(&mut (0..x).rev()), find(&mut (x + 1..self.nx))] {
            [Some((west, a)), Some((east, b))] => Some((a * east + b * west) / (west + east)),
            [a, b] => a.or(b).map(|(_, surface)| surface),
        }
    }

    /// Returns true if the cell belongs to a standing body of liquid.
    pub(super) fn is_standing(&self, x: usize, y: usize) -> bool {
        self.body[(x, y)] > 0.0
    }
}
