//! `hydrology`: rivers, lakes and forests that carve the land.
//!
//! A [`Hydrology`] is a world of rock, soil, lakes and plants. It moves by drops that fall as rain, carve as
//! they run, and end in lakes or off the map (N. McDonald, "Procedural hydrology", 2020). Drops fall in
//! batches, all over the same land, so that they walk on as many threads as there are with the same
//! outcome. Lakes are held by a hierarchy of depressions: they rise, spill, merge, split and dry up, and
//! adding a drop does not depend on how large they are. Heights and volumes are whole numbers: the books of
//! water and sediment close exactly. Time is rain: there are no waves, no floods and no seconds here. For
//! those, hand the land over to [`flow`](crate::flow).
//!
//! ```
//! use headwater::hydrology::{Hydrology, Params};
//! use headwater::{Field, Square};
//!
//! // A valley of 64 m × 48 m that falls to the east, with a hollow in it.
//! let lattice = Square::new(64, 48, 1.0, 1.0)?;
//! let bed = Field::from_fn(64, 48, |x, y| {
//!     let (x, y) = (x as f32, y as f32);
//!     let hollow = ((x - 40.0).powi(2) + (y - 24.0).powi(2)) / 40.0;
//!     20.0 - 0.2 * x + 0.3 * (y - 24.0).abs() - 4.0 * (-hollow).exp()
//! });
//! let mut world = Hydrology::new(lattice, Params::default(), &bed)?;
//! world.rain(20_000);
//! let lake = world.view("depth").expect("a layer of its own");
//! assert!(world.drops() >= 20_000);
//! assert!(world.balance().books.washed_out > 0, "the rivers carry land away");
//! assert_eq!(world.balance().water_residual, 0, "not a drop is lost");
//! assert_eq!(world.balance().sediment_residual, 0, "nor a grain");
//!
//! // Where most water runs.
//! let discharge = world.view("discharge").expect("a layer of its own");
//! assert!(discharge.min_max().is_some_and(|(_, most)| most > 300.0), "m³ per m of rain");
//!
//! // A run can stop at any time and go on later.
//! let mut again = Hydrology::restore(world.snapshot())?;
//! world.rain(1000);
//! again.rain(1000);
//! assert_eq!(world.state_hash(), again.state_hash());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod books;
mod creep;
mod edit;
mod error;
mod exchange;
mod fixed;
mod forest;
mod grid;
mod hierarchy;
mod lakes;
mod params;
pub mod plain;
mod query;
mod rain;
mod random;
pub mod report;
mod rock;
mod sea;
mod snapshot;
mod step;
mod streams;
mod tune;
mod view;
mod walk;
mod water;
mod winds;

pub use crate::brush::Change;
pub use books::{Balance, Books};
pub use edit::Edit;
pub use error::HydrologyError;
pub use forest::{Niche, Plant};
pub use params::{EdgeKind, Edges, Params, ParamsError, Strata};
pub use query::Lake;
pub use rain::Inflow;
pub use snapshot::Snapshot;
pub use streams::Streams;
pub use tune::Found;
pub use view::VIEWS;
pub use winds::{Wind, rain_of_winds};

use crate::field::Field;
use crate::lattice::Square;
use grid::Grid;
use hierarchy::Terrain;
use rain::Rain;
use serde::{Deserialize, Serialize};
use water::{Holding, Waters};

/// The highest height and the lowest depth there can be (m): sums of heights must fit in 64 bits.
pub const HIGHEST: f64 = 32768.0;
/// The most cells of a map, for the same reason.
pub const MAX_CELLS: usize = 1 << 26;

/// What makes a world: everything else follows from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Land {
    lattice: Square,
    params: Params,
    /// Heights, and how much of them is soil (quanta).
    bed: Vec<i64>,
    soil: Vec<i64>,
    /// Cells that drain to each cell, averaged over drops, and the mean direction of the drops times it.
    area: Vec<f32>,
    momentum: Vec<[f32; 2]>,
    plants: Vec<Plant>,
    rain: Rain,
    books: Books,
    batches: u64,
    drops: u64,
    /// Depth of rain since the start (drops per cell).
    depth: f64,
}

/// A world of land, lakes and plants.
#[derive(Clone, Debug)]
pub struct Hydrology {
    land: Land,
    waters: Waters,
    /// Heights as drops read them (m).
    mirror: Vec<f32>,
    /// Cover of plants over each cell.
    cover: Vec<f32>,
    room: step::Room,
}

impl Land {
    fn grid(&self) -> Grid {
        Grid { nx: self.lattice.nx(), ny: self.lattice.ny() }
    }

    fn terrain(&self) -> Terrain<'_> {
        let Self { bed, params, .. } = self;
        Terrain { grid: self.grid(), bed, edges: &params.edges, sea: fixed::quanta(params.sea) }
    }

    /// Water of a drop (quanta on a cell).
    fn drop(&self) -> i64 {
        fixed::quanta(self.params.drop * self.lattice.dx()).max(1)
    }
}

impl Hydrology {
    /// A world of dry land with this bed (m).
    ///
    /// # Errors
    /// [`HydrologyError`] if a parameter is out of its range, cells are not square, the map has less than 3
    /// columns or rows or more than [`MAX_CELLS`], the field another shape, or a height is not finite or
    /// beyond ±[`HIGHEST`].
    pub fn new(lattice: Square, params: Params, bed: &Field<f32>) -> Result<Self, HydrologyError> {
        check_map(&lattice)?;
        params.validate()?;
        let grid = Grid { nx: lattice.nx(), ny: lattice.ny() };
        check_shape(grid, "bed", bed)?;
        check_values("height", bed, &format!("from -{HIGHEST} to {HIGHEST} m"), |z| {
            f64::from(z.abs()) <= HIGHEST
        })?;
        let cells = grid.cells();
        let bed: Vec<i64> = bed.as_slice().iter().map(|&z| fixed::quanta(z.into())).collect();
        let books = Books { ground: total(&bed), ..Books::default() };
        let soil = fixed::quanta(params.soil);
        let plants = if params.plants.is_empty() { 0 } else { cells };
        let land = Land {
            lattice,
            params,
            bed,
            soil: vec![soil; cells],
            area: vec![0.0; cells],
            momentum: vec![[0.0; 2]; cells],
            plants: vec![Plant::default(); plants],
            rain: Rain::default(),
            books,
            batches: 0,
            drops: 0,
            depth: 0.0,
        };
        Ok(Self::of(land, &[]))
    }

    /// The world of a land and what its depressions hold.
    fn of(land: Land, held: &[Holding]) -> Self {
        let grid = land.grid();
        let (waters, gone) = Waters::new(land.terrain(), held, Vec::new());
        let mirror = land.bed.iter().map(|&z| fixed::metres_f32(z)).collect();
        let mut cover = vec![0.0; grid.cells()];
        if !land.plants.is_empty() {
            forest::shade_all(grid, &land.plants, &mut cover);
        }
        let mut world = Self { land, waters, mirror, cover, room: step::Room::default() };
        world.book(gone);
        world
    }

    fn book(&mut self, gone: water::Gone) {
        self.land.books.exported += i128::from(gone.water);
        self.land.books.washed_out += i128::from(gone.sediment);
    }

    /// Where cells are.
    pub fn lattice(&self) -> &Square {
        &self.land.lattice
    }

    /// The parameters the world was made with.
    pub fn params(&self) -> &Params {
        &self.land.params
    }

    /// Drops that have fallen as rain or come by rivers since the start.
    pub fn drops(&self) -> u64 {
        self.land.drops
    }

    /// Batches done since the start.
    pub fn batches(&self) -> u64 {
        self.land.batches
    }

    /// Mean depth of the rain since the start (drops per cell): what stands for time.
    pub fn depth_of_rain(&self) -> f64 {
        self.land.depth
    }

    /// What came and went.
    pub fn ledger(&self) -> &Books {
        &self.land.books
    }

    /// The books held against what is there. It looks at every cell.
    pub fn balance(&self) -> Balance {
        let [lakes, suspended] = self.waters.totals();
        let totals = [lakes, total(&self.land.bed), suspended];
        Balance::new(self.land.books.clone(), totals, self.land.lattice.cell_area())
    }

    /// Sets where it rains more and where less (any unit; only ratios count), or with `None` the same
    /// everywhere.
    ///
    /// # Errors
    /// [`HydrologyError`] if the map has another shape, a value below 0 or not finite, is 0 everywhere, or above
    /// 64 times its mean anywhere.
    pub fn set_rain(&mut self, map: Option<&Field<f32>>) -> Result<(), HydrologyError> {
        let Some(map) = map else {
            self.land.rain.map = None;
            return Ok(());
        };
        check_shape(self.land.grid(), "map of rain", map)?;
        check_values("rain", map, "a number of 0 or above", |rain| {
            rain.is_finite() && rain >= 0.0
        })?;
        let most = map.min_max().map_or(0.0, |range| range.1);
        let mean = (map.sum() / map.as_slice().len() as f64) as f32;
        let found = most / mean;
        if found.is_nan() || found > rain::MOST {
            return Err(HydrologyError::Rain { max: rain::MOST, found });
        }
        self.land.rain.map = Some(map.map(|rain| rain / most));
        Ok(())
    }

    /// Lets a river enter from outside.
    ///
    /// # Errors
    /// [`HydrologyError`] if it lies off the map, or its catchment is not above 0 and at most 10⁴ times the
    /// map.
    pub fn add_inflow(&mut self, inflow: Inflow) -> Result<(), HydrologyError> {
        self.cell_at("inflow", inflow.position)?;
        let most = 1e4 * self.land.lattice.cell_area() * self.land.grid().cells() as f64;
        if !(inflow.catchment > 0.0 && inflow.catchment <= most) {
            let allowed = format!("above 0 m² and at most {most} m²");
            let (what, found) = ("catchment of an inflow", inflow.catchment);
            return Err(HydrologyError::Amount { what, found, allowed });
        }
        self.land.rain.inflows.push(inflow);
        Ok(())
    }

    /// Where it rains more and where less, 1 in the mean; `None` if it rains the same everywhere.
    pub fn rain_map(&self) -> Option<Field<f32>> {
        let (grid, rain) = (self.land.grid(), &self.land.rain);
        rain.map.as_ref()?;
        let by_cell = rain.by_cell(grid);
        Some(Field::from_fn(grid.nx, grid.ny, |x, y| by_cell[y * grid.nx + x] as f32))
    }

    /// The rivers that enter from outside.
    pub fn inflows(&self) -> &[Inflow] {
        &self.land.rain.inflows
    }

    /// Pours a volume (m³) at a place (m). It runs at once to where it will stand, over full lakes
    /// and off the map, without carving.
    ///
    /// # Errors
    /// [`HydrologyError`] if the place lies off the map, or the volume is not 0 to 10⁵ m on every cell.
    pub fn pour(&mut self, place: crate::region::Point, volume: f64) -> Result<(), HydrologyError> {
        let cell = self.cell_at("place to pour", place)?;
        let most = 1e5 * self.land.lattice.cell_area() * self.land.grid().cells() as f64;
        if !(0.0..=most).contains(&volume) {
            let allowed = format!("from 0 to {most} m³");
            return Err(HydrologyError::Amount { what: "volume to pour", found: volume, allowed });
        }
        let volume = fixed::quanta(volume / self.land.lattice.cell_area());
        self.land.books.poured += i128::from(volume);
        let gone = self.waters.pour(self.land.terrain(), cell, volume);
        self.book(gone);
        Ok(())
    }

    /// The cell that a place (m) lies in.
    fn cell_at(&self, what: &'static str, [x, y]: [f64; 2]) -> Result<usize, HydrologyError> {
        let lattice = &self.land.lattice;
        let (width, height) =
            (lattice.nx() as f64 * lattice.dx(), lattice.ny() as f64 * lattice.dy());
        if !((0.0..width).contains(&x) && (0.0..height).contains(&y)) {
            return Err(HydrologyError::OffMap { what, x, y, width, height });
        }
        let cell = |metres: f64, size: f64, n: usize| ((metres / size) as usize).min(n - 1);
        let (x, y) = (cell(x, lattice.dx(), lattice.nx()), cell(y, lattice.dy(), lattice.ny()));
        Ok(y * lattice.nx() + x)
    }
}

/// The sum of heights (quanta).
fn total(heights: &[i64]) -> i128 {
    heights.iter().map(|&z| i128::from(z)).sum()
}

fn check_map(lattice: &Square) -> Result<(), HydrologyError> {
    let (dx, dy) = (lattice.dx(), lattice.dy());
    if dx != dy {
        return Err(HydrologyError::NotSquare { dx, dy });
    }
    let (nx, ny) = (lattice.nx(), lattice.ny());
    if nx < 3 || ny < 3 || nx * ny > MAX_CELLS {
        return Err(HydrologyError::Size { nx, ny, max: MAX_CELLS });
    }
    Ok(())
}

fn check_shape<T>(grid: Grid, what: &'static str, field: &Field<T>) -> Result<(), HydrologyError> {
    let (found_nx, found_ny) = (field.nx(), field.ny());
    if (found_nx, found_ny) == (grid.nx, grid.ny) {
        return Ok(());
    }
    Err(HydrologyError::Shape { what, found_nx, found_ny, nx: grid.nx, ny: grid.ny })
}

fn check_values(
    what: &'static str,
    field: &Field<f32>,
    allowed: &str,
    ok: impl Fn(f32) -> bool,
) -> Result<(), HydrologyError> {
    match field.as_slice().iter().position(|&value| !ok(value)) {
        None => Ok(()),
        Some(i) => {
            let (x, y) = (i % field.nx(), i / field.nx());
            let (found, allowed) = (field[(x, y)].into(), allowed.to_owned());
            Err(HydrologyError::Cell { what, x, y, found, allowed })
        }
    }
}
