//! What is written to the textures of a water.

use crate::texels::Written;
use headwater::changes::Tile;

/// Texels of tiles, one tile after the other, row by row.
///
/// Seen from above, `state` is height of the ground, depth of the water (m) and velocity to the east and to the south (m/s), `looks` is
/// foam, streams, plants and closed cells (0 to 255 each). In side view, `state` is the part of the cell that is filled, velocity
/// (m/s), temperature (°C) and 0, `looks` is wall (255), the liquid (1 oil, 2 water, 3 lava), the part that is ice and the caller's tag.
#[derive(Debug, Default)]
pub struct Texels {
    state: Room<[f32; 4]>,
    looks: Room<[u8; 4]>,
}

/// Values that are written over: room that was filled once is not filled again.
#[derive(Debug, Default)]
struct Room<T> {
    values: Vec<T>,
    used: usize,
}

impl<T: Copy + Default> Room<T> {
    fn more(&mut self, count: usize) -> &mut [T] {
        let begin = self.used;
        self.used += count;
        if self.values.len() < self.used {
            self.values.resize(self.used, T::default());
        }
        &mut self.values[begin..self.used]
    }

    fn written(&self) -> &[T] {
        &self.values[..self.used]
    }
}

impl Texels {
    pub(crate) fn clear(&mut self) {
        (self.state.used, self.looks.used) = (0, 0);
    }

    /// Room for so many cells, and for their looks if these are to be written. What was in it before is still there.
    pub(crate) fn more(&mut self, cells: usize, looks: bool) -> Written<'_> {
        let looks = if looks { cells } else { 0 };
        Written { state: self.state.more(cells), looks: self.looks.more(looks) }
    }

    /// How many there are of each.
    pub(crate) fn count(&self) -> [usize; 2] {
        [self.state.used, self.looks.used]
    }

    pub(crate) fn state(&self) -> &[[f32; 4]] {
        self.state.written()
    }

    pub(crate) fn looks(&self) -> &[[u8; 4]] {
        self.looks.written()
    }

    pub(crate) fn append(&mut self, other: &Self) {
        self.state.more(other.state.used).copy_from_slice(other.state());
        self.looks.more(other.looks.used).copy_from_slice(other.looks());
    }
}

/// Puts tiles together that lie side by side, in the order in which worlds tell them: fewer and longer rows are written and sent.
pub(crate) fn join(tiles: &mut Vec<Tile>) {
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
    fn tiles_side_by_side_are_joined_and_all_their_cells_are_there() {
        let all: Vec<Tile> = (0..12)
            .map(|i| Tile {
                x: 64 * (i % 4),
                y: 64 * (i / 4),
                nx: if i % 4 == 3 { 8 } else { 64 },
                ny: 64,
            })
            .collect();
        let mut joined = all.clone();
        join(&mut joined);
        assert_eq!(joined, [Tile { x: 0, y: 0, nx: 200, ny: 192 }]);
        // With holes.
        let some: Vec<Tile> = [0, 1, 3, 4, 6, 7, 10].map(|i| all[i]).to_vec();
        let mut joined = some.clone();
        join(&mut joined);
        assert!(joined.len() < some.len());
        let cells = |tiles: &[Tile]| {
            let mut cells: Vec<_> = tiles.iter().flat_map(|tile| tile.cells()).collect();
            cells.sort_unstable();
            cells
        };
        assert_eq!(cells(&joined), cells(&some));
    }

    #[test]
    fn room_is_written_over() {
        let mut texels = Texels::default();
        texels.more(3, true).fill(&[Tile::all([3, 1])], |x, _| ([x as f32; 4], [x as u8; 4]));
        assert_eq!((texels.count(), texels.looks()[2]), ([3, 3], [2; 4]));
        texels.clear();
        texels.more(2, false).fill(&[Tile::all([2, 1])], |_, _| ([7.0; 4], [7; 4]));
        assert_eq!((texels.state(), texels.looks().len()), ([[7.0; 4]; 2].as_slice(), 0));
        let mut all = Texels::default();
        all.append(&texels);
        all.append(&texels);
        assert_eq!(all.state(), [[7.0; 4]; 4]);
    }
}
