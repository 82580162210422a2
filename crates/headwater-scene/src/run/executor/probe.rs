//! [`ProbeValue`]: a quantity at a point of a world.

/// Quantity at a point of a world.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProbeValue {
    /// Name of the quantity, such as `bed` for the ground elevation.
    pub name: &'static str,
    /// Value of the quantity, in `unit`.
    pub value: f64,
    /// Unit of the value; empty for dimensionless quantities.
    pub unit: &'static str,
    /// Name of the category that the value stands for, such as a kind of plant or liquid. `None` if
    /// the value is not a category.
    pub category: Option<String>,
}

pub(crate) fn numeric_value(name: &'static str, value: f64, unit: &'static str) -> ProbeValue {
    ProbeValue { name, value, unit, category: None }
}

pub(crate) fn category_value(name: &'static str, value: f64, category: &str) -> ProbeValue {
    ProbeValue { category: Some(category.to_owned()), ..numeric_value(name, value, "") }
}
