//! Tests of change tracking in waves: all changes are reported, and sleeping areas are not
//! reported.

use crate::support::blocks::noise;
use crate::support::changes::follow_changes;
use headwater::changes::{Stamp, Tile};
use headwater::waves::{Body, EdgeKind, Edges, Edit, Params, Rain, Shape, WaveMaker, Waves, Wind};
use headwater::{Brush, Field, Id, Model, Region, Square};

/// Returns the state of all cells as bit patterns: height, fluxes through the four faces, and land
/// flag.
fn cell_states(waves: &Waves) -> Field<[u32; 6]> {
    let state = waves.state();
    Field::from_fn(state.height.nx(), state.height.ny(), |x, y| {
        let (flux_x, flux_y) = (&state.flux_x, &state.flux_y);
        let faces = [flux_x[(x, y)], flux_x[(x + 1, y)], flux_y[(x, y)], flux_y[(x, y + 1)]];
        let [west, east, north, south] = faces.map(f32::to_bits);
        let land = u32::from(waves.is_land(x, y));
        [state.height[(x, y)].to_bits(), west, east, north, south, land]
    })
}

/// Edits and steps a world for a number of rounds, and checks the tiles that it reports as changed.
/// Returns the mean fraction of the world that these tiles cover.
fn reported_fraction(waves: &mut Waves, seed: u64, rounds: usize) -> f64 {
    let [nx, ny] = waves.grid_size();
    let act = |waves: &mut Waves, round: usize| {
        let at = |k: usize, n: usize| (noise(round, k, seed) * n as f64) as usize;
        let place = [at(0, nx) as f64, at(1, ny) as f64];
        let brush = Brush::with_flat_falloff(Region::disc(place, 3.0));
        match at(2, 8) {
            0 => waves.add_drop(place, 4.0, 0.1).unwrap(),
            1 => waves.edit(&brush, Edit::Land).unwrap(),
            2 => waves.edit(&brush, Edit::Water).unwrap(),
            3 => waves.draw_stroke([place, [place[0] + 9.0, place[1]]], 4.0, 0.05).unwrap(),
            _ => {}
        }
        match at(3, 4) {
            0 => {}
            1 => waves.step(),
            2 => waves.step_many(at(4, 30) as u64),
            _ => (0..at(4, 9)).for_each(|_| waves.step()),
        }
    };
    follow_changes(waves, rounds, cell_states, |before, after, at| before[at] != after[at], act)
        .reported_fraction
}

/// Returns a world at rest. Its damping is strong, so a disturbance wakes only a few tiles.
fn calm_world(edges: Edges) -> Waves {
    let params = Params { speed: 2.0, step: 0.1, damping: 8.0, edges, ..Params::default() };
    let mut waves = Waves::new(Square::new(500, 300, 1.0, 1.0).unwrap(), params).unwrap();
    // Cells stay awake for some steps after a disturbance.
    waves.step_many(32);
    assert_eq!(waves.awake_tile_count(), 0);
    waves
}

#[test]
fn all_changes_are_reported() {
    use EdgeKind::{Absorbing, Periodic, Pinned, Reflecting};
    for (seed, kind) in [(1, Reflecting), (2, Pinned), (3, Periodic), (4, Absorbing)] {
        let mut waves = calm_world(Edges::uniform(kind));
        let part = reported_fraction(&mut waves, seed, 45);
        if matches!(kind, Reflecting | Pinned) {
            assert!(part < 0.7, "{kind:?}: {part}, most of it sleeps");
        }
    }
}

#[test]
fn active_regions_are_reported() {
    type Disturbance = fn(&mut Waves);
    let stirrings: [Disturbance; 4] = [
        |waves| waves.set_rain(Some(Rain { rate: 1e-4, radius: 3.0, ..Rain::default() })).unwrap(),
        |waves| {
            let wind = Wind { gusts: 2, radius: 9.0, head: 0.02, ..Wind::default() };
            waves.set_wind(Some(wind)).unwrap();
        },
        |waves| {
            let (from, to) = ([30.0, 30.0], [30.0, 60.0]);
            let maker = WaveMaker { from, to, width: 6.0, head: 0.1, ..WaveMaker::default() };
            assert_eq!(waves.add_maker(maker).unwrap(), Id::new(0));
        },
        |waves| {
            let shape = Shape::Disc { radius: 4.0 };
            let body = Body { shape, position: [100.0; 2], velocity: [2.0, 0.5], draft: 0.05 };
            assert_eq!(waves.add_body(body).unwrap(), Id::new(0));
        },
    ];
    for (i, stir) in stirrings.into_iter().enumerate() {
        let mut waves = calm_world(Edges::default());
        stir(&mut waves);
        let part = reported_fraction(&mut waves, 7, 30);
        assert!(part < 0.9, "{i}: {part}");
    }
}

#[test]
fn sleeping_regions_are_not_reported() {
    let mut waves = calm_world(Edges::default());
    let stamp = waves.changed_since(Stamp::NEVER).stamp;
    waves.step_many(5);
    waves.step();
    assert!(waves.changed_since(stamp).tiles.is_empty(), "nothing moves");
    waves.edit(&Brush::with_flat_falloff(Region::disc([20.5, 150.5], 2.0)), Edit::Land).unwrap();
    let changes = waves.changed_since(stamp);
    assert_eq!(changes.tiles, [Tile { x: 0, y: 128, nx: 64, ny: 64 }]);
    assert!(waves.changed_since(changes.stamp).tiles.is_empty());
    let all = 8 * 5;
    let mut plain = waves.clone();
    assert_eq!(plain.changed_since(changes.stamp).tiles.len(), all, "a clone is new all over");
    let stamp = plain.changed_since(Stamp::NEVER).stamp;
    plain.step_plain();
    assert_eq!(plain.changed_since(stamp).tiles.len(), all, "plain loops know no tiles");
    let state = waves.save().unwrap();
    waves.load(&state).unwrap();
    assert_eq!(
        waves.changed_since(changes.stamp).tiles.len(),
        all,
        "so is a state that was loaded"
    );
}
