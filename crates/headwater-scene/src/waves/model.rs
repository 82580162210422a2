//! Implementation of [`SceneModel`] for scenes of the model `waves`. It exposes the scene tables,
//! layers and tools of the model to the code shared by all models.

use super::WavesAction;
use super::check;
use super::tools;
use super::{WavesGauge, WavesScene, WavesWorld};
use crate::scene::scene_model::common_tables;
use crate::scene::{Checker, Places, SceneModel, Tool};
use headwater::parameter::{Parameters, Setting};
use headwater::{Lattice, Layer};

impl SceneModel for WavesScene {
    type Action = WavesAction;
    type Gauge = WavesGauge;
    type World = WavesWorld;

    const MODEL: &'static str = "waves";
    const TITLE: &'static str = "Waves";
    const ABOUT: &'static str = "Ponds and harbours that ripple";
    const TOOLS: &'static [Tool] = tools::TOOLS;
    const LAYERS: &'static [Layer] = &headwater::waves::LAYERS;
    const UNSUPPORTED_KEYS: &'static [(&'static str, &'static str)] =
        &[("time.dt", "does not apply to waves, whose step is `physics.step`")];
    const LIVE_KEYS: &'static [&'static str] = &["rain", "wind"];

    common_tables!();

    fn collect_places(&self, places: &mut Places) {
        check::collect_places(self, places);
    }

    fn check_values(&self, check: &mut Checker) {
        check.check_style(&self.picture.validate());
        check::check_values(check, self);
    }

    fn check_against_lattice(&self, check: &mut Checker, lattice: &Lattice) {
        check::check_against_lattice(check, self, lattice);
    }

    fn collect_action_places(&self, key: &str, action: &WavesAction, places: &mut Places) {
        check::collect_action_places(key, action, places);
    }

    fn check_action(&self, check: &mut Checker, key: &str, action: &WavesAction) {
        check::check_action(check, key, action, self);
    }

    fn lattice(&self) -> Option<Lattice> {
        self.square_grid().map(Lattice::from)
    }

    fn settings(&self) -> Vec<Setting> {
        let mut settings = self.physics.settings("physics");
        // With dispersion, the depth determines wave speeds, so `physics.speed` has no effect.
        settings.retain(|setting| !self.physics.dispersion || setting.key != "physics.speed");
        settings.extend(self.edges.settings("edges"));
        settings.extend(self.rain.iter().flat_map(|rain| rain.settings("rain")));
        settings.extend(self.wind.iter().flat_map(|wind| wind.settings("wind")));
        settings
    }
}
