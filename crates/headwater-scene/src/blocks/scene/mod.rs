//! Scene tables and keys of the model `blocks`, which simulates liquids in a grid of cells in side
//! view. Positions and lengths are in cells, from the top-left corner. Amounts of liquid are in
//! 256ths of a cell.

mod gauge;
mod place;

use super::BlocksAction;
use crate::scene::{AreaAction, Event, Keys, LayerName};
pub use gauge::{BlocksGauge, BlocksTarget};
pub use place::{BlocksDrain, BlocksSource, BlocksWorldTable};

use crate::picture::PixelStyle;
use crate::scene::default_seed;
use crate::scene::output::{Output, Time};
use crate::scene::read::origin::Origin;
use headwater::blocks::Params;
use headwater::{Lattice, Square};
use serde::Deserialize;

/// Scene of the model `blocks`: liquids in a grid of cells in side view.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// `[world]`: the initial cells.
    pub world: BlocksWorldTable,
    /// `[time]`: end time of the run. The key `dt` is not allowed; `physics.tick` is the step
    /// length.
    pub time: Time,
    /// `[physics]`: update rule of the cells and its parameters.
    #[serde(default)]
    pub physics: Keys<Params>,
    /// `[[source]]`: springs. At most 1000.
    #[serde(default, rename = "source")]
    pub sources: Vec<AreaAction<BlocksSource>>,
    /// `[[drain]]`: drains. At most 1000.
    #[serde(default, rename = "drain")]
    pub drains: Vec<AreaAction<BlocksDrain>>,
    /// `[[event]]`: changes to the world during the run.
    #[serde(default, rename = "event")]
    pub events: Vec<Event<BlocksAction, BlocksGauge>>,
    /// `[[gauge]]`: time series that are measured during the run.
    #[serde(default, rename = "gauge")]
    pub gauges: Vec<BlocksGauge>,
    /// `[output]`: files that the run writes. The key `mesh` is not allowed.
    #[serde(default)]
    pub output: Output<LayerName<BlocksScene>>,
    /// `[picture]`: style of the pictures.
    #[serde(default)]
    pub picture: PixelStyle,
    #[serde(skip)]
    pub(crate) origin: Origin,
}

/// Returns a lattice of `nx` × `ny` square cells with sides of length 1. Returns `None` if `nx` or
/// `ny` is out of range.
pub fn cell_lattice(nx: usize, ny: usize) -> Option<Lattice> {
    Square::new(nx, ny, 1.0, 1.0).ok().map(Lattice::from)
}

impl BlocksScene {
    /// Returns the lattice of the world. Returns `None` if its size is read from the image file.
    pub fn lattice(&self) -> Option<Lattice> {
        let (nx, ny) = self.world.size()?;
        cell_lattice(nx, ny)
    }
}
