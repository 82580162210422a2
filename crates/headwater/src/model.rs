//! [`Model`]: common interface of all models, for programs that do not depend on a particular
//! model.

use crate::brush::Brush;
use crate::changes::{Changes, Stamp, Tile};
use crate::clock::AdvanceSummary;
use crate::error::InputError;
use crate::field::Field;
use crate::ids::Id;
use crate::layer::{self, Layer, LayerOutput};
use crate::ledger::Balance;
use crate::parameter::{Range, Setting, Value};
use crate::region::{Point, Region};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use xxhash_rust::xxh3::xxh3_64;

/// Kind of edit that [`Model::edit`] supports, such as raising the ground, with the meaning and
/// allowed range of its amount.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct EditKind {
    /// Name of the edit, which is passed to [`Model::edit`].
    pub name: &'static str,
    /// Meaning of the amount that is passed with the edit, for users.
    pub meaning: &'static str,
    /// Unit of the edit's amount; empty if the edit ignores the amount.
    pub unit: &'static str,
    /// Range of the allowed amounts.
    pub allowed: Range,
    /// Whether the amount is a level, measured from height 0 of the model. If false, the amount is
    /// a change.
    pub is_level: bool,
}

impl EditKind {
    /// Creates a kind of edit from its name and from the meaning, unit and range of its amount.
    pub const fn new(
        name: &'static str,
        meaning: &'static str,
        unit: &'static str,
        allowed: Range,
    ) -> Self {
        Self { name, meaning, unit, allowed, is_level: false }
    }

    /// Marks the amount of this kind of edit as a level, relative to height 0 of the model, instead
    /// of a change.
    #[must_use]
    pub const fn as_level(self) -> Self {
        Self { is_level: true, ..self }
    }

    /// Finds the kind of edit with the given name in a list, and checks that the amount is allowed
    /// for this edit.
    ///
    /// # Errors
    /// Returns [`InputError`] if the name is unknown or the amount is out of range.
    pub fn find_checked(
        all: &'static [Self],
        name: &str,
        amount: f64,
    ) -> Result<&'static Self, InputError> {
        let Some(kind) = all.iter().find(|kind| kind.name == name) else {
            let names: Vec<_> = all.iter().map(|kind| kind.name).collect();
            return Err(InputError::new("an edit", format!("\"{name}\""), names.join(", ")));
        };
        kind.allowed.check(kind.name, amount, kind.unit)?;
        Ok(kind)
    }
}

/// Value of a named quantity at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Name of the quantity, usually the name of a layer.
    pub name: &'static str,
    /// Unit of the value.
    pub unit: &'static str,
    /// Value of the quantity.
    pub value: f64,
}

/// Mass balance of one substance, such as water, in a model.
#[derive(Clone, Debug, PartialEq)]
pub struct SubstanceBalance {
    /// Name of the substance, such as `water`, `sediment` or `lava`.
    pub substance: &'static str,
    /// Unit of the amounts: `m³`, or `cells` for the model `blocks`.
    pub unit: &'static str,
    /// Mass balance of the substance: the ledger, the amount currently present, and the residual.
    pub balance: Balance,
}

/// State of a floating body, in a form that all models with bodies share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Position of the centre (m).
    pub position: Point,
    /// Length and width (m); in models in side view, width and height.
    pub size: [f64; 2],
    /// Heading (radians): angle of the body's length axis, clockwise from east.
    pub heading: f64,
    /// Eastward and southward velocity (m/s).
    pub velocity: Point,
    /// Depth of the body's lowest point below the water surface (m).
    pub draft: f64,
}

/// Common interface of all models.
///
/// Positions are in metres east and south of the top-left corner (in cells for `blocks`). Times are
/// in seconds (for `hydrology`, in rain drops per cell). Springs, drains and bodies have an [`Id`]
/// that stays valid when others are removed.
pub trait Model {
    /// Returns the name of the model: `flow`, `waves`, `blocks`, `columns` or `hydrology`.
    fn name(&self) -> &'static str;

    /// Returns the numbers of columns and rows of the model's layers.
    fn grid_size(&self) -> [usize; 2];

    /// Returns the simulated time since the start (s; in rain drops per cell for `hydrology`).
    fn time(&self) -> f64;

    /// Returns the number of time steps since the start.
    fn steps(&self) -> u64;

    /// Advances the model by the duration `time` (s; in rain drops per cell for `hydrology`).
    /// Models with a fixed step take whole steps and carry the remainder over to the next call;
    /// `flow` ends exactly at the requested time. `waves` and `columns` take at most
    /// `physics.max_steps` steps per call; [`AdvanceSummary::dropped`] is the time skipped because
    /// of that limit.
    ///
    /// # Errors
    /// Returns [`InputError`] if the time is negative or not finite.
    fn advance(&mut self, time: f64) -> Result<AdvanceSummary, InputError>;

    /// Returns all parameters of the model with their metadata and current values.
    fn settings(&self) -> Vec<Setting>;

    /// Changes the value of a parameter while the model runs. `key` is the key of the parameter's
    /// [`Setting`].
    ///
    /// # Errors
    /// Returns [`InputError`] if the key is unknown, the parameter is fixed, or the value is out of
    /// range. The model is unchanged after an error.
    fn set(&mut self, key: &str, value: &Value) -> Result<(), InputError>;

    /// Returns the descriptions of the layers that the model can output.
    fn layers(&self) -> &'static [Layer];

    /// Returns the values of the layer with the given name; `None` if the name is unknown. The
    /// field is borrowed if the model stores it and computed otherwise.
    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>>;

    /// Updates a copy of a layer's values in the field `into`. Recomputes those values that may
    /// have changed because the cells of `tiles` have changed, including values within the
    /// [`reach`](Layer::reach) of the layer around the tiles. Allocates only for layers with the
    /// reach `Anywhere`, such as light.
    ///
    /// # Errors
    /// Returns [`InputError`] if the layer is unknown, or if the field and the grid differ in
    /// shape.
    fn view_into(
        &self,
        name: &str,
        tiles: &[Tile],
        into: &mut Field<f32>,
    ) -> Result<(), InputError> {
        layer::check_layer_shape(into, self.grid_size())?;
        let found = self.layers().iter().find(|layer| layer.name == name);
        let (Some(layer), Some(values)) = (found, self.layer(name)) else {
            return Err(layer::unknown_layer(name, self.layers()));
        };
        layer::write_copy(LayerOutput::new(layer.reach, tiles, into), &values);
        Ok(())
    }

    /// Writes the values of a layer in the cells of `tiles` to `into`, a row-major array of
    /// `ny · nx` values. Computes only these values, except for layers with the reach `Anywhere`.
    /// Tiles are clipped to the grid.
    ///
    /// # Errors
    /// Returns [`InputError`] if the layer is unknown, or if the array has another length.
    fn read_layer(&self, name: &str, tiles: &[Tile], into: &mut [f32]) -> Result<(), InputError> {
        let values = self.layer(name).ok_or_else(|| layer::unknown_layer(name, self.layers()))?;
        layer::write_copy(LayerOutput::from_slice(tiles, into, self.grid_size())?, &values);
        Ok(())
    }

    /// Returns the values of the main quantities at a point; empty if the point is off the grid.
    fn sample_at(&self, point: Point) -> Vec<Sample>;

    /// Writes the values of a layer at many points to `into`. A value is NaN if
    /// [`sample_at`](Self::sample_at) has none with this name at the point, such as off the grid.
    /// In `flow`, the layers `bed`, `depth`, `surface`, `velocity_x`, `velocity_y`, `speed` and
    /// `foam` are supported.
    ///
    /// # Errors
    /// Returns [`InputError`] if the layer is unknown or not supported, or if `points` and `into`
    /// differ in length.
    fn sample_many(
        &self,
        name: &str,
        points: &[Point],
        into: &mut [f32],
    ) -> Result<(), InputError> {
        layer::check_sample_count(points, into)?;
        if !self.layers().iter().any(|layer| layer.name == name) {
            return Err(layer::unknown_layer(name, self.layers()));
        }
        for (&point, into) in points.iter().zip(into) {
            let found = self.sample_at(point).into_iter().find(|sample| sample.name == name);
            *into = found.map_or(f32::NAN, |sample| sample.value as f32);
        }
        Ok(())
    }

    /// Returns descriptions of the edits that [`edit`](Self::edit) supports.
    fn edits(&self) -> &'static [EditKind];

    /// Applies the edit named `edit`, one of the supported [`edits`](Self::edits), to the cells
    /// under a brush.
    ///
    /// # Errors
    /// Returns [`InputError`] if the edit is unknown, or the brush or the amount is invalid. The
    /// model is unchanged after an error.
    fn edit(&mut self, edit: &str, brush: &Brush, amount: f64) -> Result<(), InputError>;

    /// Adds a spring that discharges water into a region, and returns its id. `rate` is the
    /// discharge (m³/s). In `blocks`, its unit is cells/s. In `hydrology`, it is the volume (m³)
    /// that enters while each cell receives one raindrop on average.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region or the rate is invalid, or the model does not support
    /// springs.
    fn add_spring(&mut self, region: Region, rate: f64) -> Result<Id, InputError> {
        let _ = (region, rate);
        Err(self.unsupported_error("springs"))
    }

    /// Replaces the region and the discharge of a spring. `rate` has the unit of
    /// [`add_spring`](Self::add_spring).
    ///
    /// # Errors
    /// Returns [`InputError`] if the id is unknown, or under the conditions of
    /// [`add_spring`](Self::add_spring).
    fn set_spring(&mut self, id: Id, region: Region, rate: f64) -> Result<(), InputError> {
        let _ = (id, region, rate);
        Err(self.unsupported_error("springs"))
    }

    /// Removes the spring with the given id.
    ///
    /// # Errors
    /// Returns [`InputError`] if the id is unknown.
    fn remove_spring(&mut self, id: Id) -> Result<(), InputError> {
        let _ = id;
        Err(self.unsupported_error("springs"))
    }

    /// Returns the ids of all springs.
    fn springs(&self) -> Vec<Id> {
        Vec::new()
    }

    /// Adds a drain that removes water from a region, and returns its id. `rate` is the maximum
    /// discharge, in the unit of [`add_spring`](Self::add_spring).
    ///
    /// # Errors
    /// Returns [`InputError`] if the region or the rate is invalid, or the model does not support
    /// drains.
    fn add_drain(&mut self, region: Region, rate: f64) -> Result<Id, InputError> {
        let _ = (region, rate);
        Err(self.unsupported_error("drains"))
    }

    /// Replaces the region and the maximum discharge of a drain. `rate` has the unit of
    /// [`add_spring`](Self::add_spring).
    ///
    /// # Errors
    /// Returns [`InputError`] if the id is unknown, or under the conditions of
    /// [`add_drain`](Self::add_drain).
    fn set_drain(&mut self, id: Id, region: Region, rate: f64) -> Result<(), InputError> {
        let _ = (id, region, rate);
        Err(self.unsupported_error("drains"))
    }

    /// Removes the drain with the given id.
    ///
    /// # Errors
    /// Returns [`InputError`] if the id is unknown.
    fn remove_drain(&mut self, id: Id) -> Result<(), InputError> {
        let _ = id;
        Err(self.unsupported_error("drains"))
    }

    /// Returns the ids of all drains.
    fn drains(&self) -> Vec<Id> {
        Vec::new()
    }

    /// Adds a floating body and returns its id.
    ///
    /// # Errors
    /// Returns [`InputError`] if the body is invalid, or the model does not support bodies.
    fn add_body(&mut self, body: BodyState) -> Result<Id, InputError> {
        let _ = body;
        Err(self.unsupported_error("bodies"))
    }

    /// Replaces the state of a floating body, for example to move it or to change its velocity.
    ///
    /// # Errors
    /// Returns [`InputError`] if the id is unknown, or under the conditions of
    /// [`add_body`](Self::add_body).
    fn set_body(&mut self, id: Id, body: BodyState) -> Result<(), InputError> {
        let _ = (id, body);
        Err(self.unsupported_error("bodies"))
    }

    /// Removes the floating body with the given id.
    ///
    /// # Errors
    /// Returns [`InputError`] if the id is unknown.
    fn remove_body(&mut self, id: Id) -> Result<(), InputError> {
        let _ = id;
        Err(self.unsupported_error("bodies"))
    }

    /// Returns the ids and current states of all floating bodies.
    fn bodies(&self) -> Vec<(Id, BodyState)> {
        Vec::new()
    }

    /// Returns the mass balance of each substance in the model; water comes first.
    fn substance_balances(&self) -> Vec<SubstanceBalance>;

    /// Serializes the complete state of the model to bytes that [`load`](Self::load) accepts.
    ///
    /// # Errors
    /// Returns [`InputError`] if the state cannot be serialized.
    fn save(&self) -> Result<Vec<u8>, InputError>;

    /// Replaces the state of the model with a state that [`save`](Self::save) serialized for the
    /// same model.
    ///
    /// # Errors
    /// Returns [`InputError`] if the bytes are damaged or belong to another model. The model is
    /// unchanged after an error.
    fn load(&mut self, bytes: &[u8]) -> Result<(), InputError>;

    /// Returns a hash of the part of the state that affects later steps. The same input gives the
    /// same hash on every machine and with any number of threads.
    fn state_hash(&self) -> u64;

    /// Returns the tiles that have changed since `stamp`, which an earlier call returned.
    fn changed_since(&self, stamp: Stamp) -> Changes {
        let mut changes = Changes { tiles: Vec::new(), stamp };
        self.update_changes(&mut changes);
        changes
    }

    /// Replaces the contents of `changes` with the changes made after the stamp in `changes`, and
    /// updates the stamp. Reuses the allocation. The default implementation reports the whole grid
    /// as changed.
    fn update_changes(&self, changes: &mut Changes) {
        changes.stamp = Stamp::NEVER;
        changes.tiles.clear();
        changes.tiles.push(Tile::all(self.grid_size()));
    }

    /// Returns the error for a kind of item that the model does not support. `items` is the plural
    /// name of the items, such as `bodies`.
    #[doc(hidden)]
    fn unsupported_error(&self, items: &'static str) -> InputError {
        InputError::new(items, format!("the model `{}`", self.name()), "a model that supports them")
    }
}

/// Implements the methods of [`Model`] that every model forwards to its own methods in the same
/// way. Use the macro in an `impl Model` block with `View`, `LAYERS` and `EDITS` in scope.
macro_rules! common_methods {
    ($name:literal) => {
        fn name(&self) -> &'static str {
            $name
        }

        fn time(&self) -> f64 {
            self.time()
        }

        fn steps(&self) -> u64 {
            self.steps()
        }

        fn advance(
            &mut self,
            time: f64,
        ) -> Result<$crate::clock::AdvanceSummary, $crate::error::InputError> {
            self.advance(time)
        }

        fn layers(&self) -> &'static [$crate::layer::Layer] {
            &LAYERS
        }

        fn view_into(
            &self,
            name: &str,
            tiles: &[$crate::changes::Tile],
            into: &mut $crate::field::Field<f32>,
        ) -> Result<(), $crate::error::InputError> {
            let view =
                View::from_name(name).ok_or_else(|| $crate::layer::unknown_layer(name, &LAYERS))?;
            self.view_into(view, tiles, into)
        }

        fn read_layer(
            &self,
            name: &str,
            tiles: &[$crate::changes::Tile],
            into: &mut [f32],
        ) -> Result<(), $crate::error::InputError> {
            let view =
                View::from_name(name).ok_or_else(|| $crate::layer::unknown_layer(name, &LAYERS))?;
            self.read_layer(view, tiles, into)
        }

        fn edits(&self) -> &'static [$crate::model::EditKind] {
            &EDITS
        }

        fn save(&self) -> Result<Vec<u8>, $crate::error::InputError> {
            $crate::model::save($name, &self.as_serializable())
        }

        fn load(&mut self, bytes: &[u8]) -> Result<(), $crate::error::InputError> {
            *self = Self::restore($crate::model::load($name, bytes)?)?;
            Ok(())
        }

        fn state_hash(&self) -> u64 {
            self.state_hash()
        }

        fn update_changes(&self, changes: &mut $crate::changes::Changes) {
            self.update_changes(changes);
        }
    };
}

/// Implements the methods of [`Model`] for springs or drains, which the model stores in the field
/// `$list`. `$add`, `$set`, `$remove` and `$all` are the names of the methods. `$make` creates a
/// spring or drain from a region and a rate.
macro_rules! outlet_methods {
    ($add:ident, $set:ident, $remove:ident, $all:ident, $($list:ident).+, $make:expr) => {
        fn $add(&mut self, region: Region, rate: f64) -> Result<Id, InputError> {
            let source = ($make)(self, region, rate)?;
            self.$add(source)
        }

        fn $set(&mut self, id: Id, region: Region, rate: f64) -> Result<(), InputError> {
            let source = ($make)(self, region, rate)?;
            self.$set(id, source)
        }

        fn $remove(&mut self, id: Id) -> Result<(), InputError> {
            self.$remove(id).map(|_| ())
        }

        fn $all(&self) -> Vec<Id> {
            self.$($list).+.ids().to_vec()
        }
    };
}

/// Implements the methods of [`Model`] for floating bodies. `$from_state` converts a [`BodyState`]
/// to a body, and `$to_state` converts a body to a [`BodyState`].
macro_rules! body_methods {
    ($from_state:ident, $to_state:ident) => {
        fn add_body(&mut self, body: BodyState) -> Result<Id, InputError> {
            self.add_body($from_state(body))
        }

        fn set_body(&mut self, id: Id, body: BodyState) -> Result<(), InputError> {
            self.set_body(id, $from_state(body))
        }

        fn remove_body(&mut self, id: Id) -> Result<(), InputError> {
            self.remove_body(id).map(|_| ())
        }

        fn bodies(&self) -> Vec<(Id, BodyState)> {
            self.bodies.entries().map(|(id, body)| (id, $to_state(body))).collect()
        }
    };
}

pub(crate) use {body_methods, common_methods, outlet_methods};

/// Format of the bytes that [`Model::save`] returns: the serialized state, the name of the model
/// and a hash of the state bytes.
#[derive(Serialize, Deserialize)]
struct SavedModel<'a> {
    model: &'a str,
    hash: u64,
    #[serde(borrow)]
    state: &'a [u8],
}

pub(crate) fn save(model: &str, snapshot: &impl Serialize) -> Result<Vec<u8>, InputError> {
    let bytes = |error| InputError::new("state", error, "a state that can be serialized");
    let state = postcard::to_stdvec(snapshot).map_err(bytes)?;
    let saved = SavedModel { model, hash: xxh3_64(&state), state: &state };
    postcard::to_stdvec(&saved).map_err(bytes)
}

pub(crate) fn load<S: DeserializeOwned>(model: &str, bytes: &[u8]) -> Result<S, InputError> {
    let refuse = |found: &str| {
        InputError::new("state", found.to_owned(), format!("a state saved by the model `{model}`"))
    };
    let Ok((saved, [])) = postcard::take_from_bytes::<SavedModel>(bytes) else {
        return Err(refuse("damaged bytes"));
    };
    if saved.model != model {
        return Err(refuse(&format!("a state of the model `{}`", saved.model)));
    }
    if xxh3_64(saved.state) != saved.hash {
        return Err(refuse("damaged bytes"));
    }
    postcard::from_bytes(saved.state).map_err(|_| refuse("a state of another version"))
}
