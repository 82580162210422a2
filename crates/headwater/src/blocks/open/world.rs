//! [`OpenWorld`]: chunks that come and go, and their steps.

use super::beyond::{Beyond, Record};
use super::land::Land;
use super::passed::{self, Passed, Waiting};
use super::sources::Sources;
use super::stored::{self, Cells, volumes};
use crate::blocks::cell::{Cell, LIQUIDS};
use crate::blocks::exchange;
use crate::blocks::ledgers::{Ledgers, book};
use crate::blocks::params::{Params, Rule};
use crate::blocks::step;
use crate::blocks::world::check_cell;
use crate::clock::FixedStep;
use crate::error::InputError;
use crate::field::Field;
use crate::ledger::Cause;
use crate::open::{Border, ChunkPos};
use crate::parameter::Parameters;
use crate::walk::{rests, walks};
use xxhash_rust::xxh3::xxh3_64;

/// A world of blocks without edges, of which some chunks are loaded. See the [module](crate::blocks::open).
///
/// Columns are counted to the east and rows downwards, from anywhere: both may be below 0.
#[derive(Clone, Debug)]
pub struct OpenWorld {
    pub(super) params: Params,
    pub(super) land: Land,
    pub(super) beyond: Beyond,
    pub(super) waiting: Waiting,
    pub(super) sources: Sources,
    pub(super) ledgers: Ledgers,
    pub(super) steps: u64,
    pub(super) clock: FixedStep,
}

impl OpenWorld {
    /// A world of which nothing is loaded.
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of its range, the rule is that of whole blocks, or air is trapped: neither knows where
    /// the world ends.
    pub fn new(params: Params) -> Result<Self, InputError> {
        params.validate()?;
        if params.rule != Rule::Fill {
            return Err(InputError::new("rule", "`whole-blocks`", "`fill` in an open world"));
        }
        if params.trapped_air {
            return Err(InputError::new("trapped_air", true, "false in an open world"));
        }
        Ok(Self {
            params,
            land: Land::default(),
            beyond: Beyond::default(),
            waiting: Waiting::new(),
            sources: Sources::default(),
            ledgers: Ledgers::default(),
            steps: 0,
            clock: FixedStep::default(),
        })
    }

    /// The world's parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Changes the parameters of a running world, but for those that belong to it from its start.
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of its range or cannot change. Nothing is changed then.
    pub fn set_params(&mut self, params: Params) -> Result<(), InputError> {
        params.validate()?;
        params.check_change(&self.params)?;
        self.params = params;
        // What is at rest by other numbers may not be by these.
        self.land.islands_mut().for_each(|island| island.grid.wake_all());
        Ok(())
    }

    /// What becomes of liquids at the border of what is loaded, where nothing else is [said](Self::set_border_of).
    pub fn border(&self) -> Border {
        self.beyond.border
    }

    /// Says what becomes of liquids at the border of what is loaded. It is [`Border::Hold`] at first.
    pub fn set_border(&mut self, border: Border) {
        self.beyond.border = border;
        self.land.reset_ghosts(&self.beyond);
    }

    /// What becomes of liquids that would run into a chunk while it is not loaded.
    pub fn border_of(&self, chunk: ChunkPos) -> Border {
        self.beyond.border_of(chunk)
    }

    /// Says what becomes of liquids that would run into a chunk while it is not loaded; `None`: what becomes of them everywhere.
    pub fn set_border_of(&mut self, chunk: ChunkPos, border: Option<Border>) {
        match border {
            Some(border) => self.beyond.borders.insert(chunk, border),
            None => self.beyond.borders.remove(&chunk),
        };
        self.land.reset_ghost(chunk, &self.beyond);
    }

    /// Brings a chunk into the world that was never in it, and loads it: `cells` has 64 columns and rows. What it holds comes
    /// through the boundary, by the books.
    ///
    /// # Errors
    /// [`InputError`] if the chunk is loaded, or was unloaded and not forgotten; if it has another size, or a liquid does not fill
    /// 1 to 256; if more chunks than a world can have from edge to edge hang together (508 columns or rows). Nothing is changed then.
    pub fn insert(&mut self, chunk: ChunkPos, cells: &Field<Cell>) -> Result<(), InputError> {
        cells.as_slice().iter().try_for_each(|&cell| check_cell(cell, self.params.rule))?;
        let cells = stored::of_field(chunk, &cells.map(|&cell| cell.into()))?;
        if self.beyond.records.contains_key(&chunk) {
            let allowed = "the bytes that it was unloaded to, unless it is forgotten first";
            return Err(InputError::new(chunk.to_string(), "new cells", allowed));
        }
        self.bring_in(chunk, &cells)
    }

    /// Loads a chunk from the bytes that it was [unloaded](Self::unload) to. Bytes of another world of a chunk that was never in
    /// this one are welcome too; what they hold comes through the boundary.
    ///
    /// # Errors
    /// [`InputError`] if the chunk is loaded; if the bytes are damaged, of another chunk, or not the last to which this one was
    /// unloaded; or if too many chunks hang together, as of [`insert`](Self::insert). Nothing is changed then.
    pub fn load(&mut self, chunk: ChunkPos, bytes: &[u8]) -> Result<(), InputError> {
        let cells = stored::of_bytes(chunk, bytes)?;
        let hash = xxh3_64(bytes);
        if let Some(record) = self.beyond.records.get(&chunk).filter(|record| record.hash != hash) {
            let found = format!("bytes of hash {hash:016x}");
            let allowed = format!(
                "those that it was unloaded to last, of hash {:016x}, unless it is forgotten first",
                record.hash
            );
            return Err(InputError::new(chunk.to_string(), found, allowed));
        }
        self.bring_in(chunk, &cells)
    }

    fn bring_in(&mut self, chunk: ChunkPos, cells: &Cells) -> Result<(), InputError> {
        if self.land.is_loaded(chunk) {
            let allowed = "one that is not loaded";
            return Err(InputError::new(chunk.to_string(), "a chunk that is loaded", allowed));
        }
        self.land.load(chunk, cells, &self.beyond)?;
        if self.beyond.records.remove(&chunk).is_none() {
            for (kind, volume) in LIQUIDS.zip(volumes(cells)) {
                book(&mut self.ledgers, kind, Cause::Boundary, volume.into());
            }
        }
        self.sources.find_in(chunk);
        Ok(())
    }

    /// Unloads a chunk: gives its bytes, for the game to keep, and remembers some 80 bytes of it.
    ///
    /// # Errors
    /// [`InputError`] if it is not loaded.
    pub fn unload(&mut self, chunk: ChunkPos) -> Result<Vec<u8>, InputError> {
        let Some(cells) = self.land.cells(chunk) else {
            let allowed = "one that is loaded";
            return Err(InputError::new(chunk.to_string(), "a chunk that is not loaded", allowed));
        };
        let bytes = stored::to_bytes(chunk, cells)?;
        self.beyond.records.insert(chunk, Record::of(cells, &bytes));
        self.sources.leave(chunk);
        self.land.unload(chunk, &self.beyond);
        Ok(bytes)
    }

    /// Forgets a chunk that was unloaded: what it holds, and what waits there, leaves the world through the boundary, and the
    /// chunk may be brought in anew.
    ///
    /// # Errors
    /// [`InputError`] if there is no such chunk, or it is loaded.
    pub fn forget(&mut self, chunk: ChunkPos) -> Result<(), InputError> {
        let Some(record) = self.beyond.records.remove(&chunk) else {
            let allowed = "one that was unloaded and not forgotten";
            return Err(InputError::new(chunk.to_string(), "another chunk", allowed));
        };
        for (kind, volume) in LIQUIDS.zip(record.volumes) {
            book(&mut self.ledgers, kind, Cause::Boundary, -i64::from(volume));
        }
        self.take_passed(chunk);
        self.land.reset_ghost(chunk, &self.beyond);
        Ok(())
    }

    /// Takes what has [passed](Self::passed) into a chunk and waits there: it leaves the world through the boundary.
    pub fn take_passed(&mut self, chunk: ChunkPos) -> Vec<Passed> {
        let cells = self.waiting.remove(&chunk).unwrap_or_default();
        for (&(_, kind), &amount) in &cells {
            book(&mut self.ledgers, kind, Cause::Boundary, -(amount as i64));
        }
        passed::told(chunk, &cells).collect()
    }

    /// Does one step of all that is loaded: the one that [`Blocks::step`](crate::blocks::Blocks::step) describes. What waits in
    /// loaded chunks comes in before it begins, and what has got over the border is taken after its end.
    pub fn step(&mut self) {
        let Self { params, land, waiting, sources, ledgers, steps, .. } = self;
        for island in land.islands_mut() {
            // Films and springs go by labels, which are those of what has been loaded and edited.
            island.grid.refresh(&island.spare);
            passed::bring_in(island, waiting);
            sources.act(island, ledgers);
            let grid = &mut island.grid;
            exchange::dry(grid, params, *steps, ledgers, &island.spare);
            grid.refresh(&island.spare);
            step::fill(grid, &mut island.workspace, params, *steps, ledgers, &island.spare);
            passed::collect(island, waiting);
        }
        *steps += 1;
    }
}

walks!(OpenWorld, |params: &Params| params.tick, |_| u32::MAX);
rests!(OpenWorld);
