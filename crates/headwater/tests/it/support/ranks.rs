//! Helpers for tests that run threads as the ranks of a distributed world.

use headwater::distributed::{Communicator, ThreadCommunicator};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls `work` on `size` threads, each with the communicator of one rank. Returns the results in
/// the order of the ranks.
pub(crate) fn on_ranks<T: Send>(
    size: usize,
    work: impl Fn(Arc<dyn Communicator>) -> T + Sync,
) -> Vec<T> {
    let work = &work;
    std::thread::scope(|scope| {
        let group = ThreadCommunicator::create_group(size).into_iter();
        let all: Vec<_> = group.map(|comm| scope.spawn(|| work(Arc::new(comm)))).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

/// Selection of messages that are dropped. Tests use it to check that these messages are necessary.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DroppedMessages {
    /// Index of the first halo exchange whose rows are dropped; `None` if no rows are dropped.
    pub(crate) halos_from: Option<usize>,
    /// Whether reductions by maximum return the values of one rank instead of the maximum over all
    /// ranks.
    pub(crate) maxima: bool,
}

/// Communicator that drops selected messages.
#[derive(Debug)]
pub(crate) struct LossyCommunicator {
    comm: Arc<dyn Communicator>,
    dropped: DroppedMessages,
    exchanges: AtomicUsize,
}

impl LossyCommunicator {
    pub(crate) fn new(comm: Arc<dyn Communicator>, dropped: DroppedMessages) -> Self {
        Self { comm, dropped, exchanges: AtomicUsize::new(0) }
    }
}

impl Communicator for LossyCommunicator {
    fn rank(&self) -> usize {
        self.comm.rank()
    }

    fn size(&self) -> usize {
        self.comm.size()
    }

    fn allreduce_max(&self, values: &mut [f64]) {
        let own = values.to_vec();
        self.comm.allreduce_max(values);
        if self.dropped.maxima {
            values.copy_from_slice(&own);
        }
    }

    fn exchange_halos(&self, sent: [&[f32]; 2], [north, south]: [&mut [f32]; 2]) {
        let old = [north.to_vec(), south.to_vec()];
        self.comm.exchange_halos(sent, [&mut *north, &mut *south]);
        let number = self.exchanges.fetch_add(1, Ordering::Relaxed);
        if self.dropped.halos_from.is_some_and(|from| number >= from) {
            north.copy_from_slice(&old[0]);
            south.copy_from_slice(&old[1]);
        }
    }

    /// Exchanges the halos after `work` has returned, so that `work` cannot read the received rows.
    fn exchange_halos_overlapped(
        &self,
        sent: [&[f32]; 2],
        received: [&mut [f32]; 2],
        work: &mut dyn FnMut(&mut dyn FnMut()),
    ) {
        work(&mut || {});
        self.exchange_halos(sent, received);
    }

    fn exchange_with_neighbours(&self, beside: [bool; 2], sent: [&[u8]; 2]) -> [Vec<u8>; 2] {
        self.comm.exchange_with_neighbours(beside, sent)
    }

    fn broadcast(&self, root: usize, bytes: Vec<u8>) -> Vec<u8> {
        self.comm.broadcast(root, bytes)
    }

    fn allgather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        self.comm.allgather(bytes)
    }

    fn gather_to_root(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        self.comm.gather_to_root(bytes)
    }

    fn subgroup(&self, count: usize) -> Option<Arc<dyn Communicator>> {
        self.comm.subgroup(count)
    }
}
