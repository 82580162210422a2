//! A chunk as bytes: where it belongs, what it is, and a hash over both.

use super::piece::Piece;
use crate::error::InputError;
use crate::model;
use crate::open::ChunkPos;
use serde::{Deserialize, Serialize};

/// What the bytes say that they are.
const NAME: &str = "columns, a chunk";

#[derive(Serialize, Deserialize)]
struct Stored<P> {
    chunk: ChunkPos,
    piece: P,
}

/// A chunk as bytes: the same for the same chunk.
///
/// # Errors
/// Nothing in a chunk fails to be told in bytes.
pub(super) fn to_bytes(chunk: ChunkPos, piece: &Piece) -> Result<Vec<u8>, InputError> {
    model::save(NAME, &Stored { chunk, piece })
}

/// A chunk from its bytes.
///
/// # Errors
/// [`InputError`] if the bytes are damaged, of another chunk, or hold what no chunk of a world with so many columns of water to a cell
/// can.
pub(super) fn of_bytes(chunk: ChunkPos, bytes: &[u8], per_cell: u32) -> Result<Piece, InputError> {
    let at = |error: InputError| InputError { what: chunk.to_string().into(), ..error };
    let stored: Stored<Piece> = model::load(NAME, bytes).map_err(at)?;
    if stored.chunk != chunk {
        let found = format!("bytes of {}", stored.chunk);
        let allowed = "the bytes that it was unloaded to";
        return Err(InputError::new(chunk.to_string(), found, allowed));
    }
    match stored.piece.fault(per_cell) {
        None => Ok(stored.piece),
        Some(found) => {
            let allowed = format!("what a chunk with {per_cell} columns of water to a cell can be");
            Err(InputError::new(chunk.to_string(), found, allowed))
        }
    }
}
