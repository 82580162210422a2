//! Parameters: key, unit, range, default, liveness and purpose, declared once by `parameters!` with
//! a [table](Parameters::TABLE), for checks, scenes, inspectors and the reference.

mod value;

pub use value::{Kind, ParameterValue, Value};

use crate::error::{InputError, format_number};

/// What a number may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// Whether `low` itself is left out.
    pub open: bool,
    /// What a bound follows from, where that is another value: its key, or nothing.
    pub depends_on: &'static str,
}

impl Range {
    /// Any finite number.
    pub const ANY: Self = Self::new(f64::MIN, f64::MAX);

    /// The least number of a range without 0: far below it, squares and reciprocals are no numbers.
    pub const MIN_POSITIVE: f64 = 1e-9;

    /// From `low` to `high`.
    pub const fn new(low: f64, high: f64) -> Self {
        Self { low, high, open: false, depends_on: "" }
    }

    /// Above 0, up to `high`. What is under [`MIN_POSITIVE`](Self::MIN_POSITIVE) counts as 0.
    pub const fn above_zero(high: f64) -> Self {
        Self { low: 0.0, high, open: true, depends_on: "" }
    }

    /// The same, with the key of the value that a bound follows from.
    pub const fn depends_on(self, key: &'static str) -> Self {
        Self { depends_on: key, ..self }
    }

    /// Whether a number lies in it. NaN lies in none.
    pub fn contains(&self, v: f64) -> bool {
        v >= self.min() && v <= self.high
    }

    /// The least number in it: `low` itself, or the one above it where that is left out.
    pub fn min(&self) -> f64 {
        if self.open { (self.low + Self::MIN_POSITIVE).min(self.high) } else { self.low }
    }

    /// It in words, with a unit.
    pub fn text(&self, unit: &str) -> String {
        let Self { low, high, open, depends_on } = *self;
        let mut text = match (open, low, high) {
            (_, f64::MIN, f64::MAX) => "any finite number".to_owned(),
            (true, low, high) => {
                format!("above {} up to {}", format_number(low), format_number(high))
            }
            (false, low, high) => format!("{} to {}", format_number(low), format_number(high)),
        };
        if !matches!(unit, "" | "1") {
            text += " ";
            text += unit;
        }
        if depends_on.is_empty() { text } else { format!("{text} (`{depends_on}`)") }
    }

    /// Checks a number.
    ///
    /// # Errors
    /// [`InputError`] about `what` if it lies outside.
    pub fn check(
        &self,
        what: impl Into<std::borrow::Cow<'static, str>>,
        found: f64,
        unit: &str,
    ) -> Result<(), InputError> {
        if self.contains(found) {
            Ok(())
        } else {
            // A number that is nearly the bound should not read as if it were allowed.
            let nearly = self.open && found > self.low && found < self.high;
            let closed = Self { low: self.min(), open: false, ..*self };
            let range = if nearly { closed } else { *self };
            Err(InputError::new(what, format_number(found), range.text(unit)))
        }
    }
}

/// Whether a parameter may change while the world runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutability {
    /// It may.
    Live,
    /// It belongs to the world from its start.
    Fixed,
}

/// What there is to know of one parameter of the struct `T`.
pub struct Parameter<T: 'static> {
    /// Its key: the name of its field.
    pub key: &'static str,
    /// A word or two for a slider.
    pub label: &'static str,
    /// Its unit; empty for none.
    pub unit: &'static str,
    /// What it is, in a few sentences.
    pub doc: &'static str,
    /// How it is written.
    pub kind: Kind,
    /// What is allowed, beside the other values.
    pub allowed: fn(&T) -> Range,
    /// What is comfortable: a slider's range.
    pub slider_range: [f64; 2],
    /// Whether it may change while the world runs.
    pub mutability: Mutability,
    /// Its value.
    pub get: fn(&T) -> Value,
    /// Sets its value, unchecked; false if the value is of another kind.
    pub set: fn(&mut T, &Value) -> bool,
}

impl<T> Parameter<T> {
    /// Checks a value that the parameter of `all` has or is to have.
    ///
    /// # Errors
    /// [`InputError`] about its key if the value is out of its range.
    pub fn check(&self, all: &T, value: &Value) -> Result<(), InputError> {
        if !self.kind.holds(value) {
            return Err(InputError::new(self.key, value, self.kind.text()));
        }
        let allowed = (self.allowed)(all);
        value.numbers().iter().try_for_each(|&v| allowed.check(self.key, v, self.unit))
    }

    /// What there is to know of it in `all`, where it stands under the key `prefix`.
    pub fn describe(&self, all: &T, prefix: &str) -> Setting {
        let key =
            if prefix.is_empty() { self.key.to_owned() } else { format!("{prefix}.{}", self.key) };
        let allowed = (self.allowed)(all);
        Setting {
            key,
            label: self.label,
            unit: self.unit,
            doc: self.doc.trim(),
            kind: self.kind,
            allowed,
            // Where bounds follow from other values, a slider may have to stop earlier.
            slider_range: self.slider_range.map(|end| end.max(allowed.low).min(allowed.high)),
            mutability: self.mutability,
            value: (self.get)(all),
        }
    }
}

/// What there is to know of a parameter, and its value: a row of an inspector or of the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Its key, with those of the tables it stands in: `physics.manning`.
    pub key: String,
    /// A word or two for a slider.
    pub label: &'static str,
    /// Its unit; empty for none.
    pub unit: &'static str,
    /// What it is, in a few sentences.
    pub doc: &'static str,
    /// How it is written.
    pub kind: Kind,
    /// What is allowed, beside the other values as they are.
    pub allowed: Range,
    /// What is comfortable: a slider's range.
    pub slider_range: [f64; 2],
    /// Whether it may change while the world runs.
    pub mutability: Mutability,
    /// As it is.
    pub value: Value,
}

/// A struct of parameters.
pub trait Parameters: Clone + 'static {
    /// All of them, in the order of their fields.
    const TABLE: &'static [Parameter<Self>];

    /// The keys of those for which no value of their own is sensible: a scene must say them.
    const REQUIRED: &'static [&'static str];

    /// The values that they have by themselves.
    fn defaults() -> Self;

    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// [`InputError`] names the first that is out of its range.
    fn check(&self) -> Result<(), InputError> {
        Self::TABLE.iter().try_for_each(|one| one.check(self, &(one.get)(self)))
    }

    /// Checks that nothing differs from `now` that may not change while a world runs.
    ///
    /// # Errors
    /// [`InputError`] names the first that does.
    fn check_change(&self, now: &Self) -> Result<(), InputError> {
        let fixed = Self::TABLE.iter().filter(|one| one.mutability == Mutability::Fixed);
        let mut moved = fixed.filter(|one| (one.get)(self) != (one.get)(now));
        moved.next().map_or(Ok(()), |one| Err(InputError::immutable(one.key)))
    }

    /// The parameter of a key.
    fn parameter(key: &str) -> Option<&'static Parameter<Self>> {
        Self::TABLE.iter().find(|one| one.key == key)
    }

    /// The same parameters with another value of one.
    ///
    /// # Errors
    /// [`InputError`] if there is no such key, or the value is not for it. Other values are not checked.
    fn with(&self, key: &str, value: &Value) -> Result<Self, InputError> {
        let Some(one) = Self::parameter(key) else {
            let keys: Vec<_> = Self::TABLE.iter().map(|one| one.key).collect();
            return Err(InputError::new("a parameter's key", key, keys.join(", ")));
        };
        let mut changed = self.clone();
        one.check(self, value)?;
        (one.set)(&mut changed, value);
        Ok(changed)
    }

    /// Settings of all of them, with keys under `prefix`.
    fn settings(&self, prefix: &str) -> Vec<Setting> {
        Self::TABLE.iter().map(|one| one.describe(self, prefix)).collect()
    }
}

/// Declares a struct of parameters: fields with docs, types, defaults, and what [`Parameter`] says of them.
///
/// ```text
/// parameters! {
///     /// How it moves.
///     #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
///     #[serde(default, deny_unknown_fields)]
///     pub struct Params {
///         /// How fast waves fade.
///         damping: f64 = 0.2; Live, "damping", "1/s", |_| Range::new(0.0, 1e4), [0.0, 3.0];
///         /// Whether long waves outrun short ones.
///         dispersion: bool = false; Live, "dispersion";
///     }
///     // Those without which a scene means nothing.
///     needs { damping }
///     // Fields that are in no table, such as other structs.
///     and {
///         /// What the sides do.
///         edges: Edges = Edges::default();
///     }
/// }
/// ```
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $(
                $(#[doc = $doc:literal])+
                $field:ident: $type:ty = $default:expr;
                $change:ident, $label:literal
                $(, $unit:literal, $allowed:expr, $slider_range:expr)?;
            )*
        }
        $(required { $($needed:ident),+ })?
        $(and {
            $( $(#[$more_meta:meta])+ $more:ident: $more_type:ty = $more_default:expr; )*
        })?
    ) => {
        $(#[$meta])*
        pub struct $name {
            $(
                $(#[doc = $doc])+
                $(#[doc = concat!("\n\nUnit: ", $unit, ". Allowed: `", stringify!($allowed), "`.")])?
                #[doc = concat!("\n\nDefault: `", stringify!($default), "`.")]
                pub $field: $type,
            )*
            $($( $(#[$more_meta])+ pub $more: $more_type, )*)?
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* $($($more: $more_default,)*)? }
            }
        }

        impl $crate::parameter::Parameters for $name {
            const TABLE: &'static [$crate::parameter::Parameter<Self>] = &[$(
                $crate::parameter::Parameter {
                    key: stringify!($field),
                    label: $label,
                    unit: $crate::parameter::unit_or_none!($($unit)?),
                    doc: concat!($($doc,)+),
                    kind: <$type as $crate::parameter::ParameterValue>::KIND,
                    allowed: $crate::parameter::range_or_any!($($allowed)?),
                    slider_range: $crate::parameter::slider_range_or_unit!($($slider_range)?),
                    mutability: $crate::parameter::Mutability::$change,
                    get: |all| $crate::parameter::ParameterValue::value(&all.$field),
                    set: |all, value| {
                        let stored = <$type as $crate::parameter::ParameterValue>::from_value(value);
                        stored.map(|stored| all.$field = stored).is_some()
                    },
                },
            )*];

            const REQUIRED: &'static [&'static str] = &[$($(stringify!($needed)),+)?];

            fn defaults() -> Self {
                Self::default()
            }
        }
    };
}

macro_rules! unit_or_none {
    () => {
        ""
    };
    ($unit:literal) => {
        $unit
    };
}

macro_rules! range_or_any {
    () => {
        |_| $crate::parameter::Range::ANY
    };
    ($allowed:expr) => {
        $allowed
    };
}

macro_rules! slider_range_or_unit {
    () => {
        [0.0, 1.0]
    };
    ($slider_range:expr) => {
        $slider_range
    };
}

/// Declares an enum of choices with the words by which scenes and parameters name them.
macro_rules! choices {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $( $(#[$variant_meta:meta])+ $variant:ident = $word:literal, )+
        }
    ) => {
        $(#[$meta])*
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $name {
            $( $(#[$variant_meta])+ #[serde(rename = $word)] $variant, )+
        }

        impl $name {
            /// Every choice by its word, in their order.
            pub const ALL: &'static [(&'static str, Self)] = &[$(($word, Self::$variant),)+];

            /// The word for it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl $crate::parameter::ParameterValue for $name {
            const KIND: $crate::parameter::Kind = $crate::parameter::Kind::Choice(&[$($word),+]);

            fn value(&self) -> $crate::parameter::Value {
                $crate::parameter::Value::Choice(self.name().into())
            }

            fn from_value(value: &$crate::parameter::Value) -> Option<Self> {
                let $crate::parameter::Value::Choice(word) = value else { return None };
                Self::ALL.iter().find(|(name, _)| name == word).map(|&(_, one)| one)
            }
        }
    };
}

pub(crate) use {choices, parameters, range_or_any, slider_range_or_unit, unit_or_none};

#[cfg(test)]
#[allow(unreachable_pub, reason = "what the macros declare is public")]
mod tests {
    use super::*;
    use serde::{Deserialize, Serialize};

    choices! {
        /// A rule.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Rule {
            /// One.
            First = "first",
            /// Another.
            Second = "second-best",
        }
    }

    parameters! {
        /// Some numbers.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Numbers {
            /// The least.
            least: f64 = 1.0; Live, "least", "m", |_| Range::above_zero(10.0), [0.1, 2.0];
            /// The most.
            most: f64 = 2.0; Live, "most", "m",
                |all| Range::new(all.least, 10.0).depends_on("least"), [0.1, 2.0];
            /// How many.
            count: u32 = 3; Fixed, "count", "", |_| Range::new(1.0, 8.0), [1.0, 8.0];
            /// Which.
            rule: Rule = Rule::First; Fixed, "rule";
            /// Maybe.
            limit: Option<f64> = None; Live, "limit", "s", |_| Range::above_zero(1e4), [0.0, 1.0];
        }
        and {
            /// Something else.
            rest: Vec<u8> = Vec::new();
        }
    }

    #[test]
    fn a_table_checks_what_it_says() {
        let numbers = Numbers::default();
        assert_eq!(numbers.check(), Ok(()));
        let text = |numbers: &Numbers| numbers.check().map_err(|error| error.to_string());
        let found = text(&Numbers { least: 0.0, ..numbers.clone() });
        assert_eq!(found, Err("least: found 0, allowed is above 0 up to 10 m".into()));
        let found = text(&Numbers { most: 0.5, ..numbers.clone() });
        assert_eq!(found, Err("most: found 0.5, allowed is 1 to 10 m (`least`)".into()));
        assert!(Numbers { limit: Some(f64::NAN), ..numbers.clone() }.check().is_err());
        let other = Numbers { count: 4, least: 1.5, ..numbers.clone() };
        let error = other.check_change(&numbers).map_err(|error| error.what);
        assert_eq!(error, Err("count".into()));
    }

    #[test]
    fn parameters_are_set_by_name() {
        let numbers = Numbers::default();
        let set = |key, value| numbers.with(key, &value);
        assert_eq!(set("least", Value::Number(1.5)).map(|all| all.least), Ok(1.5));
        assert_eq!(set("count", Value::Number(5.0)).map(|all| all.count), Ok(5));
        let rule = set("rule", Value::Choice("second-best".into()));
        assert_eq!(rule.map(|all| all.rule), Ok(Rule::Second));
        for (key, value) in [
            ("lest", Value::Number(1.0)),
            ("least", Value::Bool(true)),
            ("count", Value::Number(1.5)),
            ("rule", Value::Choice("third".into())),
        ] {
            assert!(set(key, value.clone()).is_err(), "{key} {value}");
        }
        assert_eq!(set("limit", Value::Number(2.0)).map(|all| all.limit), Ok(Some(2.0)));
    }
}
