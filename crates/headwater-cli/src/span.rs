//! Minimum and maximum of a sequence of numbers.

/// Returns the minimum and maximum of a sequence, in this order; `[∞, −∞]` if the sequence is
/// empty.
pub fn min_max(values: impl IntoIterator<Item = f64>) -> [f64; 2] {
    let nothing = [f64::INFINITY, f64::NEG_INFINITY];
    values.into_iter().fold(nothing, |[low, high], value| [low.min(value), high.max(value)])
}
