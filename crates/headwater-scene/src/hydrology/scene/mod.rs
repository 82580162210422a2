//! Scene tables and keys of the model `hydrology`, which simulates the erosion of land. The unit of
//! time is drops per cell: after time 1, each cell has received one raindrop on average.

mod run;
mod table;

use super::HydrologyAction;
pub use run::{
    HydrologyGauge, HydrologyMeasure, HydrologyRain, HydrologyUplift, Panel, Panels, River,
    VariantTable, Zone,
};
pub(crate) use table::deserialize_params;
pub use table::{HydrologyKeys, HydrologyTables, PlantName};

use crate::picture::Style;
use crate::scene::output::{Output, Time};
use crate::scene::read::origin::Origin;
use crate::scene::site::TerrainScene;
use crate::scene::{Event, LayerName, default_seed};
use crate::terrain::{Grid, Ground};
use headwater::Lattice;
use headwater::hydrology::Params;
use serde::Deserialize;

/// Scene of the model `hydrology`: land that rivers, lakes and plants shape.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HydrologyScene {
    /// Title, one line of at most 100 characters. Default: empty.
    #[serde(default)]
    pub title: String,
    /// Description, one line of at most 200 characters. Default: empty.
    #[serde(default)]
    pub description: String,
    /// Seed of all random numbers. Default 1.
    #[serde(default = "default_seed")]
    pub seed: u32,
    /// `[grid]`: square cells, at least 3 × 3. A terrain file with rectangular cells is resampled
    /// to square cells.
    #[serde(default)]
    pub grid: Grid,
    /// `[time]`: end time and output times of the run. The key `dt` is not allowed. The unit of
    /// time is drops per cell: after time 1, each cell has received one raindrop on average.
    /// Events, gauges and pictures use the same unit. The largest time step is 1/8 of a drop per
    /// cell or, with stream power, `hydrology.stream_power.step`. Each event takes place at the end
    /// of the step that reaches its time.
    pub time: Time,
    /// `[terrain]`: the ground.
    pub terrain: Ground,
    /// `[hydrology]`: erosion by drops or by stream power, edges of the map, sea level, rock
    /// layers, and kinds of plants. If its `seed` is 0, the scene's seed is used.
    #[serde(default, deserialize_with = "deserialize_params")]
    #[cfg_attr(feature = "schema", schemars(with = "HydrologyKeys"))]
    pub hydrology: Params,
    /// `[rain]`: spatial distribution of the rain. Default: uniform.
    #[serde(default)]
    pub rain: HydrologyRain,
    /// `[uplift]`: spatial distribution of the uplift with `method = "stream-power"`. Default:
    /// uniform uplift. Cells on open edges never rise.
    #[serde(default)]
    pub uplift: HydrologyUplift,
    /// `[[inflow]]`: rivers that enter the map. At most 1000.
    #[serde(default, rename = "inflow")]
    pub inflows: Vec<River>,
    /// `[[way]]`: variants of the parameters. Each variant starts from the same land, and the
    /// variants are shown side by side. At most 6. Default: a single variant with the parameters in
    /// `[hydrology]`.
    #[serde(default, rename = "way")]
    pub variant_tables: Vec<VariantTable>,
    /// `[[event]]`: changes to the world during the run.
    #[serde(default, rename = "event")]
    pub events: Vec<Event<HydrologyAction, HydrologyGauge>>,
    /// `[[gauge]]`: time series that are measured during the run.
    #[serde(default, rename = "gauge")]
    pub gauges: Vec<HydrologyGauge>,
    /// `[output]`: files that the run writes. If there are several `[[way]]` tables, layers and
    /// mesh show the land of the last one.
    #[serde(default)]
    pub output: Output<LayerName<Self>>,
    /// `[picture]`: style of the pictures.
    #[serde(default)]
    pub picture: Style,
    /// `[panels]`: views that each picture shows.
    #[serde(default)]
    pub panels: Panels,
    #[serde(skip)]
    pub(crate) origin: Origin,
}

impl HydrologyScene {
    /// Returns the lattice of the grid. Returns `None` if its size is read from the terrain file.
    pub fn lattice(&self) -> Option<Lattice> {
        TerrainScene::lattice(self)
    }

    /// Returns the name and the parameters of each variant (each `[[way]]`). If the scene has no
    /// `[[way]]`, returns the scene's parameters with an empty name.
    pub fn variants(&self) -> Vec<(String, Params)> {
        let seed = if self.hydrology.seed == 0 { self.seed.into() } else { self.hydrology.seed };
        let base = Params { seed, ..self.hydrology.clone() };
        if self.variant_tables.is_empty() {
            return vec![(String::new(), base)];
        }
        let of = |table: &VariantTable| {
            (table.name.clone(), table::apply_keys(base.clone(), &table.set))
        };
        self.variant_tables.iter().map(of).collect()
    }
}
