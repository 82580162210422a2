//! [`Ranks`]: communicator of the MPI ranks that own rows.

use headwater::distributed;
use mpi::collective::SystemOperation;
use mpi::datatype::Equivalence;
use mpi::request::{Request, scope};
use mpi::topology::{Color, Process, SimpleCommunicator};
use mpi::traits::*;
use std::time::{Duration, Instant};

/// Exit code of a job that a rank has aborted.
pub(crate) const DIED: i32 = 70;

/// Ranks that own rows, ordered from north to south.
pub(crate) struct Ranks {
    parts: SimpleCommunicator,
    pub(crate) waited: Waited,
}

/// Communication and step times of a rank.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Waited {
    /// Number of halo exchanges.
    pub(crate) swaps: u64,
    /// Bytes sent in halo exchanges.
    pub(crate) bytes: u64,
    /// Time in halo exchanges.
    pub(crate) swapping: Duration,
    /// Number of reductions.
    pub(crate) searches: u64,
    /// Time in reductions.
    pub(crate) searching: Duration,
    /// Time in steps, including communication.
    pub(crate) stepping: Duration,
    /// Time in moves of row blocks.
    pub(crate) moving: Duration,
    /// Rows received from other ranks.
    pub(crate) moved: u64,
    /// Rows owned at the end.
    pub(crate) rows: u64,
}

impl Ranks {
    /// Creates the communicator of the first `count` ranks; `None` on other ranks. Collective over
    /// all ranks.
    pub(crate) fn first(world: &SimpleCommunicator, count: usize) -> Option<Self> {
        let inside = (world.rank() as usize) < count;
        let color = if inside { Color::with_value(0) } else { Color::undefined() };
        let parts = world.split_by_color(color)?;
        Some(Self { parts, waited: Waited::default() })
    }
}

/// Most values of a message, because MPI counts them in 32 bits.
const PIECE: usize = 1 << 28;

/// Tags of messages to the north and to the south.
const TAGS: [i32; 2] = [1, 2];

impl distributed::Communicator for Ranks {
    fn allreduce_max(&mut self, values: &mut [f64]) {
        let begun = Instant::now();
        let own = values.to_vec();
        self.parts.all_reduce_into(&own[..], values, SystemOperation::max());
        self.waited.searches += 1;
        self.waited.searching += begun.elapsed();
    }

    fn exchange_halos(&mut self, to: [&[f32]; 2], from: [&mut [f32]; 2]) {
        self.exchange_halos_overlapped(to, from, &mut |_| {});
    }

    /// Overlaps the exchange with `work`. Messages above a few kilobytes progress only during MPI
    /// calls.
    fn exchange_halos_overlapped(
        &mut self,
        to: [&[f32]; 2],
        from: [&mut [f32]; 2],
        work: &mut dyn FnMut(&mut dyn FnMut()),
    ) {
        let begun = Instant::now();
        let beside = self.beside();
        let [from_north, from_south] = from;
        let (mut working, mut poking) = (Duration::ZERO, Duration::ZERO);
        scope(|scope| {
            let mut waiting = Vec::with_capacity(4);
            // Rows from the north were sent to the south, so tags are swapped.
            for (i, rows) in [from_north, from_south].into_iter().enumerate() {
                if !rows.is_empty() {
                    let tag = TAGS[1 - i];
                    waiting.push(beside[i].immediate_receive_into_with_tag(scope, rows, tag));
                }
            }
            for (i, rows) in to.into_iter().enumerate() {
                if !rows.is_empty() {
                    waiting.push(beside[i].immediate_send_with_tag(scope, rows, TAGS[i]));
                }
            }
            let at_work = Instant::now();
            work(&mut || {
                let poked = Instant::now();
                let all = std::mem::take(&mut waiting);
                waiting = all.into_iter().filter_map(|request| request.test().err()).collect();
                poking += poked.elapsed();
            });
            working = at_work.elapsed();
            waiting.into_iter().for_each(Request::wait_without_status);
        });
        self.waited.swaps += 1;
        self.waited.bytes += to.iter().map(|rows| size_of_val(*rows) as u64).sum::<u64>();
        self.waited.swapping += (begun.elapsed() + poking).saturating_sub(working);
    }

    fn exchange_bytes(&mut self, beside: [bool; 2], to: [&[u8]; 2]) -> [Vec<u8>; 2] {
        let lengths = to.map(|bytes| [bytes.len() as u64]);
        let mut expected = [[0_u64; 1]; 2];
        self.exchange(beside, lengths.each_ref().map(|of| &of[..]), &mut expected);
        let mut from = expected.map(|[length]| vec![0; length as usize]);
        self.exchange(beside, to, &mut from);
        from
    }
}

impl Ranks {
    /// Returns the ranks to the north and south.
    fn beside(&self) -> [Process<'_>; 2] {
        let (rank, count) = (self.parts.rank(), self.parts.size());
        // Ranks form a ring for joined edges.
        let ranks = [(rank + count - 1) % count, (rank + 1) % count];
        ranks.map(|rank| self.parts.process_at_rank(rank))
    }

    /// Sends lists to the neighbours that exist and receives lists of known lengths, in pieces that
    /// 32-bit counts can hold.
    fn exchange<T: Equivalence>(
        &self,
        beside: [bool; 2],
        to: [&[T]; 2],
        from: &mut [impl AsMut<[T]>; 2],
    ) {
        let ranks = self.beside();
        scope(|scope| {
            let mut waiting = Vec::new();
            // Rows from the north were sent to the south, so tags are swapped.
            for (side, list) in from.iter_mut().enumerate().filter(|(side, _)| beside[*side]) {
                let pieces = list.as_mut().chunks_mut(PIECE);
                let tag = TAGS[1 - side];
                waiting.extend(
                    pieces.map(|piece| {
                        ranks[side].immediate_receive_into_with_tag(scope, piece, tag)
                    }),
                );
            }
            let mut sending = Vec::new();
            for (side, list) in to.into_iter().enumerate().filter(|(side, _)| beside[*side]) {
                let pieces = list.chunks(PIECE);
                sending
                    .extend(pieces.map(|piece| {
                        ranks[side].immediate_send_with_tag(scope, piece, TAGS[side])
                    }));
            }
            waiting.into_iter().for_each(Request::wait_without_status);
            sending.into_iter().for_each(Request::wait_without_status);
        });
    }
}
