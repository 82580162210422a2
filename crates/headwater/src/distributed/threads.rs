//! [`ThreadCommunicator`]: a [`Communicator`] between threads of one process, for tests of
//! distributed worlds.

use super::Communicator;
use std::any::Any;
use std::sync::{Arc, Barrier, Mutex, PoisonError};

/// Data that all ranks share in order to exchange values.
#[derive(Debug)]
struct SharedState {
    barrier: Barrier,
    /// Values that the ranks contribute to the current operation, in the order of the ranks.
    slots: Mutex<Vec<Option<Arc<dyn Any + Send + Sync>>>>,
}

/// Communicator of one rank. The ranks are threads that communicate through shared memory.
#[derive(Clone, Debug)]
pub struct ThreadCommunicator {
    shared: Arc<SharedState>,
    rank: usize,
    size: usize,
}

impl ThreadCommunicator {
    /// Creates the communicators of `size` ranks, ordered from north to south. Each communicator
    /// must be moved to a thread of its own.
    pub fn create_group(size: usize) -> Vec<Self> {
        let slots = Mutex::new(vec![None; size]);
        let shared = Arc::new(SharedState { barrier: Barrier::new(size), slots });
        (0..size).map(|rank| Self { shared: Arc::clone(&shared), rank, size }).collect()
    }

    /// Publishes the value `own_value` of this rank, waits for all ranks, and returns the values of
    /// all ranks in order.
    fn exchange_with_all_ranks<T: Any + Send + Sync>(&self, own_value: T) -> Vec<Arc<T>> {
        let slots = || self.shared.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots()[self.rank] = Some(Arc::new(own_value));
        self.shared.barrier.wait();
        let all = slots().clone();
        self.shared.barrier.wait();
        // All ranks call the same operation, so all values have the same type.
        all.into_iter().flatten().filter_map(|one| one.downcast().ok()).collect()
    }

    /// Returns the ranks to the north and to the south; the first and the last rank are neighbours
    /// too.
    fn neighbours(&self) -> [usize; 2] {
        [(self.rank + self.size - 1) % self.size, (self.rank + 1) % self.size]
    }
}

impl Communicator for ThreadCommunicator {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn allreduce_max(&self, values: &mut [f64]) {
        for all in self.exchange_with_all_ranks(values.to_vec()) {
            values.iter_mut().zip(&*all).for_each(|(max, value)| *max = max.max(*value));
        }
    }

    fn exchange_halos(&self, sent: [&[f32]; 2], received: [&mut [f32]; 2]) {
        let all = self.exchange_with_all_ranks(sent.map(<[f32]>::to_vec));
        let sides = received.into_iter().zip(self.neighbours()).enumerate();
        for (side, (rows, rank)) in sides.filter(|(_, (rows, _))| !rows.is_empty()) {
            rows.copy_from_slice(&all[rank][1 - side]);
        }
    }

    fn exchange_with_neighbours(&self, neighbours: [bool; 2], sent: [&[u8]; 2]) -> [Vec<u8>; 2] {
        let (all, ranks) =
            (self.exchange_with_all_ranks(sent.map(<[u8]>::to_vec)), self.neighbours());
        [0, 1]
            .map(|side| if neighbours[side] { all[ranks[side]][1 - side].clone() } else { vec![] })
    }

    fn broadcast(&self, root: usize, bytes: Vec<u8>) -> Vec<u8> {
        self.exchange_with_all_ranks(bytes)[root].to_vec()
    }

    fn allgather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        self.exchange_with_all_ranks(bytes).iter().map(|one| one.to_vec()).collect()
    }

    fn gather_to_root(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        let all = self.allgather(bytes);
        if self.rank == 0 { all } else { Vec::new() }
    }

    fn subgroup(&self, count: usize) -> Option<Arc<dyn Communicator>> {
        let new = (self.rank == 0).then(|| Self::create_group(count));
        let group = Arc::clone(&self.exchange_with_all_ranks(new)[0]);
        group.iter().flatten().nth(self.rank).map(|one| Arc::new(one.clone()) as _)
    }
}
