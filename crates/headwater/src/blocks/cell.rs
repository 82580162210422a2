//! [`Cell`]: what one cell of a block world holds, and how it is packed into 16 bits.

use serde::{Deserialize, Serialize};

/// Units of volume in a full cell.
pub const FULL: u16 = 256;

/// A liquid. They do not mix: a cell holds one of them at a time, and the heavier sinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Liquid {
    /// Floats on water.
    Oil,
    /// Water.
    Water,
    /// Sinks in water, moves slowly ([`Params::lava_period`](super::Params::lava_period)), and turns to
    /// wall where it meets water.
    Lava,
}

impl Liquid {
    /// Every liquid, from the lightest to the heaviest.
    pub const ALL: [Liquid; 3] = [Liquid::Oil, Liquid::Water, Liquid::Lava];

    /// The liquid's name in files.
    pub fn name(self) -> &'static str {
        match self {
            Liquid::Oil => "oil",
            Liquid::Water => "water",
            Liquid::Lava => "lava",
        }
    }

    /// What a cubic metre of it weighs (kg). Columns of different liquids hold one another in balance by their weights.
    pub const fn density(self) -> u32 {
        match self {
            Liquid::Oil => 800,
            Liquid::Water => 1000,
            Liquid::Lava => 2600,
        }
    }
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    /// Nothing can enter.
    Wall,
    /// Nothing but air.
    #[default]
    Air,
    /// A liquid, and how much of the cell it fills: 1 to [`FULL`].
    Liquid(Liquid, u16),
}

impl Cell {
    /// A cell full of water.
    pub const WATER: Cell = Cell::Liquid(Liquid::Water, FULL);

    /// Volume in it, 0 to [`FULL`].
    pub fn fill(self) -> u16 {
        match self {
            Cell::Liquid(_, fill) => fill,
            Cell::Wall | Cell::Air => 0,
        }
    }

    /// The liquid in it.
    pub fn liquid(self) -> Option<Liquid> {
        match self {
            Cell::Liquid(liquid, _) => Some(liquid),
            Cell::Wall | Cell::Air => None,
        }
    }
}

/// A cell in 16 bits: the fill in the lower nine, the kind above. Air is 0, and has no fill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Packed(pub(super) u16);

pub(super) type Kind = u16;

pub(super) const AIR: Kind = 0;
pub(super) const LAVA: Kind = Liquid::Lava as Kind + 1;
pub(super) const WATER: Kind = Liquid::Water as Kind + 1;
pub(super) const SOLID: Kind = 4;
pub(super) const LIQUIDS: std::ops::RangeInclusive<Kind> = 1..=3;

pub(super) fn density(kind: Kind) -> u32 {
    Liquid::ALL[usize::from(kind) - 1].density()
}

impl Packed {
    pub(super) const AIR: Packed = Packed(0);
    pub(super) const WALL: Packed = Packed(SOLID << 9);

    #[inline(always)]
    pub(super) fn of(kind: Kind, fill: u16) -> Self {
        if fill == 0 { Self::AIR } else { Packed(kind << 9 | fill) }
    }

    #[inline(always)]
    pub(super) fn fill(self) -> u16 {
        self.0 & 511
    }

    #[inline(always)]
    pub(super) fn kind(self) -> Kind {
        self.0 >> 9
    }

    #[inline(always)]
    pub(super) fn is_wall(self) -> bool {
        self == Self::WALL
    }

    #[inline(always)]
    pub(super) fn is_liquid(self) -> bool {
        self.fill() > 0
    }

    /// How much more of a liquid fits in: nothing beside another liquid.
    #[inline(always)]
    pub(super) fn room(self, kind: Kind) -> u16 {
        let here = self.kind();
        if here == AIR || here == kind { FULL - self.fill() } else { 0 }
    }

    pub(super) fn is_valid(self) -> bool {
        match self.kind() {
            AIR | SOLID => self.fill() == 0,
            kind => LIQUIDS.contains(&kind) && (1..=FULL).contains(&self.fill()),
        }
    }
}

impl From<Cell> for Packed {
    fn from(cell: Cell) -> Self {
        match cell {
            Cell::Wall => Self::WALL,
            Cell::Air => Self::AIR,
            Cell::Liquid(liquid, fill) => Self::of(liquid as Kind + 1, fill.min(FULL)),
        }
    }
}

impl From<Packed> for Cell {
    fn from(packed: Packed) -> Self {
        match packed.kind() {
            AIR => Cell::Air,
            kind if LIQUIDS.contains(&kind) => {
                Cell::Liquid(Liquid::ALL[usize::from(kind) - 1], packed.fill())
            }
            _ => Cell::Wall,
        }
    }
}
