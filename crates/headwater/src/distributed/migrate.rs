//! Migration of row blocks between neighbouring processes.

use crate::distributed::Communicator;
use crate::distributed::block::block::{Known, RowBlock};
use crate::distributed::local::LocalBlocks;
use crate::distributed::storage::page::{damaged, each_stored};
use crate::distributed::world::spec::WorldSpec;
use crate::distributed::world::window::Window;
use crate::field::Field;
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;

/// Serialized row block in transit.
#[derive(Serialize, Deserialize)]
struct Packed {
    /// Its rows of the world.
    rows: Range<usize>,
    /// Fields of its window including the halo, with their storage numbers.
    fields: Vec<(usize, Bytes)>,
    /// Rounding carry of springs and of drains, cell by cell.
    held_back: [Vec<Vec<f32>>; 2],
    /// Whether the flood record has covered the state before the first step.
    is_begun: bool,
    known: Known,
}

#[derive(Serialize, Deserialize)]
struct Bytes(#[serde(with = "crate::numbers")] Vec<u8>);

impl LocalBlocks {
    /// Moves blocks between neighbouring processes, so that this one owns the rows `new`.
    /// Collective.
    ///
    /// # Errors
    /// Those of the storage, and an error if the moves are not of whole blocks between neighbours.
    pub(in crate::distributed) fn shift(
        &mut self,
        new: Range<usize>,
        comm: &dyn Communicator,
    ) -> io::Result<()> {
        let beside = self.beside();
        let of = |band: &RowBlock| band.part.rows.clone();
        let first = self.bands.iter().take_while(|band| of(band).end <= new.start).count();
        let last = self.bands.iter().take_while(|band| of(band).start < new.end).count();
        let to = [self.packed(0..first)?, self.packed(last..self.bands.len())?];
        let [north, south] = comm.exchange_bytes(beside, to.each_ref().map(Vec::as_slice));
        for list in [last..self.bands.len(), 0..first] {
            self.bands.drain(list.clone());
            self.open.drain(list);
        }
        let kept = self.rows();
        self.unpack(&north, 0)?;
        self.unpack(&south, self.bands.len())?;
        if self.rows() != new {
            return Err(damaged());
        }
        self.moved += new.len().saturating_sub(kept.len());
        self.refresh(comm);
        Ok(())
    }

    /// Serializes some blocks and removes them.
    fn packed(&mut self, bands: Range<usize>) -> io::Result<Vec<u8>> {
        if bands.is_empty() {
            return Ok(Vec::new());
        }
        let mut all = Vec::with_capacity(bands.len());
        for i in bands {
            self.load(i)?;
            let band = &mut self.bands[i];
            let mut fields = Vec::new();
            each_stored(&mut band.part.flow, |slot, stored| {
                let mut bytes = Vec::new();
                stored.write(&mut bytes);
                fields.push((slot, Bytes(bytes)));
                Ok(())
            })?;
            let exchange = &band.part.flow.exchange;
            let held_back = [&exchange.springs, &exchange.drains]
                .map(|list| list.iter().map(|outlet| outlet.remainders.clone()).collect());
            all.push(Packed {
                rows: band.part.rows.clone(),
                fields,
                held_back,
                is_begun: band.part.flow.flood.as_ref().is_some_and(|record| record.is_begun()),
                known: band.known(),
            });
        }
        postcard::to_stdvec(&all).map_err(io::Error::other)
    }

    /// Inserts serialized blocks at index `place`.
    fn unpack(&mut self, bytes: &[u8], place: usize) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let all: Vec<Packed> = postcard::from_bytes(bytes).map_err(io::Error::other)?;
        for (i, packed) in (place..).zip(all) {
            let cells = self.outline.window(&packed.rows).0.len() * self.world.lattice.nx();
            self.make_room(self.bands.len(), cells * self.outline.bytes_of_cell())?;
            let band = self.unpack_one(packed)?;
            self.open.insert(i, band.open_cells());
            self.bands.insert(i, band);
        }
        let all = std::mem::take(&mut self.open_in_all);
        self.set_open(all);
        Ok(())
    }

    fn unpack_one(&self, packed: Packed) -> io::Result<RowBlock> {
        let Packed { rows, fields, held_back, is_begun, known } = packed;
        let outline: &WorldSpec = &self.outline;
        let (nx, ny) = (self.world.lattice.nx(), outline.window(&rows).0.len());
        let even = |value: f32| Field::new(nx, ny, value);
        let mut window = Window::new(even(0.0), even(0.0));
        // Any valid roughness; the received fields replace it.
        window.roughness = self.is_rough.then(|| even(0.03));
        (window.rain, window.soil) = (Some(even(0.0)), Some(Field::new(nx, ny, 0)));
        let mut part = outline.part(&rows, window).map_err(io::Error::other)?;
        let flow = &mut part.flow;
        (flow.time, flow.last_dt, flow.steps) =
            (self.world.time, self.world.last_dt, self.world.steps);
        flow.flood.iter_mut().for_each(|record| record.take_back(0, &[], is_begun));
        let exchange = &mut flow.exchange;
        for (list, held) in [&mut exchange.springs, &mut exchange.drains].into_iter().zip(held_back)
        {
            let same = list.len() == held.len()
                && list.iter().zip(&held).all(|(outlet, held)| outlet.cells.len() == held.len());
            if !same {
                return Err(damaged());
            }
            list.iter_mut().zip(held).for_each(|(outlet, held)| outlet.remainders = held);
        }
        let mut fields = fields.into_iter();
        each_stored(flow, |slot, stored| match fields.next() {
            Some((of, Bytes(bytes))) if of == slot => stored.read(&bytes).ok_or_else(damaged),
            _ => Err(damaged()),
        })?;
        if flow.state.depth.ny() != ny || flow.state.depth.nx() != nx {
            return Err(damaged());
        }
        let mut band = RowBlock::new(part, outline.bytes_of_cell(), self.mouths.as_ref());
        band.take_known(known);
        Ok(band)
    }
}
