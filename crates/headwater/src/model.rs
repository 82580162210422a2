//! [`Model`]: what every world can do, by one set of names, for whoever does not want to know which model it is.

use crate::brush::Brush;
use crate::changes::{Changes, Stamp, Tile};
use crate::clock::AdvanceSummary;
use crate::error::InputError;
use crate::field::Field;
use crate::ids::Id;
use crate::layer::{self, Layer};
use crate::ledger::Balance;
use crate::parameter::{Range, Setting, Value};
use crate::region::{Point, Region};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use xxhash_rust::xxh3::xxh3_64;

/// Something that [`Model::edit`] can do to a world.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct EditKind {
    /// The name to ask for it by.
    pub name: &'static str,
    /// What its amount is.
    pub meaning: &'static str,
    /// The amount's unit; empty if it needs none.
    pub unit: &'static str,
    /// What amounts are allowed.
    pub allowed: Range,
    /// Whether its amount is a height above the model's height 0, not a difference.
    pub is_level: bool,
}

impl EditKind {
    /// An edit, with what its amount is, the amount's unit, and what amounts are allowed.
    pub const fn new(
        name: &'static str,
        meaning: &'static str,
        unit: &'static str,
        allowed: Range,
    ) -> Self {
        Self { name, meaning, unit, allowed, is_level: false }
    }

    /// The same, with an amount that is a height above the model's height 0.
    #[must_use]
    pub const fn as_level(self) -> Self {
        Self { is_level: true, ..self }
    }

    /// The one of a name, with its amount checked.
    ///
    /// # Errors
    /// [`InputError`] if there is none of that name, or the amount is out of its range.
    pub fn find(
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

/// What is at a point of a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// What it is: mostly the name of a layer.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Its value.
    pub value: f64,
}

/// The books of one substance.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    /// What is counted: `water`, `sediment`, `lava` …
    pub substance: &'static str,
    /// The unit: `m³`, or of blocks `cells`.
    pub unit: &'static str,
    /// The books, held against what is there.
    pub balance: Balance,
}

/// A body in a world, as all models that have bodies can take and tell it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Its middle (m).
    pub position: Point,
    /// Length and width, or in side view width and height (m).
    pub size: [f64; 2],
    /// Where it points (radians, clockwise from the east).
    pub heading: f64,
    /// How fast it goes (m/s).
    pub velocity: Point,
    /// How deep it lies in the water (m).
    pub draft: f64,
}

/// A world of any model. Positions are metres from the top-left corner, the second one downward
/// (cells in `blocks`). Times are seconds (in `hydrology`, mean rain in drops per cell). Springs,
/// drains and bodies have an [`Id`] that stays the same while others come and go.
pub trait Model {
    /// Its name: `flow`, `waves`, `blocks`, `columns` or `hydrology`.
    fn name(&self) -> &'static str;

    /// Columns and rows of its layers.
    fn grid(&self) -> [usize; 2];

    /// Simulated time since the start.
    fn time(&self) -> f64;

    /// Steps done since the start.
    fn steps(&self) -> u64;

    /// Advances by a time. Models of constant steps take whole ones and keep the rest for the next
    /// call; `flow` ends exactly. `waves` and `columns` take at most `physics.max_steps`;
    /// [`AdvanceSummary::dropped`] is the time lost by that.
    ///
    /// # Errors
    /// [`InputError`] if the time is below 0 or no number.
    fn advance(&mut self, time: f64) -> Result<AdvanceSummary, InputError>;

    /// Its parameters, with their values.
    fn settings(&self) -> Vec<Setting>;

    /// Changes a parameter by its key, while the world runs.
    ///
    /// # Errors
    /// [`InputError`] if there is no such key, it cannot change, or the value is out of its range. Nothing is changed then.
    fn set(&mut self, key: &str, value: &Value) -> Result<(), InputError>;

    /// The layers that it can show.
    fn layers(&self) -> &'static [Layer];

    /// A layer by name: borrowed where the world has it as it is, made where not; `None` if there is no such layer.
    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>>;

    /// Writes to a field what of a layer may have changed with cells of these tiles: there, and
    /// within the layer's [`reach`](Layer::reach). It allocates only for layers that reach
    /// anywhere, such as light.
    ///
    /// # Errors
    /// [`InputError`] if there is no such layer, or the field has another shape than the grid.
    fn view_into(
        &self,
        name: &str,
        tiles: &[Tile],
        into: &mut Field<f32>,
    ) -> Result<(), InputError> {
        layer::check_layer_shape(into, self.grid())?;
        let known = self.layers().iter().find(|layer| layer.name == name);
        let (Some(known), Some(values)) = (known, self.layer(name)) else {
            return Err(layer::unknown_layer(name, self.layers()));
        };
        layer::write(known, tiles, into, |x, y| values[(x, y)]);
        Ok(())
    }

    /// What is at a point; nothing off the grid.
    fn at(&self, point: Point) -> Vec<Sample>;

    /// What [`edit`](Self::edit) can do.
    fn edits(&self) -> &'static [EditKind];

    /// Does one of [`edits`](Self::edits) where a brush reaches.
    ///
    /// # Errors
    /// [`InputError`] if there is no such edit, or it cannot be done there by that amount. Nothing is changed then.
    fn edit(&mut self, edit: &str, brush: &Brush, amount: f64) -> Result<(), InputError>;

    /// Adds a spring that gives so much (m³/s; of `blocks`, cells/s; of `hydrology`, in drops per cell of rain).
    ///
    /// # Errors
    /// [`InputError`] if the region or the rate makes no sense, or the model knows no springs.
    fn add_spring(&mut self, region: Region, rate: f64) -> Result<Id, InputError> {
        let _ = (region, rate);
        Err(self.unsupported("springs"))
    }

    /// Puts another spring in the place of one.
    ///
    /// # Errors
    /// [`InputError`] if there is no such spring, or as of [`add_spring`](Self::add_spring).
    fn set_spring(&mut self, id: Id, region: Region, rate: f64) -> Result<(), InputError> {
        let _ = (id, region, rate);
        Err(self.unsupported("springs"))
    }

    /// Takes a spring out.
    ///
    /// # Errors
    /// [`InputError`] if there is no such spring.
    fn remove_spring(&mut self, id: Id) -> Result<(), InputError> {
        let _ = id;
        Err(self.unsupported("springs"))
    }

    /// Its springs.
    fn springs(&self) -> Vec<Id> {
        Vec::new()
    }

    /// Adds a drain that takes up to so much.
    ///
    /// # Errors
    /// [`InputError`] if the region or the rate makes no sense, or the model knows no drains.
    fn add_drain(&mut self, region: Region, rate: f64) -> Result<Id, InputError> {
        let _ = (region, rate);
        Err(self.unsupported("drains"))
    }

    /// Puts another drain in the place of one.
    ///
    /// # Errors
    /// [`InputError`] if there is no such drain, or as of [`add_drain`](Self::add_drain).
    fn set_drain(&mut self, id: Id, region: Region, rate: f64) -> Result<(), InputError> {
        let _ = (id, region, rate);
        Err(self.unsupported("drains"))
    }

    /// Takes a drain out.
    ///
    /// # Errors
    /// [`InputError`] if there is no such drain.
    fn remove_drain(&mut self, id: Id) -> Result<(), InputError> {
        let _ = id;
        Err(self.unsupported("drains"))
    }

    /// Its drains.
    fn drains(&self) -> Vec<Id> {
        Vec::new()
    }

    /// Adds a body.
    ///
    /// # Errors
    /// [`InputError`] if the body makes no sense there, or the model knows no bodies.
    fn add_body(&mut self, body: BodyState) -> Result<Id, InputError> {
        let _ = body;
        Err(self.unsupported("bodies"))
    }

    /// Puts another body in the place of one, or the same elsewhere or with another velocity.
    ///
    /// # Errors
    /// [`InputError`] if there is no such body, or as of [`add_body`](Self::add_body).
    fn set_body(&mut self, id: Id, body: BodyState) -> Result<(), InputError> {
        let _ = (id, body);
        Err(self.unsupported("bodies"))
    }

    /// Takes a body out.
    ///
    /// # Errors
    /// [`InputError`] if there is no such body.
    fn remove_body(&mut self, id: Id) -> Result<(), InputError> {
        let _ = id;
        Err(self.unsupported("bodies"))
    }

    /// Its bodies as they are now.
    fn bodies(&self) -> Vec<(Id, BodyState)> {
        Vec::new()
    }

    /// The books of all that it keeps account of, water first.
    fn accounts(&self) -> Vec<Account>;

    /// The state in bytes, which [`load`](Self::load) reads: all that the world needs to go on, bit for bit.
    ///
    /// # Errors
    /// [`InputError`] if it cannot be told in bytes.
    fn save(&self) -> Result<Vec<u8>, InputError>;

    /// Takes on a state that a world of the same model has saved.
    ///
    /// # Errors
    /// [`InputError`] if the bytes are damaged. Nothing is changed then.
    fn load(&mut self, bytes: &[u8]) -> Result<(), InputError>;

    /// A hash of all that a step reads or writes: the same for the same input on every machine and for any number of threads.
    fn state_hash(&self) -> u64;

    /// What has changed since a stamp that an earlier call gave, of the layers whose [`reach`](Layer::reach) is a cell.
    fn changed_since(&self, stamp: Stamp) -> Changes {
        let mut changes = Changes { tiles: Vec::new(), stamp };
        self.update_changes(&mut changes);
        changes
    }

    /// The same since the stamp of changes that are kept, in their room. A world that keeps no account says that all of it
    /// has changed.
    fn update_changes(&self, changes: &mut Changes) {
        changes.stamp = Stamp::NEVER;
        changes.tiles.clear();
        changes.tiles.push(Tile::all(self.grid()));
    }

    /// That the model has nothing of a kind.
    #[doc(hidden)]
    fn unsupported(&self, things: &'static str) -> InputError {
        InputError::new(things, format!("the model `{}`", self.name()), "a model that knows them")
    }
}

/// The methods of [`Model`] that every model forwards in the same way. To be used in an `impl
/// Model`, beside `View`, `LAYERS` and `EDITS`.
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

        fn edits(&self) -> &'static [$crate::model::EditKind] {
            &EDITS
        }

        fn save(&self) -> Result<Vec<u8>, $crate::error::InputError> {
            $crate::model::save($name, &self.saving())
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

/// The methods of [`Model`] that forward to springs or drains in `$list`, which `$made` makes of a region and a rate.
macro_rules! outlet_methods {
    ($add:ident, $set:ident, $remove:ident, $all:ident, $($list:ident).+, $made:expr) => {
        fn $add(&mut self, region: Region, rate: f64) -> Result<Id, InputError> {
            let made = ($made)(self, region, rate)?;
            self.$add(made)
        }

        fn $set(&mut self, id: Id, region: Region, rate: f64) -> Result<(), InputError> {
            let made = ($made)(self, region, rate)?;
            self.$set(id, made)
        }

        fn $remove(&mut self, id: Id) -> Result<(), InputError> {
            self.$remove(id).map(|_| ())
        }

        fn $all(&self) -> Vec<Id> {
            self.$($list).+.ids().to_vec()
        }
    };
}

/// The methods of [`Model`] that forward to bodies, which `$made` makes of a [`BodyState`], and `$told` tells as one.
macro_rules! body_methods {
    ($made:ident, $told:ident) => {
        fn add_body(&mut self, body: BodyState) -> Result<Id, InputError> {
            self.add_body($made(body))
        }

        fn set_body(&mut self, id: Id, body: BodyState) -> Result<(), InputError> {
            self.set_body(id, $made(body))
        }

        fn remove_body(&mut self, id: Id) -> Result<(), InputError> {
            self.remove_body(id).map(|_| ())
        }

        fn bodies(&self) -> Vec<(Id, BodyState)> {
            self.bodies.entries().map(|(id, body)| (id, $told(body))).collect()
        }
    };
}

pub(crate) use {body_methods, common_methods, outlet_methods};

#[derive(Serialize, Deserialize)]
struct Saved<'a> {
    model: &'a str,
    hash: u64,
    #[serde(borrow)]
    state: &'a [u8],
}

pub(crate) fn save(model: &str, snapshot: &impl Serialize) -> Result<Vec<u8>, InputError> {
    let bytes = |error| InputError::new("state", error, "one that can be told in bytes");
    let state = postcard::to_stdvec(snapshot).map_err(bytes)?;
    let saved = Saved { model, hash: xxh3_64(&state), state: &state };
    postcard::to_stdvec(&saved).map_err(bytes)
}

pub(crate) fn load<S: DeserializeOwned>(model: &str, bytes: &[u8]) -> Result<S, InputError> {
    let refuse = |found: &str| {
        InputError::new(
            "state",
            found.to_owned(),
            format!("one that the model `{model}` has saved"),
        )
    };
    let Ok((saved, [])) = postcard::take_from_bytes::<Saved>(bytes) else {
        return Err(refuse("damaged bytes"));
    };
    if saved.model != model {
        return Err(refuse(&format!("one of the model `{}`", saved.model)));
    }
    if xxh3_64(saved.state) != saved.hash {
        return Err(refuse("damaged bytes"));
    }
    postcard::from_bytes(saved.state).map_err(|_| refuse("one of another version"))
}
