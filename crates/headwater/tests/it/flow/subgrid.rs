//! Tests of sub-grid terrain: ground that is resolved more finely than the cells, with banks inside
//! of cells.

use crate::support::flow::{noise, step_and_compare};
use headwater::flow::{
    Boundary, BoundaryKind, Change, Edit, Flood, Flow, Params, Physics, PreservedQuantity, Rain,
    Snapshot, Soil, Source, Structure, StructureKind, Subgrid, Weir,
};
use headwater::{Brush, Edge, Field, Hex, Region, Square};
use proptest::prelude::*;

const SAMPLES: usize = 8;
const LEVELS: [Physics; 2] = [Physics::Inertial, Physics::ShallowWater];

/// Returns terrain with banks that are oblique to a grid of 1 m cells, as the lattice, the bed and
/// the sub-grid. Channels and plateaus between the banks are slightly rough.
fn terrain_with_banks(nx: usize, ny: usize, seed: u64) -> (Square, Field<f32>, Subgrid) {
    let lattice = Square::new(nx, ny, 1.0, 1.0).unwrap();
    let way = 6.3 * noise(1, 2, seed);
    let fine = Field::from_fn(SAMPLES * nx, SAMPLES * ny, |x, y| {
        let along = (x as f32 * way.cos() + y as f32 * way.sin()) / SAMPLES as f32;
        let plateau = if along.rem_euclid(9.0) < 4.5 { 2.0 } else { 0.0 };
        plateau + 0.2 * noise(x / 9, y / 9, seed ^ 5)
    });
    let (bed, subgrid) = Subgrid::from_raster(lattice, &fine).unwrap();
    (lattice, bed, subgrid)
}

fn world(
    level: Physics,
    nx: usize,
    ny: usize,
    seed: u64,
    depth: impl Fn(usize, usize) -> f32,
) -> Flow {
    let (lattice, bed, subgrid) = terrain_with_banks(nx, ny, seed);
    let below = |x, y| subgrid.depth_at_level(x, y, bed[(x, y)], depth(x, y));
    let water = Field::from_fn(nx, ny, below);
    world_over_subgrid(subgrid, lattice, level, bed, water)
}

pub(super) fn world_over_subgrid(
    subgrid: Subgrid,
    lattice: Square,
    level: Physics,
    bed: Field<f32>,
    water: Field<f32>,
) -> Flow {
    let params = Params { level, manning: 0.03, ..Params::default() };
    let mut flow = Flow::new(lattice, params, bed, water).unwrap();
    flow.set_subgrid(Some(subgrid)).unwrap();
    flow
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn fast_path_equals_the_plain_loops(
        nx in 1usize..40, ny in 1usize..40, seed in 0u64..1000,
        level in proptest::sample::select(&LEVELS), joined in any::<[bool; 2]>(), closed in any::<bool>(),
    ) {
        let mut fast = world(level, nx, ny, seed, |x, y| 3.0 * noise(x, y, seed ^ 7));
        for (edge, joined, kind) in [
            (Edge::West, joined[0], BoundaryKind::Open),
            (Edge::East, joined[0], BoundaryKind::Stage { level: 1.5.into() }),
            (Edge::North, joined[1], BoundaryKind::Inflow { discharge: 0.3.into() }),
            (Edge::South, joined[1], BoundaryKind::Wave { level: 1.0, amplitude: 0.2, period: 3.0 }),
        ] {
            let kind = if joined { BoundaryKind::Periodic } else { kind };
            fast.set_boundary(Boundary::on_edge(edge, kind)).unwrap();
        }
        fast.set_rain(Some(Rain { rate: 50.0.into(), map: None })).unwrap();
        fast.add_spring(Source::new(Region::disc([0.3, 0.3], 2.0), 1.0)).unwrap();
        let walls = Field::from_fn(nx, ny, |x, y| closed && noise(x, y, seed ^ 9) < 0.05);
        fast.close_cells(&walls).unwrap();
        let mut plain = fast.clone();
        for _ in 0..40 {
            step_and_compare(&mut fast, &mut plain);
        }
        prop_assert!(fast.balance().residual_relative.abs() < 1e-12, "{:?}", fast.balance().residual_relative);
        prop_assert!(fast.state().depth.as_slice().iter().all(|h| h.is_finite() && *h >= 0.0));
        let bytes = postcard::to_allocvec(&fast.as_serializable()).unwrap();
        let snapshot: Snapshot = postcard::from_bytes(&bytes).unwrap();
        prop_assert_eq!(Flow::restore(snapshot).unwrap().state_hash(), fast.state_hash());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn lake_stays_level_below_and_above_its_banks(
        seed in 0u64..1000, level in 0.3f32..4.0, physics in proptest::sample::select(&LEVELS),
    ) {
        let mut flow = world(physics, 24, 24, seed, |_, _| level);
        flow.advance(16.0).unwrap();
        for y in 0..24 {
            for x in 0..24 {
                if flow.state().depth[(x, y)] > 1e-5 {
                    let off = flow.state().surface(x, y) - level;
                    prop_assert!(off.abs() < 4e-6 * level.max(1.0), "{x} {y}: {off:e}");
                }
            }
        }
        prop_assert!(flow.velocity(12, 12).iter().all(|v| v.abs() < 1e-4), "{:?}", flow.velocity(12, 12));
    }
}

/// Returns terrain of 24 × 24 cells of 2 m, divided by a straight wall that is `width` cells wide
/// and 3 m high. The ground on one side is `drop` metres lower than on the other. The tuple
/// contains the lattice, the fine ground, the bed, the sub-grid and a mask. The mask marks the
/// cells that a lake on the higher side covers if its level is `level` (m).
fn lake_behind_a_wall(
    [angle, offset, width, drop, level]: [f32; 5],
) -> (Square, Field<f32>, Field<f32>, Subgrid, Field<bool>) {
    let n = 24;
    let lattice = Square::new(n, n, 2.0, 2.0).unwrap();
    let fine = Field::from_fn(SAMPLES * n, SAMPLES * n, |x, y| {
        let at = [x, y].map(|i| (i as f32 + 0.5) / SAMPLES as f32 - 12.0);
        let across = at[0] * angle.cos() + at[1] * angle.sin() + offset;
        match across {
            _ if across.abs() < 0.5 * width => 3.0,
            _ if across > 0.0 => -drop,
            _ => 0.0,
        }
    });
    let (bed, subgrid) = Subgrid::from_raster(lattice, &fine).unwrap();
    let far = |i: f32| if i > 0.0 { 0 } else { n - 1 };
    let mut open = vec![(far(angle.cos()), far(angle.sin()))];
    let mut lake = Field::new(n, n, false);
    while let Some((x, y)) = open.pop() {
        lake[(x, y)] = true;
        for next in [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)] {
            let cells = [(x, y), next];
            if next.0 < n && next.1 < n && !lake[next] {
                let is_wet = subgrid.depth_at_level(next.0, next.1, bed[next], level) > 0.0;
                if is_wet && subgrid.connects(cells, cells.map(|at| bed[at]), level) {
                    open.push(next);
                }
            }
        }
    }
    (lattice, fine, bed, subgrid, lake)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, ..ProptestConfig::default() })]

    #[test]
    fn walls_thinner_than_cells_retain_a_lake(
        way in 0.0f32..6.3, off in -2.0f32..2.0, width in 0.3f32..3.0, deep in 0.0f32..2.0, level in 0.5f32..2.9,
    ) {
        let (lattice, fine, bed, subgrid, lake) = lake_behind_a_wall([way, off, width, deep, level]);
        let water = Field::from_fn(24, 24, |x, y| {
            if lake[(x, y)] { subgrid.depth_at_level(x, y, bed[(x, y)], level) } else { 0.0 }
        });
        // The area of the lake follows from the fine ground.
        let held: f32 = water.as_slice().iter().sum();
        let samples = fine.as_slice().iter().enumerate().filter(|(i, z)| {
            let at = [i % 192, i / 192].map(|i| (i as f32 + 0.5) / SAMPLES as f32 - 12.0);
            **z == 0.0 && at[0] * way.cos() + at[1] * way.sin() + off < 0.0
        });
        let there = samples.count() as f32 * level / (SAMPLES * SAMPLES) as f32;
        prop_assert!((held / there - 1.0).abs() < 0.06, "{held} of {there}");
        for physics in LEVELS {
            let mut flow = world_over_subgrid(subgrid.clone(), lattice, physics, bed.clone(), water.clone());
            flow.advance(20.0).unwrap();
            prop_assert_eq!(&flow.state().depth, &water, "{:?}", physics);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn narrow_trenches_have_their_volume(
        angle in 0.0f32..3.2, offset in -2.0f32..2.0, width in 0.3f32..1.5,
    ) {
        let lattice = Square::new(24, 24, 2.0, 2.0).unwrap();
        let fine = Field::from_fn(SAMPLES * 24, SAMPLES * 24, |x, y| {
            let at = [x, y].map(|i| (i as f32 + 0.5) / SAMPLES as f32 - 12.0);
            let across = at[0] * angle.cos() + at[1] * angle.sin() + offset;
            if across.abs() < 0.5 * width { 0.0 } else { 3.0 }
        });
        let (bed, subgrid) = Subgrid::from_raster(lattice, &fine).unwrap();
        for level in [2.0, 4.0_f32] {
            let there: f32 = fine.as_slice().iter().map(|z| (level - z).max(0.0)).sum();
            let below = |i: usize| {
                let (x, y) = (i % 24, i / 24);
                subgrid.depth_at_level(x, y, bed[(x, y)], level)
            };
            let held: f32 = (0..24 * 24).map(below).sum();
            let offset = held * (SAMPLES * SAMPLES) as f32 / there - 1.0;
            prop_assert!(offset.abs() < 0.02, "{offset}");
        }
    }
}

#[test]
fn trench_conveys_water_without_instability() {
    for level in LEVELS {
        let lattice = Square::new(40, 5, 2.0, 2.0).unwrap();
        let trench = |_, y: usize| if (20..24).contains(&y) { 0.0 } else { 3.0 };
        let (bed, subgrid) =
            Subgrid::from_raster(lattice, &Field::from_fn(320, 40, trench)).unwrap();
        let water = Field::from_fn(40, 5, |x, y| {
            subgrid.depth_at_level(x, y, bed[(x, y)], if x < 20 { 1.0 } else { 2.0 })
        });
        let params = Params { level, manning: 0.01, ..Params::default() };
        let mut flow = Flow::new(lattice, params, bed, water).unwrap();
        flow.set_subgrid(Some(subgrid)).unwrap();
        flow.advance(700.0).unwrap();
        let off = (0..40).map(|x| (flow.state().surface(x, 2) - 1.5).abs()).fold(0.0, f32::max);
        assert!(off < 0.15, "{level:?}: {off}");
    }
}

#[test]
fn evaporation_and_soil_act_on_wet_parts_only() {
    let lattice = Square::new(3, 3, 2.0, 2.0).unwrap();
    let fine = Field::from_fn(24, 24, |x, _| if x < 10 { 3.0 } else { 0.0 });
    let (bed, subgrid) = Subgrid::from_raster(lattice, &fine).unwrap();
    let water = Field::from_fn(3, 3, |x, y| subgrid.depth_at_level(x, y, bed[(x, y)], 1.0));
    let there: f64 = water.as_slice().iter().map(|h| f64::from(*h)).sum();
    for soaks in [false, true] {
        let physics = Physics::ShallowWater;
        let mut flow =
            world_over_subgrid(subgrid.clone(), lattice, physics, bed.clone(), water.clone());
        if soaks {
            flow.set_soil(Some(Soil { rate: 3600.0, ..Soil::default() })).unwrap();
        } else {
            flow.set_evaporation(Some(3600.0.into())).unwrap();
        }
        // Rain of 1 mm/s for 100 s.
        flow.advance(100.0).unwrap();
        let now: f64 = flow.state().depth.as_slice().iter().map(|h| f64::from(*h)).sum();
        assert!((now / there - 0.9).abs() < 1e-4, "{now} of {there}");
        let surface = |x| flow.state().surface(x, 1);
        assert!((surface(1) - 0.9).abs() < 1e-3 && (surface(2) - 0.9).abs() < 1e-3);
    }
}

#[test]
fn disturbance_above_the_banks_decays() {
    // A channel at 45° under a lake. Its waves grew when the face fluxes were not balanced.
    let lattice = Square::new(10, 10, 2.0, 2.0).unwrap();
    let fine = Field::from_fn(80, 80, |x, y| {
        let across = (x as f32 - y as f32) * 0.25 * std::f32::consts::FRAC_1_SQRT_2;
        if across.abs() < 3.0 { 0.0 } else { 1.5 }
    });
    for level in LEVELS {
        let (bed, subgrid) = Subgrid::from_raster(lattice, &fine).unwrap();
        let water = Field::from_fn(10, 10, |x, y| {
            subgrid.depth_at_level(x, y, bed[(x, y)], 4.0)
                + if (x, y) == (5, 5) { 0.1 } else { 0.0 }
        });
        let mut flow = world_over_subgrid(subgrid, lattice, level, bed, water);
        flow.advance(400.0).unwrap();
        let off = (0..100).map(|i| (flow.state().surface(i % 10, i / 10) - 4.0).abs());
        let off = off.fold(0.0, f32::max);
        assert!(off < 0.02, "{level:?}: {off}");
        assert!((flow.surface_at([9.0, 11.0]).unwrap() - 4.0).abs() < 0.02);
    }
}

#[test]
fn surface_queries_use_both_parts() {
    // The ground rises to a bank along the middle of a row of cells. A lake lies north of the bank,
    // and a weir connects the bank's cells with the lake's cells.
    for level in LEVELS {
        let lattice = Square::new(12, 8, 2.0, 2.0).unwrap();
        let fine = Field::from_fn(96, 64, |_, y| if y < 36 { 0.0 } else { 3.0 });
        let (bed, subgrid) = Subgrid::from_raster(lattice, &fine).unwrap();
        let water = Field::from_fn(12, 8, |x, y| subgrid.depth_at_level(x, y, bed[(x, y)], 1.25));
        let mut flow = world_over_subgrid(subgrid, lattice, level, bed, water);
        flow.set_flood(Some(Flood { depth: 0.1 })).unwrap();
        let mouths = [[5.0, 9.0], [19.0, 3.0]].map(|at| Region::disc(at, 0.5));
        let [from, to] = mouths;
        let weir = StructureKind::Weir(Weir::new(0.5, 2.0));
        let weir = flow.add_structure(Structure::new(from, to, weir)).unwrap();
        flow.advance(30.0).unwrap();
        assert_eq!(flow.structure_discharge(weir), Some(0.0), "{level:?}");
        assert_eq!(flow.surface_at([5.0, 9.0]), Some(1.25));
        assert_eq!(flow.layer("max_level").unwrap()[(2, 4)], 1.25);
        let everywhere = Brush::with_flat_falloff(Region::Everywhere);
        flow.edit_preserving(&everywhere, Edit::Raise(Change::By(0.5)), PreservedQuantity::Surface)
            .unwrap();
        assert_eq!(flow.state().surface(2, 4), 1.25);
        assert_eq!(flow.state().surface(2, 1), 1.25);
    }
}

#[test]
fn slope_has_no_banks_and_a_wall_splits_cells() {
    let lattice = Square::new(4, 4, 2.0, 2.0).unwrap();
    let slope = Field::from_fn(16, 16, |x, y| 0.3 * x as f32 - 0.7 * y as f32);
    let (_, subgrid) = Subgrid::from_raster(lattice, &slope).unwrap();
    assert_eq!(subgrid.cells().len(), 0);
    // A bank along a quarter of the cells in one column.
    let bank = Field::from_fn(16, 16, |x, _| if x < 5 { 3.0 } else { 1.0 });
    let (bed, subgrid) = Subgrid::from_raster(lattice, &bank).unwrap();
    assert_eq!(subgrid.cells().collect::<Vec<_>>(), [(1, 0), (1, 1), (1, 2), (1, 3)]);
    assert_eq!((subgrid.low_fraction(1, 2), bed[(1, 2)]), (0.75, 1.5));
    let below = |level| subgrid.depth_at_level(1, 2, bed[(1, 2)], level);
    assert_eq!([below(0.5), below(2.0), below(3.0), below(4.0)], [0.0, 0.75, 1.5, 2.5]);
}

#[test]
fn invalid_subgrids_are_rejected() {
    let square = Square::new(4, 4, 2.0, 2.0).unwrap();
    let refused = |fine: Field<f32>| Subgrid::from_raster(square, &fine).unwrap_err().to_string();
    let few = refused(Field::new(12, 12, 0.0));
    assert!(few.contains("12 × 12") && few.contains("k from 4 to 64"), "{few}");
    let uneven = refused(Field::new(16, 20, 0.0));
    assert!(uneven.contains("16 × 20"), "{uneven}");
    let none = refused(Field::new(16, 16, f32::NAN));
    assert!(none.contains("-1e6 to 1e6 m"), "{none}");
    let hex = Hex::new(4, 4, 2.0).unwrap();
    let on_hexagons = Subgrid::from_raster(hex, &Field::new(16, 16, 0.0)).unwrap_err().to_string();
    assert!(on_hexagons.contains("hexagons"), "{on_hexagons}");
    let (_, subgrid) = Subgrid::from_raster(square, &Field::new(16, 16, 0.0)).unwrap();
    let field = Field::new(4, 4, 0.0);
    let mut pipes = Flow::new(square, Params::default(), field.clone(), field).unwrap();
    let error = pipes.set_subgrid(Some(subgrid)).unwrap_err().to_string();
    assert!(error.contains("pipes"), "{error}");
}
