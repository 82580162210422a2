//! Checks that all changes of a world are in the tiles that the world reports as changed.

use headwater::Model;
use headwater::changes::{Stamp, Tile};

/// Result of [`follow_changes`]. Each list in it has one item per round.
pub(crate) struct FollowResult {
    pub(crate) changed: Vec<usize>,
    pub(crate) tiles: Vec<usize>,
    /// Mean fraction of the grid that was reported as changed (0 to 1, dimensionless).
    pub(crate) reported_fraction: f64,
}

/// Returns two numbers: that of the cells for which `differs` returns true, and that of those among
/// them which lie outside `tiles`.
fn count_changed_cells(
    [nx, ny]: [usize; 2],
    tiles: &[Tile],
    differs: impl Fn((usize, usize)) -> bool,
) -> [usize; 2] {
    let inside = |(x, y)| {
        let holds = |t: &Tile| (t.x..t.x + t.nx).contains(&x) && (t.y..t.y + t.ny).contains(&y);
        tiles.iter().any(holds)
    };
    let (mut all, mut outside) = (0, 0);
    for y in 0..ny {
        for x in 0..nx {
            if differs((x, y)) {
                all += 1;
                outside += usize::from(!inside((x, y)));
            }
        }
    }
    [all, outside]
}

/// Calls `act` once per round. Checks after each round that no cell has changed outside the tiles
/// reported as changed. `capture` records the state of the world, and `differs` compares a cell
/// before and after the round.
pub(crate) fn follow_changes<W: Model, S>(
    world: &mut W,
    rounds: usize,
    capture: impl Fn(&W) -> S,
    differs: impl Fn(&S, &S, (usize, usize)) -> bool,
    mut act: impl FnMut(&mut W, usize),
) -> FollowResult {
    let (name, grid) = (world.name(), world.grid_size());
    let mut stamp = world.changed_since(Stamp::NEVER).stamp;
    let mut before = capture(world);
    let (mut changed, mut tiles, mut reported) = (Vec::new(), Vec::new(), 0);
    for round in 0..rounds {
        act(world, round);
        let changes = world.changed_since(stamp);
        let after = capture(world);
        let [differing, missed] =
            count_changed_cells(grid, &changes.tiles, |at| differs(&before, &after, at));
        assert_eq!(missed, 0, "{name}: cells that were missed in round {round}");
        changed.push(differing);
        tiles.push(changes.tiles.len());
        reported += changes.tiles.iter().map(|tile| tile.nx * tile.ny).sum::<usize>();
        (stamp, before) = (changes.stamp, after);
        assert!(world.changed_since(stamp).tiles.is_empty(), "{name}: reported twice");
    }
    assert!(changed.iter().any(|&cells| cells > 0), "{name}: a world that reports nothing passes");
    FollowResult {
        changed,
        tiles,
        reported_fraction: reported as f64 / (rounds * grid[0] * grid[1]) as f64,
    }
}

/// Checks that all tiles of a world count as changed after a state has been loaded, and that the
/// world rejects a truncated state. `tiles` is the number of tiles of the world.
pub(crate) fn check_loaded(world: &mut impl Model, tiles: usize) {
    let stamp = world.changed_since(Stamp::NEVER).stamp;
    let saved = world.save().unwrap();
    world.load(&saved).unwrap();
    assert_eq!(world.changed_since(stamp).tiles.len(), tiles);
    assert!(world.load(&saved[..saved.len() / 2]).is_err());
}

/// Checks [`Model::read_layer`] for every layer of a world. Every second row is read separately.
/// Its values must equal those of the same row in the whole layer, and no other values must be
/// written.
pub(crate) fn check_rows_of_layers(world: &dyn Model) {
    let [nx, ny] = world.grid_size();
    // Blocks of one row, so that no row is a copy of another.
    let rows: Vec<_> = (0..ny).rev().step_by(2).map(|y| Tile { x: 0, y, nx, ny: 1 }).collect();
    for layer in world.layers() {
        let place = format!("{} {}", world.name(), layer.name);
        let mut read = vec![-7.0; nx * ny];
        world.read_layer(layer.name, &rows, &mut read).unwrap();
        let whole = world.layer(layer.name).unwrap();
        for (x, y) in Tile::all([nx, ny]).cells() {
            let expected = if (ny - 1 - y) % 2 == 0 { whole[(x, y)] } else { -7.0 };
            assert_eq!(read[y * nx + x].to_bits(), expected.to_bits(), "{place} at {x}, {y}");
        }
        assert!(world.read_layer(layer.name, &rows, &mut read[1..]).is_err(), "{place}");
    }
    assert!(world.read_layer("gold", &[], &mut vec![0.0; nx * ny]).is_err());
}
