//! State hash of a distributed world, computed for one field after another, in pieces of rows. The
//! hash equals that of the undivided world.

use crate::distributed::storage::page::{RawField, WordElement, slot};
use crate::distributed::world::distributed_flow::DistributedFlow;
use crate::flow::observe::flood::FloodCell;
use crate::flow::sources::exchange::Rain;
use crate::flow::sources::soil::{SoilCell, SoilMap};
use serde::Serialize;
use std::io;
use xxhash_rust::xxh3::Xxh3;

/// Serializes a value in postcard format and adds the bytes to a hash.
fn hash_value(hash: &mut Xxh3, value: &impl Serialize) -> io::Result<()> {
    hash.update(&postcard::to_stdvec(value).map_err(io::Error::other)?);
    Ok(())
}

impl DistributedFlow {
    /// Returns a hash of the state. The hash equals the
    /// [`Flow::state_hash`](crate::flow::Flow::state_hash) of the undivided world.
    ///
    /// # Errors
    /// Returns an error if the storage fails.
    pub fn state_hash(&mut self) -> io::Result<u64> {
        let hash = &mut Xxh3::new();
        let world = self.world();
        hash_value(hash, &(&world.lattice, &world.params, &world.boundaries))?;
        hash_value(hash, &self.local.has_roughness_map)?;
        if self.local.has_roughness_map {
            self.hash_field(slot::ROUGHNESS, hash)?;
        }
        self.hash_state(hash)?;
        self.hash_exchange(hash)?;
        hash_value(hash, &(self.structures(), &self.world().tracers))?;
        let flood = self.world().flood.as_ref().map(|record| record.flood);
        hash_value(hash, &flood)?;
        if flood.is_some() {
            self.hash_elements::<FloodCell>(slot::MARKS, hash)?;
            hash_value(hash, &self.local.flood_has_initial_state())?;
        }
        let world = self.world();
        hash_value(
            hash,
            &(&world.settling, &world.bodies, world.time, world.last_dt, world.steps),
        )?;
        Ok(hash.digest())
    }

    fn hash_state(&mut self, hash: &mut Xxh3) -> io::Result<()> {
        let is_hex = self.lattice().is_hex();
        for field in [slot::BED, slot::WATER, slot::WATER + 1, slot::WATER + 2, slot::WATER + 3] {
            self.hash_field(field, hash)?;
        }
        hash_value(hash, &is_hex)?;
        if is_hex {
            self.hash_field(slot::WATER + 4, hash)?;
        }
        self.hash_bytes(slot::CLOSED, 1, hash)?;
        let has_momentum = self.params().level.has_momentum();
        hash_value(hash, &has_momentum)?;
        if has_momentum {
            let first = slot::WATER + 4 + usize::from(is_hex);
            self.hash_field(first, hash)?;
            self.hash_field(first + 1, hash)?;
        }
        // Distributed worlds do not support a sub-grid.
        hash_value(hash, &false)
    }

    fn hash_exchange(&mut self, hash: &mut Xxh3) -> io::Result<()> {
        let outlets = self.current_outlets()?;
        hash_value(hash, &(&outlets.springs, &outlets.drains))?;
        let exchange = &self.world().exchange;
        let rain = exchange.rain.as_ref().map(|(rain, _)| rain.clone());
        let evaporation = exchange.evaporation.as_ref().map(|(one, _)| one.clone());
        let soil = exchange.soil.as_ref().map(|ground| (ground.soil, ground.map.clone()));
        hash_value(hash, &rain.is_some())?;
        if let Some(Rain { rate, map }) = rain {
            hash_value(hash, &(rate, map.is_some()))?;
            if map.is_some() {
                self.hash_field(slot::RAIN_MAP, hash)?;
            }
            self.hash_field(slot::RAIN, hash)?;
        }
        hash_value(hash, &evaporation)?;
        if evaporation.is_some() {
            self.hash_field(slot::EVAPORATION, hash)?;
        }
        hash_value(hash, &soil.is_some())?;
        if let Some((soil, map)) = soil {
            hash_value(hash, &(soil, map.is_some()))?;
            if let Some(SoilMap { soils, .. }) = map {
                hash_value(hash, &soils)?;
                self.hash_bytes(slot::SOIL_MAP, size_of::<u16>(), hash)?;
            }
            self.hash_elements::<SoilCell>(slot::SOIL, hash)?;
        }
        Ok(())
    }

    /// Adds a field to a hash. First adds its shape and the length of its data (`bytes_per_value`
    /// bytes per value), then calls `add_piece` for each piece of its rows, from north to south.
    /// `add_piece` adds the values of the piece to the hash.
    fn hash_pieces(
        &mut self,
        field: usize,
        bytes_per_value: usize,
        hash: &mut Xxh3,
        mut add_piece: impl FnMut(&RawField, &mut Xxh3) -> io::Result<()>,
    ) -> io::Result<()> {
        let [nx, ny] = slot::shape(self.lattice(), field);
        hash_value(hash, &(nx, ny, nx * ny * bytes_per_value))?;
        let mut pieces = self.row_pieces(field).into_iter();
        pieces.try_for_each(|(rank, rows)| add_piece(&self.raw_rows(rank, field, &rows)?, hash))
    }

    fn hash_field(&mut self, field: usize, hash: &mut Xxh3) -> io::Result<()> {
        if cfg!(target_endian = "big") {
            return self.hash_bytes(field, size_of::<f32>(), hash);
        }
        self.hash_pieces(field, size_of::<f32>(), hash, |raw, hash| {
            hash.update(bytemuck::cast_slice(raw.first_list()));
            Ok(())
        })
    }

    /// Adds field number `field` to a hash, with the `bytes_per_value` least significant bytes of
    /// each value in little-endian order.
    fn hash_bytes(
        &mut self,
        field: usize,
        bytes_per_value: usize,
        hash: &mut Xxh3,
    ) -> io::Result<()> {
        self.hash_pieces(field, bytes_per_value, hash, |raw, hash| {
            let words = raw.first_list().iter().map(|word| word.to_le_bytes());
            let bytes: Vec<u8> =
                words.flat_map(|bytes| bytes.into_iter().take(bytes_per_value)).collect();
            hash.update(&bytes);
            Ok(())
        })
    }

    fn hash_elements<T: WordElement + Serialize>(
        &mut self,
        field: usize,
        hash: &mut Xxh3,
    ) -> io::Result<()> {
        self.hash_pieces(field, 1, hash, |raw, hash| {
            raw.elements::<T>().try_for_each(|element| hash_value(hash, &element))
        })
    }
}
