//! Tests that frames of a game with a [`Flow`] world allocate no memory.

use super::check_frames;
use crate::support::allocations::count_allocations;
use crate::support::flow::{LEVELS, WORLDS, bounded_world, busy_world, make_periodic};
use crate::support::on_threads;
use crate::support::pools::{CellShape, noise, world_with_pools};
use headwater::changes::Changes;
use headwater::flow::{self, Flow};
use headwater::mesh::{Mesh, SurfaceMesh};
use headwater::{Field, Region};

/// Size of the worlds in cells: two tiles in each direction, of which the second is narrow.
const NX: usize = 70;
const NY: usize = 66;

fn test_worlds(world: (CellShape, flow::Physics)) -> [(&'static str, Flow, f64); 4] {
    const FRAME: f64 = 1.0 / 60.0;
    let mut calm = Flow::new(
        *world_with_pools(world, NX, NY, 5, 0.0).lattice(),
        flow::Params { level: world.1, friction: 0.1, ..flow::Params::default() },
        Field::from_fn(NX, NY, |x, y| 0.05 * (x as f32 - 35.0).abs() + 0.01 * y as f32),
        Field::new(NX, NY, 0.0),
    )
    .unwrap();
    calm.add_spring(flow::Source::new(Region::disc([90.0, 30.0], 8.0), 5.0)).unwrap();
    // The world has bodies, tracers, structures, rain, soil, springs, drains, rough ground,
    // buildings and all kinds of open edges.
    let mut busy = busy_world(world, NX, NY, 5, 0.1);
    busy.set_roughness(Some(Field::from_fn(NX, NY, |x, y| 0.1 * noise(x, y, 3)))).unwrap();
    for (x, y) in [(40.0, 50.0), (60.0, 80.0), (64.0, 84.0)] {
        busy.add_body(flow::Body::disc([x, y], 3.0, 2000.0, 1.0)).unwrap();
        let log = flow::Body::rect([x + 20.0, y], [9.0, 2.0], 0.7, 2000.0, 1.0);
        busy.add_body(log).unwrap();
    }
    // In this world, pipes take several steps per pass.
    let shore = bounded_world(world, NX, NY, 6, 0.1);
    let mut endless = world_with_pools(world, NX, NY, 7, 0.0);
    make_periodic(&mut endless, true, true);
    let [of_shore, of_endless] = [&shore, &endless].map(|flow| 3.5 * flow.stable_dt());
    [
        ("a spring on a slope", calm, FRAME),
        ("all at once", busy, FRAME),
        ("a shore", shore, of_shore),
        ("without an end", endless, of_endless),
    ]
}

#[test]
fn flow_frames_do_not_allocate() {
    for (i, physics) in LEVELS.into_iter().enumerate() {
        // Each test world runs with all physics, and with both cell shapes in turn.
        for j in 0..4 {
            let world = ([CellShape::Square, CellShape::Hex][(i + j) % 2], physics);
            let (name, mut flow, frame) = test_worlds(world).into_iter().nth(j).unwrap();
            check_frames(&format!("{name}: {world:?}"), &mut flow, frame);
        }
    }
}

#[test]
fn reused_meshes_do_not_allocate() {
    let (name, mut flow, frame) = test_worlds(WORLDS[0]).into_iter().nth(1).unwrap();
    let (mut changes, mut mesh) = (Changes::default(), Mesh::default());
    let mut surface = SurfaceMesh::new(*flow.lattice());
    let mut draw = || {
        flow.advance(frame).unwrap();
        flow.update_changes(&mut changes);
        flow.water_mesh_into(&mut mesh);
        flow.update_surface_mesh(&mut surface, &changes.tiles).unwrap();
    };
    let found = on_threads(1, || {
        (0..150).for_each(|_| draw());
        count_allocations(|| (0..30).for_each(|_| draw()))
    });
    assert_eq!(found, 0, "{name}");
    assert!(!mesh.triangles.is_empty());
}
