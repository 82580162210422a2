//! Reads a snapshot into a distributed world, piece by piece. See
//! [`snapshot_writer`](crate::distributed::storage::snapshot_writer).

use crate::distributed::messages::{Question, Request, Workers, check};
use crate::distributed::storage::page::{Raw, Thing, slot};
use crate::distributed::world::distributed_flow::DistributedFlow;
use crate::flow::boundary::Boundaries;
use crate::flow::exchange::{Evaporation, Outlet, Rain};
use crate::flow::flood::{Flood, Mark};
use crate::flow::params::Params;
use crate::flow::soil::{Soil, SoilCell, SoilMap};
use crate::flow::structure::Structures;
use crate::flow::world::Flow;
use crate::ids::IdList;
use crate::lattice::Lattice;
use crate::ledger::Ledger;
use crate::series::Series;
use serde::de::DeserializeOwned;
use std::io::{self, Read};
use std::ops::Range;

/// Smallest read (bytes).
const TOGETHER: usize = 1 << 16;

/// Buffered reader of a snapshot.
struct Source<'a> {
    from: &'a mut dyn Read,
    waiting: Vec<u8>,
}

impl Source<'_> {
    /// Fills the buffer up to `count` bytes, if the input has as many.
    fn fill(&mut self, count: usize) -> io::Result<()> {
        let more = count.saturating_sub(self.waiting.len()) as u64;
        (&mut *self.from).take(more).read_to_end(&mut self.waiting).map(drop)
    }

    /// Reads a small value in postcard format.
    fn piece<T: DeserializeOwned>(&mut self) -> io::Result<T> {
        let mut room = TOGETHER;
        loop {
            self.fill(room)?;
            match postcard::take_from_bytes(&self.waiting) {
                Ok((piece, rest)) => {
                    let used = self.waiting.len() - rest.len();
                    self.waiting.drain(..used);
                    return Ok(piece);
                }
                Err(postcard::Error::DeserializeUnexpectedEnd) if self.waiting.len() == room => {
                    room *= 2;
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }

    /// Reads `count` bytes and passes them to `with`.
    fn bytes<T>(&mut self, count: usize, with: impl FnOnce(&[u8]) -> T) -> io::Result<T> {
        self.fill(count)?;
        let bytes = self.waiting.get(..count).ok_or(io::ErrorKind::UnexpectedEof)?;
        let found = with(bytes);
        self.waiting.drain(..count);
        Ok(found)
    }
}

impl<K: Workers> DistributedFlow<K> {
    /// Restores a state that a distributed or undivided world with the same specification and
    /// ground has [written](Self::write_state). The world is unusable after an error.
    ///
    /// # Errors
    /// Those of the reader and of the workers, and an error if the state belongs to another world.
    pub fn read_state(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let source = &mut Source { from, waiting: Vec::new() };
        let (lattice, params): (Lattice, Params) = source.piece()?;
        check(lattice == self.world.lattice && params == self.world.params)?;
        let is_hex = lattice.is_hex();
        for which in [slot::BED, slot::WATER, slot::WATER + 1, slot::WATER + 2, slot::WATER + 3] {
            self.read_field(which, source)?;
        }
        check(source.piece::<bool>()? == is_hex)?;
        if is_hex {
            self.read_field(slot::WATER + 4, source)?;
        }
        self.read_rows(slot::CLOSED, 1, source, |byte| [u32::from(byte[0])])?;
        let has_momentum = self.world.params.level.has_momentum();
        check(source.piece::<bool>()? == has_momentum)?;
        if has_momentum {
            let first = slot::WATER + 4 + usize::from(is_hex);
            self.read_field(first, source)?;
            self.read_field(first + 1, source)?;
        }
        // A sub-grid is not supported.
        check(!source.piece::<bool>()?)?;
        check(source.piece::<Boundaries>()? == self.world.boundaries)?;
        self.read_exchange(source)?;
        let structures = source.piece::<Structures>()?;
        self.set_structures(structures)?;
        if source.piece()? {
            check(self.is_rough)?;
            self.read_field(slot::ROUGHNESS, source)?;
        }
        // Tracers are not supported.
        check(!source.piece::<bool>()?)?;
        let begun = self.read_flood(source)?;
        // Relaxation to a steady state and bodies are not supported.
        check(!source.piece::<bool>()?)?;
        check(source.piece::<(Vec<u32>, Vec<u32>, u32)>()?.0.is_empty())?;
        let (ledger, time, last_dt, steps): (Ledger, f64, f32, u64) = source.piece()?;
        check(time.is_finite() && last_dt.is_finite())?;
        let world = &mut self.world;
        (world.ledger, world.time, world.last_dt, world.steps) = (ledger, time, last_dt, steps);
        self.begin_anew(begun)
    }

    /// Restarts the workers from the fields that they received. `begun` is whether the flood record
    /// has covered the state before the first step.
    pub(in crate::distributed) fn begin_anew(&mut self, begun: bool) -> io::Result<()> {
        let Flow { time, last_dt, steps, .. } = self.world;
        self.keepers.all(&Request(Question::Begin { time, last_dt, steps, begun }))?;
        // Events may have closed or opened cells.
        self.count_open()
    }

    fn read_exchange(&mut self, source: &mut Source<'_>) -> io::Result<()> {
        for kind in [0, 1] {
            let list: IdList<Outlet> = source.piece()?;
            self.hold_back(kind, &list)?;
        }
        let exchange = &self.world.exchange;
        let rain = exchange.rain.as_ref().map(|(rain, _)| rain.clone());
        let evaporation = exchange.evaporation.as_ref().map(|(one, _)| one.clone());
        let soil = exchange.soil.as_ref().map(|ground| (ground.soil, ground.map.clone()));
        check(source.piece::<bool>()? == rain.is_some())?;
        if let Some(Rain { rate, map }) = rain {
            check(source.piece::<(Series, bool)>()? == (rate, map.is_some()))?;
            if map.is_some() {
                self.read_field(slot::RAIN_MAP, source)?;
            }
            self.read_field(slot::RAIN, source)?;
        }
        check(source.piece::<bool>()? == evaporation.is_some())?;
        if let Some(evaporation) = evaporation {
            check(source.piece::<Evaporation>()? == evaporation)?;
            self.read_field(slot::EVAPORATION, source)?;
        }
        check(source.piece::<bool>()? == soil.is_some())?;
        if let Some((soil, map)) = soil {
            check(source.piece::<(Soil, bool)>()? == (soil, map.is_some()))?;
            if let Some(SoilMap { soils, .. }) = map {
                check(source.piece::<Vec<Soil>>()? == soils)?;
                self.read_rows(slot::SOIL_MAP, size_of::<u16>(), source, |bytes| {
                    [u16::from_le_bytes([bytes[0], bytes[1]]).into()]
                })?;
            }
            self.read_things::<SoilCell>(slot::SOIL, 16, source)?;
        }
        Ok(())
    }

    /// Sets the rounding carry of springs (kind 0) or drains (1), which must match those of this
    /// world.
    pub(in crate::distributed) fn hold_back(
        &mut self,
        kind: usize,
        list: &IdList<Outlet>,
    ) -> io::Result<()> {
        // Events add springs and drains after those of the scene.
        for added in self.outlets.list(kind).len()..list.len() {
            self.add_outlet(kind, Outlet::new(list[added].source.clone(), &self.world.lattice))?;
        }
        let mine = self.outlets.list(kind);
        let same = |(a, b): (&Outlet, &Outlet)| a.cells == b.cells && a.source == b.source;
        check(list.len() == mine.len() && list.iter().zip(&**mine).all(same))?;
        check(list.iter().all(|outlet| outlet.remainders.len() == outlet.cells.len()))?;
        for (number, outlet) in list.iter().enumerate() {
            // Cells are ordered by row.
            let mut rest = &outlet.remainders[..];
            for keeper in 0..self.keepers.count() {
                let rows = self.rows_of(keeper);
                let count = outlet.cells.iter().filter(|(_, y)| rows.contains(y)).count();
                let (held, more) = rest.split_at(count.min(rest.len()));
                let ask = Question::HoldBack { kind, number, held: held.to_vec() };
                self.keepers.one(keeper, &Request(ask))?;
                rest = more;
            }
        }
        Ok(())
    }

    /// Reads the flood record. Returns whether it has covered the state before the first step.
    fn read_flood(&mut self, source: &mut Source<'_>) -> io::Result<bool> {
        let flood = self.world.flood.as_ref().map(|record| record.flood);
        check(source.piece::<bool>()? == flood.is_some())?;
        let Some(flood) = flood else { return Ok(false) };
        check(source.piece::<Flood>()? == flood)?;
        self.read_things::<Mark>(slot::MARKS, 40, source)?;
        source.piece()
    }

    fn read_field(&mut self, which: usize, source: &mut Source<'_>) -> io::Result<()> {
        self.read_rows(which, size_of::<f32>(), source, |bytes| {
            [u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])]
        })
    }

    fn read_things<T: Thing + DeserializeOwned>(
        &mut self,
        which: usize,
        size: usize,
        source: &mut Source<'_>,
    ) -> io::Result<()> {
        self.read_rows(which, size, source, |bytes| {
            // Types of fixed length accept any bytes.
            postcard::from_bytes::<T>(bytes).map(Thing::numbers).unwrap_or_default()
        })
    }

    /// Reads a field of `bytes` bytes per value, and sends each block the rows of its window.
    fn read_rows<N: AsRef<[u32]> + Default>(
        &mut self,
        which: usize,
        size: usize,
        source: &mut Source<'_>,
        value: impl Fn(&[u8]) -> N,
    ) -> io::Result<()> {
        let lattice = self.world.lattice;
        let [nx, ny] = slot::shape(&lattice, which);
        let bytes = if which == slot::SOIL || which == slot::MARKS { 1 } else { size };
        check(source.piece::<(usize, usize, usize)>()? == (nx, ny, nx * ny * bytes))?;
        let count = N::default().as_ref().len();
        let faces = usize::from(slot::is_between(&lattice, which));
        // Windows reach beyond their blocks by the halo.
        let windows: Vec<Range<usize>> = self
            .bands
            .iter()
            .map(|(_, band)| {
                band.start.saturating_sub(self.halo)
                    ..(band.end + self.halo).min(lattice.ny()) + faces
            })
            .collect();
        // Rows from `first` on are buffered for the blocks that follow.
        let (mut lists, mut first, mut next) = (vec![Vec::<u32>::new(); count], 0, 0);
        for (i, window) in windows.iter().enumerate() {
            let (keeper, band) = self.bands[i].clone();
            let to_come = windows.get(i + 1).map_or(ny, |window| window.start);
            let together = self.together(window.len(), nx);
            for start in window.clone().step_by(together) {
                let end = (start + together).min(window.end);
                let needed = start.min(to_come);
                lists.iter_mut().for_each(|list| drop(list.drain(..(needed - first) * nx)));
                first = needed;
                while next < end {
                    source.bytes(nx * size, |row| {
                        for one in row.chunks_exact(size) {
                            let numbers = value(one);
                            lists.iter_mut().zip(numbers.as_ref()).for_each(|(l, n)| l.push(*n));
                        }
                    })?;
                    next += 1;
                }
                let own = (start - first) * nx..(end - first) * nx;
                let own = lists.iter().map(|list| list[own.clone()].to_vec()).collect();
                let (y, place) = (band.start, start - window.start);
                let ask = Question::Put { which, y, place, raw: Raw::new(nx, own) };
                self.keepers.one(keeper, &Request(ask))?;
            }
        }
        check(next == ny)
    }
}
