//! Runs of scenes of the model `hydrology`. Time is the rain that has fallen (drops per cell).

use super::gauges;
use super::layers;
use super::view::Sheet;
use super::{HydrologyScene, HydrologyWorld};
use crate::live;
use crate::parallel::*;
use crate::run::Simulation;
use crate::run::outcome::{Grid, ModelError, Written, of_model};
use crate::run::summary::LedgerSummary;
use crate::run::{World, WorldMut};
use crate::scene::{SceneError, Tables as _};
use headwater::hydrology::{Hydrology, Snapshot};
use image::RgbImage;
use serde_json::{Value, json};
use std::any::Any;
use std::path::Path;

/// Lands being carved.
pub(crate) struct HydrologyRun {
    scene: HydrologyScene,
    world: HydrologyWorld,
    /// The rain (drops per cell) at which winds are asked anew where it falls.
    renewed: f64,
    sheet: Option<Sheet>,
}

impl HydrologyRun {
    pub(crate) fn new(scene: &HydrologyScene) -> Result<Self, SceneError> {
        let world = HydrologyWorld::build(scene)?;
        Ok(Self { scene: scene.clone(), world, renewed: scene.rain.every(), sheet: None })
    }

    fn new_sheet(&self) -> Result<Sheet, SceneError> {
        Sheet::new(&self.scene, &self.world).map_err(|error| {
            self.scene.error(&format!("picture.{}", error.what), error.to_string())
        })
    }

    /// All lands have as much rain: what a batch is depends on the grid and the rivers alone.
    fn rain(&self) -> f64 {
        self.world.land().time()
    }
}

impl Simulation for HydrologyRun {
    fn grid(&self) -> Grid {
        let lattice = self.world.land().lattice();
        Grid { lattice: "square".into(), nx: lattice.nx(), ny: lattice.ny() }
    }

    fn time(&self) -> f64 {
        self.rain()
    }

    fn steps(&self) -> u64 {
        self.world.land().steps()
    }

    fn step_length(&self) -> f64 {
        self.world.land().next_rain()
    }

    fn is_at(&self, stop: f64) -> bool {
        self.rain() >= stop
    }

    fn steps_toward(&mut self, stop: f64, _: u64) -> Result<bool, ModelError> {
        if self.is_at(stop) {
            return Ok(false);
        }
        let winds = &self.scene.rain.winds;
        if !winds.is_empty() && self.rain() >= self.renewed {
            self.world.ways.iter_mut().try_for_each(|way| way.land.set_winds(winds))?;
            self.renewed = self.rain() + self.scene.rain.every();
        }
        self.world.ways.par_iter_mut().for_each(|way| way.land.step());
        Ok(true)
    }

    fn act(&mut self, event: usize) -> Result<(), ModelError> {
        Ok(self.world.act(&self.scene.events[event].action)?)
    }

    fn measure(&self, gauge: usize) -> Vec<f64> {
        let gauge = self.scene.gauges.get(gauge);
        gauge.map_or_else(Vec::new, |gauge| gauges::measure(gauge, &self.world))
    }

    fn gauge_heads(&self, gauge: usize) -> &'static [&'static str] {
        self.scene.gauges.get(gauge).map_or(&[], gauges::heads)
    }

    fn fix_scales(&mut self) -> Result<(), SceneError> {
        self.sheet = Some(self.new_sheet()?);
        Ok(())
    }

    fn paint(&mut self) -> Result<RgbImage, SceneError> {
        let mut sheet = match self.sheet.take() {
            Some(sheet) => sheet,
            None => self.new_sheet()?,
        };
        let picture = sheet.paint(&self.world);
        self.sheet = Some(sheet);
        Ok(picture)
    }

    fn write(&self, folder: &Path) -> Result<Written, String> {
        let (land, output) = (self.world.land(), &self.scene.output);
        let mut written = Written::default();
        for &layer in &output.layers {
            written.layers.push(layers::write_layer(land, layer, output.layer_format, folder)?);
        }
        if let Some(format) = output.mesh {
            let mesh = layers::write_mesh(land, format, folder);
            written.meshes.push(mesh.map_err(|error| error.to_string())?);
        }
        Ok(written)
    }

    fn snapshot(&self) -> Result<Vec<u8>, String> {
        let lands: Vec<Snapshot> = self.world.ways.iter().map(|way| way.land.snapshot()).collect();
        postcard::to_stdvec(&(lands, self.renewed)).map_err(|error| error.to_string())
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        let read = postcard::from_bytes::<(Vec<Snapshot>, f64)>(state);
        let (lands, renewed) = read.map_err(|error| format!("is damaged: {error}"))?;
        let lands: Vec<Hydrology> = lands
            .into_iter()
            .map(|land| Hydrology::restore(land).map_err(|error| error.to_string()))
            .collect::<Result<_, _>>()?;
        let ways = &mut self.world.ways;
        // Other parameters may have changed since the start.
        let same = |(way, land): (&super::HydrologyWay, &Hydrology)| {
            let (now, params) = (way.land.params(), land.params());
            way.land.lattice() == land.lattice()
                && (now.seed, now.edges) == (params.seed, params.edges)
                && now.plants.len() == params.plants.len()
        };
        if ways.len() != lands.len() || !ways.iter().zip(&lands).all(same) {
            return Err("is not of this scene".into());
        }
        for (way, land) in ways.iter_mut().zip(lands) {
            way.land = land;
        }
        self.renewed = renewed;
        Ok(())
    }

    /// Of all lands together.
    fn state_hash(&self) -> u64 {
        // FNV-1a over the lands' hashes; of one land, its own.
        let mut hashes = self.world.ways.iter().map(|way| way.land.state_hash());
        let first = hashes.next().unwrap_or(0);
        hashes.fold(first, |all, hash| (all ^ hash).wrapping_mul(0x0100_0000_01b3))
    }

    /// Water and sediment of the last way.
    fn ledger(&self) -> LedgerSummary {
        LedgerSummary::of_land(self.world.land())
    }

    fn notices(&self) -> Vec<String> {
        self.world.notices.clone()
    }

    fn figures(&self) -> Vec<(&'static str, Value)> {
        let land = self.world.land();
        let bed = land.layer("bed").and_then(|bed| bed.min_max()).unwrap_or_default();
        let report = land.report();
        vec![
            ("cell_metres", json!(land.lattice().dx())),
            ("lowest_ground_metres", json!(bed.0)),
            ("highest_ground_metres", json!(bed.1)),
            ("ways", json!(self.world.ways.len())),
            ("kinds_of_plants", json!(land.params().plants.len())),
            ("inflows", json!(self.scene.inflows.len())),
            ("suspended_cubic_metres", json!(land.suspended() as f64 * land.quantum())),
            ("concavity", json!(report.concavity)),
            ("dry_depressions", json!(report.dry_depressions)),
        ]
    }

    fn lattice(&self) -> headwater::Lattice {
        headwater::Lattice::from(*self.world.land().lattice())
    }

    fn probe(&self, at: headwater::Point) -> Vec<live::Value> {
        super::probe::probe(self.world.land(), at)
    }

    fn world(&self) -> World<'_> {
        World::of(&self.world)
    }

    fn world_mut(&mut self) -> WorldMut<'_> {
        WorldMut::of(&mut self.world)
    }

    fn act_alone(&mut self, alone: &dyn Any) -> Result<(), ModelError> {
        let scene = of_model::<HydrologyScene>(alone)?;
        scene.events.iter().try_for_each(|event| self.world.act(&event.action))?;
        Ok(())
    }

    fn retune(&mut self, scene: &dyn Any) -> Result<(), ModelError> {
        let new = of_model(scene)?;
        super::tools::tune(&mut self.world, &self.scene, new)?;
        Ok(())
    }

    fn follow(&mut self, scene: &dyn Any) -> Result<(), ModelError> {
        let scene = of_model::<HydrologyScene>(scene)?;
        if self.scene.rain != scene.rain {
            self.renewed = self.rain();
        }
        self.scene = scene.clone();
        Ok(())
    }
}
