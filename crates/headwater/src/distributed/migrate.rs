//! Migration of row blocks between neighbouring processes for load balancing.

use crate::distributed::Communicator;
use crate::distributed::block::block::{BlockMetadata, RowBlock};
use crate::distributed::local::LocalBlocks;
use crate::distributed::storage::page::{damaged_bytes_error, for_each_stored};
use crate::distributed::world::row_fields::RowFields;
use crate::distributed::world::spec::WorldSpec;
use crate::field::Field;
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;

/// Serialized form of a row block that moves to another process.
#[derive(Serialize, Deserialize)]
struct PackedBlock {
    /// Owned rows of the block, counted from the top of the grid.
    rows: Range<usize>,
    /// Fields of the block over its owned rows and halo, each with the number that identifies the
    /// field in storage.
    fields: Vec<(usize, SerializedBytes)>,
    /// Rounding remainders (m) of the springs (index 0) and drains (index 1) in the block: for each
    /// spring or drain, one value per cell. A remainder is water below the `f32` resolution of a
    /// depth.
    carry: [Vec<Vec<f32>>; 2],
    /// Whether the flood statistics (maximum depths, arrival times) already include the initial
    /// state of the world.
    flood_has_initial_state: bool,
    metadata: BlockMetadata,
}

#[derive(Serialize, Deserialize)]
struct SerializedBytes(#[serde(with = "crate::numbers")] Vec<u8>);

impl LocalBlocks {
    /// Sends and receives blocks so that this process then owns `new_rows`. Blocks move only
    /// between neighbouring processes. Collective: every process must call this method.
    ///
    /// # Errors
    /// Returns an error if the storage fails, if `new_rows` splits a block, or if a block would
    /// move farther than to a neighbouring process.
    pub(in crate::distributed) fn migrate_blocks(
        &mut self,
        new_rows: Range<usize>,
        comm: &dyn Communicator,
    ) -> io::Result<()> {
        let neighbours = self.has_neighbours();
        let of = |block: &RowBlock| block.subdomain.rows.clone();
        let first = self.blocks.iter().take_while(|block| of(block).end <= new_rows.start).count();
        let last = self.blocks.iter().take_while(|block| of(block).start < new_rows.end).count();
        let to = [self.pack_blocks(0..first)?, self.pack_blocks(last..self.blocks.len())?];
        let [north, south] =
            comm.exchange_with_neighbours(neighbours, to.each_ref().map(Vec::as_slice));
        for list in [last..self.blocks.len(), 0..first] {
            self.blocks.drain(list.clone());
            self.open_cell_counts.drain(list);
        }
        let kept = self.rows();
        self.insert_blocks(&north, 0)?;
        self.insert_blocks(&south, self.blocks.len())?;
        if self.rows() != new_rows {
            return Err(damaged_bytes_error());
        }
        self.rows_received += new_rows.len().saturating_sub(kept.len());
        self.exchange_halos(comm);
        Ok(())
    }

    /// Serializes the blocks with the given indices to bytes that can be sent to another process.
    fn pack_blocks(&mut self, blocks: Range<usize>) -> io::Result<Vec<u8>> {
        if blocks.is_empty() {
            return Ok(Vec::new());
        }
        let mut all = Vec::with_capacity(blocks.len());
        for i in blocks {
            self.load_block(i)?;
            let block = &mut self.blocks[i];
            let mut fields = Vec::new();
            for_each_stored(&mut block.subdomain.flow, |slot, stored| {
                let mut bytes = Vec::new();
                stored.write(&mut bytes);
                fields.push((slot, SerializedBytes(bytes)));
                Ok(())
            })?;
            let exchange = &block.subdomain.flow.exchange;
            let carry = [&exchange.springs, &exchange.drains]
                .map(|list| list.iter().map(|outlet| outlet.remainders.clone()).collect());
            all.push(PackedBlock {
                rows: block.subdomain.rows.clone(),
                fields,
                carry,
                flood_has_initial_state: block
                    .subdomain
                    .flow
                    .flood
                    .as_ref()
                    .is_some_and(|record| record.has_records()),
                metadata: block.metadata(),
            });
        }
        postcard::to_stdvec(&all).map_err(io::Error::other)
    }

    /// Inserts the blocks that another process has serialized into the list of blocks, starting at
    /// index `first_index`.
    fn insert_blocks(&mut self, bytes: &[u8], first_index: usize) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let all: Vec<PackedBlock> = postcard::from_bytes(bytes).map_err(io::Error::other)?;
        for (i, packed) in (first_index..).zip(all) {
            let cells = self.spec.block_window(&packed.rows).0.len() * self.world.lattice.nx();
            self.free_memory(self.blocks.len(), cells * self.spec.bytes_per_cell())?;
            let block = self.unpack_block(packed)?;
            self.open_cell_counts.insert(i, block.open_cell_counts());
            self.blocks.insert(i, block);
        }
        let all = std::mem::take(&mut self.global_open_cell_counts);
        self.set_global_open_cells(all);
        Ok(())
    }

    fn unpack_block(&self, packed: PackedBlock) -> io::Result<RowBlock> {
        let PackedBlock { rows, fields, carry, flood_has_initial_state, metadata } = packed;
        let spec: &WorldSpec = &self.spec;
        let (nx, ny) = (self.world.lattice.nx(), spec.block_window(&rows).0.len());
        let uniform = |value: f32| Field::new(nx, ny, value);
        let mut window = RowFields::new(uniform(0.0), uniform(0.0));
        // The received field replaces the roughness, so any valid value can be used here.
        window.roughness = self.has_roughness_map.then(|| uniform(0.03));
        (window.rain_factor, window.soil) = (Some(uniform(0.0)), Some(Field::new(nx, ny, 0)));
        let mut part = spec.build_subdomain(&rows, window).map_err(io::Error::other)?;
        let flow = &mut part.flow;
        (flow.time, flow.last_dt, flow.steps) =
            (self.world.time, self.world.last_dt, self.world.steps);
        flow.flood.iter_mut().for_each(|record| record.restore(0, &[], flood_has_initial_state));
        let exchange = &mut flow.exchange;
        for (list, held) in [&mut exchange.springs, &mut exchange.drains].into_iter().zip(carry) {
            let same = list.len() == held.len()
                && list.iter().zip(&held).all(|(outlet, held)| outlet.cells.len() == held.len());
            if !same {
                return Err(damaged_bytes_error());
            }
            list.iter_mut().zip(held).for_each(|(outlet, held)| outlet.remainders = held);
        }
        let mut fields = fields.into_iter();
        for_each_stored(flow, |slot, stored| match fields.next() {
            Some((of, SerializedBytes(bytes))) if of == slot => {
                stored.read(&bytes).ok_or_else(damaged_bytes_error)
            }
            _ => Err(damaged_bytes_error()),
        })?;
        if flow.state.depth.ny() != ny || flow.state.depth.nx() != nx {
            return Err(damaged_bytes_error());
        }
        let mut block = RowBlock::new(part, spec.bytes_per_cell(), self.mouths.as_ref());
        block.set_metadata(metadata);
        Ok(block)
    }
}
