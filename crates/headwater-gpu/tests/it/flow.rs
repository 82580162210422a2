//! Tests that flow worlds on the GPU match the CPU after every step, with all supported settings.

use crate::support::{
    TOLERANCE, WORLDS, add_house, add_weather, make_periodic, max_difference, noise, open_gpu,
    set_open_boundaries, world_with_pools,
};
use headwater::Field;
use headwater::flow::{Flow, Physics};
use headwater_gpu::flow::{GpuFlow, Options, Tile, Tiling};

/// Steps a world on the CPU and on the GPU, and asserts that both agree. `name` identifies the
/// world in messages.
fn assert_matches_cpu(name: &str, mut cpu: Flow, options: Options, steps: usize) {
    let gpu = open_gpu();
    let mut on_gpu = GpuFlow::new(&gpu, cpu.clone(), options).unwrap();
    let start = cpu.state().depth.clone();
    let deepest = start.min_max().unwrap().1.max(1.0);
    let mut differing = 0;
    for round in 0..steps / 10 {
        for _ in 0..10 {
            let dt = 0.8 * cpu.stable_dt();
            cpu.step(dt).unwrap();
            on_gpu.step(dt).unwrap();
        }
        let back = on_gpu.sync().unwrap();
        assert_eq!((back.time(), back.steps()), (cpu.time(), cpu.steps()), "{name}");
        let (worst, count) = max_difference(&back.state().depth, &cpu.state().depth);
        assert!(worst <= TOLERANCE * deepest, "{name}, round {round}: {worst} m apart");
        for (a, b) in [
            (&back.state().discharge_x, &cpu.state().discharge_x),
            (&back.state().discharge_y, &cpu.state().discharge_y),
        ] {
            let max = b.min_max().map_or(1.0, |(low, high)| high.max(-low)).max(1.0);
            let (worst, _) = max_difference(a, b);
            assert!(worst <= TOLERANCE * max, "{name}, round {round}: {worst} m³/s apart");
        }
        differing = count;
        let (of_gpu, of_cpu) = (back.balance(), cpu.balance());
        assert!(of_gpu.residual_relative.abs() < 1e-8, "{name}: {of_gpu:?}");
        // A remainder is exchanged once a float can represent it. On one side this may be a step
        // later.
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-4 * b.abs() + 1e-7 * of_cpu.now;
        for cause in headwater::Cause::ALL {
            let (a, b) = (back.ledger(), cpu.ledger());
            for (a, b) in [(a.inflow(cause), b.inflow(cause)), (a.outflow(cause), b.outflow(cause))]
            {
                assert!(near(a, b), "{name}, {cause:?}: {a} and {b} m³");
            }
        }
        assert!(of_cpu.now > 0.0);
    }
    let moved = max_difference(&cpu.state().depth, &start).0;
    assert!(
        moved > 100.0 * TOLERANCE * deepest,
        "{name}: the water must move for a meaningful comparison"
    );
    println!("{name}: {differing} of {} depths differ in a bit", cpu.lattice().cell_count());
}

#[test]
fn a_closed_basin_matches_the_cpu() {
    for world in WORLDS {
        assert_matches_cpu(
            &format!("{world:?}"),
            world_with_pools(world, 71, 50, 3, 0.0),
            Options::default(),
            100,
        );
    }
}

#[test]
fn every_kind_of_boundary_matches_the_cpu() {
    for world in WORLDS {
        let mut flow = world_with_pools(world, 67, 45, 5, 0.02);
        set_open_boundaries(&mut flow);
        add_house(&mut flow);
        assert_matches_cpu(&format!("{world:?}"), flow, Options::default(), 100);
    }
}

#[test]
fn sources_and_sinks_match_the_cpu() {
    for world in WORLDS {
        let mut flow = world_with_pools(world, 53, 41, 8, 0.0);
        add_house(&mut flow);
        add_weather(&mut flow, 8);
        assert_matches_cpu(&format!("{world:?}"), flow, Options::default(), 100);
    }
}

#[test]
fn worlds_of_all_shapes_match_the_cpu() {
    for (world, (nx, ny), joined) in [
        (WORLDS[0], (1, 1), [false, false]),
        (WORLDS[0], (32, 16), [true, false]),
        (WORLDS[1], (2, 40), [true, true]),
        (WORLDS[1], (64, 17), [false, true]),
        (WORLDS[2], (33, 24), [true, true]),
        (WORLDS[2], (40, 24), [true, false]),
        (WORLDS[3], (35, 26), [false, true]),
        (WORLDS[3], (96, 8), [true, true]),
        (WORLDS[3], (31, 18), [true, false]),
        (WORLDS[0], (70, 3), [false, true]),
        (WORLDS[1], (50, 6), [true, false]),
        (WORLDS[4], (70, 3), [true, true]),
        (WORLDS[4], (1, 9), [false, false]),
        (WORLDS[4], (33, 20), [true, false]),
        (WORLDS[4], (17, 35), [true, true]),
    ] {
        let mut flow = world_with_pools(world, nx, ny, 11, 0.0);
        set_open_boundaries(&mut flow);
        make_periodic(&mut flow, joined[0], joined[1]);
        let map = Field::from_fn(nx, ny, |x, y| 0.1 * noise(x, y, 3));
        flow.set_roughness(Some(map)).unwrap();
        if nx * ny > 1 {
            assert_matches_cpu(
                &format!("{world:?} {nx} × {ny} {joined:?}"),
                flow,
                Options::default(),
                60,
            );
        }
    }
}

#[test]
fn results_do_not_depend_on_the_tile_size() {
    let gpu = open_gpu();
    for world in WORLDS {
        let mut flow = world_with_pools(world, 75, 52, 2, 0.0);
        // Over a thin film, wave speeds of shallow water vary too much for a fixed step.
        if world.1 != Physics::ShallowWater {
            set_open_boundaries(&mut flow);
        }
        add_house(&mut flow);
        add_weather(&mut flow, 2);
        // The duration is long enough for differences to show, and short enough that the inflow
        // stays stable.
        let dt = if world.1 == Physics::Pipes { 0.5 } else { 0.03 } * flow.stable_dt();
        let run = |tiling| {
            let options = Options { tiling, max_batch_steps: 7 };
            let mut flow = GpuFlow::new(&gpu, flow.clone(), options).unwrap();
            flow.steps(22, dt).unwrap();
            let back = flow.sync().unwrap();
            (back.state_hash(), back.ledger().clone())
        };
        let whole = run(Tiling::Automatic);
        for (x, y) in [(8, 4), (5, 6)] {
            let tile = Tile { x, y, threads: 32 };
            assert_eq!(run(Tiling::Custom(tile)), whole, "{world:?} {x} × {y}");
        }
    }
}
