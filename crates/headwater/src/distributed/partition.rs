//! Partition of the rows of a grid into blocks, and updates of the halo rows of a block.

use std::ops::Range;

/// Minimum number of rows of a block. A block must have at least as many rows as the widest halo of
/// a neighbour.
const MIN_ROWS: usize = 8;

/// Splits `rows` rows into at most `max_ranges` ranges of about equal size, from north to south.
/// Each range starts at an even row, so that odd rows of a hexagonal grid are also odd within the
/// range.
pub(crate) fn split_rows(rows: usize, max_ranges: usize) -> Vec<Range<usize>> {
    let count = max_ranges.min(rows / (MIN_ROWS + 2)).max(1);
    let start = |i: usize| if i == count { rows } else { rows * i / count / 2 * 2 };
    (0..count).map(|i| start(i)..start(i + 1)).collect()
}

/// Copies the values `new_values` into a halo row. Calls `wake_tile_at` with one column of each
/// tile in which values have changed; tiles are `tile_width` cells wide.
pub(crate) fn set_halo_row(
    row: &mut [f32],
    new_values: &[f32],
    tile_width: usize,
    mut wake_tile_at: impl FnMut(usize),
) {
    let differ = |(old, new_values): (&f32, &f32)| old.to_bits() != new_values.to_bits();
    for (i, (old, new_values)) in
        row.chunks(tile_width).zip(new_values.chunks(tile_width)).enumerate()
    {
        if old.iter().zip(new_values).any(differ) {
            // A row of face values may be longer than a row of cells.
            wake_tile_at((i * tile_width).min(row.len().saturating_sub(2)));
        }
    }
    row.copy_from_slice(new_values);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_all_rows_and_start_at_even_rows() {
        for (rows, max_ranges) in [(1, 4), (7, 2), (25, 2), (101, 3), (64, 6), (1000, 7)] {
            let blocks = split_rows(rows, max_ranges);
            let ends = [0].into_iter().chain(blocks.iter().map(|block| block.end));
            assert!(ends.eq(blocks.iter().map(|block| block.start).chain([rows])), "{blocks:?}");
            assert!(blocks.iter().all(|block| block.start.is_multiple_of(2)), "{blocks:?}");
            assert!(blocks.len() == 1 || blocks.iter().all(|block| block.len() >= MIN_ROWS));
            assert!(blocks.len() <= max_ranges);
        }
    }
}
