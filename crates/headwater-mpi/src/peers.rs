//! [`Ranks`]: the other parts of a world, each on a rank of its own.

use headwater::distributed;
use mpi::collective::SystemOperation;
use mpi::datatype::Equivalence;
use mpi::request::{Request, scope};
use mpi::topology::{Color, Process, SimpleCommunicator};
use mpi::traits::*;
use std::time::{Duration, Instant};

/// What a job that a rank has ended exits with.
pub(crate) const DIED: i32 = 70;

/// The ranks that have parts, in their order from north to south.
pub(crate) struct Ranks {
    parts: SimpleCommunicator,
    pub(crate) waited: Waited,
}

/// How long a rank has waited for others, and for what.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Waited {
    /// Exchanges of rows.
    pub(crate) swaps: u64,
    /// Bytes sent in them.
    pub(crate) bytes: u64,
    /// Time that they took.
    pub(crate) swapping: Duration,
    /// Searches for the greatest of numbers.
    pub(crate) searches: u64,
    /// Time that they took.
    pub(crate) searching: Duration,
    /// Time that steps took, all of this among it.
    pub(crate) stepping: Duration,
    /// Time that it took to hand rows on.
    pub(crate) moving: Duration,
    /// Rows that have come from others.
    pub(crate) moved: u64,
    /// Rows that it has at the end.
    pub(crate) rows: u64,
}

impl Ranks {
    /// The first `count` ranks, for those among them; all ranks ask at the same point.
    pub(crate) fn first(world: &SimpleCommunicator, count: usize) -> Option<Self> {
        let inside = (world.rank() as usize) < count;
        let color = if inside { Color::with_value(0) } else { Color::undefined() };
        let parts = world.split_by_color(color)?;
        Some(Self { parts, waited: Waited::default() })
    }
}

/// Most values of a message: MPI counts them in 32 bits.
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

    /// Rows that are more than a few kilobytes go on their way only while MPI is asked for something.
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
            // What comes from the north was sent to the south.
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
    /// The ranks to the north and south.
    fn beside(&self) -> [Process<'_>; 2] {
        let (rank, count) = (self.parts.rank(), self.parts.size());
        // Around the world, where its edges are joined.
        let ranks = [(rank + count - 1) % count, (rank + 1) % count];
        ranks.map(|rank| self.parts.process_at_rank(rank))
    }

    /// Sends lists to the neighbours that exist and receives lists of known lengths, in pieces that 32-bit counts can hold.
    fn exchange<T: Equivalence>(
        &self,
        beside: [bool; 2],
        to: [&[T]; 2],
        from: &mut [impl AsMut<[T]>; 2],
    ) {
        let ranks = self.beside();
        scope(|scope| {
            let mut waiting = Vec::new();
            // What comes from the north was sent to the south.
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
