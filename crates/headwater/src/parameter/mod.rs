//! Metadata of model parameters: key, unit, range, default and description. The macro `parameters!`
//! declares a parameter once, in a [table](Parameters::TABLE) that validation, scene files,
//! inspectors and the reference share.

mod value;

pub use value::{Kind, ParameterValue, Value};

use crate::error::{InputError, format_number};

/// Interval of numbers that are allowed for a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Lower bound of the interval.
    pub low: f64,
    /// Upper bound of the interval.
    pub high: f64,
    /// Whether the lower bound is excluded from the interval.
    pub excludes_low: bool,
    /// Key of another parameter whose value determines one of the bounds; empty if both bounds are
    /// constant.
    pub depends_on: &'static str,
}

impl Range {
    /// Range that contains all finite numbers.
    pub const ANY: Self = Self::new(f64::MIN, f64::MAX);

    /// Smallest number allowed in a range that excludes its lower bound 0. The squares or
    /// reciprocals of much smaller numbers would underflow or overflow.
    pub const MIN_POSITIVE: f64 = 1e-9;

    /// Creates a range from `low` to `high` that includes both bounds.
    pub const fn new(low: f64, high: f64) -> Self {
        Self { low, high, excludes_low: false, depends_on: "" }
    }

    /// Creates a range from 0 (excluded) to `high` (included). Numbers below
    /// [`MIN_POSITIVE`](Self::MIN_POSITIVE) are excluded too.
    pub const fn above_zero(high: f64) -> Self {
        Self { low: 0.0, high, excludes_low: true, depends_on: "" }
    }

    /// Returns a copy of the range in which `depends_on` is `key`, the key of another parameter
    /// whose value determines one of the bounds.
    pub const fn depends_on(self, key: &'static str) -> Self {
        Self { depends_on: key, ..self }
    }

    /// Returns whether a number is in the range. Returns false for NaN.
    pub fn contains(&self, v: f64) -> bool {
        v >= self.min() && v <= self.high
    }

    /// Returns the smallest number in the range: `low`, or a slightly larger number if `low` is
    /// excluded.
    pub fn min(&self) -> f64 {
        if self.excludes_low { (self.low + Self::MIN_POSITIVE).min(self.high) } else { self.low }
    }

    /// Returns a description of the range in words, with the given unit, for messages.
    pub fn description(&self, unit: &str) -> String {
        let Self { low, high, excludes_low, depends_on } = *self;
        let mut text = match (excludes_low, low, high) {
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

    /// Checks that the number `found` is in the range. `name` is the name of the number and `unit`
    /// is its unit, for the error message.
    ///
    /// # Errors
    /// Returns an [`InputError`] that contains `name` if the number is out of range.
    pub fn check(
        &self,
        name: impl Into<std::borrow::Cow<'static, str>>,
        found: f64,
        unit: &str,
    ) -> Result<(), InputError> {
        if self.contains(found) {
            Ok(())
        } else {
            // For a number slightly above the excluded bound, the message states the smallest
            // allowed number.
            let nearly = self.excludes_low && found > self.low && found < self.high;
            let closed = Self { low: self.min(), excludes_low: false, ..*self };
            let range = if nearly { closed } else { *self };
            Err(InputError::new(name, format_number(found), range.description(unit)))
        }
    }
}

/// Mutability of a parameter: whether its value can change after the model has been created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutability {
    /// The parameter can change at any time while the model runs.
    Live,
    /// The parameter is fixed when the model is created.
    Fixed,
}

/// Metadata of one parameter of a model. The parameter is a field of the struct `T`.
pub struct Parameter<T: 'static> {
    /// Key of the parameter: the name of its field in `T`.
    pub key: &'static str,
    /// Short label of the parameter in user interfaces.
    pub label: &'static str,
    /// Unit of the value; empty if the value is dimensionless.
    pub unit: &'static str,
    /// Description of the parameter in a few sentences.
    pub doc: &'static str,
    /// Type of the parameter's value.
    pub kind: Kind,
    /// Function that returns the range of allowed values, which may depend on other parameters.
    pub allowed: fn(&T) -> Range,
    /// Lowest and highest useful value: the range that a slider for the parameter spans.
    pub slider_range: [f64; 2],
    /// Mutability of the parameter: live, or fixed when the model is created.
    pub mutability: Mutability,
    /// Function that returns the current value of the parameter.
    pub get: fn(&T) -> Value,
    /// Function that sets the value of the parameter without a range check. It returns false if the
    /// value has another type.
    pub set: fn(&mut T, &Value) -> bool,
}

impl<T> Parameter<T> {
    /// Checks a value for this parameter. `all` contains the values of all parameters, on which the
    /// allowed range may depend.
    ///
    /// # Errors
    /// Returns [`InputError`] that names the key if the value has the wrong type or is out of
    /// range.
    pub fn check(&self, all: &T, value: &Value) -> Result<(), InputError> {
        if !self.kind.accepts(value) {
            return Err(InputError::new(self.key, value, self.kind.description()));
        }
        let allowed = (self.allowed)(all);
        value.numbers().iter().try_for_each(|&v| allowed.check(self.key, v, self.unit))
    }

    /// Returns the metadata of this parameter together with its current value, which is read from
    /// `all`, the values of all parameters. `prefix` is prepended to the key.
    pub fn to_setting(&self, all: &T, prefix: &str) -> Setting {
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
            // Bounds that depend on other values may be narrower than the slider range.
            slider_range: self.slider_range.map(|end| end.max(allowed.low).min(allowed.high)),
            mutability: self.mutability,
            value: (self.get)(all),
        }
    }
}

/// Metadata and current value of a parameter, for display in user interfaces.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Key of the parameter, with the keys of its parent tables as a prefix, such as
    /// `physics.manning`.
    pub key: String,
    /// Short label of the parameter in user interfaces.
    pub label: &'static str,
    /// Unit of the value; empty if the value is dimensionless.
    pub unit: &'static str,
    /// Description of the parameter in a few sentences.
    pub doc: &'static str,
    /// Type of the parameter's value.
    pub kind: Kind,
    /// Range of allowed values, for the current values of the other parameters.
    pub allowed: Range,
    /// Lowest and highest useful value: the range that a slider for the parameter spans.
    pub slider_range: [f64; 2],
    /// Mutability of the parameter: live, or fixed when the model is created.
    pub mutability: Mutability,
    /// Current value of the parameter.
    pub value: Value,
}

/// Struct whose fields are parameters of a model, declared with `parameters!`.
pub trait Parameters: Clone + 'static {
    /// Metadata of all parameters, in declaration order.
    const TABLE: &'static [Parameter<Self>];

    /// Keys of the parameters that have no sensible default and must be set by every scene.
    const REQUIRED: &'static [&'static str];

    /// Returns the default values of all parameters.
    fn defaults() -> Self;

    /// Checks that the value of every parameter is in its allowed range.
    ///
    /// # Errors
    /// Returns [`InputError`] for the first parameter that is out of range.
    fn check(&self) -> Result<(), InputError> {
        Self::TABLE.iter().try_for_each(|one| one.check(self, &(one.get)(self)))
    }

    /// Checks that all fixed parameters have the same values as in `current`, the parameters of the
    /// running model.
    ///
    /// # Errors
    /// Returns [`InputError`] for the first parameter that differs.
    fn check_fixed_unchanged(&self, current: &Self) -> Result<(), InputError> {
        let fixed = Self::TABLE.iter().filter(|one| one.mutability == Mutability::Fixed);
        let mut changed = fixed.filter(|one| (one.get)(self) != (one.get)(current));
        changed.next().map_or(Ok(()), |one| Err(InputError::immutable_parameter(one.key)))
    }

    /// Returns the metadata of the parameter with the given key; `None` if the key is unknown.
    fn parameter(key: &str) -> Option<&'static Parameter<Self>> {
        Self::TABLE.iter().find(|one| one.key == key)
    }

    /// Returns a copy of the parameters with the value of the parameter `key` changed. Other values
    /// are not checked.
    ///
    /// # Errors
    /// Returns [`InputError`] if the key is unknown or the new value is invalid.
    fn with_value(&self, key: &str, value: &Value) -> Result<Self, InputError> {
        let Some(one) = Self::parameter(key) else {
            let keys: Vec<_> = Self::TABLE.iter().map(|one| one.key).collect();
            return Err(InputError::new("a parameter's key", key, keys.join(", ")));
        };
        let mut changed = self.clone();
        one.check(self, value)?;
        (one.set)(&mut changed, value);
        Ok(changed)
    }

    /// Returns the metadata and values of all parameters. `prefix` is prepended to the keys.
    fn settings(&self, prefix: &str) -> Vec<Setting> {
        Self::TABLE.iter().map(|one| one.to_setting(self, prefix)).collect()
    }
}

/// Declares a struct of parameters: fields with docs, types, defaults and [metadata](Parameter),
/// and optionally fields that are not parameters.
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

/// Declares an enum and the names of its variants in scene files and parameters.
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
            /// All variants with their names, in declaration order.
            pub const ALL: &'static [(&'static str, Self)] = &[$(($word, Self::$variant),)+];

            /// Returns the name of the variant in scene files.
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
        /// Enum with two variants, for the tests.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum TestRule {
            /// Variant with a name of one word.
            First = "first",
            /// Variant with a hyphenated name.
            Second = "second-best",
        }
    }

    parameters! {
        /// Parameters of every type, for the tests.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct TestParameters {
            /// Lower limit (m), less than `upper`.
            lower: f64 = 1.0; Live, "lower", "m", |_| Range::above_zero(10.0), [0.1, 2.0];
            /// Upper limit (m), greater than `lower`.
            upper: f64 = 2.0; Live, "upper", "m",
                |all| Range::new(all.lower, 10.0).depends_on("lower"), [0.1, 2.0];
            /// Number of items.
            count: u32 = 3; Fixed, "count", "", |_| Range::new(1.0, 8.0), [1.0, 8.0];
            /// Variant in use.
            rule: TestRule = TestRule::First; Fixed, "rule";
            /// Optional limit (s).
            limit: Option<f64> = None; Live, "limit", "s", |_| Range::above_zero(1e4), [0.0, 1.0];
        }
        and {
            /// Field that is not a parameter.
            rest: Vec<u8> = Vec::new();
        }
    }

    #[test]
    fn values_are_checked_against_the_table() {
        let numbers = TestParameters::default();
        assert_eq!(numbers.check(), Ok(()));
        let text = |numbers: &TestParameters| numbers.check().map_err(|error| error.to_string());
        let found = text(&TestParameters { lower: 0.0, ..numbers.clone() });
        assert_eq!(found, Err("lower: found 0, allowed is above 0 up to 10 m".into()));
        let found = text(&TestParameters { upper: 0.5, ..numbers.clone() });
        assert_eq!(found, Err("upper: found 0.5, allowed is 1 to 10 m (`lower`)".into()));
        assert!(TestParameters { limit: Some(f64::NAN), ..numbers.clone() }.check().is_err());
        let other = TestParameters { count: 4, lower: 1.5, ..numbers.clone() };
        let error = other.check_fixed_unchanged(&numbers).map_err(|error| error.what);
        assert_eq!(error, Err("count".into()));
    }

    #[test]
    fn parameters_are_set_by_name() {
        let numbers = TestParameters::default();
        let set = |key, value| numbers.with_value(key, &value);
        assert_eq!(set("lower", Value::Number(1.5)).map(|all| all.lower), Ok(1.5));
        assert_eq!(set("count", Value::Number(5.0)).map(|all| all.count), Ok(5));
        let rule = set("rule", Value::Choice("second-best".into()));
        assert_eq!(rule.map(|all| all.rule), Ok(TestRule::Second));
        for (key, value) in [
            ("lest", Value::Number(1.0)),
            ("lower", Value::Bool(true)),
            ("count", Value::Number(1.5)),
            ("rule", Value::Choice("third".into())),
        ] {
            assert!(set(key, value.clone()).is_err(), "{key} {value}");
        }
        assert_eq!(set("limit", Value::Number(2.0)).map(|all| all.limit), Ok(Some(2.0)));
    }
}
