//! Threads in place of ranks, which run a scene.

use headwater::distributed::{Communicator, ThreadCommunicator};
use headwater_scene::Scene;
use headwater_scene::run::{Backend, PartFile, Ranks, serve};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Ranks that all read `scene`.
pub(crate) fn on(count: usize, scene: &Scene) -> Backend {
    Backend::Distributed(reading(vec![scene.clone(); count], |comm| comm))
}

/// As many ranks as scenes, each of which reads one of them and talks through what `with` makes of
/// its communicator. This thread is the first.
pub(crate) fn reading(
    scenes: Vec<Scene>,
    with: impl Fn(Arc<dyn Communicator>) -> Arc<dyn Communicator>,
) -> Ranks {
    let name = format!("{} threads", scenes.len());
    let mut group = ThreadCommunicator::group(scenes.len()).into_iter();
    let own = with(Arc::new(group.next().unwrap()));
    for (comm, scene) in group.zip(scenes.into_iter().skip(1)) {
        let ranks = Ranks::new(with(Arc::new(comm)), "");
        std::thread::spawn(move || serve(&ranks, || Ok(scene.clone())));
    }
    Ranks::new(own, name)
}

/// Called when ranks write a checkpoint.
type Look = Box<dyn FnMut(bool) -> bool + Send>;

/// What ranks have sent.
#[derive(Default)]
pub(crate) struct Sent {
    /// Most bytes at once.
    pub(crate) most: AtomicUsize,
    /// Most bytes to a neighbour at once, other than rows of halos.
    pub(crate) moved: AtomicUsize,
    /// Called before (`false`) and after (`true`) all have written their parts of a checkpoint, of
    /// which the first fails if this returns false before.
    pub(crate) writes: Option<Mutex<Look>>,
}

/// A communicator that notes what is sent.
#[derive(Clone)]
pub(crate) struct Noting {
    pub(crate) comm: Arc<dyn Communicator>,
    pub(crate) sent: Arc<Sent>,
}

impl Noting {
    fn note(&self, bytes: &[u8]) {
        self.sent.most.fetch_max(bytes.len(), Ordering::Relaxed);
    }
}

impl fmt::Debug for Noting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.comm.fmt(formatter)
    }
}

impl Communicator for Noting {
    fn rank(&self) -> usize {
        self.comm.rank()
    }

    fn size(&self) -> usize {
        self.comm.size()
    }

    fn allreduce_max(&self, values: &mut [f64]) {
        self.comm.allreduce_max(values);
    }

    fn exchange_halos(&self, to: [&[f32]; 2], from: [&mut [f32]; 2]) {
        self.comm.exchange_halos(to, from);
    }

    fn exchange_with_neighbours(&self, beside: [bool; 2], to: [&[u8]; 2]) -> [Vec<u8>; 2] {
        let most = to.iter().map(|bytes| bytes.len()).max().unwrap();
        self.sent.moved.fetch_max(most, Ordering::Relaxed);
        self.comm.exchange_with_neighbours(beside, to)
    }

    fn broadcast(&self, root: usize, bytes: Vec<u8>) -> Vec<u8> {
        self.note(&bytes);
        self.comm.broadcast(root, bytes)
    }

    fn allgather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        self.note(&bytes);
        let part = postcard::from_bytes::<Result<PartFile, String>>(&bytes);
        let is_part = matches!(part, Ok(Ok(part)) if part.name.starts_with("part-"));
        let is_part = is_part && self.rank() == 0;
        let Some(writes) = self.sent.writes.as_ref().filter(|_| is_part) else {
            return self.comm.allgather(bytes);
        };
        let mut writes = writes.lock().unwrap();
        let full: Result<PartFile, String> = Err("the disk is full".into());
        let bytes = if writes(false) { bytes } else { postcard::to_stdvec(&full).unwrap() };
        let all = self.comm.allgather(bytes);
        writes(true);
        all
    }

    fn gather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        self.note(&bytes);
        self.comm.gather(bytes)
    }

    fn subgroup(&self, count: usize) -> Option<Arc<dyn Communicator>> {
        let comm = self.comm.subgroup(count)?;
        Some(Arc::new(Self { comm, sent: Arc::clone(&self.sent) }))
    }
}

/// Ranks that all read `scene` and note what they send.
pub(crate) fn noting(count: usize, scene: &Scene, sent: Sent) -> (Ranks, Arc<Sent>) {
    let sent = Arc::new(sent);
    let ranks = reading(vec![scene.clone(); count], |comm| {
        Arc::new(Noting { comm, sent: Arc::clone(&sent) })
    });
    (ranks, sent)
}
