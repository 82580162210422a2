//! Flow worlds and checks that several tests use.

pub(crate) use super::pools::{CellShape, make_periodic, noise};
use super::pools::{add_house, world_with_pools};
use headwater::flow::{
    Amount, Barrel, Boundary, BoundaryKind, Culvert, Edit, Flood, Flow, Gate, Physics, Rain, Soil,
    Source, Structure, StructureKind, Tracers, Weir,
};
use headwater::{Brush, Edge, Field, Hex, Lattice, Region, Series, Square};

pub(crate) fn lattice(cells: CellShape, nx: usize, ny: usize, size: f64) -> Lattice {
    match cells {
        CellShape::Square => Square::new(nx, ny, size, size).unwrap().into(),
        CellShape::Hex => Hex::new(nx, ny, size).unwrap().into(),
    }
}

/// Steps two equal worlds, one on the fast code path and one on the plain code path. Checks that
/// they are bit-identical afterwards.
pub(crate) fn step_and_compare(fast: &mut Flow, plain: &mut Flow) {
    let dt = 0.9 * fast.stable_dt();
    fast.step(dt).unwrap();
    plain.step_plain(dt).unwrap();
    let (lattice, level) = (fast.lattice(), fast.params().level);
    let step = fast.steps();
    assert_eq!(fast.state_hash(), plain.state_hash(), "{level:?}, {lattice:?}, step {step}");
}

pub(crate) fn take_longest_steps(flow: &mut Flow, steps: usize) {
    for _ in 0..steps {
        flow.step(flow.stable_dt()).unwrap();
    }
}

/// Performs steps of two worlds that are symmetric to each other, for example mirror images. Checks
/// that the step lengths are the same.
pub(crate) fn step_together([here, there]: [&mut Flow; 2], steps: usize) {
    for _ in 0..steps {
        let dt = here.stable_dt();
        assert_eq!(dt, there.stable_dt());
        here.step(dt).unwrap();
        there.step(dt).unwrap();
    }
}

pub(crate) const LEVELS: [Physics; 3] = [Physics::Pipes, Physics::Inertial, Physics::ShallowWater];

pub(crate) const WORLDS: [(CellShape, Physics); 6] = [
    (CellShape::Square, Physics::Pipes),
    (CellShape::Square, Physics::Inertial),
    (CellShape::Square, Physics::ShallowWater),
    (CellShape::Hex, Physics::Pipes),
    (CellShape::Hex, Physics::Inertial),
    (CellShape::Hex, Physics::ShallowWater),
];

/// Returns a world with rough ground, pools, buildings and all kinds of boundaries. The viscosity
/// of the liquid may be 0.
pub(crate) fn bounded_world(
    world: (CellShape, Physics),
    nx: usize,
    ny: usize,
    seed: u64,
    viscosity: f64,
) -> Flow {
    let mut flow = world_with_pools(world, nx, ny, seed, viscosity);
    let width = flow.lattice().width();
    let tide = Series::from_table(vec![[0.0, 1.0], [4.0, 3.0], [8.0, 0.5]]).unwrap();
    let kinds = [
        (Edge::West, BoundaryKind::Stage { level: tide }),
        (Edge::East, BoundaryKind::Open),
        (Edge::North, BoundaryKind::Inflow { discharge: 0.3.into() }),
        (Edge::South, BoundaryKind::Outflow { discharge: 0.2.into() }),
    ];
    for (edge, kind) in kinds {
        flow.set_boundary(Boundary::on_segment(edge, 0.1 * width, 0.8 * width, kind)).unwrap();
    }
    let waves = BoundaryKind::Wave { level: 2.5, amplitude: 0.4, period: 3.0 };
    flow.set_boundary(Boundary::on_segment(Edge::West, 0.0, 0.1 * width, waves)).unwrap();
    add_house(&mut flow);
    flow
}

/// Returns a world with all features: those of [`bounded_world`], and springs, drains, rain, soil,
/// structures, tracers and flood statistics.
pub(crate) fn busy_world(
    world: (CellShape, Physics),
    nx: usize,
    ny: usize,
    seed: u64,
    viscosity: f64,
) -> Flow {
    let mut flow = bounded_world(world, nx, ny, seed, viscosity);
    let (width, height) = (flow.lattice().width(), flow.lattice().height());
    let middle = [0.5 * width, 0.5 * height];
    flow.add_spring(Source::new(Region::disc(middle, 3.0), 0.7)).unwrap();
    flow.add_drain(Source::new(Region::disc([0.2 * width, 0.7 * height], 4.0), 1.3)).unwrap();
    let map = Field::from_fn(nx, ny, |x, y| noise(x, y, 99));
    flow.set_rain(Some(Rain { rate: 40.0.into(), map: Some(map) })).unwrap();
    flow.set_evaporation(Some(5.0.into())).unwrap();
    flow.set_soil(Some(Soil { rate: 30.0, capacity: Some(1e-4), seepage: 3.0, ..Soil::default() }))
        .unwrap();
    flow.edit(&Brush::smooth_disc(middle, 6.0), Edit::Pour(Amount::Depth(0.5))).unwrap();
    let pulse = Series::from_table(vec![[0.0, 0.0], [2.0, 0.8], [5.0, 0.1]]).unwrap();
    let round = Barrel::Round { diameter: 0.7 };
    let kinds = [
        StructureKind::Weir(Weir::new(1.5, 2.0)),
        StructureKind::Gate(Gate::new(2.0, 1.0, pulse)),
        StructureKind::Culvert(Culvert::new(round, [1.0, 1.2], 9.0)),
    ];
    for (i, kind) in kinds.into_iter().enumerate() {
        let mouth =
            |east: f64, reach| Region::disc([east * width, (0.3 + 0.2 * i as f64) * height], reach);
        let structure = Structure::new(mouth(0.15, 2.5), mouth(0.75, 0.5 + i as f64), kind);
        match flow.add_structure(structure) {
            // On the smallest grids, a single cell is the whole grid.
            Ok(_) => {}
            Err(error) if error.what == "the mouths of a structure" => {}
            Err(error) => panic!("{error}"),
        }
    }
    flow.set_tracers(Some(Tracers { count: 50, lifetime: 3.0, emitters: vec![], seed })).unwrap();
    flow.set_flood(Some(Flood { depth: 0.3 })).unwrap();
    flow
}
