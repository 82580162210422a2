//! Implementation of the trait [`Model`] for [`Flow`].

use super::bodies::{Body, WATER_DENSITY};
use super::edit::{Amount, Change, Edit};
use super::observe::layers::{LAYERS, View};
use super::sources::exchange::{Evaporation, Rain, Source};
use super::sources::soil::Soil;
use super::world::Flow;
use crate::brush::Brush;
use crate::error::InputError;
use crate::field::Field;
use crate::ids::Id;
use crate::layer::unknown_layer;
use crate::model::{
    BodyState, EditKind, Model, Sample, SubstanceBalance, body_methods, common_methods,
    outlet_methods,
};
use crate::parameter::{Parameters, Range, Setting, Value};
use crate::region::{Point, Region};
use std::borrow::Cow;

const NO_AMOUNT: Range = Range::new(0.0, 0.0);

const EDITS: [EditKind; 8] = [
    EditKind::new("raise", "height to raise the ground by", "m", Edit::HEIGHT),
    EditKind::new("lower", "height to lower the ground by", "m", Edit::HEIGHT),
    EditKind::new("flatten", "target height of the ground", "m", Edit::HEIGHT).as_level(),
    EditKind::new("smooth", "radius of the mean", "m", Range::new(0.0, 1e8)),
    EditKind::new("pour", "depth of water to add", "m", Edit::DEPTH),
    EditKind::new("remove", "depth of water to remove", "m", Edit::DEPTH),
    EditKind::new("close", "unused", "", NO_AMOUNT),
    EditKind::new("open", "unused", "", NO_AMOUNT),
];

impl Flow {
    /// Returns the current settings of rain, evaporation and soil. A default value stands for each
    /// of them that is not set.
    fn exchange_settings(&self) -> (Rain, Evaporation, Soil) {
        let exchange = &self.exchange;
        let rain =
            exchange.rain.as_ref().map(|(rain, _)| Rain { rate: rain.rate.clone(), map: None });
        let evaporation = exchange.evaporation.as_ref().map(|(evaporation, _)| evaporation.clone());
        let soil = exchange.soil.as_ref().map(|ground| ground.soil);
        (rain.unwrap_or_default(), evaporation.unwrap_or_default(), soil.unwrap_or_default())
    }
}

impl Edit {
    /// Creates the edit with the given name from a single number, as used by [`Model::edit`].
    ///
    /// # Errors
    /// Returns [`InputError`] if no edit has this name, or the number is out of the edit's range.
    pub fn from_name(name: &str, amount: f64) -> Result<Self, InputError> {
        Ok(match EditKind::find_checked(&EDITS, name, amount)?.name {
            "raise" => Self::Raise(Change::By(amount)),
            "lower" => Self::Lower(Change::By(amount)),
            "flatten" => Self::Flatten { level: Some(amount), strength: 1.0 },
            "smooth" => Self::Smooth { reach: amount, strength: 1.0 },
            "pour" => Self::Pour(Amount::Depth(amount)),
            "remove" => Self::Remove(Amount::Depth(amount)),
            "close" => Self::Close,
            _ => Self::Open,
        })
    }
}

fn new_body(BodyState { position, size, heading, velocity, draft }: BodyState) -> Body {
    let mass = WATER_DENSITY * size[0] * size[1] * draft;
    Body { velocity, draft, ..Body::rect(position, size, heading, mass, 2.0 * draft) }
}

fn body_state(body: &Body) -> BodyState {
    let Body { position, heading, velocity, draft, .. } = *body;
    BodyState { position, size: body.size(), heading, velocity, draft }
}

fn new_source(_: &Flow, region: Region, rate: f64) -> Result<Source, InputError> {
    Ok(Source::new(region, rate))
}

impl Model for Flow {
    common_methods!("flow");

    fn grid_size(&self) -> [usize; 2] {
        [self.lattice.nx(), self.lattice.ny()]
    }

    fn settings(&self) -> Vec<Setting> {
        let (rain, evaporation, soil) = self.exchange_settings();
        let mut settings = self.params.settings("physics");
        settings.extend(rain.settings("rain"));
        settings.extend(evaporation.settings("evaporation"));
        settings.extend(soil.settings("infiltration"));
        settings
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), InputError> {
        let (table, name) = key.split_once('.').unwrap_or(("", key));
        let (rain, evaporation, soil) = self.exchange_settings();
        let under = |error: InputError| error.with_table_prefix(table);
        match table {
            "physics" => {
                self.set_params(self.params.with_value(name, value).map_err(under)?).map_err(under)
            }
            "rain" => self.set_rain_rate(rain.with_value(name, value).map_err(under)?.rate),
            "evaporation" => {
                self.set_evaporation_rate(evaporation.with_value(name, value).map_err(under)?.rate)
            }
            "infiltration" => self.set_soil_params(soil.with_value(name, value).map_err(under)?),
            _ => {
                let allowed = "one of physics, rain, evaporation, infiltration, and a key of it";
                Err(InputError::new("a parameter's key", key, allowed))
            }
        }
    }

    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        self.layer(name)
    }

    fn sample_at(&self, point: Point) -> Vec<Sample> {
        let Some((x, y)) = self.lattice.cell_at(point) else { return Vec::new() };
        let number = |name, unit, value: Option<f32>| {
            value.map(|value| Sample { name, unit, value: value.into() })
        };
        let [east, south] = [0, 1].map(|axis| self.velocity_at(point).map(|v| v[axis]));
        let closed = f32::from(u8::from(self.state.closed.contains(x, y)));
        let samples = [
            number("bed", "m", self.bed_at(point)),
            number("depth", "m", self.depth_at(point)),
            number("surface", "m", self.surface_at(point)),
            number("velocity_x", "m/s", east),
            number("velocity_y", "m/s", south),
            number("closed", "1", Some(closed)),
            number("soil", "m", self.soil_water_at(x, y).map(|held| held as f32)),
        ];
        samples.into_iter().flatten().collect()
    }

    fn sample_many(
        &self,
        name: &str,
        points: &[Point],
        into: &mut [f32],
    ) -> Result<(), InputError> {
        let view = View::from_name(name).ok_or_else(|| unknown_layer(name, &LAYERS))?;
        self.sample_many(view, points, into)
    }

    fn edit(&mut self, edit: &str, brush: &Brush, amount: f64) -> Result<(), InputError> {
        self.edit(brush, Edit::from_name(edit, amount)?)
    }

    outlet_methods!(add_spring, set_spring, remove_spring, springs, exchange.springs, new_source);
    outlet_methods!(add_drain, set_drain, remove_drain, drains, exchange.drains, new_source);

    body_methods!(new_body, body_state);

    fn substance_balances(&self) -> Vec<SubstanceBalance> {
        vec![SubstanceBalance { substance: "water", unit: "m³", balance: self.balance() }]
    }
}
