//! Parts of one world on threads of one process, which wait for each other as ranks do.

use headwater::flow::{self, Flow};
use headwater::hydrology::{self, Hydrology};
use headwater::part::{Peers, bands};
use headwater::waves::{self, Waves};
use std::sync::{Arc, Barrier, Mutex};

/// What all parts see.
struct Board {
    barrier: Barrier,
    values: Mutex<Vec<Vec<f64>>>,
    /// What each part sends to the north and to the south.
    rows: Mutex<Vec<[Vec<f32>; 2]>>,
}

/// A part's peers.
pub(crate) struct Ring {
    board: Arc<Board>,
    number: usize,
}

impl Ring {
    pub(crate) fn new(count: usize) -> Vec<Self> {
        let board = Arc::new(Board {
            barrier: Barrier::new(count),
            values: Mutex::new(vec![Vec::new(); count]),
            rows: Mutex::new(vec![Default::default(); count]),
        });
        (0..count).map(|number| Self { board: Arc::clone(&board), number }).collect()
    }

    /// Puts something on the board, waits for the others, and looks at all of it.
    fn exchange<T: Clone>(&self, on: &Mutex<Vec<T>>, mine: T) -> Vec<T> {
        on.lock().unwrap()[self.number] = mine;
        self.board.barrier.wait();
        let all = on.lock().unwrap().clone();
        self.board.barrier.wait();
        all
    }
}

impl Peers for Ring {
    fn greatest(&mut self, values: &mut [f64]) {
        for all in self.exchange(&self.board.values, values.to_vec()) {
            values.iter_mut().zip(all).for_each(|(most, value)| *most = most.max(value));
        }
    }

    fn swap(&mut self, to: [&[f32]; 2], from: [&mut [f32]; 2]) {
        let all = self.exchange(&self.board.rows, to.map(<[f32]>::to_vec));
        let count = all.len();
        let beside = [(self.number + count - 1) % count, (self.number + 1) % count];
        for (way, rows) in from.into_iter().enumerate() {
            if !rows.is_empty() {
                rows.copy_from_slice(&all[beside[way]][1 - way]);
            }
        }
    }
}

/// Has every part of a world do something, together with its peers; what that gives, from north to south.
fn together<S: Send, T: Send>(shares: Vec<S>, work: impl Fn(S, &mut Ring) -> T + Sync) -> Vec<T> {
    let peers = Ring::new(shares.len());
    std::thread::scope(|scope| {
        let start = |(share, mut peers): (S, Ring)| {
            let work = &work;
            scope.spawn(move || work(share, &mut peers))
        };
        let threads: Vec<_> = shares.into_iter().zip(peers).map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Does `steps` steps toward `stop` (s) in so many parts, or in as many as there is room for.
pub(crate) fn step_in_parts(flow: &mut Flow, wished: usize, stop: f64, steps: usize) {
    let shares = flow.share(&bands(flow.lattice().ny(), wished)).unwrap();
    let all = together(shares, |share, peers| {
        let mut part = flow::Part::new(share).unwrap();
        part.steps_toward(stop, steps, peers).unwrap();
        (part.take_log(), part.rows())
    });
    let (logs, rows): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    let mut ledger = flow.ledger().clone();
    flow.book(&logs, &mut ledger).unwrap();
    flow.take_back(&rows, ledger).unwrap();
}

/// Does `steps` steps of waves in so many parts, or in as many as there is room for.
pub(crate) fn wave_in_parts(waves: &mut Waves, wished: usize, steps: u64) {
    let shares = waves.share(&bands(waves.lattice().ny(), wished)).unwrap();
    let is_stirred = waves.device_view().is_stirred();
    let stirs = if is_stirred { steps } else { 0 };
    let stirred: Vec<_> = (0..stirs).map(|_| waves.stir().unwrap()).collect();
    let all = together(shares, |share, peers| {
        let mut part = waves::Part::new(share).unwrap();
        part.step_many(steps, &stirred, peers);
        (part.take_log(), part.rows())
    });
    let (logs, rows): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    let mut ledger = waves.ledger().clone();
    waves.book(&logs, &mut ledger).unwrap();
    waves.take_back(&rows, ledger).unwrap();
}

/// Does `steps` steps of a land that stream power carves, in so many parts, or in as many as there is room for.
pub(crate) fn carve_in_parts(land: &mut Hydrology, wished: usize, steps: u64) {
    carve_with(land, wished, steps, |ring| ring);
}

/// The same, with other peers in the place of those that there are.
pub(crate) fn carve_with<P: Peers>(
    land: &mut Hydrology,
    wished: usize,
    steps: u64,
    peers: impl Fn(Ring) -> P + Sync,
) {
    let shares = land.share(&bands(land.lattice().ny(), wished.min(land.most_parts()))).unwrap();
    let all = together(shares, |share, ring| {
        let mut part = hydrology::Part::new(share).unwrap();
        let ring = Ring { board: Arc::clone(&ring.board), number: ring.number };
        let mut peers = peers(ring);
        // What was done before has a part in what comes.
        part.step_many(steps / 2, &mut peers);
        part.step_many(steps - steps / 2, &mut peers);
        (part.take_log(), part.rows())
    });
    let (logs, rows): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    land.take_back(&rows, &logs).unwrap();
}
