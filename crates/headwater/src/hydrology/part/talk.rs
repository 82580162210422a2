//! [`Talk`]: what the parts of a map say to each other.

use super::strip::Strip;
use crate::part::{Peers, pass_any};
use bytemuck::{Pod, allocation::pod_collect_to_vec, cast_slice};

/// A part's way to say something to the others. All parts say the same kinds of things at the same points.
pub(super) struct Talk<'a> {
    peers: &'a mut dyn Peers,
    beside: [bool; 2],
    number: usize,
    count: usize,
}

impl<'a> Talk<'a> {
    pub(super) fn new(strip: &Strip, peers: &'a mut dyn Peers) -> Self {
        Self { peers, beside: strip.beside(), number: strip.number, count: strip.count }
    }

    /// The first of the parts: it alone books what all know.
    pub(super) fn is_first(&self) -> bool {
        self.number == 0
    }

    /// Sends lists to the next parts to the north and south, and takes theirs; `None` where no part has anything to send.
    pub(super) fn pass<T: Pod>(&mut self, to: [&[T]; 2]) -> Option<[Vec<T>; 2]> {
        let from = pass_any(self.peers, self.beside, to.map(cast_slice))?;
        Some(from.map(|bytes| pod_collect_to_vec(&bytes)))
    }

    /// The lists of all parts, one after another from north to south.
    pub(super) fn gather<T: Pod>(&mut self, own: &[T]) -> Vec<T> {
        let mut all = vec![Vec::new(); self.count];
        // What comes from one side goes on to the other, until it has come to the end.
        let mut carried = [own.to_vec(), own.to_vec()];
        for turn in 1..self.count {
            let Some([north, south]) = self.pass([&carried[0][..], &carried[1][..]]) else { break };
            if let Some(number) = self.number.checked_sub(turn) {
                all[number].clone_from(&north);
            }
            if let Some(list) = all.get_mut(self.number + turn) {
                list.clone_from(&south);
            }
            carried = [south, north];
        }
        all[self.number] = own.to_vec();
        all.concat()
    }

    /// The sums over all parts of what each has by numbers below `count`: it tells those that are not 0.
    pub(super) fn sums<const N: usize>(
        &mut self,
        count: usize,
        own: impl Iterator<Item = (usize, [i64; N])>,
    ) -> Vec<[i64; N]> {
        let mut words = Vec::new();
        for (number, values) in own.filter(|(_, values)| *values != [0; N]) {
            words.push(number as i64);
            words.extend(values);
        }
        let mut sums = vec![[0; N]; count];
        for told in self.gather(&words).chunks_exact(N + 1) {
            for (sum, value) in sums[told[0] as usize].iter_mut().zip(&told[1..]) {
                *sum += value;
            }
        }
        sums
    }

    /// The greatest of each of some whole numbers below 2⁵³.
    pub(super) fn greatest<const N: usize>(&mut self, own: [i64; N]) -> [i64; N] {
        let mut values = own.map(|value| value as f64);
        self.peers.greatest(&mut values);
        values.map(|value| value as i64)
    }

    /// Makes so many rows of the halo, of fields over all rows of a part, what their owners have.
    pub(super) fn swap_rows(&mut self, strip: &Strip, count: usize, fields: &mut [&mut [u8]]) {
        if self.count == 1 {
            return;
        }
        let own = strip.own_rows();
        let sent = [own.start..own.start + count, own.end - count..own.end];
        let width = |field: &[u8]| field.len() / strip.rows.len();
        let to = [0, 1].map(|side| {
            let mut bytes = Vec::new();
            if self.beside[side] {
                for field in fields.iter() {
                    let width = width(field);
                    bytes.extend_from_slice(
                        &field[sent[side].start * width..sent[side].end * width],
                    );
                }
            }
            // As words, whose bits nobody looks at.
            pod_collect_to_vec::<u8, f32>(&bytes)
        });
        // What comes is as much as what goes.
        let [mut north, mut south] = to.each_ref().map(|words| vec![0.0_f32; words.len()]);
        self.peers.swap([&to[0], &to[1]], [&mut north, &mut south]);
        for (side, words) in
            [north, south].iter().enumerate().filter(|(side, _)| self.beside[*side])
        {
            let mut rest: &[u8] = cast_slice(words);
            let first = [own.start.wrapping_sub(count), own.end][side];
            for field in fields.iter_mut() {
                let width = width(field);
                let (rows, more) = rest.split_at(count * width);
                field[first * width..(first + count) * width].copy_from_slice(rows);
                rest = more;
            }
        }
    }

    /// Sends numbers one way, to the next part to the south or to the north, and takes as many from the other side as are to come.
    pub(super) fn hand_on(&mut self, southward: bool, to: &[f64], from: &mut [f64]) {
        let none = || (&[][..], &mut [][..]);
        let (to, from) = (cast_slice(to), bytemuck::cast_slice_mut(from));
        let (other_to, other_from) = none();
        match southward {
            true => self.peers.swap([other_to, to], [from, other_from]),
            false => self.peers.swap([to, other_to], [other_from, from]),
        }
    }
}
