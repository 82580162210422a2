//! Colours of the image files that define the walls of the model `columns`.

use crate::pixmap::Palette;
use headwater::columns::AnchorKind;

/// Content of a cell, as defined by the colour of a pixel in an image of the walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapCell {
    /// Wall, which water cannot enter.
    Wall,
    /// Air, unless the water level prescribed by an anchor in another cell fills the cell with
    /// water.
    Air,
    /// Air with an anchor. The anchor prescribes a water level or trapped air at this cell.
    Anchor(AnchorKind),
}

impl MapCell {
    /// Returns whether the cell is a wall.
    pub fn is_wall(self) -> bool {
        self == MapCell::Wall
    }

    /// Returns the kind of the anchor in the cell. Returns `None` if the cell has no anchor.
    pub fn anchor(self) -> Option<AnchorKind> {
        if let MapCell::Anchor(kind) = self { Some(kind) } else { None }
    }
}

/// Colours in an image file of walls. Each entry contains a pixel colour, the cell that it stands
/// for, and the name of this cell.
pub const PALETTE: Palette<MapCell, 4> = [
    ([0x00, 0x00, 0x00], MapCell::Wall, "wall"),
    ([0xFF, 0xFF, 0xFF], MapCell::Air, "air"),
    ([0x00, 0x00, 0xFF], MapCell::Anchor(AnchorKind::Level), "level anchor"),
    ([0xFF, 0x80, 0x00], MapCell::Anchor(AnchorKind::Bubble), "bubble anchor"),
];
