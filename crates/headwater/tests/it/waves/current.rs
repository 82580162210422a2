//! Tests of waves on a current: the advection is exact, and the fast code path gives the same
//! results as the plain loops.

use crate::support::flow::noise;
use crate::support::{on_threads, round_trip_json};
use headwater::waves::{Body, EdgeKind, Edges, Edit, Params, Shape, WaveMaker, Waves};
use headwater::{Brush, Field, Id, Region, Square};
use proptest::prelude::*;

fn world(nx: usize, ny: usize, edges: Edges) -> Waves {
    let params = Params { speed: 6.0, step: 0.05, edges, absorbing_cells: 9, ..Params::default() };
    Waves::new(Square::new(nx, ny, 1.0, 1.0).unwrap(), params).unwrap()
}

fn set_uniform_current(waves: &mut Waves, east: f32, south: f32) {
    let (nx, ny) = (waves.lattice().nx(), waves.lattice().ny());
    waves.set_current(Some((Field::new(nx, ny, east), Field::new(nx, ny, south)))).unwrap();
}

/// Returns the centre of a disturbance (m) in a world with periodic edges.
fn disturbance_center(waves: &Waves) -> [f64; 2] {
    let energy = waves.layer("energy").unwrap();
    let (nx, ny) = (energy.nx(), energy.ny());
    let angle = |axis: usize, n: usize| {
        let (mut sin, mut cos) = (0.0, 0.0);
        for y in 0..ny {
            for x in 0..nx {
                let a = std::f64::consts::TAU * ([x, y][axis] as f64 + 0.5) / n as f64;
                sin += f64::from(energy[(x, y)]) * a.sin();
                cos += f64::from(energy[(x, y)]) * a.cos();
            }
        }
        sin.atan2(cos).rem_euclid(std::f64::consts::TAU) / std::f64::consts::TAU * n as f64
    };
    [angle(0, nx), angle(1, ny)]
}

#[test]
fn a_ring_is_advected_by_a_uniform_current() {
    let run = |east: f32, south: f32| {
        let mut waves = world(120, 90, Edges::uniform(EdgeKind::Periodic));
        set_uniform_current(&mut waves, east, south);
        let hump = |x: usize, y: usize| {
            let [dx, dy] = [x as f32 - 59.5, y as f32 - 44.5];
            0.1 * (-(dx * dx + dy * dy) / 20.0).exp()
        };
        waves.set_surface(&Field::from_fn(120, 90, hump)).unwrap();
        (0..60).for_each(|_| waves.step());
        waves
    };
    let still = run(0.0, 0.0);
    // The current of (4, −3) m/s carries the waves for 3 s.
    let carried = run(4.0, -3.0);
    let [x, y] = disturbance_center(&carried);
    assert!((x - 72.0).abs() < 0.3 && (y - 36.0).abs() < 0.3, "{x} {y}");
    let [x, y] = disturbance_center(&still);
    assert!((x - 60.0).abs() < 0.1 && (y - 45.0).abs() < 0.1, "{x} {y}");
    // The ring is the same, but 12 m further east and 9 m further north, within the error of 60
    // steps of upwind differences.
    let (mut off, mut high) = (0.0_f32, 0.0_f32);
    for y in 0..90 {
        for x in 0..120 {
            let own = still.state().height[(x, y)];
            let there = carried.state().height[((x + 12) % 120, (y + 90 - 9) % 90)];
            off = off.max((own - there).abs());
            high = high.max(own.abs());
        }
    }
    assert!(off < 0.06 * high, "{off} of {high}");
}

#[test]
fn currents_conserve_volume_and_do_not_add_energy() {
    let mut waves = world(70, 50, Edges::uniform(EdgeKind::Periodic));
    set_uniform_current(&mut waves, 20.0, 13.0);
    waves.add_drop([30.0, 20.0], 6.0, 0.2).unwrap();
    let start = waves.energy().total();
    let mut before = start;
    for _ in 0..40 {
        (0..50).for_each(|_| waves.step());
        let now = waves.energy().total();
        // Finally single units of height oscillate, with a billionth of the initial energy.
        assert!(now <= before + 1e-8 * start, "{now} after {before}");
        assert_eq!(waves.mean_level(), 0.0);
        before = now;
    }
    assert!(before < 0.1 * start, "{before} of {start}");
}

#[test]
fn waves_on_vortices_and_jets_stay_bounded() {
    let (nx, ny) = (60, 48);
    let whirl = |x: usize, y: usize| {
        let [dx, dy] = [x as f32 - 29.5, y as f32 - 23.5];
        let strength = 14.0 * (-(dx * dx + dy * dy) / 180.0).exp() / 13.0;
        [-dy * strength, dx * strength]
    };
    // A current flows into the eastern wall at the wave speed, without an outlet.
    let jet = |_: usize, y: usize| [if (18..30).contains(&y) { 6.0 } else { -1.5 }, 0.0];
    let currents: [&dyn Fn(usize, usize) -> [f32; 2]; 2] = [&whirl, &jet];
    for (i, current) in currents.into_iter().enumerate() {
        let mut waves = world(nx, ny, Edges::default());
        waves.edit(&Brush::with_flat_falloff(Region::disc([12.0, 12.0], 4.0)), Edit::Land).unwrap();
        let part = |axis: usize| Field::from_fn(nx, ny, |x, y| current(x, y)[axis]);
        waves.set_current(Some((part(0), part(1)))).unwrap();
        waves.add_drop([30.0, 20.0], 6.0, 0.2).unwrap();
        let mut highest = 0.0_f32;
        for _ in 0..4000 {
            waves.step();
            let (low, high) = waves.state().height.min_max().unwrap();
            highest = highest.max(high).max(-low);
        }
        println!("{i}: {highest}");
        assert!(highest < 1.0, "{i}: {highest}");
        assert_eq!(waves.mean_level(), 0.0);
    }
}

#[test]
fn currents_carry_waves_into_absorbing_layers_and_over_fixed_edges() {
    for kind in [EdgeKind::Absorbing, EdgeKind::Pinned] {
        let edges = Edges { east: kind, west: kind, ..Edges::default() };
        let mut waves = world(80, 30, edges);
        set_uniform_current(&mut waves, 7.0, 0.0);
        waves.add_drop([25.0, 15.0], 6.0, 0.2).unwrap();
        let start = waves.energy().total();
        (0..50).for_each(|_| waves.step());
        assert!(waves.energy().total() > 0.2 * start, "{kind:?}: still on its way");
        (0..400).for_each(|_| waves.step());
        let left = waves.energy().total() / start;
        println!("{kind:?}: {left:e} of the energy left");
        assert!(left < 1e-3, "{kind:?}: {left}");
        assert!(waves.balance().residual.abs() < 1e-9);
    }
}

#[test]
fn excessive_currents_are_rejected_with_the_limit() {
    let mut waves = world(20, 10, Edges::default());
    let mut try_it =
        |v: f32| waves.set_current(Some((Field::new(20, 10, v), Field::new(20, 10, 0.0))));
    assert!(try_it(20.0).is_ok());
    let error = try_it(-20.1).unwrap_err().to_string();
    assert!(error.contains("up to 20 m/s"), "{error}");
    assert!(error.contains("steps up to 0.0497"), "{error}");
    assert!(try_it(f32::NAN).is_err());
    assert!(waves.set_current(Some((Field::new(20, 9, 0.0), Field::new(20, 10, 0.0)))).is_err());
}

#[test]
fn flat_moving_water_stays_flat() {
    let mut waves = world(40, 30, Edges::default());
    set_uniform_current(&mut waves, 9.0, 4.0);
    (0..200).for_each(|_| waves.step());
    assert!(waves.state().height.as_slice().iter().all(|&z| z == 0.0));
}

/// Returns a world with an uneven surface and random pieces of land, between which a random current
/// flows.
fn busy_world(nx: usize, ny: usize, seed: u64, edges: Edges) -> Waves {
    let mut waves = world(nx, ny, edges);
    let height = |x: usize, y: usize| 0.2 * (noise(x / 3, y / 3, seed) - 0.5);
    waves.set_surface(&Field::from_fn(nx, ny, height)).unwrap();
    let land = |x, y| noise(x / 2, y / 2, seed ^ 7) > 0.9;
    let speed = |x, y| 8.0 * noise(x / 5, y / 5, seed ^ 5);
    let part = |k: u64| Field::from_fn(nx, ny, |x, y| 30.0 * (noise(x / 6, y / 6, seed ^ k) - 0.5));
    let current = (part(11), part(13));
    waves.set_basin(Field::from_fn(nx, ny, land), Field::from_fn(nx, ny, speed), current).unwrap();
    waves
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn the_fast_path_equals_the_plain_loops_in_a_current(
        nx in 1usize..60, ny in 1usize..50, seed in 0u64..1000, kind in 0usize..4
    ) {
        use EdgeKind::{Absorbing, Periodic, Pinned, Reflecting};
        let edges = match kind {
            0 => Edges::uniform(Periodic),
            1 => Edges { west: Absorbing, south: Pinned, ..Edges::default() },
            2 => Edges::uniform(Absorbing),
            _ => Edges { north: Periodic, south: Periodic, west: Reflecting, east: Pinned },
        };
        let mut fast = busy_world(nx, ny, seed, edges);
        let mut plain = fast.clone();
        for step in 0..30 {
            fast.step();
            plain.step_plain();
            prop_assert_eq!(fast.state_hash(), plain.state_hash(), "step {}", step);
        }
        prop_assert_eq!(fast.ledger(), plain.ledger());
        let residual = fast.balance().residual;
        prop_assert!(residual.abs() < 1e-9, "{}", residual);
    }
}

#[test]
fn threads_and_snapshots_do_not_change_results_in_a_current() {
    let edges = Edges { east: EdgeKind::Absorbing, south: EdgeKind::Pinned, ..Edges::default() };
    let run = |threads: usize| {
        on_threads(threads, || {
            let mut waves = busy_world(301, 203, 5, edges);
            (0..31).for_each(|_| waves.step());
            if threads == 3 {
                waves = Waves::restore(round_trip_json(&waves.snapshot())).unwrap();
            }
            (0..31).for_each(|_| waves.step());
            (waves.state_hash(), waves.ledger().clone(), waves.interpolate_heights(0.5))
        })
    };
    let one = run(1);
    assert_eq!(run(2), one);
    assert_eq!(run(3), one);
}

#[test]
fn wave_makers_have_their_period_and_conserve_volume() {
    let edges = Edges { west: EdgeKind::Absorbing, east: EdgeKind::Absorbing, ..Edges::default() };
    let params = Params {
        speed: 8.0,
        step: 0.05,
        damping: 0.0,
        edges,
        absorbing_cells: 20,
        ..Params::default()
    };
    let mut waves = Waves::new(Square::new(200, 12, 1.0, 1.0).unwrap(), params).unwrap();
    // The wavelength is 32 m.
    let maker =
        WaveMaker { from: [40.0, 0.0], to: [40.0, 12.0], width: 12.0, head: 0.1, period: 4.0 };
    waves.add_maker(maker).unwrap();
    let mut heights = Vec::new();
    for step in 0..1200 {
        waves.step();
        if step >= 800 {
            heights.push(waves.surface_at([120.0, 6.0]).unwrap());
        }
    }
    let rising = heights.windows(2).filter(|z| z[0] < 0.0 && z[1] >= 0.0).count();
    assert_eq!(rising, 5, "crests in 20 s");
    let high = heights.iter().fold(0.0_f32, |max, z| max.max(*z));
    assert!((0.02..0.2).contains(&high), "{high}");
    assert!(waves.balance().residual.abs() < 1e-9);
    assert!(waves.add_maker(WaveMaker { period: 0.0, ..maker }).is_err());
}

#[test]
fn a_steered_hull_heads_along_its_motion() {
    let mut waves = world(80, 60, Edges::default());
    let shape = Shape::Oval { half: [6.0, 2.0], heading: 0.0 };
    let boat = Body { shape, position: [20.0, 30.0], velocity: [4.0, 0.0], draft: 0.1 };
    waves.add_body(boat).unwrap();
    (0..100).for_each(|_| waves.step());
    waves.set_body_velocity(Id::new(0), [0.0, -3.0]).unwrap();
    (0..100).for_each(|_| waves.step());
    let [x, y] = waves.bodies()[0].position;
    assert!((x - 40.0).abs() < 1e-6 && (y - 15.0).abs() < 1e-6, "{x} {y}");
    let Shape::Oval { heading, .. } = waves.bodies()[0].shape else { panic!() };
    assert!((heading + std::f64::consts::FRAC_PI_2).abs() < 1e-9, "{heading}");
    assert!(waves.state().height.as_slice().iter().any(|&z| z > 0.01), "a wake");
    assert_eq!(waves.mean_level(), 0.0);
    assert!(
        waves.set_body_velocity(Id::new(0), [f64::NAN, 0.0]).is_err()
            && waves.set_body_velocity(Id::new(7), [1.0, 0.0]).is_err()
    );
}
