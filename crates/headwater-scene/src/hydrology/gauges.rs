//! What the gauges of a land measure.

use super::{HydrologyGauge, HydrologyMeasure, HydrologyWorld};
use crate::scene::resolve;
use headwater::hydrology::{Hydrology, Substance};
use headwater::{Cause, Field, Lattice};

/// Names and units of what a gauge measures.
pub(super) fn heads(gauge: &HydrologyGauge) -> &'static [&'static str] {
    match gauge.measure {
        None => &["bed_m", "depth_m", "discharge_m2"],
        Some(HydrologyMeasure::Lakes) => &["lakes", "area_m2", "volume_m3"],
        Some(HydrologyMeasure::Sediment) => &["washed_out_m3", "suspended_m3"],
        Some(HydrologyMeasure::Plants) => &["mean_cover"],
    }
}

/// What a gauge measures now, in the order of its [`heads`].
pub(super) fn measure(gauge: &HydrologyGauge, world: &HydrologyWorld) -> Vec<f64> {
    let named = world.ways.iter().find(|way| gauge.way.as_ref() == Some(&way.name));
    let land = named.map_or_else(|| world.land(), |way| &way.land);
    match (gauge.at, gauge.measure) {
        (Some(at), _) => {
            let lattice = Lattice::from(*land.lattice());
            let [x, y] = resolve(at, &lattice);
            let cell = |at: f64, size: f64, n: usize| ((at / size).max(0.0) as usize).min(n - 1);
            let x = cell(x, lattice.dx(), lattice.nx());
            let y = cell(y, lattice.dy(), lattice.ny());
            ["bed", "depth", "discharge"].map(|name| value(land, name, (x, y))).to_vec()
        }
        (None, Some(HydrologyMeasure::Lakes)) => {
            let lakes = land.lakes();
            let area = lakes.iter().map(|lake| lake.area).sum();
            vec![lakes.len() as f64, area, lakes.iter().map(|lake| lake.volume).sum()]
        }
        (None, Some(HydrologyMeasure::Sediment)) => {
            let washed_out = land.ledger(Substance::Sediment).outflow(Cause::Boundary);
            let volumes = [washed_out, land.suspended()];
            volumes.map(|volume| volume as f64 * land.quantum()).to_vec()
        }
        (None, Some(HydrologyMeasure::Plants)) => {
            let mean = |cover: &Field<f32>| cover.sum() / cover.as_slice().len() as f64;
            vec![land.layer("vegetation").map_or(0.0, |cover| mean(&cover))]
        }
        (None, None) => Vec::new(),
    }
}

fn value(land: &Hydrology, layer: &str, cell: (usize, usize)) -> f64 {
    land.layer(layer).map_or(f64::NAN, |field| field[cell].into())
}
