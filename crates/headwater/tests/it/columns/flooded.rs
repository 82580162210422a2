//! Tests that water under ceilings gains no energy and does not rise through the ceilings.

use crate::support::changes::check_rows_of_layers;
use crate::support::columns::{advance_by, caves, noise};
use headwater::columns::{Anchor, Columns, Params};
use headwater::{Field, Region};
use proptest::prelude::*;

/// Returns the walls of caves, or of storeys of rooms connected by shafts, below an open top.
fn caves_or_rooms(nx: usize, ny: usize, seed: u64) -> Field<bool> {
    let caves = caves(nx, ny, seed);
    let storey = 3 + (seed % 4) as usize;
    Field::from_fn(nx, ny, |x, y| {
        let floor = y % storey == 0 && noise(x / 2, y, seed) > 0.15;
        let door = noise(x / 7, y / storey, seed ^ 1) < 0.7 && y % storey > 1;
        let wall = x % 7 == 0 && !door;
        y > 1 && if seed.is_multiple_of(3) { caves[(x, y)] } else { floor || wall }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 36, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn flooded_rooms_gain_no_energy_and_stay_below_ceilings(
        nx in 4usize..60, ny in 4usize..40, seed in 0u64..10_000, per_cell in 1u32..5
    ) {
        let mut walls = caves_or_rooms(nx, ny, seed);
        // The cellar is dry until it is dug open.
        let top = ny * 3 / 4;
        (0..nx).for_each(|x| walls[(x, top)] = true);
        let params = Params {
            columns_per_cell: per_cell,
            wave_depth: (0.8 / f64::from(per_cell * per_cell)).max(0.05),
            damping: 0.0,
            sleep_speed: 0.0,
            ..Params::default()
        };
        let cell = 0.5;
        let level = Anchor::new_level([0.5 * nx as f64 * cell, 0.3]);
        let mut world = Columns::new(&walls, cell, &[level], params).unwrap();
        let x = noise(1, 2, seed) * nx as f64 * cell;
        let hole = Region::disc([x, (top as f64 + 0.5) * cell], 1.2 * cell);
        world.set_walls(&hole, false).unwrap();
        let start = world.energy().total();
        let mut min_energy = start;
        for k in 0..240 {
            world.step();
            let energy = world.energy();
            let now = energy.total();
            min_energy = min_energy.min(now);
            // The tolerance is relative to the released energy. It allows for rounding, and for
            // velocities of open water that are half a step apart from the heights.
            let limit = 1e-3 * (start - min_energy) + 0.02 * energy.kinetic + 1e-8 * start + 1e-3;
            prop_assert!(now - min_energy <= limit, "step {k}: {now} J, and {min_energy} J before");
            prop_assert!(world.max_overfill() <= 1e-3 * cell, "step {k}: {} m", world.max_overfill());
        }
        prop_assert_eq!(world.balance().residual, 0.0);
    }
}

/// Checks that water at rest under ceilings falls asleep, so that its steps are skipped.
#[test]
fn flooded_rooms_fall_asleep() {
    let map = "
        #.....................
        #~....................
        #.........#########.##
        #####.#####.........##
        #.........#.........##
        #.........#.........##
        #...................##
        ######################";
    let mut rooms = Columns::from_text(map, 0.5, Params { damping: 0.5, ..Params::default() });
    let rooms = rooms.as_mut().unwrap();
    rooms.set_walls(&Region::rect([1.0, 1.6], [1.5, 1.9]), false).unwrap();
    advance_by(rooms, 1.0);
    check_rows_of_layers(rooms);
    advance_by(rooms, 119.0);
    assert_eq!(rooms.awake_pool_count(), 0);
    let hash = rooms.state_hash();
    rooms.step_many(2);
    assert_eq!(rooms.balance().residual, 0.0);
    assert_ne!(rooms.state_hash(), hash, "time goes on");
    assert!(rooms.layer("velocity").unwrap().as_slice().iter().all(|&v| v == 0.0));
}
