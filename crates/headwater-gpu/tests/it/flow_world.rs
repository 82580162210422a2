//! Tests of flow worlds on the GPU over longer runs: exact end times, mass balance, unsupported
//! features and loss of the device.

use crate::support::{
    CellShape, TOLERANCE, WORLDS, add_house, add_weather, max_difference, noise, open_gpu,
    set_open_boundaries, world_with_pools,
};
use headwater::flow::{
    Body, Boundary, BoundaryKind, Flood, Flow, Gate, Physics, Soil, Structure, StructureKind,
};
use headwater::{Edge, InputError, Region};
use headwater_gpu::GpuError;
use headwater_gpu::flow::{GpuFlow, Options, Tile, Tiling};

#[test]
fn advance_reaches_the_same_state_as_the_cpu() {
    for world in WORLDS {
        let mut cpu = world_with_pools(world, 45, 38, 4, 0.0);
        set_open_boundaries(&mut cpu);
        add_house(&mut cpu);
        let mut on_gpu = GpuFlow::new(&open_gpu(), cpu.clone(), Options::default()).unwrap();
        on_gpu.advance(1.3).unwrap();
        on_gpu.advance(1.7).unwrap();
        cpu.advance(1.3).unwrap();
        cpu.advance(1.7).unwrap();
        let back = on_gpu.sync().unwrap();
        assert_eq!(back.time(), cpu.time());
        // If the stability limit depends on the water, the step lengths differ.
        let (worst, _) = max_difference(&back.state().depth, &cpu.state().depth);
        if world.1 == Physics::Pipes {
            assert_eq!(back.steps(), cpu.steps());
            assert!(worst <= 10.0 * TOLERANCE, "{world:?}: {worst}");
        } else {
            assert!(back.steps() < 3 * cpu.steps(), "{} and {}", back.steps(), cpu.steps());
            let volume = cpu.volume();
            assert!((back.volume() - volume).abs() < 0.01 * volume, "{world:?}");
            assert!(worst < 0.5, "{world:?}: {worst}");
        }
        assert!(back.balance().residual_relative.abs() < 1e-9);
    }
}

#[test]
fn the_mass_balance_closes_after_many_steps() {
    let gpu = open_gpu();
    for (world, steps) in [(WORLDS[0], 6000), (WORLDS[2], 3000)] {
        let mut flow = world_with_pools(world, 30, 24, 9, 0.0);
        set_open_boundaries(&mut flow);
        add_weather(&mut flow, 9);
        let dt = 0.9 * flow.stable_dt();
        let mut on_gpu = GpuFlow::new(
            &gpu,
            flow.clone(),
            Options { max_batch_steps: 1000, ..Options::default() },
        );
        let on_gpu = on_gpu.as_mut().unwrap();
        on_gpu.steps(steps, dt).unwrap();
        let back = on_gpu.sync().unwrap();
        let balance = back.balance();
        assert_eq!(back.steps(), steps as u64);
        println!("{world:?}: residual {:e} of the volume handled", balance.residual_relative);
        assert!(balance.residual_relative.abs() < 1e-9, "{balance:?}");
        let handled = balance.ledger.initial_amount() + balance.ledger.total_inflow();
        assert!(
            handled > 2.0 * balance.ledger.initial_amount(),
            "the inflow is too small for a meaningful test"
        );
    }
}

#[test]
fn a_closed_basin_conserves_volume_far_below_the_rounding_of_depths() {
    let gpu = open_gpu();
    for world in WORLDS {
        let flow = world_with_pools(world, 40, 32, 6, 0.0);
        let dt = if world.1 == Physics::Pipes { 0.9 } else { 0.02 } * flow.stable_dt();
        let mut on_gpu = GpuFlow::new(&gpu, flow, Options::default()).unwrap();
        on_gpu.steps(500, dt).unwrap();
        let residual = on_gpu.sync().unwrap().balance().residual_relative.abs();
        assert!(residual < 1e-12, "{world:?}: {residual:e}");
    }
}

#[test]
fn an_unstable_step_is_rejected_and_the_world_stays_stable() {
    let gpu = open_gpu();
    let flow = world_with_pools(WORLDS[0], 20, 20, 1, 0.0);
    let limit = flow.stable_dt();
    let mut on_gpu = GpuFlow::new(&gpu, flow, Options::default()).unwrap();
    let error = on_gpu.step(1.01 * limit).unwrap_err();
    assert!(matches!(error, GpuError::Input(InputError { .. })), "{error}");
    // Depths grow, so a step that was stable at first becomes unstable.
    let mut flow = world_with_pools(WORLDS[1], 20, 20, 1, 0.0);
    let dt = 0.9 * flow.stable_dt();
    let mut on_gpu = GpuFlow::new(&gpu, flow.clone(), Options::default()).unwrap();
    on_gpu.steps(50, dt).unwrap();
    let error = on_gpu.sync().unwrap_err();
    assert!(matches!(error, GpuError::Input(InputError { .. })), "{error}");
    let mut done = 0;
    while flow.step(dt).is_ok() {
        done += 1;
    }
    let back = on_gpu.sync().unwrap();
    assert!(done > 0 && done < 50);
    assert_eq!(back.steps(), done, "both stop before the same step");
    assert!(max_difference(&back.state().depth, &flow.state().depth).0 <= TOLERANCE);
}

#[test]
fn unsupported_features_are_rejected_by_name() {
    let gpu = open_gpu();
    let assert_rejected = |flow: Flow, tiling: Tiling, what: &str| {
        let options = Options { tiling, ..Options::default() };
        let error = GpuFlow::new(&gpu, flow, options).unwrap_err();
        assert!(matches!(error, GpuError::Unsupported(_)), "{error}");
        assert!(error.to_string().contains(what), "{error}");
    };
    let plain = || world_with_pools(WORLDS[0], 20, 20, 1, 0.0);
    let mut flow = plain();
    let gate = StructureKind::Gate(Gate::new(2.0, 1.0, 0.5));
    let mouth = |x| Region::disc([x, 15.0], 2.0);
    flow.add_structure(Structure::new(mouth(5.0), mouth(30.0), gate)).unwrap();
    assert_rejected(flow, Tiling::Automatic, "gates");
    let mut flow = plain();
    flow.add_body(Body::disc([20.0, 15.0], 2.0, 100.0, 1.0)).unwrap();
    assert_rejected(flow, Tiling::Automatic, "bodies");
    assert_rejected(
        world_with_pools((CellShape::Hex, Physics::ShallowWater), 20, 20, 1, 0.0),
        Tiling::Automatic,
        "hexagons",
    );
    let mut flow = plain();
    flow.set_flood(Some(Flood::default())).unwrap();
    assert_rejected(flow, Tiling::Automatic, "flood");
    let mut flow = plain();
    flow.set_soil(Some(Soil { rate: 10.0, deficit: 0.3, ..Soil::default() })).unwrap();
    assert_rejected(flow, Tiling::Automatic, "soils");
    let mut flow = plain();
    let stream = BoundaryKind::Stream { discharge: 1.0.into(), along: 0.5.into(), level: None };
    flow.set_boundary(Boundary::on_edge(Edge::West, stream)).unwrap();
    assert_rejected(flow, Tiling::Automatic, "along");
    let vast = Tile { x: 4096, y: 4096, threads: 64 };
    let options = Options { tiling: Tiling::Custom(vast), ..Options::default() };
    let error = GpuFlow::new(&gpu, plain(), options).unwrap_err();
    assert!(error.to_string().contains("max_compute_workgroup_storage_size"), "{error}");
}

#[test]
fn after_device_loss_the_world_continues_from_the_last_read_back() {
    let gpu = open_gpu();
    let mut cpu = world_with_pools(WORLDS[0], 24, 20, 3, 0.0);
    let mut on_gpu = GpuFlow::new(&gpu, cpu.clone(), Options::default()).unwrap();
    let dt = 0.9 * cpu.stable_dt();
    on_gpu.steps(20, dt).unwrap();
    on_gpu.sync().unwrap();
    gpu.destroy();
    let error = on_gpu.steps(20, dt).and_then(|()| on_gpu.sync().map(|_| ())).unwrap_err();
    assert!(matches!(error, GpuError::Lost(_)), "{error}");
    let mut rest = on_gpu.into_flow();
    assert_eq!(rest.steps(), 20);
    for _ in 0..40 {
        cpu.step(dt).unwrap();
    }
    for _ in 0..20 {
        rest.step(dt).unwrap();
    }
    assert!(max_difference(&rest.state().depth, &cpu.state().depth).0 <= TOLERANCE);
}

#[test]
fn queries_match_the_full_world() {
    let gpu = open_gpu();
    for world in WORLDS {
        let mut flow = world_with_pools(world, 43, 37, 12, 0.0);
        // Over a thin film, wave speeds of shallow water vary too much for a fixed step.
        if world.1 != Physics::ShallowWater {
            set_open_boundaries(&mut flow);
        }
        let (width, height) = (flow.lattice().width(), flow.lattice().height());
        let dt = 0.02 * flow.stable_dt();
        let mut on_gpu = GpuFlow::new(&gpu, flow, Options::default()).unwrap();
        on_gpu.steps(30, dt).unwrap();
        let mut points = vec![[-1.0, 3.0], [0.01, 0.01], [width - 0.01, height - 0.01]];
        points.extend(
            (0..40)
                .map(|i| [width * f64::from(noise(i, 1, 5)), height * f64::from(noise(i, 2, 5))]),
        );
        let lines = [[[10.0, 0.0], [10.0, height]], [[3.0, 4.0], [70.0, 33.0]]];
        let answers = on_gpu.query_blocking(&points, &lines).unwrap();
        let whole = on_gpu.sync().unwrap();
        assert_eq!(answers.time, whole.time());
        let mut moving = 0;
        for (&point, found) in points.iter().zip(&answers.points) {
            assert_eq!(found.map(|r| r.depth), whole.depth_at(point), "{world:?} {point:?}");
            assert_eq!(
                found.and_then(|r| r.surface),
                whole.surface_at(point),
                "{world:?} {point:?}"
            );
            let velocity = whole.velocity_at(point);
            let near = |a: [f32; 2], b: [f32; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) < 1e-4;
            match (found, velocity) {
                (Some(found), Some(velocity)) => {
                    assert!(
                        near(found.velocity, velocity),
                        "{world:?} {point:?} {found:?} {velocity:?}"
                    );
                    moving += usize::from(velocity != [0.0; 2]);
                }
                (found, velocity) => assert!(found.is_none() && velocity.is_none()),
            }
        }
        assert!(moving > 10, "{moving}");
        for ([a, b], found) in lines.into_iter().zip(&answers.lines) {
            assert_eq!(*found, whole.discharge_through(a, b));
            assert!(*found != 0.0);
        }
    }
}
