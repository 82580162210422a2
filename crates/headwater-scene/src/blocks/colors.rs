//! Colours of the image files that define the cells of the model `blocks`.

use crate::pixmap::Palette;
use headwater::blocks::{Cell, FULL, Liquid};

/// Colours of the pixels in an image of the cells, with the cell that each colour stands for.
pub const PALETTE: Palette<Cell, 5> = [
    ([0x00, 0x00, 0x00], Cell::Wall, "wall"),
    ([0xFF, 0xFF, 0xFF], Cell::Air, "air"),
    ([0x00, 0x00, 0xFF], Cell::WATER, "water"),
    ([0xFF, 0x80, 0x00], Cell::Liquid(Liquid::Oil, FULL), "oil"),
    ([0xFF, 0x00, 0x00], Cell::Liquid(Liquid::Lava, FULL), "lava"),
];
