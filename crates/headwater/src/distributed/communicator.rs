//! [`Communicator`]: interface to the collective operations of the processes that share a world,
//! independent of the transport.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::io;
use std::sync::Arc;

/// Collective operations of the processes that share a world, ordered from north to south. Every
/// process calls the same operations in the same order.
pub trait Communicator: fmt::Debug + Send + Sync {
    /// Returns the rank of this process, from 0.
    fn rank(&self) -> usize;

    /// Returns the number of processes.
    fn size(&self) -> usize;

    /// Replaces each value by its maximum over all processes.
    fn allreduce_max(&self, values: &mut [f64]);

    /// Sends halo rows to the northern and southern neighbours and receives the halo rows of these
    /// neighbours. Slices are empty where there is no neighbour.
    fn exchange_halos(&self, to: [&[f32]; 2], from: [&mut [f32]; 2]);

    /// [Exchanges halos](Self::exchange_halos) while `work` runs. `work` must not access the
    /// received rows. Its argument is a function that `work` should call from time to time, because
    /// some transports make progress only during calls. The default implementation does not overlap
    /// communication and work.
    fn exchange_halos_overlapped(
        &self,
        to: [&[f32]; 2],
        from: [&mut [f32]; 2],
        work: &mut dyn FnMut(&mut dyn FnMut()),
    ) {
        self.exchange_halos(to, from);
        work(&mut || {});
    }

    /// Sends bytes of any length to the northern and southern neighbours and returns the bytes
    /// received from each. `neighbours` states whether there is a neighbour to the north and to the
    /// south.
    fn exchange_with_neighbours(&self, neighbours: [bool; 2], to: [&[u8]; 2]) -> [Vec<u8>; 2];

    /// Returns the bytes that process `root` passes. The other processes pass an empty vector.
    fn broadcast(&self, root: usize, bytes: Vec<u8>) -> Vec<u8>;

    /// Returns the bytes that each process passes, by rank.
    fn allgather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>>;

    /// Returns the bytes that each process passes, by rank, on the first process. Returns an empty
    /// list on the other processes.
    fn gather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>>;

    /// Creates a communicator of the first `count` processes. Returns `None` on the other
    /// processes.
    fn subgroup(&self, count: usize) -> Option<Arc<dyn Communicator>>;
}

/// Collective operations on typed values. Values are sent in postcard format; nothing is serialized
/// if there is only one process.
impl dyn Communicator + '_ {
    /// Calls `value` on process `root` and returns the result on all processes.
    ///
    /// # Errors
    /// Returns the error of `root` on all processes.
    pub fn broadcast_value<T: Serialize + DeserializeOwned>(
        &self,
        root: usize,
        value: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<T> {
        if self.size() == 1 {
            return value();
        }
        let bytes = if self.rank() == root { encode(&value().map_err(text))? } else { Vec::new() };
        decode::<Result<T, String>>(&self.broadcast(root, bytes))?.map_err(io::Error::other)
    }

    /// Returns the values that each process passes, by rank.
    ///
    /// # Errors
    /// Returns the error of the first process that failed.
    pub fn allgather_values<T: Serialize + DeserializeOwned>(
        &self,
        own: io::Result<T>,
    ) -> io::Result<Vec<T>> {
        if self.size() == 1 {
            return Ok(vec![own?]);
        }
        let all = self.allgather(encode(&own.map_err(text))?);
        let one = |bytes: &Vec<u8>| decode::<Result<T, String>>(bytes)?.map_err(io::Error::other);
        all.iter().map(one).collect()
    }

    /// Returns the values that each process passes, by rank, on the first process. Returns an empty
    /// list on the other processes.
    ///
    /// # Errors
    /// Returns the error of the first process that failed.
    pub fn gather_values<T: Serialize + DeserializeOwned>(
        &self,
        own: io::Result<T>,
    ) -> io::Result<Vec<T>> {
        if self.size() == 1 {
            return Ok(vec![own?]);
        }
        self.allgather_values(
            own.as_ref().map(drop).map_err(|error| io::Error::other(error.to_string())),
        )?;
        let all = Communicator::gather(self, encode(&own?)?);
        all.iter().map(|bytes| decode(bytes)).collect()
    }
}

fn text(error: io::Error) -> String {
    error.to_string()
}

fn encode(value: &impl Serialize) -> io::Result<Vec<u8>> {
    postcard::to_stdvec(value).map_err(io::Error::other)
}

fn decode<T: DeserializeOwned>(bytes: &[u8]) -> io::Result<T> {
    postcard::from_bytes(bytes).map_err(io::Error::other)
}

/// Communicator of a single process that owns the whole world. All operations are local.
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

    fn gather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        vec![bytes]
    }

    fn subgroup(&self, _: usize) -> Option<Arc<dyn Communicator>> {
        Some(Arc::new(*self))
    }
}
