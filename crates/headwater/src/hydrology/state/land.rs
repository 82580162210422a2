//! State of the land. All other data of a world is derived from it.

use super::fixed;
use super::grid::Grid;
use super::scale::Scale;
use crate::error::InputError;
use crate::field::Field;
use crate::hydrology::check::cell_at;
use crate::hydrology::climate::rain::{Inflow, Rain};
use crate::hydrology::climate::storm::Storm;
use crate::hydrology::ground::forest::{Plant, SEED_RANGE};
use crate::hydrology::lakes::hierarchy::Terrain;
use crate::hydrology::params::Params;
use crate::lattice::Square;
use crate::parallel;
use crate::parameter::Range;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::hydrology) struct Land {
    pub(in crate::hydrology) lattice: Square,
    pub(in crate::hydrology) params: Params,
    /// Height of each cell, including the soil (quanta of 2⁻²⁰ m).
    #[serde(with = "crate::numbers")]
    pub(in crate::hydrology) bed: Vec<i64>,
    #[serde(with = "crate::numbers")]
    pub(in crate::hydrology) soil: Vec<i64>,
    /// Upstream area (in cells) of each cell, as a running mean over drops.
    #[serde(with = "crate::numbers")]
    pub(in crate::hydrology) area: Vec<f32>,
    #[serde(with = "crate::numbers")]
    pub(in crate::hydrology) momentum: Vec<[f32; 2]>,
    #[serde(with = "super::packed")]
    pub(in crate::hydrology) plants: Vec<Plant>,
    pub(in crate::hydrology) rain: Rain,
    /// Uplift rate of each cell divided by the largest uplift rate. `None` if the uplift is
    /// uniform.
    pub(in crate::hydrology) uplift: Option<Field<f32>>,
    /// The latest storm, which may have ended.
    pub(in crate::hydrology) storm: Option<Storm>,
    pub(in crate::hydrology) steps: u64,
    pub(in crate::hydrology) drops: u64,
    /// Time since the start, measured as mean depth of rain (drops per cell).
    pub(in crate::hydrology) time: f64,
    /// Time requested by [`Hydrology::advance`](crate::hydrology::Hydrology::advance) but not yet
    /// simulated (drops per cell), which is less than one step.
    pub(in crate::hydrology) pending: f64,
}

impl Land {
    pub(in crate::hydrology) fn grid(&self) -> Grid {
        Grid { nx: self.lattice.nx(), ny: self.lattice.ny() }
    }

    pub(in crate::hydrology) fn scale(&self) -> Scale {
        Scale::new(&self.params, &self.lattice)
    }

    pub(in crate::hydrology) fn terrain(&self) -> Terrain<'_> {
        let Self { bed, params, .. } = self;
        Terrain { grid: self.grid(), bed, edges: &params.edges, sea: fixed::to_quanta(params.sea) }
    }

    pub(in crate::hydrology) fn update_heights(&self, heights: &mut Field<f32>) {
        let (nx, bed) = (self.lattice.nx(), &self.bed);
        parallel::for_each_row(heights.as_mut_slice(), nx, |y, row| {
            for (height, &z) in row.iter_mut().zip(&bed[y * nx..]) {
                *height = fixed::to_metres_f32(z);
            }
        });
    }

    pub(in crate::hydrology) fn check_inflow(&self, inflow: &Inflow) -> Result<(), InputError> {
        cell_at("inflow", inflow.position, &self.lattice)?;
        let limit = 1e4 * self.lattice.cell_area() * self.grid().cell_count() as f64;
        Range::above_zero(limit).check("inflow.catchment", inflow.catchment, "m²")
    }

    /// Returns the mean erosion intensity over the next period of `rain` (drops per cell, above 0).
    /// A storm that ends within this period counts only for the fraction of the period that it
    /// lasts.
    pub(in crate::hydrology) fn mean_intensity(&self, rain: f64) -> f64 {
        let storm_factor = self.storm.map_or(1.0, |storm| {
            let part = ((storm.until - self.time) / rain).clamp(0.0, 1.0);
            1.0 + part * (storm.intensity - 1.0)
        });
        self.params.intensity * storm_factor
    }

    pub(in crate::hydrology) fn evaporation_depth(&self, rain: f64) -> i64 {
        fixed::to_quanta(self.params.evaporation * rain * fixed::to_metres(self.drop_volume()))
    }

    pub(in crate::hydrology) fn half_strength_area(&self) -> f32 {
        (self.params.stream * self.scale().cells) as f32
    }

    pub(in crate::hydrology) fn seed_range(&self) -> usize {
        (SEED_RANGE / self.scale().step).round().max(1.0) as usize
    }

    pub(in crate::hydrology) fn drop_volume(&self) -> i64 {
        fixed::to_quanta(self.params.drop * self.scale().unit).max(1)
    }
}
