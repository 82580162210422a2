//! [`Chunk`]: a square of 64 × 64 cells and their labels. The labels of a chunk are updated when
//! its cells, or the cells below that support them, change.

use super::cell::{Kind, LIQUIDS, PackedCell};
use super::label::{Mask, RunLabels, SIDE};

pub(in crate::blocks) type Row = [PackedCell; SIDE];

pub(in crate::blocks) const KINDS: usize = 3;

#[derive(Clone, Copy, Default)]
pub(in crate::blocks) struct NeighbourRows {
    /// Bit masks of the bottom row of the chunk above, one bit per column. The array marks, for
    /// each kind of liquid, the cells that belong to bodies. The second mask marks those of all
    /// these cells that are full.
    pub(in crate::blocks) above: ([u64; KINDS], u64),
    /// Cells of bodies of liquid in the last column of the chunk to the west, one bit per row.
    pub(in crate::blocks) west: u64,
    /// Cells of bodies of liquid in the first column of the chunk to the east, one bit per row.
    pub(in crate::blocks) east: u64,
}

/// Cells of a chunk and their labels. Cells of the chunk that lie outside the grid are wall.
#[derive(Clone, Debug)]
pub(in crate::blocks) struct Chunk {
    pub(in crate::blocks) cells: [Row; SIDE],
    /// Bit masks of the rows and of the columns with cells that have changed since labels were last
    /// updated.
    changed: [u64; 2],
    pub(in crate::blocks) walls: Mask,
    pub(in crate::blocks) full: Mask,
    pub(in crate::blocks) liquid: [Mask; KINDS],
    /// Cells with supported liquid: liquid on a wall or on supported heavier liquid, and liquid on
    /// supported liquid of its own kind if one of these two cells is full.
    supported: Mask,
    /// Cells that belong to bodies of liquid: supported liquid, full cells, and liquid that lies on
    /// a full cell of its own kind or on a heavier body.
    pub(in crate::blocks) members: Mask,
    /// Top cells of all columns of bodies of liquid.
    pub(in crate::blocks) tops: Mask,
    /// Openings: cells at the side of a body of liquid, or below it, into which liquid of the body
    /// can flow.
    pub(in crate::blocks) openings: Mask,
    pub(in crate::blocks) surface_rows: u64,
    pub(in crate::blocks) runs: RunLabels,
    /// Horizontal runs of cells that are not full, for labelling air pockets. `None` if the world
    /// does not simulate trapped air.
    pub(in crate::blocks) air: Option<RunLabels>,
    /// Whether the chunk holds falling liquid that belongs to no body, or heavier liquid above
    /// lighter liquid.
    pub(in crate::blocks) has_falling_liquid: bool,
}

/// State of a chunk's top row that determines which cells of the chunk above are supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::blocks) struct SupportRow {
    walls: u64,
    full: u64,
    supported: u64,
    members: u64,
    liquid: [u64; KINDS],
}

impl SupportRow {
    pub(in crate::blocks) const BOTTOM: SupportRow =
        SupportRow { walls: u64::MAX, full: 0, supported: 0, members: 0, liquid: [0; KINDS] };

    fn supported_column_mask(&self, kind: usize) -> u64 {
        self.walls
            | self.supported & (self.full & self.liquid[kind] | self.heavier_liquid_mask(kind))
    }

    /// Returns a bit mask of the columns in which liquid of `kind` directly above this row belongs
    /// to a body of liquid. This is the case above a full cell of its own kind, and above a heavier
    /// body.
    fn body_column_mask(&self, kind: usize) -> u64 {
        self.full & self.liquid[kind] | self.members & self.heavier_liquid_mask(kind)
    }

    fn heavier_liquid_mask(&self, kind: usize) -> u64 {
        self.liquid[kind + 1..].iter().fold(0, |all, row| all | row)
    }
}

/// Bit masks of the rows and columns of a chunk in which labels have changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::blocks) struct LabelChanges {
    pub(in crate::blocks) rows: u64,
    pub(in crate::blocks) columns: u64,
}

impl Chunk {
    pub(in crate::blocks) fn new(trapped_air: bool) -> Self {
        Self {
            cells: [[PackedCell::WALL; SIDE]; SIDE],
            changed: [u64::MAX; 2],
            walls: [0; SIDE],
            full: [0; SIDE],
            liquid: [[0; SIDE]; KINDS],
            supported: [0; SIDE],
            members: [0; SIDE],
            tops: [0; SIDE],
            openings: [0; SIDE],
            surface_rows: 0,
            runs: RunLabels::default(),
            air: trapped_air.then(RunLabels::default),
            has_falling_liquid: false,
        }
    }

    pub(in crate::blocks) fn all_walls() -> Self {
        let mut chunk = Self::new(false);
        chunk.update_labels(SupportRow::BOTTOM);
        chunk
    }

    pub(in crate::blocks) fn set(&mut self, x: usize, y: usize, cell: PackedCell) {
        if self.cells[y][x] != cell {
            self.cells[y][x] = cell;
            self.mark_changed(1 << y, 1 << x);
        }
    }

    pub(in crate::blocks) fn mark_changed(&mut self, rows: u64, columns: u64) {
        self.changed[0] |= rows;
        self.changed[1] |= columns;
    }

    pub(in crate::blocks) fn has_changed(&self) -> bool {
        self.changed[0] != 0
    }

    pub(in crate::blocks) fn top_row_changed(&self) -> bool {
        self.changed[0] & 1 == 1
    }

    /// Returns whether this chunk and `other` hold different sets of liquids.
    pub(in crate::blocks) fn has_different_liquids(&self, other: &Chunk) -> bool {
        LIQUIDS.into_iter().any(|kind| self.contains_liquid(kind) != other.contains_liquid(kind))
    }

    pub(in crate::blocks) fn is_supported(&self, x: usize, y: usize) -> bool {
        self.supported[y] >> x & 1 == 1
    }

    pub(in crate::blocks) fn supported_row(&self, y: usize) -> u64 {
        self.supported[y]
    }

    pub(in crate::blocks) fn is_member(&self, x: usize, y: usize) -> bool {
        self.members[y] >> x & 1 == 1
    }

    /// Returns whether a cell of the chunk belonged to a body of liquid `kind` when labels were
    /// last updated.
    pub(in crate::blocks) fn was_in_body(&self, x: usize, y: usize, kind: Kind) -> bool {
        self.body_row(usize::from(kind) - 1, y) >> x & 1 == 1
    }

    pub(in crate::blocks) fn support_row(&self, y: usize) -> SupportRow {
        SupportRow {
            walls: self.walls[y],
            full: self.full[y],
            supported: self.supported[y],
            members: self.members[y],
            liquid: [0, 1, 2].map(|kind| self.liquid[kind][y]),
        }
    }

    pub(in crate::blocks) fn body_row(&self, kind: usize, y: usize) -> u64 {
        self.members[y] & self.liquid[kind][y]
    }

    /// Returns a bit mask of the full cells of bodies of liquid in a row. Liquid flows down from
    /// such a cell into an unsupported cell below.
    pub(in crate::blocks) fn full_body_cells(&self, y: usize) -> u64 {
        self.members[y] & self.full[y]
    }

    pub(in crate::blocks) fn update_labels(&mut self, footing: SupportRow) -> LabelChanges {
        let [rows, columns] = std::mem::take(&mut self.changed);
        let mut diff = LabelChanges { rows, columns };
        for y in (0..SIDE).filter(|y| rows >> y & 1 == 1) {
            self.read_row(y);
        }
        self.has_falling_liquid = false;
        let mut below = footing;
        for y in (0..SIDE).rev() {
            let before = (self.supported[y], self.members[y]);
            let (mut supported, mut members, mut falling) = (0, 0, 0);
            for kind in 0..KINDS {
                let here = self.liquid[kind][y];
                let lighter = below.liquid[..kind].iter().fold(0, |all, row| all | row);
                // A full cell above a partly filled supported cell of its kind is supported too,
                // because it fills that cell next.
                let on_own = self.full[y] & below.supported & below.liquid[kind];
                let is_supported = here & (below.supported_column_mask(kind) | on_own);
                let part = is_supported | here & (self.full[y] | below.body_column_mask(kind));
                supported |= is_supported;
                members |= part;
                falling |= here & (!part | lighter);
            }
            (self.supported[y], self.members[y]) = (supported, members);
            self.has_falling_liquid |= falling != 0;
            below = self.support_row(y);
            let differs = before.0 ^ supported | before.1 ^ members;
            diff.columns |= differs;
            diff.rows |= u64::from(differs != 0) << y;
        }
        let mut bodies = self.liquid;
        for mask in &mut bodies {
            mask.iter_mut().zip(&self.members).for_each(|(row, members)| *row &= members);
        }
        self.runs.label_classes([&bodies[0], &bodies[1], &bodies[2]]);
        if let Some(air) = &mut self.air {
            let mut open = [0; SIDE];
            for (open, (walls, full)) in open.iter_mut().zip(self.walls.iter().zip(&self.full)) {
                *open = !(walls | full);
            }
            air.label_classes([&open]);
        }
        diff
    }

    fn read_row(&mut self, y: usize) {
        let [full, low, high, walls] = bit_planes(&self.cells[y]);
        self.walls[y] = walls;
        self.full[y] = full;
        self.liquid[0][y] = low & !high;
        self.liquid[1][y] = high & !low;
        self.liquid[2][y] = low & high;
    }

    pub(in crate::blocks) fn contains_liquid(&self, kind: Kind) -> bool {
        self.liquid[usize::from(kind) - 1].iter().any(|&row| row != 0)
    }

    pub(in crate::blocks) fn is_mixed(&self) -> bool {
        LIQUIDS.filter(|&kind| self.contains_liquid(kind)).count() > 1
    }

    pub(in crate::blocks) fn find_surface(&mut self, neighbours: &NeighbourRows) {
        self.surface_rows = 0;
        let NeighbourRows { above: (mut over, mut over_full), west, east } = *neighbours;
        for y in 0..SIDE {
            let bodies = [0, 1, 2].map(|kind| self.body_row(kind, y));
            let tops = (0..KINDS).fold(0, |tops, kind| tops | bodies[kind] & !over[kind]);
            let members = self.members[y];
            let (west, east) = (west >> y & 1, east >> y & 1);
            let connected =
                connected_to_support(members, self.supported[y], [west != 0, east != 0]);
            let adjacent = connected << 1 | connected >> 1 | west | east << (SIDE - 1);
            let open = (adjacent & !members | over_full) & !self.walls[y] & !self.full[y];
            // Heavier liquids run in under oil.
            let heavy = connected & !bodies[0];
            let under = heavy << 1 | heavy >> 1 | west | east << (SIDE - 1);
            let openings = open | bodies[0] & under;
            (self.tops[y], self.openings[y]) = (tops, openings);
            self.surface_rows |= u64::from(tops | openings != 0) << y;
            (over, over_full) = (bodies, self.full_body_cells(y));
        }
    }
}

/// Returns a bit mask of the cells of `members` that are connected, within the row, to a cell of
/// `supported`. `west` and `east` specify whether a supported cell adjoins the row on that side.
fn connected_to_support(members: u64, supported: u64, [west, east]: [bool; 2]) -> u64 {
    let mut connected = members & (supported | u64::from(west) | u64::from(east) << (SIDE - 1));
    // The reach doubles in each pass.
    let (mut to_east, mut to_west) = (members, members);
    for far in [1, 2, 4, 8, 16, 32] {
        connected |= to_east & connected << far | to_west & connected >> far;
        to_east &= to_east << far;
        to_west &= to_west >> far;
    }
    connected
}

/// Returns four bit masks for a row of cells: the full cells, the two bits of the kind of liquid,
/// and the walls (see [`PackedCell`]).
fn bit_planes(row: &Row) -> [u64; 4] {
    let mut bit_planes = [0; 4];
    let (parts, _) = row.as_chunks::<8>();
    for (i, part) in parts.iter().enumerate() {
        let upper = u64::from_le_bytes(part.map(|cell| (cell.0 >> 8) as u8));
        for (bit, plane) in bit_planes.iter_mut().enumerate() {
            *plane |= pack_lowest_bits(upper >> bit) << (8 * i);
        }
    }
    bit_planes
}

/// Returns the lowest bit of each of the eight bytes of a word, packed into one byte.
pub(in crate::blocks) fn pack_lowest_bits(bytes: u64) -> u64 {
    // The multiplication moves the bit of byte k to position 56 + k. No two terms overlap.
    (bytes & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::super::cell::{FULL, SOLID};
    use super::*;

    #[test]
    fn bit_masks_match_the_cells_of_a_chunk() {
        let mut chunk = Chunk::new(false);
        let of = |x: usize, y: usize| match (x * 7 + y * 13 + x * y) % 11 {
            0 => PackedCell::WALL,
            1 | 2 => PackedCell::AIR,
            n if n < 6 => PackedCell::new(n as Kind - 2, FULL),
            n => PackedCell::new((n % 3) as Kind + 1, (1 + 31 * x % 255) as u16),
        };
        for y in 0..SIDE {
            (0..SIDE).for_each(|x| chunk.set(x, y, of(x, y)));
        }
        chunk.update_labels(SupportRow::BOTTOM);
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
