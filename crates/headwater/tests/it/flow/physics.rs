//! Tests of the equations of motion. Each test would fail for a world that does not change and for
//! an empty world.

use headwater::flow::{
    Amount, Boundary, BoundaryKind, Change, Edit, Flow, Params, Physics, Soil, Source, Tracers,
};
use headwater::{Brush, Edge, Field, Region, Series, Square};

fn flat_world(nx: usize, ny: usize, depth: f32, params: Params) -> Flow {
    world_with_depth(nx, ny, params, |_, _| depth)
}

fn world_with_depth(
    nx: usize,
    ny: usize,
    params: Params,
    depth: impl FnMut(usize, usize) -> f32,
) -> Flow {
    let lattice = Square::new(nx, ny, 1.0, 1.0).unwrap();
    Flow::new(lattice, params, Field::new(nx, ny, 0.0), Field::from_fn(nx, ny, depth)).unwrap()
}

/// Returns a stream 0.5 m deep that enters through the western edge and leaves through the eastern
/// edge.
fn stream(nx: usize, ny: usize) -> Flow {
    let mut flow = flat_world(nx, ny, 0.5, Params { friction: 0.5, ..Params::default() });
    let inflow = BoundaryKind::Inflow { discharge: 0.25.into() };
    flow.set_boundary(Boundary::on_edge(Edge::West, inflow)).unwrap();
    flow.set_boundary(Boundary::on_edge(Edge::East, BoundaryKind::Open)).unwrap();
    flow
}

#[test]
fn wave_speed_follows_the_pipe_cross_section() {
    // A standing wave of half a wavelength between two walls has the period 2L/c with c = √(g·A/l).
    let n = 200;
    let params = Params { pipe_area: 2.0, ..Params::default() };
    let c = (params.gravity * params.pipe_area / 1.0).sqrt();
    let phase = |x: usize| std::f64::consts::PI * (x as f64 + 0.5) / n as f64;
    let mut flow = world_with_depth(n, 3, params, |x, _| (5.0 + 0.1 * phase(x).cos()) as f32);
    flow.advance(2.0 * n as f64 / c).unwrap();
    let height = f64::from(flow.state().depth[(0, 1)]) - 5.0;
    assert!((height - 0.1 * phase(0).cos()).abs() < 2e-3, "{height}");
    flow.advance(n as f64 / c).unwrap();
    let height = f64::from(flow.state().depth[(0, 1)]) - 5.0;
    assert!((height + 0.1 * phase(0).cos()).abs() < 2e-3, "half a period later: {height}");
}

#[test]
fn circular_dam_break_stays_exactly_symmetric() {
    let n = 41;
    let wet = |x: usize, y: usize| {
        let (dx, dy) = (x.abs_diff(n / 2), y.abs_diff(n / 2));
        if dx * dx + dy * dy < 100 { 2.0 } else { 0.1 }
    };
    let mut flow = world_with_depth(n, n, Params::default(), wet);
    flow.advance(5.0).unwrap();
    let h = &flow.state().depth;
    for y in 0..n {
        for x in 0..n {
            let here = h[(x, y)].to_bits();
            for mirrored in [(n - 1 - x, y), (x, n - 1 - y), (y, x)] {
                assert_eq!(h[mirrored].to_bits(), here, "({x}, {y}) and {mirrored:?}");
            }
        }
    }
    assert!(h[(n / 2, n / 2)] < 1.5, "the column has fallen");
}

#[test]
fn friction_removes_its_fraction_per_second() {
    let mut flow = flat_world(3, 3, 1e4, Params { friction: 0.3, ..Params::default() });
    // On a level surface only friction acts. The bed is tilted for one step to start the flow.
    // Water of this depth is level within 3 mm.
    let mut tilted = flow.clone();
    tilted
        .edit(
            &Brush::with_flat_falloff(Region::rect([0.0, 0.0], [1.0, 3.0])),
            Edit::Raise(Change::By(4e-3)),
        )
        .unwrap();
    tilted.step(0.01).unwrap();
    let q = tilted.state().discharge_x[(1, 1)];
    assert!(q > 0.0);
    flow = tilted.clone();
    flow.edit(
        &Brush::with_flat_falloff(Region::Everywhere),
        Edit::Flatten { level: Some(0.0), strength: 1.0 },
    )
    .unwrap();
    for _ in 0..100 {
        flow.step(0.01).unwrap();
    }
    let left = flow.state().discharge_x[(1, 1)] / q;
    assert!((left - 0.7).abs() < 0.02, "{left}");
}

#[test]
fn longest_step_is_stable_for_any_friction() {
    for friction in [0.0, 0.01, 0.3, 0.9, 1.0] {
        let params = Params { friction, pipe_area: 0.1, ..Params::default() };
        let bumps = |x: usize, y: usize| if (x + y).is_multiple_of(2) { 5.01 } else { 4.99 };
        let mut flow = world_with_depth(16, 16, params, bumps);
        let dt = flow.stable_dt();
        for _ in 0..1000 {
            flow.step(dt).unwrap();
        }
        let (low, high) = flow.state().depth.min_max().unwrap();
        let allowed = if friction < 0.3 { 0.2 } else { 1e-3 };
        assert!(high - low < allowed, "friction {friction}: {}", high - low);
    }
}

/// Checks that all steps have the same length even if rounding makes the duration slightly longer
/// than a whole number of steps. With the pipe model, steps of unequal lengths would add energy to
/// waves without friction.
#[test]
fn steps_have_equal_lengths_and_add_no_energy() {
    let params = Params { max_dt: Some(0.2), ..Params::default() };
    let lattice = Square::new(14, 9, 2.0, 2.0).unwrap();
    let bed = Field::new(14, 9, -3.0);
    let mut flow = Flow::new(lattice, params, bed, Field::new(14, 9, 4.0)).unwrap();
    flow.advance(1.0).unwrap();
    let corner = Brush::with_flat_falloff(Region::disc([0.0, 0.0], 6.0));
    flow.edit(&corner, Edit::Pour(Amount::Depth(1.0))).unwrap();
    let mut steps = 0;
    for i in 1..=200 {
        while flow.step_toward(5.0 * f64::from(i)).unwrap() {
            steps += 1;
        }
    }
    // 4 s, and then 199 times 5 s.
    assert_eq!(steps, 20 + 199 * 25);
    let (low, high) = flow.state().depth.min_max().unwrap();
    assert!(low > 3.0 && high < 5.5, "{low} to {high}");
}

#[test]
fn advance_uses_full_steps() {
    for viscosity in [0.0, 0.1] {
        let params = Params { viscosity, ..Params::default() };
        for stop in [1e9, 1e300, f64::MAX] {
            let mut flow = flat_world(9, 7, 1.0, params.clone());
            flow.edit(&Brush::smooth_disc([4.0, 3.0], 2.0), Edit::Pour(Amount::Depth(1.0)))
                .unwrap();
            let longest = flow.stable_dt();
            flow.step_toward(stop).unwrap();
            assert!((flow.time() / longest - 1.0).abs() < 1e-6, "{stop}: {}", flow.time());
            assert!(flow.volume().is_finite());
        }
    }
}

#[test]
fn lava_flows_slower_than_water() {
    let reach = |viscosity: f64| {
        let params = Params { viscosity, ..Params::default() };
        let mut flow = world_with_depth(100, 3, params, |x, _| if x < 10 { 1.0 } else { 0.0 });
        flow.advance(10.0).unwrap();
        (0..100).rev().find(|&x| flow.is_flooded([x as f64 + 0.5, 1.5])).unwrap()
    };
    let (water, lava) = (reach(0.0), reach(20.0));
    assert!(water > 20 && lava < water / 2 && lava >= 10, "water {water}, lava {lava}");
}

#[test]
fn tide_fills_and_empties_a_bay() {
    let lattice = Square::new(40, 10, 1.0, 1.0).unwrap();
    let bed = Field::from_fn(40, 10, |x, _| x as f32 * 0.05);
    let pipes = Params { friction: 0.6, ..Params::default() };
    let shallow = Params { level: Physics::ShallowWater, manning: 0.05, ..Params::default() };
    for (params, half, off) in [(pipes, 300.0, 1e-3), (shallow, 600.0, 2e-3)] {
        let mut flow = Flow::new(lattice, params, bed.clone(), Field::new(40, 10, 0.0)).unwrap();
        let tide = vec![[0.0, 0.0], [50.0, 1.0], [half, 1.0], [half + 50.0, 0.2]];
        let level = Series::from_table(tide).unwrap();
        flow.set_boundary(Boundary::on_edge(Edge::West, BoundaryKind::Stage { level })).unwrap();
        flow.advance(half).unwrap();
        assert!((flow.surface_at([10.0, 5.0]).unwrap() - 1.0).abs() < off);
        assert!(flow.is_flooded([19.0, 5.0]) && !flow.is_flooded([22.0, 5.0]));
        flow.advance(half).unwrap();
        assert!((flow.surface_at([1.0, 5.0]).unwrap() - 0.2).abs() < off);
        assert!(!flow.is_flooded([19.0, 5.0]));
    }
}

#[test]
fn inflow_has_its_rate_and_leaves_over_an_open_edge() {
    let mut flow = stream(60, 4);
    flow.advance(2000.0).unwrap();
    for x in [5.0, 30.0, 55.0] {
        let through = flow.discharge_through([x, 4.0], [x, 0.0]);
        assert!((through - 1.0).abs() < 1e-2, "{through} m³/s at x = {x}");
        // The depth at a face is that of the upstream cell, which is up to 6 % more than in the
        // next cell.
        let speed = f64::from(flow.velocity_at([x, 2.0]).unwrap()[0]);
        let unit_discharge = speed * f64::from(flow.depth_at([x, 2.0]).unwrap());
        assert!((unit_discharge / 0.25 - 1.0).abs() < 0.06, "{unit_discharge} m²/s at x = {x}");
    }
    // Discharge over a broad-crested weir: q = (2/3)^1.5 √g h^1.5.
    let h = f64::from(flow.state().depth[(59, 1)]);
    let weir = (2.0f64 / 3.0).powf(1.5) * 9.81f64.sqrt() * h.powf(1.5);
    assert!((weir - 0.25).abs() < 5e-3, "{weir}");
}

#[test]
fn discharge_through_a_closed_line_equals_the_inflow() {
    let mut flow = flat_world(40, 30, 1.0, Params::default());
    flow.add_spring(Source::new(Region::disc([12.0, 9.0], 2.0), 5.0)).unwrap();
    flow.advance(4.0).unwrap();
    let corners = [[6.3, 3.1], [22.8, 7.4], [20.0, 21.7], [4.4, 16.0]];
    let out: f64 = (0..4).map(|i| -flow.discharge_through(corners[i], corners[(i + 1) % 4])).sum();
    let back: f64 = (0..4).map(|i| flow.discharge_through(corners[(i + 1) % 4], corners[i])).sum();
    assert!(out > 1.0 && (out - back).abs() < 1e-9, "{out} {back}");
}

#[test]
fn buildings_exclude_water_until_opened() {
    let mut flow =
        world_with_depth(30, 10, Params::default(), |x, _| if x < 10 { 2.0 } else { 0.0 });
    let gate = Brush::with_flat_falloff(Region::rect([10.0, 0.0], [12.0, 10.0]));
    flow.edit(&gate, Edit::Close).unwrap();
    flow.advance(20.0).unwrap();
    assert_eq!(flow.volume_in(&Region::rect([10.0, 0.0], [30.0, 10.0])).unwrap(), 0.0);
    flow.edit(&gate, Edit::Open).unwrap();
    flow.advance(20.0).unwrap();
    assert!(flow.is_flooded([25.0, 5.0]));
}

#[test]
fn soil_infiltrates_to_capacity_and_seeps() {
    let mut flow = flat_world(10, 8, 0.2, Params::default());
    flow.set_soil(Some(Soil {
        rate: 3600.0,
        capacity: Some(0.05),
        seepage: 0.0,
        ..Soil::default()
    }))
    .unwrap();
    flow.advance(100.0).unwrap();
    assert!((flow.state().depth[(4, 4)] - 0.15).abs() < 1e-6);
    assert!((flow.layer("soil").unwrap()[(4, 4)] - 0.05).abs() < 1e-6);
    assert!(flow.balance().residual.abs() < 1e-9);
}

#[test]
fn tracers_follow_the_water() {
    let mut flow = stream(60, 10);
    flow.advance(500.0).unwrap();
    let emitters = vec![Region::rect([0.0, 0.0], [2.0, 10.0])];
    flow.set_tracers(Some(Tracers { count: 40, lifetime: 1e4, emitters, seed: 1 })).unwrap();
    flow.step(0.01).unwrap();
    assert_eq!(flow.particles().len(), 40);
    let before: Vec<_> = flow.particles().to_vec();
    flow.advance(10.0).unwrap();
    for (a, b) in before.iter().zip(flow.particles()) {
        let moved = b.position[0] - a.position[0];
        assert!(moved > 2.0 && (b.position[1] - a.position[1]).abs() < 0.2, "moved {moved}");
    }
}

#[test]
fn invalid_input_is_rejected_with_a_reason() {
    let lattice = Square::new(4, 3, 1.0, 1.0).unwrap();
    let make = |params: Params, bed: Field<f32>, depth: Field<f32>| {
        Flow::new(lattice, params, bed, depth).map(|_| ()).unwrap_err().to_string()
    };
    let dry = || Field::new(4, 3, 0.0);
    let mut hole = dry();
    hole[(2, 1)] = f32::NAN;
    assert_eq!(
        make(Params::default(), hole, dry()),
        "bed in cell (2, 1): found NaN, allowed is -1e6 to 1e6 m"
    );
    assert_eq!(
        make(Params::default(), dry(), Field::new(4, 3, -1.0)),
        "depth in cell (0, 0): found -1, allowed is 0 to 1e6 m"
    );
    assert_eq!(
        make(Params::default(), Field::new(3, 4, 0.0), dry()),
        "bed: found 3 × 4, allowed is 4 × 3, the size of the grid"
    );
    assert_eq!(
        make(Params { friction: 2.0, ..Params::default() }, dry(), dry()),
        "friction: found 2, allowed is 0 to 1 1/s"
    );
    let mut flow = flat_world(4, 3, 1.0, Params::default());
    let limit = flow.stable_dt();
    let error = flow.step(1.0).unwrap_err();
    assert_eq!(error.allowed, format!("above 0 up to {limit} s, the stability limit"));
    assert!(flow.step(0.0).is_err() && flow.step(f64::NAN).is_err());
    assert!(flow.advance(-1.0).is_err());
    assert!(flow.add_spring(Source::new(Region::disc([9.0, 9.0], 1.0), 1.0)).is_err());
    assert!(flow.add_spring(Source::new(Region::disc([1.0, 1.0], 1.0), -1.0)).is_err());
    assert!(flow.edit(&Brush::smooth_disc([1.0, 1.0], 0.0), Edit::Close).is_err());
    assert!(
        flow.edit(&Brush::smooth_disc([1.0, 1.0], 1.0), Edit::Raise(Change::By(f64::NAN))).is_err()
    );
    assert_eq!(flow.state_hash(), flat_world(4, 3, 1.0, Params::default()).state_hash());
}
