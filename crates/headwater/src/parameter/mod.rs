//! Metadata of model parameters: key, unit, range, default value and description. The macro
//! `parameters!` declares each parameter once. The resulting [table](Parameters::TABLE) is used by
//! validation, scene files, parameter editors and the reference documentation.

mod value;

pub use value::{Kind, ParameterValue, Value};

use crate::error::{InputError, format_number};

/// Interval of allowed numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Lower bound of the interval.
    pub low: f64,
    /// Upper bound of the interval.
    pub high: f64,
    /// Whether the lower bound is excluded from the range.
    pub open: bool,
    /// Key of the other parameter that determines a bound. Empty if the bounds are constant.
    pub depends_on: &'static str,
}

impl Range {
    /// Range of all finite numbers.
    pub const ANY: Self = Self::new(f64::MIN, f64::MAX);

    /// Smallest number in a range that excludes 0. Squares and reciprocals of much smaller numbers
    /// would underflow or overflow.
    pub const MIN_POSITIVE: f64 = 1e-9;

    /// Creates a range that includes both of its bounds.
    pub const fn new(low: f64, high: f64) -> Self {
        Self { low, high, open: false, depends_on: "" }
    }

    /// Creates a range from 0, excluded, to `high`, included. Numbers below
    /// [`MIN_POSITIVE`](Self::MIN_POSITIVE) are also excluded.
    pub const fn above_zero(high: f64) -> Self {
        Self { low: 0.0, high, open: true, depends_on: "" }
    }

    /// Returns a copy of this range with the key of the other parameter that determines a bound.
    pub const fn depends_on(self, key: &'static str) -> Self {
        Self { depends_on: key, ..self }
    }

    /// Returns whether a number is in the range. NaN is never in the range.
    pub fn contains(&self, v: f64) -> bool {
        v >= self.min() && v <= self.high
    }

    /// Returns the smallest number in the range. This is `low`, or a slightly larger number if
    /// `low` is excluded.
    pub fn min(&self) -> f64 {
        if self.open { (self.low + Self::MIN_POSITIVE).min(self.high) } else { self.low }
    }

    /// Returns a description of the range for messages, such as "above 0 up to 10 m".
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

    /// Checks that a number is in the range. `what` is the name of the number and `unit` its unit,
    /// both for the error message.
    ///
    /// # Errors
    /// Returns an [`InputError`] that contains `what` if the number is out of range.
    pub fn check(
        &self,
        what: impl Into<std::borrow::Cow<'static, str>>,
        found: f64,
        unit: &str,
    ) -> Result<(), InputError> {
        if self.contains(found) {
            Ok(())
        } else {
            // If the number lies slightly above the excluded bound, the message states the smallest
            // allowed number instead of the bound.
            let nearly = self.open && found > self.low && found < self.high;
            let closed = Self { low: self.min(), open: false, ..*self };
            let range = if nearly { closed } else { *self };
            Err(InputError::new(what, format_number(found), range.text(unit)))
        }
    }
}

/// Whether a parameter can be changed after the model has been created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutability {
    /// The parameter can be changed while the model runs.
    Live,
    /// The parameter can be set only when the model is created.
    Fixed,
}

/// Metadata of one parameter, which is stored in a field of the struct `T`.
pub struct Parameter<T: 'static> {
    /// Key of the parameter, which is the name of its field.
    pub key: &'static str,
    /// Short label of the parameter in a user interface.
    pub label: &'static str,
    /// Unit of the parameter, or "1" or an empty string if it is dimensionless.
    pub unit: &'static str,
    /// Description of the parameter in one or more sentences.
    pub doc: &'static str,
    /// Type of the parameter's value.
    pub kind: Kind,
    /// Function that returns the range of allowed values, which can depend on other parameters.
    pub allowed: fn(&T) -> Range,
    /// Lower and upper end of a slider for the parameter.
    pub slider_range: [f64; 2],
    /// Whether the parameter can be changed after the model has been created.
    pub mutability: Mutability,
    /// Function that returns the current value of the parameter.
    pub get: fn(&T) -> Value,
    /// Function that sets the value of the parameter without checking its range. It returns false
    /// if the type of the value is wrong.
    pub set: fn(&mut T, &Value) -> bool,
}

impl<T> Parameter<T> {
    /// Checks a value for this parameter. `all` holds the values of all parameters, on which the
    /// allowed range can depend.
    ///
    /// # Errors
    /// Returns an [`InputError`] that contains the key of the parameter if the value has the wrong
    /// type or is out of range.
    pub fn check(&self, all: &T, value: &Value) -> Result<(), InputError> {
        if !self.kind.accepts(value) {
            return Err(InputError::new(self.key, value, self.kind.text()));
        }
        let allowed = (self.allowed)(all);
        value.numbers().iter().try_for_each(|&v| allowed.check(self.key, v, self.unit))
    }

    /// Returns the metadata of this parameter together with its value in `all`. `prefix` is the key
    /// of the enclosing table, which is prepended to the key with a dot unless it is empty.
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
            // If the allowed range depends on other values, it can be narrower than the slider
            // range.
            slider_range: self.slider_range.map(|end| end.max(allowed.low).min(allowed.high)),
            mutability: self.mutability,
            value: (self.get)(all),
        }
    }
}

/// Metadata and current value of a parameter, for display in a user interface or in documentation.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Key of the parameter with the keys of the enclosing tables, such as `physics.manning`.
    pub key: String,
    /// Short label of the parameter in a user interface.
    pub label: &'static str,
    /// Unit of the parameter, or "1" or an empty string if it is dimensionless.
    pub unit: &'static str,
    /// Description of the parameter in one or more sentences.
    pub doc: &'static str,
    /// Type of the parameter's value.
    pub kind: Kind,
    /// Range of allowed values, given the current values of the other parameters.
    pub allowed: Range,
    /// Lower and upper end of a slider for the parameter.
    pub slider_range: [f64; 2],
    /// Whether the parameter can be changed after the model has been created.
    pub mutability: Mutability,
    /// Current value of the parameter.
    pub value: Value,
}

/// Struct whose fields are model parameters. The macro `parameters!` implements this trait.
pub trait Parameters: Clone + 'static {
    /// Metadata of all parameters, in the order of their fields.
    const TABLE: &'static [Parameter<Self>];

    /// Keys of the parameters without a useful default value. Every scene file must set these
    /// parameters.
    const REQUIRED: &'static [&'static str];

    /// Returns an instance in which all parameters have their default values.
    fn defaults() -> Self;

    /// Checks that all parameters are in their ranges.
    ///
    /// # Errors
    /// Returns an [`InputError`] for the first parameter that is out of range.
    fn check(&self) -> Result<(), InputError> {
        Self::TABLE.iter().try_for_each(|one| one.check(self, &(one.get)(self)))
    }

    /// Checks that all parameters that cannot be changed after creation are equal in `self`, the
    /// new parameters, and in `now`, the parameters of the running model.
    ///
    /// # Errors
    /// Returns an [`InputError`] for the first such parameter that differs.
    fn check_change(&self, now: &Self) -> Result<(), InputError> {
        let fixed = Self::TABLE.iter().filter(|one| one.mutability == Mutability::Fixed);
        let mut changed = fixed.filter(|one| (one.get)(self) != (one.get)(now));
        changed.next().map_or(Ok(()), |one| Err(InputError::immutable(one.key)))
    }

    /// Returns the metadata of the parameter with the given key, or `None` if there is no such
    /// parameter.
    fn parameter(key: &str) -> Option<&'static Parameter<Self>> {
        Self::TABLE.iter().find(|one| one.key == key)
    }

    /// Returns a copy of the parameters in which the parameter `key` has the given value. The other
    /// values are not checked.
    ///
    /// # Errors
    /// Returns [`InputError`] if there is no parameter with this key, or if the value is invalid.
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

    /// Returns the metadata and the values of all parameters. `prefix` is the key of the enclosing
    /// table, which is prepended to each key with a dot unless it is empty.
    fn settings(&self, prefix: &str) -> Vec<Setting> {
        Self::TABLE.iter().map(|one| one.describe(self, prefix)).collect()
    }
}

/// Declares a struct of model parameters. Each field has a doc comment, a type, a default value and
/// [metadata](Parameter). The struct can also have fields that are not parameters.
///
/// ```text
/// parameters! {
///     /// Parameters of the motion.
///     #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
///     #[serde(default, deny_unknown_fields)]
///     pub struct Params {
///         /// Damping rate of waves.
///         damping: f64 = 0.2; Live, "damping", "1/s", |_| Range::new(0.0, 1e4), [0.0, 3.0];
///         /// True if long waves are faster than short ones.
///         dispersion: bool = false; Live, "dispersion";
///     }
///     // Parameters that a scene must set.
///     required { damping }
///     // Fields that are not parameters, such as nested structs.
///     and {
///         /// Boundary conditions.
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

/// Declares an enum whose variants have names that are used in scene files and as values of
/// parameters.
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
            /// All variants with their names, in the order of declaration.
            pub const ALL: &'static [(&'static str, Self)] = &[$(($word, Self::$variant),)+];

            /// Returns the name of this variant, as used in scene files.
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
#[allow(unreachable_pub, reason = "the macros declare public items")]
mod tests {
    use super::*;
    use serde::{Deserialize, Serialize};

    choices! {
        /// Enum for the tests of the macro `choices!`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Rule {
            /// First variant.
            First = "first",
            /// Second variant, whose name differs from that in Rust.
            Second = "second-best",
        }
    }

    parameters! {
        /// Parameters for the tests of the macro `parameters!`.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Numbers {
            /// Number with a constant range.
            least: f64 = 1.0; Live, "least", "m", |_| Range::above_zero(10.0), [0.1, 2.0];
            /// Number whose range depends on `least`.
            most: f64 = 2.0; Live, "most", "m",
                |all| Range::new(all.least, 10.0).depends_on("least"), [0.1, 2.0];
            /// Integer that cannot be changed after creation.
            count: u32 = 3; Fixed, "count", "", |_| Range::new(1.0, 8.0), [1.0, 8.0];
            /// Enum that cannot be changed after creation.
            rule: Rule = Rule::First; Fixed, "rule";
            /// Optional number.
            limit: Option<f64> = None; Live, "limit", "s", |_| Range::above_zero(1e4), [0.0, 1.0];
        }
        and {
            /// A field that is not a parameter.
            rest: Vec<u8> = Vec::new();
        }
    }

    #[test]
    fn values_are_checked_against_the_table() {
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
