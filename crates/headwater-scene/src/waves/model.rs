//! Implementation of [`ModelScene`] for scenes of the model `waves`. It describes the scene tables,
//! layers and tools to code that is common to all models.

use super::WavesAction;
use super::check;
use super::tools;
use super::{WavesGauge, WavesScene, WavesWorld};
use crate::scene::read::origin::Origin;
use crate::scene::{Checker, CommonTables, HasLayers, ModelScene, Places, SceneTables, Tool};
use headwater::parameter::{Parameters, Setting};
use headwater::{Lattice, Layer};

impl SceneTables for WavesScene {
    type Action = WavesAction;
    type Gauge = WavesGauge;

    const UNUSED: &'static [(&'static str, &'static str)] =
        &[("time.dt", "does not apply to waves, whose step is `physics.step`")];

    fn common_tables(&self) -> CommonTables<'_, Self> {
        let Self { title, description, seed, time, events, gauges, output, origin, .. } = self;
        CommonTables {
            title,
            description,
            seed: *seed,
            time: *time,
            events,
            gauges,
            output,
            origin,
        }
    }

    fn collect_action_places(&self, key: &str, action: &WavesAction, places: &mut Places) {
        check::collect_action_places(key, action, places);
    }

    fn check_action(&self, check: &mut Checker, key: &str, action: &WavesAction) {
        check::check_action(check, key, action, self);
    }

    fn origin_mut(&mut self) -> &mut Origin {
        &mut self.origin
    }

    fn lattice(&self) -> Option<Lattice> {
        self.square_grid().map(Lattice::from)
    }
}

impl ModelScene for WavesScene {
    type World = WavesWorld;

    const MODEL: &'static str = "waves";
    const TITLE: &'static str = "Waves";
    const ABOUT: &'static str = "Ponds and harbours that ripple";
    const TOOLS: &'static [Tool] = tools::TOOLS;

    fn settings(&self) -> Vec<Setting> {
        let mut settings = self.physics.settings("physics");
        // With dispersion, the depth determines wave speeds, so `physics.speed` has no effect.
        settings.retain(|setting| !self.physics.dispersion || setting.key != "physics.speed");
        settings.extend(self.edges.settings("edges"));
        settings.extend(self.rain.iter().flat_map(|rain| rain.settings("rain")));
        settings.extend(self.wind.iter().flat_map(|wind| wind.settings("wind")));
        settings
    }

    /// Returns the tables and keys whose values can be changed while the world runs: `rain` and
    /// `wind`, which can also be added. The second list, of exceptions, is empty.
    fn live_keys() -> (&'static [&'static str], &'static [&'static str]) {
        (&["rain", "wind"], &[])
    }
}

impl HasLayers for WavesScene {
    const LAYERS: &'static [Layer] = &headwater::waves::LAYERS;
}
