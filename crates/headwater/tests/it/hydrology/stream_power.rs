//! Tests of the stream-power law of erosion against closed-form solutions and null models.

use crate::support::hydrology::noise;
use headwater::hydrology::{EdgeKind, Edges, Hydrology, Method, Params, StreamPower, Substance};
use headwater::{Cause, Field, Square};

/// Returns parameters for land without plants, of uniform hardness, and without hillslope creep or
/// landslides.
fn params(power: StreamPower, edges: Edges) -> Params {
    Params {
        method: Method::StreamPower,
        stream_power: StreamPower { diffusivity: 0.0, ..power },
        edges,
        rock: 1.0,
        creep: 0.0,
        weathering: 0.0,
        repose: 10.0,
        rock_repose: 100.0,
        plants: Vec::new(),
        ..Params::default()
    }
}

/// Returns three parallel channels that run from a wall in the east to the western edge. `size` is
/// the side of a cell (m), and `west` is the boundary condition of the western edge.
fn channel(cells: usize, size: f64, power: StreamPower, west: EdgeKind) -> Hydrology {
    let edges = Edges { west, ..Edges::uniform(EdgeKind::Wall) };
    let bed = Field::from_fn(cells, 3, |x, _| 0.01 * x as f32);
    Hydrology::new(Square::new(cells, 3, size, size).unwrap(), params(power, edges), &bed).unwrap()
}

fn layer(world: &Hydrology, name: &str) -> Field<f32> {
    world.layer(name).unwrap().into_owned()
}

/// Returns the largest relative deviation of the slope from the steady state (U/K)^(1/n)·A^(−m/n)
/// (dimensionless).
fn max_slope_deviation(world: &Hydrology) -> f64 {
    let StreamPower { erodibility: k, area_exponent: m, slope_exponent: n, uplift, .. } =
        world.params().stream_power;
    let bed = layer(world, "bed");
    let area = layer(world, "discharge");
    let (east, south) = (layer(world, "momentum_x"), layer(world, "momentum_y"));
    let (nx, ny) = (bed.nx(), bed.ny());
    let mut worst = 0.0_f64;
    for (x, y) in (0..ny).flat_map(|y| (0..nx).map(move |x| (x, y))) {
        let way = [east[(x, y)], south[(x, y)]].map(|part| part.round() as isize);
        let length = f64::from(east[(x, y)].hypot(south[(x, y)]));
        if length < 0.5 {
            continue;
        }
        let to = (x.wrapping_add_signed(way[0]), y.wrapping_add_signed(way[1]));
        let run = world.lattice().dx() * ((way[0].abs() + way[1].abs()) as f64).sqrt();
        let slope = f64::from(bed[(x, y)] - bed[to]) / run;
        let steady = (uplift / k * f64::from(area[(x, y)]).powf(-m)).powf(1.0 / n);
        worst = worst.max((slope / steady - 1.0).abs());
    }
    worst
}

#[test]
fn steady_slopes_match_the_stream_power_law() {
    for (m, n) in [(0.45, 1.0), (0.5, 1.0), (0.3, 0.7), (0.9, 2.0)] {
        let power = StreamPower {
            erodibility: 0.5,
            area_exponent: m,
            slope_exponent: n,
            uplift: 4.0,
            step: 20.0,
            ..StreamPower::default()
        };
        let bed = noise(60, 44, 3).map(|z| 0.1 * z);
        let lattice = Square::new(60, 44, 50.0, 50.0).unwrap();
        let mut params = params(power, Edges::default());
        params.stream_power.step = 1e-3;
        let mut world = Hydrology::new(lattice, params.clone(), &bed).unwrap();
        world.step();
        let before = max_slope_deviation(&world);
        assert!(before > 0.5, "noise has them too: {before}");
        params.stream_power.step = power.step;
        world.set_params(params).unwrap();
        world.step_many(150);
        let sediment = |world: &Hydrology| {
            let balance = world.balance(Substance::Sediment);
            assert_eq!(balance.residual, 0);
            [balance.ledger.inflow(Cause::Uplift), balance.ledger.outflow(Cause::Boundary)]
        };
        let [risen, left] = sediment(&world);
        world.step();
        let worst = max_slope_deviation(&world);
        assert!(worst < 1e-3, "m {m}, n {n}: {worst}");
        let now = sediment(&world);
        let ratio = (now[1] - left) as f64 / (now[0] - risen) as f64;
        assert!((ratio - 1.0).abs() < 1e-3, "m {m}, n {n}: {ratio} of what rises leaves");
    }
}

#[test]
fn a_steady_channel_has_the_chi_profile() {
    // Exact profile: z(x) = (U/K)·∫ A^(−m) dx with A = w·(L − x), for a width w of one cell.
    let (cells, size, m) = (400, 25.0, 0.45);
    let power = StreamPower {
        erodibility: 2.0,
        area_exponent: m,
        uplift: 30.0,
        step: 5.0,
        ..StreamPower::default()
    };
    let mut world = channel(cells, size, power, EdgeKind::Open);
    world.step_many(60);
    let bed = layer(&world, "bed");
    let chi = |x: f64| {
        let left = |x: f64| (size * (cells as f64 * size - x)).powf(1.0 - m);
        (left(0.0) - left(x)) / ((1.0 - m) * size)
    };
    let mut sum = 0.0;
    for x in 1..cells {
        // The integral between cells, evaluated as a sum.
        sum += 15.0 * (size * size * (cells - x) as f64).powf(-m) * size;
        let [found, exact] =
            [f64::from(bed[(x, 1)]), 15.0 * (chi((x as f64 + 0.5) * size) - chi(0.5 * size))];
        assert!((found / sum - 1.0).abs() < 1e-5, "{x}: {found} m, {sum} m");
        if x < cells - 20 {
            assert!((found / exact - 1.0).abs() < 1e-4, "{x}: {found} m, {exact} m");
        }
    }
}

#[test]
fn knickpoints_migrate_at_the_predicted_speed() {
    // When the uplift doubles, slopes double from the mouth upward, and the knickpoint moves at the
    // speed K·A^m.
    let (cells, size, m) = (400, 25.0, 0.45);
    let power = |uplift, step| StreamPower {
        erodibility: 2.0,
        area_exponent: m,
        uplift,
        step,
        ..StreamPower::default()
    };
    let mut world = channel(cells, size, power(30.0, 5.0), EdgeKind::Open);
    world.step_many(60);
    let before = layer(&world, "bed");
    let mut params = world.params().clone();
    params.stream_power = power(60.0, 0.01);
    world.set_params(params).unwrap();
    let start = world.time();
    let mut passed = Vec::new();
    for time in [0.5, 1.0, 1.5, 2.0] {
        while world.time() - start < time - 1e-9 {
            world.step();
        }
        let bed = layer(&world, "bed");
        let rise = |bed: &Field<f32>, x: usize| bed[(x, 1)] - bed[(x - 1, 1)];
        let knick = (1..cells).find(|&x| rise(&bed, x) < 1.5 * rise(&before, x)).unwrap();
        let delay: f64 =
            (1..=knick).map(|x| size / (2.0 * (size * size * (cells - x) as f64).powf(m))).sum();
        assert!((delay / time - 1.0).abs() < 0.05, "after {time}, where it is after {delay}");
        passed.push(knick);
    }
    assert!(passed.is_sorted() && passed[0] + 25 < passed[3], "it moves: {passed:?}");
}

#[test]
fn hillslopes_become_parabolic_and_conserve_mass() {
    // D·z″ = −U between two fixed edges has the solution z = U/(2D)·x·(L − x).
    let (cells, size, diffusivity, uplift) = (101, 10.0, 400.0, 2.0);
    let power = StreamPower { erodibility: 0.0, uplift, step: 50.0, ..StreamPower::default() };
    let edges =
        Edges { west: EdgeKind::Open, east: EdgeKind::Open, ..Edges::uniform(EdgeKind::Wall) };
    let mut params = params(power, edges);
    params.stream_power.diffusivity = diffusivity;
    let square = Square::new(cells, 5, size, size).unwrap();
    let mut world = Hydrology::new(square, params.clone(), &Field::new(cells, 5, 0.0)).unwrap();
    world.step_many(400);
    let bed = layer(&world, "bed");
    let width = (cells - 1) as f64 * size;
    for x in 1..cells - 1 {
        let at = x as f64 * size;
        let exact = uplift / (2.0 * diffusivity) * at * (width - at);
        // The uplift of the last step has not diffused yet.
        let found = f64::from(bed[(x, 2)]) - uplift * 50.0;
        assert!((found - exact).abs() < 0.002 * 625.0, "{x}: {found} m, {exact} m");
    }
    let balance = world.balance(Substance::Sediment);
    assert_eq!(balance.residual, 0);

    params.edges = Edges::uniform(EdgeKind::Wall);
    params.stream_power.uplift = 0.0;
    let rough = noise(cells, 60, 4);
    let square = Square::new(cells, 60, size, size).unwrap();
    let mut world = Hydrology::new(square, params, &rough).unwrap();
    let spread = |world: &Hydrology| {
        let (low, high) = layer(world, "bed").min_max().unwrap();
        high - low
    };
    let before = spread(&world);
    world.step_many(40);
    assert!(spread(&world) < 0.05 * before, "{} of {before}", spread(&world));
    let balance = world.balance(Substance::Sediment);
    assert_eq!((balance.residual, balance.now), (0, balance.ledger.initial_amount()));
}

#[test]
fn land_without_uplift_erodes_and_open_edges_are_fixed() {
    let power = StreamPower { uplift: 0.0, ..StreamPower::default() };
    let bed = noise(60, 50, 5).map(|z| 10.0 * z);
    let square = Square::new(60, 50, 20.0, 20.0).unwrap();
    let mut world = Hydrology::new(square, params(power, Edges::default()), &bed).unwrap();
    world.step_many(40);
    let worn = layer(&world, "bed");
    assert!(worn.sum() < bed.sum() - 5.0 * 3000.0);
    for y in 0..50 {
        assert_eq!([worn[(0, y)], worn[(59, y)]], [bed[(0, y)], bed[(59, y)]]);
    }
    // Null model without erosion.
    let power = StreamPower { erodibility: 0.0, ..power };
    let mut still = Hydrology::new(square, params(power, Edges::default()), &bed).unwrap();
    still.step_many(5);
    assert_eq!(layer(&still, "bed"), layer(&Hydrology::restore(still.snapshot()).unwrap(), "bed"));
    assert_eq!(still.ledger(Substance::Sediment).outflow(Cause::Boundary), 0);
}

#[test]
fn uplift_follows_its_map_and_stops_at_the_limit() {
    let power = StreamPower { erodibility: 0.0, uplift: 10.0, step: 1.0, ..StreamPower::default() };
    let square = Square::new(20, 12, 5.0, 5.0).unwrap();
    let flat = Field::new(20, 12, 1.0);
    let edges = Edges::uniform(EdgeKind::Wall);
    let mut world = Hydrology::new(square, params(power, edges), &flat).unwrap();
    let map = Field::from_fn(20, 12, |x, _| if x < 10 { 4.0 } else { 1.0 });
    world.set_uplift(Some(&map)).unwrap();
    world.step_many(3);
    let bed = layer(&world, "bed");
    assert_eq!([bed[(3, 3)], bed[(15, 3)]], [31.0, 8.5]);
    for bad in [map.map(|_| 0.0), map.map(|z| -z), Field::new(12, 20, 1.0)] {
        assert!(world.set_uplift(Some(&bad)).is_err());
    }
    world.set_uplift(None).unwrap();
    let mut params = world.params().clone();
    params.stream_power = StreamPower { uplift: 1e4, step: 100.0, ..params.stream_power };
    world.set_params(params).unwrap();
    world.step_many(2);
    let (low, high) = layer(&world, "bed").min_max().unwrap();
    assert_eq!([f64::from(low), f64::from(high)], [headwater::hydrology::MAX_HEIGHT; 2]);
    assert_eq!(world.balance(Substance::Sediment).residual, 0);
}

#[test]
fn rain_determines_the_number_of_steps() {
    let power = StreamPower { step: 0.25, ..StreamPower::default() };
    let bed = Field::from_fn(20, 10, |x, y| (x + y) as f32);
    let lattice = Square::new(20, 10, 10.0, 10.0).unwrap();
    let mut land =
        Hydrology::new(lattice, params(power, Edges::uniform(EdgeKind::Open)), &bed).unwrap();
    land.rain(450);
    assert_eq!((land.steps(), land.time()), (9, 2.25));
}
