//! [`ThreadCommunicator`]: threads of one process in place of ranks, for tests of distributed
//! worlds.

use super::Communicator;
use std::sync::{Arc, Barrier, Mutex, PoisonError};

/// State shared by all threads.
#[derive(Debug)]
struct Board {
    barrier: Barrier,
    values: Mutex<Vec<Vec<f64>>>,
    /// Rows that each thread sends to the north and to the south.
    rows: Mutex<Vec<[Vec<f32>; 2]>>,
    bytes: Mutex<Vec<[Vec<u8>; 2]>>,
}

/// One of several threads that communicate through shared memory.
#[derive(Debug)]
pub struct ThreadCommunicator {
    board: Arc<Board>,
    rank: usize,
}

impl ThreadCommunicator {
    /// Creates the communicators of `size` threads, from north to south.
    pub fn group(size: usize) -> Vec<Self> {
        let board = Arc::new(Board {
            barrier: Barrier::new(size),
            values: Mutex::new(vec![Vec::new(); size]),
            rows: Mutex::new(vec![Default::default(); size]),
            bytes: Mutex::new(vec![Default::default(); size]),
        });
        (0..size).map(|rank| Self { board: Arc::clone(&board), rank }).collect()
    }

    /// Publishes a value, waits for all threads, and returns the values of all.
    fn gather<T: Clone>(&self, on: &Mutex<Vec<T>>, own: T) -> Vec<T> {
        on.lock().unwrap_or_else(PoisonError::into_inner)[self.rank] = own;
        self.board.barrier.wait();
        let all = on.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.board.barrier.wait();
        all
    }

    /// Returns the ranks to the north and south.
    fn beside(&self, size: usize) -> [usize; 2] {
        [(self.rank + size - 1) % size, (self.rank + 1) % size]
    }
}

impl Communicator for ThreadCommunicator {
    fn allreduce_max(&mut self, values: &mut [f64]) {
        for all in self.gather(&self.board.values, values.to_vec()) {
            values.iter_mut().zip(all).for_each(|(most, value)| *most = most.max(value));
        }
    }

    fn exchange_halos(&mut self, to: [&[f32]; 2], from: [&mut [f32]; 2]) {
        let all = self.gather(&self.board.rows, to.map(<[f32]>::to_vec));
        let beside = self.beside(all.len());
        for (side, rows) in from.into_iter().enumerate().filter(|(_, rows)| !rows.is_empty()) {
            rows.copy_from_slice(&all[beside[side]][1 - side]);
        }
    }

    fn exchange_bytes(&mut self, beside: [bool; 2], to: [&[u8]; 2]) -> [Vec<u8>; 2] {
        let mut all = self.gather(&self.board.bytes, to.map(<[u8]>::to_vec));
        let ranks = self.beside(all.len());
        [0, 1].map(|side| match beside[side] {
            true => std::mem::take(&mut all[ranks[side]][1 - side]),
            false => Vec::new(),
        })
    }
}
