//! Saving a world and going on from there, and a hash to tell whether two worlds are the same.

use super::check::check_map;
use super::fixed::{self, HIGHEST};
use super::held::Holding;
use super::land::Land;
use super::ledger::Ledgers;
use super::params::MAX_KINDS;
use super::rain;
use super::scale::Scale;
use super::water::Waters;
use super::world::Hydrology;
use crate::error::InputError;
use serde::{Deserialize, Serialize};

/// All that a world needs to go on: restoring it equals never having stopped, bit for bit.
///
/// It serializes with serde; a snapshot read back from a file is checked by [`Hydrology::restore`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    land: Box<Land>,
    ledgers: Ledgers,
    held: Vec<Holding>,
}

#[derive(Serialize)]
struct Saving<'a> {
    land: &'a Land,
    ledgers: &'a Ledgers,
    held: Vec<Holding>,
}

impl Hydrology {
    /// Saves the world as it is.
    pub fn snapshot(&self) -> Snapshot {
        let (land, ledgers) = (Box::new(self.land.clone()), self.ledgers.clone());
        Snapshot { land, ledgers, held: self.holdings() }
    }

    /// What a [snapshot](Self::snapshot) is serialized as, without the copy of the world that one is.
    pub fn saving(&self) -> impl Serialize {
        Saving { land: &self.land, ledgers: &self.ledgers, held: self.holdings() }
    }

    /// The world that a snapshot holds.
    ///
    /// # Errors
    /// [`InputError`] if the snapshot's parts do not fit one another or hold impossible numbers.
    pub fn restore(snapshot: Snapshot) -> Result<Self, InputError> {
        let Snapshot { land, ledgers, held } = snapshot;
        land.params.validate()?;
        check_map(&land.lattice)?;
        Scale::check(&land.params, &land.lattice)?;
        let damaged = |what| Err(InputError::invalid_snapshot(what));
        let cells = land.grid().cells();
        let plants = if land.params.plants.is_empty() { 0 } else { cells };
        let sizes = [land.bed.len(), land.soil.len(), land.area.len(), land.momentum.len()];
        if sizes != [cells; 4] || land.plants.len() != plants {
            return damaged("its fields do not have the shape of its map");
        }
        let highest = 2 * fixed::quanta(HIGHEST);
        if !land.bed.iter().all(|z| z.abs() <= highest) {
            return damaged("a height is impossible");
        }
        if !land.soil.iter().all(|soil| (0..=2 * highest).contains(soil)) {
            return damaged("a thickness of soil is impossible");
        }
        if land.storm.is_some_and(|storm| !storm.is_sound()) {
            return damaged("a storm is impossible");
        }
        let most = 1e12;
        if !land.area.iter().all(|area| (0.0..=most).contains(area))
            || !land.momentum.iter().flatten().all(|m| m.abs() <= most)
        {
            return damaged("a discharge or momentum is impossible");
        }
        let kinds = land.params.plants.len().min(MAX_KINDS);
        if !land.plants.iter().all(|plant| usize::from(plant.kind) <= kinds) {
            return damaged("a plant is of no kind");
        }
        if let Some(map) = &land.rain.map {
            let fits = (map.nx(), map.ny()) == (land.lattice.nx(), land.lattice.ny());
            let sound = map.as_slice().iter().all(|rain| (0.0..=1.0).contains(rain));
            if !fits || !sound || map.sum() * f64::from(rain::MOST) < 0.9 * cells as f64 {
                return damaged("its map of rain does not make sense");
            }
        }
        if let Some(map) = &land.uplift {
            let fits = (map.nx(), map.ny()) == (land.lattice.nx(), land.lattice.ny());
            if !fits || !map.as_slice().iter().all(|part| (0.0..=1.0).contains(part)) {
                return damaged("its map of uplift does not make sense");
            }
        }
        if land.steps >> 53 != 0
            || land.drops >> 53 != 0
            || !(0.0..=1e15).contains(&land.time)
            || !(-1.0..=1e9).contains(&land.pending)
        {
            return damaged("its number of drops is impossible");
        }
        let volume = 1 << 62;
        let (mut water, mut sediment) = (0_i64, 0_i64);
        for holding in &held {
            if holding.cell as usize >= cells || holding.water < 0 || holding.sediment < 0 {
                return damaged("a lake does not make sense");
            }
            water = water.saturating_add(holding.water);
            sediment = sediment.saturating_add(holding.sediment);
        }
        if water >= volume || sediment >= volume {
            return damaged("its lakes hold an impossible volume");
        }
        land.rain.inflows.iter().try_for_each(|inflow| land.check_inflow(inflow))?;
        Ok(Self::of(*land, ledgers, &held))
    }

    /// A hash of all that a step reads or writes (land, parameters, rain, lakes), the same on every
    /// machine.
    pub fn state_hash(&self) -> u64 {
        let Waters { lakes, suspended, .. } = &self.waters;
        let held = |node: u32| (lakes.water(node), suspended[node as usize]);
        crate::hash::of(&(&self.land, lakes.wholes().map(held).collect::<Vec<_>>()))
    }
}
