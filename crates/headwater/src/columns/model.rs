//! Implementation of the generic [`Model`] trait for [`Columns`].

use super::bodies::body::{Body, Shape};
use super::edit::Edit;
use super::observe::layers::{LAYERS, View};
use super::params::Params;
use super::sources::source::{Source, Wind};
use super::world::Columns;
use crate::brush::Brush;
use crate::changes::Changes;
use crate::error::InputError;
use crate::field::Field;
use crate::ids::Id;
use crate::model::{
    BodyState, EditKind, Model, Sample, SubstanceBalance, body_methods, common_methods,
    outlet_methods,
};
use crate::parameter::{Parameters, Range, Setting, Value};
use crate::region::{Point, Region};
use crate::series::Series;
use std::borrow::Cow;

const EDITS: [EditKind; 6] = [
    EditKind::new(
        "pour",
        "volume of water to add, limited by the free space",
        "m³",
        Range::new(0.0, 1e9),
    ),
    EditKind::new("remove", "volume of water to remove", "m³", Range::new(0.0, 1e9)),
    EditKind::new(
        "splash",
        "depth by which the surface is pressed down; negative: raised",
        "m",
        Range::ANY,
    ),
    EditKind::new(
        "push",
        "change of the water's velocity, positive to the east",
        "m/s",
        Range::new(-100.0, 100.0),
    ),
    EditKind::new("dig", "turns walls into air", "", Range::ANY),
    EditKind::new("build", "turns air into walls", "", Range::ANY),
];

const WATER_DENSITY: f64 = 1000.0;

impl Columns {
    /// Replaces the contents of `changes` with the tiles of all pools that were stepped, heated or
    /// edited since `changes` was last updated. The layer `light` can also change in other tiles.
    pub fn update_changes(&self, changes: &mut Changes) {
        let layout = &self.layout;
        let (nx, ny) = (layout.grid.nx(), layout.grid.ny());
        let rects = layout.rects.all.iter().zip(&layout.rect_pool);
        let covers = rects.map(|(rect, &pool)| {
            let top = rect.ceiling.map_or(ny, |ceiling| ceiling as usize).min(ny);
            let columns = rect.columns.start as usize..rect.columns.end as usize;
            (pool as usize, [columns, ny - top..ny - rect.floor as usize])
        });
        self.changes.update_changes_from_items(changes, [nx, ny], covers);
    }

    fn set_heat_parameter(&mut self, key: &str, value: &Value) -> Result<(), InputError> {
        let Some(heat) = &self.params().heat else { return self.require_heat("heat") };
        let heat = Some(heat.with_value(key, value)?);
        let params = Params { heat, ..self.params().clone() };
        // The key given by the caller already contains the table `heat`.
        self.set_params(params).map_err(|mut error| {
            if let Some(key) = error.what.strip_prefix("heat.") {
                error.what = key.to_owned().into();
            }
            error
        })
    }

    /// Returns the current wind, or a wind of strength 0 if there is none, so that its settings can
    /// be listed.
    fn wind_or_calm(&self) -> Wind {
        let calm = || Wind { acceleration: Series::from(0.0), ..Wind::default() };
        self.wind().cloned().unwrap_or_else(calm)
    }
}

fn body_from_state(BodyState { position: center, size, velocity, draft, .. }: BodyState) -> Body {
    let shape = Shape::Box { center, half: size.map(|size| 0.5 * size) };
    Body { velocity, ..Body::new(shape, WATER_DENSITY * size[0] * draft) }
}

fn body_state(body: &Body) -> BodyState {
    let (position, half) = body.shape.center_and_half();
    let size = half.map(|half| 2.0 * half);
    let draft = (body.mass / (WATER_DENSITY * size[0])).min(size[1]);
    BodyState { position, size, heading: 0.0, velocity: body.velocity, draft }
}

fn new_source(_: &Columns, region: Region, rate: f64) -> Result<Source, InputError> {
    Ok(Source::new(region, rate))
}

impl Model for Columns {
    common_methods!("columns");

    fn grid_size(&self) -> [usize; 2] {
        [self.layout.grid.nx(), self.layout.grid.ny()]
    }

    fn settings(&self) -> Vec<Setting> {
        let mut all = self.params().settings("physics");
        if let Some(heat) = &self.params().heat {
            all.extend(heat.settings("physics.heat"));
        }
        all.extend(self.weather().settings("weather"));
        all.extend(self.wind_or_calm().settings("wind"));
        all
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), InputError> {
        let (table, name) = key.rsplit_once('.').unwrap_or(("", key));
        let done = match table {
            "physics" => self.params().with_value(name, value).and_then(|new| self.set_params(new)),
            "physics.heat" => self.set_heat_parameter(name, value),
            "weather" => {
                self.weather().with_value(name, value).and_then(|new| self.set_weather(new))
            }
            "wind" => {
                self.wind_or_calm().with_value(name, value).and_then(|new| self.set_wind(Some(new)))
            }
            _ => {
                let allowed = "one of physics, physics.heat, weather, wind, and a key of it";
                return Err(InputError::new("a parameter's key", key, allowed));
            }
        };
        done.map_err(|error| error.with_table_prefix(table))
    }

    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        self.layer(name).map(Cow::Owned)
    }

    /// Samples the layers at a point. The surface and the piezometric head are given as heights
    /// above the bottom of the grid (m).
    fn sample_at(&self, point: Point) -> Vec<Sample> {
        let above_bottom = |y: f64| self.layout.height() - y;
        let Some(pool) = self.pool_at(point) else { return Vec::new() };
        let head = self.head_at(point).filter(|_| self.is_under_water(point));
        let pressure =
            head.map(|head| 1e-3 * WATER_DENSITY * self.params().gravity * (point[1] - head));
        let all = [
            ("pool", "", Some(pool as f64 + 1.0)),
            ("volume", "m³", Some(self.pool_volume(pool))),
            ("surface", "m", self.surface_at(point).map(above_bottom)),
            ("head", "m", self.head_at(point).map(above_bottom)),
            ("velocity", "m/s", self.velocity_at(point)),
            ("temperature", "°C", self.temperature_at(point)),
            ("ice thickness", "m", self.ice_thickness_at(point)),
            ("pressure", "kPa", pressure),
        ];
        let sample =
            |(name, unit, value): (_, _, Option<f64>)| Some(Sample { name, unit, value: value? });
        all.into_iter().filter_map(sample).collect()
    }

    /// Applies an edit with equal strength in the whole region of the brush. A soft edge of the
    /// brush is ignored, because water levels out anyway.
    fn edit(&mut self, edit: &str, brush: &Brush, amount: f64) -> Result<(), InputError> {
        let region = &brush.region;
        let edit = match EditKind::find_checked(&EDITS, edit, amount)?.name {
            "pour" => Edit::Pour(amount),
            "remove" => Edit::Remove(amount),
            "splash" => Edit::Splash(amount),
            "push" => Edit::Push(amount),
            walls => return self.set_walls(region, walls == "build").map(|_| ()),
        };
        self.edit(region, edit)
    }

    outlet_methods!(add_spring, set_spring, remove_spring, springs, exchange.springs, new_source);
    outlet_methods!(add_drain, set_drain, remove_drain, drains, exchange.drains, new_source);

    body_methods!(body_from_state, body_state);

    /// Returns the balance of water and, in a world with heat, the balance of
    /// [heat](Columns::heat_balance).
    fn substance_balances(&self) -> Vec<SubstanceBalance> {
        let water = SubstanceBalance { substance: "water", unit: "m³", balance: self.balance() };
        let heat = self.heat_balance().map(|balance| SubstanceBalance {
            substance: "heat",
            unit: "J",
            balance,
        });
        [water].into_iter().chain(heat).collect()
    }
}
