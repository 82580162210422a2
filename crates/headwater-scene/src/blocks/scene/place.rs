//! Scene tables of the model `blocks`: cells, springs and drains.

use crate::blocks::Caves;
use headwater::blocks::Liquid;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// Default numbers of columns and rows of a world of caves.
const DEFAULT_SIZE: (usize, usize) = (240, 135);

/// `[world]`: the cells, from exactly one of `map`, `file` and `caves`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BlocksWorldTable {
    /// The cells as text, with a line per row and a character per cell: `#` wall, `.` air, `~`
    /// water, `1` to `7` that many eighths of a cell of water, `o` oil, `L` lava. White space
    /// around the lines is ignored.
    pub map: Option<String>,
    /// PNG image with one pixel per cell in the colours of [`PALETTE`](crate::blocks::PALETTE):
    /// black wall, white air, blue water, orange oil, red lava. The path is relative to the scene
    /// file; in `--set`, to the current directory.
    pub file: Option<PathBuf>,
    /// Generated hills and caves with ponds.
    pub caves: Option<Caves>,
    /// Number of columns, 1 to 32768; only with `caves`. Default 240.
    pub nx: Option<usize>,
    /// Number of rows, 1 to 32768; only with `caves`. Default 135.
    pub ny: Option<usize>,
}

impl BlocksWorldTable {
    /// Returns the numbers of columns and rows; `None` if they are known only from the file.
    pub(crate) fn size(&self) -> Option<(usize, usize)> {
        if self.caves.is_some() {
            return Some((self.nx.unwrap_or(DEFAULT_SIZE.0), self.ny.unwrap_or(DEFAULT_SIZE.1)));
        }
        let mut lines = self.map.as_ref()?.lines().map(str::trim).filter(|line| !line.is_empty());
        let nx = lines.next()?.chars().count();
        Some((nx, 1 + lines.count()))
    }
}

/// `[[source]]`: adds a liquid in every step, over exactly one of `disc`, `rect`, `line`,
/// `polygon`, `everywhere`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlocksSource {
    /// `"water"` (default), `"oil"` or `"lava"`.
    #[serde(default = "water")]
    pub liquid: Liquid,
    /// Amount added to each cell per step (256ths of a cell), 1 to 256, up to the available space.
    pub rate: u16,
}

/// `[[drain]]`: removes liquids in every step, over exactly one of `disc`, `rect`, `line`,
/// `polygon`, `everywhere`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlocksDrain {
    /// Amount removed from each cell per step (256ths of a cell), 1 to 256, up to the available
    /// liquid.
    pub rate: u16,
}

fn water() -> Liquid {
    Liquid::Water
}
