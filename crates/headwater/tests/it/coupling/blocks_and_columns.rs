//! Tests that the conversion between blocks and columns conserves all liquids and walls.

use crate::support::columns::{busy_world, caves, disturb, level_at, noise};
use headwater::Field;
use headwater::blocks::{self, Blocks, Cell, Liquid};
use headwater::columns::{Columns, Params};
use headwater::coupling::{blocks_from_columns, columns_from_blocks};
use proptest::prelude::*;

fn water_units(blocks: &Blocks) -> f64 {
    blocks.volume(Liquid::Water) as f64
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn conversion_from_blocks_conserves_water(
        nx in 1usize..50, ny in 1usize..40, seed in 0u64..1000, per_cell in 1u32..4, settled: bool
    ) {
        let walls = caves(nx, ny, seed);
        let cells = Field::from_fn(nx, ny, |x, y| match (walls[(x, y)], noise(x, y, seed + 7)) {
            (true, _) => Cell::Wall,
            (_, wet) if wet < 0.4 => Cell::Liquid(Liquid::Water, 1 + (640.0 * wet) as u16),
            _ => Cell::Air,
        });
        let mut blocks = Blocks::new(&cells, blocks::Params::default()).unwrap();
        if settled {
            prop_assert!(blocks.run_to_rest(100_000));
        }
        let params = Params { columns_per_cell: per_cell, wave_depth: 0.1, ..Params::default() };
        let pools = columns_from_blocks(&blocks, 0.5, params).unwrap();
        prop_assert_eq!(&pools.walls(), &walls);
        prop_assert_eq!(pools.volume() / 0.25 * 256.0, water_units(&blocks));
        prop_assert_eq!(pools.balance().residual, 0.0);
        // Blocks at rest are converted back exactly.
        let (again, left) = blocks_from_columns(&pools, blocks::Params::default()).unwrap();
        prop_assert_eq!((water_units(&again), left), (water_units(&blocks), 0.0));
        if settled {
            let fallen = columns_from_blocks(&again, 0.5, Params::default()).unwrap();
            prop_assert_eq!(pools.volume(), fallen.volume());
        }
    }

    #[test]
    fn conversion_from_pools_conserves_water(nx in 1usize..50, ny in 1usize..40, seed in 0u64..1000) {
        let mut pools = busy_world(nx, ny, seed, Params { wave_depth: 0.5, ..Params::default() });
        for k in 0..60 {
            disturb(&mut pools, k, seed);
            pools.step();
        }
        let (blocks, left) = blocks_from_columns(&pools, blocks::Params::default()).unwrap();
        let unit = 0.25 / 256.0;
        let error = water_units(&blocks) * unit + left - pools.volume();
        prop_assert!(error.abs() < 1e-9 * (1.0 + pools.volume()), "{}", error);
        let above: f64 = (0..pools.pool_count()).flat_map(|pool| pools.water_runs(pool))
            .map(|run| (run.volume - 0.25 * run.rows.len() as f64).max(0.0)).sum();
        prop_assert!(left <= unit * pools.pool_count() as f64 + above + 1e-9, "{} {}", left, above);
    }
}

#[test]
fn lake_at_rest_stays_at_rest_as_pools() {
    let map = "~~......\n~~......\n........\n...#....\n...#....\n########";
    let mut blocks = Blocks::from_text(map, blocks::Params::default()).unwrap();
    assert!(blocks.run_to_rest(1000));
    let mut pools = columns_from_blocks(&blocks, 1.0, Params::default()).unwrap();
    let before = level_at(&pools, [1.0, 4.9]).unwrap();
    pools.step_many(600);
    assert!((level_at(&pools, [1.0, 4.9]).unwrap() - before).abs() < 0.02);
    assert!(before > 1.5, "{before}");
}

#[test]
fn invalid_worlds_are_rejected() {
    let mut blocks = Blocks::from_text("...\n###", blocks::Params::default()).unwrap();
    blocks.set(1, 0, Cell::Liquid(Liquid::Oil, 9)).unwrap();
    let error = columns_from_blocks(&blocks, 1.0, Params::default()).unwrap_err();
    let text = "the liquid in cell (1, 0): found oil, allowed is water: pools hold no other";
    assert_eq!(error.to_string(), text);
    let walls = Field::new(4, 3, false);
    let fill = Field::new(4, 2, 0.0);
    let error = Columns::with_fill(&walls, 1.0, &fill, Params::default()).unwrap_err();
    assert_eq!(error.to_string(), "a fill: found 4 × 2, allowed is 4 × 3, the size of the grid");
    let fill = Field::new(4, 3, 1.5);
    let error = Columns::with_fill(&walls, 1.0, &fill, Params::default()).unwrap_err().to_string();
    assert_eq!(error, "fill of a cell: found 1.5, allowed is 0 to 1");
}
