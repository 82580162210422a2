//! Buffers of cell data that are uploaded to the textures of a water entity.

use crate::texels::TexelBuffers;
use headwater::changes::Tile;

/// Texels (rendering data of cells) of several tiles, stored tile by tile and, within a tile, row
/// by row.
///
/// For a world seen from above, `state` is ground elevation (m), water depth (m), and eastward and
/// southward velocity (m/s). `looks` is foam, stream and plants (each 0 to 255), and 255 for a
/// closed cell.
///
/// For a side view, `state` is the filled fraction of the cell, the horizontal velocity (m/s), the
/// temperature (°C) and 0. `looks` is 255 for a wall, the liquid (1 oil, 2 water, 3 lava), the ice
/// fraction (0 to 255) and the tag that the caller has assigned to the cell.
#[derive(Debug, Default)]
pub struct Texels {
    state: ReusableBuffer<[f32; 4]>,
    looks: ReusableBuffer<[u8; 4]>,
}

/// Growable buffer whose contents are overwritten without being cleared.
#[derive(Debug, Default)]
struct ReusableBuffer<T> {
    values: Vec<T>,
    used: usize,
}

impl<T: Copy + Default> ReusableBuffer<T> {
    fn extend_by(&mut self, count: usize) -> &mut [T] {
        let begin = self.used;
        self.used += count;
        if self.values.len() < self.used {
            self.values.resize(self.used, T::default());
        }
        &mut self.values[begin..self.used]
    }

    fn as_written_slice(&self) -> &[T] {
        &self.values[..self.used]
    }
}

impl Texels {
    pub(crate) fn clear(&mut self) {
        (self.state.used, self.looks.used) = (0, 0);
    }

    /// Extends the buffers by `cells` cells and returns the appended range. The looks (appearance
    /// of the cells) are extended only if `looks` is true. The appended texels are not cleared:
    /// they contain values from earlier use of the buffer.
    pub(crate) fn extend_by(&mut self, cells: usize, looks: bool) -> TexelBuffers<'_> {
        let looks = if looks { cells } else { 0 };
        TexelBuffers { state: self.state.extend_by(cells), looks: self.looks.extend_by(looks) }
    }

    /// Returns the number of state texels and the number of looks texels in the buffers, in this
    /// order.
    pub(crate) fn count(&self) -> [usize; 2] {
        [self.state.used, self.looks.used]
    }

    pub(crate) fn state(&self) -> &[[f32; 4]] {
        self.state.as_written_slice()
    }

    pub(crate) fn looks(&self) -> &[[u8; 4]] {
        self.looks.as_written_slice()
    }

    pub(crate) fn append(&mut self, other: &Self) {
        self.state.extend_by(other.state.used).copy_from_slice(other.state());
        self.looks.extend_by(other.looks.used).copy_from_slice(other.looks());
    }
}

/// Joins horizontally adjacent tiles, so that fewer and longer rows are written and uploaded.
pub(crate) fn join_adjacent_tiles(tiles: &mut Vec<Tile>) {
    let beside = |a: &mut Tile, b: &mut Tile| {
        let joins = (a.y, a.ny, a.x) == (b.y, b.ny, b.x + b.nx);
        if joins {
            b.nx += a.nx;
        }
        joins
    };
    let below = |a: &mut Tile, b: &mut Tile| {
        let joins = (a.x, a.nx, a.y) == (b.x, b.nx, b.y + b.ny);
        if joins {
            b.ny += a.ny;
        }
        joins
    };
    tiles.dedup_by(beside);
    tiles.dedup_by(below);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_adjacent_tiles_keeps_all_cells() {
        let all: Vec<Tile> = (0..12)
            .map(|i| Tile {
                x: 64 * (i % 4),
                y: 64 * (i / 4),
                nx: if i % 4 == 3 { 8 } else { 64 },
                ny: 64,
            })
            .collect();
        let mut joined = all.clone();
        join_adjacent_tiles(&mut joined);
        assert_eq!(joined, [Tile { x: 0, y: 0, nx: 200, ny: 192 }]);
        // This selection of tiles has gaps.
        let some: Vec<Tile> = [0, 1, 3, 4, 6, 7, 10].map(|i| all[i]).to_vec();
        let mut joined = some.clone();
        join_adjacent_tiles(&mut joined);
        assert!(joined.len() < some.len());
        let cells = |tiles: &[Tile]| {
            let mut cells: Vec<_> = tiles.iter().flat_map(|tile| tile.cells()).collect();
            cells.sort_unstable();
            cells
        };
        assert_eq!(cells(&joined), cells(&some));
    }

    #[test]
    fn cleared_texels_are_overwritten() {
        let mut texels = Texels::default();
        texels.extend_by(3, true).fill(&[Tile::all([3, 1])], |x, _| ([x as f32; 4], [x as u8; 4]));
        assert_eq!((texels.count(), texels.looks()[2]), ([3, 3], [2; 4]));
        texels.clear();
        texels.extend_by(2, false).fill(&[Tile::all([2, 1])], |_, _| ([7.0; 4], [7; 4]));
        assert_eq!((texels.state(), texels.looks().len()), ([[7.0; 4]; 2].as_slice(), 0));
        let mut all = Texels::default();
        all.append(&texels);
        all.append(&texels);
        assert_eq!(all.state(), [[7.0; 4]; 4]);
    }
}
