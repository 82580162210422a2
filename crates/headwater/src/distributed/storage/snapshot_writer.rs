//! Writes a distributed world in the format of an undivided one, for snapshots and hashes.

use crate::distributed::messages::{Question, Reply, Request, Workers, astray};
use crate::distributed::storage::page::{Raw, Thing, slot};
use crate::distributed::world::distributed_flow::DistributedFlow;
use crate::distributed::world::outlets::Outlets;
use crate::flow::exchange::Rain;
use crate::flow::flood::Mark;
use crate::flow::soil::{SoilCell, SoilMap};
use serde::Serialize;
use std::io;
use xxhash_rust::xxh3::Xxh3;

/// Consumer of bytes.
type Sink<'a> = &'a mut dyn FnMut(&[u8]) -> io::Result<()>;

/// Writes a small value in postcard format.
fn tell(value: &impl Serialize, sink: Sink<'_>) -> io::Result<()> {
    sink(&postcard::to_stdvec(value).map_err(io::Error::other)?)
}

/// Writes whether an optional value follows.
fn tell_whether(is: bool, sink: Sink<'_>) -> io::Result<()> {
    sink(&[u8::from(is)])
}

impl<K: Workers> DistributedFlow<K> {
    /// Returns the hash of the state, as [`Flow::state_hash`](crate::flow::Flow::state_hash).
    ///
    /// # Errors
    /// Those of the workers.
    pub fn state_hash(&mut self) -> io::Result<u64> {
        let mut hash = Xxh3::new();
        let sink = &mut |bytes: &[u8]| {
            hash.update(bytes);
            Ok(())
        };
        let world = &self.world;
        tell(&(&world.lattice, &world.params, &world.boundaries), sink)?;
        self.tell_roughness(sink)?;
        self.tell_state(sink)?;
        self.tell_exchange(sink)?;
        tell(&self.structures_now()?, sink)?;
        tell(&self.world.tracers, sink)?;
        self.tell_flood(sink)?;
        let world = &self.world;
        let rest = (&world.settling, &world.bodies, world.time, world.last_dt, world.steps);
        tell(&rest, sink)?;
        Ok(hash.digest())
    }

    /// Writes the world as the bytes of a [saved](crate::flow::Flow::saving)
    /// [`Flow`](crate::flow::Flow), in postcard format.
    ///
    /// # Errors
    /// Those of the workers and of the writer.
    pub fn write_state(&mut self, into: &mut dyn io::Write) -> io::Result<()> {
        let sink = &mut |bytes: &[u8]| into.write_all(bytes);
        let world = &self.world;
        tell(&(&world.lattice, &world.params), sink)?;
        self.tell_state(sink)?;
        tell(&self.world.boundaries, sink)?;
        self.tell_exchange(sink)?;
        tell(&self.structures_now()?, sink)?;
        self.tell_roughness(sink)?;
        tell(&self.world.tracers, sink)?;
        self.tell_flood(sink)?;
        let world = &self.world;
        tell(&(&world.settling, &world.bodies, &world.ledger), sink)?;
        tell(&(world.time, world.last_dt, world.steps), sink)
    }

    fn tell_state(&mut self, sink: Sink<'_>) -> io::Result<()> {
        let is_hex = self.world.lattice.is_hex();
        for which in [slot::BED, slot::WATER, slot::WATER + 1, slot::WATER + 2, slot::WATER + 3] {
            self.tell_field(which, sink)?;
        }
        tell_whether(is_hex, sink)?;
        if is_hex {
            self.tell_field(slot::WATER + 4, sink)?;
        }
        self.tell_bytes(slot::CLOSED, 1, sink)?;
        let has_momentum = self.world.params.level.has_momentum();
        tell_whether(has_momentum, sink)?;
        if has_momentum {
            let first = slot::WATER + 4 + usize::from(is_hex);
            self.tell_field(first, sink)?;
            self.tell_field(first + 1, sink)?;
        }
        // A sub-grid is not supported.
        tell_whether(false, sink)
    }

    /// Returns springs and drains with their current rounding carry.
    pub(in crate::distributed) fn outlets_now(&mut self) -> io::Result<Outlets> {
        let mut outlets = self.outlets.clone();
        for (kind, list) in [&mut outlets.springs, &mut outlets.drains].into_iter().enumerate() {
            for (number, outlet) in list.iter_mut().enumerate() {
                outlet.remainders.clear();
                for told in self.keepers.all(&Request(Question::HeldBack { kind, number }))? {
                    let Reply::HeldBack(held) = told.0 else { return Err(astray()) };
                    outlet.remainders.extend(held);
                }
            }
        }
        Ok(outlets)
    }

    fn tell_exchange(&mut self, sink: Sink<'_>) -> io::Result<()> {
        let outlets = self.outlets_now()?;
        tell(&(&outlets.springs, &outlets.drains), sink)?;
        let exchange = &self.world.exchange;
        let rain = exchange.rain.as_ref().map(|(rain, _)| rain.clone());
        let evaporation = exchange.evaporation.as_ref().map(|(one, _)| one.clone());
        let soil = exchange.soil.as_ref().map(|ground| (ground.soil, ground.map.clone()));
        tell_whether(rain.is_some(), sink)?;
        if let Some(Rain { rate, map }) = rain {
            tell(&rate, sink)?;
            tell_whether(map.is_some(), sink)?;
            if map.is_some() {
                self.tell_field(slot::RAIN_MAP, sink)?;
            }
            self.tell_field(slot::RAIN, sink)?;
        }
        tell_whether(evaporation.is_some(), sink)?;
        if let Some(evaporation) = evaporation {
            tell(&evaporation, sink)?;
            self.tell_field(slot::EVAPORATION, sink)?;
        }
        tell_whether(soil.is_some(), sink)?;
        if let Some((soil, map)) = soil {
            tell(&soil, sink)?;
            tell_whether(map.is_some(), sink)?;
            if let Some(SoilMap { soils, .. }) = map {
                tell(&soils, sink)?;
                self.tell_bytes(slot::SOIL_MAP, size_of::<u16>(), sink)?;
            }
            self.tell_things::<SoilCell>(slot::SOIL, sink)?;
        }
        Ok(())
    }

    fn tell_roughness(&mut self, sink: Sink<'_>) -> io::Result<()> {
        tell_whether(self.is_rough, sink)?;
        if self.is_rough { self.tell_field(slot::ROUGHNESS, sink) } else { Ok(()) }
    }

    fn tell_flood(&mut self, sink: Sink<'_>) -> io::Result<()> {
        let flood = self.world.flood.as_ref().map(|record| record.flood);
        tell_whether(flood.is_some(), sink)?;
        if let Some(flood) = flood {
            let begun = self.facts()?.first().is_some_and(|facts| facts.is_begun);
            tell(&flood, sink)?;
            self.tell_things::<Mark>(slot::MARKS, sink)?;
            tell(&begun, sink)?;
        }
        Ok(())
    }

    /// Writes the shape of a field and the header of its values: their number and the bytes of
    /// each.
    fn tell_shape(&self, which: usize, bytes: usize, sink: Sink<'_>) -> io::Result<()> {
        let [nx, ny] = slot::shape(&self.world.lattice, which);
        tell(&(nx, ny, nx * ny * bytes), sink)
    }

    /// Reads a field from north to south, piece by piece.
    fn each_piece(
        &mut self,
        which: usize,
        with: &mut dyn FnMut(&Raw) -> io::Result<()>,
    ) -> io::Result<()> {
        for (keeper, rows) in self.pieces(which) {
            with(&self.numbers(keeper, which, rows)?)?;
        }
        Ok(())
    }

    fn tell_field(&mut self, which: usize, sink: Sink<'_>) -> io::Result<()> {
        self.tell_shape(which, size_of::<f32>(), sink)?;
        self.each_piece(which, &mut |raw| {
            let words = raw.numbers();
            if cfg!(target_endian = "little") {
                return sink(bytemuck::cast_slice(words));
            }
            words.iter().try_for_each(|word| sink(&word.to_le_bytes()))
        })
    }

    /// Writes a field of `count` bytes per value.
    fn tell_bytes(&mut self, which: usize, count: usize, sink: Sink<'_>) -> io::Result<()> {
        self.tell_shape(which, count, sink)?;
        self.each_piece(which, &mut |raw| {
            let words = raw.numbers().iter().map(|word| word.to_le_bytes());
            let bytes: Vec<u8> = words.flat_map(|bytes| bytes.into_iter().take(count)).collect();
            sink(&bytes)
        })
    }

    fn tell_things<T: Thing + Serialize>(
        &mut self,
        which: usize,
        sink: Sink<'_>,
    ) -> io::Result<()> {
        self.tell_shape(which, 1, sink)?;
        self.each_piece(which, &mut |raw| {
            let mut bytes = Vec::new();
            for thing in raw.things::<T>() {
                bytes = postcard::to_extend(&thing, bytes).map_err(io::Error::other)?;
                if bytes.len() > 1 << 16 {
                    sink(&bytes)?;
                    bytes.clear();
                }
            }
            sink(&bytes)
        })
    }
}
