//! Heaters: what they are, and what a world remembers of them.

use crate::parameter::{Parameters, Range, parameters};
use crate::region::Region;
use crate::series::Series;
use serde::{Deserialize, Serialize};

parameters! {
    /// A place where water is heated from below: a hearth under a kettle, a hot vent.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Heater {
        /// How much heat it gives in all, for a world 1 m thick, times the pace of heat. While no water is there it gives none.
        power: Series = Series::from(0.0); Live, "power", "W", |_| Range::new(0.0, 1e9), [0.0, 1e6];
    }
    required { power }
    and {
        /// Where: the columns of the cells in this region share its heat, those that are wet.
        region: Region = Region::Everywhere;
    }
}

impl Heater {
    /// A place and how much heat it gives (W).
    pub fn new(region: Region, power: impl Into<Series>) -> Self {
        Self { region, power: power.into() }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Hearth {
    pub(super) heater: Heater,
    /// What it gives now (W).
    pub(super) power: f64,
    #[serde(skip)]
    pub(super) columns: Vec<usize>,
}

impl Hearth {
    pub(super) fn fits(&self) -> bool {
        let now = Heater::new(Region::Everywhere, self.power);
        self.heater.region.validate().is_ok() && self.heater.check().is_ok() && now.check().is_ok()
    }
}
