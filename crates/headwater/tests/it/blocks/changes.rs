//! Tests of change tracking in block worlds.

use crate::support::blocks::{caves, noise, rect, world};
use crate::support::changes::follow_changes;
use headwater::blocks::{Blocks, Bottom, Cell, Drain, Edit, Liquid, Params, Rule, Side, Spring};
use headwater::changes::{Stamp, Tile};
use headwater::{Field, Model, Region};

fn check_changes(world: &mut Blocks, seed: u64) {
    let act = |world: &mut Blocks, round: usize| {
        let at = |k: usize, n: usize| (noise(round, k, seed) * n as f64) as usize;
        let place = rect(at(0, world.nx()), at(1, world.ny()), 1 + at(2, 4), 1 + at(3, 4));
        match at(4, 6) {
            0 => world.edit(&place, Edit::Set(Cell::Wall)).unwrap(),
            1 => world.edit(&place, Edit::Dig).unwrap(),
            2 => world.edit(&place, Edit::Set(Cell::WATER)).unwrap(),
            3 => world.set(at(0, world.nx()), at(1, world.ny()), Cell::Air).unwrap(),
            4 => world.step_plain(),
            _ => {}
        }
        (0..at(5, 4)).for_each(|_| world.step());
    };
    let differs = |before: &Field<Cell>, after: &Field<Cell>, at| before[at] != after[at];
    follow_changes(world, 45, Blocks::cells, differs, act);
}

#[test]
fn tags_stay_with_their_cells_and_are_saved() {
    let mut world = Blocks::from_text("#~~#\n#..#\n####", Params::default()).unwrap();
    let bare = world.state_hash();
    let stamp = world.changed_since(Stamp::NEVER).stamp;
    world.set_tags(&Region::rect([0.0, 1.0], [4.0, 3.0]), 9).unwrap();
    assert_eq!(world.changed_since(stamp).tiles.len(), 1);
    assert_ne!(world.state_hash(), bare);
    world.run_to_rest(100);
    assert_eq!(
        [(1, 1), (0, 2), (0, 0), (4, 0)].map(|(x, y)| world.tag(x, y)),
        [Some(9), Some(9), Some(0), None]
    );
    let again = Blocks::restore(world.snapshot()).unwrap();
    assert_eq!((again.tag(2, 2), again.state_hash()), (Some(9), world.state_hash()));
    assert_eq!(world.layer("tag").unwrap()[(3, 2)], 9.0);
    world.edit(&Region::rect([1.0, 1.0], [3.0, 2.0]), Edit::Set(Cell::Wall)).unwrap();
    assert_eq!((world.tag(1, 1), world.tag(0, 1)), (Some(0), Some(9)), "a new wall has none");
}

#[test]
fn all_changes_are_reported() {
    for (seed, trapped_air) in [(1, false), (2, true), (3, false)] {
        let params = Params { trapped_air, evaporation: 30, lava_period: 2, ..Params::default() };
        let mut world = world(&caves(200, 140, seed, 3), &params);
        let spring = Spring { region: rect(40, 2, 3, 1), liquid: Liquid::Water, rate: 90 };
        world.add_spring(spring).unwrap();
        world.add_drain(Drain { region: rect(130, 110, 4, 3), rate: 30 }).unwrap();
        check_changes(&mut world, seed);
    }
    let whole = Params { rule: Rule::WholeBlocks, ..Params::default() };
    let cells = caves(200, 140, 4, 1).map(|&cell| match cell {
        Cell::Liquid(..) => Cell::WATER,
        cell => cell,
    });
    check_changes(&mut world(&cells, &whole), 4);
}

/// Runs a world for a number of steps. Returns how often a cell changed in a chunk that was asleep
/// before the step in which it changed.
fn count_changes_in_sleeping_chunks(world: &mut Blocks, steps: usize) -> usize {
    let mut count = 0;
    for _ in 0..steps {
        let (awake, before) = (world.layer("active").unwrap(), world.cells());
        world.step();
        let after = world.cells();
        let cells = before.as_slice().iter().zip(after.as_slice()).zip(awake.as_slice());
        count += cells.filter(|((before, after), awake)| before != after && **awake == 0.0).count();
    }
    count
}

#[test]
fn awake_chunks_include_all_that_the_next_step_changes() {
    for seed in 0..60 {
        let of = |k: usize, n: usize| (noise(k, 3, seed) * n as f64) as usize;
        let (nx, ny, kinds) = (100 + of(0, 100), 100 + of(1, 100), 1 + of(2, 3));
        let evaporation = if seed % 3 == 0 { 40 } else { 0 };
        let params = Params {
            trapped_air: seed % 4 == 0,
            evaporation,
            evaporation_period: 5,
            west: [Side::Wall, Side::Drain, Side::Level][seed as usize % 3],
            west_level: ny as f64 / 3.0,
            bottom: if seed % 5 == 0 { Bottom::Drain } else { Bottom::Wall },
            ..Params::default()
        };
        let mut world = world(&caves(nx, ny, seed, kinds), &params);
        if seed % 2 == 0 {
            let region = rect(of(3, nx - 4), of(4, ny - 4), 4, 2);
            world.add_spring(Spring { region, liquid: Liquid::Water, rate: 90 }).unwrap();
            let region = rect(of(5, nx - 4), of(6, ny - 4), 4, 2);
            world.add_drain(Drain { region, rate: 90 }).unwrap();
        }
        for round in 0..3 {
            assert_eq!(
                count_changes_in_sleeping_chunks(&mut world, 60),
                0,
                "world {seed}, round {round}"
            );
            let place = rect(of(7 + round, nx - 4), of(17 + round, ny - 4), 3, 3);
            world
                .edit(&place, [Edit::Dig, Edit::Set(Cell::WATER), Edit::Remove(90)][round])
                .unwrap();
        }
    }
}

#[test]
fn sleeping_regions_are_not_reported() {
    let ocean = Field::from_fn(640, 320, |_, y| if y < 64 { Cell::Air } else { Cell::WATER });
    let mut world = Blocks::new(&ocean, Params::default()).unwrap();
    assert!(world.run_to_rest(3));
    let stamp = world.changed_since(Stamp::NEVER).stamp;
    (0..5).for_each(|_| world.step());
    assert!(world.changed_since(stamp).tiles.is_empty(), "nothing moves");
    world.set(30, 200, Cell::Wall).unwrap();
    let changes = world.changed_since(stamp);
    assert_eq!(changes.tiles, [Tile { x: 0, y: 192, nx: 64, ny: 64 }]);
    world.set_params(Params { flow: 100, ..Params::default() }).unwrap();
    assert!(world.changed_since(changes.stamp).tiles.is_empty(), "no cell has changed");
    let state = world.save().unwrap();
    world.load(&state).unwrap();
    assert_eq!(world.changed_since(changes.stamp).tiles.len(), 50);
    assert_eq!(world.clone().changed_since(changes.stamp).tiles.len(), 50);
}
