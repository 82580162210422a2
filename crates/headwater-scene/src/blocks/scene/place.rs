//! Scene tables of the model `blocks`: cells, springs and drains.

use crate::blocks::Caves;
use crate::pixmap::text_map_size;
use headwater::blocks::Liquid;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Default number of columns and rows of a world that [`Caves`] generates.
const DEFAULT_SIZE: (usize, usize) = (240, 135);

/// `[world]`: the initial cells, given by exactly one of `map`, `file` and `caves`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct BlocksWorldTable {
    /// Cells as a string with one line for each row and one character for each cell: `#` for wall,
    /// `.` for air, `~` for a cell full of water, `1` to `7` for a cell that is one to seven
    /// eighths full of water, `o` for oil, `L` for lava. White space around the lines is ignored.
    pub map: Option<String>,
    /// PNG image with one pixel for each cell, in the colours of
    /// [`PALETTE`](crate::blocks::PALETTE): black for wall, white for air, blue for water, orange
    /// for oil, red for lava. The path is relative to the scene file, or to the current directory
    /// if the key is set with `--set`.
    pub file: Option<PathBuf>,
    /// Parameters from which hills and caves with ponds are generated.
    pub caves: Option<Caves>,
    /// Number of columns, 1 to 32768. Only with `caves`. Default 240.
    pub nx: Option<usize>,
    /// Number of rows, 1 to 32768. Only with `caves`. Default 135.
    pub ny: Option<usize>,
}

impl BlocksWorldTable {
    /// Returns the number of columns and rows. Returns `None` if the size is read from the image
    /// file.
    pub(crate) fn size(&self) -> Option<(usize, usize)> {
        if self.caves.is_some() {
            return Some((self.nx.unwrap_or(DEFAULT_SIZE.0), self.ny.unwrap_or(DEFAULT_SIZE.1)));
        }
        text_map_size(self.map.as_ref()?)
    }
}

/// `[[source]]`: spring that adds a liquid in every step. Its area is given by exactly one of
/// `disc`, `rect`, `line`, `polygon` and `everywhere`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BlocksSource {
    /// Liquid of the spring: `"water"` (default), `"oil"` or `"lava"`.
    #[serde(default = "default_liquid")]
    pub liquid: Liquid,
    /// Amount that is added to each cell per step (256ths of a cell), 1 to 256, up to the free
    /// space in the cell.
    pub rate: u16,
}

/// `[[drain]]`: drain that removes liquids in every step. Its area is given by exactly one of
/// `disc`, `rect`, `line`, `polygon` and `everywhere`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BlocksDrain {
    /// Amount that is removed from each cell per step (256ths of a cell), 1 to 256, up to the
    /// liquid in the cell.
    pub rate: u16,
}

fn default_liquid() -> Liquid {
    Liquid::Water
}
