//! Tests of the head behind a hole in a floor.

use crate::support::columns::{advance_by, head_at};
use headwater::columns::{Anchor, Columns, Params};
use headwater::{Field, Region};

/// Lake above a full room. The lake feeds the room through a hole in its floor. The room has an
/// outlet at the foot of its eastern wall, and a standpipe above its western end.
struct Standpipe {
    /// Width of the hole (cells).
    hole: usize,
    /// Vertical size of the outlet (cells).
    outlet: usize,
    /// Vertical size of the room (cells).
    room: usize,
    /// Width of the standpipe (cells).
    pipe: usize,
    /// Whether the outlet is on the western side and the standpipe on the eastern side.
    is_mirrored: bool,
    params: Params,
}

/// Width of the lake (cells of 1 m). The pit behind the outlet is below its eastern part.
const LAKE_WIDTH: usize = 60;
/// Depth of the lake (cells).
const LAKE: usize = 8;
/// Depth of the pit below the room (cells).
const PIT: usize = 8;

impl Standpipe {
    /// Returns two mean heads in steady flow (m above the foot of the outlet): that of the lake
    /// beside the hole, and that of the standpipe.
    fn mean_heads(&self) -> [f64; 2] {
        let Self { hole, outlet, room, pipe, ref params, .. } = *self;
        let floor = LAKE + 2;
        let foot = floor + 1 + room;
        let (nx, ny) = (pipe + LAKE_WIDTH + 3, foot + PIT + 1);
        let side = |x: usize| if self.is_mirrored { nx - 1 - x } else { x };
        // Column of the wall between the standpipe and the lake.
        let partition = pipe + 1;
        let hole_start = partition + 4;
        let wall = hole_start + hole + 8;
        let walls = Field::from_fn(nx, ny, |x, y| {
            let x = side(x);
            let border = x == 0 || x == nx - 1 || y == ny - 1;
            let is_hole = (hole_start..hole_start + hole).contains(&x);
            border
                || y == floor && x > partition && !is_hole
                || y <= floor && x == partition
                || y > floor && x == wall
                || y >= foot && x < wall
        });
        let point = |x: usize, y: usize| [side(x) as f64 + 0.5, y as f64 + 0.5];
        let level = Anchor::new_level([point(partition + 1, 0)[0], 2.0]);
        let mut world = Columns::new(&walls, 1.0, &[level], params.clone()).unwrap();
        for row in foot - outlet..foot {
            world.set_walls(&Region::disc(point(wall, row), 0.1), false).unwrap();
        }
        advance_by(&mut world, 4.0);
        let points = [point(hole_start + hole + 1, floor - 1), point(1, foot - 1)];
        let (samples, mut sums) = (20_u32, [0.0; 2]);
        for _ in 0..samples {
            advance_by(&mut world, 0.2);
            let heads = points.map(|at| head_at(&world, at).unwrap() - (PIT + 1) as f64);
            sums = [sums[0] + heads[0], sums[1] + heads[1]];
        }
        sums.map(|sum| sum / f64::from(samples))
    }
}

/// Checks the head in the room against the formula for flow through two openings in series, the
/// hole and the outlet. The discharge through an opening of the size a is `a·√(2·gravity·ΔH/loss)`.
#[test]
fn a_standpipe_shows_the_head_behind_a_hole() {
    let sizes = [[1, 1], [2, 1], [2, 2], [3, 2]];
    for seed in 0..12 {
        let [hole, outlet] = sizes[seed % 4];
        let world = Standpipe {
            hole,
            outlet,
            room: 4 + seed / 2 % 2,
            pipe: 1 + seed % 3,
            is_mirrored: seed / 3 % 2 == 1,
            params: Params {
                columns_per_cell: 1 + seed as u32 % 2,
                step: 1.0 / 120.0,
                wave_depth: 4.0,
                damping: 0.0,
                loss: [1.0, 1.5, 2.0][seed / 4],
                ..Params::default()
            },
        };
        let [lake, standpipe] = world.mean_heads();
        let [hole, outlet] = [hole, outlet].map(|size| (size * size) as f64);
        let expected = lake * hole / (hole + outlet);
        let error = (standpipe - expected).abs() / lake;
        assert!(error < 0.1, "{seed}: {standpipe} m, expected {expected} m below {lake} m");
    }
}
