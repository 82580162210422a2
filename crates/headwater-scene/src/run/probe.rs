//! [`ProbeValue`]: sample of a quantity at a point.

/// Quantity at a point.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProbeValue {
    /// Name, such as `bed`.
    pub name: &'static str,
    /// Value.
    pub value: f64,
    /// Unit; empty for none.
    pub unit: &'static str,
    /// Category name, such as the kind of plant or liquid.
    pub word: Option<String>,
}

pub(crate) fn number(name: &'static str, value: f64, unit: &'static str) -> ProbeValue {
    ProbeValue { name, value, unit, word: None }
}

pub(crate) fn word(name: &'static str, value: f64, word: &str) -> ProbeValue {
    ProbeValue { word: Some(word.to_owned()), ..number(name, value, "") }
}
