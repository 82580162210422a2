//! [`Value`], a dynamically typed value of a parameter, and [`Kind`], the type of such a value.

use crate::error::format_number;
use crate::series::Series;
use std::fmt;

/// Value of a parameter, independent of the Rust type in which the parameter is stored.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Value of an optional parameter that is not set.
    None,
    /// A number, which can be an integer.
    Number(f64),
    /// A Boolean value, `true` or `false`.
    Bool(bool),
    /// Name of a variant of an enum.
    Choice(String),
    /// A vector with an eastward and a southward component.
    Pair([f64; 2]),
    /// A number that varies with time.
    Series(Series),
}

impl Value {
    /// Returns the numbers that a range check must consider. For a series, these are its smallest
    /// and its largest value.
    pub fn numbers(&self) -> Vec<f64> {
        match self {
            Value::Number(v) => vec![*v],
            Value::Pair(pair) => pair.to_vec(),
            Value::Series(series) => <[f64; 2]>::from(series.value_range()).to_vec(),
            Value::None | Value::Bool(_) | Value::Choice(_) => Vec::new(),
        }
    }

    /// Returns the value as a number for a slider. A Boolean value becomes 0 or 1. Returns `None`
    /// if the value does not consist of a single number.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Value::Number(v) => Some(*v),
            Value::Bool(on) => Some(f64::from(u8::from(*on))),
            Value::Series(series) => match series.points() {
                [[_, v]] => Some(*v),
                _ => None,
            },
            Value::None | Value::Choice(_) | Value::Pair(_) => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::None => f.write_str("none"),
            Value::Number(v) => f.write_str(&format_number(*v)),
            Value::Bool(on) => write!(f, "{on}"),
            Value::Choice(word) => write!(f, "\"{word}\""),
            Value::Pair([x, y]) => write!(f, "[{}, {}]", format_number(*x), format_number(*y)),
            Value::Series(series) => write!(f, "{:?}", series.points()),
        }
    }
}

/// Type of the values that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number, which can be an integer.
    Number,
    /// A number that can be absent.
    OptionalNumber,
    /// A number without a fractional part.
    Integer,
    /// A Boolean value, `true` or `false`.
    Bool,
    /// A variant of an enum, given by its name. The slice lists the names of all variants.
    Choice(&'static [&'static str]),
    /// A vector with an eastward and a southward component.
    Pair,
    /// A time series, given as a number or as a list of `[seconds, value]` points.
    Series,
    /// A time series that can be absent.
    OptionalSeries,
}

impl Kind {
    /// Returns whether a value has this type.
    pub fn accepts(self, value: &Value) -> bool {
        match (self, value) {
            (Kind::OptionalNumber | Kind::OptionalSeries, Value::None)
            | (
                Kind::Number | Kind::OptionalNumber | Kind::Series | Kind::OptionalSeries,
                Value::Number(_),
            )
            | (Kind::Bool, Value::Bool(_))
            | (Kind::Pair, Value::Pair(_))
            | (Kind::Series | Kind::OptionalSeries, Value::Series(_)) => true,
            (Kind::Integer, Value::Number(v)) => v.fract() == 0.0,
            (Kind::Choice(words), Value::Choice(word)) => words.contains(&word.as_str()),
            _ => false,
        }
    }

    /// Returns a description of the type for error messages and for the reference documentation.
    pub fn description(self) -> String {
        match self {
            Kind::Number | Kind::OptionalNumber => "a number".into(),
            Kind::Integer => "a whole number".into(),
            Kind::Bool => "true or false".into(),
            Kind::Choice(words) => {
                let quoted: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
                quoted.join(", ")
            }
            Kind::Pair => "two numbers".into(),
            Kind::Series | Kind::OptionalSeries => "a number or a list of [seconds, value]".into(),
        }
    }
}

/// Rust type in which a parameter can be stored. Its values can be converted to and from [`Value`].
pub trait ParameterValue: Sized {
    /// Kind of the [`Value`]s to which this Rust type is converted.
    const KIND: Kind;

    /// Converts this value to a [`Value`].
    fn value(&self) -> Value;

    /// Converts a [`Value`] to this Rust type. Returns `None` if the value has a different type.
    fn from_value(value: &Value) -> Option<Self>;
}

impl<T: ParameterValue> ParameterValue for Option<T> {
    const KIND: Kind = match T::KIND {
        Kind::Number => Kind::OptionalNumber,
        Kind::Series => Kind::OptionalSeries,
        _ => panic!("only numbers and series can be optional"),
    };

    fn value(&self) -> Value {
        self.as_ref().map_or(Value::None, T::value)
    }

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::None => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

impl ParameterValue for Series {
    const KIND: Kind = Kind::Series;

    fn value(&self) -> Value {
        Value::Series(self.clone())
    }

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Number(v) => Some(Series::from(*v)),
            Value::Series(series) => Some(series.clone()),
            _ => None,
        }
    }
}

macro_rules! plain {
    ($($type:ty: $kind:ident;)+) => {$(
        impl ParameterValue for $type {
            const KIND: Kind = Kind::$kind;

            fn value(&self) -> Value {
                Value::$kind(*self)
            }

            fn from_value(value: &Value) -> Option<Self> {
                if let Value::$kind(value) = value { Some(*value) } else { None }
            }
        }
    )+};
}

plain! {
    f64: Number;
    bool: Bool;
    [f64; 2]: Pair;
}

macro_rules! whole {
    ($($type:ty)+) => {$(
        impl ParameterValue for $type {
            const KIND: Kind = Kind::Integer;

            fn value(&self) -> Value {
                Value::Number(*self as f64)
            }

            fn from_value(value: &Value) -> Option<Self> {
                let Value::Number(v) = value else { return None };
                // The cast saturates and truncates, so its result is compared with the original
                // number.
                let cast = *v as $type;
                (cast as f64 == *v).then_some(cast)
            }
        }
    )+};
}

whole!(u16 u32 u64 usize);
