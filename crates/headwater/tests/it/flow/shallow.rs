//! Tests of the shallow-water equations against exact solutions. Errors of the depth are relative
//! L1 norms. Each error limit must also reject two null models: the initial world and a dry world.

use headwater::flow::{
    Amount, Boundary, BoundaryKind, Change, Edit, Flow, Params, Physics, Rain, Source,
};
use headwater::{Brush, Edge, Field, Region, Square};

const G: f64 = 9.81;

fn params() -> Params {
    Params { level: Physics::ShallowWater, manning: 0.0, ..Params::default() }
}

struct Channel {
    dx: f64,
    bed: Vec<f64>,
}

impl Channel {
    fn new(length: f64, n: usize, bed: impl Fn(f64) -> f64) -> Self {
        let dx = length / n as f64;
        Self { dx, bed: (0..n).map(|i| bed((i as f64 + 0.5) * dx)).collect() }
    }

    fn x(&self, i: usize) -> f64 {
        (i as f64 + 0.5) * self.dx
    }

    fn fill_with_water(&self, params: Params, depth: impl Fn(f64) -> f64) -> Flow {
        let n = self.bed.len();
        let lattice = Square::new(n, 1, self.dx, self.dx).unwrap();
        let bed = Field::from_fn(n, 1, |i, _| self.bed[i] as f32);
        let depth = Field::from_fn(n, 1, |i, _| depth(self.x(i)) as f32);
        Flow::new(lattice, params, bed, depth).unwrap()
    }
}

fn depth_error(flow: &Flow, exact: impl Fn(usize, usize) -> f64) -> f64 {
    let h = &flow.state().depth;
    let (mut off, mut all) = (0.0, 0.0);
    for y in 0..h.ny() {
        for x in 0..h.nx() {
            off += (f64::from(h[(x, y)]) - exact(x, y)).abs();
            all += exact(x, y);
        }
    }
    off / all
}

/// Checks that the relative error of the depths in the world `end` against the exact solution is at
/// most `limit`. Also checks that the error of the initial world `start` is greater than four times
/// this limit, and that the mass balance closes.
fn check_against_exact_depths(
    name: &str,
    start: &Flow,
    end: &Flow,
    limit: f64,
    exact: impl Fn(usize, usize) -> f64,
) {
    let found = depth_error(end, &exact);
    println!("{name}: {:.4} % (limit {} %), {} steps", 100.0 * found, 100.0 * limit, end.steps());
    assert!(found <= limit, "{name}: {found}");
    assert!(depth_error(start, &exact) > 4.0 * limit, "{name}: a frozen world would pass");
    assert!(end.balance().residual_relative.abs() < 1e-6);
}

fn find_root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let rises = f(high) > f(low);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if (f(middle) > 0.0) == rises { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}

/// Returns the exact depth (m) of a dam break at position `x` (m) after `t` seconds. `left` and
/// `right` are the initial depths (m) on the two sides of the dam. The solution is that of Ritter
/// (1892) if `right` is 0, and that of Stoker (1957) otherwise.
fn dam_break_depth(x: f64, t: f64, left: f64, right: f64) -> f64 {
    let cl = (G * left).sqrt();
    let (cm, front) = if right > 0.0 {
        let cr2 = G * right;
        let f =
            |c: f64| -8.0 * cr2 * c * c * (cl - c).powi(2) + (c * c - cr2).powi(2) * (c * c + cr2);
        let c = find_root(cr2.sqrt(), cl, f);
        (c, 2.0 * c * c * (cl - c) / (c * c - cr2))
    } else {
        (0.0, 2.0 * cl)
    };
    if x <= -cl * t {
        left
    } else if x <= (2.0 * cl - 3.0 * cm) * t {
        (2.0 * cl - x / t).powi(2) / (9.0 * G)
    } else if x <= front * t {
        cm * cm / G
    } else {
        right
    }
}

fn check_dam_break(name: &str, right: f64, limit: f64) {
    let channel = Channel::new(10.0, 400, |_| 0.0);
    let start = channel.fill_with_water(params(), |x| if x < 5.0 { 0.005 } else { right });
    let mut flow = start.clone();
    flow.advance(6.0).unwrap();
    check_against_exact_depths(name, &start, &flow, limit, |i, _| {
        dam_break_depth(channel.x(i) - 5.0, 6.0, 0.005, right)
    });
}

#[test]
fn dam_break_on_a_wet_bed_matches_stoker() {
    check_dam_break("stoker", 0.001, 0.0025);
}

#[test]
fn dam_break_on_a_dry_bed_matches_ritter() {
    check_dam_break("ritter", 0.0, 0.003);
}

/// Returns a channel with a bump in its bed, taken from SWASHES, a library of exact solutions.
fn bump_channel() -> Channel {
    Channel::new(25.0, 200, |x| (0.2 - 0.05 * (x - 10.0).powi(2)).max(0.0))
}

/// Returns the depth (m) at which the unit discharge `q` (m²/s) over a bed at the elevation `z` (m)
/// has the Bernoulli head `head` (m). There are two solutions: if `subcritical` is true, the
/// function returns the one above the critical depth, and otherwise the one below.
fn bernoulli_depth(q: f64, head: f64, z: f64, subcritical: bool) -> f64 {
    let critical = (q * q / G).cbrt();
    let f = |h: f64| z + h + q * q / (2.0 * G * h * h) - head;
    if f(critical) >= 0.0 {
        critical
    } else if subcritical {
        find_root(critical, head + 1.0, f)
    } else {
        find_root(1e-4, critical, f)
    }
}

/// Runs the flow over a bump to a steady state. The inflow at the western edge is `q` (m²/s), and
/// the boundary condition at the eastern edge is `outflow_boundary`. `start` is the initial water
/// level (m). Returns the channel, the initial world and the final world.
fn run_flow_over_bump(q: f64, start: f64, outflow_boundary: BoundaryKind) -> (Channel, Flow, Flow) {
    let channel = bump_channel();
    let mut flow =
        channel.fill_with_water(params(), |x| start - (0.2 - 0.05 * (x - 10.0).powi(2)).max(0.0));
    let begun = flow.clone();
    flow.set_boundary(Boundary::on_edge(Edge::West, BoundaryKind::Inflow { discharge: q.into() }))
        .unwrap();
    flow.set_boundary(Boundary::on_edge(Edge::East, outflow_boundary)).unwrap();
    flow.advance(200.0).unwrap();
    for x in 0..=200 {
        let found = f64::from(flow.state().discharge_x[(x, 0)]) / channel.dx;
        if (found / q - 1.0).abs() >= 0.002 {
            println!("discharge {found} at face {x}");
        }
        assert!((found / q - 1.0).abs() < 0.01, "discharge {found} at face {x}");
    }
    (channel, begun, flow)
}

#[test]
fn subcritical_flow_over_a_bump_matches_the_exact_depth() {
    let (channel, start, flow) =
        run_flow_over_bump(4.42, 2.0, BoundaryKind::Stage { level: 2.0.into() });
    let head = 2.0 + 4.42f64.powi(2) / (2.0 * G * 4.0);
    check_against_exact_depths("subcritical bump", &start, &flow, 0.0002, |i, _| {
        bernoulli_depth(4.42, head, channel.bed[i], true)
    });
}

#[test]
fn transcritical_flow_over_a_bump_matches_the_exact_depth() {
    let (channel, start, flow) = run_flow_over_bump(1.53, 0.66, BoundaryKind::Open);
    let critical = (1.53f64.powi(2) / G).cbrt();
    let head = 0.2 + 1.5 * critical;
    check_against_exact_depths("transcritical bump", &start, &flow, 0.001, |i, _| {
        bernoulli_depth(1.53, head, channel.bed[i], channel.x(i) < 10.0)
    });
}

#[test]
fn hydraulic_jump_behind_a_bump_matches_the_exact_depth() {
    let q = 0.18f64;
    let (channel, start, flow) =
        run_flow_over_bump(q, 0.33, BoundaryKind::Stage { level: 0.33.into() });
    let critical = (q * q / G).cbrt();
    let (head, after) = (0.2 + 1.5 * critical, 0.33 + q * q / (2.0 * G * 0.33 * 0.33));
    let z = |x: f64| (0.2 - 0.05 * (x - 10.0).powi(2)).max(0.0);
    let momentum = |h: f64| q * q / h + 0.5 * G * h * h;
    let shock = find_root(10.2, 11.99, |x| {
        momentum(bernoulli_depth(q, head, z(x), false))
            - momentum(bernoulli_depth(q, after, z(x), true))
    });
    check_against_exact_depths("bump with a shock", &start, &flow, 0.003, |i, _| {
        let x = channel.x(i);
        if x < shock {
            bernoulli_depth(q, head, channel.bed[i], x < 10.0)
        } else {
            bernoulli_depth(q, after, channel.bed[i], true)
        }
    });
}

/// Simulates one of Thacker's solutions (1981), in which water oscillates in a paraboloid with the
/// angular frequency `omega` (rad/s). Checks the depths after 2.75 and 3 periods. `depth` returns
/// the exact surface elevation (m) at `(x, y, t)`, and `velocity` returns the initial velocity
/// (m/s) at `(x, y)`. The grid has 90 × 90 cells and covers 4 m × 4 m.
fn check_paraboloid_oscillation(
    name: &str,
    omega: f64,
    depth: impl Fn(f64, f64, f64) -> f64,
    velocity: impl Fn(f64, f64) -> [f64; 2],
) {
    let n = 90;
    let lattice = Square::new(n, n, 4.0 / n as f64, 4.0 / n as f64).unwrap();
    let at = |x: usize, y: usize| {
        let [x, y] = lattice.center(x, y);
        [x - 2.0, y - 2.0]
    };
    let bed = |x: usize, y: usize| {
        let [x, y] = at(x, y);
        -0.1 * (1.0 - (x * x + y * y))
    };
    let exact = |x: usize, y: usize, t: f64| {
        let [px, py] = at(x, y);
        (depth(px, py, t) - bed(x, y)).max(0.0)
    };
    let mut flow = Flow::new(
        lattice,
        params(),
        Field::from_fn(n, n, |x, y| bed(x, y) as f32),
        Field::from_fn(n, n, |x, y| exact(x, y, 0.0) as f32),
    )
    .unwrap();
    let [u, v] =
        [0, 1].map(|i| Field::from_fn(n, n, |x, y| velocity(at(x, y)[0], at(x, y)[1])[i] as f32));
    flow.set_velocity(&u, &v).unwrap();
    let start = flow.clone();
    let t = 2.75 * std::f64::consts::TAU / omega;
    flow.advance(t).unwrap();
    check_against_exact_depths(
        &format!("{name} after 2.75 periods"),
        &start,
        &flow,
        0.03,
        |x, y| exact(x, y, t),
    );
    let t = 3.0 * std::f64::consts::TAU / omega;
    flow.advance(t - flow.time()).unwrap();
    let found = depth_error(&flow, |x, y| exact(x, y, t));
    println!("{name} after 3 periods: {:.4} %", 100.0 * found);
    assert!(found <= 0.03, "{name}: {found}");
}

#[test]
fn planar_oscillation_in_a_paraboloid_matches_thacker() {
    let omega = (2.0 * G * 0.1f64).sqrt();
    let eta = 0.5;
    check_paraboloid_oscillation(
        "thacker planar",
        omega,
        |x, y, t| 0.1 * eta * (2.0 * x * (omega * t).cos() + 2.0 * y * (omega * t).sin() - eta),
        |_, _| [0.0, eta * omega],
    );
}

#[test]
fn radial_oscillation_in_a_paraboloid_matches_thacker() {
    let omega = (8.0 * G * 0.1f64).sqrt();
    let (a2, r2) = (1.0f64, 0.8f64 * 0.8);
    let part = (a2 - r2) / (a2 + r2);
    check_paraboloid_oscillation(
        "thacker radial",
        omega,
        |x, y, t| {
            let swing = 1.0 - part * (omega * t).cos();
            let r2 = x * x + y * y;
            let flat = 1.0 - part * part;
            0.1 * (flat.sqrt() / swing - 1.0 - r2 * (flat / (swing * swing) - 1.0))
        },
        |_, _| [0.0, 0.0],
    );
}

#[test]
fn circular_dam_break_stays_exactly_symmetric() {
    let n = 101;
    let lattice = Square::new(n, n, 1.0, 1.0).unwrap();
    let wet = |x: usize, y: usize| {
        let (dx, dy) = (x.abs_diff(n / 2), y.abs_diff(n / 2));
        if dx * dx + dy * dy < 400 { 2.0 } else { 0.0 }
    };
    // Friction, viscosity and a symmetric bed ensure that every formula is used.
    let params = Params { manning: 0.03, viscosity: 1e-3, ..params() };
    let bed = Field::from_fn(n, n, |x, y| {
        let (dx, dy) = (x.abs_diff(n / 2), y.abs_diff(n / 2));
        0.1 * (((dx * dx + dy * dy) % 37) as f32) / 37.0
    });
    let mut flow = Flow::new(lattice, params, bed, Field::from_fn(n, n, wet)).unwrap();
    flow.advance(12.0).unwrap();
    let h = &flow.state().depth;
    let q = flow.state().momentum.as_ref().unwrap();
    for y in 0..n {
        for x in 0..n {
            let here = h[(x, y)].to_bits();
            let (mx, my) = (n - 1 - x, n - 1 - y);
            for there in [(mx, y), (x, my), (mx, my), (y, x), (my, x), (y, mx), (my, mx)] {
                assert_eq!(h[there].to_bits(), here, "({x}, {y}) and {there:?}");
            }
            assert_eq!(q.x[(x, y)], -q.x[(mx, y)]);
            assert_eq!(q.x[(x, y)], q.y[(y, x)]);
        }
    }
    assert!(h[(n / 2, n / 2)] < 0.5 && h[(n / 2, 1)] > 0.0, "the column has fallen");
}

#[test]
fn building_reflects_waves_like_a_wall() {
    // A hump next to a wall, and the same in a longer channel whose wall consists of closed cells.
    let hump = |x: usize, _: usize| if x < 5 { 1.5 } else { 1.0 };
    let run = |nx: usize| {
        let lattice = Square::new(nx, 3, 1.0, 1.0).unwrap();
        let depth = Field::from_fn(nx, 3, hump);
        let mut flow = Flow::new(lattice, params(), Field::new(nx, 3, 0.0), depth).unwrap();
        let beyond = Brush::with_flat_falloff(Region::rect([30.0, 0.0], [32.0, 3.0]));
        if nx > 30 {
            flow.edit(&beyond, Edit::Close).unwrap();
        }
        for _ in 0..150 {
            flow.step(0.05).unwrap();
        }
        flow
    };
    let (wall, building) = (run(30), run(40));
    for x in 0..30 {
        assert_eq!(wall.state().depth[(x, 1)], building.state().depth[(x, 1)], "column {x}");
    }
    assert!(wall.state().depth[(29, 1)] > 1.3, "the wave is at the wall, twice as high");
    assert_eq!(building.state().depth[(31, 1)], 1.0);
}

#[test]
fn removed_water_takes_its_momentum() {
    let mut flow = Channel::new(50.0, 50, |_| 0.0).fill_with_water(params(), |_| 1.0);
    flow.set_velocity(&Field::new(50, 1, 2.0), &Field::new(50, 1, 0.0)).unwrap();
    let middle = Brush::with_flat_falloff(Region::rect([20.0, 0.0], [30.0, 1.0]));
    flow.edit(&middle, Edit::Remove(Amount::Depth(0.999))).unwrap();
    let q = flow.state().momentum.as_ref().unwrap();
    assert!((q.x[(25, 0)] / flow.state().depth[(25, 0)] - 2.0).abs() < 1e-2);
    flow.edit(&middle, Edit::Pour(Amount::Depth(0.999))).unwrap();
    let q = flow.state().momentum.as_ref().unwrap();
    assert!((q.x[(25, 0)] - 0.002).abs() < 1e-4, "water that is poured stands still");
    flow.add_drain(Source::new(Region::disc([10.5, 0.5], 0.6), 3.0)).unwrap();
    for _ in 0..200 {
        flow.step(flow.stable_dt()).unwrap();
        assert!(flow.stable_dt() > 0.02, "{} s at {:?}", flow.stable_dt(), flow.step_limit().cell);
    }
}

#[test]
fn step_of_a_dry_world_is_stable_for_its_inflow() {
    let dry = || Channel::new(50.0, 50, |_| 0.0).fill_with_water(params(), |_| 0.0);
    let step = dry().stable_dt();
    assert!(step.is_finite() && step > 1.0, "{step}");
    let mut spring = dry();
    spring.add_spring(Source::new(Region::disc([25.5, 0.5], 0.6), 20.0)).unwrap();
    let mut rain = dry();
    rain.set_rain(Some(Rain { rate: 1e5.into(), map: Some(Field::new(50, 1, 1000.0)) })).unwrap();
    let mut tide = dry();
    let level = BoundaryKind::Stage { level: 3.0.into() };
    tide.set_boundary(Boundary::on_edge(Edge::West, level)).unwrap();
    let mut river = dry();
    let discharge = BoundaryKind::Inflow { discharge: 5.0.into() };
    river.set_boundary(Boundary::on_edge(Edge::West, discharge)).unwrap();
    for (name, mut flow) in [("spring", spring), ("rain", rain), ("tide", tide), ("river", river)] {
        for _ in 0..20 {
            let dt = flow.stable_dt();
            flow.step(dt).unwrap();
            assert!(flow.stable_dt() > 0.3 * dt, "{name}: {dt} then {}", flow.stable_dt());
        }
        assert!(flow.volume() > 1.0, "{name}");
        assert!(flow.balance().residual_relative.abs() < 1e-6, "{name}");
    }
}

#[test]
fn excavated_dam_breaches() {
    let channel = Channel::new(60.0, 60, |x| if (20.0..21.0).contains(&x) { 3.0 } else { 0.0 });
    let mut flow = channel.fill_with_water(params(), |x| if x < 20.0 { 2.0 } else { 0.0 });
    flow.advance(5.0).unwrap();
    assert!(!flow.is_flooded([40.0, 0.5]));
    let dam = Brush::with_flat_falloff(Region::disc([20.5, 0.5], 0.6));
    flow.edit(&dam, Edit::Lower(Change::By(3.0))).unwrap();
    flow.advance(10.0).unwrap();
    assert!(flow.is_flooded([40.0, 0.5]));
}
