//! Tests of the physics of waves: wave equation, edges, ledger and disturbances.

use crate::support::flow::noise;
use headwater::waves::{Body, EdgeKind, Edges, Edit, LAYERS, Params, Rain, Shape, Waves, Wind};
use headwater::{Brush, Field, Region, Square};

fn pond(nx: usize, ny: usize, params: Params) -> Waves {
    Waves::new(Square::new(nx, ny, 1.0, 1.0).unwrap(), params).unwrap()
}

/// Returns parameters for which the square of the Courant number is 0.36 on cells of 1 m.
fn params() -> Params {
    Params { speed: 12.0, step: 0.05, damping: 0.0, ..Params::default() }
}

fn surface_with_hump(nx: usize, ny: usize, center: [f64; 2]) -> Field<f32> {
    Field::from_fn(nx, ny, |x, y| {
        let (x, y) = (x as f64 + 0.5 - center[0], y as f64 + 0.5 - center[1]);
        (0.2 * (-(x * x + y * y) / 18.0).exp()) as f32
    })
}

#[test]
fn a_step_matches_the_discrete_wave_equation() {
    // Computes z⁺ = k1·z + k2·z⁻ + k3·Σ with pinned edges in `f64`, in parallel with the model.
    let (nx, ny) = (23, 17);
    let params =
        Params { damping: 0.2, highest: 0.25, edges: Edges::uniform(EdgeKind::Pinned), ..params() };
    let (mu_t, q) = (params.damping * params.step, 0.36);
    let k = [4.0 - 8.0 * q, mu_t - 2.0, 2.0 * q].map(|k| k / (mu_t + 2.0));
    let mut waves = pond(nx, ny, params);
    let start = surface_with_hump(nx, ny, [8.0, 7.0]);
    waves.set_surface(&start).unwrap();
    let mut now = start.map(|&z| f64::from(z));
    let mut older = now.clone();
    // The surface is initially at rest: z⁻ = z.
    for step in 0..200 {
        let at = |x: isize, y: isize| {
            let inside = x >= 0 && y >= 0 && (x as usize) < nx && (y as usize) < ny;
            if inside { now[(x as usize, y as usize)] } else { 0.0 }
        };
        let new = Field::from_fn(nx, ny, |x, y| {
            let (i, j) = (x as isize, y as isize);
            let around = at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1);
            k[0] * now[(x, y)] + k[1] * older[(x, y)] + k[2] * around
        });
        (older, now) = (now, new);
        waves.step();
        for (z, exact) in waves.state().height.as_slice().iter().zip(now.as_slice()) {
            assert!((f64::from(*z) - exact).abs() < 2e-5, "step {step}: {z} and {exact}");
        }
    }
    assert!(now.as_slice().iter().any(|z| z.abs() > 1e-3));
}

#[test]
fn unstable_wave_speeds_are_rejected_with_the_limit() {
    for damping in [0.0, 10.0, 40.0] {
        let lattice = Square::new(4, 4, 1.0, 1.0).unwrap();
        let with = |speed| Waves::new(lattice, Params { speed, damping, ..params() });
        assert!(with(14.14).is_ok());
        let error = with(14.15).unwrap_err();
        assert_eq!(error.what, "step");
        let largest_speed = Params { damping, ..params() }.largest_speed(&lattice);
        let largest_step = 0.05 * largest_speed / 14.15;
        assert!(with(largest_speed).is_ok() && with(largest_speed * 1.0001).is_err());
        let slower = Params { speed: 14.15, step: largest_step, damping, ..params() };
        assert!(Waves::new(lattice, slower).is_ok());
        assert!(error.to_string().contains("speeds up to 14.14"), "{error}");
    }
    let mut waves = pond(5, 4, params());
    assert!(waves.set_speed(Some(Field::new(5, 4, 14.0))).is_ok());
    assert!(waves.set_speed(Some(Field::new(5, 4, 15.0))).is_err());
}

#[test]
fn invalid_input_is_rejected_with_the_allowed_range() {
    let lattice = Square::new(4, 4, 1.0, 1.0).unwrap();
    let bad = |change: fn(&mut Params)| {
        let mut params = params();
        change(&mut params);
        Waves::new(lattice, params).unwrap_err().to_string()
    };
    assert!(bad(|p| p.damping = -1.0).starts_with("damping: found -1,"));
    assert!(bad(|p| p.step = 0.0).starts_with("step: found 0,"));
    assert!(bad(|p| p.highest = f64::NAN).starts_with("highest: found NaN,"));
    assert!(
        bad(|p| p.edges.west = EdgeKind::Periodic).starts_with("edges.east: found \"reflecting\",")
    );
    assert!(bad(|p| (p.dispersion, p.depth, p.step) = (true, 1e3, 1e-3)).contains("up to"));
    let oblong = Waves::new(Square::new(4, 4, 1.0, 2.0).unwrap(), params());
    assert_eq!(oblong.unwrap_err().found, "1 m × 2 m");
    let periodic = Edges { north: EdgeKind::Periodic, ..Edges::default() };
    let error = Params { edges: periodic, ..params() }.validate().unwrap_err();
    assert_eq!(error.what, "edges.south");

    let mut waves = pond(6, 5, params());
    let before = waves.state_hash();
    assert!(waves.set_surface(&Field::new(5, 6, 0.0)).is_err());
    assert!(waves.set_surface(&Field::new(6, 5, 1.5)).is_err());
    assert!(waves.set_land(Some(Field::new(5, 5, true))).is_err());
    assert!(waves.set_speed(Some(Field::new(6, 5, -1.0))).is_err());
    assert!(waves.add_drop([2.0, 2.0], 1.0, 3.0).is_err());
    assert!(waves.add_drop([2.0, f64::NAN], 1.0, 0.1).is_err());
    assert!(waves.draw_stroke([], 1.0, 0.1).is_err());
    assert!(waves.advance(-1.0).is_err() && waves.advance(1e308).is_err());
    let rain = Rain { rate: -1.0, radius: 1.0, depth: 0.1, seed: 0 };
    assert!(waves.set_rain(Some(rain)).is_err());
    let wind =
        Wind { velocity: [1.0, 0.0], gusts: 0, radius: 1.0, head: 0.1, lifetime: 1.0, seed: 0 };
    assert!(waves.set_wind(Some(wind)).is_err());
    let body = Body {
        shape: Shape::Disc { radius: 0.0 },
        position: [1.0; 2],
        velocity: [0.0; 2],
        draft: 0.1,
    };
    assert!(waves.add_body(body).is_err());
    assert_eq!(waves.state_hash(), before, "the world is as it was");
    assert!(waves.add_drop([99.0, 2.0], 1.0, 0.1).is_ok(), "a drop off the grid does nothing");
    assert_eq!(waves.state_hash(), before);
}

#[test]
fn forcings_preserve_the_mean_exactly() {
    let mut waves = pond(90, 70, Params { damping: 0.3, ..params() });
    let mut before = waves.state().height.clone();
    let mut moved = |waves: &mut Waves, what: &str| {
        (0..25).for_each(|_| waves.step());
        assert_ne!(waves.state().height, before, "{what} does nothing");
        assert_eq!(waves.volume(), 0.0, "{what} makes water");
        before = waves.state().height.clone();
    };
    waves.add_drop([20.3, 30.1], 4.0, 0.2).unwrap();
    assert!((waves.state().height[(20, 30)] + 0.2).abs() < 1e-5, "as deep as asked for");
    moved(&mut waves, "a drop");
    waves.draw_stroke([[10.0, 10.0], [60.0, 40.0], [80.0, 5.0]], 5.0, 0.1).unwrap();
    moved(&mut waves, "a stroke");
    let island = Brush::with_flat_falloff(Region::disc([45.0, 35.0], 9.0));
    waves.edit(&island, Edit::Land).unwrap();
    moved(&mut waves, "an island");
    waves.edit(&island, Edit::Disturb { height: 0.1 }).unwrap();
    assert_eq!(waves.volume(), 0.0);
    waves.set_rain(Some(Rain { rate: 0.05, radius: 2.0, depth: 0.02, seed: 7 })).unwrap();
    moved(&mut waves, "rain");
    let shape = Shape::Disc { radius: 4.0 };
    let boat = Body { shape, position: [10.0, 50.0], velocity: [7.0, 0.3], draft: 0.3 };
    waves.add_body(boat).unwrap();
    moved(&mut waves, "a boat");
    assert!(waves.bodies()[0].position[0] > 18.0);
    let wind =
        Wind { velocity: [6.0, 2.0], gusts: 5, radius: 9.0, head: 0.02, lifetime: 4.0, seed: 3 };
    waves.set_wind(Some(wind)).unwrap();
    moved(&mut waves, "wind");
    let speed = Field::from_fn(90, 70, |x, _| 4.0 + 0.1 * x as f32);
    waves.set_speed(Some(speed)).unwrap();
    moved(&mut waves, "a map of speeds");
    assert_eq!(waves.balance().residual, 0.0);
}

#[test]
fn a_body_at_rest_displaces_its_draft() {
    let mut waves = pond(60, 50, Params { damping: 3.0, ..params() });
    let shape = Shape::Rect { half: [6.0, 5.0] };
    let raft = Body { shape, position: [30.0, 25.0], velocity: [0.0; 2], draft: 0.25 };
    waves.add_body(raft).unwrap();
    (0..3000).for_each(|_| waves.step());
    let below = waves.surface_at([30.0, 25.0]).unwrap();
    let beside = waves.surface_at([8.0, 25.0]).unwrap();
    assert!((beside - below - 0.25).abs() < 1e-4, "{below} {beside}");
    assert!((f64::from(beside) - 0.25 * 120.0 / 3000.0).abs() < 1e-3, "the rest rises: {beside}");
    assert_eq!(waves.awake_tile_count(), 0, "and then rests");
}

#[test]
fn damped_waves_decay_and_sleep() {
    for damping in [0.1, 0.5, 4.0] {
        let mut waves = pond(200, 90, Params { damping, ..params() });
        for i in 0..20 {
            let at = [200.0 * f64::from(noise(i, 1, 1)), 90.0 * f64::from(noise(i, 2, 1))];
            waves.add_drop(at, 4.0, 0.3).unwrap();
        }
        (0..30_000).for_each(|_| waves.step());
        assert_eq!(waves.awake_tile_count(), 0, "{damping}");
        let hash = |waves: &Waves| waves.state().height.as_slice().to_vec();
        let before = hash(&waves);
        (0..50).for_each(|_| waves.step_plain());
        assert_eq!(hash(&waves), before, "stepping what sleeps changes no bit");
        let range = waves.state().height.min_max().unwrap();
        assert!(range.1 - range.0 < 2e-3, "{range:?}");
    }
}

#[test]
fn motion_does_not_depend_on_the_frame_rate() {
    let run = |fps: u32, seconds: u32| {
        let mut waves = pond(40, 30, Params { step: 1.0 / 60.0, ..params() });
        waves.add_drop([13.0, 11.0], 3.0, 0.2).unwrap();
        for _ in 0..fps * seconds {
            let frame = waves.advance(1.0 / f64::from(fps)).unwrap();
            assert!((0.0..1.0).contains(&frame.alpha) && frame.dropped == 0.0, "{frame:?}");
        }
        assert_eq!(waves.steps(), u64::from(60 * seconds), "{fps}");
        waves.state().clone()
    };
    let sixty = run(60, 10);
    for fps in [7, 24, 30, 75, 90, 120, 144, 240, 1000] {
        assert_eq!(run(fps, 10), sixty, "{fps} frames per second");
    }
}

#[test]
fn long_frames_are_truncated_and_reported() {
    let mut waves = pond(8, 8, params());
    let frame = waves.advance(1.02).unwrap();
    assert_eq!(frame.steps, 16);
    assert!((frame.dropped - 0.2).abs() < 1e-9 && (frame.alpha - 0.4).abs() < 1e-9, "{frame:?}");
    assert_eq!(waves.advance(0.031).unwrap().steps, 1);
}

#[test]
fn the_surface_interpolates_between_the_last_two_states() {
    let mut waves = pond(30, 20, params());
    waves.set_surface(&surface_with_hump(30, 20, [12.0, 9.0])).unwrap();
    (0..20).for_each(|_| waves.step());
    let older = waves.state().height.clone();
    waves.step();
    assert_eq!(waves.interpolate_heights(0.0), older);
    assert_eq!(waves.interpolate_heights(1.0), waves.state().height);
    let rise = waves.state().height[(12, 9)] - older[(12, 9)];
    assert_ne!(rise, 0.0);
    assert!((waves.velocity(12, 9) - rise / 0.05).abs() < 1e-6);
}

#[test]
fn normals_and_tangents_match_central_differences() {
    let mut waves = pond(9, 7, params());
    let tilted = |x: usize, y: usize| 0.03 * x as f32 - 0.02 * y as f32;
    waves.set_surface(&Field::from_fn(9, 7, tilted)).unwrap();
    let close = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(close(waves.normal(4, 3), [-0.06, 0.04, 2.0]), "{:?}", waves.normal(4, 3));
    assert!(close(waves.normal(0, 3), [-0.03, 0.04, 2.0]), "a wall mirrors");
    let slope = waves.layer("slope").unwrap()[(4, 3)];
    assert!((slope - 0.0013_f32.sqrt()).abs() < 1e-6, "{slope}");
    for layer in LAYERS {
        let layer = waves.layer(layer.name).unwrap();
        assert_eq!((layer.nx(), layer.ny()), (9, 7));
        assert!(layer.as_slice().iter().all(|v| v.is_finite()));
    }
    assert!(waves.layer("colour").is_none());
    assert_eq!(waves.mesh().positions.len(), 63);
}

#[test]
fn crests_focus_light_and_conserve_it() {
    for edges in [Edges::default(), Edges::uniform(EdgeKind::Periodic)] {
        let mut waves = pond(80, 60, Params { edges, ..params() });
        assert_eq!(waves.caustics(9.0), Field::new(80, 60, 1.0), "flat: even light");
        waves.set_surface(&surface_with_hump(80, 60, [40.5, 30.5])).unwrap();
        // A crest of 0.2 m with the curvature 0.2/9 focuses at about (1/0.25)·45 m.
        let light = waves.caustics(100.0);
        assert!((light.sum() - 4800.0).abs() < 1e-2, "{}", light.sum());
        let brightest = light.min_max().unwrap().1;
        assert!(light[(40, 30)] == brightest && brightest > 3.0, "{brightest}");
        for depth in [1.0, 1e3, 1e6] {
            assert!((waves.caustics(depth).sum() - 4800.0).abs() < 1e-2);
        }
    }
}

#[test]
fn land_reflects_waves() {
    let mut waves = pond(80, 40, params());
    let wall = |x: usize, y: usize| x == 40 + y / 4 || x == 41 + y / 4;
    waves.set_land(Some(Field::from_fn(80, 40, wall))).unwrap();
    waves.add_drop([15.0, 20.0], 5.0, 0.3).unwrap();
    (0..400).for_each(|_| waves.step());
    let part = |east: bool| {
        let z = &waves.state().height;
        let side = |x: usize, y: usize| (x > 41 + y / 4) == east;
        let cells = (0..3200).map(|i| (i % 80, i / 80));
        cells.filter(|&(x, y)| side(x, y)).map(|at| z[at].abs()).fold(0.0, f32::max)
    };
    assert_eq!(part(true), 0.0);
    assert!(part(false) > 1e-3);
    waves.set_land(None).unwrap();
    (0..100).for_each(|_| waves.step());
    assert!(waves.state().height[(70, 20)] != 0.0, "a wall taken away lets waves through");
}

#[test]
fn water_that_gusts_drive_through_edges_is_recorded() {
    for kind in [EdgeKind::Pinned, EdgeKind::Absorbing] {
        let mut waves = pond(70, 60, Params { edges: Edges::uniform(kind), ..params() });
        let wind = Wind { gusts: 5, radius: 9.0, head: 0.2, ..Wind::default() };
        waves.set_wind(Some(wind)).unwrap();
        (0..400).for_each(|_| waves.step());
        assert!(waves.volume().abs() > 1.0, "{kind:?}: {}", waves.volume());
        assert!(waves.balance().residual.abs() < 1e-12 * waves.volume().abs(), "{kind:?}");
    }
}

#[test]
fn edge_fluxes_are_recorded_exactly() {
    for kind in [EdgeKind::Pinned, EdgeKind::Absorbing, EdgeKind::Periodic] {
        let mut waves = pond(70, 60, Params { edges: Edges::uniform(kind), ..params() });
        waves.set_surface(&surface_with_hump(70, 60, [30.0, 30.0])).unwrap();
        let start = waves.volume();
        let energy = waves.energy().total();
        (0..2000).for_each(|_| waves.step());
        let lost = start - waves.volume();
        assert!(waves.balance().residual.abs() < 1e-12 * start, "{kind:?}");
        match kind {
            EdgeKind::Periodic => assert_eq!(lost, 0.0),
            EdgeKind::Pinned => assert_ne!(lost, 0.0),
            _ => {
                assert!(lost > 0.9 * start, "{lost} of {start}");
                assert!(waves.energy().total() < 1e-4 * energy);
            }
        }
    }
}

#[test]
fn waves_travel_at_the_speed_of_the_map() {
    // A wave front travels at 12 m/s in the western half and at 6 m/s in the eastern half.
    let mut waves = pond(200, 5, params());
    let speed = Field::from_fn(200, 5, |x, _| if x < 100 { 12.0 } else { 6.0 });
    waves.set_speed(Some(speed)).unwrap();
    let ridge = |x: usize, _| (0.2 * (-(x as f64 - 50.0).powi(2) / 32.0).exp()) as f32;
    waves.set_surface(&Field::from_fn(200, 5, ridge)).unwrap();
    let crest = |waves: &Waves, from: usize| {
        let z = waves.state().height.row(2);
        (from..200).max_by(|&a, &b| z[a].total_cmp(&z[b])).unwrap()
    };
    // In 3 s it travels 36 m to the east.
    (0..60).for_each(|_| waves.step());
    assert!(crest(&waves, 60).abs_diff(86) <= 1, "{}", crest(&waves, 60));
    // 50 m at 12 m/s and 40 m at 6 m/s take 10.83 s.
    (60..217).for_each(|_| waves.step());
    assert!(crest(&waves, 120).abs_diff(140) <= 2, "{}", crest(&waves, 120));
}

#[test]
fn energy_decays_with_damping_and_is_conserved_without() {
    for (damping, dispersion) in [(0.0, false), (0.4, false), (0.0, true), (0.4, true)] {
        let params = Params { damping, dispersion, depth: 2.0, ..params() };
        let mut waves = pond(50, 40, params);
        waves.edit(&Brush::with_flat_falloff(Region::disc([30.0, 20.0], 6.0)), Edit::Land).unwrap();
        waves.add_drop([15.0, 12.0], 6.0, 0.2).unwrap();
        waves.step();
        let start = waves.energy().total();
        let mut last = start;
        for _ in 0..400 {
            waves.step();
            let now = waves.energy().total();
            assert!(now <= last + 1e-6 * start, "{damping} {dispersion}: {last} to {now}");
            last = now;
        }
        let left = last / start;
        let awaited = if damping > 0.0 { 3.4e-4 } else { 1.0 };
        assert!(left < 2.0 * awaited && (damping > 0.0 || left > 0.9999), "{damping}: {left}");
    }
}

#[test]
fn large_drops_are_integer_quanta() {
    // The flux through the slopes exceeds the range of heights.
    let mut waves = pond(80, 60, Params { highest: 0.25, ..params() });
    let land = Brush::with_flat_falloff(Region::rect([0.0, 0.0], [80.0, 30.0]));
    waves.edit(&land, Edit::Land).unwrap();
    for at in [[40.0, 45.0], [20.0, 29.0], [60.0, 20.5]] {
        waves.add_drop(at, 14.0, 0.25).unwrap();
        let quantum = waves.state().quantum;
        assert!(waves.state().height.as_slice().iter().all(|z| (z / quantum).fract() == 0.0));
        assert_eq!(waves.mean_level(), 0.0);
    }
    let (low, high) = waves.state().height.min_max().unwrap();
    assert!(low >= -0.75 && high <= 0.75, "{low} {high}");
}

#[test]
fn heights_above_the_wave_limit_survive_snapshots() {
    let params = Params { speed: 2.0, ..Params::default() };
    let mut waves = Waves::new(Square::new(6, 3, 0.1, 0.1).unwrap(), params).unwrap();
    let east = Field::from_fn(6, 3, |x, _| 0.3 * x as f32 - 0.8);
    waves.set_current(Some((east, Field::new(6, 3, 0.5)))).unwrap();
    for step in 0..600 {
        waves.add_drop([0.35, 0.15], 0.08, 0.9).unwrap();
        waves.step();
        let restored =
            Waves::restore(waves.snapshot()).unwrap_or_else(|error| panic!("{step}: {error}"));
        assert_eq!(restored.state_hash(), waves.state_hash());
    }
}
