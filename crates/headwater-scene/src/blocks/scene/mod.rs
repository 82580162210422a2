//! Scenes of the model `blocks`, liquids in a side view of cells. Positions and lengths are in
//! cells, from the top-left corner. Amounts of liquid are in 256ths of a cell.

mod gauge;
mod place;

use super::BlocksAction;
use crate::scene::{Event, InArea, Keys, LayerName};
pub use gauge::{BlocksGauge, BlocksTarget};
pub use place::{BlocksDrain, BlocksSource, BlocksWorldTable};

use crate::picture::PixelStyle;
use crate::scene::default_seed;
use crate::scene::output::{Output, Time};
use crate::scene::read::origin::Origin;
use headwater::blocks::Params;
use headwater::{Lattice, Square};
use schemars::JsonSchema;
use serde::Deserialize;

/// Scene of the model `blocks`: a world of cells in side view with liquids.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlocksScene {
    /// Title, one line of at most 100 characters. Default: empty.
    #[serde(default)]
    pub title: String,
    /// Description, one line of at most 200 characters. Default: empty.
    #[serde(default)]
    pub description: String,
    /// Seed of all random numbers. Default 1.
    #[serde(default = "default_seed")]
    pub seed: u32,
    /// `[world]`: the cells.
    pub world: BlocksWorldTable,
    /// `[time]`: without `dt`; the step length is `physics.tick`.
    pub time: Time,
    /// `[physics]`: the update rule and its parameters.
    #[serde(default)]
    pub physics: Keys<Params>,
    /// `[[source]]`: springs; at most 1000.
    #[serde(default, rename = "source")]
    pub sources: Vec<InArea<BlocksSource>>,
    /// `[[drain]]`: drains; at most 1000.
    #[serde(default, rename = "drain")]
    pub drains: Vec<InArea<BlocksDrain>>,
    /// `[[event]]`: timed edits.
    #[serde(default, rename = "event")]
    pub events: Vec<Event<BlocksAction, BlocksGauge>>,
    /// `[[gauge]]`: time series.
    #[serde(default, rename = "gauge")]
    pub gauges: Vec<BlocksGauge>,
    /// `[output]`: output of the run, without `mesh`.
    #[serde(default)]
    pub output: Output<LayerName<BlocksScene>>,
    /// `[picture]`: style of the pictures.
    #[serde(default)]
    pub picture: PixelStyle,
    #[serde(skip)]
    pub(crate) origin: Origin,
}

/// Returns the lattice of `nx` × `ny` square cells of width 1; `None` if the sizes are not valid.
pub fn lattice_of_cells(nx: usize, ny: usize) -> Option<Lattice> {
    Square::new(nx, ny, 1.0, 1.0).ok().map(Lattice::from)
}

impl BlocksScene {
    /// Returns the lattice of the world; `None` if its size is known only from the image file.
    pub fn lattice(&self) -> Option<Lattice> {
        let (nx, ny) = self.world.size()?;
        lattice_of_cells(nx, ny)
    }
}
