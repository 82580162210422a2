//! Colours of the image files that define the cells of the model `blocks`.

use crate::pixmap::Palette;
use headwater::blocks::{Cell, FULL, Liquid};

/// Colours in an image file of cells. Each entry contains a pixel colour, the cell that it stands
/// for, and the name of this cell.
pub const PALETTE: Palette<Cell, 5> = [
    ([0x00, 0x00, 0x00], Cell::Wall, "wall"),
    ([0xFF, 0xFF, 0xFF], Cell::Air, "air"),
    ([0x00, 0x00, 0xFF], Cell::WATER, "water"),
    ([0xFF, 0x80, 0x00], Cell::Liquid(Liquid::Oil, FULL), "oil"),
    ([0xFF, 0x00, 0x00], Cell::Liquid(Liquid::Lava, FULL), "lava"),
];
