//! Soil under a flow world: infiltration into the ground and seepage back to the surface.
//!
//! Infiltration has a constant rate or follows Green and Ampt (1911), `f = K·(1 + (ψ + h)·Δθ/F)`,
//! with conductivity `K`, suction head `ψ`, depth `h`, moisture deficit `Δθ` and cumulative
//! infiltration `F`. A step evaluates this law at the mean of `F` before and after the step, which
//! gives a quadratic equation. The result is exact at early times, where `F = √(2K(ψ + h)Δθ·t)`,
//! and at late times, where `f = K`.

use super::rounding_carry::{
    MM_PER_HOUR, OpenCell, RATE_RANGE, add_with_carry, remove_with_carry, sum_over_open_cells,
};
use crate::field::Field;
use crate::flow::state::State;
use crate::parameter::{Range, parameters};
use crate::scratch::{PooledVec, ScratchPool};
use serde::{Deserialize, Serialize};

parameters! {
    /// Soil parameters. Infiltration into the ground has a constant rate, or follows Green and Ampt
    /// if `deficit` is above 0. Seepage returns stored water to the surface.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Soil {
        /// Infiltration rate. With a moisture deficit, this is the saturated hydraulic
        /// conductivity.
        rate: f64 = 0.0; Live, "infiltration", "mm/h", |_| RATE_RANGE, [0.0, 1000.0];
        /// Suction head of the wetting front (Green and Ampt): sand 0.05, loam 0.09, clay 0.32.
        suction: f64 = 0.0; Live, "suction", "m", |_| Range::new(0.0, 100.0), [0.0, 1.0];
        /// Moisture deficit (Green and Ampt): effective porosity minus initial moisture. If it is
        /// above 0, the infiltration is rate · (1 + (suction + depth) · deficit / stored water).
        deficit: f64 = 0.0; Live, "deficit", "1", |_| Range::new(0.0, 1.0), [0.0, 0.5];
        /// Storage capacity of the soil; unlimited if unset.
        capacity: Option<f64> = None; Live, "capacity", "m", |_| Range::new(0.0, 1000.0), [0.0, 1.0];
        /// Rate at which stored water seeps back to the surface.
        seepage: f64 = 0.0; Live, "seepage", "mm/h", |_| RATE_RANGE, [0.0, 1000.0];
    }
    required { rate }
}

impl Soil {
    pub(in crate::flow) fn max_stored_depth(&self) -> f64 {
        self.capacity.unwrap_or(f64::MAX)
    }

    /// Returns the infiltration (m) in a step of `dt` seconds if enough surface water is available.
    /// The soil already stores `held` (m) of water, and the water above it is `depth` (m) deep.
    fn potential_infiltration(&self, held: f64, depth: f32, dt: f64) -> f32 {
        let steady = self.rate * MM_PER_HOUR * dt;
        if self.deficit == 0.0 {
            return steady as f32;
        }
        let suction = (self.suction + f64::from(depth)) * self.deficit;
        let half = 0.5 * steady - held;
        (half + (half * half + 2.0 * steady * (held + suction)).sqrt()) as f32
    }
}

/// Assignment of a soil to each cell: a list of soils, and for each cell the number of its soil.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoilMap {
    /// Soils to which `map` refers. The default soil, set by
    /// [`Flow::set_soil`](crate::flow::Flow::set_soil), is not in this list.
    pub soils: Vec<Soil>,
    /// Number of each cell's soil in `soils`, counted from 1; 0 selects the default soil.
    pub map: Field<u16>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SoilLayer {
    pub(crate) soil: Soil,
    pub(crate) map: Option<SoilMap>,
    pub(crate) cells: Field<SoilCell>,
}

/// State of the soil under a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SoilCell {
    /// Water stored in the soil (m), as an `f64` because slow seepage is below the resolution of
    /// `f32`.
    pub held: f64,
    /// Infiltration (m) that is still to be removed from the surface water, because it was below
    /// the resolution of the depth.
    pub to_take: f32,
    /// Seepage (m) that is still to be added to the surface water, because it was below the
    /// resolution of the depth.
    pub to_give: f32,
}

impl SoilCell {
    fn infiltrate(&mut self, depth: &mut f32, potential: f32, capacity: f64) -> f64 {
        let max_removed = (capacity - self.held).max(0.0) as f32;
        let went = remove_with_carry(depth, &mut self.to_take, potential, max_removed);
        self.held += went;
        went
    }

    fn seep(&mut self, depth: &mut f32, potential: f64) -> f64 {
        let available = (self.held - f64::from(self.to_give)).max(0.0);
        let came = add_with_carry(depth, &mut self.to_give, potential.min(available) as f32);
        self.held -= came;
        came
    }
}

impl SoilLayer {
    pub(crate) fn new(soil: Soil, nx: usize, ny: usize) -> Self {
        Self { soil, map: None, cells: Field::new(nx, ny, SoilCell::default()) }
    }

    pub(in crate::flow) fn is_uniform(&self) -> bool {
        self.map.is_none() && self.soil.deficit == 0.0
    }

    pub(in crate::flow) fn seepage(&self) -> f64 {
        let mapped = self.map.iter().flat_map(|map| &map.soils);
        mapped.fold(self.soil.seepage, |max, soil| max.max(soil.seepage))
    }

    /// Applies the infiltration of a step. Returns, for each row of the grid, the depth (m) removed
    /// from the surface water, summed over the cells.
    pub(in crate::flow) fn infiltrate<'s>(
        &mut self,
        state: &mut State,
        dt: f64,
        scratch: &'s ScratchPool,
    ) -> PooledVec<'s, f64> {
        let Self { soil, map, cells } = self;
        if map.is_none() && soil.deficit == 0.0 {
            let (potential, capacity) =
                (soil.potential_infiltration(0.0, 0.0, dt), soil.max_stored_depth());
            return sum_over_open_cells(
                scratch,
                state,
                cells,
                |OpenCell { wet, .. }, depth, cell| {
                    cell.infiltrate(depth, potential * wet, capacity * f64::from(wet))
                },
            );
        }
        let soil_of = soil_lookup(soil, map.as_ref());
        sum_over_open_cells(scratch, state, cells, |OpenCell { at: (x, y), wet }, depth, cell| {
            let soil = soil_of(x, y);
            // The infiltration law includes the rounding remainder. Only the wet part of a cell
            // loses and stores water.
            let part = f64::from(wet);
            let held = (cell.held + f64::from(cell.to_take)) / part;
            let potential = wet * soil.potential_infiltration(held, *depth / wet, dt);
            cell.infiltrate(depth, potential, soil.max_stored_depth() * part)
        })
    }

    /// Applies the seepage of a step. Returns, for each row of the grid, the depth (m) added to the
    /// surface water, summed over the cells.
    pub(in crate::flow) fn seep<'s>(
        &mut self,
        state: &mut State,
        dt: f64,
        scratch: &'s ScratchPool,
    ) -> PooledVec<'s, f64> {
        let Self { soil, map, cells } = self;
        let soil_of = soil_lookup(soil, map.as_ref());
        sum_over_open_cells(scratch, state, cells, |OpenCell { at: (x, y), .. }, depth, cell| {
            cell.seep(depth, soil_of(x, y).seepage * MM_PER_HOUR * dt)
        })
    }

    pub(in crate::flow) fn fits(&self, bed: &Field<f32>) -> bool {
        let mapped = |SoilMap { soils, map }: &SoilMap| {
            map.has_same_shape(bed) && map.as_slice().iter().all(|&n| usize::from(n) <= soils.len())
        };
        self.cells.has_same_shape(bed) && self.map.iter().all(mapped)
    }
}

fn soil_lookup<'a>(
    soil: &'a Soil,
    map: Option<&'a SoilMap>,
) -> impl Fn(usize, usize) -> &'a Soil + Sync {
    move |x, y| {
        let number = map.map_or(0, |mapped| mapped.map[(x, y)]);
        let own = map.and_then(|map| map.soils.get(usize::from(number).checked_sub(1)?));
        own.unwrap_or(soil)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ponded_soil_follows_green_and_ampt() {
        let soil = Soil { rate: 10.0, suction: 0.1, deficit: 0.3, ..Soil::default() };
        let (pull, k) = (0.03 + 0.3 * 0.02, 10.0 * MM_PER_HOUR);
        let (mut held, dt) = (0.0, 2.0);
        for step in 1..=5400 {
            held += f64::from(soil.potential_infiltration(held, 0.02, dt));
            let time = (held - pull * (1.0 + held / pull).ln()) / k;
            // Each of the first steps is a large fraction of the elapsed time.
            let off = if step < 30 { 5e-3 } else { 1e-3 };
            assert!((time / (f64::from(step) * dt) - 1.0).abs() < off, "step {step}: {time} s");
        }
    }

    #[test]
    fn a_soil_without_a_deficit_infiltrates_at_its_rate() {
        let soil = Soil { rate: 3600.0, suction: 5.0, ..Soil::default() };
        assert_eq!(soil.potential_infiltration(0.7, 2.0, 0.25), 2.5e-4);
    }
}
