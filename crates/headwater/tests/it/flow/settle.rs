//! Tests that relaxation reaches the steady state of the equations, and that it reports a failure
//! to converge.

use crate::support::flow::{CellShape, WORLDS, lattice, noise};
use crate::support::round_trip_json;
use headwater::flow::{
    Amount, Boundary, BoundaryKind, Edit, Flow, Params, Physics, RelaxationParams, Source,
};
use headwater::{Brush, Edge, Field, Region, Square};

/// Size of the pool in cells.
const NX: usize = 36;
const NY: usize = 28;

/// Returns a frictionless pool over rough ground. Water poured at one point has disturbed the pool.
fn disturbed_pool((cells, physics): (CellShape, Physics)) -> Flow {
    let params =
        Params { level: physics, pipe_area: 6.0, manning: 0.0, theta: 0.98, ..Params::default() };
    let bed = Field::from_fn(NX, NY, |x, y| -3.0 - 2.0 * noise(x / 6, y / 6, 2));
    let depth = bed.map(|z| -z);
    let mut flow = Flow::new(lattice(cells, NX, NY, 2.0), params, bed, depth).unwrap();
    flow.edit(&Brush::smooth_disc([24.0, 26.0], 15.0), Edit::Pour(Amount::Depth(1.0))).unwrap();
    flow
}

#[test]
fn pool_relaxes_to_a_level_surface_and_keeps_its_volume() {
    for kind in WORLDS {
        let mut flow = disturbed_pool(kind);
        let (volume, area) = (flow.volume(), flow.lattice().cell_area() * (NX * NY) as f64);
        let level = flow.state().bed.sum() / ((NX * NY) as f64) + volume / area;
        let settled = flow
            .relax_to_steady(RelaxationParams { longest: 1e4, ..RelaxationParams::default() })
            .unwrap();
        assert!(settled.reached && settled.residual <= 1e-5, "{kind:?}: {settled:?}");
        assert_eq!(flow.time(), 0.0);
        let (low, high) = flow.layer("surface").unwrap().min_max().unwrap();
        let off = (f64::from(high) - level).abs().max((f64::from(low) - level).abs());
        assert!(off < 2e-3, "{kind:?}: {low} to {high}, not {level}");
        assert!(flow.balance().residual_relative.abs() < 1e-8);
        let mut free = disturbed_pool(kind);
        free.advance(settled.seconds).unwrap();
        let (low, high) = free.layer("surface").unwrap().min_max().unwrap();
        assert!(f64::from(high - low) > 10.0 * off.max(1e-4), "{kind:?}: {low} {high} {off}");
    }
}

fn river((cells, physics): (CellShape, Physics)) -> Flow {
    let (nx, ny) = (36, 6);
    let lattice = lattice(cells, nx, ny, 2.0);
    let params = Params { level: physics, pipe_area: 2.0, friction: 0.3, ..Params::default() };
    let params =
        if physics == Physics::Pipes { params } else { Params { friction: 0.0, ..params } };
    let bed = Field::from_fn(nx, ny, |x, y| {
        let [east, south] = lattice.center(x, y);
        (-0.002 * east + 0.2 * (0.2 * east).sin() * (0.3 * south).cos()) as f32
    });
    let depth = bed.map(|z| (1.0 - z).max(0.0));
    let mut flow = Flow::new(lattice, params, bed, depth).unwrap();
    for (edge, kind) in [
        (Edge::West, BoundaryKind::Inflow { discharge: 0.5.into() }),
        (Edge::East, BoundaryKind::Stage { level: 1.0.into() }),
    ] {
        flow.set_boundary(Boundary::on_edge(edge, kind)).unwrap();
    }
    flow
}

#[test]
fn river_relaxes_to_the_state_of_a_long_simulation() {
    for kind in WORLDS {
        let mut settled = river(kind);
        let outcome =
            settled.relax_to_steady(RelaxationParams { tolerance: 2e-6, longest: 1e5 }).unwrap();
        assert!(outcome.reached, "{kind:?}: {outcome:?}");
        let mut by_itself = river(kind);
        by_itself.advance(1500.0).unwrap();
        let pairs = |a: &Field<f32>, b: &Field<f32>| {
            let pairs = a.as_slice().iter().zip(b.as_slice());
            pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
        };
        let off = pairs(&settled.state().depth, &by_itself.state().depth);
        assert!(off < 2e-3, "{kind:?}: {off}");
        let through = settled.discharge_through([60.0, 1e3], [60.0, 0.0]);
        let given = 0.5 * settled.lattice().height();
        assert!((through / given - 1.0).abs() < 0.01, "{kind:?}: {through} {given}");
        let moved = pairs(&settled.state().depth, &river(kind).state().depth);
        assert!(moved > 0.01, "{kind:?}: the start was steady already");
    }
}

#[test]
fn filling_basin_is_reported_as_not_steady() {
    for kind in WORLDS {
        let mut flow = disturbed_pool(kind);
        let area = flow.lattice().cell_area() * (NX * NY) as f64;
        flow.add_spring(Source::new(Region::disc([20.0, 20.0], 6.0), 3.0)).unwrap();
        let settled =
            flow.relax_to_steady(RelaxationParams { tolerance: 1e-5, longest: 200.0 }).unwrap();
        assert!(!settled.reached && settled.seconds >= 200.0, "{kind:?}: {settled:?}");
        let rise = 3.0 / area;
        assert!((0.9..3.0).contains(&(settled.residual / rise)), "{kind:?} {settled:?} {rise}");
    }
}

#[test]
fn interrupted_relaxation_ends_in_the_same_state() {
    for kind in WORLDS {
        let mut on = disturbed_pool(kind);
        on.start_relaxation(RelaxationParams { tolerance: 1e-4, longest: 1e4 }).unwrap();
        for _ in 0..70 {
            assert_eq!(on.step_relaxation(), None);
        }
        let mut again = Flow::restore(round_trip_json(&on.snapshot())).unwrap();
        let finish = |flow: &mut Flow| loop {
            if let Some(settled) = flow.step_relaxation() {
                return settled;
            }
        };
        assert_eq!(finish(&mut on), finish(&mut again), "{kind:?}");
        assert_eq!(on.state_hash(), again.state_hash());
        assert!(on.relaxation_status().is_none());
    }
}

#[test]
fn invalid_parameters_are_rejected() {
    let mut flow = disturbed_pool(WORLDS[0]);
    for settle in [
        RelaxationParams { tolerance: 0.0, ..RelaxationParams::default() },
        RelaxationParams { longest: f64::NAN, ..RelaxationParams::default() },
    ] {
        assert!(flow.relax_to_steady(settle).unwrap_err().to_string().contains("settle."));
    }
}

#[test]
fn physics_can_change_and_snapshots_restore_during_relaxation() {
    let lattice = Square::new(12, 9, 1.0, 1.0).unwrap();
    let bed = Field::from_fn(12, 9, |x, y| 0.1 * (x * y % 5) as f32);
    for (from, to) in
        [(Physics::Pipes, Physics::ShallowWater), (Physics::ShallowWater, Physics::Inertial)]
    {
        let params = |level| Params { level, ..Params::default() };
        let mut flow =
            Flow::new(lattice, params(from), bed.clone(), Field::new(12, 9, 1.0)).unwrap();
        flow.start_relaxation(RelaxationParams { tolerance: 1e-6, longest: 1e4 }).unwrap();
        (0..15).for_each(|_| assert!(flow.step_relaxation().is_none()));
        flow.set_params(params(to)).unwrap();
        let kept = Flow::restore(flow.snapshot()).unwrap();
        assert_eq!(kept.state_hash(), flow.state_hash());
        assert!(flow.step_relaxation().is_none());
    }
}
