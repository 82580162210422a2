//! What whoever has the bands of a world is asked, and says: [`Request`], [`Response`], and [`Workers`], who are asked.

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

/// Who has the bands of a world that is nowhere as a whole: one process all of them, or several those of some rows each, from north to
/// south.
pub trait Workers: fmt::Debug + Send + Sync {
    /// How many there are.
    fn count(&self) -> usize;

    /// Asks all of them the same, at once; they answer in their order.
    ///
    /// # Errors
    /// Why one of them does not.
    fn all(&mut self, ask: &Request) -> io::Result<Vec<Response>>;

    /// Asks one of them alone.
    ///
    /// # Errors
    /// Why it does not answer.
    fn one(&mut self, number: usize, ask: &Request) -> io::Result<Response>;
}

/// What is asked by a [`DistributedFlow`](crate::distributed::DistributedFlow) world, which alone knows what it means.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request(pub(in crate::distributed) Question);

impl Request {
    /// Whether steps are asked for, in which keepers ask one another.
    pub fn is_steps(&self) -> bool {
        matches!(self.0, Question::Steps { .. })
    }

    /// Whether bands are to go from one keeper to the next, in which they ask one another too.
    pub fn is_move(&self) -> bool {
        matches!(self.0, Question::Move(_))
    }

    /// Whether it may change the ground or which cells are closed.
    pub fn changes_ground(&self) -> bool {
        matches!(self.0, Question::Edit(_) | Question::Close { .. } | Question::Begin { .. })
    }
}

/// What [`LocalBlocks`](crate::distributed::LocalBlocks) say to that.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Response(pub(in crate::distributed) Reply);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::distributed) enum Question {
    /// What there is to know of them before anything else.
    Facts,
    /// To take down how many open cells each spring and each drain has in all.
    Open([Vec<usize>; 2]),
    /// Steps on the way to a time (s), so many at most.
    Steps { stop: f64, most: usize },
    /// To hand bands on: the rows that each has, and those that each is to have.
    Move(Vec<(Range<usize>, Range<usize>)>),
    /// The sum so far of depths and remainders, to go on with theirs.
    Sum([f64; 2]),
    /// Whether their water is numbers.
    Sound,
    /// Some rows of a field.
    Numbers { which: usize, rows: Range<usize> },
    /// To put other numbers there: `place` is the row in the window of the band that has row `y` of the world.
    Put {
        which: usize,
        y: usize,
        place: usize,
        #[serde(with = "packed")]
        raw: Raw,
    },
    /// What rounding holds back of a spring (kind 0) or drain (1), cell by cell.
    HeldBack { kind: usize, number: usize },
    /// To hold that back.
    HoldBack { kind: usize, number: usize, held: Vec<f32> },
    /// To begin anew with what has been put there, at a time (s), after so many steps.
    Begin { time: f64, last_dt: f32, steps: u64, begun: bool },
    /// Exchanges halos, so that edits see the water around their rows.
    Refresh,
    /// Sum so far of the brush's weights over open cells, to be continued.
    Weights(Brush, f64),
    /// Applies an edit.
    Edit(EditPart),
    /// Closes the marked cells (column by column, row by row) of some rows.
    Close { rows: Range<usize>, cells: Vec<bool> },
    /// Adds a spring (kind 0) or a drain (1).
    AddOutlet { kind: usize, source: Source },
    /// What rounding carries over in structures.
    Structures,
    /// Sets that.
    SetStructures(Structures),
    /// Discharges (m³/s) over the faces along a line.
    Through(Point, Point),
    /// The water (m) held so far in the cells of a region, to go on with theirs.
    Held(Region, f64),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::distributed) enum Reply {
    /// It is done.
    Done,
    Facts(Facts),
    Stepped(Stepped),
    Sum([f64; 2]),
    Sound(bool),
    Numbers(#[serde(with = "packed")] Raw),
    HeldBack(Vec<f32>),
    /// Those of some faces, by their numbers along the line.
    Through(Vec<(usize, f64)>),
    Held(f64),
    Weights(f64),
    Structures(Structures),
}

/// An edit of the rows of one keeper.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::distributed) struct EditPart {
    pub(in crate::distributed) brush: Brush,
    pub(in crate::distributed) edit: Edit,
    pub(in crate::distributed) keep: Keep,
    /// New beds of a smoothing, from a row of the world on.
    pub(in crate::distributed) smoothed: Option<(usize, Field<f32>)>,
    /// Depths (m, summed over cells) given and taken so far.
    pub(in crate::distributed) moved: [f64; 2],
}

/// What there is to know of bands.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::distributed) struct Facts {
    /// The rows of each.
    pub(in crate::distributed) bands: Vec<Range<usize>>,
    /// Whether all are in memory.
    pub(in crate::distributed) are_here: bool,
    /// How many open cells each spring and each drain has in them.
    pub(in crate::distributed) open: [Vec<usize>; 2],
    pub(in crate::distributed) is_rough: bool,
    /// Of a flood, whether the state before the first step has been seen.
    pub(in crate::distributed) is_begun: bool,
}

/// What came of steps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::distributed) struct Stepped {
    pub(in crate::distributed) done: usize,
    pub(in crate::distributed) time: f64,
    pub(in crate::distributed) last_dt: f32,
    pub(in crate::distributed) steps: u64,
    /// What came and went in each round of steps.
    pub(in crate::distributed) rounds: Vec<Vec<Log>>,
    /// How many cells were stepped how often, band by band.
    pub(in crate::distributed) work: Vec<u64>,
}

/// What is said of an answer to another question.
pub(in crate::distributed) fn astray() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "something else was asked of the bands")
}

/// Numbers as the bytes that they have on a shelf.
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
