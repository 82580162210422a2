//! [`Keys`]: a table of a scene that contains the parameters of a model. The model's list of
//! parameters defines the keys, their ranges and their defaults.

use super::check::{Checker, range_message};
use super::problem::Problems;
use headwater::Series;
use headwater::parameter::{Kind, Parameter, Parameters, Value};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Deref;

/// Table of a scene that contains the parameters `P` of a model. Its keys are those of
/// [`Parameters::TABLE`]. Parameters whose keys are missing have their default values.
#[derive(Clone, Debug, PartialEq)]
pub struct Keys<P> {
    values: P,
    given: BTreeSet<&'static str>,
}

impl<P: Parameters> Default for Keys<P> {
    fn default() -> Self {
        Self { values: P::defaults(), given: BTreeSet::new() }
    }
}

impl<P> Deref for Keys<P> {
    type Target = P;

    fn deref(&self) -> &P {
        &self.values
    }
}

impl<P: Parameters> Keys<P> {
    /// Creates a table from pairs of a key and a value. Ignores a pair if its key is not in
    /// [`Parameters::TABLE`], or if its value has the wrong type. For a parameter that is a time
    /// series, the value may also be a number.
    pub(crate) fn from_values<const N: usize>(pairs: [(&str, Value); N]) -> Self {
        let mut keys = Self::default();
        for (key, value) in pairs {
            let Some(one) = P::TABLE.iter().find(|one| one.key == key) else { continue };
            let value = match (one.kind, value) {
                (Kind::Series | Kind::OptionalSeries, Value::Number(v)) => {
                    Value::Series(Series::from(v))
                }
                (_, value) => value,
            };
            if (one.set)(&mut keys.values, &value) {
                keys.given.insert(one.key);
            }
        }
        keys
    }

    /// Returns whether the scene contains this key.
    pub fn is_given(&self, key: &str) -> bool {
        self.given.contains(key)
    }

    /// Copies the parameters that the scene contains to `base`. Other parameters of `base` stay
    /// unchanged.
    pub(crate) fn apply_to(&self, base: &mut P) {
        for one in P::TABLE.iter().filter(|one| self.is_given(one.key)) {
            (one.set)(base, &(one.get)(&self.values));
        }
    }

    /// Returns a problem (a key and a message) for each value that is out of range. `table` is the
    /// key path of this table.
    pub fn problems(&self, table: &str) -> Problems {
        let check = |one: &Parameter<P>| {
            let value = (one.get)(&self.values);
            let error = one.check(&self.values, &value).err()?;
            // The value of one key can make the default of another invalid.
            let because = (one.allowed)(&self.values).depends_on;
            let other = P::TABLE.iter().find(|other| other.key == because);
            match other.filter(|other| self.is_given(other.key) && !self.is_given(one.key)) {
                Some(other) => {
                    let found = (other.get)(&self.values);
                    let message = format!(
                        "found {found}, which makes the default of `{}`, {value}, invalid: allowed is {}",
                        one.key, error.allowed
                    );
                    Some((format!("{table}.{}", other.key), message))
                }
                None => Some((format!("{table}.{}", one.key), range_message(&error))),
            }
        };
        P::TABLE.iter().filter_map(check).collect()
    }

    /// Adds the [`problems`](Self::problems) of this table to a checker. `table` is the key path of
    /// this table.
    pub fn report_problems(&self, check: &mut Checker, table: &str) {
        for (key, message) in self.problems(table) {
            check.add_problem(key, message);
        }
        for one in P::TABLE {
            if let Value::Series(series) = (one.get)(self) {
                check.record_series(format!("{table}.{}", one.key), &series);
            }
        }
    }

    /// Adds a problem to `check` for each [required](Parameters::REQUIRED) key that is missing.
    /// `table` is the key path of this table.
    pub(crate) fn check_required(&self, check: &mut Checker, table: &str) {
        for key in P::REQUIRED.iter().filter(|key| !self.is_given(key)) {
            check.add_problem(format!("{table}.{key}"), "is missing");
        }
    }
}

/// Returns one problem for each parameter that is out of range: its key and a message. `table` is
/// the key path of the table that contains the parameters.
pub(crate) fn range_problems<P: Parameters>(values: &P, table: &str) -> Problems {
    let check = |one: &Parameter<P>| {
        let error = one.check(values, &(one.get)(values)).err()?;
        Some((format!("{table}.{}", one.key), range_message(&error)))
    };
    P::TABLE.iter().filter_map(check).collect()
}

impl<P: Parameters> Serialize for Keys<P> {
    /// Serializes the keys that the scene contains.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let given = P::TABLE.iter().filter(|one| self.is_given(one.key));
        let mut map = serializer.serialize_map(Some(given.clone().count()))?;
        for one in given {
            match (one.get)(&self.values) {
                Value::None => {}
                Value::Number(v) if matches!(one.kind, Kind::Integer) => {
                    map.serialize_entry(one.key, &(v as u64))?;
                }
                Value::Number(v) => map.serialize_entry(one.key, &v)?,
                Value::Bool(v) => map.serialize_entry(one.key, &v)?,
                Value::Choice(v) => map.serialize_entry(one.key, &v)?,
                Value::Pair(v) => map.serialize_entry(one.key, &v)?,
                Value::Series(v) => map.serialize_entry(one.key, &v)?,
            }
        }
        map.end()
    }
}

impl<'de, P: Parameters> Deserialize<'de> for Keys<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(KeysVisitor(Self::default()))
    }
}

/// Serde visitor that reads the table of the parameters `P`.
struct KeysVisitor<P>(Keys<P>);

impl<'de, P: Parameters> Visitor<'de> for KeysVisitor<P> {
    type Value = Keys<P>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys<P>, A::Error> {
        let mut keys = self.0;
        let names: Vec<&'static str> = P::TABLE.iter().map(|one| one.key).collect();
        while let Some(index) = map.next_key_seed(KeyIndexSeed(&names))? {
            let one = &P::TABLE[index];
            let value = map.next_value_seed(ValueSeed(one.kind))?;
            if !(one.set)(&mut keys.values, &value) {
                let needs = || format!("found {value}, needs {}", one.kind.description());
                // The check detects an integer that the parameter's field cannot represent.
                let error = one.check(&keys.values, &value).err();
                return Err(A::Error::custom(error.as_ref().map_or_else(needs, range_message)));
            }
            keys.given.insert(one.key);
        }
        Ok(keys)
    }
}

/// Serde seed for a key. Deserializes the key to its index in the list of names that the seed
/// contains.
struct KeyIndexSeed<'a>(&'a [&'static str]);

impl<'de> DeserializeSeed<'de> for KeyIndexSeed<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        let found = String::deserialize(deserializer)?;
        self.0.iter().position(|name| *name == found).ok_or_else(|| {
            // Uses serde's format, so that the error is reported like any other unknown key.
            D::Error::custom(format!("unknown field `{found}`, expected {}", quote_names(self.0)))
        })
    }
}

/// Serde seed that deserializes the value of a parameter. It contains the kind of value that is
/// expected.
struct ValueSeed(Kind);

impl<'de> DeserializeSeed<'de> for ValueSeed {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Ok(match self.0 {
            Kind::Number | Kind::OptionalNumber => Value::Number(f64::deserialize(deserializer)?),
            Kind::Integer => Value::Number(u64::deserialize(deserializer)? as f64),
            Kind::Bool => Value::Bool(bool::deserialize(deserializer)?),
            Kind::Pair => Value::Pair(<[f64; 2]>::deserialize(deserializer)?),
            Kind::Series | Kind::OptionalSeries => {
                Value::Series(Series::deserialize(deserializer)?)
            }
            Kind::Choice(words) => {
                let found = String::deserialize(deserializer)?;
                if !words.contains(&found.as_str()) {
                    let allowed = quote_names(words);
                    let message = format!("unknown variant `{found}`, expected {allowed}");
                    return Err(D::Error::custom(message));
                }
                Value::Choice(found)
            }
        })
    }
}

/// Formats a list of names for an error message, in the format of serde.
pub(super) fn quote_names(names: &[&str]) -> String {
    let all: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match &all[..] {
        [one] => one.clone(),
        all => format!("one of {}", all.join(", ")),
    }
}
