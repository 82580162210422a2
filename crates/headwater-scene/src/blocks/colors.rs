//! Where block worlds come from: caves made from a seed, pictures whose pixels are cells.

use crate::pixmap::Palette;
use headwater::blocks::{Cell, FULL, Liquid};

/// What the colours of a map of blocks mean.
pub const PALETTE: Palette<Cell, 5> = [
    ([0x00, 0x00, 0x00], Cell::Wall, "wall"),
    ([0xFF, 0xFF, 0xFF], Cell::Air, "air"),
    ([0x00, 0x00, 0xFF], Cell::WATER, "water"),
    ([0xFF, 0x80, 0x00], Cell::Liquid(Liquid::Oil, FULL), "oil"),
    ([0xFF, 0x00, 0x00], Cell::Liquid(Liquid::Lava, FULL), "lava"),
];
