//! [`Layer`]: what every model says of the layers it can show.

/// A layer's name, unit and meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The name to ask for it by.
    pub name: &'static str,
    /// The unit of its values.
    pub unit: &'static str,
    /// What it shows.
    pub meaning: &'static str,
}
