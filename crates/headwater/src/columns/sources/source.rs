//! Boundary fluxes that the application sets: springs, drains, weather and wind.

use crate::columns::heat::AIR;
use crate::ids::IdList;
use crate::parameter::{Parameters, Range, parameters};
use crate::region::Region;
use crate::series::Series;
use serde::{Deserialize, Serialize};

parameters! {
    /// Spring or drain: a region in which water enters or leaves the world.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Source {
        /// Flow rate, for a world 1 m thick. A spring adds no water to columns that are full to
        /// their ceiling, or in which the water is twice as high as the grid. A drain removes no
        /// more than the available water.
        rate: Series = Series::from(0.0); Live, "rate", "m³/s",
            |_| Range::new(0.0, 1e6), [0.0, 10.0];
    }
    required { rate }
    and {
        /// Region of the spring or drain. All columns in the region have equal shares of the flow.
        region: Region = Region::Everywhere;
    }
}

impl Source {
    /// Creates a spring or drain with the given region and flow rate (m³/s for a world 1 m thick,
    /// not negative). The method that adds it to a world determines which of the two it is.
    pub fn new(region: Region, rate: impl Into<Series>) -> Self {
        Self { region, rate: rate.into() }
    }
}

parameters! {
    /// Weather over open water surfaces: rain, evaporation and air temperature.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Weather {
        /// Rain rate on columns under the open sky.
        rain: Series = Series::from(0.0); Live, "rain", "mm/h",
            |_| Range::new(0.0, 1e5), [0.0, 10_000.0];
        /// Evaporation rate from columns under the open sky.
        evaporation: Series = Series::from(0.0); Live, "evaporation", "mm/h",
            |_| Range::new(0.0, 1e5), [0.0, 10_000.0];
        /// Air temperature, in a world with heat. By default, the current temperature stays the
        /// same.
        air: Option<Series> = None; Live, "air", "°C", |_| AIR, [-30.0, 40.0];
    }
}

impl Weather {
    pub(in crate::columns) fn moves_water(&self) -> bool {
        [&self.rain, &self.evaporation].into_iter().any(|rate| rate.value_range().1 > 0.0)
    }
}

parameters! {
    /// Wind that accelerates the water along the open surfaces.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Wind {
        /// Acceleration of the water by the wind, positive to the east. A wind of 10 m/s
        /// accelerates the uppermost metre of water by about 0.0003 m/s². For a storm in a game, a
        /// value a hundred times as large may be suitable.
        acceleration: Series = Series::from(0.02); Live, "wind", "m/s²",
            |_| Range::new(-1.0, 1.0), [-0.2, 0.2];
        /// Amplitude of gusts relative to the mean wind (dimensionless). Gusts make waves, whereas
        /// steady wind tilts the surface.
        gusts: f64 = 1.0; Live, "gusts", "", |_| Range::new(0.0, 10.0), [0.0, 10.0];
        /// Length of a gust along the surface.
        length: f64 = 8.0; Live, "gust length", "m", |_| Range::above_zero(1e6), [0.5, 50.0];
        /// Speed at which gusts travel. Gusts most strongly amplify waves of the same speed.
        speed: f64 = 3.0; Live, "gust speed", "m/s",
            |_| Range::new(-1000.0, 1000.0), [-20.0, 20.0];
    }
    and {
        /// Seed for the random sequence of gusts.
        seed: u64 = 1;
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::columns) struct PlacedSource {
    pub(in crate::columns) source: Source,
    pub(in crate::columns) remainder: f64,
    #[serde(skip)]
    pub(in crate::columns) columns: Vec<usize>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::columns) struct BoundaryFluxes {
    pub(in crate::columns) springs: IdList<PlacedSource>,
    pub(in crate::columns) drains: IdList<PlacedSource>,
    pub(in crate::columns) weather: Weather,
    /// Rain that has not yet been applied, because it is less than one height quantum (the integer
    /// unit of height). Given as a fraction of a quantum per column; it is added to the next
    /// application.
    pub(in crate::columns) rain_remainder: f64,
    /// Evaporation that has not yet been applied, because it is less than one height quantum (the
    /// integer unit of height). Given as a fraction of a quantum per column.
    pub(in crate::columns) evaporation_remainder: f64,
    pub(in crate::columns) wind: Option<Wind>,
}

impl BoundaryFluxes {
    pub(in crate::columns) fn fits(&self) -> bool {
        let mut remainders = self.outlets().map(|outlet| outlet.remainder);
        let parts = [self.rain_remainder, self.evaporation_remainder];
        let outlet = |outlet: &PlacedSource| {
            outlet.source.check().is_ok() && outlet.source.region.validate().is_ok()
        };
        remainders.all(f64::is_finite)
            && parts.iter().all(|part| (0.0..=1.0).contains(part))
            && self.outlets().all(outlet)
            && self.weather.check().is_ok()
            && self.wind.as_ref().is_none_or(|wind| wind.check().is_ok())
    }

    pub(in crate::columns) fn outlets_mut(&mut self, is_drain: bool) -> &mut IdList<PlacedSource> {
        if is_drain { &mut self.drains } else { &mut self.springs }
    }

    pub(in crate::columns) fn outlets(&self) -> impl Iterator<Item = &PlacedSource> {
        self.springs.iter().chain(&*self.drains)
    }
}
