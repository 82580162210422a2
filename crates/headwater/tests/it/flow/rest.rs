//! Tests that a lake at rest stays at rest for any water level and bed, for all flow equations and
//! both lattices.

use crate::support::flow::{CellShape, WORLDS, noise};
use headwater::flow::{Boundary, BoundaryKind, Flow, Params, Physics};
use headwater::{Edge, Field, Hex, Lattice, Square};
use proptest::prelude::*;

/// Returns a frictionless lake with its surface at `level` (m) over rough ground, whose elevation
/// is `height` ± `size` (m).
fn lake(
    (cells, physics): (CellShape, Physics),
    seed: u64,
    level: f64,
    [height, size]: [f32; 2],
) -> Flow {
    let (nx, ny) = (37, 30);
    let lattice: Lattice = match cells {
        CellShape::Square => Square::new(nx, ny, 2.0, 1.5).unwrap().into(),
        CellShape::Hex => Hex::new(nx, ny, 2.0).unwrap().into(),
    };
    let bed = Field::from_fn(nx, ny, |x, y| {
        height + size * (1.4 * noise(x / 5, y / 5, seed) + 0.6 * noise(x, y, seed + 1) - 1.0)
    });
    // No `f32` equals the level, so the depths are rounded independently.
    let depth = bed.map(|z| (level - f64::from(*z)).max(0.0) as f32);
    let params = Params { level: physics, manning: 0.0, ..Params::default() };
    Flow::new(lattice, params, bed, depth).unwrap()
}

/// Returns a boundary condition that is in equilibrium with a lake whose surface is at `level` (m).
/// `kind` modulo 9 selects its type. Inflow and outflow conditions have a discharge of 0.
fn boundary_at_rest(kind: u8, level: f64) -> BoundaryKind {
    match kind % 9 {
        0 => BoundaryKind::Wall,
        1 => BoundaryKind::Wave { level, amplitude: 0.0, period: 10.0 },
        2 => BoundaryKind::Recorded { level, rise: 0.0.into() },
        3 => BoundaryKind::Solitary { level, height: 0.1, depth: 1.0, time: 1e6 },
        4 => BoundaryKind::Inflow { discharge: 0.0.into() },
        5 => BoundaryKind::Outflow { discharge: 0.0.into() },
        6 => BoundaryKind::Stream { discharge: 0.0.into(), along: 0.0.into(), level: None },
        _ => BoundaryKind::Stage { level: level.into() },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn lake_at_rest_does_not_move(
        world in proptest::sample::select(&WORLDS), seed in 0u64..1000, outside in any::<[u8; 4]>(),
        level in -1.0f64..1.0, height in -1.0f32..1.0, sizes in [-8i32..10, -8i32..10, -8i32..10],
    ) {
        let level = level * 2.0_f64.powi(sizes[0]);
        // In half of the lakes the ground is near the water level, so that islands form.
        let height = if seed % 2 == 0 { level as f32 } else { height * 2.0_f32.powi(sizes[1]) };
        let mut flow = lake(world, seed, level, [height, 2.0_f32.powi(sizes[2])]);
        for (edge, outside) in Edge::ALL.into_iter().zip(outside) {
            flow.set_boundary(Boundary::on_edge(edge, boundary_at_rest(outside, level))).unwrap();
        }
        let start = flow.state().clone();
        for _ in 0..120 {
            flow.step_toward(1e9).unwrap();
        }
        let state = flow.state();
        let moved = state.depth.as_slice().iter().zip(start.depth.as_slice());
        let moved = moved.map(|(now, before)| (now - before).abs()).fold(0.0, f32::max);
        prop_assert!(state.depth == start.depth, "by {moved:e} m");
        prop_assert!(state.remainder == start.remainder && state.momentum == start.momentum);
        prop_assert!(state.discharge_x.as_slice().iter().all(|q| *q == 0.0));
        prop_assert!(state.discharge_y.as_slice().iter().all(|q| *q == 0.0));
    }
}

#[test]
fn small_waves_travel_as_far_as_large_ones() {
    for world in WORLDS {
        // The water is 10 m deep, so its surface has a resolution of a few micrometres.
        let crest = |height: f32| {
            let mut flow = lake(world, 1, 0.0, [-10.0, 0.0]);
            let level = flow.state().depth.clone();
            let raised =
                Field::from_fn(37, 30, |x, y| level[(x, y)] + if x < 8 { height } else { 0.0 });
            flow =
                Flow::new(*flow.lattice(), flow.params().clone(), flow.state().bed.clone(), raised)
                    .unwrap();
            // Pipes have their own wave speed. Each wave has reached about the middle.
            let speed =
                if world.1 == Physics::Pipes { (9.81_f64 / 2.0).sqrt() } else { 98.1_f64.sqrt() };
            flow.advance(24.0 / speed).unwrap();
            let risen = |x: usize| (flow.state().depth[(x, 15)] - level[(x, 15)]) / height;
            (0..37).map(risen).collect::<Vec<_>>()
        };
        let (small, large) = (crest(1e-3), crest(1e-2));
        for (x, (a, b)) in small.iter().zip(&large).enumerate() {
            assert!((a - b).abs() < 0.02, "{world:?}, column {x}: {a} and {b}");
        }
        assert!(large[18] > 0.1, "{world:?}: it has not come here: {large:?}");
    }
}
