//! Partition of rows into blocks.

use std::ops::Range;

/// Fewest rows of a row block: the widest halo of its neighbours.
const LEAST: usize = 8;

/// Splits rows into `wished` blocks of about equal size, or fewer if there are too few rows, from
/// north to south. Blocks start at even rows, so that hexagonal rows keep their shift.
pub(crate) fn bands(rows: usize, wished: usize) -> Vec<Range<usize>> {
    let count = wished.min(rows / (LEAST + 2)).max(1);
    let start = |i: usize| if i == count { rows } else { rows * i / count / 2 * 2 };
    (0..count).map(|i| start(i)..start(i + 1)).collect()
}

/// Returns the grid rows of a block's window, and the range of its owned rows in it. The halo
/// exists on the sides where `beside` is set. Where north and south are joined, the first halo rows
/// are those of the last block.
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

/// Copies a halo row and wakes the tiles of `width` cells in which it changed, by a column of each.
pub(crate) fn take_over(row: &mut [f32], new: &[f32], width: usize, mut wake: impl FnMut(usize)) {
    let differ = |(old, new): (&f32, &f32)| old.to_bits() != new.to_bits();
    for (i, (old, new)) in row.chunks(width).zip(new.chunks(width)).enumerate() {
        if old.iter().zip(new).any(differ) {
            // A row of faces may end beyond the last cell.
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
            let ends = [0].into_iter().chain(bands.iter().map(|band| band.end));
            assert!(ends.eq(bands.iter().map(|band| band.start).chain([rows])), "{bands:?}");
            assert!(bands.iter().all(|band| band.start.is_multiple_of(2)), "{bands:?}");
            assert!(bands.len() == 1 || bands.iter().all(|band| band.len() >= LEAST));
            assert!(bands.len() <= wished);
        }
    }

    #[test]
    fn a_part_of_a_world_without_an_end_has_rows_of_the_other_end() {
        let (rows, own) = rows_of(&(0..12), 24, 4, [true; 2]);
        assert_eq!(rows[..6], [20, 21, 22, 23, 0, 1]);
        assert_eq!((rows.len(), own), (20, 4..16));
    }
}
