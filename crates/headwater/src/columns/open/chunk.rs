//! Chunk of an open world of columns: its walls, water and flows.

use super::heights::{CHUNK_HEIGHT, QUANTA_PER_CELL};
use crate::columns::params::Params;
use crate::error::InputError;
use crate::field::Field;
use crate::open::{CHUNK, ChunkPos, Edges, StoredChunk};
use crate::parameter;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Walls of a chunk, as one bit mask per row from the top. Bit x of a row is set if the cell in
/// column x, counted from the west, is wall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Walls(Vec<u64>);

impl Walls {
    /// Creates the walls from a field in which `true` marks a wall.
    ///
    /// # Errors
    /// Returns [`InputError`] if the field does not have the size of a chunk.
    pub(super) fn from_field(chunk: ChunkPos, walls: &Field<bool>) -> Result<Self, InputError> {
        chunk.check_size([walls.nx(), walls.ny()])?;
        let row = |y| (0..CHUNK).fold(0, |bits, x| bits | u64::from(walls[(x, y)]) << x);
        Ok(Self((0..CHUNK).map(row).collect()))
    }

    pub(super) fn is_valid(&self) -> bool {
        self.0.len() == CHUNK
    }

    pub(super) fn is_wall(&self, x: usize, y: usize) -> bool {
        self.0[y] >> x & 1 == 1
    }

    /// Turns a cell into wall (if `is_wall` is true) or air. Returns whether the cell has changed.
    pub(super) fn set_wall(&mut self, x: usize, y: usize, is_wall: bool) -> bool {
        let changed = self.is_wall(x, y) != is_wall;
        self.0[y] ^= u64::from(changed) << x;
        changed
    }

    /// Returns the vertical runs of air cells, from west to east and from bottom to top. Each run
    /// is given by its column of cells and its range of rows.
    pub(super) fn air_runs(&self) -> impl Iterator<Item = (usize, Range<usize>)> + '_ {
        (0..CHUNK).flat_map(move |x| {
            let mut below = CHUNK;
            std::iter::from_fn(move || {
                let bottom = (0..below).rev().find(|&y| !self.is_wall(x, y))?;
                let top = (0..bottom).rev().find(|&y| self.is_wall(x, y)).map_or(0, |y| y + 1);
                below = top;
                Some((x, top..bottom + 1))
            })
        })
    }
}

/// Flow of water from a column to its eastern neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Flow {
    /// Index of the water column west of the opening, counted from the western side of the chunk.
    pub(super) x: u16,
    /// Height of the opening's lower end (in height quanta above the bottom of the chunk).
    pub(super) sill: i32,
    pub(super) lintel: i32,
    /// Velocity of the flow (m/s, positive to the east).
    pub(super) speed: f32,
}

/// Contents of a chunk in an open world: its walls, water and flows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chunk {
    /// Number of water columns per grid cell.
    pub(super) per_cell: u32,
    pub(super) walls: Walls,
    /// Depth of each water column (in height quanta, the integer unit of height). The columns are
    /// ordered by vertical run of air cells, from west to east and from bottom to top. Within a
    /// run, they are ordered from west to east.
    pub(super) depth: Vec<i32>,
    pub(super) foam: Vec<f32>,
    /// Flows in the chunk, ordered by horizontal position, then by height.
    pub(super) flows: Vec<Flow>,
}

impl Chunk {
    /// Creates a chunk from its walls and the fill fractions of its cells (from 0 to 1). In each
    /// vertical run of air cells, the water of all cells is placed on the floor.
    ///
    /// # Errors
    /// Returns [`InputError`] if `fill` does not have the size of a chunk or contains a value
    /// outside 0 to 1.
    pub(super) fn from_fill(
        chunk: ChunkPos,
        walls: Walls,
        fill: &Field<f64>,
        per_cell: u32,
    ) -> Result<Self, InputError> {
        chunk.check_size([fill.nx(), fill.ny()])?;
        let parts = parameter::Range::new(0.0, 1.0);
        fill.as_slice().iter().try_for_each(|&part| parts.check("fill of a cell", part, ""))?;
        let mut depth = Vec::new();
        for (x, rows) in walls.air_runs() {
            let cells: f64 = rows.map(|y| fill[(x, y)]).sum();
            let quanta = (cells * f64::from(QUANTA_PER_CELL)).round() as i32;
            depth.extend((0..per_cell).map(|_| quanta));
        }
        let foam = vec![0.0; depth.len()];
        Ok(Self { per_cell, walls, depth, foam, flows: Vec::new() })
    }

    /// Returns each vertical run of air cells (column and range of rows), with the range of its
    /// water columns in `depth`.
    pub(super) fn runs_with_columns(
        &self,
    ) -> impl Iterator<Item = (usize, Range<usize>, Range<usize>)> + '_ {
        let n = self.per_cell as usize;
        let runs = self.walls.air_runs().enumerate();
        runs.map(move |(i, (x, rows))| (x, rows, i * n..(i + 1) * n))
    }

    /// Returns a description of the first invalid value in the chunk, or `None` if the chunk is
    /// valid. `per_cell` is the number of water columns per grid cell in the world.
    fn find_invalid_value(&self, per_cell: u32) -> Option<String> {
        let Self { walls, depth, foam, flows, .. } = self;
        if self.per_cell != per_cell {
            return Some(format!("{} columns of water per cell", self.per_cell));
        }
        if !walls.is_valid() {
            return Some(format!("{} rows of cells", walls.0.len()));
        }
        let runs = walls.air_runs().count() * per_cell as usize;
        if [depth.len(), foam.len()] != [runs; 2] {
            return Some(format!("{} columns of water", depth.len()));
        }
        let each = walls.air_runs().flat_map(|(_, rows)| (0..per_cell).map(move |_| rows.len()));
        // Pressure pushes slightly more water into a run than fits in its height.
        let room = |cells: usize| 2 * cells as i32 * QUANTA_PER_CELL;
        if let Some((depth, _)) =
            depth.iter().zip(each).find(|(depth, cells)| !(0..=room(*cells)).contains(*depth))
        {
            return Some(format!("a depth of {depth} quanta"));
        }
        if !foam.iter().all(|foam| (0.0..=1.0).contains(foam)) {
            return Some("foam outside 0 to 1".to_owned());
        }
        let is_flow = |flow: &Flow| {
            u32::from(flow.x) < CHUNK as u32 * per_cell
                && 0 <= flow.sill
                && flow.sill < flow.lintel
                && flow.lintel <= CHUNK_HEIGHT
                && flow.speed.abs() < 1e6
        };
        (!flows.iter().all(is_flow)).then(|| "a flow outside the chunk".to_owned())
    }
}

impl StoredChunk<Params, [i64; 1]> for Chunk {
    fn validation_error(&self, params: &Params) -> Option<[String; 2]> {
        let per_cell = params.columns_per_cell;
        let found = self.find_invalid_value(per_cell)?;
        Some([found, format!("a chunk with {per_cell} columns of water per cell")])
    }

    fn volumes(&self) -> [i64; 1] {
        [self.depth.iter().map(|&depth| i64::from(depth)).sum()]
    }

    fn edges(&self) -> Edges {
        let mut is_air = Field::new(CHUNK, CHUNK, false);
        for (x, rows, columns) in self.runs_with_columns() {
            let deepest = self.depth[columns].iter().copied().max().unwrap_or(0);
            for y in rows.clone() {
                is_air[(x, y)] = deepest <= (rows.end - 1 - y) as i32 * QUANTA_PER_CELL;
            }
        }
        Edges::new(|x, y| is_air[(x, y)])
    }
}
