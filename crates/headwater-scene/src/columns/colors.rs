//! Colours of the image files that define the walls of the model `columns`.

use crate::pixmap::Palette;
use headwater::columns::AnchorKind;

/// Meaning of a pixel in the image of the walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoardCell {
    /// Wall.
    Wall,
    /// Air. An anchor at another cell may fill it with water.
    Air,
    /// Air with an anchor, which prescribes the water level or trapped air here.
    Anchor(AnchorKind),
}

impl BoardCell {
    /// Returns whether the cell is a wall.
    pub fn is_wall(self) -> bool {
        self == BoardCell::Wall
    }

    /// Returns the kind of the cell's anchor; `None` if it has no anchor.
    pub fn anchor(self) -> Option<AnchorKind> {
        if let BoardCell::Anchor(kind) = self { Some(kind) } else { None }
    }
}

/// Colours of the pixels in an image of the walls, with their meanings.
pub const PALETTE: Palette<BoardCell, 4> = [
    ([0x00, 0x00, 0x00], BoardCell::Wall, "wall"),
    ([0xFF, 0xFF, 0xFF], BoardCell::Air, "air"),
    ([0x00, 0x00, 0xFF], BoardCell::Anchor(AnchorKind::Level), "level anchor"),
    ([0xFF, 0x80, 0x00], BoardCell::Anchor(AnchorKind::Bubble), "bubble anchor"),
];
