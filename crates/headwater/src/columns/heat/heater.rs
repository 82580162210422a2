//! Heaters: heat sources below the water.

use crate::parameter::{Parameters, Range, parameters};
use crate::region::Region;
use crate::series::Series;
use serde::{Deserialize, Serialize};

parameters! {
    /// Heat source below the water, for example a fire under a kettle or a hot vent.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Heater {
        /// Total heat output, for a world 1 m thick. The simulation multiplies this value by the
        /// `pace` of heat. A heater without water gives off no heat.
        power: Series = Series::from(0.0); Live, "power", "W", |_| Range::new(0.0, 1e9), [0.0, 1e6];
    }
    required { power }
    and {
        /// Region of the heater. All wet columns in the region receive equal shares of the heat.
        region: Region = Region::Everywhere;
    }
}

impl Heater {
    /// Creates a heater with the given region and heat output (W for a world 1 m thick).
    pub fn new(region: Region, power: impl Into<Series>) -> Self {
        Self { region, power: power.into() }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PlacedHeater {
    pub(super) heater: Heater,
    /// Current heat output (W for a world 1 m thick).
    pub(super) power: f64,
    #[serde(skip)]
    pub(super) columns: Vec<usize>,
}

impl PlacedHeater {
    pub(super) fn fits(&self) -> bool {
        let now = Heater::new(Region::Everywhere, self.power);
        self.heater.region.validate().is_ok() && self.heater.check().is_ok() && now.check().is_ok()
    }
}
