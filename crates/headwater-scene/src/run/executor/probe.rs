//! [`ProbeValue`]: a quantity sampled at a point of a world.

/// Quantity sampled at a point of a world.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProbeValue {
    /// Name of the quantity, such as `bed`.
    pub name: &'static str,
    /// Value in `unit`.
    pub value: f64,
    /// Unit; empty for dimensionless quantities.
    pub unit: &'static str,
    /// Name of the category if the value is one, such as a kind of plant or liquid.
    pub word: Option<String>,
}

pub(crate) fn number(name: &'static str, value: f64, unit: &'static str) -> ProbeValue {
    ProbeValue { name, value, unit, word: None }
}

pub(crate) fn word(name: &'static str, value: f64, word: &str) -> ProbeValue {
    ProbeValue { word: Some(word.to_owned()), ..number(name, value, "") }
}
