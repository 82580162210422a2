//! Tests that frames of a game with a [`Waves`] world allocate no memory.

use super::check_frames;
use crate::support::pools::noise;
use headwater::waves::{self, Waves};
use headwater::{Brush, Field, Region, Square};

/// Size of the ponds in cells: two tiles in each direction.
const NX: usize = 130;
const NY: usize = 60;

fn pond(edges: waves::Edges, dispersion: bool) -> Waves {
    let lattice = Square::new(NX, NY, 0.5, 0.5).unwrap();
    let params = waves::Params { absorbing_cells: 7, dispersion, edges, ..Default::default() };
    let mut waves = Waves::new(lattice, params).unwrap();
    let island = Region::disc([50.0, 24.0], 6.0);
    waves.edit(&Brush::with_flat_falloff(island), waves::Edit::Land).unwrap();
    waves.add_drop([30.0, 12.0], 3.0, 0.1).unwrap();
    waves
}

/// Returns three ponds: one into which a drop has fallen, one with all kinds of sources, and one
/// with all kinds of sources and dispersion. `west_east` is the boundary condition of the western
/// and eastern edges, and `north_south` is that of the northern and southern edges.
fn ponds(
    name: &'static str,
    west_east: waves::EdgeKind,
    north_south: waves::EdgeKind,
) -> [(String, Waves); 3] {
    let edges =
        waves::Edges { west: west_east, east: west_east, north: north_south, south: north_south };
    let stirred = |dispersion| {
        let mut waves = pond(edges, dispersion);
        waves
            .set_rain(Some(waves::Rain { rate: 0.05, radius: 1.2, depth: 0.01, seed: 1 }))
            .unwrap();
        waves.set_wind(Some(waves::Wind { head: 0.01, ..waves::Wind::default() })).unwrap();
        let disc = waves::Shape::Disc { radius: 1.5 };
        let oval = waves::Shape::Oval { half: [3.0, 1.0], heading: 0.4 };
        for (shape, velocity) in [(disc, [0.0; 2]), (oval, [0.5, 0.3])] {
            let body = waves::Body { velocity, ..waves::Body::new(shape, [30.0, 20.0], 0.1) };
            waves.add_body(body).unwrap();
        }
        waves
            .add_maker(waves::WaveMaker {
                head: 0.05,
                to: [10.0, 30.0],
                ..waves::WaveMaker::default()
            })
            .unwrap();
        let current = |v| Field::from_fn(NX, NY, |x, y| v * noise(x / 9, y / 9, 4));
        waves.set_current(Some((current(0.4), current(-0.2)))).unwrap();
        waves
    };
    [
        (format!("a drop, {name}"), pond(edges, false)),
        (format!("stirred, {name}"), stirred(false)),
        (format!("stirred with dispersion, {name}"), stirred(true)),
    ]
}

#[test]
fn wave_frames_do_not_allocate() {
    use waves::EdgeKind::{Absorbing, Periodic, Pinned, Reflecting};
    let all = [
        ponds("walls and beaches", Reflecting, Absorbing),
        ponds("pinned and without an end", Pinned, Periodic),
        ponds("without an end", Periodic, Periodic),
    ];
    for (name, mut waves) in all.into_iter().flatten() {
        check_frames(&name, &mut waves, 1.0 / 60.0);
        let seven_steps = 7.0 * waves.params().step;
        check_frames(&name, &mut waves, seven_steps);
    }
}
