//! Tests that the water around floating bodies is level, and that the bodies' hulls contain no
//! water.

use crate::support::columns::{head_at, level_at, noise};
use headwater::columns::{Anchor, Body, Columns, Edit, Motion, Params, Shape, Source};
use headwater::{Field, Region};
use proptest::prelude::*;

struct LakeWithHull {
    world: Columns,
    cell: f64,
    nx: usize,
    /// Density of the body divided by the density of water (dimensionless).
    relative_density: f64,
}

impl LakeWithHull {
    /// Creates a test case whose sizes are chosen at random from `seed`. `per_cell` is the number
    /// of columns per cell.
    fn new(seed: u64, per_cell: u32, motion: Motion, is_stirred: bool) -> Self {
        let pick = |k: usize, low: f64, high: f64| low + (high - low) * noise(k, 3, seed);
        let cell = pick(0, 0.25, 1.0);
        let (nx, ny) = (pick(1, 24.0, 64.0) as usize, 16);
        let [width, height] = [nx, ny].map(|n| n as f64 * cell);
        let walls = Field::from_fn(nx, ny, |x, _| x == 0 || x + 1 == nx);
        let down = pick(2, 0.25, 0.4) * height;
        let column = cell / f64::from(per_cell);
        // The wave speed is limited by the time step and by a depth of 10 m.
        let wave_depth = (0.2 * (column * 60.0).powi(2) / 9.81).min(1.0);
        let params = Params {
            columns_per_cell: per_cell,
            motion,
            wave_depth,
            damping: 0.5,
            ..Params::default()
        };
        let anchors = [Anchor::new_level([1.5 * cell, down])];
        let mut world = Columns::new(&walls, cell, &anchors, params).unwrap();
        let half = [pick(3, 0.3, 0.2 * nx as f64) * cell, pick(4, 0.4, 3.0) * cell];
        let relative_density = pick(5, 0.1, 0.9);
        let is_disc = noise(6, 3, seed) < 0.25;
        let half = if is_disc { [half[1]; 2] } else { half };
        let room = width - 2.0 * (half[0] + 2.0 * cell);
        let x = half[0] + 2.0 * cell + pick(7, 0.0, 1.0) * room;
        // The body is at rest, at its equilibrium draft.
        let y = down + half[1]
            - 2.0 * half[1] * relative_density
            - if is_stirred { pick(8, 0.0, 2.0) * cell } else { 0.0 };
        let (shape, area) = if is_disc {
            (
                Shape::Disc { center: [x, y], radius: half[0] },
                std::f64::consts::PI * half[0] * half[0],
            )
        } else {
            (Shape::Box { center: [x, y], half }, 4.0 * half[0] * half[1])
        };
        let velocity = if is_stirred { [pick(9, -2.0, 2.0), 0.0] } else { [0.0; 2] };
        let body = Body { velocity, ..Body::new(shape, 1000.0 * relative_density * area) };
        world.add_body(body).unwrap();
        if is_stirred {
            let place = Region::disc([pick(10, 0.2, 0.8) * width, down], 2.0 * cell);
            world.edit(&place, Edit::Splash(0.5 * cell)).unwrap();
            world.edit(&Region::Everywhere, Edit::Push(pick(11, -0.5, 0.5))).unwrap();
        }
        Self { world, cell, nx, relative_density }
    }

    fn find_unlevel_surface(&self) -> Option<String> {
        let (world, cell) = (&self.world, self.cell);
        let near = 0.02 * cell;
        let width = world.column_width();
        let bottom = 15.5 * cell;
        let first = (cell / width).round() as usize;
        let last = ((self.nx - 1) as f64 * cell / width).round() as usize;
        let places = || (first..last).map(|c| (c as f64 + 0.5) * width);
        let stands: Vec<f64> = places().map(|x| level_at(world, [x, bottom]).unwrap()).collect();
        let mean = stands.iter().sum::<f64>() / stands.len() as f64;
        for (x, surface) in places().zip(&stands) {
            if (surface - mean).abs() > near {
                return Some(format!(
                    "{surface} at {x}, and {mean} on the mean, {:?}",
                    world.bodies()
                ));
            }
            let head = head_at(world, [x, bottom]).unwrap();
            if world.params().motion == Motion::Discharge && (head - mean).abs() > near {
                return Some(format!("a head of {head} at {x}, and {mean} on the mean"));
            }
        }
        let shape = world.bodies()[0].shape;
        let under = world.submersion(&shape).unwrap().area;
        let area = match shape {
            Shape::Box { half, .. } => 4.0 * half[0] * half[1],
            Shape::Disc { radius, .. } => std::f64::consts::PI * radius * radius,
        };
        let share = under / area;
        ((share - self.relative_density).abs() > 0.02)
            .then(|| format!("{share} of it under water, not {}: {shape:?}", self.relative_density))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 100, ..ProptestConfig::default() })]

    #[test]
    fn hulls_float_at_their_draft_in_level_water(
        seed in 0u64..1_000_000, finer in 0u32..3, is_sprung: bool, is_stirred: bool
    ) {
        let motion = if is_sprung { Motion::Springs } else { Motion::Discharge };
        let mut lake = LakeWithHull::new(seed, 1 << finer, motion, is_stirred);
        let volume = lake.world.volume();
        lake.world.step_many(60 * 60);
        prop_assert_eq!(lake.find_unlevel_surface(), None);
        prop_assert_eq!(lake.world.volume(), volume);
        prop_assert_eq!(lake.world.balance().residual, 0.0);
    }
}

/// Returns a basin of 10 m × 5 m with water 3 m deep.
fn basin(params: Params) -> Columns {
    let walls = Field::from_fn(40, 20, |x, y| x == 0 || x == 39 || y == 19);
    Columns::new(&walls, 0.25, &[Anchor::new_level([1.0, 1.75])], params).unwrap()
}

/// Creates a box-shaped body from its centre (m), half its size (m) and `relative_density`, its
/// density relative to water.
fn crate_at(center: [f64; 2], half: [f64; 2], relative_density: f64) -> Body {
    Body::new(Shape::Box { center, half }, 4000.0 * relative_density * half[0] * half[1])
}

/// Returns the water level in each column of a basin (m above the bottom); `None` for dry columns.
fn column_levels(world: &Columns) -> Vec<Option<f64>> {
    let width = world.column_width();
    let last = (38.0 * 0.25 / width).round() as usize;
    (0..last).map(|c| level_at(world, [0.25 + (c as f64 + 0.5) * width, 4.7])).collect()
}

#[test]
fn water_is_level_around_touching_hulls_and_over_stones() {
    for columns_per_cell in [1, 3] {
        let params =
            Params { damping: 0.5, wave_depth: 0.3, columns_per_cell, ..Params::default() };
        let mut pool = basin(params);
        for (x, share) in [(2.0, 0.3), (3.0, 0.6), (4.0, 0.9), (6.3, 0.5)] {
            pool.add_body(crate_at([x, 1.6], [0.5, 0.5], share)).unwrap();
        }
        let stone = Shape::Disc { center: [6.4, 4.0], radius: 0.4 };
        pool.add_body(Body::new(stone, 1300.0)).unwrap();
        pool.step_many(60 * 120);
        let stands = column_levels(&pool);
        // The displaced volume raises the water of the whole basin.
        let taken = 2.3 + 0.16 * std::f64::consts::PI;
        let expected = 3.25 + taken / 9.5;
        for (c, surface) in stands.iter().enumerate() {
            let surface = surface.unwrap();
            assert!(
                (surface - expected).abs() < 0.01,
                "{columns_per_cell} {c}: {surface} {expected}"
            );
        }
        let all = Shape::Box { center: [5.0, 2.5], half: [5.0, 2.5] };
        let within = pool.submersion(&all).unwrap();
        assert!((within.water - pool.volume()).abs() < 0.02, "{within:?} {}", pool.volume());
        assert!((within.area - within.water - taken).abs() < 0.02, "{within:?}");
        assert_eq!(pool.awake_pool_count(), 0);
    }
}

#[test]
fn a_stranded_hull_holds_no_water_and_refloats() {
    for columns_per_cell in [1, 2, 4] {
        let params =
            Params { damping: 0.5, wave_depth: 0.25, columns_per_cell, ..Params::default() };
        let mut pool = basin(params);
        pool.add_body(crate_at([5.1, 1.75], [1.03, 0.5], 0.4)).unwrap();
        let outlet = Region::rect([0.5, 4.5], [3.0, 4.75]);
        let drain = pool.add_drain(Source::new(outlet.clone(), 0.5)).unwrap();
        pool.step_many(60 * 240);
        let highest = column_levels(&pool).into_iter().flatten().fold(0.0, f64::max);
        assert!(highest - 0.25 < 0.015, "{columns_per_cell}: {} m left", highest - 0.25);
        pool.remove_drain(drain).unwrap();
        let spring = pool.add_spring(Source::new(outlet, 0.5)).unwrap();
        pool.step_many(60 * 30);
        pool.remove_spring(spring).unwrap();
        pool.step_many(60 * 60);
        let Shape::Box { center, half } = pool.bodies()[0].shape else { unreachable!() };
        let stands = column_levels(&pool);
        let beside = stands[0].unwrap();
        let drawn = beside - (5.0 - center[1] - half[1]);
        assert!((drawn - 0.4).abs() < 0.02, "{columns_per_cell}: it draws {drawn} m");
        let is_level = |surface: &Option<f64>| (surface.unwrap() - beside).abs() < 0.01;
        assert!(stands.iter().all(is_level), "{columns_per_cell}: {stands:?}");
    }
}

/// Regression test: after walls were changed, hydraulic heads ignored the bodies until the next
/// step, so that images flickered and gauge values dropped.
#[test]
fn digging_and_building_do_not_change_heads_elsewhere() {
    let text = "#.......#.......#
                #.......~.......#
                #.......#.......#
                #.......##......#
                #.......##......#
                #################";
    let mut rooms = Columns::from_text(text, 0.5, Params::default()).unwrap();
    let roof = Region::rect([0.0, 1.0], [4.0, 1.5]);
    rooms.set_walls(&roof, true).unwrap();
    rooms.add_body(crate_at([6.5, 0.7], [0.8, 0.4], 0.5)).unwrap();
    rooms.step_many(60 * 20);
    let places = [[1.2, 2.2], [3.2, 2.2], [6.2, 1.2], [7.2, 1.2]];
    let asked = |rooms: &Columns| {
        places.map(|at| [rooms.head_at(at).unwrap(), rooms.surface_at(at).unwrap()])
    };
    let before = asked(&rooms);
    for (place, solid) in [([1.7, 0.2], true), ([4.2, 2.2], false)] {
        rooms.set_walls(&Region::disc(place, 0.1), solid).unwrap();
        let after = asked(&rooms);
        for (a, b) in before.iter().flatten().zip(after.iter().flatten()) {
            assert!((a - b).abs() < 0.03, "{place:?}: {before:?} {after:?}");
        }
    }
}
