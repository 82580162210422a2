//! Row-block decomposition: what row blocks of a world need of each other.
//!
//! A row block owns some rows of the grid and keeps copies of a few rows beyond them, its halo. It is stepped as a world of its own
//! by the ordinary loops, which treat the cut edges as walls. The error that this makes spreads into the halo at the speed of the
//! stencil; halos are [exchanged](Peers::swap) before it reaches the owned rows. So the owned rows are bit-identical to those of
//! an undivided world.

use std::collections::HashMap;
use std::ops::Range;
use std::{fmt, io};

/// What a part asks of the other parts of its world, which all ask the same at the same point.
pub trait Peers {
    /// Puts in the place of each value the greatest that any part has there.
    fn greatest(&mut self, values: &mut [f64]);

    /// Sends rows to the next parts to the north and to the south, and takes theirs. All are empty where there is no such part.
    fn swap(&mut self, to: [&[f32]; 2], from: [&mut [f32]; 2]);

    /// [Swaps](Self::swap) rows, and does `work` meanwhile, which needs none of those that come. It is given something to call now and then:
    /// there are peers between whom rows go on their way only then. Without a way of its own, first the one is done and then the other.
    fn swap_meanwhile(
        &mut self,
        to: [&[f32]; 2],
        from: [&mut [f32]; 2],
        work: &mut dyn FnMut(&mut dyn FnMut()),
    ) {
        self.swap(to, from);
        work(&mut || {});
    }
}

/// A part without others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Peers for Alone {
    fn greatest(&mut self, _: &mut [f64]) {}

    fn swap(&mut self, _: [&[f32]; 2], _: [&mut [f32]; 2]) {}
}

/// Words that go from part to part together: what counts them in between has 32 bits.
const TOGETHER: usize = 1 << 28;

/// Sends bytes, however many, to the next parts to the north and to the south where there are such, and takes theirs; all parts do so at the same
/// point.
///
/// ```
/// use headwater::part::{Alone, pass};
///
/// // There is nobody to take them.
/// let from = pass(&mut Alone, [false; 2], [&[1, 2, 3], &[4]]);
/// assert!(from.iter().all(Vec::is_empty));
/// ```
pub fn pass(peers: &mut dyn Peers, beside: [bool; 2], to: [&[u8]; 2]) -> [Vec<u8>; 2] {
    pass_any(peers, beside, to).unwrap_or_default()
}

/// The same; `None` where no part has sent anything.
pub(crate) fn pass_any(
    peers: &mut dyn Peers,
    beside: [bool; 2],
    to: [&[u8]; 2],
) -> Option<[Vec<u8>; 2]> {
    // As rows, whose bits nobody looks at.
    let word = |bits: u64| f32::from_bits(bits as u32);
    let there = |side: usize, count: usize| if beside[side] { count } else { 0 };
    let lengths = to.map(|bytes| [word(bytes.len() as u64 >> 32), word(bytes.len() as u64)]);
    let [mut north, mut south] = [[0.0_f32; 2]; 2];
    peers.swap(
        [&lengths[0][..there(0, 2)], &lengths[1][..there(1, 2)]],
        [&mut north[..there(0, 2)], &mut south[..there(1, 2)]],
    );
    let bits = |word: f32| u64::from(word.to_bits());
    let expected = [north, south].map(|[high, low]| (bits(high) << 32 | bits(low)) as usize);
    let to = [0, 1].map(|side| {
        let bytes = if beside[side] { to[side] } else { &[] };
        bytemuck::allocation::pod_collect_to_vec::<u8, f32>(bytes)
    });
    let mut from = expected.map(|bytes| vec![0.0_f32; bytes.div_ceil(size_of::<f32>())]);
    let most = to.iter().chain(&from).map(Vec::len).max().unwrap_or(0);
    let mut most = [most.div_ceil(TOGETHER) as f64];
    peers.greatest(&mut most);
    if most[0] == 0.0 {
        return None;
    }
    for turn in 0..most[0] as usize {
        let piece = |all: usize| (turn * TOGETHER).min(all)..((turn + 1) * TOGETHER).min(all);
        let [north, south] = &mut from;
        let (of_north, of_south) = (piece(north.len()), piece(south.len()));
        peers.swap(
            to.each_ref().map(|words| &words[piece(words.len())]),
            [&mut north[of_north], &mut south[of_south]],
        );
    }
    let mut expected = expected.into_iter();
    Some(from.map(|words| {
        let mut bytes = bytemuck::allocation::pod_collect_to_vec::<f32, u8>(&words);
        bytes.truncate(expected.next().unwrap_or(0));
        bytes
    }))
}

/// Where what is not in memory lies meanwhile: bytes by two numbers, those of a part and of what of it they are.
pub trait Shelf: fmt::Debug + Send + Sync {
    /// Puts bytes there, in the place of those before.
    ///
    /// # Errors
    /// Why they cannot be put there.
    fn put(&mut self, key: [usize; 2], bytes: &[u8]) -> io::Result<()>;

    /// Takes a copy of the bytes that were [put](Self::put) there last.
    ///
    /// # Errors
    /// Why they cannot be had.
    fn get(&mut self, key: [usize; 2]) -> io::Result<Vec<u8>>;
}

/// A shelf in memory, where bytes take less room than what they stand for.
#[derive(Clone, Debug, Default)]
pub struct Memory(HashMap<[usize; 2], Vec<u8>>);

impl Shelf for Memory {
    fn put(&mut self, key: [usize; 2], bytes: &[u8]) -> io::Result<()> {
        self.0.insert(key, bytes.to_vec());
        Ok(())
    }

    fn get(&mut self, key: [usize; 2]) -> io::Result<Vec<u8>> {
        self.0.get(&key).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// The least rows of a band: as many as the widest halo of its neighbours.
pub(crate) const LEAST: usize = 8;

/// Shares so many rows out into bands of about one size, from north to south: as many as wished, or as there are rows for. Each but the
/// first begins with an even row.
pub fn bands(rows: usize, wished: usize) -> Vec<Range<usize>> {
    let count = wished.min(rows / (LEAST + 2)).max(1);
    let start = |i: usize| if i == count { rows } else { rows * i / count / 2 * 2 };
    (0..count).map(|i| start(i)..start(i + 1)).collect()
}

/// The rows that a part steps: its band, and so many more where there are `beside` others to the north and south; where north and south are
/// joined, the first are those of the last band. Returns their numbers on the grid, and the part's own among them.
pub(crate) fn rows_of(
    band: &Range<usize>,
    rows: usize,
    halo: usize,
    beside: [bool; 2],
) -> (Vec<usize>, Range<usize>) {
    let [above, below] = beside.map(|other| if other { halo } else { 0 });
    let first = band.start as isize - above as isize;
    let all = first..(band.end + below) as isize;
    let home = |y: isize| y.rem_euclid(rows as isize) as usize;
    (all.map(home).collect(), above..above + band.len())
}

/// Takes a row of a halo over, and wakes the tiles so wide in which it is another than it was, by a column of each.
pub(crate) fn take_over(row: &mut [f32], new: &[f32], width: usize, mut wake: impl FnMut(usize)) {
    let differ = |(old, new): (&f32, &f32)| old.to_bits() != new.to_bits();
    for (i, (old, new)) in row.chunks(width).zip(new.chunks(width)).enumerate() {
        if old.iter().zip(new).any(differ) {
            // The last of a row of faces may lie beyond the last cell.
            wake((i * width).min(row.len().saturating_sub(2)));
        }
    }
    row.copy_from_slice(new);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_cover_all_rows_and_begin_with_even_ones() {
        for (rows, wished) in [(1, 4), (7, 2), (25, 2), (101, 3), (64, 6), (1000, 7)] {
            let bands = bands(rows, wished);
            assert!(are_bands(&bands, rows), "{bands:?}");
            assert!(bands.len() <= wished);
        }
        assert!(!are_bands(&[0..20, 21..40], 40), "a gap");
        assert!(!are_bands(&[0..21, 21..40], 40), "an odd row");
        assert!(!are_bands(&[0..20, 20..40], 41), "a row is missing");
    }

    #[test]
    fn a_part_of_a_world_without_an_end_has_rows_of_the_other_end() {
        let (rows, own) = rows_of(&(0..12), 24, 4, [true; 2]);
        assert_eq!(rows[..6], [20, 21, 22, 23, 0, 1]);
        assert_eq!((rows.len(), own), (20, 4..16));
    }
}
