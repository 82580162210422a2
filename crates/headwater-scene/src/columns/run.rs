//! Execution of scenes of the model `columns`.

use super::{
    ColumnsAction, ColumnsGauge, ColumnsMeasure, ColumnsScene, ColumnsTarget, ColumnsWorld,
};
use crate::picture::{BodyKinds, ColumnsPainter, Picture, PoolBodyKind};
use crate::run::fixed_steps::STOP_TOLERANCE;
use crate::run::{GaugeValues, ModelError, ModelWorld, ProbeValue, category_value, numeric_value};
use crate::scene::{SceneError, entry_id, resolve_position};
use headwater::columns::{Columns, Snapshot};
use headwater::{Cause, InputError, Lattice, Model, Point};
use serde::Serialize;
use serde_json::{Value, json};

impl ModelWorld for ColumnsWorld {
    type Scene = ColumnsScene;
    type Action = ColumnsAction;
    type Gauge = ColumnsGauge;
    type Painter = ColumnsPainter;
    /// State of a world in a checkpoint: the state of the model, and the kinds of all bodies,
    /// including the bodies that events have added.
    type State = (Snapshot, BodyKinds<PoolBodyKind>);

    fn build(scene: &ColumnsScene) -> Result<Self, SceneError> {
        Self::build(scene)
    }

    fn model(&self) -> &dyn Model {
        &self.columns
    }

    fn model_mut(&mut self) -> &mut dyn Model {
        &mut self.columns
    }

    fn lattice(&self) -> Lattice {
        self.lattice
    }

    fn step_length(&self) -> f64 {
        self.columns.params().step
    }

    fn has_reached(&self, stop: f64, time: f64, _: u64) -> bool {
        time + self.step_length() * (1.0 - STOP_TOLERANCE) > stop
    }

    fn step(&mut self, _: &ColumnsScene, _: f64, _: u64) -> Result<(), InputError> {
        self.columns.step();
        Ok(())
    }

    fn apply_action(&mut self, action: &ColumnsAction) -> Result<(), InputError> {
        self.apply_action(action)
    }

    fn apply_settings(&mut self, old: &ColumnsScene, new: &ColumnsScene) -> Result<(), ModelError> {
        let lists =
            |scene: &ColumnsScene| [scene.sources.len(), scene.drains.len(), scene.heaters.len()];
        if lists(old) != lists(new) {
            return Err("sources, drains and heaters are added, not set".into());
        }
        if old.params() == new.params() {
            return Ok(());
        }
        let mut params = new.params();
        // The air temperature parameter is only the initial value, so the current temperature is
        // kept.
        if let (Some(heat), Some(now)) = (&mut params.heat, &self.columns.params().heat) {
            heat.air = now.air;
        }
        Ok(self.columns.set_params(params)?)
    }

    /// Applies the rates, weather and wind of the scene `new` where they differ from those of the
    /// scene `old`. Objects that events have added are kept.
    fn set_scene(&mut self, old: &ColumnsScene, new: &ColumnsScene) -> Result<(), InputError> {
        let columns = &mut self.columns;
        for (i, spring) in new.sources.iter().enumerate() {
            columns.set_spring_rate(entry_id(i), spring.keys.rate.clone())?;
        }
        for (i, drain) in new.drains.iter().enumerate() {
            columns.set_drain_rate(entry_id(i), drain.keys.rate.clone())?;
        }
        for (i, heater) in new.heaters.iter().enumerate() {
            columns.set_heater_power(entry_id(i), heater.keys.power.clone())?;
        }
        if old.weather != new.weather {
            columns.set_weather((*new.weather).clone())?;
        }
        if old.wind != new.wind {
            // The new value in the scene overrides the value of an earlier event.
            columns.set_wind(new.wind())?;
        }
        Ok(())
    }

    fn has_finite_state(&self) -> bool {
        self.columns.energy().total().is_finite()
    }

    fn measure_gauge(&self, scene: &ColumnsScene, gauge: &ColumnsGauge) -> GaugeValues {
        let columns = &self.columns;
        let above_bottom = |y: f64| columns.size()[1] - y;
        match gauge.target {
            ColumnsTarget::Point(at) => {
                let at = resolve_position(at, &self.lattice);
                let mut all = vec![
                    ("surface_m", columns.surface_at(at).map(above_bottom)),
                    ("head_m", columns.head_at(at).map(above_bottom)),
                    ("velocity_m_per_s", columns.velocity_at(at)),
                ];
                if scene.has_heat() {
                    all.push(("temperature_c", columns.temperature_at(at)));
                    all.push(("ice_m", columns.ice_thickness_at(at)));
                }
                all.into_iter().map(|(head, value)| (head, value.unwrap_or(f64::NAN))).collect()
            }
            target @ (ColumnsTarget::Disc(_) | ColumnsTarget::Rect(_)) => {
                let shape = target.volume_shape(&self.lattice);
                let under = shape.and_then(|shape| columns.submersion(&shape).ok());
                vec![("volume_m3", under.map_or(f64::NAN, |under| under.water))]
            }
            ColumnsTarget::Whole(ColumnsMeasure::Energy) => {
                let energy = columns.energy();
                vec![("kinetic_j", energy.kinetic), ("potential_j", energy.potential)]
            }
            ColumnsTarget::Whole(ColumnsMeasure::Volume) => {
                vec![("volume_m3", columns.volume()), ("ice_m3", columns.ice_volume())]
            }
            ColumnsTarget::Whole(ColumnsMeasure::Heat) => {
                let heat = columns.heat_balance();
                let now = heat.as_ref().map_or(f64::NAN, |heat| heat.now);
                let net =
                    |cause| heat.as_ref().map_or(f64::NAN, |heat| heat.ledger.net_inflow(cause));
                vec![
                    ("heat_j", now),
                    ("from_air_j", net(Cause::Boundary)),
                    ("from_heaters_j", net(Cause::Source)),
                    ("with_water_j", net(Cause::Edit)),
                    ("with_steam_j", net(Cause::Evaporation)),
                ]
            }
        }
    }

    fn probe(&self, at: Point) -> Vec<ProbeValue> {
        let columns = &self.columns;
        if self.lattice.cell_at(at).is_none() {
            return Vec::new();
        }
        let Some(pool) = columns.pool_at(at) else {
            return vec![category_value("wall", 1.0, "wall")];
        };
        let mut values = vec![numeric_value("pool", pool as f64 + 1.0, "")];
        values.push(numeric_value("water in the pool", columns.pool_volume(pool), "m³"));
        let under = columns.is_under_water(at);
        let above_bottom = |y: f64| columns.size()[1] - y;
        values.push(category_value("at", 0.0, if under { "water" } else { "air" }));
        let all = [
            ("surface", columns.surface_at(at).map(above_bottom), "m"),
            ("head", columns.head_at(at).map(above_bottom), "m"),
            ("velocity to the east", columns.velocity_at(at), "m/s"),
            ("temperature", columns.temperature_at(at), "°C"),
            ("ice", columns.ice_thickness_at(at), "m"),
        ];
        let found = all
            .into_iter()
            .filter_map(|(name, value, unit)| Some(numeric_value(name, value?, unit)));
        values.extend(found);
        if let (true, Some(head)) = (under, columns.head_at(at)) {
            let pascals = 1000.0 * columns.params().gravity * (at[1] - head);
            values.push(numeric_value("pressure", 1e-3 * pascals, "kPa"));
        }
        values
    }

    fn create_painter(&self, scene: &ColumnsScene) -> Result<ColumnsPainter, InputError> {
        let style = scene.picture.clone();
        ColumnsPainter::new(style, &self.columns, &self.anchors, self.body_kinds_in_order())
    }

    fn draw_picture(&self, _: &ColumnsScene, painter: &mut ColumnsPainter) -> Picture {
        // Events or restored states may have added or removed bodies.
        painter.set_body_kinds(self.body_kinds_in_order());
        painter.paint(&self.columns)
    }

    fn state(&self, _: Option<&ColumnsPainter>) -> impl Serialize {
        (self.columns.as_serializable(), &self.body_kinds)
    }

    fn restore(
        &mut self,
        _: &ColumnsScene,
        (snapshot, body_kinds): Self::State,
        _: Option<&mut ColumnsPainter>,
    ) -> Result<(), ModelError> {
        let columns = Columns::restore(snapshot)?;
        let now = &self.columns;
        let params = |columns: &Columns| {
            (columns.params().motion, columns.params().step, columns.params().columns_per_cell)
        };
        if columns.cell_size() != now.cell_size()
            || !columns.walls().has_same_shape(&now.walls())
            || params(&columns) != params(now)
        {
            return Err("does not belong to this scene".into());
        }
        (self.columns, self.body_kinds) = (columns, body_kinds);
        Ok(())
    }

    fn notices(&self) -> Vec<String> {
        let ignored = self.columns.ignored_anchors().iter();
        let words = ignored.map(|ignored| {
            let [x, y] = ignored.anchor.at;
            format!("the anchor at [{x:.2}, {y:.2}] was ignored: {}", ignored.reason)
        });
        words.collect()
    }

    fn statistics(&self, scene: &ColumnsScene) -> Vec<(&'static str, Value)> {
        let columns = &self.columns;
        let walls = columns.walls();
        let mut figures = vec![
            ("cell_metres", json!(columns.cell_size())),
            ("walls", json!(walls.as_slice().iter().filter(|&&wall| wall).count())),
            ("pools", json!(columns.pool_count())),
            ("columns", json!(columns.column_count())),
            ("column_width_metres", json!(columns.column_width())),
            ("openings", json!(columns.openings().len())),
            ("bubbles", json!(columns.bubble_count())),
            ("volume_cubic_metres", json!(columns.volume())),
            ("bodies", json!(columns.bodies().len())),
            ("sources", json!(scene.sources.len())),
            ("drains", json!(scene.drains.len())),
        ];
        if let Some(balance) = columns.heat_balance() {
            figures.extend([
                ("air_celsius", json!(columns.air_temperature())),
                ("heaters", json!(scene.heaters.len())),
                ("ice_cubic_metres", json!(columns.ice_volume())),
                ("heat_joules", json!(balance.now)),
                ("heat_residual_joules", json!(balance.residual)),
            ]);
        }
        figures
    }
}
