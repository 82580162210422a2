//! The world itself: what it holds, how it is made, and what it is asked.

use super::check::{cell_at, check_field, check_map};
use super::fabric;
use super::fixed::{self, HIGHEST};
use super::forest::{self, Plant};
use super::held::Holding;
use super::land::Land;
use super::ledger::{Ledgers, Substance};
use super::params::Params;
use super::rain::{self, Inflow, Rain};
use super::scale::Scale;
use super::water::Waters;
use super::workspace::Workspace;
use crate::changes::{Changes, TILE, Tracker};
use crate::error::{InputError, format_number};
use crate::field::Field;
use crate::ids::{Id, IdList};
use crate::lattice::Square;
use crate::ledger::{Balance, Cause, Ledger};
use crate::parameter::Range;
use crate::region::Point;
use crate::scratch::ScratchPool;

/// A world of land, lakes and plants.
#[derive(Clone, Debug)]
pub struct Hydrology {
    pub(super) land: Land,
    pub(super) ledgers: Ledgers,
    pub(super) waters: Waters,
    pub(super) heights: Field<f32>,
    /// Softness and steepness of the rock in each cell: [`fabric::of`] the land.
    pub(super) fabric: Vec<f32>,
    pub(super) cover: Field<f32>,
    pub(super) workspace: Workspace,
    pub(super) scratch: ScratchPool,
    pub(super) changes: Tracker,
}

impl Hydrology {
    /// A world of dry land with this bed (m).
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of its range, cells are not square, the map has less than 3
    /// columns or rows or more than [`MAX_CELLS`](super::MAX_CELLS), the field another shape, or a height is
    /// not finite or beyond ±[`HIGHEST`].
    pub fn new(lattice: Square, params: Params, bed: &Field<f32>) -> Result<Self, InputError> {
        check_map(&lattice)?;
        params.validate()?;
        Scale::check(&params, &lattice)?;
        let allowed = Range::new(-HIGHEST, HIGHEST).text("m");
        check_field("bed", bed, &lattice.into(), allowed, |z| f64::from(z.abs()) <= HIGHEST)?;
        let cells = lattice.nx() * lattice.ny();
        let bed: Vec<i64> = bed.as_slice().iter().map(|&z| fixed::quanta(z.into())).collect();
        let ledgers = Ledgers::new(total(&bed));
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
            uplift: None,
            storm: None,
            steps: 0,
            drops: 0,
            time: 0.0,
            pending: 0.0,
        };
        Ok(Self::of(land, ledgers, &[]))
    }

    pub(super) fn of(land: Land, mut ledgers: Ledgers, held: &[Holding]) -> Self {
        let grid = land.grid();
        let (mut waters, scratch) = (Waters::default(), ScratchPool::default());
        ledgers.book(waters.refill(land.terrain(), held, &scratch));
        let height = |x: usize, y: usize| fixed::metres_f32(land.bed[y * grid.nx + x]);
        let heights = Field::from_fn(grid.nx, grid.ny, height);
        let mut cover = Field::new(grid.nx, grid.ny, 0.0);
        if !land.plants.is_empty() {
            forest::shade_all(grid, &land.plants, cover.as_mut_slice());
        }
        let (workspace, changes) = (Workspace::default(), Tracker::new(grid.nx, grid.ny));
        let fabric = fabric::of(&land, 0);
        Self { fabric, land, ledgers, waters, heights, cover, workspace, scratch, changes }
    }

    pub(super) fn holdings(&self) -> Vec<Holding> {
        let (mut held, _) = self.waters.holdings(self.land.terrain(), 0, &self.scratch);
        held.retain(Holding::is_something);
        held.extend(self.waters.suspensions());
        std::mem::take(&mut *held)
    }

    pub(super) fn refill(&mut self, held: &[Holding], scratch: &ScratchPool) {
        let gone = self.waters.refill(self.land.terrain(), held, scratch);
        // Their nodes have other numbers now.
        self.changes.merge_groups();
        self.ledgers.book(gone);
    }

    /// The water's level over each cell (quanta), or the ground's where it is dry.
    fn levels(&self) -> Vec<i64> {
        let terrain = self.land.terrain();
        let level = |(i, &z)| self.waters.level_over(terrain, i).unwrap_or(z);
        self.land.bed.iter().enumerate().map(level).collect()
    }

    /// Changes the land under its water, which finds new levels, and marks what differs in ground
    /// or level; `change` marks the rest.
    pub(super) fn reshape<T>(&mut self, change: impl FnOnce(&mut Self) -> T) -> T {
        let (held, before) = (self.holdings(), self.levels());
        self.changes.next_tick();
        let outcome = change(self);
        let scratch = std::mem::take(&mut self.scratch);
        self.refill(&held, &scratch);
        self.scratch = scratch;
        let nx = self.land.grid().nx;
        for (i, (old, new)) in before.into_iter().zip(self.levels()).enumerate() {
            if old != new {
                self.changes.mark(i % nx, i / nx);
            }
        }
        outcome
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

    /// Steps done since the start, each a batch of drops.
    pub fn steps(&self) -> u64 {
        self.land.steps
    }

    /// Time since the start: the mean depth of the rain (drops per cell).
    pub fn time(&self) -> f64 {
        self.land.time
    }

    /// What came and went, in quanta: each the volume [`quantum`](Self::quantum).
    pub fn ledger(&self, substance: Substance) -> &Ledger<i128> {
        match substance {
            Substance::Water => &self.ledgers.water,
            Substance::Sediment => &self.ledgers.sediment,
        }
    }

    /// The books held against what is there, in quanta: each the volume [`quantum`](Self::quantum). It looks at every cell.
    pub fn balance(&self, substance: Substance) -> Balance<i128> {
        let [lakes, suspended] = self.waters.totals();
        match substance {
            Substance::Water => self.ledgers.water.balance(lakes),
            Substance::Sediment => self.ledgers.sediment.balance(total(&self.land.bed) + suspended),
        }
    }

    /// Sediment that is suspended in lakes (quanta).
    pub fn suspended(&self) -> i128 {
        self.waters.totals()[1]
    }

    /// The volume of a quantum (m³): 2⁻²⁰ m on the area of a cell.
    pub fn quantum(&self) -> f64 {
        self.land.lattice.cell_area() / fixed::PER_METRE
    }

    /// Brings changes up to date, since their stamp: heights, soil, lakes, streams, plants. A step changes everything.
    pub fn update_changes(&self, changes: &mut Changes) {
        self.changes.update(changes);
    }

    /// Sets the relative rain on each cell (only ratios count), or with `None` uniform rain.
    ///
    /// # Errors
    /// [`InputError`] if the map has another shape, a value below 0 or not finite, is 0 everywhere, or above
    /// 64 times its mean anywhere.
    pub fn set_rain(&mut self, map: Option<&Field<f32>>) -> Result<(), InputError> {
        let Some(map) = map else {
            self.land.rain.map = None;
            return Ok(());
        };
        let most = self.check_ratios("rain", map)?;
        let mean = (map.sum() / map.as_slice().len() as f64) as f32;
        let found = most / mean;
        if found > rain::MOST {
            let allowed =
                format!("above 0 somewhere, and nowhere above {} times its mean", rain::MOST);
            let found = format!("a most of {} times its mean", format_number(found.into()));
            return Err(InputError::new("rain", found, allowed));
        }
        self.land.rain.map = Some(map.map(|rain| rain / most));
        Ok(())
    }

    /// Sets the relative uplift of each cell under
    /// [`Method::StreamPower`](super::Method::StreamPower), or with `None` a uniform one. The
    /// highest value rises by [`StreamPower::uplift`](super::StreamPower::uplift).
    ///
    /// # Errors
    /// [`InputError`] if the map has another shape, a value below 0 or not finite, or is 0 everywhere.
    pub fn set_uplift(&mut self, map: Option<&Field<f32>>) -> Result<(), InputError> {
        let Some(map) = map else {
            self.land.uplift = None;
            return Ok(());
        };
        let most = self.check_ratios("uplift", map)?;
        self.land.uplift = Some(map.map(|uplift| (uplift / most).min(1.0)));
        Ok(())
    }

    /// Checks a map of which only ratios count; returns its greatest value.
    fn check_ratios(&self, what: &'static str, map: &Field<f32>) -> Result<f32, InputError> {
        let is_ratio = |value: f32| value.is_finite() && value >= 0.0;
        check_field(what, map, &self.land.lattice.into(), "a number of 0 or above", is_ratio)?;
        let most = map.min_max().map_or(0.0, |range| range.1);
        if most > 0.0 {
            Ok(most)
        } else {
            Err(InputError::new(what, "0 everywhere", "above 0 somewhere"))
        }
    }

    /// Lets a river enter from outside.
    ///
    /// # Errors
    /// [`InputError`] if it lies off the map, or its catchment is not above 0 and at most 10⁴ times the
    /// map.
    pub fn add_spring(&mut self, inflow: Inflow) -> Result<Id, InputError> {
        self.land.check_inflow(&inflow)?;
        Ok(self.land.rain.inflows.add(inflow))
    }

    /// Puts another river in the place of one.
    ///
    /// # Errors
    /// [`InputError`] if there is no such river, or as of [`add_spring`](Self::add_spring).
    pub fn set_spring(&mut self, id: Id, inflow: Inflow) -> Result<(), InputError> {
        let i = self.land.rain.inflows.find("an inflow", id)?;
        self.land.check_inflow(&inflow)?;
        self.land.rain.inflows[i] = inflow;
        Ok(())
    }

    /// Stops a river from entering.
    ///
    /// # Errors
    /// [`InputError`] if there is no such river.
    pub fn remove_spring(&mut self, id: Id) -> Result<Inflow, InputError> {
        self.land.rain.inflows.remove("an inflow", id)
    }

    /// Where it rains more and where less, 1 in the mean; `None` if it rains the same everywhere.
    pub fn rain_map(&self) -> Option<Field<f32>> {
        let (grid, rain) = (self.land.grid(), &self.land.rain);
        rain.map.as_ref()?;
        let by_cell = rain.by_cell(grid);
        Some(Field::from_fn(grid.nx, grid.ny, |x, y| by_cell[y * grid.nx + x] as f32))
    }

    /// The rivers that enter from outside.
    pub fn springs(&self) -> &IdList<Inflow> {
        &self.land.rain.inflows
    }

    /// Pours a volume (m³) at a place (m). It runs at once to where it will stand, without carving.
    ///
    /// # Errors
    /// [`InputError`] if the place lies off the map, or the volume is not 0 to 10⁵ m on every cell.
    pub fn pour(&mut self, place: Point, volume: f64) -> Result<(), InputError> {
        let cell = cell_at("place to pour", place, &self.land.lattice)?;
        let most = 1e5 * self.land.lattice.cell_area() * self.land.grid().cells() as f64;
        Range::new(0.0, most).check("volume to pour", volume, "m³")?;
        self.changes.next_tick();
        self.pour_on(cell, fixed::quanta(volume / self.land.lattice.cell_area()));
        Ok(())
    }

    pub(super) fn pour_on(&mut self, cell: usize, volume: i64) {
        self.ledgers.water.record(Cause::Edit, volume.into());
        let (gone, nodes) = self.waters.pour(self.land.terrain(), cell, volume, &self.scratch);
        self.ledgers.book(gone);
        let Self { land, waters, changes, .. } = self;
        let tile = |cell: u32| {
            let (x, y) = land.grid().at(cell as usize);
            (x / TILE, y / TILE)
        };
        for node in nodes {
            changes.mark_group(node, || waters.tiles_of(node, tile));
        }
    }
}

fn total(heights: &[i64]) -> i128 {
    heights.iter().map(|&z| i128::from(z)).sum()
}
