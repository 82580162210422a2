//! Test cases that compare statistics of carved terrain with those of real terrain, for five seeds.
//! Further cases measure grid convergence, and the volume of stored water that is missing from the
//! layer of water depths.

use super::super::{Case, FROZEN, Outcome, Row, Stepper, parallel};
use crate::carve::{create_world, layer, noise_terrain};
use anyhow::Result;
use headwater::hydrology::report::Report;
use headwater::hydrology::{Hydrology, Params, Substance};
use headwater::{Cause, Field, Square};
use headwater_cli::span::min_max;
use once_cell::sync::OnceCell;
use std::sync::Arc;

/// Function that computes one statistic of the carved terrains and compares it with its limits.
type TerrainStatistic = fn(&'static str, &CarvedTerrains) -> Outcome;

const FIGURES: [(&str, TerrainStatistic); 6] = [
    ("hydrology/concavity", check_concavity),
    ("hydrology/hack", check_hack_exponent),
    ("hydrology/pits", check_pits),
    ("hydrology/slots", check_slots),
    ("hydrology/valleys", check_valley_widths),
    ("hydrology/water-held", check_water_outside_lakes),
];

pub(super) fn cases() -> Vec<Case> {
    // The terrains are carved once, by the first case. All cases must use the same stepper.
    let lands = Arc::new(OnceCell::new());
    let case = |(name, rows): (&'static str, TerrainStatistic)| {
        let lands = Arc::clone(&lands);
        let carve = |stepper: &dyn Stepper| carve_five_terrains(512, DROPS, stepper);
        Case::new(name, move |stepper| Ok(rows(name, lands.get_or_try_init(|| carve(stepper))?)))
    };
    FIGURES.into_iter().map(case).collect()
}

/// Computes all terrain statistics on 1024² cells with four drops per cell.
pub(super) fn measure_on_1024_cells(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let lands = carve_five_terrains(1024, 4 * 1024 * 1024, stepper)?;
    let rows: Vec<Row> = FIGURES.iter().flat_map(|(_, rows)| rows(name, &lands).rows).collect();
    Ok(Outcome::from_rows(rows))
}

/// Number of drops on each terrain.
const DROPS: u64 = 500_000;

/// Statistics of the terrains carved from several seeds, and of the noise from which each of them
/// was carved.
struct CarvedTerrains {
    carved: Vec<Report>,
    raw: Vec<Report>,
    /// For each terrain, the stored water that is missing from the layer of water depths, as a
    /// fraction of the inflow.
    missing_water: Vec<f64>,
    /// Whether all drops fell. It is checked because noise alone matches some statistics of real
    /// terrain.
    moved: bool,
}

/// Carves terrains of five seeds on `n × n` cells with `drops` drops each. Each seed runs on its
/// own thread.
fn carve_five_terrains(n: usize, drops: u64, stepper: &dyn Stepper) -> Result<CarvedTerrains> {
    let mut lands = CarvedTerrains {
        carved: Vec::new(),
        raw: Vec::new(),
        missing_water: Vec::new(),
        moved: true,
    };
    let carve = |&seed: &u64| {
        let bed = noise_terrain(n, seed);
        let mut world = create_world(&bed, Params { seed, ..Params::default() })?;
        stepper.rain(&mut world, drops)?;
        let raw = Report::from_bed(&bed, 1.0);
        Ok((world.report(), raw, unseen_water_fraction(&world)?, world.drops() >= drops))
    };
    parallel::map_in_order(&[1, 2, 3, 4, 5], carve, |_, reports| {
        let (carved, raw, unseen, moved) = reports?;
        lands.moved &= moved;
        lands.carved.push(carved);
        lands.raw.push(raw);
        lands.missing_water.push(unseen);
        Ok(())
    })?;
    Ok(lands)
}

/// Creates the report rows for a statistic of rivers. `range` is the range of the statistic in real
/// rivers. The values of all carved terrains must lie within it.
fn river_statistic_rows(
    name: &str,
    quantity: &str,
    statistic: fn(&Report) -> f64,
    range: [f64; 2],
    terrains: &CarvedTerrains,
) -> Outcome {
    let [low, high] = min_max(terrains.carved.iter().map(statistic));
    let [_, raw] = min_max(terrains.raw.iter().map(statistic));
    let high = if terrains.moved { high } else { FROZEN };
    Outcome::from_rows([
        Row::at_least(name, format!("minimum {quantity} of five seeds"), low, range[0]),
        Row::at_most(name, format!("maximum {quantity} of five seeds"), high, range[1]),
        Row::at_most(name, format!("maximum {quantity} of the initial noise"), raw, None),
    ])
}

fn check_concavity(name: &'static str, lands: &CarvedTerrains) -> Outcome {
    river_statistic_rows(name, "concavity θ", |r| r.concavity, [0.225, 0.575], lands)
}

fn check_hack_exponent(name: &'static str, lands: &CarvedTerrains) -> Outcome {
    river_statistic_rows(name, "Hack exponent", |r| r.hack, [0.5, 0.7], lands)
}

fn check_pits(name: &'static str, lands: &CarvedTerrains) -> Outcome {
    let percent = |of: fn(&Report) -> f64| 100.0 * min_max(lands.carved.iter().map(of))[1];
    let (pits, dry) = (percent(|r| r.pits), percent(|r| r.dry_depressions));
    Outcome::from_rows([
        Row::at_most(name, "dry pits (% of cells)", pits, 0.1),
        Row::at_most(name, "depressions without a lake (% of area)", dry, 0.1),
    ])
}

fn check_slots(name: &'static str, lands: &CarvedTerrains) -> Outcome {
    let max_of = |of: fn(&Report) -> f64| {
        let [_, max] = min_max(lands.carved.iter().map(of));
        if lands.moved { max } else { FROZEN }
    };
    let slots = 100.0 * max_of(|r| r.slots);
    Outcome::from_rows([
        Row::at_most(name, "slots deeper than 2 cells (% of cells)", slots, 0.1),
        Row::at_most(name, "deepest slot (cells)", max_of(|r| r.deepest_slot), 3.0),
    ])
}

/// Checks valley widths (cells) against quartiles of real terrain. The lower limit is 4, the lower
/// quartile of a test basin with cells of 30 m. The upper limit is 26, the upper quartile of a
/// mountain front (SRTM, cells of 93 m).
fn check_valley_widths(name: &'static str, lands: &CarvedTerrains) -> Outcome {
    let quantity = "valley width at 10 m height / 10 m (median)";
    river_statistic_rows(name, quantity, |r| r.valley_width[1], [4.0, 26.0], lands)
}

fn check_water_outside_lakes(name: &'static str, lands: &CarvedTerrains) -> Outcome {
    let [_, max] = min_max(lands.missing_water.iter().copied());
    let max = if lands.moved { 100.0 * max } else { FROZEN };
    Row::at_most(name, "stored water outside lakes (% of rain)", max, 1.0).into()
}

/// Returns the absolute difference between the volume of stored water in the mass balance and the
/// sum of the water depths of all cells, as a fraction of the total inflow.
fn unseen_water_fraction(world: &Hydrology) -> Result<f64> {
    let water = world.balance(Substance::Water);
    let volume = |quanta: i128| quanta as f64 * world.quantum();
    let seen = layer(world, "depth")?.sum() * world.lattice().cell_area();
    let fell = water.ledger.inflow(Cause::Rain) + water.ledger.inflow(Cause::Source);
    Ok((volume(water.now) - seen).abs() / volume(fell).max(f64::MIN_POSITIVE))
}

/// Measures grid convergence between 128² and 256² cells, with two seeds.
pub(super) fn measure_convergence_of_two_seeds(
    name: &'static str,
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    measure_grid_convergence(name, stepper, &[1, 2], [128, 256], 4)
}

/// Measures grid convergence between 256² and 1024² cells, with one seed.
pub(super) fn measure_convergence_on_1024_cells(
    name: &'static str,
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    measure_grid_convergence(name, stepper, &[1], [256, 1024], 4)
}

/// Measures the differences between the statistics of the same terrain with coarse and fine cells.
/// The finer terrain is averaged to the coarser grid before the statistics are computed.
fn measure_grid_convergence(
    name: &'static str,
    stepper: &dyn Stepper,
    seeds: &[u64],
    [few, many]: [usize; 2],
    drops_per_cell: usize,
) -> Result<Outcome> {
    let carve = |&(seed, n): &(u64, usize)| {
        let size = few as f64 / n as f64;
        let lattice = Square::new(n, n, size, size)?;
        let bed = noise_terrain(n, seed).map(|z| z * size as f32);
        let params = Params { seed, unit: 1.0, ..Params::default() };
        let mut world = Hydrology::new(lattice, params, &bed)?;
        let drops = (drops_per_cell * n * n) as u64;
        stepper.rain(&mut world, drops)?;
        let coarse = coarsen(&layer(&world, "bed")?, n / few);
        let report = Report::from_bed(&coarse, 1.0);
        let raw = Report::from_bed(&coarsen(&bed, n / few), 1.0);
        let lake = world.lakes().iter().map(|lake| lake.area).fold(0.0, f64::max);
        let moved = world.drops() >= drops && raw != report;
        Ok(([report.hypsometric_integral, report.drainage_density, lake], moved))
    };
    let lands: Vec<_> = seeds.iter().flat_map(|&seed| [(seed, few), (seed, many)]).collect();
    let (mut figures, mut all_moved) = (Vec::new(), true);
    parallel::map_in_order(&lands, carve, |_, land: Result<([f64; 3], bool)>| {
        let (land, moved) = land?;
        all_moved &= moved;
        figures.push(land);
        Ok(())
    })?;
    let difference = |k: usize| {
        let pairs = figures.chunks_exact(2).map(|pair| (pair[1][k] / pair[0][k] - 1.0).abs());
        if all_moved { 100.0 * pairs.fold(0.0, f64::max) } else { FROZEN }
    };
    Ok(Outcome::from_rows([
        Row::at_most(name, "difference of hypsometric integrals (%)", difference(0), 10.0),
        Row::at_most(name, "difference of drainage densities (%)", difference(1), 10.0),
        Row::at_most(name, "difference of the largest lake's area (%)", difference(2), 10.0),
    ]))
}

/// Returns a coarser field. Each value is the mean of a block of `cells × cells` cells.
fn coarsen(bed: &Field<f32>, cells: usize) -> Field<f32> {
    Field::from_fn(bed.nx() / cells, bed.ny() / cells, |x, y| {
        let of = |i: usize| bed[(x * cells + i % cells, y * cells + i / cells)];
        (0..cells * cells).map(of).sum::<f32>() / (cells * cells) as f32
    })
}
