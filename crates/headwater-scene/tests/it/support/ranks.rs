//! Ranks of distributed runs, simulated by threads of one process.

use headwater::distributed::{Communicator, ThreadCommunicator};
use headwater_scene::Scene;
use headwater_scene::run::{Backend, PartFile, Ranks, serve};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Returns a backend with `count` ranks, all of which run `scene`.
pub(crate) fn thread_backend(count: usize, scene: &Scene) -> Backend {
    Backend::Distributed(thread_ranks(vec![scene.clone(); count], |comm| comm))
}

/// Returns the ranks of a distributed run, one for each scene in `scenes`. `wrap_communicator`
/// wraps the communicator of each rank. The calling thread is rank 0; the other ranks are started
/// as threads.
pub(crate) fn thread_ranks(
    scenes: Vec<Scene>,
    wrap_communicator: impl Fn(Arc<dyn Communicator>) -> Arc<dyn Communicator>,
) -> Ranks {
    let name = format!("{} threads", scenes.len());
    let mut group = ThreadCommunicator::create_group(scenes.len()).into_iter();
    let own = wrap_communicator(Arc::new(group.next().unwrap()));
    for (comm, scene) in group.zip(scenes.into_iter().skip(1)) {
        let ranks = Ranks::new(wrap_communicator(Arc::new(comm)), "");
        std::thread::spawn(move || serve(&ranks, || Ok(scene.clone())));
    }
    Ranks::new(own, name)
}

/// Callback that is called while the parts of a checkpoint are written. See
/// [`MessageStatistics::on_checkpoint_write`].
type WriteHook = Box<dyn FnMut(bool) -> bool + Send>;

/// Statistics of the messages between ranks, with a callback for checkpoints.
#[derive(Default)]
pub(crate) struct MessageStatistics {
    /// Size of the largest message (bytes).
    pub(crate) largest: AtomicUsize,
    /// Size of the largest message to a neighbouring rank (bytes), except halo rows.
    pub(crate) largest_to_neighbour: AtomicUsize,
    /// Callback that rank 0 calls with `false` after it has written its part of a checkpoint, and
    /// with `true` after all ranks have written theirs. If the call with `false` returns false, the
    /// write of rank 0 is reported as failed.
    pub(crate) on_checkpoint_write: Option<Mutex<WriteHook>>,
}

/// Communicator that records the sizes of all messages.
#[derive(Clone)]
pub(crate) struct RecordingCommunicator {
    pub(crate) comm: Arc<dyn Communicator>,
    pub(crate) traffic: Arc<MessageStatistics>,
}

impl RecordingCommunicator {
    fn record(&self, bytes: &[u8]) {
        self.traffic.largest.fetch_max(bytes.len(), Ordering::Relaxed);
    }
}

impl fmt::Debug for RecordingCommunicator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.comm.fmt(formatter)
    }
}

impl Communicator for RecordingCommunicator {
    fn rank(&self) -> usize {
        self.comm.rank()
    }

    fn size(&self) -> usize {
        self.comm.size()
    }

    fn allreduce_max(&self, values: &mut [f64]) {
        self.comm.allreduce_max(values);
    }

    fn exchange_halos(&self, sent: [&[f32]; 2], received: [&mut [f32]; 2]) {
        self.comm.exchange_halos(sent, received);
    }

    fn exchange_with_neighbours(&self, beside: [bool; 2], sent: [&[u8]; 2]) -> [Vec<u8>; 2] {
        let largest = sent.iter().map(|bytes| bytes.len()).max().unwrap();
        self.traffic.largest_to_neighbour.fetch_max(largest, Ordering::Relaxed);
        self.comm.exchange_with_neighbours(beside, sent)
    }

    fn broadcast(&self, root: usize, bytes: Vec<u8>) -> Vec<u8> {
        self.record(&bytes);
        self.comm.broadcast(root, bytes)
    }

    fn allgather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        self.record(&bytes);
        let part = postcard::from_bytes::<Result<PartFile, String>>(&bytes);
        let is_part = matches!(part, Ok(Ok(part)) if part.name.starts_with("part-"));
        let is_part = is_part && self.rank() == 0;
        let Some(writes) = self.traffic.on_checkpoint_write.as_ref().filter(|_| is_part) else {
            return self.comm.allgather(bytes);
        };
        let mut writes = writes.lock().unwrap();
        let full: Result<PartFile, String> = Err("the disk is full".into());
        let bytes = if writes(false) { bytes } else { postcard::to_stdvec(&full).unwrap() };
        let all = self.comm.allgather(bytes);
        writes(true);
        all
    }

    fn gather_to_root(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        self.record(&bytes);
        self.comm.gather_to_root(bytes)
    }

    fn subgroup(&self, count: usize) -> Option<Arc<dyn Communicator>> {
        let comm = self.comm.subgroup(count)?;
        Some(Arc::new(Self { comm, traffic: Arc::clone(&self.traffic) }))
    }
}

/// Returns `count` ranks that all run `scene`, and the statistics of their messages.
pub(crate) fn recording_ranks(
    count: usize,
    scene: &Scene,
    traffic: MessageStatistics,
) -> (Ranks, Arc<MessageStatistics>) {
    let traffic = Arc::new(traffic);
    let ranks = thread_ranks(vec![scene.clone(); count], |comm| {
        Arc::new(RecordingCommunicator { comm, traffic: Arc::clone(&traffic) })
    });
    (ranks, traffic)
}
