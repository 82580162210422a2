//! [`Chunk`]: 64 × 64 cells, labelled afresh when they or what they stand on has changed.

use super::cell::{Kind, LIQUIDS, Packed};
use super::label::{Mask, Runs, SIDE};

pub(super) type Row = [Packed; SIDE];

pub(super) const KINDS: usize = 3;

#[derive(Clone, Copy, Default)]
pub(super) struct Around {
    /// The bodies of each kind in the bottom row of the chunk above, and its full cells.
    pub(super) above: ([u64; KINDS], u64),
    /// Members in the last column of the chunk to the west and in the first of the one to the east, a bit for each row.
    pub(super) west: u64,
    pub(super) east: u64,
}

/// A square of cells. Beyond the edges of the grid they are wall.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    pub(super) cells: [Row; SIDE],
    /// Rows and columns in which cells have changed since the last labelling.
    changed: [u64; 2],
    pub(super) walls: Mask,
    pub(super) full: Mask,
    pub(super) liquid: [Mask; KINDS],
    /// Liquid that stands: on a wall, on its own that stands if one of the cells is full, or on a
    /// heavier one that stands.
    standing: Mask,
    /// What is part of a body: liquid that stands, full cells, and what lies on a full cell of its own or on a heavier body.
    pub(super) members: Mask,
    /// Cells of bodies below others, and cells beside or below a body that it may run into.
    pub(super) tops: Mask,
    pub(super) openings: Mask,
    pub(super) surface_rows: u64,
    pub(super) runs: Runs,
    /// Runs of cells that are not full, if air counts.
    pub(super) air: Option<Runs>,
    /// Whether something falls that is part of no body, or a heavier liquid hangs over a lighter one.
    pub(super) loose: bool,
}

/// What a chunk shows to the one above it: its top row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Footing {
    walls: u64,
    full: u64,
    standing: u64,
    members: u64,
    liquid: [u64; KINDS],
}

impl Footing {
    pub(super) const BOTTOM: Footing =
        Footing { walls: u64::MAX, full: 0, standing: 0, members: 0, liquid: [0; KINDS] };

    fn holds(&self, kind: usize) -> u64 {
        self.walls | self.standing & (self.full & self.liquid[kind] | self.heavier(kind))
    }

    /// Where a kind of liquid belongs to a body in any case: on a full cell of its own or a heavier
    /// body.
    fn carries(&self, kind: usize) -> u64 {
        self.full & self.liquid[kind] | self.members & self.heavier(kind)
    }

    fn heavier(&self, kind: usize) -> u64 {
        self.liquid[kind + 1..].iter().fold(0, |all, row| all | row)
    }
}

/// The chunk's rows and columns in which a labelling found something else than before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fresh {
    pub(super) rows: u64,
    pub(super) columns: u64,
}

impl Chunk {
    pub(super) fn new(trapped_air: bool) -> Self {
        Self {
            cells: [[Packed::WALL; SIDE]; SIDE],
            changed: [u64::MAX; 2],
            walls: [0; SIDE],
            full: [0; SIDE],
            liquid: [[0; SIDE]; KINDS],
            standing: [0; SIDE],
            members: [0; SIDE],
            tops: [0; SIDE],
            openings: [0; SIDE],
            surface_rows: 0,
            runs: Runs::default(),
            air: trapped_air.then(Runs::default),
            loose: false,
        }
    }

    pub(super) fn walled() -> Self {
        let mut chunk = Self::new(false);
        chunk.label(Footing::BOTTOM);
        chunk
    }

    pub(super) fn set(&mut self, x: usize, y: usize, cell: Packed) {
        if self.cells[y][x] != cell {
            self.cells[y][x] = cell;
            self.note(1 << y, 1 << x);
        }
    }

    pub(super) fn note(&mut self, rows: u64, columns: u64) {
        self.changed[0] |= rows;
        self.changed[1] |= columns;
    }

    pub(super) fn has_changed(&self) -> bool {
        self.changed[0] != 0
    }

    pub(super) fn top_row_changed(&self) -> bool {
        self.changed[0] & 1 == 1
    }

    /// Whether it holds a liquid that `other` does not hold, or the other way round.
    pub(super) fn differs(&self, other: &Chunk) -> bool {
        LIQUIDS.into_iter().any(|kind| self.has(kind) != other.has(kind))
    }

    pub(super) fn stands(&self, x: usize, y: usize) -> bool {
        self.standing[y] >> x & 1 == 1
    }

    pub(super) fn standing_row(&self, y: usize) -> u64 {
        self.standing[y]
    }

    pub(super) fn is_member(&self, x: usize, y: usize) -> bool {
        self.members[y] >> x & 1 == 1
    }

    /// Whether a cell was part of a body of this kind of liquid when it was labelled.
    pub(super) fn has_part(&self, x: usize, y: usize, kind: Kind) -> bool {
        self.body_row(usize::from(kind) - 1, y) >> x & 1 == 1
    }

    pub(super) fn footing(&self, y: usize) -> Footing {
        Footing {
            walls: self.walls[y],
            full: self.full[y],
            standing: self.standing[y],
            members: self.members[y],
            liquid: [0, 1, 2].map(|kind| self.liquid[kind][y]),
        }
    }

    pub(super) fn body_row(&self, kind: usize, y: usize) -> u64 {
        self.members[y] & self.liquid[kind][y]
    }

    /// Full cells of bodies: what is below them hangs on them, if they do not stand on it.
    pub(super) fn full_members(&self, y: usize) -> u64 {
        self.members[y] & self.full[y]
    }

    pub(super) fn label(&mut self, footing: Footing) -> Fresh {
        let [rows, columns] = std::mem::take(&mut self.changed);
        let mut fresh = Fresh { rows, columns };
        for y in (0..SIDE).filter(|y| rows >> y & 1 == 1) {
            self.read_row(y);
        }
        self.loose = false;
        let mut below = footing;
        for y in (0..SIDE).rev() {
            let before = (self.standing[y], self.members[y]);
            let (mut standing, mut members, mut loose) = (0, 0, 0);
            for kind in 0..KINDS {
                let here = self.liquid[kind][y];
                let lighter = below.liquid[..kind].iter().fold(0, |all, row| all | row);
                // A full cell stands on one of its own that is not full: it will fill that.
                let on_own = self.full[y] & below.standing & below.liquid[kind];
                let stands = here & (below.holds(kind) | on_own);
                let part = stands | here & (self.full[y] | below.carries(kind));
                standing |= stands;
                members |= part;
                loose |= here & (!part | lighter);
            }
            (self.standing[y], self.members[y]) = (standing, members);
            self.loose |= loose != 0;
            below = self.footing(y);
            let differs = before.0 ^ standing | before.1 ^ members;
            fresh.columns |= differs;
            fresh.rows |= u64::from(differs != 0) << y;
        }
        let mut bodies = self.liquid;
        for mask in &mut bodies {
            mask.iter_mut().zip(&self.members).for_each(|(row, members)| *row &= members);
        }
        self.runs.find([&bodies[0], &bodies[1], &bodies[2]]);
        if let Some(air) = &mut self.air {
            let mut open = [0; SIDE];
            for (open, (walls, full)) in open.iter_mut().zip(self.walls.iter().zip(&self.full)) {
                *open = !(walls | full);
            }
            air.find([&open]);
        }
        fresh
    }

    fn read_row(&mut self, y: usize) {
        let [full, low, high, walls] = planes(&self.cells[y]);
        self.walls[y] = walls;
        self.full[y] = full;
        self.liquid[0][y] = low & !high;
        self.liquid[1][y] = high & !low;
        self.liquid[2][y] = low & high;
    }

    pub(super) fn has(&self, kind: Kind) -> bool {
        self.liquid[usize::from(kind) - 1].iter().any(|&row| row != 0)
    }

    pub(super) fn is_mixed(&self) -> bool {
        LIQUIDS.filter(|&kind| self.has(kind)).count() > 1
    }

    pub(super) fn find_surface(&mut self, around: &Around) {
        self.surface_rows = 0;
        let Around { above: (mut over, mut over_full), west, east } = *around;
        for y in 0..SIDE {
            let bodies = [0, 1, 2].map(|kind| self.body_row(kind, y));
            let tops = (0..KINDS).fold(0, |tops, kind| tops | bodies[kind] & !over[kind]);
            let members = self.members[y];
            let (west, east) = (west >> y & 1, east >> y & 1);
            let fed = fed(members, self.standing[y], [west != 0, east != 0]);
            let beside = fed << 1 | fed >> 1 | west | east << (SIDE - 1);
            let open = (beside & !members | over_full) & !self.walls[y] & !self.full[y];
            // What is heavier runs in under oil.
            let heavy = fed & !bodies[0];
            let under = heavy << 1 | heavy >> 1 | west | east << (SIDE - 1);
            let openings = open | bodies[0] & under;
            (self.tops[y], self.openings[y]) = (tops, openings);
            self.surface_rows |= u64::from(tops | openings != 0) << y;
            (over, over_full) = (bodies, self.full_members(y));
        }
    }
}

/// Members of a row that are connected with one that stands, perhaps beyond the chunk's sides.
fn fed(members: u64, standing: u64, [west, east]: [bool; 2]) -> u64 {
    let mut fed = members & (standing | u64::from(west) | u64::from(east) << (SIDE - 1));
    // Twice as far each time.
    let (mut to_east, mut to_west) = (members, members);
    for far in [1, 2, 4, 8, 16, 32] {
        fed |= to_east & fed << far | to_west & fed >> far;
        to_east &= to_east << far;
        to_west &= to_west >> far;
    }
    fed
}

/// Masks of a row's cells by their upper four bits: full, the kinds' two bits, wall (see
/// [`Packed`]).
fn planes(row: &Row) -> [u64; 4] {
    let mut planes = [0; 4];
    let (parts, _) = row.as_chunks::<8>();
    for (i, part) in parts.iter().enumerate() {
        let upper = u64::from_le_bytes(part.map(|cell| (cell.0 >> 8) as u8));
        for (bit, plane) in planes.iter_mut().enumerate() {
            *plane |= lowest_bits(upper >> bit) << (8 * i);
        }
    }
    planes
}

/// The lowest bits of eight bytes side by side.
pub(super) fn lowest_bits(bytes: u64) -> u64 {
    // Byte k's bit is brought to place 56 + k by the factor's bit 56 − 7k; no two meet.
    (bytes & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::cell::{FULL, SOLID};

    #[test]
    fn masks_say_what_the_cells_are() {
        let mut chunk = Chunk::new(false);
        let of = |x: usize, y: usize| match (x * 7 + y * 13 + x * y) % 11 {
            0 => Packed::WALL,
            1 | 2 => Packed::AIR,
            n if n < 6 => Packed::of(n as Kind - 2, FULL),
            n => Packed::of((n % 3) as Kind + 1, (1 + 31 * x % 255) as u16),
        };
        for y in 0..SIDE {
            (0..SIDE).for_each(|x| chunk.set(x, y, of(x, y)));
        }
        chunk.label(Footing::BOTTOM);
        for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
            let (cell, is) = (of(x, y), |mask: &Mask| mask[y] >> x & 1 == 1);
            assert!(cell.is_valid());
            assert_eq!(is(&chunk.walls), cell.kind() == SOLID);
            assert_eq!(is(&chunk.full), cell.fill() == FULL);
            for kind in LIQUIDS {
                assert_eq!(is(&chunk.liquid[usize::from(kind) - 1]), cell.kind() == kind);
            }
        }
    }
}
