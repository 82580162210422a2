//! Messages between the coordinator and the workers: [`Request`], [`Response`] and [`Workers`].

use crate::brush::Brush;
use crate::distributed::block::ledger_log::Log;
use crate::distributed::storage::page::Raw;
use crate::field::Field;
use crate::flow::edit::{Edit, Keep};
use crate::flow::exchange::Source;
use crate::flow::structure::Structures;
use crate::region::{Point, Region};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::ops::Range;

/// The processes that own the row blocks of a world, ordered from north to south. One process owns
/// all rows, or several own some rows each.
pub trait Workers: fmt::Debug + Send + Sync {
    /// Returns the number of workers.
    fn count(&self) -> usize;

    /// Sends a request to all workers at once and returns their responses in order.
    ///
    /// # Errors
    /// The reason why a worker does not respond.
    fn all(&mut self, ask: &Request) -> io::Result<Vec<Response>>;

    /// Sends a request to one worker.
    ///
    /// # Errors
    /// The reason why it does not respond.
    fn one(&mut self, number: usize, ask: &Request) -> io::Result<Response>;
}

/// Request of a [`DistributedFlow`](crate::distributed::DistributedFlow). Opaque outside this
/// module.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request(pub(in crate::distributed) Question);

impl Request {
    /// Returns whether it requests steps, during which workers communicate with each other.
    pub fn is_steps(&self) -> bool {
        matches!(self.0, Question::Steps { .. })
    }

    /// Returns whether it moves row blocks between workers, which then communicate with each other.
    pub fn is_move(&self) -> bool {
        matches!(self.0, Question::Move(_))
    }

    /// Returns whether it may change the bed or the closed cells.
    pub fn changes_ground(&self) -> bool {
        matches!(self.0, Question::Edit(_) | Question::Close { .. } | Question::Begin { .. })
    }
}

/// Response of [`LocalBlocks`](crate::distributed::LocalBlocks) to a [`Request`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Response(pub(in crate::distributed) Reply);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::distributed) enum Question {
    /// Returns the facts that the coordinator needs first.
    Facts,
    /// Sets the number of open cells of each spring and each drain in the whole world.
    Open([Vec<usize>; 2]),
    /// Advances toward a time (s), by at most `most` steps.
    Steps { stop: f64, most: usize },
    /// Moves blocks between workers: for each worker, its rows now and its rows after the move.
    Move(Vec<(Range<usize>, Range<usize>)>),
    /// Continues the running sums of depths and remainders.
    Sum([f64; 2]),
    /// Returns whether all water is finite.
    Sound,
    /// Returns some rows of a field.
    Numbers { which: usize, rows: Range<usize> },
    /// Replaces values of a field. `place` is the row in the block's window that holds row `y` of
    /// the world.
    Put {
        which: usize,
        y: usize,
        place: usize,
        #[serde(with = "packed")]
        raw: Raw,
    },
    /// Returns the rounding carry of a spring (kind 0) or drain (1), cell by cell.
    HeldBack { kind: usize, number: usize },
    /// Sets that rounding carry.
    HoldBack { kind: usize, number: usize, held: Vec<f32> },
    /// Restarts from the fields that were put, at a time (s), after a number of steps.
    Begin { time: f64, last_dt: f32, steps: u64, begun: bool },
    /// Exchanges halos, so that edits see the water around their rows.
    Refresh,
    /// Continues the sum of the brush's weights over open cells.
    Weights(Brush, f64),
    /// Applies an edit.
    Edit(EditPart),
    /// Closes the marked cells (column by column, row by row) of some rows.
    Close { rows: Range<usize>, cells: Vec<bool> },
    /// Adds a spring (kind 0) or a drain (1).
    AddOutlet { kind: usize, source: Source },
    /// Returns the rounding carry of the structures.
    Structures,
    /// Sets the rounding carry of the structures.
    SetStructures(Structures),
    /// Returns the discharges (m³/s) over the faces along a line.
    Through(Point, Point),
    /// Continues the sum of the depths (m) in the cells of a region.
    Held(Region, f64),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::distributed) enum Reply {
    /// Acknowledges a request.
    Done,
    Facts(Facts),
    Stepped(Stepped),
    Sum([f64; 2]),
    Sound(bool),
    Numbers(#[serde(with = "packed")] Raw),
    HeldBack(Vec<f32>),
    /// Discharges of some faces, by their numbers along the line.
    Through(Vec<(usize, f64)>),
    Held(f64),
    Weights(f64),
    Structures(Structures),
}

/// Part of an edit that applies to the rows of one worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::distributed) struct EditPart {
    pub(in crate::distributed) brush: Brush,
    pub(in crate::distributed) edit: Edit,
    pub(in crate::distributed) keep: Keep,
    /// Beds of a smoothing, with the first row of the world that they cover.
    pub(in crate::distributed) smoothed: Option<(usize, Field<f32>)>,
    /// Depths (m, summed over cells) added and removed so far.
    pub(in crate::distributed) moved: [f64; 2],
}

/// Facts about the blocks of a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::distributed) struct Facts {
    /// Rows of each block.
    pub(in crate::distributed) bands: Vec<Range<usize>>,
    /// Whether all blocks are in memory.
    pub(in crate::distributed) are_here: bool,
    /// Open cells of each spring and each drain in these blocks.
    pub(in crate::distributed) open: [Vec<usize>; 2],
    pub(in crate::distributed) is_rough: bool,
    /// Whether the flood record has covered the state before the first step.
    pub(in crate::distributed) is_begun: bool,
}

/// Result of steps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::distributed) struct Stepped {
    pub(in crate::distributed) done: usize,
    pub(in crate::distributed) time: f64,
    pub(in crate::distributed) last_dt: f32,
    pub(in crate::distributed) steps: u64,
    /// Ledger logs of each round of steps.
    pub(in crate::distributed) rounds: Vec<Vec<Log>>,
    /// Cells stepped since the last report, per block, each counted once per step.
    pub(in crate::distributed) work: Vec<u64>,
}

fn other() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is not of this world")
}

pub(in crate::distributed) fn check(is: bool) -> io::Result<()> {
    if is { Ok(()) } else { Err(other()) }
}

/// Returns the error for a response of the wrong kind.
pub(in crate::distributed) fn astray() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "something else was asked of the bands")
}

/// Serialization of numbers as the packed bytes that the storage uses.
mod packed {
    use super::Raw;
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Bytes(#[serde(with = "crate::numbers")] Vec<u8>);

    pub(in crate::distributed) fn serialize<S: Serializer>(
        raw: &Raw,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::new();
        raw.write(&mut bytes);
        Bytes(bytes).serialize(to)
    }

    pub(in crate::distributed) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Raw, D::Error> {
        let Bytes(bytes) = Bytes::deserialize(from)?;
        Raw::read(&bytes).ok_or_else(|| D::Error::custom("these are no rows of a field"))
    }
}
