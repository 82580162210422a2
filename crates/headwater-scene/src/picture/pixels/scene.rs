//! [`Scene`]: a world in side view at one moment, as the painter looks at it.

use super::light::Soft;
use headwater::Field;
use headwater::blocks::{Blocks, Cell, FULL, Liquid};
use headwater::columns::Columns;

/// What a cell holds, and how it is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SceneCell(Cell);

impl SceneCell {
    pub(super) fn is_wall(self) -> bool {
        self.0 == Cell::Wall
    }

    pub(super) fn liquid(self) -> Option<Liquid> {
        self.0.liquid()
    }

    /// How full it is, 0 to 1.
    pub(super) fn part(self) -> f32 {
        f32::from(self.0.fill()) / f32::from(FULL)
    }
}

/// What of a cell the looks of walls follow from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WallState {
    is_wall: bool,
    is_wet: bool,
    depth_in_rock: f32,
}

/// Cells, bodies, heads and light.
pub(super) struct Scene {
    pub(super) nx: usize,
    pub(super) ny: usize,
    pub(super) ticks: u64,
    cells: Field<SceneCell>,
    /// Number of the body from 1; 0 where nothing stands.
    pub(super) body: Field<f32>,
    /// Head (cells).
    pub(super) head: Field<f32>,
    /// The colour of each body, by its number; empty where colours do not matter.
    pub(super) colors: Vec<u8>,
    /// Cells from the nearest cell that is no wall.
    pub(super) depth_in_rock: Soft,
    pub(super) glow: Soft,
}

impl Scene {
    /// What is to be seen of every `skip`-th cell.
    pub(super) fn new(world: &Blocks, skip: usize) -> Self {
        let (nx, ny) = (world.nx() / skip, world.ny() / skip);
        let all = world.cells();
        let thin = |field: Option<Field<f32>>| {
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
            Some(Liquid::Lava) => cells[(x, y)].part(),
            _ => 0.0,
        });
        Self {
            body: thin(world.layer("body")),
            head: thin(world.layer("pressure")),
            glow: Soft::new(super::light::spread(lava)),
            ..Self::of(cells, world.steps())
        }
    }

    /// Cells in which nothing stands and nothing glows.
    fn of(cells: Field<SceneCell>, ticks: u64) -> Self {
        let (nx, ny) = (cells.nx(), cells.ny());
        let is_open = |x, y| !cells[(x, y)].is_wall();
        let depth_in_rock = Soft::new(super::light::distance(nx, ny, is_open));
        let [body, head, glow] = [(); 3].map(|()| Field::new(nx, ny, 0.0));
        let (colors, glow) = (Vec::new(), Soft::new(glow));
        Self { nx, ny, ticks, cells, body, head, colors, depth_in_rock, glow }
    }

    /// The walls of every `skip`-th cell of a world of pools, and where they are wet.
    pub(super) fn of_pools(world: &Columns, skip: usize) -> Self {
        let empty = || Field::new(1, 1, 0.0);
        let [walls, fill] = ["walls", "fill"].map(|name| world.layer(name).unwrap_or_else(empty));
        let (nx, ny) = (walls.nx() / skip, walls.ny() / skip);
        let cells = Field::from_fn(nx, ny, |x, y| {
            let place = (x * skip, y * skip);
            let fill = (fill[place] * f32::from(FULL)) as u16;
            SceneCell(match () {
                () if walls[place] > 0.0 => Cell::Wall,
                () if fill > 0 => Cell::Liquid(Liquid::Water, fill),
                () => Cell::Air,
            })
        });
        Self::of(cells, world.steps())
    }

    pub(super) fn cell(&self, x: usize, y: usize) -> SceneCell {
        self.cells[(x, y)]
    }

    pub(super) fn wall_state(&self, x: usize, y: usize) -> WallState {
        let cell = self.cell(x, y);
        let (is_wall, is_wet) = (cell.is_wall(), cell.liquid().is_some());
        WallState { is_wall, is_wet, depth_in_rock: self.depth_in_rock.in_cell(x, y) }
    }

    /// A neighbour. Beyond the sides and the bottom there is wall, above the top air.
    pub(super) fn beside(&self, x: usize, y: usize, east: isize, down: isize) -> SceneCell {
        match (x.checked_add_signed(east), y.checked_add_signed(down)) {
            (Some(x), Some(y)) if x < self.nx && y < self.ny => self.cells[(x, y)],
            (_, None) => SceneCell(Cell::Air),
            _ => SceneCell(Cell::Wall),
        }
    }

    pub(super) fn stands(&self, x: usize, y: usize) -> bool {
        self.body[(x, y)] > 0.0
    }
}
