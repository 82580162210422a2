//! Runs of scenes of the model `flow`.

use super::gauges::Gauges;
use super::layers;
use super::view::with_view;
use super::{BodyKind, FlowScene, FlowWorld};
use crate::hydrology::relief;
use crate::live;
use crate::picture::{Painter, write_png};
use crate::run;
use crate::run::Simulation;
#[cfg(feature = "gpu")]
use crate::run::Stepper;
use crate::run::Stepping;
use crate::run::outcome::{Acted, Grid, ModelError, Written, of_model};
use crate::run::summary::{LedgerSummary, lattice_name};
use crate::run::{World, WorldMut};
use crate::scene::{SceneError, Tables};
use headwater::flow::{Flow, Settled, Snapshot};
use image::RgbImage;
use serde_json::{Value, json};
use std::any::Any;
use std::path::Path;

/// A world of flow being run.
pub(crate) struct FlowRun {
    scene: FlowScene,
    world: FlowWorld,
    gauges: Gauges,
    painter: Option<Painter>,
    /// What came of settling, once that is over.
    settled: Option<Settled>,
    stepping: Stepping<Flow>,
}

impl FlowRun {
    pub(crate) fn new(scene: &FlowScene) -> Result<Self, SceneError> {
        let world = FlowWorld::build(scene)?;
        let gauges = Gauges::new(scene, world.flow.lattice());
        Ok(Self {
            scene: scene.clone(),
            world,
            gauges,
            painter: None,
            settled: None,
            stepping: Stepping::on_host(),
        })
    }

    /// How long a particle lasts (s), to fade it.
    fn lifetime(&self) -> f64 {
        self.scene.particles.as_ref().map_or(1.0, |particles| particles.keys.lifetime)
    }

    fn new_painter(&self) -> Result<Painter, SceneError> {
        let style = self.scene.picture.clone();
        with_view(&self.world, self.lifetime(), |view| Painter::new(style, view)).map_err(|error| {
            self.scene.error(&format!("picture.{}", error.what), error.to_string())
        })
    }
}

impl Simulation for FlowRun {
    fn grid(&self) -> Grid {
        let lattice = self.world.flow.lattice();
        let (nx, ny) = (lattice.nx(), lattice.ny());
        Grid { lattice: lattice_name(lattice).into(), nx, ny }
    }

    fn time(&self) -> f64 {
        self.stepping.progress().map_or(self.world.flow.time(), |(time, _)| time)
    }

    fn steps(&self) -> u64 {
        self.stepping.progress().map_or(self.world.flow.steps(), |(_, steps)| steps)
    }

    fn step_length(&self) -> f64 {
        self.world.flow.stable_dt()
    }

    fn prepare_step(&mut self) -> Result<bool, ModelError> {
        let Some(wished) = self.scene.settle.as_ref().filter(|_| self.settled.is_none()) else {
            return Ok(false);
        };
        self.stepping.invalidate();
        let flow = &mut self.world.flow;
        if flow.settling().is_none() {
            flow.begin_settling(**wished)?;
        }
        self.settled = flow.settle_step();
        Ok(true)
    }

    fn is_at(&self, stop: f64) -> bool {
        self.time() >= stop
    }

    fn steps_toward(&mut self, stop: f64, most: u64) -> Result<bool, ModelError> {
        if let Some(stepped) = self.stepping.step_toward(&mut self.world.flow, stop, most) {
            return stepped;
        }
        Ok(self.world.flow.steps_toward(stop, most as usize)? > 0)
    }

    #[cfg(feature = "gpu")]
    fn stepper(&mut self) -> Option<Box<dyn Stepper + '_>> {
        Some(self.stepping.with(&mut self.world.flow))
    }

    fn act(&mut self, event: usize) -> Result<(), ModelError> {
        self.stepping.invalidate();
        Ok(self.world.act(&self.scene.events[event].action)?)
    }

    fn act_on_device(&mut self, alone: &dyn Any) -> Result<Acted, ModelError> {
        let Some(scene) = alone.downcast_ref::<FlowScene>() else { return Ok(Acted::NotOnDevice) };
        let ([event], true) = (scene.events.as_slice(), self.stepping.is_on_device()) else {
            return Ok(Acted::NotOnDevice);
        };
        let Some(stroke) = self.world.only_stroke(&event.action) else {
            return Ok(Acted::NotOnDevice);
        };
        self.world.act(&event.action)?;
        Ok(self.stepping.edit(&stroke))
    }

    fn is_sound(&self) -> bool {
        self.world.flow.volume().is_finite()
    }

    fn measure(&self, gauge: usize) -> Vec<f64> {
        self.gauges.measure(gauge, &self.world)
    }

    fn gauge_heads(&self, gauge: usize) -> &'static [&'static str] {
        self.gauges.heads(gauge)
    }

    fn fix_scales(&mut self) -> Result<(), SceneError> {
        self.painter = Some(self.new_painter()?);
        Ok(())
    }

    fn paint(&mut self) -> Result<RgbImage, SceneError> {
        let lifetime = self.lifetime();
        let mut painter = match self.painter.take() {
            Some(painter) => painter,
            None => self.new_painter()?,
        };
        let picture = with_view(&self.world, lifetime, |view| painter.paint(view));
        self.painter = Some(painter);
        Ok(picture)
    }

    fn write(&self, folder: &Path) -> Result<Written, String> {
        let (world, output) = (&self.world, &self.scene.output);
        let mut written = Written::default();
        for &layer in &output.layers {
            let format = output.layer_format;
            written.layers.push(layers::write_layer(world, layer, format, folder)?);
        }
        if let Some(fast) = output.flow_map {
            written.layers.push(layers::write_flow_map(world, fast, folder)?);
        }
        if let Some(carved) = &world.carved {
            let path = folder.join(run::CARVED);
            let picture = relief(&carved.land, world.terrain.datum, &self.scene.picture)
                .map_err(|error| error.to_string())?;
            write_png(&path, &picture).map_err(|error| error.to_string())?;
            written.pictures.push(path);
        }
        if let Some(format) = output.mesh {
            let mesh = layers::write_mesh(world, format, folder);
            written.meshes.push(mesh.map_err(|error| error.to_string())?);
        }
        Ok(written)
    }

    fn snapshot(&self) -> Result<Vec<u8>, String> {
        let state = (self.world.flow.snapshot(), self.settled, &self.world.body_kinds);
        postcard::to_stdvec(&state).map_err(|error| error.to_string())
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        self.stepping.invalidate();
        let read = postcard::from_bytes::<(Snapshot, Option<Settled>, Vec<BodyKind>)>(state);
        let (snapshot, settled, body_kinds) =
            read.map_err(|error| format!("is damaged: {error}"))?;
        let flow = Flow::restore(snapshot).map_err(|error| error.to_string())?;
        if flow.lattice() != self.world.flow.lattice() {
            return Err("is not of this scene".into());
        }
        if flow.bodies().len() != body_kinds.len() {
            return Err("has bodies of no kind".into());
        }
        self.world.flow = flow;
        self.world.body_kinds = body_kinds;
        self.settled = settled;
        Ok(())
    }

    fn state_hash(&self) -> u64 {
        self.world.flow.state_hash()
    }

    fn ledger(&self) -> LedgerSummary {
        LedgerSummary::of(&self.world.flow.balance())
    }

    fn settling(&self) -> Option<Settled> {
        self.world.flow.settling().or(self.settled)
    }

    fn notices(&self) -> Vec<String> {
        let mut notices = self.world.terrain.notices.clone();
        if let Some(Settled { residual, seconds, .. }) = self.settled.filter(|s| !s.reached) {
            notices.push(format!(
                "the world did not settle within {seconds:.0} s: its surface still changes by \
                 {residual:.1e} m/s"
            ));
        }
        notices
    }

    fn figures(&self) -> Vec<(&'static str, Value)> {
        let FlowScene { sources, drains, boundaries, obstacles, .. } = &self.scene;
        let FlowWorld { flow, terrain, .. } = &self.world;
        let lattice = flow.lattice();
        let (low, high) = flow.state().bed.min_max().unwrap_or_default();
        let height = |bed: f32| json!(f64::from(bed) + terrain.datum);
        vec![
            ("cell_metres", json!([lattice.dx(), lattice.dy()])),
            ("lowest_ground_metres", height(low)),
            ("highest_ground_metres", height(high)),
            ("water_cubic_metres", json!(flow.volume())),
            ("sources", json!(sources.len())),
            ("drains", json!(drains.len())),
            ("boundaries", json!(boundaries.len())),
            ("obstacles", json!(obstacles.len())),
        ]
    }

    fn knows_devices(&self) -> bool {
        true
    }

    fn lattice(&self) -> headwater::Lattice {
        *self.world.flow.lattice()
    }

    fn probe(&self, at: headwater::Point) -> Vec<live::Value> {
        super::probe::probe(&self.world, at)
    }

    fn world(&self) -> World<'_> {
        World::of(&self.world)
    }

    fn world_mut(&mut self) -> WorldMut<'_> {
        self.stepping.invalidate();
        WorldMut::of(&mut self.world)
    }

    fn act_alone(&mut self, alone: &dyn Any) -> Result<(), ModelError> {
        let scene = of_model::<FlowScene>(alone)?;
        self.stepping.invalidate();
        scene.events.iter().try_for_each(|event| self.world.act(&event.action))?;
        Ok(())
    }

    fn retune(&mut self, scene: &dyn Any) -> Result<(), ModelError> {
        let new = of_model(scene)?;
        self.stepping.invalidate();
        super::tools::tune(&mut self.world, &self.scene, new)?;
        Ok(())
    }

    fn follow(&mut self, scene: &dyn Any) -> Result<(), ModelError> {
        let scene = of_model::<FlowScene>(scene)?;
        self.gauges = Gauges::new(scene, self.world.flow.lattice());
        self.scene = scene.clone();
        Ok(())
    }
}
