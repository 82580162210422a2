//! Messages between ranks: serialized values, sent in pieces that MPI's 32-bit counts can hold.

use mpi::datatype::Equivalence;
use mpi::topology::{Process, SimpleCommunicator};
use mpi::traits::*;
use serde::{Serialize, de::DeserializeOwned};

/// Most bytes of a piece.
const PIECE: usize = 1 << 28;

/// Tag of these messages.
const TAG: i32 = 7;

/// Serializes a message.
pub(crate) fn bytes_of(words: &impl Serialize) -> Result<Vec<u8>, String> {
    postcard::to_stdvec(words).map_err(|error| error.to_string())
}

/// Deserializes a message.
pub(crate) fn of_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    postcard::from_bytes(bytes).map_err(|error| format!("words of another rank: {error}"))
}

/// Sends bytes to a rank.
pub(crate) fn send(world: &SimpleCommunicator, to: i32, bytes: &[u8]) {
    let process = world.process_at_rank(to);
    send_one(&process, &(bytes.len() as u64));
    for piece in bytes.chunks(PIECE) {
        process.send_with_tag(piece, TAG);
    }
}

fn send_one<T: Equivalence>(process: &Process<'_>, value: &T) {
    process.send_with_tag(value, TAG);
}

/// Receives the bytes that a rank [sends](send).
pub(crate) fn receive(world: &SimpleCommunicator, from: i32) -> Vec<u8> {
    let process = world.process_at_rank(from);
    let (length, _) = process.receive_with_tag::<u64>(TAG);
    let mut bytes = vec![0; length as usize];
    for piece in bytes.chunks_mut(PIECE) {
        process.receive_into_with_tag(piece, TAG);
    }
    bytes
}

/// Broadcasts bytes from the first rank. Other ranks pass none.
pub(crate) fn broadcast(world: &SimpleCommunicator, mut bytes: Vec<u8>) -> Vec<u8> {
    let root = world.process_at_rank(0);
    let mut length = bytes.len() as u64;
    root.broadcast_into(&mut length);
    bytes.resize(length as usize, 0);
    for piece in bytes.chunks_mut(PIECE) {
        root.broadcast_into(piece);
    }
    bytes
}
