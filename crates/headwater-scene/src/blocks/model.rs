//! Implementation of [`SceneModel`] for scenes of the model `blocks`. It exposes the scene tables,
//! layers and tools of the model to the code shared by all models.

use super::BlocksAction;
use super::check;
use super::tools;
use super::{BlocksGauge, BlocksScene};
use crate::scene::scene_model::common_tables;
use crate::scene::{Checker, Places, SceneModel, Tool};
use headwater::blocks::Blocks;
use headwater::parameter::{Parameters, Setting};
use headwater::{Lattice, Layer, Region};
use std::borrow::Cow;
use std::path::PathBuf;

/// Memory (bytes) that a source or drain needs for each cell of its area.
const BYTES_PER_AREA_CELL: u64 = 32;

impl SceneModel for BlocksScene {
    type Action = BlocksAction;
    type Gauge = BlocksGauge;
    type World = Blocks;

    const MODEL: &'static str = "blocks";
    const TITLE: &'static str = "Blocks";
    const ABOUT: &'static str = "Block worlds in side view, where connected vessels level";
    const TOOLS: &'static [Tool] = tools::TOOLS;
    const LAYERS: &'static [Layer] = &headwater::blocks::LAYERS;
    const LENGTH_UNIT: &'static str = " cells";
    const UNSUPPORTED_KEYS: &'static [(&'static str, &'static str)] = &[
        ("time.dt", "does not apply to blocks, whose steps are `physics.tick` long"),
        ("output.mesh", "does not apply to the model blocks"),
    ];

    common_tables!();

    fn collect_places(&self, places: &mut Places) {
        check::collect_places(self, places);
    }

    fn object_regions(&self, lattice: &Lattice) -> Vec<(Region, u64)> {
        let areas = check::spring_and_drain_areas(self);
        areas.iter().map(|(_, extent)| (extent.region(lattice), BYTES_PER_AREA_CELL)).collect()
    }

    fn check_values(&self, check: &mut Checker) {
        check.check_style(&self.picture.validate());
        check::check_values(check, self);
    }

    fn check_against_lattice(&self, check: &mut Checker, lattice: &Lattice) {
        check::check_against_lattice(check, self, lattice);
    }

    fn collect_action_places(&self, key: &str, action: &BlocksAction, places: &mut Places) {
        check::collect_action_places(key, action, places);
    }

    fn check_action(&self, check: &mut Checker, key: &str, action: &BlocksAction) {
        check::check_action(check, key, action, self);
    }

    fn check_action_against_lattice(
        &self,
        check: &mut Checker,
        key: &str,
        action: &BlocksAction,
        lattice: &Lattice,
    ) {
        check::check_action_against_lattice(check, key, action, lattice);
    }

    fn files_mut(&mut self) -> Vec<(Cow<'static, str>, &mut PathBuf)> {
        self.world.file.as_mut().map(|file| ("world.file".into(), file)).into_iter().collect()
    }

    fn lattice(&self) -> Option<Lattice> {
        self.lattice()
    }

    fn settings(&self) -> Vec<Setting> {
        self.physics.settings("physics")
    }
}
