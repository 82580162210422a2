//! A chunk's cells, and a chunk as bytes: where it belongs, its cells in runs of equal ones, and a hash over both.

use crate::blocks::cell::Packed;
use crate::blocks::chunk::{KINDS, Row};
use crate::error::InputError;
use crate::field::Field;
use crate::model;
use crate::open::{CHUNK, ChunkPos};
use serde::{Deserialize, Serialize};

/// The cells of a chunk.
pub(super) type Cells = [Row; CHUNK];

/// What stands where nothing is loaded and nothing passes.
pub(super) static WALLS: Cells = [[Packed::WALL; CHUNK]; CHUNK];

/// What the bytes say that they are.
const NAME: &str = "blocks, a chunk";

/// The cells of a chunk, row by row from the top: runs of equal cells, and how many.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Runs(Vec<(Packed, u16)>);

impl Runs {
    pub(super) fn of(cells: &Cells) -> Self {
        let mut runs: Vec<(Packed, u16)> = Vec::new();
        for &cell in cells.iter().flatten() {
            match runs.last_mut() {
                Some((last, count)) if *last == cell => *count += 1,
                _ => runs.push((cell, 1)),
            }
        }
        Self(runs)
    }

    /// The cells of a chunk.
    ///
    /// # Errors
    /// What is wrong: they are more or fewer than a chunk has, or not what a cell can be.
    pub(super) fn cells(&self) -> Result<Box<Cells>, String> {
        let count: u64 = self.0.iter().map(|run| u64::from(run.1)).sum();
        if count != (CHUNK * CHUNK) as u64 {
            return Err(format!("{count} cells"));
        }
        if let Some((cell, _)) = self.0.iter().find(|(cell, _)| !cell.is_valid()) {
            return Err(format!("a cell of the bits {:#06x}", cell.0));
        }
        let mut cells = Box::new([[Packed::AIR; CHUNK]; CHUNK]);
        let all = self.0.iter().flat_map(|&(cell, count)| (0..count).map(move |_| cell));
        cells.iter_mut().flatten().zip(all).for_each(|(cell, stored)| *cell = stored);
        Ok(cells)
    }
}

#[derive(Serialize, Deserialize)]
struct Stored {
    chunk: ChunkPos,
    cells: Runs,
}

/// A chunk as bytes: the same for the same cells.
///
/// # Errors
/// Nothing in a chunk fails to be told in bytes.
pub(super) fn to_bytes(chunk: ChunkPos, cells: &Cells) -> Result<Vec<u8>, InputError> {
    model::save(NAME, &Stored { chunk, cells: Runs::of(cells) })
}

/// The cells of a chunk from its bytes.
///
/// # Errors
/// [`InputError`] if the bytes are damaged, of another chunk, or hold what no chunk can.
pub(super) fn of_bytes(chunk: ChunkPos, bytes: &[u8]) -> Result<Box<Cells>, InputError> {
    let at = |error: InputError| InputError { what: chunk.to_string().into(), ..error };
    let stored: Stored = model::load(NAME, bytes).map_err(at)?;
    if stored.chunk != chunk {
        let allowed = "the bytes that it was unloaded to";
        return Err(InputError::new(
            chunk.to_string(),
            format!("bytes of {}", stored.chunk),
            allowed,
        ));
    }
    let allowed = || format!("{CHUNK} × {CHUNK} cells of wall, air and liquids");
    stored.cells.cells().map_err(|found| InputError::new(chunk.to_string(), found, allowed()))
}

/// The cells of a chunk from a field of as many.
///
/// # Errors
/// [`InputError`] if it has another size.
pub(super) fn of_field(chunk: ChunkPos, field: &Field<Packed>) -> Result<Box<Cells>, InputError> {
    let found = [field.nx(), field.ny()];
    if found != [CHUNK; 2] {
        let found = format!("{} × {} cells", found[0], found[1]);
        let allowed = format!("{CHUNK} × {CHUNK}");
        return Err(InputError::new(chunk.to_string(), found, allowed));
    }
    let mut cells = Box::new([[Packed::AIR; CHUNK]; CHUNK]);
    cells.iter_mut().enumerate().for_each(|(y, row)| row.copy_from_slice(field.row(y)));
    Ok(cells)
}

/// The volume of each kind of liquid (256ths of a cell), lightest first.
pub(super) fn volumes(cells: &Cells) -> [u32; KINDS] {
    let mut sums = [0; KINDS];
    for cell in cells.iter().flatten().filter(|cell| cell.is_liquid()) {
        sums[usize::from(cell.kind()) - 1] += u32::from(cell.fill());
    }
    sums
}
