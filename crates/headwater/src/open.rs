//! What worlds without edges share: chunks, and what stands in the place of those that are not
//! loaded.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Columns and rows of a chunk.
pub const CHUNK: usize = 64;

/// Position of a chunk in an open world: (0, 0) has the cells `[0, 0]` to `[63, 63]`, (−1, 0) is
/// west of it, (0, 1) below.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct ChunkPos {
    /// Column of chunks, counted to the east.
    pub x: i32,
    /// Row of chunks, counted downwards.
    pub y: i32,
}

impl ChunkPos {
    /// The chunk in a column and a row of chunks.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The chunk that a cell is in, given by its column and row; `None` for cells so far away that no chunk has them.
    pub fn of([x, y]: [i64; 2]) -> Option<Self> {
        let of = |at: i64| i32::try_from(at.div_euclid(CHUNK as i64)).ok();
        Some(Self { x: of(x)?, y: of(y)? })
    }

    /// The column and row of its first cell.
    pub fn origin(self) -> [i64; 2] {
        [self.x, self.y].map(|at| i64::from(at) * CHUNK as i64)
    }

    /// The chunks to the west, to the east, above and below; `None` where there can be none.
    pub(crate) fn sides(self) -> [Option<Self>; 4] {
        [(-1, 0), (1, 0), (0, -1), (0, 1)].map(|by| self.moved(by))
    }

    /// The chunks that share an edge with it, in the order of its sides.
    pub(crate) fn beside(self) -> impl Iterator<Item = Self> {
        self.sides().into_iter().flatten()
    }

    pub(crate) fn around(self) -> impl Iterator<Item = Self> {
        let all = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y)));
        all.filter(|by| *by != (0, 0)).filter_map(move |by| self.moved(by))
    }

    fn moved(self, (x, y): (i32, i32)) -> Option<Self> {
        Some(Self { x: self.x.checked_add(x)?, y: self.y.checked_add(y)? })
    }
}

impl fmt::Display for ChunkPos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "chunk ({}, {})", self.x, self.y)
    }
}

/// What becomes of liquids at the border between a chunk that is loaded and one that is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Border {
    /// They are held as by a wall.
    #[default]
    Hold,
    /// They run out into cells that were air when the chunk was unloaded, and wait there: when it
    /// is loaded, they come in where they went out or above, a cell's worth in each step. The game
    /// may take them before. Chunks that were never loaded hold liquids back.
    Pass,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Beyond<Record> {
    pub(crate) border: Border,
    /// Where it is another one.
    pub(crate) borders: BTreeMap<ChunkPos, Border>,
    /// What is remembered of chunks that were unloaded.
    pub(crate) records: BTreeMap<ChunkPos, Record>,
}

impl<Record> Default for Beyond<Record> {
    fn default() -> Self {
        Self { border: Border::default(), borders: BTreeMap::new(), records: BTreeMap::new() }
    }
}

impl<Record> Beyond<Record> {
    pub(crate) fn border_of(&self, chunk: ChunkPos) -> Border {
        self.borders.get(&chunk).copied().unwrap_or(self.border)
    }
}
