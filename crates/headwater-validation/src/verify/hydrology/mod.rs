//! Verification cases for carved terrain: exact conservation of water and sediment, lake levels
//! compared with a reference flood fill, visibility of all stored water as depth in cells,
//! independence of the number of threads, and similarity to real terrain.

mod lakes;
mod stream_power;
mod streams;
mod terrain_statistics;

use super::norms::count_runs_unlike_one_thread;
use super::{Case, FROZEN, Outcome, Row, Stepper, named_cases};
use crate::carve::{create_world, layer, noise_terrain};
use anyhow::Result;
use headwater::Cause;
use headwater::hydrology::{EdgeKind, Edges, Hydrology, Params, Substance};
use headwater_cli::span::min_max;
use once_cell::sync::OnceCell;
use std::sync::Arc;

pub(super) fn cases() -> Vec<Case> {
    // A world shared by two cases is run once, by the first one. Both must use the same stepper.
    let millions = Arc::new(OnceCell::new());
    let conservation = |name: &'static str, substance: Substance| {
        let millions = Arc::clone(&millions);
        Case::new(name, move |stepper| {
            let (world, moved): &(Hydrology, bool) =
                millions.get_or_try_init(|| terrain_after_million_drops(stepper))?;
            let residual = world.balance(substance).residual.unsigned_abs();
            let value = if *moved { residual as f64 } else { FROZEN };
            Ok(Row::at_most(name, "residual (quanta of 2⁻²⁰ m)", value, 0.0).into())
        })
    };
    let mut cases = terrain_statistics::cases();
    cases.extend([
        conservation("hydrology/water", Substance::Water),
        conservation("hydrology/sediment", Substance::Sediment),
    ]);
    cases.extend(named_cases([
        ("hydrology/sizes", terrain_statistics::measure_convergence_of_two_seeds),
        ("hydrology/outside-river", streams::measure_river_continuity),
        ("hydrology/coupling", streams::measure_runoff_concentration),
        ("hydrology/storm", streams::measure_storm_erosion),
        ("hydrology/trees", check_plants),
        ("hydrology/threads", check_thread_independence),
        ("hydrology/hand-over", lakes::measure_transfer_to_flow),
        ("hydrology/lakes-oracle", lakes::compare_with_flood_fill),
        ("hydrology/edge-outlet", lakes::measure_edge_levels),
        ("hydrology/nested-lakes", lakes::measure_nested_lakes),
    ]));
    cases.extend(stream_power::cases());
    cases
}

/// Returns the cases that take minutes to run.
pub(super) fn long_cases() -> Vec<Case> {
    named_cases([
        ("hydrology/lands-1024", terrain_statistics::measure_on_1024_cells),
        ("hydrology/sizes-1024", terrain_statistics::measure_convergence_on_1024_cells),
    ])
}

/// Returns a terrain with a sea on 128² cells after a million drops of rain. The second value is
/// whether all drops have fallen, lakes exist and sediment has left the terrain.
fn terrain_after_million_drops(stepper: &dyn Stepper) -> Result<(Hydrology, bool)> {
    let edges = Edges { west: EdgeKind::Sea, ..Edges::default() };
    let mut world =
        create_world(&noise_terrain(128, 1), Params { edges, sea: 6.0, ..Params::default() })?;
    stepper.rain(&mut world, 1_000_000)?;
    let carved = world.ledger(Substance::Sediment).outflow(Cause::Boundary) > 0;
    let moved = world.drops() >= 1_000_000 && carved && !world.lakes().is_empty();
    Ok((world, moved))
}

/// Checks the plants after 150 000 drops of rain on 256² cells. The rarest kind must be present,
/// and there must be no plants in lakes or strong streams.
fn check_plants(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut world = create_world(&noise_terrain(256, 2), Params::default())?;
    stepper.rain(&mut world, 150_000)?;
    let (plant, stream) = (layer(&world, "plant")?, layer(&world, "stream")?);
    let depth = layer(&world, "depth")?;
    let count = |kind: f32| plant.as_slice().iter().filter(|&&k| k == kind).count() as f64;
    let [rarest, _] = min_max([1.0, 2.0, 3.0].map(count));
    // Films below the resolution of `f32` are not lakes.
    let wet = stream.as_slice().iter().zip(depth.as_slice()).map(|(&s, &d)| s > 0.5 || d > 1e-3);
    let drowned = plant.as_slice().iter().zip(wet).filter(|&(&kind, wet)| kind > 0.0 && wet);
    let drowned = drowned.count() as f64;
    Ok(Outcome::from_rows([
        Row::at_least(name, "plants of the rarest kind", rarest, 100.0),
        Row::at_most(name, "plants in lakes and strong streams", drowned, 0.0),
    ]))
}

/// Counts the runs on 2 and 8 threads that differ from the run on one thread.
fn check_thread_independence(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let before = create_world(&noise_terrain(128, 3), Params::default())?;
    let differ = count_runs_unlike_one_thread(|| {
        let mut world = before.clone();
        stepper.rain(&mut world, 30_000)?;
        Ok(Some(world.state_hash()).filter(|&end| end != before.state_hash()))
    })?;
    Ok(Row::at_most(name, "runs that differ from the run on one thread", differ, 0.0).into())
}
