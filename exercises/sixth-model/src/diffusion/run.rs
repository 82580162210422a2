//! Runs of diffusion scenes: the world, its gauges and its images.

use super::ink::{Ink, STEP};
use super::scene::{Action, DiffusionScene, Gauge};
use headwater::{Brush, InputError, Lattice, Model};
use headwater_scene::picture::Picture;
use headwater_scene::run::{GaugeValues, ModelError, ModelWorld};
use headwater_scene::scene::{SceneError, SceneModel, resolve_position};
use serde::Serialize;
use serde_json::{Value, json};

impl ModelWorld for Ink {
    type Scene = DiffusionScene;
    type Action = Action;
    type Gauge = Gauge;
    type Painter = ();
    type State = Self;

    fn build(scene: &DiffusionScene) -> Result<Self, SceneError> {
        let lattice = scene.grid.lattice().map_err(scene.error_at("grid"))?;
        Ok(Self::new(lattice, *scene.physics))
    }

    fn model(&self) -> &dyn Model {
        self
    }

    fn model_mut(&mut self) -> &mut dyn Model {
        self
    }

    fn lattice(&self) -> Lattice {
        self.lattice.into()
    }

    fn step_length(&self) -> f64 {
        STEP
    }

    fn has_reached(&self, stop: f64, _: f64, steps: u64) -> bool {
        steps >= (stop / STEP + 1e-9).floor() as u64
    }

    fn step(&mut self, _: &DiffusionScene, _: f64, _: u64) -> Result<(), InputError> {
        self.step();
        Ok(())
    }

    fn apply_action(&mut self, action: &Action) -> Result<(), InputError> {
        let Action::Pour(pour) = action;
        let region = pour.extent.region(&self.lattice.into());
        self.edit("pour", &Brush::with_flat_falloff(region), pour.value.amount)
    }

    fn apply_settings(
        &mut self,
        _: &DiffusionScene,
        new: &DiffusionScene,
    ) -> Result<(), ModelError> {
        self.spread = *new.physics;
        Ok(())
    }

    fn measure_gauge(&self, _: &DiffusionScene, gauge: &Gauge) -> GaugeValues {
        let cell = self.lattice.cell_at(resolve_position(gauge.at, &self.lattice.into()));
        vec![("ink", cell.map_or(f64::NAN, |cell| self.ink[cell].into()))]
    }

    fn create_painter(&self, _: &DiffusionScene) -> Result<(), InputError> {
        Ok(())
    }

    fn draw_picture(&self, _: &DiffusionScene, _: &mut ()) -> Picture {
        Picture::from_fn(4 * self.ink.nx(), 4 * self.ink.ny(), |x, y| {
            let ink = self.ink[(x / 4, y / 4)].clamp(0.0, 1.0);
            [235, 240, 245].map(|paper: u8| (f32::from(paper) * (1.0 - 0.9 * ink)) as u8)
        })
    }

    fn state(&self, _: Option<&()>) -> impl Serialize {
        self
    }

    fn restore(
        &mut self,
        _: &DiffusionScene,
        state: Self,
        _: Option<&mut ()>,
    ) -> Result<(), ModelError> {
        if !state.ink.has_same_shape(&self.ink) {
            return Err("is of another grid".into());
        }
        *self = state;
        Ok(())
    }

    fn statistics(&self, _: &DiffusionScene) -> Vec<(&'static str, Value)> {
        vec![("ink", json!(self.ink.sum()))]
    }
}
