//! Tests that waves on the GPU match the CPU bit for bit, with all supported settings. They need an
//! adapter; the software adapter of mesa-vulkan-drivers is sufficient.

use crate::support::{noise, open_gpu};
use headwater::waves::{Body, EdgeKind, Edges, Edit, Params, Rain, Shape, WaveMaker, Waves, Wind};
use headwater::{Brush, Cause, Field, Region, Square};
use headwater_gpu::GpuError;
use headwater_gpu::waves::GpuWaves;

/// Returns a wave world of 150 × 71 cells with the given boundary conditions at the edges.
fn pond_with_edges(edges: Edges, seed: u64) -> Waves {
    let lattice = Square::new(150, 71, 0.5, 0.5).unwrap();
    let params = Params { speed: 7.0, step: 0.04, absorbing_cells: 9, edges, ..Params::default() };
    let mut waves = Waves::new(lattice, params).unwrap();
    let height = |x: usize, y: usize| 0.2 * (noise(x / 5, y / 5, seed) - 0.4);
    waves.set_surface(&Field::from_fn(150, 71, height)).unwrap();
    waves
}

/// Steps a wave world on the CPU and on the GPU, and asserts that both agree. `name` identifies the
/// world in messages.
fn assert_matches_cpu(name: &str, mut cpu: Waves) {
    let mut on_gpu = GpuWaves::new(&open_gpu(), cpu.clone()).unwrap();
    let start = cpu.state().height.clone();
    for count in [1, 2, 64, 133] {
        cpu.step_many(count);
        on_gpu.step_many(count).unwrap();
        let back = on_gpu.sync().unwrap();
        assert_eq!(back.steps(), cpu.steps(), "{name}");
        assert_eq!(back.state(), cpu.state(), "{name}, step {}", cpu.steps());
        assert_eq!(back.state_hash(), cpu.state_hash(), "{name}, step {}", cpu.steps());
        let area = cpu.lattice().width() * cpu.lattice().height();
        let (ours, theirs) = (back.ledger(), cpu.ledger());
        let net = |ledger: &headwater::Ledger| {
            ledger.inflow(Cause::Boundary) - ledger.outflow(Cause::Boundary)
        };
        assert!((net(ours) - net(theirs)).abs() < 1e-12 * area, "{name}: {ours:?} {theirs:?}");
        assert!(back.balance().residual.abs() < 1e-12 * area, "{name}: {:?}", back.balance());
    }
    assert_ne!(
        cpu.state().height,
        start,
        "{name}: the water must move for a meaningful comparison"
    );
    // The world continues on the CPU without a difference.
    let mut back = on_gpu.into_waves();
    for world in [&mut back, &mut cpu] {
        world.step_many(10);
    }
    assert_eq!(back.state_hash(), cpu.state_hash(), "{name}");
}

#[test]
fn every_edge_condition_matches_the_cpu() {
    use EdgeKind::{Absorbing, Periodic, Pinned, Reflecting};
    for kind in [Reflecting, Pinned, Periodic, Absorbing] {
        assert_matches_cpu(&format!("{kind:?}"), pond_with_edges(Edges::uniform(kind), 3));
    }
    let mixed = Edges { west: Absorbing, east: Pinned, north: Reflecting, south: Absorbing };
    assert_matches_cpu("mixed", pond_with_edges(mixed, 4));
    let around = Edges { west: Periodic, east: Periodic, north: Pinned, south: Absorbing };
    assert_matches_cpu("around", pond_with_edges(around, 5));
}

#[test]
fn pinned_and_absorbing_edges_exchange_water() {
    for kind in [EdgeKind::Pinned, EdgeKind::Absorbing] {
        let mut on_gpu =
            GpuWaves::new(&open_gpu(), pond_with_edges(Edges::uniform(kind), 3)).unwrap();
        on_gpu.step_many(50).unwrap();
        let ledger = on_gpu.sync().unwrap().ledger();
        assert!(ledger.inflow(Cause::Boundary) + ledger.outflow(Cause::Boundary) > 0.1, "{kind:?}");
    }
}

#[test]
fn land_and_wave_speed_maps_match_the_cpu() {
    let mut waves = pond_with_edges(Edges::uniform(EdgeKind::Periodic), 6);
    waves.edit(&Brush::with_flat_falloff(Region::disc([30.0, 15.0], 6.0)), Edit::Land).unwrap();
    assert_matches_cpu("land", waves.clone());
    let speed = |x, y| 8.0 * noise(x / 7, y / 7, 9);
    waves.set_speed(Some(Field::from_fn(150, 71, speed))).unwrap();
    assert_matches_cpu("speed", waves);
}

#[test]
fn forcing_matches_the_cpu() {
    let mut waves = pond_with_edges(Edges { east: EdgeKind::Absorbing, ..Edges::default() }, 7);
    waves.set_rain(Some(Rain { rate: 0.5, radius: 1.2, depth: 0.01, seed: 1 })).unwrap();
    assert_matches_cpu("rain", waves.clone());
    let velocity = [3.0, 1.0];
    let wind = Wind { velocity, gusts: 3, radius: 4.0, head: 0.01, lifetime: 2.0, seed: 2 };
    waves.set_wind(Some(wind)).unwrap();
    assert_matches_cpu("wind", waves.clone());
    let disc = Shape::Disc { radius: 1.5 };
    let body = Body { shape: disc, position: [20.0, 9.0], velocity: [2.0, 0.5], draft: 0.1 };
    // Bodies overlap, so a cell may have several pressure heads.
    waves.add_body(body).unwrap();
    waves.add_body(Body { velocity: [1.0, 0.5], ..body }).unwrap();
    waves.edit(&Brush::with_flat_falloff(Region::disc([50.0, 15.0], 4.0)), Edit::Land).unwrap();
    let maker =
        WaveMaker { from: [60.0, 5.0], to: [60.0, 30.0], width: 2.0, head: 0.05, period: 1.3 };
    waves.add_maker(maker).unwrap();
    assert_matches_cpu("all", waves);
}

#[test]
fn drops_strokes_and_land_edits_match_the_cpu() {
    let mut cpu = pond_with_edges(Edges::default(), 8);
    let mut on_gpu = GpuWaves::new(&open_gpu(), cpu.clone()).unwrap();
    let island = Brush::with_flat_falloff(Region::disc([40.0, 20.0], 5.0));
    for round in 0..3 {
        let at = [10.0 + 20.0 * f64::from(round), 17.0];
        cpu.add_drop(at, 2.0, 0.05).unwrap();
        on_gpu.drop(at, 2.0, 0.05).unwrap();
        let line = [[5.0, 5.0], [60.0, 30.0]];
        cpu.draw_stroke(line, 2.0, 0.02).unwrap();
        on_gpu.stroke(line, 2.0, 0.02).unwrap();
        cpu.step_many(21);
        on_gpu.step_many(21).unwrap();
        cpu.edit(&island, if round == 1 { Edit::Water } else { Edit::Land }).unwrap();
        on_gpu.edit(&island, if round == 1 { Edit::Water } else { Edit::Land }).unwrap();
    }
    on_gpu.change(|waves| waves.set_speed(Some(Field::new(150, 71, 3.0)))).unwrap();
    cpu.set_speed(Some(Field::new(150, 71, 3.0))).unwrap();
    cpu.step_many(9);
    on_gpu.step_many(9).unwrap();
    assert_eq!(on_gpu.sync().unwrap().state_hash(), cpu.state_hash());
    let error = on_gpu.drop([1.0, 1.0], 1.0, 99.0).unwrap_err();
    assert!(matches!(error, GpuError::Input(_)), "{error}");
}

#[test]
fn single_cell_and_odd_grids_match_the_cpu() {
    for (nx, ny) in [(1, 1), (1, 7), (65, 3), (63, 130)] {
        for kind in [EdgeKind::Reflecting, EdgeKind::Periodic, EdgeKind::Pinned] {
            let lattice = Square::new(nx, ny, 1.0, 1.0).unwrap();
            let params = Params {
                speed: 12.0,
                step: 0.05,
                edges: Edges::uniform(kind),
                ..Params::default()
            };
            let mut cpu = Waves::new(lattice, params).unwrap();
            let height = |x: usize, y: usize| 0.3 * noise(x, y, 1);
            cpu.set_surface(&Field::from_fn(nx, ny, height)).unwrap();
            let mut on_gpu = GpuWaves::new(&open_gpu(), cpu.clone()).unwrap();
            cpu.step_many(40);
            on_gpu.step_many(40).unwrap();
            let hash = on_gpu.sync().unwrap().state_hash();
            assert_eq!(hash, cpu.state_hash(), "{nx} × {ny}, {kind:?}");
        }
    }
}

#[test]
fn unsupported_features_are_rejected_by_name() {
    let mut waves = pond_with_edges(Edges::default(), 1);
    let east = Field::new(150, 71, 1.0);
    waves.set_current(Some((east.clone(), east))).unwrap();
    let error = GpuWaves::new(&open_gpu(), waves).unwrap_err();
    assert!(
        error.to_string().starts_with("currents that carry waves are not supported"),
        "{error}"
    );
    let lattice = Square::new(40, 40, 1.0, 1.0).unwrap();
    let params = Params { dispersion: true, ..Params::default() };
    let error = GpuWaves::new(&open_gpu(), Waves::new(lattice, params).unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("waves with dispersion are not supported"), "{error}");
}

#[test]
fn after_device_loss_the_world_keeps_the_last_read_back() {
    let gpu = open_gpu();
    let mut cpu = pond_with_edges(Edges::default(), 2);
    let mut on_gpu = GpuWaves::new(&gpu, cpu.clone()).unwrap();
    on_gpu.step_many(30).unwrap();
    on_gpu.sync().unwrap();
    gpu.destroy();
    // Steps may still be accepted; the loss is returned by the next wait at the latest.
    let outcome = on_gpu.step_many(5).and_then(|()| on_gpu.sync().map(|_| ()));
    assert!(matches!(outcome, Err(GpuError::Lost(_))), "{outcome:?}");
    let mut back = on_gpu.into_waves();
    back.step_many(10);
    cpu.step_many(40);
    assert_eq!(back.state_hash(), cpu.state_hash());
}

/// Queries points while more steps are submitted, without reading back the whole world.
#[test]
fn point_queries_match_the_cpu() {
    let mut cpu = pond_with_edges(Edges::uniform(EdgeKind::Absorbing), 8);
    cpu.edit(&Brush::with_flat_falloff(Region::disc([30.0, 20.0], 4.0)), Edit::Land).unwrap();
    let mut on_gpu = GpuWaves::new(&open_gpu(), cpu.clone()).unwrap();
    cpu.step_many(31);
    on_gpu.step_many(31).unwrap();
    let points: Vec<_> =
        (0..200).map(|i| [-1.0 + 0.39 * f64::from(i), 0.3 + 0.17 * f64::from(i)]).collect();
    let mut asked = on_gpu.query(&points).unwrap();
    on_gpu.step_many(3).unwrap();
    on_gpu.gpu().wait().unwrap();
    let answers = asked.try_take().unwrap().unwrap();
    assert_eq!(answers.time, cpu.time());
    let mut moving = 0;
    for (point, found) in points.iter().zip(answers.points) {
        assert_eq!(found.map(|found| found.height), cpu.surface_at(*point), "{point:?}");
        let Some(found) = found else { continue };
        let (x, y) = cpu.lattice().cell_at(*point).unwrap();
        assert_eq!((found.velocity, found.normal), (cpu.velocity(x, y), cpu.normal(x, y)));
        moving += usize::from(found.velocity != 0.0);
    }
    assert!(moving > 50, "the water must move for a meaningful comparison: {moving}");
    assert!(on_gpu.query_blocking(&points[50..60]).unwrap().time > cpu.time());
}
