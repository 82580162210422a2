//! Execution of scenes of the model `waves`.

#[cfg(feature = "gpu")]
use super::device;
use super::values::{HEIGHT_COLUMN, surface_values};
use super::world::{scene_rain, scene_wind};
use super::{WavesAction, WavesGauge, WavesMeasure, WavesScene, WavesWorld};
use crate::mesh::MeshPart;
use crate::picture::BodyKind;
use crate::picture::{BodyKinds, Picture, PoolPainter, PoolView};
#[cfg(feature = "gpu")]
use crate::run::DeviceSupport;
use crate::run::fixed_steps::fixed_steps_until;
use crate::run::{GaugeValues, ModelError, ModelWorld, ProbeValue, category_value};
use crate::scene::{SceneError, resolve_position};
use headwater::waves::{Snapshot, Waves};
use headwater::{Field, InputError, Lattice, Model, Point};
use serde::Serialize;
use serde_json::{Value, json};

impl ModelWorld for WavesWorld {
    type Scene = WavesScene;
    type Action = WavesAction;
    type Gauge = WavesGauge;
    type Painter = PoolPainter;
    type State = (Snapshot, BodyKinds<BodyKind>);

    #[cfg(feature = "gpu")]
    const DEVICE: Option<DeviceSupport<Self>> = Some(device::SUPPORT);

    fn build(scene: &WavesScene) -> Result<Self, SceneError> {
        Self::build(scene)
    }

    fn model(&self) -> &dyn Model {
        &self.waves
    }

    fn model_mut(&mut self) -> &mut dyn Model {
        &mut self.waves
    }

    fn lattice(&self) -> Lattice {
        (*self.waves.lattice()).into()
    }

    fn step_length(&self) -> f64 {
        self.waves.params().step
    }

    fn has_reached(&self, stop: f64, _: f64, steps: u64) -> bool {
        fixed_steps_until(steps, self.step_length(), stop, 1) == 0
    }

    fn step(&mut self, _: &WavesScene, stop: f64, max_steps: u64) -> Result<(), InputError> {
        self.step_many(fixed_steps_until(self.waves.steps(), self.step_length(), stop, max_steps))
    }

    fn apply_action(&mut self, action: &WavesAction) -> Result<(), InputError> {
        self.apply_action(action)
    }

    fn apply_settings(&mut self, old: &WavesScene, new: &WavesScene) -> Result<(), ModelError> {
        if old.physics != new.physics {
            self.waves.set_params(new.params())?;
        }
        if old.rain != new.rain {
            self.waves.set_rain(scene_rain(new))?;
        }
        if old.wind != new.wind {
            self.waves.set_wind(scene_wind(new))?;
        }
        Ok(())
    }

    fn has_finite_state(&self) -> bool {
        self.waves.volume().is_finite()
    }

    fn measure_gauge(&self, _: &WavesScene, gauge: &WavesGauge) -> GaugeValues {
        match (gauge.at, gauge.measure) {
            (Some(at), _) => {
                let height = self.waves.surface_at(resolve_position(at, &self.lattice()));
                vec![(HEIGHT_COLUMN, height.map_or(f64::NAN, f64::from))]
            }
            (None, Some(WavesMeasure::Energy)) => {
                let energy = self.waves.energy();
                vec![
                    ("kinetic_m5_per_s2", energy.kinetic),
                    ("potential_m5_per_s2", energy.potential),
                ]
            }
            (None, Some(WavesMeasure::Level)) => vec![("mean_level_m", self.waves.mean_level())],
            (None, None) => Vec::new(),
        }
    }

    fn probe(&self, at: Point) -> Vec<ProbeValue> {
        let waves = &self.waves;
        let Some((x, y)) = self.lattice().cell_at(at) else { return Vec::new() };
        if waves.is_land(x, y) {
            return vec![category_value("land", 1.0, "land")];
        }
        surface_values(waves.state().height[(x, y)], waves.velocity(x, y), waves.normal(x, y))
    }

    fn create_painter(&self, scene: &WavesScene) -> Result<PoolPainter, InputError> {
        PoolPainter::new(scene.picture.clone(), &PoolView::from_waves(&self.waves, &[]))
    }

    fn draw_picture(&self, _: &WavesScene, painter: &mut PoolPainter) -> Picture {
        painter.paint(&PoolView::from_waves(&self.waves, &self.body_sprites()))
    }

    fn mesh_parts(&self) -> Vec<MeshPart> {
        vec![MeshPart::new_water(self.waves.water_mesh(), 0.05)]
    }

    fn state(&self, _: Option<&PoolPainter>) -> impl Serialize {
        (self.waves.as_serializable(), &self.added_kinds)
    }

    fn restore(
        &mut self,
        _: &WavesScene,
        (snapshot, added_kinds): Self::State,
        _: Option<&mut PoolPainter>,
    ) -> Result<(), ModelError> {
        let waves = Waves::restore(snapshot)?;
        let params = |waves: &Waves| (waves.params().step, waves.params().edges);
        if waves.lattice() != self.waves.lattice() || params(&waves) != params(&self.waves) {
            return Err("does not belong to this scene".into());
        }
        (self.waves, self.added_kinds) = (waves, added_kinds);
        Ok(())
    }

    fn notices(&self) -> Vec<String> {
        // Heights are multiples of a unit, so only the rounding of high waves leaves a residual.
        let (residual, exact) = (self.waves.balance().residual, self.waves.highest_exact());
        let message = || {
            format!(
                "physics.highest: waves above {exact} m were rounded, which changed the volume by \
                 {residual:.1e} m³; use a larger value"
            )
        };
        (residual != 0.0).then(message).into_iter().collect()
    }

    fn statistics(&self, scene: &WavesScene) -> Vec<(&'static str, Value)> {
        let waves = &self.waves;
        let (low, high) = waves.state().height.min_max().unwrap_or_default();
        let land = |land: &Field<bool>| land.as_slice().iter().filter(|&&land| land).count();
        vec![
            ("cell_metres", json!(waves.lattice().dx())),
            ("wave_speed_metres_per_second", json!(waves.params().long_wave_speed())),
            (
                "largest_speed_metres_per_second",
                json!(waves.params().largest_speed(waves.lattice())),
            ),
            ("depth_metres", json!(scene.physics.depth)),
            ("land_cells", json!(waves.land().map_or(0, land))),
            ("lowest_metres", json!(low)),
            ("highest_metres", json!(high)),
            ("bodies", json!(scene.bodies.len())),
            ("makers", json!(scene.makers.len())),
        ]
    }
}
