//! Gauge readings in hydrology worlds: values at a cell, or totals and means over the whole land.

use super::{HydrologyGauge, HydrologyMeasure, HydrologyWorld};
use crate::run::GaugeValues;
use crate::scene::resolve_position;
use headwater::hydrology::{Lake, Substance};
use headwater::{Cause, Field, Lattice};

pub(super) fn measure_gauge(gauge: &HydrologyGauge, world: &HydrologyWorld) -> GaugeValues {
    let named = world.variants.iter().find(|variant| gauge.way.as_ref() == Some(&variant.name));
    let land = named.map_or_else(|| world.land(), |variant| &variant.land);
    match (gauge.at, gauge.measure) {
        (Some(at), _) => {
            let lattice = Lattice::from(*land.lattice());
            let [x, y] = resolve_position(at, &lattice);
            let cell = |at: f64, size: f64, n: usize| ((at / size).max(0.0) as usize).min(n - 1);
            let x = cell(x, lattice.dx(), lattice.nx());
            let y = cell(y, lattice.dy(), lattice.ny());
            let value = |name| land.layer(name).map_or(f64::NAN, |field| field[(x, y)].into());
            vec![
                ("bed_m", value("bed")),
                ("depth_m", value("depth")),
                ("discharge_m2", value("discharge")),
            ]
        }
        (None, Some(HydrologyMeasure::Lakes)) => {
            let lakes = land.lakes();
            // The sum starts at +0, because an empty sum of floats is −0.
            let sum = |of: fn(&Lake) -> f64| lakes.iter().map(of).fold(0.0, |sum, of| sum + of);
            vec![
                ("lakes", lakes.len() as f64),
                ("area_m2", sum(|lake| lake.area)),
                ("volume_m3", sum(|lake| lake.volume)),
            ]
        }
        (None, Some(HydrologyMeasure::Sediment)) => {
            let washed_out = land.ledger(Substance::Sediment).outflow(Cause::Boundary);
            let volume = |quanta| quanta as f64 * land.quantum();
            vec![
                ("washed_out_m3", volume(washed_out)),
                ("suspended_m3", volume(land.suspended_sediment())),
            ]
        }
        (None, Some(HydrologyMeasure::Plants)) => {
            let mean = |cover: &Field<f32>| cover.sum() / cover.as_slice().len() as f64;
            vec![("mean_cover", land.layer("vegetation").map_or(0.0, |cover| mean(&cover)))]
        }
        (None, None) => Vec::new(),
    }
}
