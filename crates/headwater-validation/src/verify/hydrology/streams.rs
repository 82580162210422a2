//! Test cases for streams: continuity of discharge, concentration of runoff, and erosion by storms.

use super::super::{Outcome, Row, Stepper, parallel};
use crate::carve::{create_world, layer, noise_terrain};
use anyhow::Result;
use headwater::hydrology::{EdgeKind, Edges, Hydrology, Inflow, Params, Substance};
use headwater::{Cause, Field};

/// Measures the discharge at the outlet of a rough valley, divided by the inflow of a river that
/// enters from outside. The river has no losses. The smallest ratio of three random valleys counts.
pub(super) fn measure_river_continuity(
    name: &'static str,
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    const CATCHMENT: f64 = 30_000.0;
    const DROPS: u64 = 220_000;
    const WIDE: usize = 9;
    let carve = |&seed: &u64| {
        let rough = noise_terrain(192, seed);
        let valley = |x: usize, y: usize| {
            let (x, y) = (x as f32, y as f32);
            let bend = (x / 96.0).fract();
            let aside = y - 52.0 - 96.0 * bend * (1.0 - bend);
            0.08 * x - 14.0 / (1.0 + aside * aside / 256.0)
        };
        let bed = Field::from_fn(192, 128, |x, y| valley(x, y) + 0.6 * rough[(x, y)]);
        let edges = Edges { east: EdgeKind::Wall, ..Edges::default() };
        let mut world = create_world(
            &bed,
            Params { seed, drying: 0.0, evaporation: 0.0, edges, ..Params::default() },
        )?;
        world.add_spring(Inflow { position: [191.5, 64.5], catchment: CATCHMENT })?;
        stepper.rain(&mut world, DROPS)?;
        let discharge = layer(&world, "discharge")?;
        // A river five cells wide leaves through several cells.
        let west: Vec<f32> = (0..128).map(|y| discharge[(0, y)]).collect();
        let max_inflow = west.windows(WIDE).map(|river| river.iter().sum()).fold(0.0_f32, f32::max);
        Ok(f64::from(max_inflow) / CATCHMENT)
    };
    let mut worst = f64::INFINITY;
    parallel::map_in_order(&[1, 2, 3], carve, |_, part: Result<f64>| {
        worst = worst.min(part?);
        Ok(())
    })?;
    Ok(Row::at_least(name, "discharge at the outlet (% of inflow)", 100.0 * worst, 95.0).into())
}

/// Measures how the coupling of drops to streams concentrates runoff. The concentration is the
/// share of the total discharge in the one percent of cells with the largest discharge. The result
/// is the concentration with coupling divided by that without coupling. Concentrations are averaged
/// over six terrains, because that of a single terrain is noisy.
pub(super) fn measure_runoff_concentration(
    name: &'static str,
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    const DROPS: u64 = 130_000;
    let share = |&(seed, coupled): &(u64, bool)| {
        let params = Params { seed, ..Params::default() };
        // With this threshold no stream is strong.
        let alone = Params {
            momentum: 0.0,
            attraction: 0.0,
            stream: 1e9,
            plants: Vec::new(),
            ..params.clone()
        };
        let params = Params { plants: Vec::new(), ..params };
        let mut world =
            create_world(&noise_terrain(256, seed), if coupled { params } else { alone })?;
        stepper.rain(&mut world, DROPS)?;
        let mut discharge = layer(&world, "discharge")?.as_slice().to_vec();
        discharge.sort_by(|a, b| b.total_cmp(a));
        let sum = |cells: &[f32]| cells.iter().map(|&q| f64::from(q)).sum::<f64>();
        Ok(sum(&discharge[..discharge.len() / 100]) / sum(&discharge))
    };
    let lands: Vec<_> = (1..=6).flat_map(|seed| [(seed, true), (seed, false)]).collect();
    let mut shares = [0.0; 2];
    parallel::map_in_order(&lands, share, |i, part: Result<f64>| {
        shares[i % 2] += part?;
        Ok(())
    })?;
    Ok(Row::at_least(
        name,
        "share of discharge in streams, relative to no coupling",
        shares[0] / shares[1],
        1.0,
    )
    .into())
}

/// Measures how much sediment leaves carved terrain in a storm, relative to the same amount of
/// ordinary rain. The storm lasts for half a drop per cell and has twice the ordinary intensity.
/// After the storm, the sediment outflow must return to about its ordinary value.
pub(super) fn measure_storm_erosion(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    const DROPS: u64 = 65_536;
    let mut before = create_world(&noise_terrain(256, 5), Params::default())?;
    stepper.rain(&mut before, 2 * DROPS)?;
    let gone = |world: &Hydrology| world.ledger(Substance::Sediment).outflow(Cause::Boundary);
    let carve = |intensity: f64| -> Result<[f64; 2]> {
        let mut world = before.clone();
        world.start_storm(0.5, intensity)?;
        stepper.rain(&mut world, DROPS / 2)?;
        let after = gone(&world);
        stepper.rain(&mut world, DROPS / 2)?;
        Ok([after - gone(&before), gone(&world) - after].map(|quanta| quanta as f64))
    };
    let [plain, wild] = [carve(1.0)?, carve(2.0)?];
    let more = |k: usize| wild[k] / plain[k];
    Ok(Outcome::from_rows([
        Row::at_least(
            name,
            "sediment outflow of a storm with twice the intensity, relative to ordinary rain",
            more(0),
            1.6,
        ),
        Row::at_most(name, "same, upper limit", more(0), 2.4),
        Row::at_most(name, "same, after the storm", more(1), 1.4),
    ]))
}
