//! Tests that the initial velocity of the water can be prescribed, for all flow equations and both
//! lattices.

use crate::support::flow::{LEVELS, WORLDS};
use headwater::flow::{Boundary, BoundaryKind, Edit, Flow, Params, Physics};
use headwater::{Brush, Edge, Field, Hex, Lattice, Region, Square};

fn lake(lattice: impl Into<Lattice>, level: Physics) -> Flow {
    let lattice = lattice.into();
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let depth = Field::from_fn(nx, ny, |x, y| 1.0 + 0.1 * ((3 * x + 5 * y) % 4) as f32);
    let params = Params { level, ..Params::default() };
    Flow::new(lattice, params, Field::new(nx, ny, 0.0), depth).unwrap()
}

#[test]
fn water_has_the_prescribed_velocity() {
    for (cells, level) in WORLDS {
        let lattice = match cells {
            crate::support::flow::CellShape::Square => {
                Lattice::from(Square::new(12, 10, 2.0, 3.0).unwrap())
            }
            crate::support::flow::CellShape::Hex => Hex::new(12, 10, 2.0).unwrap().into(),
        };
        let mut flow = lake(lattice, level);
        let even = Field::new(12, 10, 1.0);
        let depth = flow.state().depth.clone();
        // For uniform depth, the velocity of each cell is reproduced; for varying depth, its unit
        // discharge.
        let wanted = [0.75, -0.5];
        flow.set_unit_discharge(&even.map(|v| v * wanted[0]), &even.map(|v| v * wanted[1]))
            .unwrap();
        let (east, south) = (0..2)
            .map(|axis| {
                let sum: f32 = (3..9)
                    .flat_map(|x| (3..7).map(move |y| (x, y)))
                    .map(|(x, y)| flow.velocity(x, y)[axis] * depth[(x, y)])
                    .sum();
                sum / 24.0
            })
            .fold((0.0, 0.0), |(_, before), now| (before, now));
        assert!(
            (east - 0.75).abs() < 0.06 && (south + 0.5).abs() < 0.06,
            "{cells:?} {level:?}: {east} {south}"
        );

        let still = vec![1.5; 120];
        let depth = Field::from_vec(12, 10, still).unwrap();
        let params = Params { level, ..Params::default() };
        let mut flow = Flow::new(lattice, params, Field::new(12, 10, 0.0), depth).unwrap();
        flow.set_velocity(&even.map(|v| v * wanted[0]), &even.map(|v| v * wanted[1])).unwrap();
        for (x, y) in [(5, 4), (5, 5), (2, 7)] {
            let [u, v] = flow.velocity(x, y);
            assert!(
                (u - 0.75).abs() < 1e-6 && (v + 0.5).abs() < 1e-6,
                "{cells:?} {level:?} {u} {v}"
            );
        }
        let before = flow.volume();
        flow.advance(0.5).unwrap();
        assert!((flow.volume() - before).abs() < 1e-6 && flow.velocity(5, 4)[0] > 0.4);
    }
}

#[test]
fn flow_continues_over_periodic_edges() {
    for level in LEVELS {
        let lattice = Square::new(16, 3, 1.0, 1.0).unwrap();
        let params = Params { level, manning: 0.0, ..Params::default() };
        let depth = Field::new(16, 3, 2.0);
        let mut flow = Flow::new(lattice, params, Field::new(16, 3, 0.0), depth).unwrap();
        flow.set_boundary(Boundary::on_edge(Edge::West, BoundaryKind::Periodic)).unwrap();
        flow.set_velocity(&Field::new(16, 3, 1.0), &Field::new(16, 3, 0.0)).unwrap();
        flow.advance(5.0).unwrap();
        for x in 0..16 {
            let u = flow.velocity(x, 1)[0];
            assert!((u - 1.0).abs() < 1e-5, "{level:?} {x}: {u}");
        }
    }
}

#[test]
fn closed_faces_have_no_discharge() {
    for level in [Physics::Pipes, Physics::Inertial] {
        let lattice = Square::new(8, 3, 1.0, 1.0).unwrap();
        let bed = Field::from_fn(8, 3, |x, _| if x >= 5 { 3.0 } else { 0.0 });
        let depth = Field::from_fn(8, 3, |x, _| if x >= 5 { 0.0 } else { 1.0 });
        let params = Params { level, ..Params::default() };
        let mut flow = Flow::new(lattice, params, bed, depth).unwrap();
        flow.edit(&Brush::with_flat_falloff(Region::rect([2.0, 0.0], [3.0, 3.0])), Edit::Close)
            .unwrap();
        flow.set_velocity(&Field::new(8, 3, 1.0), &Field::new(8, 3, 0.0)).unwrap();
        let crossed: Vec<_> = (0..9).map(|x| flow.state().discharge_x[(x, 1)]).collect();
        assert_eq!(crossed, [0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0], "{level:?}");
    }
}

#[test]
fn invalid_velocities_are_rejected() {
    let mut flow = lake(Square::new(4, 3, 1.0, 1.0).unwrap(), Physics::Pipes);
    let still = Field::new(4, 3, 0.0);
    let before = flow.state_hash();
    assert_eq!(
        flow.set_velocity(&Field::new(3, 3, 0.0), &still).unwrap_err().what,
        "velocity to the east"
    );
    let endless = Field::new(4, 3, f32::INFINITY);
    assert_eq!(
        flow.set_unit_discharge(&still, &endless).unwrap_err().what,
        "unit discharge to the south"
    );
    assert_eq!(
        flow.set_velocity(&Field::new(4, 3, f32::MAX), &still).unwrap_err().what,
        "velocity to the east"
    );
    assert_eq!(flow.state_hash(), before);
}
