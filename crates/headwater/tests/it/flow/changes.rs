//! Tests that the tiles reported as changed cover all actual changes and little more.

use crate::support::changes::{check_loaded, follow_changes};
use headwater::flow::{Amount, Change, Edit, Flow, LAYERS, Params, Physics, Source, State};
use headwater::{Brush, Field, Hex, Lattice, Region, Square};

/// Returns a wide lake at rest, with dry land around it and a spring at one end.
fn lake(lattice: impl Into<Lattice>, level: Physics) -> Flow {
    let lattice = lattice.into();
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let bed = Field::from_fn(nx, ny, |x, _| if x < 230 { 0.0 } else { 3.0 });
    let depth = bed.map(|&z: &f32| (2.0 - z).max(0.0));
    Flow::new(lattice, Params { level, ..Params::default() }, bed, depth).unwrap()
}

/// Iterates over the values of one cell and of its faces, as bit patterns.
fn cell_bits<'a>(
    state: &'a State,
    layers: &'a [Field<f32>],
    (x, y): (usize, usize),
) -> impl Iterator<Item = u32> + use<'a> {
    let fields = [&state.bed, &state.depth].into_iter().chain(layers);
    let momentum = state.momentum.iter().flat_map(|q| [&q.x, &q.y]);
    let own = fields.chain(momentum).map(move |field| field[(x, y)].to_bits());
    let faces = [&state.discharge_x, &state.discharge_y].into_iter().chain(&state.discharge_z);
    let around = faces.flat_map(move |field| {
        let at = [(x, y), (x + 1, y), (x, y + 1)];
        at.into_iter().filter_map(|(x, y)| field.get(x, y).map(|q| q.to_bits()))
    });
    std::iter::once(u32::from(state.closed.contains(x, y))).chain(own).chain(around)
}

type CapturedState = (Flow, Vec<Field<f32>>);

fn capture(flow: &Flow) -> CapturedState {
    let layers = LAYERS.iter().map(|layer| flow.layer(layer.name).unwrap().into_owned());
    (flow.clone(), layers.collect())
}

#[test]
fn all_changes_lie_in_the_reported_tiles() {
    let worlds: [(Lattice, Physics); 4] = [
        (Square::new(260, 130, 2.0, 2.0).unwrap().into(), Physics::Pipes),
        (Square::new(260, 130, 2.0, 2.0).unwrap().into(), Physics::Inertial),
        (Square::new(260, 130, 2.0, 2.0).unwrap().into(), Physics::ShallowWater),
        (Hex::new(260, 130, 2.0).unwrap().into(), Physics::Inertial),
    ];
    for (lattice, level) in worlds {
        let mut flow = lake(lattice, level);
        flow.add_spring(Source::new(Region::disc([500.0, 30.0], 4.0), 3.0)).unwrap();
        // The fast and the plain code path report the same changes.
        for _ in 0..34 {
            flow.step_toward(f64::MAX).unwrap();
        }
        let act = |flow: &mut Flow, round: usize| {
            let brush = Brush::with_flat_falloff(Region::disc([127.9, 127.9], 3.0));
            match round {
                3 => flow.edit(&brush, Edit::Pour(Amount::Depth(0.5))).unwrap(),
                6 => flow.edit(&brush, Edit::Push { velocity: [2.0, 1.0] }).unwrap(),
                9 => flow.edit(&brush, Edit::Raise(Change::By(0.5))).unwrap(),
                12 => flow.edit(&brush, Edit::Close).unwrap(),
                _ => (),
            }
            flow.step_toward(f64::MAX).unwrap();
        };
        let differs = |(before, old): &CapturedState, (after, new): &CapturedState, at| {
            cell_bits(before.state(), old, at).ne(cell_bits(after.state(), new, at))
        };
        let followed = follow_changes(&mut flow, 18, capture, differs, act);
        let partial = followed.tiles.iter().filter(|&&tiles| tiles < 15).count();
        assert!(partial > 8, "{level:?}: all has changed in {} of 18 rounds", 18 - partial);
    }
}

#[test]
fn loading_marks_all_tiles_changed() {
    let mut flow = lake(Square::new(100, 70, 2.0, 2.0).unwrap(), Physics::Pipes);
    check_loaded(&mut flow, 4);
}
