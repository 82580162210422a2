//! [`Communicator`]: interface to the collective operations of the processes that share a world.
//! The interface does not depend on the transport, such as MPI or threads.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::io;
use std::sync::Arc;

/// Collective operations of the processes that share a world. The ranks of the processes are in the
/// order of their rows, from north to south. Every process must call the same operations in the
/// same order.
pub trait Communicator: fmt::Debug + Send + Sync {
    /// Returns the rank of this process, counted from 0.
    fn rank(&self) -> usize;

    /// Returns the number of processes.
    fn size(&self) -> usize;

    /// Replaces each value by its maximum over all processes.
    fn allreduce_max(&self, values: &mut [f64]);

    /// Sends the slices `sent` to the northern (index 0) and southern (index 1) process, and fills
    /// the slices `received` with the rows that they send. Slices are empty where there is no
    /// neighbour.
    fn exchange_halos(&self, sent: [&[f32]; 2], received: [&mut [f32]; 2]);

    /// [Exchanges halos](Self::exchange_halos) while `work` runs. `work` must not access the rows
    /// that are being received. It is called with a function that makes the transport progress;
    /// call this function from time to time, because some transports make progress only during
    /// calls. The default implementation exchanges the halos before it calls `work`.
    fn exchange_halos_overlapped(
        &self,
        sent: [&[f32]; 2],
        received: [&mut [f32]; 2],
        work: &mut dyn FnMut(&mut dyn FnMut()),
    ) {
        self.exchange_halos(sent, received);
        work(&mut || {});
    }

    /// Sends byte strings of any length to the processes to the north (index 0) and south (index
    /// 1), and returns the byte strings that these processes send. `neighbours` states whether
    /// there is a neighbour on each side.
    fn exchange_with_neighbours(&self, neighbours: [bool; 2], sent: [&[u8]; 2]) -> [Vec<u8>; 2];

    /// Sends `bytes` of the process `root` to all processes and returns them. The other processes
    /// pass an empty vector.
    fn broadcast(&self, root: usize, bytes: Vec<u8>) -> Vec<u8>;

    /// Returns the byte strings that all processes pass, in the order of the ranks.
    fn allgather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>>;

    /// Returns the byte strings that all processes pass, in the order of the ranks, on the process
    /// with rank 0. Returns an empty list on the other processes.
    fn gather_to_root(&self, bytes: Vec<u8>) -> Vec<Vec<u8>>;

    /// Creates a communicator that consists of the first `count` processes. Returns `None` on the
    /// other processes.
    fn subgroup(&self, count: usize) -> Option<Arc<dyn Communicator>>;
}

/// Collective operations on typed values. Values are sent in postcard format; nothing is serialized
/// if there is only one process.
impl dyn Communicator + '_ {
    /// Calls `value` on the process `root` only, and returns its result on all processes.
    ///
    /// # Errors
    /// Returns the error of `value` on all processes.
    pub fn broadcast_value<T: Serialize + DeserializeOwned>(
        &self,
        root: usize,
        value: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<T> {
        if self.size() == 1 {
            return value();
        }
        let bytes =
            if self.rank() == root { encode(&value().map_err(error_message))? } else { Vec::new() };
        decode::<Result<T, String>>(&self.broadcast(root, bytes))?.map_err(io::Error::other)
    }

    /// Returns the values that all processes pass, in the order of the ranks.
    ///
    /// # Errors
    /// Returns the error of the lowest rank that passed an error.
    pub fn allgather_values<T: Serialize + DeserializeOwned>(
        &self,
        own: io::Result<T>,
    ) -> io::Result<Vec<T>> {
        if self.size() == 1 {
            return Ok(vec![own?]);
        }
        let all = self.allgather(encode(&own.map_err(error_message))?);
        let one = |bytes: &Vec<u8>| decode::<Result<T, String>>(bytes)?.map_err(io::Error::other);
        all.iter().map(one).collect()
    }

    /// Returns the values that all processes pass, in the order of the ranks, on the process with
    /// rank 0. Returns an empty list on the other processes.
    ///
    /// # Errors
    /// Returns the error of the lowest rank that passed an error.
    pub fn gather_values_to_root<T: Serialize + DeserializeOwned>(
        &self,
        own: io::Result<T>,
    ) -> io::Result<Vec<T>> {
        if self.size() == 1 {
            return Ok(vec![own?]);
        }
        self.allgather_values(
            own.as_ref().map(drop).map_err(|error| io::Error::other(error.to_string())),
        )?;
        let all = Communicator::gather_to_root(self, encode(&own?)?);
        all.iter().map(|bytes| decode(bytes)).collect()
    }
}

fn error_message(error: io::Error) -> String {
    error.to_string()
}

fn encode(value: &impl Serialize) -> io::Result<Vec<u8>> {
    postcard::to_stdvec(value).map_err(io::Error::other)
}

fn decode<T: DeserializeOwned>(bytes: &[u8]) -> io::Result<T> {
    postcard::from_bytes(bytes).map_err(io::Error::other)
}

/// Communicator of a single process that owns the whole world. No operation communicates.
#[derive(Clone, Copy, Debug, Default)]
pub struct SingleProcess;

impl Communicator for SingleProcess {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn allreduce_max(&self, _: &mut [f64]) {}

    fn exchange_halos(&self, _: [&[f32]; 2], _: [&mut [f32]; 2]) {}

    fn exchange_with_neighbours(&self, _: [bool; 2], _: [&[u8]; 2]) -> [Vec<u8>; 2] {
        Default::default()
    }

    fn broadcast(&self, _: usize, bytes: Vec<u8>) -> Vec<u8> {
        bytes
    }

    fn allgather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        vec![bytes]
    }

    fn gather_to_root(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        vec![bytes]
    }

    fn subgroup(&self, _: usize) -> Option<Arc<dyn Communicator>> {
        Some(Arc::new(*self))
    }
}
