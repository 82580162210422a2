//! The same land on finer cells.

use super::super::{FROZEN, Motion, Outcome, Row, work};
use crate::carve::{layer, noise};
use anyhow::Result;
use headwater::hydrology::report::Report;
use headwater::hydrology::{Hydrology, Params};
use headwater::{Field, Square};

pub(super) fn of_two_seeds(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    sizes(name, motion, &[1, 2], [128, 256], 4)
}

/// One seed on cells of a quarter of the size.
pub(super) fn on_1024(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    sizes(name, motion, &[1], [256, 1024], 4)
}

/// Land of some seeds on two sizes of cells, so many to a side, with so many drops a cell: how far its figures are apart. The finer
/// land is brought to the coarser grid to be surveyed.
fn sizes(
    name: &'static str,
    motion: &dyn Motion,
    seeds: &[u64],
    [few, many]: [usize; 2],
    drops_per_cell: usize,
) -> Result<Outcome> {
    let carve = |&(seed, n): &(u64, usize)| {
        let size = few as f64 / n as f64;
        let lattice = Square::new(n, n, size, size)?;
        let bed = noise(n, seed).map(|z| z * size as f32);
        let params = Params { seed, unit: 1.0, ..Params::default() };
        let mut world = Hydrology::new(lattice, params, &bed)?;
        let drops = (drops_per_cell * n * n) as u64;
        motion.fall(&mut world, drops)?;
        let coarse = coarser(&layer(&world, "bed")?, n / few);
        let report = Report::of_bed(&coarse, 1.0);
        let raw = Report::of_bed(&coarser(&bed, n / few), 1.0);
        let lake = world.lakes().iter().map(|lake| lake.area).fold(0.0, f64::max);
        let moved = world.drops() >= drops && raw != report;
        Ok(([report.hypsometric_integral, report.drainage_density, lake], moved))
    };
    let lands: Vec<_> = seeds.iter().flat_map(|&seed| [(seed, few), (seed, many)]).collect();
    let (mut figures, mut all_moved) = (Vec::new(), true);
    work::in_order(&lands, carve, |_, land: Result<([f64; 3], bool)>| {
        let (land, moved) = land?;
        all_moved &= moved;
        figures.push(land);
        Ok(())
    })?;
    let apart = |k: usize| {
        let pairs = figures.chunks_exact(2).map(|pair| (pair[1][k] / pair[0][k] - 1.0).abs());
        if all_moved { 100.0 * pairs.fold(0.0, f64::max) } else { FROZEN }
    };
    Ok(Outcome::of([
        Row::at_most(name, "hypsometric integrals apart (%)", apart(0), 10.0),
        Row::at_most(name, "drainage densities apart (%)", apart(1), 10.0),
        Row::at_most(name, "areas of the largest lakes apart (%)", apart(2), 10.0),
    ]))
}

/// Means over squares of so many cells.
fn coarser(bed: &Field<f32>, cells: usize) -> Field<f32> {
    Field::from_fn(bed.nx() / cells, bed.ny() / cells, |x, y| {
        let of = |i: usize| bed[(x * cells + i % cells, y * cells + i / cells)];
        (0..cells * cells).map(of).sum::<f32>() / (cells * cells) as f32
    })
}
