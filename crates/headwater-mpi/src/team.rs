//! [`MpiTeam`]: the ranks of a job. The first rank coordinates: it broadcasts commands and collects
//! the replies. It also owns rows, the northernmost.

use crate::args::Run;
use crate::peers::{DIED, Ranks, Waited};
use crate::words::{broadcast, bytes_of, of_bytes, receive, send};
use headwater_scene::run::{Begin, Brought, Errand, ModelError, Sharing, Team, Worker};
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Messages that the first rank broadcasts.
#[derive(Serialize, Deserialize)]
enum Message {
    /// The first `n` ranks own rows from now on; each receives its [`Begin`] next.
    Start(usize),
    /// A command for all ranks that own rows.
    All(Errand),
    /// One rank receives a command of its own next.
    One(i32),
    /// Each rank reports its waiting times.
    Waited,
    /// The job ends.
    End,
}

/// Rank with the rows that it owns, if any.
pub(crate) struct Rank {
    world: SimpleCommunicator,
    worker: Worker,
    peers: Option<Ranks>,
    /// Number of ranks that own rows.
    parts: usize,
    /// Waiting times from before the number of ranks changed.
    waited: Waited,
}

// SAFETY: MPI permits use of a communicator from any thread, one at a time, if it is initialized
// with `Threading::Serialized`, which `main` ensures before it creates a rank. A rank has a single
// owner at a time; that of the first rank is behind a mutex.
#[expect(unsafe_code, reason = "handles of MPI are bare pointers")]
unsafe impl Send for Rank {}

impl Rank {
    pub(crate) fn new(world: SimpleCommunicator, args: Run) -> Self {
        let worker = Worker::reading(move || args.load().map_err(|error| format!("{error:#}")));
        Self { world, worker, peers: None, parts: 0, waited: Waited::default() }
    }

    /// Takes ownership of rows, as one of `parts` ranks.
    fn begin(&mut self, start: Option<Begin>, parts: usize) -> Result<(), String> {
        if self.parts != parts {
            self.keep_waited();
            self.peers = Ranks::first(&self.world, parts);
            self.parts = parts;
        }
        self.worker.begin(start)
    }

    fn keep_waited(&mut self) {
        if let Some(peers) = &mut self.peers {
            self.waited.add(std::mem::take(&mut peers.waited));
        }
    }

    fn obey(&mut self, order: &Errand) -> Option<Brought> {
        let begun = Instant::now();
        let answer = self.worker.obey(order, self.peers.as_mut()?);
        if order.is_steps() || order.is_move() {
            if let Some(Brought::Failed(reason)) = &answer {
                // The other ranks would wait for it forever.
                eprintln!("error: rank {}: {reason}", self.world.rank());
                self.world.abort(DIED);
            }
            let spent = match order.is_move() {
                true => &mut self.waited.moving,
                false => &mut self.waited.stepping,
            };
            *spent += begun.elapsed();
        }
        answer
    }

    /// Returns the times that it has waited.
    fn waited(&mut self) -> Waited {
        self.keep_waited();
        let held = self.worker.held().unwrap_or_default();
        (self.waited.rows, self.waited.moved) = (held.rows.len() as u64, held.moved as u64);
        self.waited
    }
}

impl Waited {
    fn add(&mut self, more: Self) {
        self.swaps += more.swaps;
        self.bytes += more.bytes;
        self.swapping += more.swapping;
        self.searches += more.searches;
        self.searching += more.searching;
        self.stepping += more.stepping;
        self.moving += more.moving;
    }
}

/// Handles commands of the first rank until the job ends.
pub(crate) fn serve(mut rank: Rank) -> Result<(), String> {
    loop {
        let word: Message = of_bytes(&broadcast(&rank.world, Vec::new()))?;
        match word {
            Message::Start(parts) => {
                let has_one = (rank.world.rank() as usize) < parts;
                let start = match has_one {
                    true => Some(of_bytes(&receive(&rank.world, 0))?),
                    false => None,
                };
                let begun = rank.begin(start, parts);
                if has_one {
                    send(&rank.world, 0, &bytes_of(&begun)?);
                }
            }
            Message::All(order) => {
                if let Some(answer) = rank.obey(&order) {
                    send(&rank.world, 0, &bytes_of(&answer)?);
                }
            }
            Message::One(number) => {
                if number == rank.world.rank() {
                    let order: Errand = of_bytes(&receive(&rank.world, 0))?;
                    let answer = rank.obey(&order).ok_or("it has no part")?;
                    send(&rank.world, 0, &bytes_of(&answer)?);
                }
            }
            Message::Waited => {
                let waited = rank.waited();
                send(&rank.world, 0, &bytes_of(&waited)?);
            }
            Message::End => return Ok(()),
        }
    }
}

/// All ranks, as the coordinator sees them.
pub(crate) struct MpiTeam {
    rank: Mutex<Rank>,
    size: usize,
    sharing: Sharing,
}

impl fmt::Debug for MpiTeam {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MpiTeam").field("size", &self.size).finish_non_exhaustive()
    }
}

impl MpiTeam {
    pub(crate) fn new(rank: Rank, sharing: Sharing) -> Self {
        let size = rank.world.size() as usize;
        Self { rank: Mutex::new(rank), size, sharing }
    }

    fn rank(&self) -> std::sync::MutexGuard<'_, Rank> {
        self.rank.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Collects the waiting times of all ranks.
    pub(crate) fn waited(&self) -> Result<Vec<Waited>, String> {
        let mut rank = self.rank();
        broadcast(&rank.world, bytes_of(&Message::Waited)?);
        let own = rank.waited();
        let others = (1..self.size as i32).map(|from| of_bytes(&receive(&rank.world, from)));
        [Ok(own)].into_iter().chain(others).collect()
    }

    /// Ends the job on all ranks.
    pub(crate) fn end(&self) -> Result<(), String> {
        broadcast(&self.rank().world, bytes_of(&Message::End)?);
        Ok(())
    }
}

impl Team for MpiTeam {
    fn name(&self) -> String {
        let s = if self.size == 1 { "" } else { "s" };
        format!("mpi: {} rank{s}", self.size)
    }

    fn parts(&self) -> usize {
        self.size
    }

    fn sharing(&self) -> Sharing {
        self.sharing
    }

    fn start(&self, parts: Vec<Begin>) -> Result<(), ModelError> {
        let mut rank = self.rank();
        let count = parts.len();
        broadcast(&rank.world, bytes_of(&Message::Start(count))?);
        let mut parts = parts.into_iter();
        let own = parts.next();
        for (to, part) in (1..).zip(parts) {
            send(&rank.world, to, &bytes_of(&part)?);
        }
        let mut begun = rank.begin(own, count);
        for from in 1..count as i32 {
            let other: Result<(), String> = of_bytes(&receive(&rank.world, from))?;
            begun = begun.and(other);
        }
        Ok(begun?)
    }

    fn tell(&self, order: &Errand) -> Result<Vec<Brought>, ModelError> {
        let mut rank = self.rank();
        broadcast(&rank.world, bytes_of(&Message::All(order.clone()))?);
        let own = rank.obey(order).map(Ok);
        let others = 1..rank.parts as i32;
        let others = others.map(|from| of_bytes(&receive(&rank.world, from)));
        Ok(own.into_iter().chain(others).collect::<Result<_, _>>()?)
    }

    fn tell_one(&self, part: usize, order: &Errand) -> Result<Brought, ModelError> {
        let mut rank = self.rank();
        if part == 0 {
            return rank.obey(order).ok_or_else(|| "the first rank has no part".into());
        }
        let to = part as i32;
        broadcast(&rank.world, bytes_of(&Message::One(to))?);
        send(&rank.world, to, &bytes_of(order)?);
        Ok(of_bytes(&receive(&rank.world, to))?)
    }
}
