//! Tests that queries off the grid have defined results, and that arguments of mismatched shapes
//! give clear errors, also in release builds.

use crate::support::hydrology::noise;
use headwater::brush::{self, BrushCell};
use headwater::changes::Tile;
use headwater::columns::{self, Columns};
use headwater::flow::{self, Flow};
use headwater::hydrology::{Edges, reference};
use headwater::mesh::{Mesh, SurfaceMesh};
use headwater::waves::{self, Waves};
use headwater::{Field, Hex, Lattice, Model, Region, Square};
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

const OFF: [(usize, usize); 6] =
    [(8, 0), (0, 6), (8, 6), (usize::MAX, 0), (0, usize::MAX), (usize::MAX, usize::MAX)];

fn lattices() -> [Lattice; 2] {
    [Square::new(8, 6, 1.0, 1.0).unwrap().into(), Hex::new(8, 6, 1.0).unwrap().into()]
}

fn panic_message<T>(call: impl FnOnce() -> T) -> String {
    let done = catch_unwind(AssertUnwindSafe(call)).map(|_| "an answer");
    let panic = done.expect_err("it has no answer");
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap()
}

#[test]
fn cells_off_the_grid_are_open_and_at_rest() {
    for lattice in lattices() {
        let (bed, depth) = (noise(8, 6, 1), Field::new(8, 6, 1.0));
        let flow = Flow::new(lattice, flow::Params::default(), bed, depth).unwrap();
        for (x, y) in OFF {
            assert_eq!((flow.velocity(x, y), flow.foam_cover_at(x, y)), ([0.0; 2], 0.0));
            assert!(!flow.state().closed.contains(x, y) && flow.soil_water_at(x, y).is_none());
            assert!(lattice.neighbours(x, y).all(|(x, y)| x < 8 && y < 6));
            panic_message(|| flow.state().surface(x, y));
        }
        assert!(!flow.state().closed.row_has_closed(6));
    }
    let pond = Square::new(8, 6, 1.0, 1.0).unwrap();
    let waves = Waves::new(pond, waves::Params::default()).unwrap();
    for (x, y) in OFF {
        assert_eq!((waves.velocity(x, y), waves.slope(x, y)), (0.0, 0.0));
        assert_eq!(waves.normal(x, y), [0.0, 0.0, 2.0]);
    }
}

#[test]
fn mismatched_shapes_are_reported() {
    for lattice in lattices() {
        for (nx, ny) in [(7, 6), (8, 5), (9, 6), (8, 7), (0, 0), (6, 8)] {
            let (wrong, right) = (Field::new(nx, ny, 1.0_f32), Field::new(8, 6, 1.0_f32));
            let shape = "on a grid of (8, 6)";
            assert!(panic_message(|| Mesh::from_heights(lattice, &wrong)).contains(shape));
            assert!(
                panic_message(|| Mesh::from_water(lattice, &wrong, &right, 0.1)).contains(shape)
            );
            assert!(
                panic_message(|| Mesh::from_water(lattice, &right, &wrong, 0.1)).contains(shape)
            );
            let at = [3.0, 2.0];
            assert!(panic_message(|| lattice.sample(&wrong, at)).contains("differ in shape"));
            let mut drawn = wrong.clone();
            assert!(
                panic_message(|| brush::smooth_heights(&mut drawn, &[], lattice, 1.0, 1.0))
                    .contains("differ in shape")
            );
        }
        for (x, y) in OFF {
            let (mut field, touched) = (noise(8, 6, 1), [BrushCell { x, y, weight: 1.0 }]);
            let expected = "is outside of the field";
            assert!(
                panic_message(|| brush::apply(&mut field, &touched, |_, z| z)).contains(expected)
            );
            assert!(
                panic_message(|| brush::smooth_heights(&mut field, &touched, lattice, 1.0, 1.0))
                    .contains(expected)
            );
            assert!(panic_message(|| brush::weighted_mean(&field, &touched)).contains(expected));
            assert_eq!(field, noise(8, 6, 1));
        }
    }
    let mut flood = reference::FloodModel::new(&noise(8, 6, 1), Edges::default(), 0.0);
    for (x, y) in OFF {
        assert!(panic_message(|| flood.pour(x, y, 1.0)).contains("off the grid"));
    }
    let half = 1 << (usize::BITS / 2);
    assert!(panic_message(|| Field::new(half, half, 0_u8)).contains("number of cells"));
    assert!(panic_message(|| Field::from_fn(half, half, |_, _| 0_u8)).contains("number of cells"));
    let mut kept = Field::new(2, 3, 7_u8);
    assert!(panic_message(|| kept.reset(half, half, 0)).contains("number of cells"));
    assert_eq!(kept, Field::new(2, 3, 7_u8));
}

#[test]
fn unusable_sizes_are_rejected() {
    let sound = [(1e-6, 1e-6), (1e7, 1e7), (30.0, 0.3)];
    assert!(sound.into_iter().all(|(dx, dy)| Square::new(8, 6, dx, dy).is_ok()));
    let (max, tiny) = (f64::MAX, f64::MIN_POSITIVE);
    for (dx, dy) in [(max, max), (tiny, tiny), (1e8, 1e8), (1e-7, 1e-7), (30.0, 0.2), (1.0, -1.0)] {
        let error = Square::new(8, 6, dx, dy).unwrap_err();
        assert_eq!(error.what, "a cell's size");
        assert!(Hex::new(8, 6, dx).is_err() || dx != dy);
    }
    let refused = |params, bed, depth| {
        let [bed, depth] = [bed, depth].map(|value| Field::new(8, 6, value));
        Flow::new(lattices()[0], params, bed, depth).unwrap_err().to_string()
    };
    let params = flow::Params::default;
    assert!(refused(params(), -3.4e38, 0.0).starts_with("bed in cell (0, 0)"));
    assert!(refused(params(), 0.0, 3.4e38).starts_with("depth in cell (0, 0)"));
    let weightless = refused(flow::Params { gravity: 1e-310, ..params() }, 0.0, 1.0);
    assert!(weightless.ends_with("allowed is 1e-9 to 1000 m/s²"), "{weightless}");
}

#[test]
fn tiny_viscosities_and_steps_give_finite_numbers() {
    let params = flow::Params { viscosity: f64::MIN_POSITIVE, ..flow::Params::default() };
    for lattice in lattices() {
        let depth = Field::from_fn(8, 6, |x, _| if x < 4 { 1.0 } else { 0.0 });
        let mut flow = Flow::new(lattice, params.clone(), Field::new(8, 6, 0.0), depth).unwrap();
        assert!(flow.step(1e-314).is_err());
        flow.advance(5e-324).unwrap();
        flow.advance(1.0).unwrap();
        assert!(flow.state().depth.as_slice().iter().all(|depth| depth.is_finite()));
    }
}

#[test]
fn tiles_off_the_grid_are_clipped() {
    let far = usize::MAX;
    let tiles = [(0, 0, far, far), (far, 2, far, 1), (7, 5, 9, 9), (3, 6, 1, 1), (100, 100, 0, 0)]
        .map(|(x, y, nx, ny)| Tile { x, y, nx, ny });
    assert_eq!(tiles[0].expanded(far, [8, 6]), Tile::all([8, 6]));
    for lattice in lattices() {
        let (bed, depth) = (noise(8, 6, 1), Field::new(8, 6, 1.0));
        let flow = Flow::new(lattice, flow::Params::default(), bed, depth).unwrap();
        let mut mesh = SurfaceMesh::new(lattice);
        flow.update_surface_mesh(&mut mesh, &tiles).unwrap();
        for layer in Model::layers(&flow) {
            let mut seen = Field::new(8, 6, f32::NAN);
            Model::view_into(&flow, layer.name, &tiles, &mut seen).unwrap();
            assert_eq!(Some(seen), Model::layer(&flow, layer.name).map(Cow::into_owned));
        }
    }
    for at in [f64::MAX, -3.4e38, 1e300, f64::NEG_INFINITY] {
        let weights = Hex::new(8, 6, 1.0).unwrap().barycentric_weights([at, -at]);
        assert!(weights.iter().all(|((x, y), _)| *x < 8 && *y < 6));
    }
}

#[test]
fn heavy_bodies_in_narrow_gaps_conserve_water_and_snapshots() {
    let text = ".#~.\n##o~\no~#.\n..o#\n....\noo..\n~o~.";
    let mut board = Columns::from_text(text, 0.25, columns::Params::default()).unwrap();
    let disc = |radius| columns::Shape::Disc { center: [0.5, 0.9], radius };
    let error = board.add_body(columns::Body::new(disc(4360.0), 30.0)).unwrap_err();
    assert_eq!(error.what, "a body's size");
    board.add_body(columns::Body::new(disc(0.2), 1e12)).unwrap();
    let spring = columns::Source::new(Region::rect([0.0, 0.3], [0.6, 1.0]), 1508.0);
    board.add_spring(spring).unwrap();
    for _ in 0..300 {
        board.step();
    }
    assert_eq!(Columns::restore(board.snapshot()).unwrap().state_hash(), board.state_hash());
    assert_eq!(board.balance().residual, 0.0);
}
