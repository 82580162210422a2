//! Implementation of [`SceneModel`] for scenes of the model `columns`. It exposes the scene tables,
//! layers and tools of the model to the code shared by all models.

use super::ColumnsAction;
use super::check;
use super::tools;
use super::{ColumnsGauge, ColumnsScene, ColumnsWorld, ColumnsWorldTable};
use crate::scene::scene_model::common_tables;
use crate::scene::{Checker, Places, SceneModel, Tool};
use headwater::columns::Wind;
use headwater::parameter::{Parameters, Setting};
use headwater::{Lattice, Layer, Region};
use std::borrow::Cow;
use std::path::PathBuf;

/// Memory (bytes) that a source, drain or heater needs for each cell of its area.
const BYTES_PER_AREA_CELL: u64 = 32;

impl SceneModel for ColumnsScene {
    type Action = ColumnsAction;
    type Gauge = ColumnsGauge;
    type World = ColumnsWorld;

    const MODEL: &'static str = "columns";
    const TITLE: &'static str = "Pools";
    const ABOUT: &'static str = "Pools in side view that swing, freeze and boil";
    const TOOLS: &'static [Tool] = tools::TOOLS;
    const LAYERS: &'static [Layer] = &headwater::columns::LAYERS;
    const UNSUPPORTED_KEYS: &'static [(&'static str, &'static str)] = &[
        ("time.dt", "does not apply to columns, whose step is `physics.step`"),
        ("output.mesh", "does not apply to the model columns"),
    ];
    const LIVE_KEYS: &'static [&'static str] = &["source[].rate", "drain[].rate", "heater[].power"];

    common_tables!();

    fn collect_places(&self, places: &mut Places) {
        check::collect_places(self, places);
    }

    fn object_regions(&self, lattice: &Lattice) -> Vec<(Region, u64)> {
        let exchanges = self.sources.iter().chain(&self.drains).map(|entry| &entry.extra);
        let extents = exchanges.chain(self.heaters.iter().map(|heater| &heater.extra));
        extents.map(|extent| (extent.region(lattice), BYTES_PER_AREA_CELL)).collect()
    }

    fn check_values(&self, check: &mut Checker) {
        check.check_style(&self.picture.validate());
        check::check_values(check, self);
    }

    fn collect_action_places(&self, key: &str, action: &ColumnsAction, places: &mut Places) {
        check::collect_action_places(key, action, places);
    }

    fn check_action(&self, check: &mut Checker, key: &str, action: &ColumnsAction) {
        check::check_action(check, key, action, self);
    }

    fn check_action_against_lattice(
        &self,
        check: &mut Checker,
        key: &str,
        action: &ColumnsAction,
        lattice: &Lattice,
    ) {
        check::check_action_against_lattice(check, key, action, lattice);
    }

    fn files_mut(&mut self) -> Vec<(Cow<'static, str>, &mut PathBuf)> {
        let ColumnsWorldTable { file, blocks, .. } = &mut self.world;
        let blocks = blocks.as_mut().and_then(|blocks| blocks.file.as_mut());
        let files = [("world.file", file.as_mut()), ("world.blocks.file", blocks)];
        files.into_iter().filter_map(|(key, file)| Some((key.into(), file?))).collect()
    }

    fn lattice(&self) -> Option<Lattice> {
        let (nx, ny) = self.world.size()?;
        self.lattice_with_size(nx, ny)
    }

    fn cell_bytes(&self) -> u64 {
        // Measured on 4 million cells. The picture uses most of this memory.
        350
    }

    fn settings(&self) -> Vec<Setting> {
        let mut all = self.physics.keys.settings("physics");
        let mut weather = (*self.weather).clone();
        if let Some(heat) = self.params().heat {
            all.extend(heat.settings("physics.heat"));
            weather.air.get_or_insert(heat.air.into());
        }
        all.extend(weather.settings("weather"));
        let calm = Wind { acceleration: 0.0.into(), ..Wind::default() };
        let wind = self.wind.as_ref().map_or(&calm, |wind| wind);
        let mut wind = wind.settings("wind");
        // Without `[wind]`, only the strength of the wind is offered. Setting it creates the wind.
        wind.truncate(if self.wind.is_some() { wind.len() } else { 1 });
        all.extend(wind);
        all
    }
}
