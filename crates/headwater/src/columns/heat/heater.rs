//! Heaters: what they are, and what a world remembers of them.

use super::super::source::check_series;
use crate::error::InputError;
use crate::parameter::Range;
use crate::region::Region;
use crate::series::Series;
use serde::{Deserialize, Serialize};

/// A place where water is heated from below: a hearth under a kettle, a hot vent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heater {
    /// Where: the columns of the cells in this region share its heat, those that are wet.
    pub region: Region,
    /// How much heat it gives (W for a world 1 m thick), 0 to 10⁹, times the [`pace`](super::Heat::pace) of heat. While
    /// no water is there it gives none.
    pub power: Series,
}

impl Heater {
    /// A place and how much heat it gives (W).
    pub fn new(region: Region, power: impl Into<Series>) -> Self {
        Self { region, power: power.into() }
    }
}

/// Checks how much a heater gives.
pub(super) fn check_power(power: &Series) -> Result<(), InputError> {
    check_series("a heater's power", power, Range::new(0.0, 1e9), "W")
}

/// A heater in a world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Hearth {
    pub(super) heater: Heater,
    /// What it gives now (W).
    pub(super) power: f64,
    /// Its columns. They follow from the region.
    #[serde(skip)]
    pub(super) columns: Vec<usize>,
}

impl Hearth {
    /// Whether a snapshot's numbers make sense.
    pub(super) fn fits(&self) -> bool {
        let Heater { region, power } = &self.heater;
        let now = check_power(&Series::from(self.power));
        region.validate().is_ok() && check_power(power).is_ok() && now.is_ok()
    }
}
