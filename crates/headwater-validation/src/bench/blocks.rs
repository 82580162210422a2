//! Benchmarks of the model `blocks`. The reference is the same world under the rule of the
//! published model. Under this rule, water moves only in whole cells, and every tick visits every
//! cell.

use super::timing::{
    Case, Comparison, Speed, Work, compare, in_thread_pool, median_time, repeat, serial_fraction,
    time,
};
use crate::noise::noise;
use crate::pool::create_pool;
use anyhow::Result;
use headwater::blocks::{Blocks, Cell, Drain, FULL, Liquid, Params, Rule, Spring};
use headwater::{Field, Region};

pub(super) const CASES: [Case; 5] = [
    ("blocks/puddles-40000", time_puddles),
    ("blocks/asleep-4096", time_sleeping_ocean),
    ("blocks/edit-4096", time_edit),
    ("blocks/active-1m", time_running_water),
    ("blocks/serial", measure_serial_fraction),
];

/// Compares two worlds on one thread. `default_rule` runs the default rule. The reference runs the
/// published rule, under which water moves only in whole cells.
fn compare_on_one_thread(
    default_rule: impl Work + Send,
    whole_block_rule: impl Work + Send,
) -> Result<Comparison> {
    // The whole comparison runs inside the pool, because passing work to another thread takes
    // longer than a step of a sleeping world.
    create_pool(1)?.install(|| compare(WHOLE_BLOCKS, default_rule, whole_block_rule))
}

const WHOLE_BLOCKS: &str = "whole blocks";
const PER_TICK: &str = "ms per tick";

/// Creates two worlds with the same cells: one with the default rule, and one with the published
/// rule, under which water moves only in whole cells.
fn create_worlds_with_both_rules(cells: &Field<Cell>) -> Result<[Blocks; 2]> {
    let whole = Params { rule: Rule::WholeBlocks, ..Params::default() };
    Ok([Blocks::new(cells, Params::default())?, Blocks::new(cells, whole)?])
}

/// Times ticks of a world of 400 × 400 cells with 40 000 one-cell puddles, on one thread. Before
/// each tick, a puddle in every chunk (block of cells that sleeps as a whole) is emptied or filled
/// in one call, so that all chunks are awake.
fn time_puddles() -> Result<Speed> {
    let n = 400;
    let is_puddle = |x: usize, y: usize| !x.is_multiple_of(2) && y.is_multiple_of(2);
    let cell = |x, y| if is_puddle(x, y) { Cell::WATER } else { Cell::Wall };
    let cells = Field::from_fn(n, n, cell);
    let [mut ours, mut whole] = create_worlds_with_both_rules(&cells)?;
    let disturb_and_step = |world: &mut Blocks, round: &mut usize| -> Result<()> {
        let cell = if round.is_multiple_of(2) { Cell::Air } else { Cell::WATER };
        *round += 1;
        let puddles: Vec<_> =
            (0..7).flat_map(|i| (0..7).map(move |j| (64 * i + 1, 64 * j))).collect();
        world.set_cells(&puddles, cell)?;
        world.step();
        Ok(())
    };
    let (mut a, mut b) = (0, 0);
    let comparison = compare_on_one_thread(
        || disturb_and_step(&mut ours, &mut a),
        || disturb_and_step(&mut whole, &mut b),
    )?;
    Ok(comparison.to_milliseconds(PER_TICK, 1))
}

/// Creates two worlds of `n × n` cells with an ocean at rest over hills and caves. The first world
/// has the default rule, the second the published rule, under which water moves only in whole
/// cells.
fn create_oceans(n: usize) -> Result<[Blocks; 2]> {
    let cells = Field::from_fn(n, n, |x, y| {
        let (fx, fy) = (x as f32, y as f32);
        let ground = n as f32 * (0.6 + 0.15 * (0.004 * fx).sin() + 0.05 * (0.021 * fx).sin());
        let cave = (0.05 * fx).sin() * (0.07 * fy).cos() > 0.6;
        match (fy > ground, y > n / 2) {
            (true, _) if !cave => Cell::Wall,
            (_, true) => Cell::WATER,
            _ => Cell::Air,
        }
    });
    let [mut ours, whole] = create_worlds_with_both_rules(&cells)?;
    anyhow::ensure!(ours.run_to_rest(2000), "the ocean does not come to rest");
    Ok([ours, whole])
}

/// Times ticks of a sleeping ocean on 4096² cells, on one thread.
fn time_sleeping_ocean() -> Result<Speed> {
    let [mut ours, mut whole] = create_oceans(4096)?;
    let ticks = 1000;
    let comparison =
        compare_on_one_thread(|| repeat(ticks, || ours.step()), || repeat(1, || whole.step()))?;
    Ok(comparison.scale_reference(ticks as f64).to_milliseconds(PER_TICK, ticks))
}

/// Times one edit of a sleeping ocean on 4096² cells together with the next tick, on one thread.
/// Each edit builds or removes a wall at another position. Reports the 99th percentile.
fn time_edit() -> Result<Speed> {
    let [mut ours, mut whole] = create_oceans(4096)?;
    let place = |i: usize| (977 * i % 4096, 2050 + 131 * (i / 2) % 400);
    let set = |world: &mut Blocks, (x, y): (usize, usize), cell: Cell| -> Result<()> {
        world.set(x, y, cell)?;
        world.step();
        Ok(())
    };
    let mut seconds = Vec::new();
    create_pool(1)?.install(|| {
        (0..1000).try_for_each(|i| {
            let cell = if i % 2 == 0 { Cell::Wall } else { Cell::WATER };
            seconds.push(time(|| set(&mut ours, place(i / 2), cell))?);
            ours.run_to_rest(100);
            anyhow::Ok(())
        })
    })?;
    seconds.sort_by(f64::total_cmp);
    let slow = seconds[seconds.len() * 99 / 100];
    let mut places = (0..5).map(place);
    let whole = median_time(5, || {
        places.next().map_or(Ok(()), |place| set(&mut whole, place, Cell::Wall))
    })?;
    let comparison =
        Comparison { reference: WHOLE_BLOCKS, seconds: slow, ratio: whole / slow, spread: None };
    Ok(comparison.to_milliseconds("ms (p99)", 1))
}

/// Creates two worlds of `n × n` cells with caves, in which water runs from a spring at the top to
/// a drain at the bottom. The first world has the default rule, the second the published rule,
/// under which water moves only in whole cells.
fn create_caves(n: usize) -> Result<[Blocks; 2]> {
    let cells = Field::from_fn(n, n, |x, y| match noise(x / 5, y / 5) {
        part if part < 0.25 => Cell::Wall,
        _ if noise(x / 9 + n, y / 8) < 0.5 => Cell::WATER,
        _ => Cell::Air,
    });
    let mut worlds = create_worlds_with_both_rules(&cells)?;
    for world in &mut worlds {
        let region = Region::rect([0.0, 0.0], [n as f64, 1.0]);
        world.add_spring(Spring { region, liquid: Liquid::Water, rate: FULL })?;
        let region = Region::rect([0.0, n as f64 - 1.0], [n as f64, n as f64]);
        world.add_drain(Drain { region, rate: FULL })?;
    }
    Ok(worlds)
}

/// Creates caves of `n × n` cells with running water.
pub(super) fn create_running_water(n: usize) -> Result<Blocks> {
    let [mut world, _] = create_caves(n)?;
    repeat(10, || world.step())?;
    Ok(world)
}

/// Times ticks of caves with running water on two threads. The reference uses one thread.
fn time_running_water() -> Result<Speed> {
    let [mut ours, mut whole] = create_caves(1000)?;
    let ticks = 2;
    let two = in_thread_pool(2, || repeat(ticks, || ours.step()))?;
    Ok(compare(WHOLE_BLOCKS, two, || repeat(ticks, || whole.step()))?
        .to_milliseconds(PER_TICK, ticks))
}

/// Measures the serial fraction of a tick in caves with running water, on one thread.
fn measure_serial_fraction() -> Result<Speed> {
    let [mut ours, _] = create_caves(1000)?;
    serial_fraction(move || repeat(2, || ours.step()))
}
