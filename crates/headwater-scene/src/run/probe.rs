//! What is at a place.

/// Something at a place.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProbeValue {
    /// What it is, as `bed`.
    pub name: &'static str,
    /// How much.
    pub value: f64,
    /// Its unit; empty for none.
    pub unit: &'static str,
    /// What it is in a word, where a number says little: the kind of a plant, a liquid.
    pub word: Option<String>,
}

pub(crate) fn number(name: &'static str, value: f64, unit: &'static str) -> ProbeValue {
    ProbeValue { name, value, unit, word: None }
}

pub(crate) fn word(name: &'static str, value: f64, word: &str) -> ProbeValue {
    ProbeValue { word: Some(word.to_owned()), ..number(name, value, "") }
}
