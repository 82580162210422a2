//! Scenes of the model `blocks`. Lengths and positions are cells, from the top-left corner; amounts of
//! liquid are 256ths of a cell.

mod gauge;
mod place;

use super::BlocksAction;
use crate::scene::{Event, InArea, Keys, LayerName};
pub use gauge::{BlocksGauge, BlocksTarget};
pub use place::{BlocksDrain, BlocksSource, BlocksWorldTable};

use crate::picture::PixelStyle;
use crate::scene::default_seed;
use crate::scene::origin::Origin;
use crate::scene::output::{Output, Time};
use headwater::blocks::Params;
use headwater::{Lattice, Square};
use schemars::JsonSchema;
use serde::Deserialize;

/// A scene of the model `blocks`: a world of cells in side view, its liquids, what happens to it, and what
/// is written of it.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlocksScene {
    /// A short title, one line of at most 100 characters. Default: empty.
    #[serde(default)]
    pub title: String,
    /// What there is to see, one line of at most 200 characters. Default: empty.
    #[serde(default)]
    pub description: String,
    /// All that is random follows from it. Default 1.
    #[serde(default = "default_seed")]
    pub seed: u32,
    /// `[world]`: the cells.
    pub world: BlocksWorldTable,
    /// `[time]`: without `dt`; the length of a step is `physics.tick`.
    pub time: Time,
    /// `[physics]`: the rule and its numbers.
    #[serde(default)]
    pub physics: Keys<Params>,
    /// `[[source]]`: springs; at most 1000.
    #[serde(default, rename = "source")]
    pub sources: Vec<InArea<BlocksSource>>,
    /// `[[drain]]`: at most 1000.
    #[serde(default, rename = "drain")]
    pub drains: Vec<InArea<BlocksDrain>>,
    /// `[[event]]`
    #[serde(default, rename = "event")]
    pub events: Vec<Event<BlocksAction, BlocksGauge>>,
    /// `[[gauge]]`
    #[serde(default, rename = "gauge")]
    pub gauges: Vec<BlocksGauge>,
    /// `[output]`: without `mesh`.
    #[serde(default)]
    pub output: Output<LayerName<BlocksScene>>,
    /// `[picture]`: the pictures' style.
    #[serde(default)]
    pub picture: PixelStyle,
    #[serde(skip)]
    pub(crate) origin: Origin,
}

/// The lattice of a world of cells: of squares that are 1 wide. `None` if there is no such world.
pub fn lattice_of_cells(nx: usize, ny: usize) -> Option<Lattice> {
    Square::new(nx, ny, 1.0, 1.0).ok().map(Lattice::from)
}

impl BlocksScene {
    /// The lattice, where it is known without reading the world's file.
    pub fn lattice(&self) -> Option<Lattice> {
        let (nx, ny) = self.world.size()?;
        lattice_of_cells(nx, ny)
    }
}
