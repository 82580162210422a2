//! Parts of one world on threads of one process, which wait for each other as ranks do.

use headwater::flow::{Flow, Part, Peers, bands};
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

/// Does `steps` steps toward `stop` (s) in so many parts, or in as many as there is room for; false if there were none left.
pub(crate) fn step_in_parts(flow: &mut Flow, wished: usize, stop: f64, steps: usize) -> bool {
    let shares = flow.share(&bands(flow.lattice().ny(), wished)).unwrap();
    let peers = Ring::new(shares.len());
    let all: Vec<_> = std::thread::scope(|scope| {
        let step = |(share, mut peers): (_, Ring)| {
            let mut part = Part::new(share).unwrap();
            let done = part.steps_toward(stop, steps, &mut peers).unwrap();
            (done, part.take_log(), part.rows())
        };
        let threads = shares.into_iter().zip(peers).map(|one| scope.spawn(move || step(one)));
        threads.collect::<Vec<_>>().into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let logs: Vec<_> = all.iter().map(|(_, log, _)| log.clone()).collect();
    let rows: Vec<_> = all.iter().map(|(_, _, rows)| rows.clone()).collect();
    let mut ledger = flow.ledger().clone();
    flow.book(&logs, &mut ledger).unwrap();
    flow.take_back(&rows, ledger).unwrap();
    all[0].0 > 0
}
