//! Boards of pools from pictures.

use crate::pixmap::Palette;
use headwater::columns::AnchorKind;

/// What a pixel of a board says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoardCell {
    /// Wall.
    Wall,
    /// Air, or whatever anchors elsewhere let stand here.
    Air,
    /// Air with an anchor.
    Anchor(AnchorKind),
}

impl BoardCell {
    /// Whether it is wall.
    pub fn is_wall(self) -> bool {
        self == BoardCell::Wall
    }

    /// Its anchor.
    pub fn anchor(self) -> Option<AnchorKind> {
        if let BoardCell::Anchor(kind) = self { Some(kind) } else { None }
    }
}

/// What the colours of a board of pools mean.
pub const PALETTE: Palette<BoardCell, 4> = [
    ([0x00, 0x00, 0x00], BoardCell::Wall, "wall"),
    ([0xFF, 0xFF, 0xFF], BoardCell::Air, "air"),
    ([0x00, 0x00, 0xFF], BoardCell::Anchor(AnchorKind::Level), "level anchor"),
    ([0xFF, 0x80, 0x00], BoardCell::Anchor(AnchorKind::Bubble), "bubble anchor"),
];
