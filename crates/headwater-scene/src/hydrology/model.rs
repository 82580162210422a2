//! Implementation of [`SceneModel`] for scenes of the model `hydrology`. It exposes the scene
//! tables, layers and tools of the model to the code shared by all models.

use super::check;
use super::tools;
use super::{HydrologyAction, HydrologyGauge, HydrologyScene, HydrologyWorld};
use crate::scene::clock::Clock;
use crate::scene::scene_model::common_tables;
use crate::scene::site::HasGround;
use crate::scene::{Checker, Places, SceneModel, Tool};
use crate::terrain::{Grid, Ground};
use headwater::hydrology::{LAYERS, Params};
use headwater::parameter::{Parameters, Setting};
use headwater::{Lattice, Layer};
use std::borrow::Cow;
use std::path::PathBuf;

impl HasGround for HydrologyScene {
    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn ground(&self) -> &Ground {
        &self.terrain
    }
}

impl SceneModel for HydrologyScene {
    type Action = HydrologyAction;
    type Gauge = HydrologyGauge;
    type World = HydrologyWorld;

    const MODEL: &'static str = "hydrology";
    const TITLE: &'static str = "Land";
    const ABOUT: &'static str = "Land that rivers, lakes and forests carve";
    const TOOLS: &'static [Tool] = tools::TOOLS;
    const LAYERS: &'static [Layer] = &LAYERS;
    const CLOCK: &'static Clock = &Clock::RAIN;
    const UNSUPPORTED_KEYS: &'static [(&'static str, &'static str)] =
        &[("time.dt", "does not apply to hydrology, whose steps are batches of drops")];
    const LIVE_KEYS: &'static [&'static str] = tools::LIVE_TABLES;

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

    fn collect_action_places(&self, key: &str, action: &HydrologyAction, places: &mut Places) {
        check::collect_action_places(key, action, places);
    }

    fn check_action(&self, check: &mut Checker, key: &str, action: &HydrologyAction) {
        check::check_action(check, key, action, self);
    }

    fn files_mut(&mut self) -> Vec<(Cow<'static, str>, &mut PathBuf)> {
        let files = [
            ("terrain.file", self.terrain.file.as_mut()),
            ("rain.map", self.rain.map.as_mut()),
            ("uplift.map", self.uplift.map.as_mut()),
        ];
        files.into_iter().filter_map(|(key, file)| Some((key.into(), file?))).collect()
    }

    fn lattice(&self) -> Option<Lattice> {
        self.lattice()
    }

    fn cell_bytes(&self) -> u64 {
        // Bytes per cell, measured on 4 million cells.
        450
    }

    fn settings(&self) -> Vec<Setting> {
        let Params { edges, stream_power, strata, .. } = &self.hydrology;
        let mut settings = self.hydrology.settings("hydrology");
        settings.extend(edges.settings("hydrology.edges"));
        settings.extend(stream_power.settings("hydrology.stream_power"));
        settings.extend(strata.iter().flat_map(|strata| strata.settings("hydrology.strata")));
        settings
    }
}
