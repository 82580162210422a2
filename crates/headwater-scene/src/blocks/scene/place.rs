//! The tables of a world of blocks: its cells, springs and drains.

use crate::blocks::Caves;
use headwater::blocks::Liquid;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// Columns and rows of a world of caves of which the scene does not say the size.
const DEFAULT_SIZE: (usize, usize) = (240, 135);

/// `[world]`: the cells, from exactly one of `map`, `file` and `caves`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BlocksWorldTable {
    /// A drawing with one character for each cell: `#` wall, `.` air, `~` water, `1` to `7` that many
    /// eighths of a cell of water, `o` oil, `L` lava. White space around the lines does not count.
    pub map: Option<String>,
    /// A PNG with one pixel for each cell, in the colours of [`PALETTE`](crate::blocks::PALETTE): black wall,
    /// white air, blue water, orange oil, red lava. Relative to the scene file; in `--set`, to the
    /// current directory.
    pub file: Option<PathBuf>,
    /// Hills and caves with ponds, made from the seed.
    pub caves: Option<Caves>,
    /// Columns, 1 to 32768; only with `caves`. Default 240.
    pub nx: Option<usize>,
    /// Rows, 1 to 32768; only with `caves`. Default 135.
    pub ny: Option<usize>,
}

impl BlocksWorldTable {
    /// Columns and rows, where they are known without reading a file.
    pub(crate) fn size(&self) -> Option<(usize, usize)> {
        if self.caves.is_some() {
            return Some((self.nx.unwrap_or(DEFAULT_SIZE.0), self.ny.unwrap_or(DEFAULT_SIZE.1)));
        }
        let mut lines = self.map.as_ref()?.lines().map(str::trim).filter(|line| !line.is_empty());
        let nx = lines.next()?.chars().count();
        Some((nx, 1 + lines.count()))
    }
}

/// `[[source]]`: gives a liquid in every step, in exactly one of `disc`, `rect`, `line`, `polygon`, `everywhere`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlocksSource {
    /// `"water"` (default), `"oil"` or `"lava"`.
    #[serde(default = "water")]
    pub liquid: Liquid,
    /// How much each cell gets in a step (256ths of a cell), 1 to 256, as far as there is room.
    pub rate: u16,
}

/// `[[drain]]`: takes any liquid in every step, in exactly one of `disc`, `rect`, `line`, `polygon`, `everywhere`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlocksDrain {
    /// How much each cell loses in a step (256ths of a cell), 1 to 256, as far as there is some.
    pub rate: u16,
}

fn water() -> Liquid {
    Liquid::Water
}
