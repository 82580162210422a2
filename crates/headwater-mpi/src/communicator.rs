//! [`MpiCommunicator`]: implementation of [`Communicator`](distributed::Communicator) for the ranks
//! of an MPI job.

use headwater::distributed;
use mpi::collective::SystemOperation;
use mpi::datatype::{Equivalence, PartitionMut};
use mpi::request::{Request, scope};
use mpi::topology::{Color, Process, SimpleCommunicator};
use mpi::traits::*;
use std::fmt;
use std::sync::Arc;

/// Communicator of all ranks of an MPI job, or of its first ranks only.
pub(crate) struct MpiCommunicator(SimpleCommunicator);

// SAFETY: MPI permits use of a communicator from any thread, one at a time, if it is initialized
// with `Threading::Serialized`, which `main` ensures. A rank calls MPI from the thread that steps
// its world.
#[expect(unsafe_code, reason = "MPI handles are raw pointers")]
unsafe impl Send for MpiCommunicator {}
// SAFETY: the argument for `Send` above also applies here.
#[expect(unsafe_code, reason = "MPI handles are raw pointers")]
unsafe impl Sync for MpiCommunicator {}

impl fmt::Debug for MpiCommunicator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "rank {} of {}", self.0.rank(), self.0.size())
    }
}

/// Maximum number of values in one MPI message. Larger lists are sent in several messages, because
/// MPI counts are 32-bit integers.
const MAX_MESSAGE_LEN: usize = 1 << 28;

/// Message tags of halo rows. The first is for rows sent to the northern neighbour, the second for
/// rows sent to the southern neighbour.
const DIRECTION_TAGS: [i32; 2] = [1, 2];

/// Message tag of the data that is gathered on the first rank.
const GATHER_TAG: i32 = 3;

impl MpiCommunicator {
    pub(crate) fn new(world: SimpleCommunicator) -> Self {
        Self(world)
    }

    /// Returns the neighbouring ranks to the north and to the south. The ranks form a ring, so that
    /// periodic edges need no special case.
    fn neighbours(&self) -> [Process<'_>; 2] {
        let (rank, count) = (self.0.rank(), self.0.size());
        [(rank + count - 1) % count, (rank + 1) % count].map(|rank| self.0.process_at_rank(rank))
    }

    /// Sends one list to each neighbour (north at index 0, south at index 1), and fills the given
    /// buffers with the lists that the neighbours send. Buffers are empty where there is no
    /// neighbour.
    fn exchange_lists<T: Equivalence>(
        &self,
        neighbours: [bool; 2],
        to: [&[T]; 2],
        from: &mut [impl AsMut<[T]>; 2],
    ) {
        let ranks = self.neighbours();
        scope(|scope| {
            let mut receiving = Vec::new();
            for (side, list) in from.iter_mut().enumerate().filter(|(side, _)| neighbours[*side]) {
                for piece in list.as_mut().chunks_mut(MAX_MESSAGE_LEN) {
                    // A neighbour to the north sends southward, so receives use the tag of the
                    // opposite side.
                    let tag = DIRECTION_TAGS[1 - side];
                    receiving.push(ranks[side].immediate_receive_into_with_tag(scope, piece, tag));
                }
            }
            let mut sending = Vec::new();
            for (side, list) in to.into_iter().enumerate().filter(|(side, _)| neighbours[*side]) {
                for piece in list.chunks(MAX_MESSAGE_LEN) {
                    sending.push(ranks[side].immediate_send_with_tag(
                        scope,
                        piece,
                        DIRECTION_TAGS[side],
                    ));
                }
            }
            receiving.into_iter().for_each(Request::wait_without_status);
            sending.into_iter().for_each(Request::wait_without_status);
        });
    }

    /// Returns the number of bytes that each rank contributes to a collective operation, in the
    /// order of the ranks.
    fn gather_lengths(&self, bytes: &[u8]) -> Vec<u64> {
        let mut lengths = vec![0; self.0.size() as usize];
        self.0.all_gather_into(&(bytes.len() as u64), &mut lengths[..]);
        lengths
    }
}

impl distributed::Communicator for MpiCommunicator {
    fn rank(&self) -> usize {
        self.0.rank() as usize
    }

    fn size(&self) -> usize {
        self.0.size() as usize
    }

    fn allreduce_max(&self, values: &mut [f64]) {
        let own = values.to_vec();
        self.0.all_reduce_into(&own[..], values, SystemOperation::max());
    }

    fn exchange_halos(&self, sent: [&[f32]; 2], received: [&mut [f32]; 2]) {
        self.exchange_halos_overlapped(sent, received, &mut |_| {});
    }

    /// Exchanges halos while `work` runs. `work` receives a function that tests the pending
    /// requests. It should call this function from time to time, because messages larger than a few
    /// kilobytes advance only during MPI calls.
    fn exchange_halos_overlapped(
        &self,
        sent: [&[f32]; 2],
        received: [&mut [f32]; 2],
        work: &mut dyn FnMut(&mut dyn FnMut()),
    ) {
        let ranks = self.neighbours();
        scope(|scope| {
            let mut pending = Vec::with_capacity(4);
            for (i, rows) in received.into_iter().enumerate().filter(|(_, rows)| !rows.is_empty()) {
                let tag = DIRECTION_TAGS[1 - i];
                pending.push(ranks[i].immediate_receive_into_with_tag(scope, rows, tag));
            }
            for (i, rows) in sent.into_iter().enumerate().filter(|(_, rows)| !rows.is_empty()) {
                pending.push(ranks[i].immediate_send_with_tag(scope, rows, DIRECTION_TAGS[i]));
            }
            work(&mut || {
                let all = std::mem::take(&mut pending);
                pending = all.into_iter().filter_map(|request| request.test().err()).collect();
            });
            pending.into_iter().for_each(Request::wait_without_status);
        });
    }

    fn exchange_with_neighbours(&self, neighbours: [bool; 2], sent: [&[u8]; 2]) -> [Vec<u8>; 2] {
        let lengths = sent.map(|bytes| [bytes.len() as u64]);
        let mut expected = [[0_u64; 1]; 2];
        self.exchange_lists(neighbours, lengths.each_ref().map(|of| &of[..]), &mut expected);
        let mut received = expected.map(|[length]| vec![0; length as usize]);
        self.exchange_lists(neighbours, sent, &mut received);
        received
    }

    fn broadcast(&self, root: usize, mut bytes: Vec<u8>) -> Vec<u8> {
        let root = self.0.process_at_rank(root as i32);
        let mut length = bytes.len() as u64;
        root.broadcast_into(&mut length);
        bytes.resize(length as usize, 0);
        bytes.chunks_mut(MAX_MESSAGE_LEN).for_each(|piece| root.broadcast_into(piece));
        bytes
    }

    fn allgather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        let lengths = self.gather_lengths(&bytes);
        let all: u64 = lengths.iter().sum();
        if all > MAX_MESSAGE_LEN as u64 {
            // The total size may exceed the limit of one message, so each rank broadcasts its own
            // part.
            let own = |root| {
                if root == distributed::Communicator::rank(self) {
                    bytes.clone()
                } else {
                    Vec::new()
                }
            };
            return (0..lengths.len()).map(|root| self.broadcast(root, own(root))).collect();
        }
        let counts: Vec<i32> = lengths.iter().map(|length| *length as i32).collect();
        let ends = counts.iter().scan(0, |end, count| {
            *end += count;
            Some(*end)
        });
        let starts: Vec<i32> = ends.zip(&counts).map(|(end, count)| end - count).collect();
        let mut gathered = vec![0; all as usize];
        let mut partition = PartitionMut::new(&mut gathered[..], counts, starts);
        self.0.all_gather_varcount_into(&bytes[..], &mut partition);
        let mut rest = &gathered[..];
        let mut next = |length: u64| {
            let (own, others) = rest.split_at(length as usize);
            rest = others;
            own.to_vec()
        };
        lengths.into_iter().map(&mut next).collect()
    }

    fn gather_to_root(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        let lengths = self.gather_lengths(&bytes);
        if self.0.rank() > 0 {
            let first = self.0.process_at_rank(0);
            bytes.chunks(MAX_MESSAGE_LEN).for_each(|piece| first.send_with_tag(piece, GATHER_TAG));
            return Vec::new();
        }
        let mut all = vec![bytes];
        for (rank, length) in (1..).zip(&lengths[1..]) {
            let mut bytes = vec![0; *length as usize];
            let rank = self.0.process_at_rank(rank);
            bytes.chunks_mut(MAX_MESSAGE_LEN).for_each(|piece| {
                rank.receive_into_with_tag(piece, GATHER_TAG);
            });
            all.push(bytes);
        }
        all
    }

    fn subgroup(&self, count: usize) -> Option<Arc<dyn distributed::Communicator>> {
        let inside = (self.0.rank() as usize) < count;
        let color = if inside { Color::with_value(0) } else { Color::undefined() };
        Some(Arc::new(Self(self.0.split_by_color(color)?)))
    }
}
