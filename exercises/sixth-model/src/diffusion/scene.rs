//! Format of scene files for the diffusion model.

use super::ink::{Ink, LAYERS, Spread};
use headwater::parameter::{Parameters, Setting};
use headwater::{InputError, Lattice, Layer, Square};
use headwater_scene::live::Tool;
use headwater_scene::scene::{
    AreaAction, Checker, CommonTables, Event, GaugeEntry, Keys, LayerName, Origin, Output, Places,
    Position, SceneModel, Time,
};
use serde::{Deserialize, Serialize};

/// Scene of the diffusion model: ink in still water.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiffusionScene {
    #[serde(default)]
    pub title: String,
    pub grid: Cells,
    pub time: Time,
    #[serde(default)]
    pub physics: Keys<Spread>,
    #[serde(default, rename = "event")]
    pub events: Vec<Event<Action, Gauge>>,
    #[serde(default, rename = "gauge")]
    pub gauges: Vec<Gauge>,
    #[serde(default)]
    pub output: Output<LayerName<DiffusionScene>>,
    #[serde(skip)]
    pub origin: Origin,
}

/// Grid of `nx` × `ny` square cells of 1 m.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cells {
    pub nx: usize,
    pub ny: usize,
}

impl Cells {
    pub fn lattice(&self) -> Result<Square, InputError> {
        Square::new(self.nx, self.ny, 1.0, 1.0)
    }
}

/// Actions that the events of a scene can perform.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Action {
    /// Adds ink to an area.
    Pour(AreaAction<Pour>),
}

/// Amount of ink that an event adds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pour {
    pub amount: f64,
}

/// Gauge that records the concentration of ink at a point.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gauge {
    pub name: String,
    pub at: Position,
    pub every: Option<f64>,
}

impl GaugeEntry for Gauge {
    fn name_and_interval(&self) -> (&str, Option<f64>) {
        (&self.name, self.every)
    }
}

impl SceneModel for DiffusionScene {
    type World = Ink;
    type Action = Action;
    type Gauge = Gauge;

    const MODEL: &'static str = "diffusion";
    const TITLE: &'static str = "Diffusion";
    const ABOUT: &'static str = "Ink that spreads in still water";
    const TOOLS: &'static [Tool] = &[];
    const LAYERS: &'static [Layer] = LAYERS;

    fn common_tables(&self) -> CommonTables<'_, Self> {
        let Self { title, time, events, gauges, output, origin, .. } = self;
        CommonTables {
            title,
            description: "",
            seed: 0,
            time: *time,
            events,
            gauges,
            output,
            origin,
        }
    }

    fn origin_mut(&mut self) -> &mut Origin {
        &mut self.origin
    }

    fn lattice(&self) -> Option<Lattice> {
        Some(self.grid.lattice().ok()?.into())
    }

    fn settings(&self) -> Vec<Setting> {
        self.physics.settings("physics")
    }

    fn collect_places(&self, places: &mut Places) {
        for (key, gauge) in self.common_tables().all_gauges() {
            places.add_position(format!("{key}.at"), gauge.at);
        }
    }

    fn check_values(&self, check: &mut Checker) {
        self.physics.report_problems(check, "physics");
        if let Err(error) = self.grid.lattice() {
            check.add_input_error("grid", &error);
        }
    }

    fn collect_action_places(&self, key: &str, action: &Action, places: &mut Places) {
        let Action::Pour(pour) = action;
        places.add_extent(key, &pour.extent);
    }
}
