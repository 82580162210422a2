//! Colours of the image files that define the walls of the model `columns`.

use crate::pixmap::Palette;
use headwater::columns::AnchorKind;

/// Cell that a pixel stands for in an image of the walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoardCell {
    /// Wall, which water cannot enter.
    Wall,
    /// Air. The water of an anchor in another cell may fill this cell.
    Air,
    /// Air with an anchor, which prescribes the water level or trapped air in this cell.
    Anchor(AnchorKind),
}

impl BoardCell {
    /// Returns whether the cell is a wall.
    pub fn is_wall(self) -> bool {
        self == BoardCell::Wall
    }

    /// Returns the kind of the anchor in the cell. Returns `None` if the cell has no anchor.
    pub fn anchor(self) -> Option<AnchorKind> {
        if let BoardCell::Anchor(kind) = self { Some(kind) } else { None }
    }
}

/// Colours of the pixels in an image of the walls, each with the cell that it stands for.
pub const PALETTE: Palette<BoardCell, 4> = [
    ([0x00, 0x00, 0x00], BoardCell::Wall, "wall"),
    ([0xFF, 0xFF, 0xFF], BoardCell::Air, "air"),
    ([0x00, 0x00, 0xFF], BoardCell::Anchor(AnchorKind::Level), "level anchor"),
    ([0xFF, 0x80, 0x00], BoardCell::Anchor(AnchorKind::Bubble), "bubble anchor"),
];
