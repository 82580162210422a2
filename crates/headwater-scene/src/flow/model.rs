//! Implementation of [`SceneModel`] for scenes of the model `flow`.

use super::Action;
#[cfg(feature = "gpu")]
use super::capabilities;
use super::check::{self, event};
#[cfg(not(target_family = "wasm"))]
use super::distributed;
use super::tools;
use super::{FlowScene, FlowWorld, Gauge};
#[cfg(not(target_family = "wasm"))]
use crate::run::{Executor, Input, MemoryLimit, RankWorld, Ranks};
use crate::scene::scene_model::common_tables;
use crate::scene::site::HasGround;
use crate::scene::{Checker, Places, SceneError, SceneModel, Tool};
use crate::terrain::{Grid, Ground};
use headwater::parameter::{Parameters, Setting};
use headwater::{Lattice, Layer, Region};
use std::borrow::Cow;
use std::path::PathBuf;

impl HasGround for FlowScene {
    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn ground(&self) -> &Ground {
        &self.terrain
    }
}

/// Memory (bytes) that a source or another object needs for each cell of its area, measured with
/// sources.
const BYTES_PER_AREA_CELL: u64 = 32;
/// Memory (bytes) that a floating body needs for each cell that it covers, measured.
const BODY_CELL_BYTES: u64 = 100;

impl SceneModel for FlowScene {
    type Action = Action;
    type Gauge = Gauge;
    type World = FlowWorld;

    const MODEL: &'static str = "flow";
    const TITLE: &'static str = "Flow";
    const ABOUT: &'static str = "Rivers, lakes and floods over terrain";
    const TOOLS: &'static [Tool] = tools::TOOLS;
    const LAYERS: &'static [Layer] = &headwater::flow::LAYERS;
    const LIVE_KEYS: &'static [&'static str] = tools::LIVE_TABLES;
    const FIXED_KEYS: &'static [&'static str] = tools::FIXED_KEYS;

    common_tables!();

    fn collect_places(&self, places: &mut Places) {
        check::collect_places(self, places);
    }

    fn object_regions(&self, lattice: &Lattice) -> Vec<(Region, u64)> {
        let sources = self.sources.iter().chain(&self.drains);
        let mut regions: Vec<_> = sources.map(|source| source.region(lattice)).collect();
        regions.extend(self.structures().iter().flat_map(|keys| keys.mouth_regions(lattice)));
        let emitters = self.particles.iter().flat_map(|particles| &particles.emitters);
        regions.extend(emitters.map(|area| area.region(lattice)));
        let bodies = self.bodies.iter().map(|body| (body.region(lattice), BODY_CELL_BYTES));
        regions.into_iter().map(|region| (region, BYTES_PER_AREA_CELL)).chain(bodies).collect()
    }

    fn check_values(&self, check: &mut Checker) {
        check.check_style(&self.picture.validate());
        check::check_values(check, self);
    }

    fn check_against_lattice(&self, check: &mut Checker, lattice: &Lattice) {
        check::check_against_lattice(check, self, lattice);
    }

    fn collect_action_places(&self, key: &str, action: &Action, places: &mut Places) {
        event::collect_places(key, action, places);
    }

    fn check_action(&self, check: &mut Checker, key: &str, action: &Action) {
        event::check_action(check, key, action);
    }

    fn files_mut(&mut self) -> Vec<(Cow<'static, str>, &mut PathBuf)> {
        let (rain_map, rasters) = match &mut self.rain {
            Some(rain) => (rain.extra.map.as_mut(), &mut rain.extra.rasters[..]),
            None => (None, &mut [][..]),
        };
        let files = [
            ("terrain.file", self.terrain.file.as_mut()),
            ("rain.map", rain_map),
            ("physics.manning_map", self.physics.extra.manning_map.as_mut()),
            ("water.depth_map", self.water.depth_map.as_mut()),
            ("water.level_map", self.water.level_map.as_mut()),
        ];
        let mut files: Vec<_> =
            files.into_iter().filter_map(|(key, file)| Some((key.into(), file?))).collect();
        let motion = [
            ("water.velocity_map", self.water.velocity_map.as_mut()),
            ("water.discharge_map", self.water.discharge_map.as_mut()),
        ];
        for (key, both) in motion {
            let each = both.into_iter().flatten().enumerate();
            files.extend(each.map(|(i, file)| (format!("{key}[{i}]").into(), file)));
        }
        let rasters = rasters.iter_mut().enumerate();
        files.extend(
            rasters.map(|(i, one)| (format!("rain.raster[{i}].file").into(), &mut one.file)),
        );
        let covers = self.covers.iter_mut().enumerate();
        files.extend(covers.map(|(i, cover)| (format!("cover[{i}].file").into(), &mut cover.file)));
        files
    }

    fn lattice(&self) -> Option<Lattice> {
        self.lattice()
    }

    fn cell_bytes(&self) -> u64 {
        let samples = self.terrain.subgrid.map_or(0, |samples| samples * samples);
        // Measured with shallow water on 4 million cells, and with a subgrid, erosion and meshes on
        // 1 to 2 million cells.
        let extras = [
            (self.carve.is_some(), 370),
            (self.output.mesh.is_some(), 200),
            (self.flood.is_some() || self.infiltration.is_some(), 100),
        ];
        let extras = extras.into_iter().filter(|(given, _)| *given).map(|(_, bytes)| bytes);
        80 + 12 * samples as u64 + extras.sum::<u64>()
    }

    fn settings(&self) -> Vec<Setting> {
        let Self { physics, rain, evaporation, infiltration, .. } = self;
        let rain = rain.as_ref().map_or_else(Default::default, |rain| rain.keys.clone());
        let evaporation = evaporation.clone().unwrap_or_default();
        let soil = infiltration.clone().unwrap_or_default();
        let mut settings = physics.keys.settings("physics");
        // The default cross-section of pipes depends on the cells and is not shown. The longest
        // step is the key `time.dt`.
        settings.retain(|one| one.key != "physics.max_dt");
        settings.retain(|one| one.key != "physics.pipe_area" || physics.keys.is_given("pipe_area"));
        settings.extend(rain.settings("rain"));
        settings.extend(evaporation.settings("evaporation"));
        // Without infiltration there is no exfiltration either.
        let soils = if infiltration.is_some() { usize::MAX } else { 1 };
        settings.extend(soil.settings("infiltration").into_iter().take(soils));
        settings
    }

    #[cfg(not(target_family = "wasm"))]
    fn build_partitioned_world(
        &self,
        ranks: &Ranks,
        limit: Option<&MemoryLimit>,
        inputs: &[Input],
    ) -> Result<Box<dyn Executor>, SceneError> {
        Ok(Box::new(distributed::DistributedRun::new(self, ranks, limit, inputs)?))
    }

    #[cfg(not(target_family = "wasm"))]
    fn build_rank_world(&self, ranks: &Ranks) -> Result<Option<Box<dyn RankWorld>>, SceneError> {
        Ok(distributed::FlowRankWorld::build(self, ranks, None)?.map(|local| Box::new(local) as _))
    }

    #[cfg(feature = "gpu")]
    fn check_gpu_support(&self) -> Result<(), SceneError> {
        capabilities::check_features(self, capabilities::Executor::Gpu)
    }
}
