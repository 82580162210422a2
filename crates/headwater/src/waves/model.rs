//! Implementation of the trait [`Model`] for [`Waves`].

use super::disturb::Edit;
use super::forcing::body::{Body, Shape};
use super::observe::layers::{LAYERS, View};
use super::params::{Params, nonnegative_height_range, symmetric_height_range};
use super::world::Waves;
use crate::brush::Brush;
use crate::error::InputError;
use crate::field::Field;
use crate::ids::Id;
use crate::model::{
    BodyState, EditKind, Model, Sample, SubstanceBalance, body_methods, common_methods,
};
use crate::parameter::{Parameters, Range, Setting, Value};
use crate::region::Point;
use std::borrow::Cow;

const LAND: EditKind =
    EditKind::new("land", "turns water into land, which reflects waves", "", Range::ANY);

const EDITS: [EditKind; 3] = [
    EditKind::new(
        "drop",
        "depth by which the surface is pressed down; negative: raised; at most the highest wave",
        "m",
        Range::new(-1e6, 1e6),
    ),
    LAND,
    EditKind { name: "water", meaning: "land becomes water", ..LAND },
];

fn body_from_state(BodyState { position, size, heading, velocity, draft }: BodyState) -> Body {
    let shape = Shape::Oval { half: size.map(|size| 0.5 * size), heading };
    Body { shape, position, velocity, draft }
}

fn body_state(&Body { shape, position, velocity, draft }: &Body) -> BodyState {
    let (half, heading) = match shape {
        Shape::Disc { radius } => ([radius; 2], 0.0),
        Shape::Rect { half } => (half, 0.0),
        Shape::Oval { half, heading } => (half, heading),
    };
    BodyState { position, size: half.map(|half| 2.0 * half), heading, velocity, draft }
}

impl Edit {
    /// Returns the edit with the given name and amount, as passed to [`Model::edit`].
    ///
    /// # Errors
    /// Returns [`InputError`] if there is no edit with this name, or if the amount is out of range.
    pub fn from_name_and_amount(name: &str, amount: f64) -> Result<Self, InputError> {
        Ok(match EditKind::find_checked(&EDITS, name, amount)?.name {
            "land" => Self::Land,
            "water" => Self::Water,
            _ => Self::Disturb { height: -amount },
        })
    }
}

impl Model for Waves {
    common_methods!("waves");

    fn grid_size(&self) -> [usize; 2] {
        [self.lattice.nx(), self.lattice.ny()]
    }

    fn settings(&self) -> Vec<Setting> {
        let mut settings = self.params.settings("physics");
        settings.extend(self.params.edges.settings("edges"));
        settings.extend(self.rain().into_iter().flat_map(|rain| rain.settings("rain")));
        settings.extend(self.wind().into_iter().flat_map(|wind| wind.settings("wind")));
        for setting in &mut settings {
            if matches!(setting.key.as_str(), "rain.depth" | "wind.head") {
                setting.allowed = nonnegative_height_range(self.params.highest);
            }
        }
        settings
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), InputError> {
        let (table, name) = key.split_once('.').unwrap_or(("", key));
        let under = |error: InputError| error.with_table_prefix(table);
        match (table, self.rain(), self.wind()) {
            ("physics", ..) => {
                let params = self.params.with_value(name, value);
                params.and_then(|params| self.set_params(params)).map_err(under)
            }
            ("edges", ..) => {
                let edges = self.params.edges.with_value(name, value).map_err(under)?;
                self.set_params(Params { edges, ..self.params.clone() })
            }
            ("rain", Some(rain), _) => {
                let rain = rain.with_value(name, value).map_err(under)?;
                self.set_rain(Some(rain))
            }
            ("wind", _, Some(wind)) => {
                let wind = wind.with_value(name, value).map_err(under)?;
                self.set_wind(Some(wind))
            }
            _ => {
                let tables =
                    "one of the table `physics`, or of `rain` or `wind` where there are any";
                Err(InputError::new("a parameter's key", key, tables))
            }
        }
    }

    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        self.layer(name)
    }

    fn sample_at(&self, point: Point) -> Vec<Sample> {
        let Some((x, y)) = self.lattice.cell_at(point) else { return Vec::new() };
        let sample = |name, unit, value: f32| Sample { name, unit, value: value.into() };
        let land = sample("land", "1", f32::from(u8::from(self.is_land(x, y))));
        if land.value != 0.0 {
            return vec![land];
        }
        vec![
            sample("height", "m", self.state.height[(x, y)]),
            sample("velocity", "m/s", self.velocity(x, y)),
            sample("slope", "1", self.slope(x, y)),
            land,
        ]
    }

    fn edit(&mut self, edit: &str, brush: &Brush, amount: f64) -> Result<(), InputError> {
        let edit = Edit::from_name_and_amount(edit, amount)?;
        if let Edit::Disturb { .. } = edit {
            // Check the amount before the conversion to a height, so that an error message contains
            // the given value.
            symmetric_height_range(self.params().highest).check("drop", amount, "m")?;
        }
        self.edit(brush, edit)
    }

    body_methods!(body_from_state, body_state);

    fn substance_balances(&self) -> Vec<SubstanceBalance> {
        vec![SubstanceBalance { substance: "water", unit: "m³", balance: self.balance() }]
    }
}
