//! Colours of image files for boards of the model `columns`.

use crate::pixmap::Palette;
use headwater::columns::AnchorKind;

/// Meaning of a pixel of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoardCell {
    /// Wall.
    Wall,
    /// Air, or water that an anchor elsewhere puts here.
    Air,
    /// Air with an anchor.
    Anchor(AnchorKind),
}

impl BoardCell {
    /// Returns whether the cell is a wall.
    pub fn is_wall(self) -> bool {
        self == BoardCell::Wall
    }

    /// Returns the anchor in the cell.
    pub fn anchor(self) -> Option<AnchorKind> {
        if let BoardCell::Anchor(kind) = self { Some(kind) } else { None }
    }
}

/// Colours of a board's image.
pub const PALETTE: Palette<BoardCell, 4> = [
    ([0x00, 0x00, 0x00], BoardCell::Wall, "wall"),
    ([0xFF, 0xFF, 0xFF], BoardCell::Air, "air"),
    ([0x00, 0x00, 0xFF], BoardCell::Anchor(AnchorKind::Level), "level anchor"),
    ([0xFF, 0x80, 0x00], BoardCell::Anchor(AnchorKind::Bubble), "bubble anchor"),
];
