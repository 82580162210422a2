//! Questions about cells that are not there have answers, and shapes that do not fit are told in words, also in a release.

use crate::support::hydrology::noise;
use headwater::brush::{self, Touched};
use headwater::flow::{self, Flow};
use headwater::hydrology::{Edges, plain};
use headwater::mesh::Mesh;
use headwater::waves::{self, Waves};
use headwater::{Field, Hex, Lattice, Square};
use std::panic::{AssertUnwindSafe, catch_unwind};

const OFF: [(usize, usize); 6] =
    [(8, 0), (0, 6), (8, 6), (usize::MAX, 0), (0, usize::MAX), (usize::MAX, usize::MAX)];

fn lattices() -> [Lattice; 2] {
    [Square::new(8, 6, 1.0, 1.0).unwrap().into(), Hex::new(8, 6, 1.0).unwrap().into()]
}

/// What a call that has no answer says.
fn told<T>(call: impl FnOnce() -> T) -> String {
    let done = catch_unwind(AssertUnwindSafe(call)).map(|_| "an answer");
    let panic = done.expect_err("it has no answer");
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap()
}

#[test]
fn cells_off_the_grid_are_still_and_open() {
    for lattice in lattices() {
        let (bed, depth) = (noise(8, 6, 1), Field::new(8, 6, 1.0));
        let flow = Flow::new(lattice, flow::Params::default(), bed, depth).unwrap();
        for (x, y) in OFF {
            assert_eq!((flow.velocity(x, y), flow.foam_at(x, y)), ([0.0; 2], 0.0));
            assert!(!flow.state().closed.contains(x, y) && flow.soil_at(x, y).is_none());
            assert!(lattice.neighbours(x, y).all(|(x, y)| x < 8 && y < 6));
            told(|| flow.state().surface(x, y));
        }
        assert!(!flow.state().closed.row_has_any(6));
    }
    let pond = Square::new(8, 6, 1.0, 1.0).unwrap();
    let waves = Waves::new(pond, waves::Params::default()).unwrap();
    for (x, y) in OFF {
        assert_eq!((waves.velocity(x, y), waves.slope(x, y)), (0.0, 0.0));
        assert_eq!(waves.normal(x, y), [0.0, 0.0, 2.0]);
        assert_eq!(waves.tangent(x, y), [2.0, 0.0, 0.0]);
    }
}

#[test]
fn shapes_that_do_not_fit_are_told() {
    for lattice in lattices() {
        for (nx, ny) in [(7, 6), (8, 5), (9, 6), (8, 7), (0, 0), (6, 8)] {
            let (wrong, right) = (Field::new(nx, ny, 1.0_f32), Field::new(8, 6, 1.0_f32));
            let shape = "on a grid of (8, 6)";
            assert!(told(|| Mesh::of_heights(lattice, &wrong)).contains(shape));
            assert!(told(|| Mesh::of_water(lattice, &wrong, &right, 0.1)).contains(shape));
            assert!(told(|| Mesh::of_water(lattice, &right, &wrong, 0.1)).contains(shape));
            let at = [3.0, 2.0];
            assert!(told(|| lattice.sample(&wrong, at)).contains("another shape"));
            let mut drawn = wrong.clone();
            assert!(
                told(|| brush::smooth(&mut drawn, &[], lattice, 1.0, 1.0))
                    .contains("another shape")
            );
        }
        for (x, y) in OFF {
            let (mut field, touched) = (noise(8, 6, 1), [Touched { x, y, weight: 1.0 }]);
            let expected = "is not on the field";
            assert!(told(|| brush::draw(&mut field, &touched, |_, z| z)).contains(expected));
            assert!(
                told(|| brush::smooth(&mut field, &touched, lattice, 1.0, 1.0)).contains(expected)
            );
            assert!(told(|| brush::weighted_mean(&field, &touched)).contains(expected));
            assert_eq!(field, noise(8, 6, 1));
        }
    }
    let mut flood = plain::Flood::new(&noise(8, 6, 1), Edges::default(), 0.0);
    for (x, y) in OFF {
        assert!(told(|| flood.pour(x, y, 1.0)).contains("off the grid"));
    }
    let half = 1 << (usize::BITS / 2);
    assert!(told(|| Field::new(half, half, 0_u8)).contains("more cells"));
    assert!(told(|| Field::from_fn(half, half, |_, _| 0_u8)).contains("more cells"));
    let mut kept = Field::new(2, 3, 7_u8);
    assert!(told(|| kept.reset(half, half, 0)).contains("more cells"));
    assert_eq!(kept, Field::new(2, 3, 7_u8));
}
