//! Test worlds, tolerances and comparisons shared by the tests.

pub(crate) use crate::pools::{CellShape, add_house, make_periodic, noise, world_with_pools};
use headwater::flow::{Amount, Boundary, BoundaryKind, Edit, Flow, Physics, Rain, Soil, Source};
use headwater::{Brush, Edge, Field, Region, Series};
use headwater_gpu::Gpu;

/// Tolerance for differences in depth between CPU and GPU after a hundred steps, relative to the
/// largest depth. With llvmpipe, nearly all bits agree with the CPU; hardware devices use fused
/// multiply-add and less exact division.
pub(crate) const TOLERANCE: f32 = 1e-4;

/// Cell shape and physics of every kind of flow world that the GPU supports.
pub(crate) const WORLDS: [(CellShape, Physics); 5] = [
    (CellShape::Square, Physics::Pipes),
    (CellShape::Square, Physics::Inertial),
    (CellShape::Hex, Physics::Pipes),
    (CellShape::Hex, Physics::Inertial),
    (CellShape::Square, Physics::ShallowWater),
];

/// Returns the device for the tests. Panics if there is no adapter.
pub(crate) fn open_gpu() -> Gpu {
    Gpu::new().unwrap_or_else(|error| panic!("{error}"))
}

/// Sets boundary conditions of all kinds at the edges of a world.
pub(crate) fn set_open_boundaries(flow: &mut Flow) {
    let (width, height) = (flow.lattice().width(), flow.lattice().height());
    let tide = Series::from_table(vec![[0.0, 1.0], [4.0, 3.0], [8.0, 0.5]]).unwrap();
    let kinds = [
        (Edge::West, height, BoundaryKind::Stage { level: tide }),
        (Edge::East, height, BoundaryKind::Open),
        (Edge::North, width, BoundaryKind::Inflow { discharge: 0.3.into() }),
        (Edge::South, width, BoundaryKind::Outflow { discharge: 0.2.into() }),
    ];
    for (edge, length, kind) in kinds {
        flow.set_boundary(Boundary::on_segment(edge, 0.3 * length, 0.8 * length, kind)).unwrap();
    }
    let waves = BoundaryKind::Wave { level: 2.5, amplitude: 0.4, period: 3.0 };
    for edge in [Edge::West, Edge::North] {
        flow.set_boundary(Boundary::on_segment(edge, 0.0, 0.2 * height, waves.clone())).unwrap();
    }
    let level = BoundaryKind::Stage { level: 2.0.into() };
    flow.set_boundary(Boundary::on_segment(Edge::South, 0.8 * width, width, level)).unwrap();
}

/// Adds springs, a drain, rain, evaporation and soil to a world.
pub(crate) fn add_weather(flow: &mut Flow, seed: u64) {
    let (nx, ny) = (flow.lattice().nx(), flow.lattice().ny());
    let (width, height) = (flow.lattice().width(), flow.lattice().height());
    let middle = [0.5 * width, 0.5 * height];
    flow.edit(&Brush::smooth_disc(middle, 6.0), Edit::Pour(Amount::Depth(0.5))).unwrap();
    flow.add_spring(Source::new(Region::disc(middle, 3.0), 0.7)).unwrap();
    let pulse = Series::from_table(vec![[0.0, 0.0], [2.0, 1.0], [3.0, 0.2]]).unwrap();
    let beside = [0.5 * width + 1.0, 0.5 * height];
    flow.add_spring(Source {
        during: Some([0.3, 9.0]),
        ..Source::new(Region::disc(beside, 4.0), pulse)
    })
    .unwrap();
    flow.add_drain(Source::new(Region::disc([0.2 * width, 0.7 * height], 4.0), 1.3)).unwrap();
    let map = Field::from_fn(nx, ny, |x, y| noise(x, y, seed ^ 99));
    flow.set_rain(Some(Rain { rate: 40.0.into(), map: Some(map) })).unwrap();
    flow.set_evaporation(Some(5.0.into())).unwrap();
    flow.set_soil(Some(Soil { rate: 30.0, capacity: Some(1e-4), seepage: 3.0, ..Soil::default() }))
        .unwrap();
}

/// Returns the largest absolute difference between two fields, and the number of values that
/// differ.
pub(crate) fn max_difference(a: &Field<f32>, b: &Field<f32>) -> (f32, usize) {
    let pairs = || a.as_slice().iter().zip(b.as_slice());
    let worst = pairs().map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    (worst, pairs().filter(|(a, b)| a != b).count())
}
