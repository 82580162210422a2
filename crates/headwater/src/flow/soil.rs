//! Soil: water that seeps into the ground, and out of it again.
//!
//! A soil takes water at a rate, or by Green and Ampt (1911): `f = K·(1 + (ψ + h)·Δθ/F)`, with
//! suction ψ, depth h and the water `F` that it holds. A step takes the law at the mean of `F`
//! before and after, a quadratic; this is exact early, where `F = √(2K(ψ + h)Δθ·t)`, and late,
//! where `f = K`.

use super::due::{MM_PER_HOUR, MM_RATE, Place, give, over_open_cells, take};
use super::state::State;
use crate::field::Field;
use crate::parameter::{Range, parameters};
use crate::scratch::{PooledVec, ScratchPool};
use serde::{Deserialize, Serialize};

parameters! {
    /// Soil that takes water up, and may give it back: at a rate, or with a `deficit` by the law of Green and Ampt.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Soil {
        /// How fast soil takes water; with a deficit, how fast it does once it is wet: its saturated hydraulic conductivity.
        rate: f64 = 0.0; Live, "soaking", "mm/h", |_| MM_RATE, [0.0, 1000.0];
        /// The suction head of the wetting front, by Green and Ampt: sand has 0.05, loam 0.09, clay 0.32.
        suction: f64 = 0.0; Live, "suction", "m", |_| Range::new(0.0, 100.0), [0.0, 1.0];
        /// The moisture deficit, by Green and Ampt: effective porosity less what of it is wet at the start. Above 0, soil takes
        /// rate · (1 + (suction + depth) · deficit / what it holds).
        deficit: f64 = 0.0; Live, "deficit", "1", |_| Range::new(0.0, 1.0), [0.0, 0.5];
        /// How much water it can hold; without one, any amount.
        capacity: Option<f64> = None; Live, "capacity", "m", |_| Range::new(0.0, 1000.0), [0.0, 1.0];
        /// How fast soil gives water back to the surface.
        seepage: f64 = 0.0; Live, "seepage", "mm/h", |_| MM_RATE, [0.0, 1000.0];
    }
    required { rate }
}

impl Soil {
    pub(super) fn most(&self) -> f64 {
        self.capacity.unwrap_or(f64::MAX)
    }

    /// What it wishes to take in a step (m), holding `held` under water of `depth` (m).
    fn wish(&self, held: f64, depth: f32, dt: f64) -> f32 {
        let steady = self.rate * MM_PER_HOUR * dt;
        if self.deficit == 0.0 {
            return steady as f32;
        }
        let pull = (self.suction + f64::from(depth)) * self.deficit;
        let half = 0.5 * steady - held;
        (half + (half * half + 2.0 * steady * (held + pull)).sqrt()) as f32
    }
}

/// Soils that differ from cell to cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoilMap {
    /// The soils.
    pub soils: Vec<Soil>,
    /// Which of them is in a cell, the first being 1; in those of 0 is that of the whole grid.
    pub map: Field<u16>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ground {
    pub(crate) soil: Soil,
    pub(crate) map: Option<SoilMap>,
    pub(crate) cells: Field<SoilCell>,
}

/// The soil under one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SoilCell {
    /// Water in the soil (m); f64, for a slow seep adds far less than a float of the total can show.
    pub held: f64,
    /// What the soil has yet to take (m).
    pub to_take: f32,
    /// What the soil has yet to give (m).
    pub to_give: f32,
}

impl SoilCell {
    fn soak(&mut self, depth: &mut f32, wish: f32, capacity: f64) -> f64 {
        let most = (capacity - self.held).max(0.0) as f32;
        let went = take(depth, &mut self.to_take, wish, most);
        self.held += went;
        went
    }

    fn seep(&mut self, depth: &mut f32, wish: f64) -> f64 {
        let there = (self.held - f64::from(self.to_give)).max(0.0);
        let came = give(depth, &mut self.to_give, wish.min(there) as f32);
        self.held -= came;
        came
    }
}

impl Ground {
    pub(crate) fn new(soil: Soil, nx: usize, ny: usize) -> Self {
        Self { soil, map: None, cells: Field::new(nx, ny, SoilCell::default()) }
    }

    pub(super) fn is_even(&self) -> bool {
        self.map.is_none() && self.soil.deficit == 0.0
    }

    pub(super) fn seepage(&self) -> f64 {
        let mapped = self.map.iter().flat_map(|map| &map.soils);
        mapped.fold(self.soil.seepage, |most, soil| most.max(soil.seepage))
    }

    /// Lets water seep into the soil; returns the volume per cell area (m) that went in each row.
    pub(super) fn soak<'s>(
        &mut self,
        state: &mut State,
        dt: f64,
        scratch: &'s ScratchPool,
    ) -> PooledVec<'s, f64> {
        let Self { soil, map, cells } = self;
        if map.is_none() && soil.deficit == 0.0 {
            let (wish, capacity) = (soil.wish(0.0, 0.0, dt), soil.most());
            return over_open_cells(scratch, state, cells, |place, depth, cell| {
                cell.soak(depth, wish * place.wet, capacity * f64::from(place.wet))
            });
        }
        let soil_of = soils(soil, map.as_ref());
        over_open_cells(scratch, state, cells, |Place { at: (x, y), wet }, depth, cell| {
            let soil = soil_of(x, y);
            // What rounding holds back has left the water as far as the law goes. Water and what the soil holds are where it is wet.
            let part = f64::from(wet);
            let held = (cell.held + f64::from(cell.to_take)) / part;
            let wish = wet * soil.wish(held, *depth / wet, dt);
            cell.soak(depth, wish, soil.most() * part)
        })
    }

    /// Lets the soil give water back; returns the volume per cell area (m) that came in each row.
    pub(super) fn seep<'s>(
        &mut self,
        state: &mut State,
        dt: f64,
        scratch: &'s ScratchPool,
    ) -> PooledVec<'s, f64> {
        let Self { soil, map, cells } = self;
        let soil_of = soils(soil, map.as_ref());
        over_open_cells(scratch, state, cells, |Place { at: (x, y), .. }, depth, cell| {
            cell.seep(depth, soil_of(x, y).seepage * MM_PER_HOUR * dt)
        })
    }

    pub(super) fn fits(&self, bed: &Field<f32>) -> bool {
        let mapped = |SoilMap { soils, map }: &SoilMap| {
            map.same_shape(bed) && map.as_slice().iter().all(|&n| usize::from(n) <= soils.len())
        };
        self.cells.same_shape(bed) && self.map.iter().all(mapped)
    }
}

fn soils<'a>(soil: &'a Soil, map: Option<&'a SoilMap>) -> impl Fn(usize, usize) -> &'a Soil + Sync {
    move |x, y| {
        let number = map.map_or(0, |mapped| mapped.map[(x, y)]);
        let own = map.and_then(|map| map.soils.get(usize::from(number).checked_sub(1)?));
        own.unwrap_or(soil)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the law's own time: K·t = F − P·ln(1 + F/P).
    #[test]
    fn ponded_soil_follows_green_and_ampt() {
        let soil = Soil { rate: 10.0, suction: 0.1, deficit: 0.3, ..Soil::default() };
        let (pull, k) = (0.03 + 0.3 * 0.02, 10.0 * MM_PER_HOUR);
        let (mut held, dt) = (0.0, 2.0);
        for step in 1..=5400 {
            held += f64::from(soil.wish(held, 0.02, dt));
            let time = (held - pull * (1.0 + held / pull).ln()) / k;
            // The first steps are each a large part of the time gone by.
            let off = if step < 30 { 5e-3 } else { 1e-3 };
            assert!((time / (f64::from(step) * dt) - 1.0).abs() < off, "step {step}: {time} s");
        }
    }

    #[test]
    fn a_soil_without_a_deficit_takes_its_rate() {
        let soil = Soil { rate: 3600.0, suction: 5.0, ..Soil::default() };
        assert_eq!(soil.wish(0.7, 2.0, 0.25), 2.5e-4);
    }
}
