//! Tests that flood statistics equal statistics computed from the layers after every step, and that
//! recording flood statistics does not affect the flow.

use crate::support::flow::{WORLDS, bounded_world};
use headwater::flow::{
    Amount, Edit, Flood, Flow, Params, RelaxationParams, STANDING_WATER_HAZARD_SPEED, Source,
};
use headwater::{Brush, Field, Region, Square};

const DEPTH: f32 = 0.3;

/// Expected flood statistics, computed by plain loops from the layers after each step.
struct ExpectedStatistics {
    depth: Field<f32>,
    level: Field<Option<f32>>,
    speed: Field<f32>,
    unit_discharge: Field<f32>,
    hazard: Field<f32>,
    arrival: Field<f32>,
    duration: Field<f64>,
    flooded: Field<bool>,
    time: f64,
}

impl ExpectedStatistics {
    fn new(flow: &Flow) -> Self {
        let (nx, ny) = (flow.lattice().nx(), flow.lattice().ny());
        let none = || Field::new(nx, ny, 0.0);
        let mut seen = Self {
            depth: none(),
            level: Field::new(nx, ny, None),
            speed: none(),
            unit_discharge: none(),
            hazard: none(),
            arrival: Field::new(nx, ny, -1.0),
            duration: Field::new(nx, ny, 0.0),
            flooded: Field::new(nx, ny, false),
            time: flow.time(),
        };
        seen.update(flow);
        seen
    }

    fn update(&mut self, flow: &Flow) {
        let [depth, surface, speed] =
            ["depth", "surface", "speed"].map(|name| flow.layer(name).unwrap());
        let dry = flow.params().dry_depth as f32;
        for y in 0..depth.ny() {
            for at in (0..depth.nx()).map(|x| (x, y)) {
                let (h, v) = (depth[at], speed[at]);
                self.depth[at] = self.depth[at].max(h);
                if h > dry {
                    let level = self.level[at].unwrap_or(f32::MIN).max(surface[at]);
                    self.level[at] = Some(level);
                }
                self.speed[at] = self.speed[at].max(v);
                let mean_unit_discharge = if h > dry { mean_unit_discharge(flow, at) } else { 0.0 };
                self.unit_discharge[at] = self.unit_discharge[at].max(mean_unit_discharge);
                let hazard = mean_unit_discharge + h * STANDING_WATER_HAZARD_SPEED;
                self.hazard[at] = self.hazard[at].max(hazard);
                if h > DEPTH && self.arrival[at] < 0.0 {
                    self.arrival[at] = flow.time() as f32;
                }
                if self.flooded[at] {
                    self.duration[at] += flow.time() - self.time;
                }
                self.flooded[at] = h > DEPTH;
            }
        }
        self.time = flow.time();
    }

    fn assert_layers_match(&self, flow: &Flow, description: &str) {
        let layers = [
            ("max_depth", &self.depth),
            ("max_speed", &self.speed),
            ("max_unit_discharge", &self.unit_discharge),
            ("max_hazard", &self.hazard),
            ("arrival", &self.arrival),
        ];
        for (name, seen) in layers {
            // Hexagons have three families of faces. Another test compares their mean with uniform
            // streams.
            if flow.lattice().is_hex() && ["max_unit_discharge", "max_hazard"].contains(&name) {
                continue;
            }
            let kept = flow.layer(name).unwrap();
            let pairs = || kept.as_slice().iter().zip(seen.as_slice());
            let first = pairs().enumerate().find(|(_, (kept, seen))| kept != seen);
            assert_eq!(first, None, "{description}: {name}");
        }
        let (level, bed) = (flow.layer("max_level").unwrap(), &flow.state().bed);
        let expected = |x, y| self.level[(x, y)].unwrap_or(bed[(x, y)]);
        assert!(*level == Field::from_fn(bed.nx(), bed.ny(), expected), "{description}");
        let duration = flow.layer("duration").unwrap();
        for (found, seen) in duration.as_slice().iter().zip(self.duration.as_slice()) {
            assert!(
                (f64::from(*found) - seen).abs() <= 1e-5 * self.time,
                "{description}: {found} {seen}"
            );
        }
    }
}

fn mean_unit_discharge(flow: &Flow, (x, y): (usize, usize)) -> f32 {
    let (state, lattice) = (flow.state(), flow.lattice());
    let mean = |q: &Field<f32>, next, width: f64| {
        0.5 * (q[(x, y)] / width as f32 + q[next] / width as f32)
    };
    let east = mean(&state.discharge_x, (x + 1, y), lattice.dy());
    let south = mean(&state.discharge_y, (x, y + 1), lattice.dx());
    (east * east + south * south).sqrt()
}

#[test]
fn statistics_equal_those_of_the_layers_after_each_step() {
    for world in WORLDS {
        let mut flow = bounded_world(world, 75, 41, 7, 0.0);
        flow.set_flood(Some(Flood { depth: DEPTH.into() })).unwrap();
        let mut seen = ExpectedStatistics::new(&flow);
        let start = flow.state().depth.clone();
        for i in 0..100 {
            if i == 40 {
                let splash = Brush::smooth_disc([80.0, 40.0], 15.0);
                flow.edit(&splash, Edit::Pour(Amount::Depth(2.0))).unwrap();
            }
            flow.step(0.9 * flow.stable_dt()).unwrap();
            seen.update(&flow);
        }
        seen.assert_layers_match(&flow, &format!("{world:?}"));
        // A world at rest, or statistics of only the start or end, would fail this check.
        let greatest = flow.layer("max_depth").unwrap();
        assert!(*greatest != start && *greatest != flow.state().depth, "{world:?}");
        let [came, stood] = ["arrival", "duration"].map(|name| flow.layer(name).unwrap());
        let came_later = |v: &&f32| **v > 0.0;
        assert!(came.as_slice().iter().filter(came_later).count() > 20, "{world:?}");
        assert!(came.as_slice().contains(&0.0) && came.as_slice().contains(&-1.0), "{world:?}");
        let all = flow.time() as f32;
        let passed = |v: &&f32| **v > 0.0 && **v < 0.9 * all;
        assert!(stood.as_slice().iter().filter(passed).count() > 20, "{world:?}");
    }
}

#[test]
fn statistics_do_not_affect_the_flow() {
    for world in WORLDS {
        let mut without = bounded_world(world, 75, 41, 7, 0.0);
        let mut with = without.clone();
        with.set_flood(Some(Flood::default())).unwrap();
        for flow in [&mut without, &mut with] {
            flow.advance(6.0).unwrap();
        }
        assert_ne!(with.state_hash(), without.state_hash(), "what is kept is no part of the hash");
        assert!(with.layer("max_depth").unwrap().sum() > 0.0);
        with.set_flood(None).unwrap();
        assert_eq!(with.state_hash(), without.state_hash(), "{world:?}");
        assert_eq!(with.layer("max_depth").unwrap().sum(), 0.0);
        assert!(with.layer("arrival").unwrap().as_slice().iter().all(|t| *t < 0.0));
    }
}

#[test]
fn sleeping_water_extends_the_duration() {
    let lattice = Square::new(400, 200, 1.0, 1.0).unwrap();
    let bed = Field::from_fn(400, 200, |x, _| if x < 250 { 0.0 } else { 4.0 });
    let depth = bed.map(|z| (2.0_f32 - z).max(0.0));
    let mut flow = Flow::new(lattice, Params::default(), bed, depth).unwrap();
    flow.add_spring(Source::new(Region::disc([390.0, 190.0], 2.0), 0.01)).unwrap();
    flow.set_flood(Some(Flood::default())).unwrap();
    let all = flow.awake_tile_count();
    flow.advance(100.0).unwrap();
    assert!(flow.awake_tile_count() < all, "nothing sleeps");
    let layer = |name: &str| flow.layer(name).unwrap()[(10, 10)];
    assert_eq!([layer("arrival"), layer("duration"), layer("max_depth")], [0.0, 100.0, 2.0]);
    assert_eq!([layer("max_level"), layer("max_hazard")], [2.0, 1.0]);
    let dry = |name: &str| flow.layer(name).unwrap()[(300, 10)];
    assert_eq!([dry("arrival"), dry("duration"), dry("max_level")], [-1.0, 0.0, 4.0]);
}

#[test]
fn relaxation_is_not_recorded() {
    let lattice = Square::new(40, 20, 1.0, 1.0).unwrap();
    let pile = Field::from_fn(40, 20, |x, _| if x < 10 { 2.0 } else { 1.0 });
    let mut flow = Flow::new(lattice, Params::default(), Field::new(40, 20, 0.0), pile).unwrap();
    flow.set_flood(Some(Flood::default())).unwrap();
    let settled = flow.relax_to_steady(RelaxationParams { tolerance: 1e-4, longest: 1e5 }).unwrap();
    assert!(settled.reached, "{settled:?}");
    assert_eq!(flow.layer("max_depth").unwrap().sum(), 0.0);
    flow.advance(1.0).unwrap();
    let greatest = flow.layer("max_depth").unwrap().min_max().unwrap().1;
    assert!((greatest - 1.25).abs() < 0.05, "{greatest}");
    assert_eq!(flow.layer("arrival").unwrap()[(39, 0)], 0.0);
}

#[test]
fn invalid_depths_are_rejected() {
    let lattice = Square::new(4, 4, 1.0, 1.0).unwrap();
    let flat = || Field::new(4, 4, 0.0);
    let mut flow = Flow::new(lattice, Params::default(), flat(), flat()).unwrap();
    for depth in [0.0, -1.0, f64::NAN, 2000.0] {
        let refused = flow.set_flood(Some(Flood { depth })).unwrap_err();
        assert_eq!(refused.what, "flood.depth", "{refused}");
    }
    assert!(flow.flood().is_none());
}
