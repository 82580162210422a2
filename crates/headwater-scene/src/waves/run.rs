//! Runs of scenes of the model `waves`.

use super::layers;
use super::{WavesGauge, WavesMeasure, WavesScene, WavesWorld};
use crate::flow::BodyKind;
use crate::live;
use crate::picture::{PoolPainter, PoolView};
use crate::run::Simulation;
#[cfg(feature = "gpu")]
use crate::run::Stepper;
use crate::run::Stepping;
use crate::run::fixed_steps::steps_to;
use crate::run::outcome::{Acted, Grid, ModelError, Written, of_model};
use crate::run::summary::LedgerSummary;
use crate::run::{World, WorldMut};
use crate::scene::{SceneError, Tables, resolve};
use headwater::waves::{Snapshot, Waves};
use headwater::{Field, Lattice};
use image::RgbImage;
use serde_json::{Value, json};
use std::any::Any;
use std::path::Path;

/// A rippling surface being run.
pub(crate) struct WavesRun {
    scene: WavesScene,
    world: WavesWorld,
    painter: Option<PoolPainter>,
    stepping: Stepping<Waves>,
}

impl WavesRun {
    pub(crate) fn new(scene: &WavesScene) -> Result<Self, SceneError> {
        Ok(Self {
            scene: scene.clone(),
            world: WavesWorld::build(scene)?,
            painter: None,
            stepping: Stepping::on_host(),
        })
    }

    fn new_painter(&self) -> Result<PoolPainter, SceneError> {
        let style = self.scene.picture.clone();
        PoolPainter::new(style, &PoolView::of(&self.world.waves, &[])).map_err(|error| {
            self.scene.error(&format!("picture.{}", error.what), error.to_string())
        })
    }
}

impl Simulation for WavesRun {
    fn grid(&self) -> Grid {
        let lattice = self.world.waves.lattice();
        Grid { lattice: "square".into(), nx: lattice.nx(), ny: lattice.ny() }
    }

    fn time(&self) -> f64 {
        self.stepping.progress().map_or(self.world.waves.time(), |(time, _)| time)
    }

    fn steps(&self) -> u64 {
        self.stepping.progress().map_or(self.world.waves.steps(), |(_, steps)| steps)
    }

    fn step_length(&self) -> f64 {
        self.world.waves.params().step
    }

    fn is_at(&self, stop: f64) -> bool {
        steps_to(self.steps(), self.step_length(), stop, 1) == 0
    }

    fn steps_toward(&mut self, stop: f64, most: u64) -> Result<bool, ModelError> {
        if let Some(stepped) = self.stepping.step_toward(&mut self.world.waves, stop, most) {
            return stepped;
        }
        let waves = &self.world.waves;
        let count = steps_to(waves.steps(), waves.params().step, stop, most);
        if count > 0 {
            self.world.step_many(count)?;
        }
        Ok(count > 0)
    }

    #[cfg(feature = "gpu")]
    fn stepper(&mut self) -> Option<Box<dyn Stepper + '_>> {
        Some(self.stepping.with(&mut self.world.waves))
    }

    fn host_only(&self) -> Option<&'static str> {
        self.world.steers().then_some("waves with bodies that go along paths run on the CPU alone")
    }

    fn act(&mut self, event: usize) -> Result<(), ModelError> {
        self.stepping.invalidate();
        Ok(self.world.act(&self.scene.events[event].action)?)
    }

    fn act_on_device(&mut self, alone: &dyn Any) -> Result<Acted, ModelError> {
        let Some(scene) = alone.downcast_ref::<WavesScene>() else { return Ok(Acted::NotOnDevice) };
        let ([event], true) = (scene.events.as_slice(), self.stepping.is_on_device()) else {
            return Ok(Acted::NotOnDevice);
        };
        let Some(disturbance) = self.world.disturbance(&event.action) else {
            return Ok(Acted::NotOnDevice);
        };
        self.world.act(&event.action)?;
        Ok(self.stepping.edit(&disturbance))
    }

    fn is_sound(&self) -> bool {
        self.world.waves.volume().is_finite()
    }

    fn measure(&self, gauge: usize) -> Vec<f64> {
        let waves = &self.world.waves;
        match self.scene.gauges.get(gauge) {
            Some(WavesGauge { at: Some(at), .. }) => {
                let at = resolve(*at, &Lattice::from(*waves.lattice()));
                vec![waves.surface_at(at).map_or(f64::NAN, f64::from)]
            }
            Some(WavesGauge { measure: Some(WavesMeasure::Energy), .. }) => {
                let energy = waves.energy();
                vec![energy.kinetic, energy.potential]
            }
            Some(WavesGauge { measure: Some(WavesMeasure::Level), .. }) => {
                vec![waves.mean_level()]
            }
            _ => Vec::new(),
        }
    }

    fn gauge_heads(&self, gauge: usize) -> &'static [&'static str] {
        match self.scene.gauges.get(gauge) {
            Some(WavesGauge { at: Some(_), .. }) => &["height_m"],
            Some(WavesGauge { measure: Some(WavesMeasure::Energy), .. }) => {
                &["kinetic_m5_per_s2", "potential_m5_per_s2"]
            }
            Some(WavesGauge { measure: Some(WavesMeasure::Level), .. }) => &["mean_level_m"],
            _ => &[],
        }
    }

    fn fix_scales(&mut self) -> Result<(), SceneError> {
        self.painter = Some(self.new_painter()?);
        Ok(())
    }

    fn paint(&mut self) -> Result<RgbImage, SceneError> {
        let mut painter = match self.painter.take() {
            Some(painter) => painter,
            None => self.new_painter()?,
        };
        let floats = self.world.floats();
        let picture = painter.paint(&PoolView::of(&self.world.waves, &floats));
        self.painter = Some(painter);
        Ok(picture)
    }

    fn write(&self, folder: &Path) -> Result<Written, String> {
        let (waves, output) = (&self.world.waves, &self.scene.output);
        let mut written = Written::default();
        for &layer in &output.layers {
            let format = output.layer_format;
            written.layers.push(layers::write_layer(waves, layer, format, folder)?);
        }
        if let Some(format) = output.mesh {
            let mesh = layers::write_mesh(waves, format, folder);
            written.meshes.push(mesh.map_err(|error| error.to_string())?);
        }
        Ok(written)
    }

    fn snapshot(&self) -> Result<Vec<u8>, String> {
        let state = (self.world.waves.snapshot(), &self.world.added);
        postcard::to_stdvec(&state).map_err(|error| error.to_string())
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        self.stepping.invalidate();
        let read = postcard::from_bytes::<(Snapshot, Vec<BodyKind>)>(state);
        let (snapshot, added) = read.map_err(|error| format!("is damaged: {error}"))?;
        let waves = Waves::restore(snapshot).map_err(|error| error.to_string())?;
        let params = |waves: &Waves| (waves.params().step, waves.params().edges);
        if waves.lattice() != self.world.waves.lattice()
            || params(&waves) != params(&self.world.waves)
            || waves.bodies().len() != self.scene.bodies.len() + added.len()
        {
            return Err("is not of this scene".into());
        }
        self.world.waves = waves;
        self.world.added = added;
        Ok(())
    }

    fn state_hash(&self) -> u64 {
        self.world.waves.state_hash()
    }

    fn ledger(&self) -> LedgerSummary {
        LedgerSummary::of(&self.world.waves.balance())
    }

    fn notices(&self) -> Vec<String> {
        Vec::new()
    }

    fn figures(&self) -> Vec<(&'static str, Value)> {
        let WavesScene { physics, land: _, bodies, makers, .. } = &self.scene;
        let waves = &self.world.waves;
        let (low, high) = waves.state().height.min_max().unwrap_or_default();
        let land = |land: &Field<bool>| land.as_slice().iter().filter(|&&land| land).count();
        vec![
            ("cell_metres", json!(waves.lattice().dx())),
            ("wave_speed_metres_per_second", json!(waves.params().long_wave_speed())),
            (
                "largest_speed_metres_per_second",
                json!(waves.params().largest_speed(waves.lattice())),
            ),
            ("depth_metres", json!(physics.depth)),
            ("land_cells", json!(waves.land().map_or(0, land))),
            ("lowest_metres", json!(low)),
            ("highest_metres", json!(high)),
            ("bodies", json!(bodies.len())),
            ("makers", json!(makers.len())),
        ]
    }

    fn knows_devices(&self) -> bool {
        true
    }

    fn lattice(&self) -> headwater::Lattice {
        headwater::Lattice::from(*self.world.waves.lattice())
    }

    fn probe(&self, at: headwater::Point) -> Vec<live::Value> {
        super::probe::probe(&self.world.waves, at)
    }

    fn world(&self) -> World<'_> {
        World::of(&self.world)
    }

    fn world_mut(&mut self) -> WorldMut<'_> {
        self.stepping.invalidate();
        WorldMut::of(&mut self.world)
    }

    fn act_alone(&mut self, alone: &dyn Any) -> Result<(), ModelError> {
        let scene = of_model::<WavesScene>(alone)?;
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
        let scene = of_model::<WavesScene>(scene)?;
        self.scene = scene.clone();
        Ok(())
    }
}
