//! [`Layer`]: what every model says of the layers it can show.

/// A layer's name, unit and meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Layer {
    /// The name to ask for it by.
    pub name: &'static str,
    /// The unit of its values.
    pub unit: &'static str,
    /// What it shows.
    pub meaning: &'static str,
    /// Where its values may change when something changes in a cell.
    pub reach: Reach,
}

/// Where the values of a layer may change when a cell changes, as [`Changes`](crate::changes::Changes) tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reach {
    /// In the tiles that are told.
    Cell,
    /// There, and in the cells around them.
    Neighbours,
    /// Anywhere, when anything is told, the world has been stepped or a parameter set: light, pressure, what is awake.
    Anywhere,
}

impl Layer {
    /// A layer whose values follow from their own cells.
    pub const fn new(name: &'static str, unit: &'static str, meaning: &'static str) -> Self {
        Self { name, unit, meaning, reach: Reach::Cell }
    }

    /// The same, with values that follow from cells further away.
    #[must_use]
    pub const fn reaching(self, reach: Reach) -> Self {
        Self { reach, ..self }
    }
}
