//! Snapshots of the complete state of a world, and hashes for the comparison of states.

use super::fixed::{self, MAX_HEIGHT};
use super::land::Land;
use super::ledger::Ledgers;
use super::scale::Scale;
use crate::error::InputError;
use crate::hydrology::check::check_lattice;
use crate::hydrology::climate::rain;
use crate::hydrology::lakes::remap_storage::StoredVolume;
use crate::hydrology::lakes::water::Waters;
use crate::hydrology::params::MAX_KINDS;
use crate::hydrology::world::Hydrology;
use serde::{Deserialize, Serialize};

/// Complete state of a world, which can be serialized with serde. A world restored from a snapshot
/// continues bit for bit like the original.
///
/// [`Hydrology::restore`] checks snapshots, so they can be read from untrusted files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    land: Box<Land>,
    ledgers: Ledgers,
    held: Vec<StoredVolume>,
}

#[derive(Serialize)]
struct SnapshotRef<'a> {
    land: &'a Land,
    ledgers: &'a Ledgers,
    held: Vec<StoredVolume>,
}

impl Hydrology {
    /// Returns a snapshot of the current state of the world.
    pub fn snapshot(&self) -> Snapshot {
        let (land, ledgers) = (Box::new(self.land.clone()), self.ledgers.clone());
        Snapshot { land, ledgers, held: self.stored_volumes() }
    }

    /// Returns a value that serializes like a [`Snapshot`] of the world. Unlike
    /// [`snapshot`](Self::snapshot), it borrows the world instead of copying it.
    pub fn as_serializable(&self) -> impl Serialize {
        SnapshotRef { land: &self.land, ledgers: &self.ledgers, held: self.stored_volumes() }
    }

    /// Creates a world from a snapshot.
    ///
    /// # Errors
    /// Returns [`InputError`] if the snapshot is inconsistent or contains invalid values.
    pub fn restore(snapshot: Snapshot) -> Result<Self, InputError> {
        let Snapshot { land, ledgers, held } = snapshot;
        land.params.validate()?;
        check_lattice(&land.lattice)?;
        Scale::check_unit(&land.params, &land.lattice)?;
        let invalid = |what| Err(InputError::invalid_snapshot(what));
        let cells = land.grid().cell_count();
        let plants = if land.params.plants.is_empty() { 0 } else { cells };
        let sizes = [land.bed.len(), land.soil.len(), land.area.len(), land.momentum.len()];
        if sizes != [cells; 4] || land.plants.len() != plants {
            return invalid("its fields do not have the shape of its map");
        }
        let highest = 2 * fixed::to_quanta(MAX_HEIGHT);
        if !land.bed.iter().all(|z| z.abs() <= highest) {
            return invalid("a height is impossible");
        }
        if !land.soil.iter().all(|soil| (0..=2 * highest).contains(soil)) {
            return invalid("a thickness of soil is impossible");
        }
        if land.storm.is_some_and(|storm| !storm.is_valid()) {
            return invalid("a storm is impossible");
        }
        let limit = 1e12;
        if !land.area.iter().all(|area| (0.0..=limit).contains(area))
            || !land.momentum.iter().flatten().all(|m| m.abs() <= limit)
        {
            return invalid("a discharge or momentum is impossible");
        }
        let kinds = land.params.plants.len().min(MAX_KINDS);
        if !land.plants.iter().all(|plant| usize::from(plant.kind) <= kinds) {
            return invalid("a plant has an unknown kind");
        }
        if let Some(map) = &land.rain.map {
            let fits = (map.nx(), map.ny()) == (land.lattice.nx(), land.lattice.ny());
            let sound = map.as_slice().iter().all(|rain| (0.0..=1.0).contains(rain));
            if !fits
                || !sound
                || map.sum() * f64::from(rain::MAX_RELATIVE_RAIN) < 0.9 * cells as f64
            {
                return invalid("its rain map is invalid");
            }
        }
        if let Some(map) = &land.uplift {
            let fits = (map.nx(), map.ny()) == (land.lattice.nx(), land.lattice.ny());
            if !fits || !map.as_slice().iter().all(|part| (0.0..=1.0).contains(part)) {
                return invalid("its uplift map is invalid");
            }
        }
        if land.steps >> 53 != 0
            || land.drops >> 53 != 0
            || !(0.0..=1e15).contains(&land.time)
            || !(-1.0..=1e9).contains(&land.pending)
        {
            return invalid("its step or drop count is impossible");
        }
        let volume = 1 << 62;
        let (mut water, mut sediment) = (0_i64, 0_i64);
        for volume in &held {
            if volume.cell as usize >= cells || volume.water < 0 || volume.sediment < 0 {
                return invalid("a lake is invalid");
            }
            water = water.saturating_add(volume.water);
            sediment = sediment.saturating_add(volume.sediment);
        }
        if water >= volume || sediment >= volume {
            return invalid("its lakes hold an impossible volume");
        }
        land.rain.inflows.iter().try_for_each(|inflow| land.check_inflow(inflow))?;
        Ok(Self::from_land(*land, ledgers, &held))
    }

    /// Returns a hash of all state that a step reads or writes: land, parameters, rain and lakes.
    /// Equal states have equal hashes on all machines.
    pub fn state_hash(&self) -> u64 {
        let Waters { lakes, suspended, .. } = &self.waters;
        let volumes = |node: u32| (lakes.water_volume(node), suspended[node as usize]);
        crate::hash::state_hash(&(
            &self.land,
            lakes.active_nodes().map(volumes).collect::<Vec<_>>(),
        ))
    }
}
