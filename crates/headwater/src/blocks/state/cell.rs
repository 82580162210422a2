//! [`Cell`]: the content of one grid cell, and its packed 16-bit form.

use serde::{Deserialize, Serialize};

/// Volume of a full cell, in units of 1/256 of a cell. All fills and amounts of liquid are counted
/// in these units.
pub const FULL: u16 = 256;

/// Kind of liquid. Liquids do not mix: a cell holds at most one kind, and heavier liquids sink
/// below lighter ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Liquid {
    /// Oil, which floats on water.
    Oil,
    /// Water. Oil floats on water, and lava that touches water turns to wall.
    Water,
    /// Lava, which sinks in water, moves slowly
    /// ([`Params::lava_period`](crate::blocks::Params::lava_period)) and turns to wall on contact
    /// with water.
    Lava,
}

impl Liquid {
    /// All kinds of liquid, lightest first.
    pub const ALL: [Liquid; 3] = [Liquid::Oil, Liquid::Water, Liquid::Lava];

    /// Returns the name of the liquid, as used in scene files and layer files.
    pub fn name(self) -> &'static str {
        match self {
            Liquid::Oil => "oil",
            Liquid::Water => "water",
            Liquid::Lava => "lava",
        }
    }

    /// Returns the density of the liquid (kg/m³). The densities determine how columns of different
    /// liquids balance.
    pub const fn density(self) -> u32 {
        match self {
            Liquid::Oil => 800,
            Liquid::Water => 1000,
            Liquid::Lava => 2600,
        }
    }
}

/// Content of one cell: wall, air or a liquid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    /// Solid cell, which no liquid or air can enter.
    Wall,
    /// Cell filled with air only.
    #[default]
    Air,
    /// A liquid and its volume in the cell (256ths of a cell, from 1 to [`FULL`]).
    Liquid(Liquid, u16),
}

impl Cell {
    /// A cell full of water.
    pub const WATER: Cell = Cell::Liquid(Liquid::Water, FULL);

    /// Returns the volume of liquid in the cell (256ths of a cell, from 0 to [`FULL`]).
    pub fn fill(self) -> u16 {
        match self {
            Cell::Liquid(_, fill) => fill,
            Cell::Wall | Cell::Air => 0,
        }
    }

    /// Returns the kind of liquid in the cell, or `None` for wall and air.
    pub fn liquid(self) -> Option<Liquid> {
        match self {
            Cell::Liquid(liquid, _) => Some(liquid),
            Cell::Wall | Cell::Air => None,
        }
    }
}

/// A cell packed into 16 bits: the fill in the lower nine bits, and the kind of content in the
/// upper bits. The value of an air cell is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(in crate::blocks) struct PackedCell(pub(in crate::blocks) u16);

pub(in crate::blocks) type Kind = u16;

pub(in crate::blocks) const AIR: Kind = 0;
pub(in crate::blocks) const LAVA: Kind = Liquid::Lava as Kind + 1;
pub(in crate::blocks) const WATER: Kind = Liquid::Water as Kind + 1;
pub(in crate::blocks) const SOLID: Kind = 4;
pub(in crate::blocks) const LIQUIDS: std::ops::RangeInclusive<Kind> = 1..=3;

pub(in crate::blocks) fn density(kind: Kind) -> u32 {
    Liquid::ALL[usize::from(kind) - 1].density()
}

impl PackedCell {
    pub(in crate::blocks) const AIR: PackedCell = PackedCell(0);
    pub(in crate::blocks) const WALL: PackedCell = PackedCell(SOLID << 9);

    #[inline(always)]
    pub(in crate::blocks) fn new(kind: Kind, fill: u16) -> Self {
        if fill == 0 { Self::AIR } else { PackedCell(kind << 9 | fill) }
    }

    #[inline(always)]
    pub(in crate::blocks) fn fill(self) -> u16 {
        self.0 & 511
    }

    #[inline(always)]
    pub(in crate::blocks) fn kind(self) -> Kind {
        self.0 >> 9
    }

    #[inline(always)]
    pub(in crate::blocks) fn is_wall(self) -> bool {
        self == Self::WALL
    }

    #[inline(always)]
    pub(in crate::blocks) fn is_liquid(self) -> bool {
        self.fill() > 0
    }

    /// Returns how much liquid of `kind` still fits into the cell (256ths of a cell). Returns 0 for
    /// a wall, and for a cell that holds another liquid.
    #[inline(always)]
    pub(in crate::blocks) fn free_space(self, kind: Kind) -> u16 {
        let here = self.kind();
        if here == AIR || here == kind { FULL - self.fill() } else { 0 }
    }

    pub(in crate::blocks) fn is_valid(self) -> bool {
        match self.kind() {
            AIR | SOLID => self.fill() == 0,
            kind => LIQUIDS.contains(&kind) && (1..=FULL).contains(&self.fill()),
        }
    }
}

impl From<Cell> for PackedCell {
    fn from(cell: Cell) -> Self {
        match cell {
            Cell::Wall => Self::WALL,
            Cell::Air => Self::AIR,
            Cell::Liquid(liquid, fill) => Self::new(liquid as Kind + 1, fill.min(FULL)),
        }
    }
}

impl From<PackedCell> for Cell {
    fn from(packed: PackedCell) -> Self {
        match packed.kind() {
            AIR => Cell::Air,
            kind if LIQUIDS.contains(&kind) => {
                Cell::Liquid(Liquid::ALL[usize::from(kind) - 1], packed.fill())
            }
            _ => Cell::Wall,
        }
    }
}
