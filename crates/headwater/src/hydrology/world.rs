//! [`Hydrology`], a world of land and water, with its constructor, settings and accessors.

use super::check::{cell_at, check_field, check_lattice};
use super::climate::rain::{self, Inflow, Rain};
use super::ground::forest::{self, Plant};
use super::ground::rock_heterogeneity;
use super::lakes::remap_storage::StoredVolume;
use super::lakes::water::Waters;
use super::params::Params;
use super::state::fixed::{self, MAX_HEIGHT};
use super::state::land::Land;
use super::state::ledger::{Ledgers, Substance};
use super::state::scale::Scale;
use super::state::workspace::Workspace;
use crate::changes::{ChangeTracker, Changes, TILE};
use crate::error::{InputError, format_number};
use crate::field::Field;
use crate::ids::{Id, IdList};
use crate::lattice::Square;
use crate::ledger::{Balance, Cause, Ledger};
use crate::parameter::Range;
use crate::region::Point;
use crate::scratch::ScratchPool;

/// A world whose land, lakes and plants are shaped by rain and rivers.
#[derive(Clone, Debug)]
pub struct Hydrology {
    pub(super) land: Land,
    pub(super) ledgers: Ledgers,
    pub(super) waters: Waters,
    pub(super) heights: Field<f32>,
    /// Factor for each cell that scales both the erodibility and the steepest stable slope of its
    /// rock. Empty if the rock is uniform. See [`rock_heterogeneity::factors`].
    pub(super) rock_factors: Vec<f32>,
    pub(super) cover: Field<f32>,
    pub(super) workspace: Workspace,
    pub(super) scratch: ScratchPool,
    pub(super) changes: ChangeTracker,
}

impl Hydrology {
    /// Creates a world without lakes. `bed` holds the height of each cell (m).
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter is out of range, cells are not square, or the map has
    /// fewer than 3 columns or rows or more than [`MAX_CELLS`](super::MAX_CELLS) cells. Also
    /// returns it if the shape of `bed` differs from the lattice, or a height is not finite or is
    /// outside ±[`MAX_HEIGHT`].
    pub fn new(lattice: Square, params: Params, bed: &Field<f32>) -> Result<Self, InputError> {
        check_lattice(&lattice)?;
        params.validate()?;
        Scale::check_unit(&params, &lattice)?;
        let allowed = Range::new(-MAX_HEIGHT, MAX_HEIGHT).description("m");
        check_field("bed", bed, &lattice.into(), allowed, |z| f64::from(z.abs()) <= MAX_HEIGHT)?;
        let cells = lattice.nx() * lattice.ny();
        let bed: Vec<i64> = bed.as_slice().iter().map(|&z| fixed::to_quanta(z.into())).collect();
        let ledgers = Ledgers::new(sum_heights(&bed));
        let soil = fixed::to_quanta(params.soil);
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
        Ok(Self::from_land(land, ledgers, &[]))
    }

    pub(super) fn from_land(land: Land, mut ledgers: Ledgers, stored: &[StoredVolume]) -> Self {
        let grid = land.grid();
        let (mut waters, scratch) = (Waters::default(), ScratchPool::default());
        ledgers.record_outflow(waters.refill_lakes(land.terrain(), stored, &scratch));
        let height = |x: usize, y: usize| fixed::to_metres_f32(land.bed[y * grid.nx + x]);
        let heights = Field::from_fn(grid.nx, grid.ny, height);
        let mut cover = Field::new(grid.nx, grid.ny, 0.0);
        if !land.plants.is_empty() {
            forest::compute_cover(grid, &land.plants, cover.as_mut_slice());
        }
        let (workspace, changes) = (Workspace::default(), ChangeTracker::new(grid.nx, grid.ny));
        let rock_factors = rock_heterogeneity::factors(&land, 0);
        Self { rock_factors, land, ledgers, waters, heights, cover, workspace, scratch, changes }
    }

    pub(super) fn stored_volumes(&self) -> Vec<StoredVolume> {
        let (mut stored, _) = self.waters.stored_volumes(self.land.terrain(), 0, &self.scratch);
        stored.retain(StoredVolume::is_present);
        stored.extend(self.waters.suspended_volumes());
        std::mem::take(&mut *stored)
    }

    pub(super) fn refill_lakes_from_storage(
        &mut self,
        stored: &[StoredVolume],
        scratch: &ScratchPool,
    ) {
        let outflow = self.waters.refill_lakes(self.land.terrain(), stored, scratch);
        // The nodes of the hierarchy have been renumbered.
        self.changes.merge_groups();
        self.ledgers.record_outflow(outflow);
    }

    /// Returns the height of the surface of each cell (quanta of 2⁻²⁰ m): the water level, or the
    /// height of the ground on dry cells.
    fn surface_levels(&self) -> Vec<i64> {
        let terrain = self.land.terrain();
        let level = |(i, &z)| self.waters.level_over(terrain, i).unwrap_or(z);
        self.land.bed.iter().enumerate().map(level).collect()
    }

    /// Changes the land with the callback `change`. Then updates the water levels, and marks each
    /// cell whose water level has changed. The callback itself must mark the cells that it changes.
    pub(super) fn change_terrain<T>(&mut self, change: impl FnOnce(&mut Self) -> T) -> T {
        let (stored, before) = (self.stored_volumes(), self.surface_levels());
        self.changes.next_tick();
        let outcome = change(self);
        let scratch = std::mem::take(&mut self.scratch);
        self.refill_lakes_from_storage(&stored, &scratch);
        self.scratch = scratch;
        let nx = self.land.grid().nx;
        for (i, (old, new)) in before.into_iter().zip(self.surface_levels()).enumerate() {
            if old != new {
                self.changes.mark_cell(i % nx, i / nx);
            }
        }
        outcome
    }

    /// Returns the lattice, which defines the number and the size of the cells.
    pub fn lattice(&self) -> &Square {
        &self.land.lattice
    }

    /// Returns the current parameters of the world.
    pub fn params(&self) -> &Params {
        &self.land.params
    }

    /// Returns the number of drops simulated since the start. It includes raindrops on the map and
    /// drops from rivers that enter the map.
    pub fn drops(&self) -> u64 {
        self.land.drops
    }

    /// Returns the number of steps performed since the world was created.
    pub fn steps(&self) -> u64 {
        self.land.steps
    }

    /// Returns the time since the start (drops per cell). The unit is the time in which each cell
    /// receives one raindrop on average.
    pub fn time(&self) -> f64 {
        self.land.time
    }

    /// Returns the ledger of a substance, which lists gains and losses by cause. Its unit is the
    /// volume of one [`quantum`](Self::quantum).
    pub fn ledger(&self, substance: Substance) -> &Ledger<i128> {
        match substance {
            Substance::Water => &self.ledgers.water,
            Substance::Sediment => &self.ledgers.sediment,
        }
    }

    /// Compares the ledger of a substance with the amount currently in the world. The unit is the
    /// volume of one [`quantum`](Self::quantum). Takes time proportional to the number of cells.
    pub fn balance(&self, substance: Substance) -> Balance<i128> {
        let [lakes, suspended] = self.waters.total_volumes();
        match substance {
            Substance::Water => self.ledgers.water.balance(lakes),
            Substance::Sediment => {
                self.ledgers.sediment.balance(sum_heights(&self.land.bed) + suspended)
            }
        }
    }

    /// Returns the total volume of sediment suspended in lakes. The unit is the volume of one
    /// [`quantum`](Self::quantum).
    pub fn suspended_sediment(&self) -> i128 {
        self.waters.total_volumes()[1]
    }

    /// Returns the smallest volume that the ledgers distinguish (m³): 2⁻²⁰ m times the area of a
    /// cell.
    pub fn quantum(&self) -> f64 {
        self.land.lattice.cell_area() / fixed::PER_METRE
    }

    /// Replaces the contents of `changes` with the tiles in which heights, soil, lakes, streams or
    /// plants have changed since the previous update of `changes`. A step changes all tiles.
    pub fn update_changes(&self, changes: &mut Changes) {
        self.changes.update_changes(changes);
    }

    /// Sets the relative rain on each cell. `None` selects uniform rain. Only the ratios between
    /// cells matter, because the total rain does not change.
    ///
    /// # Errors
    /// Returns [`InputError`] if the shape of `map` differs from the lattice, if a value is
    /// negative or not finite, if all values are 0, or if a value is above 64 times the mean.
    pub fn set_rain(&mut self, map: Option<&Field<f32>>) -> Result<(), InputError> {
        let Some(map) = map else {
            self.land.rain.map = None;
            return Ok(());
        };
        let max = self.check_relative_values("rain", map)?;
        let mean = (map.sum() / map.as_slice().len() as f64) as f32;
        let found = max / mean;
        if found > rain::MAX_RELATIVE_RAIN {
            let allowed =
                format!("at most {} times the mean in every cell", rain::MAX_RELATIVE_RAIN);
            let found = format!("a maximum of {} times the mean", format_number(found.into()));
            return Err(InputError::new("rain", found, allowed));
        }
        self.land.rain.map = Some(map.map(|rain| rain / max));
        Ok(())
    }

    /// Sets the relative uplift rate of each cell. `None` selects uniform uplift. The cells with
    /// the largest value rise at the rate [`StreamPower::uplift`](super::StreamPower::uplift). The
    /// map has an effect only with [`Method::StreamPower`](super::Method::StreamPower).
    ///
    /// # Errors
    /// Returns [`InputError`] if the shape of `map` differs from the lattice, if a value is
    /// negative or not finite, or if all values are 0.
    pub fn set_uplift(&mut self, map: Option<&Field<f32>>) -> Result<(), InputError> {
        let Some(map) = map else {
            self.land.uplift = None;
            return Ok(());
        };
        let max = self.check_relative_values("uplift", map)?;
        self.land.uplift = Some(map.map(|uplift| (uplift / max).min(1.0)));
        Ok(())
    }

    /// Checks that a map has the shape of the world and holds finite, nonnegative values that are
    /// not all 0. Returns the largest value. `map_name` is the name of the map in errors.
    ///
    /// # Errors
    /// Returns [`InputError`] if the map is invalid.
    fn check_relative_values(
        &self,
        map_name: &'static str,
        map: &Field<f32>,
    ) -> Result<f32, InputError> {
        let is_ratio = |value: f32| value.is_finite() && value >= 0.0;
        check_field(map_name, map, &self.land.lattice.into(), "a number of 0 or above", is_ratio)?;
        let max = map.min_max().map_or(0.0, |range| range.1);
        if max > 0.0 {
            Ok(max)
        } else {
            Err(InputError::new(map_name, "0 everywhere", "above 0 in at least one cell"))
        }
    }

    /// Adds a river that enters the map. Returns the identifier of the river.
    ///
    /// # Errors
    /// Returns [`InputError`] if the position of the river is off the map, or if its catchment area
    /// is not above 0 or is more than 10⁴ times the area of the map.
    pub fn add_spring(&mut self, inflow: Inflow) -> Result<Id, InputError> {
        self.land.check_inflow(&inflow)?;
        Ok(self.land.rain.inflows.add(inflow))
    }

    /// Replaces the river that has the given identifier.
    ///
    /// # Errors
    /// Returns [`InputError`] if no river has this identifier, and in the cases listed for
    /// [`add_spring`](Self::add_spring).
    pub fn set_spring(&mut self, id: Id, inflow: Inflow) -> Result<(), InputError> {
        let i = self.land.rain.inflows.find_index("an inflow", id)?;
        self.land.check_inflow(&inflow)?;
        self.land.rain.inflows[i] = inflow;
        Ok(())
    }

    /// Removes the river that has the given identifier and returns it.
    ///
    /// # Errors
    /// Returns [`InputError`] if no river has this identifier.
    pub fn remove_spring(&mut self, id: Id) -> Result<Inflow, InputError> {
        self.land.rain.inflows.remove("an inflow", id)
    }

    /// Returns the relative rain on each cell, with a mean of 1. Returns `None` if the rain is
    /// uniform.
    pub fn rain_map(&self) -> Option<Field<f32>> {
        let (grid, rain) = (self.land.grid(), &self.land.rain);
        rain.map.as_ref()?;
        let relative_rain = rain.relative_rain(grid);
        Some(Field::from_fn(grid.nx, grid.ny, |x, y| relative_rain[y * grid.nx + x] as f32))
    }

    /// Returns the list of rivers that enter the map, with their identifiers.
    pub fn springs(&self) -> &IdList<Inflow> {
        &self.land.rain.inflows
    }

    /// Adds a volume of water (m³) at a position (m from the top-left corner). The water flows to
    /// its final position immediately and does not erode the land.
    ///
    /// # Errors
    /// Returns [`InputError`] if the position is off the map, if the volume is negative, or if the
    /// volume is more than 10⁵ m times the area of the map.
    pub fn pour(&mut self, position: Point, volume: f64) -> Result<(), InputError> {
        let cell = cell_at("place to pour", position, &self.land.lattice)?;
        let limit = 1e5 * self.land.lattice.cell_area() * self.land.grid().cell_count() as f64;
        Range::new(0.0, limit).check("volume to pour", volume, "m³")?;
        self.changes.next_tick();
        self.pour_into_cell(cell, fixed::to_quanta(volume / self.land.lattice.cell_area()));
        Ok(())
    }

    pub(super) fn pour_into_cell(&mut self, cell: usize, volume: i64) {
        self.ledgers.water.record(Cause::Edit, volume.into());
        let (outflow, nodes) = self.waters.pour(self.land.terrain(), cell, volume, &self.scratch);
        self.ledgers.record_outflow(outflow);
        let Self { land, waters, changes, .. } = self;
        let tile = |cell: u32| {
            let (x, y) = land.grid().column_and_row(cell as usize);
            (x / TILE, y / TILE)
        };
        for node in nodes {
            changes.mark_group(node, || waters.tiles_of_node(node, tile));
        }
    }
}

fn sum_heights(heights: &[i64]) -> i128 {
    heights.iter().map(|&z| i128::from(z)).sum()
}
