//! The fast path of a step: one pass over the grid in place does all of its stages, while a few rows stay in
//! cache, and several steps where nothing comes between them. Strips of rows are spread over threads; what two
//! strips both need, both work out from copies, so no strip waits for another. Equal to [`super::plain`] in every
//! bit, for any number of threads, strips and steps in a pass.

mod kernels;
mod level;
mod rows;

pub(super) use level::{Kept, Old};
pub(super) use rows::{Run, Strip};

use super::context::Step;
use super::state::State;
use crate::lattice::Edge;
use crate::parallel::{self, for_each_task};
use level::{Crossed, Level};
use rows::{Ground, Halo, Rows};
use std::ops::Range;

/// Stages 1 to 3 of a level of physics, row by row.
pub(super) trait Drive: Sync {
    /// How many rows further than depths it looks at discharges.
    const REACH: usize;

    /// Gets ready for the first row that it drives.
    fn begin(&self, _kept: &mut Kept, _strip: &Strip, _y: isize, _run: Run) {}

    /// Sets the discharges over the faces of row `y` in a run: those north of its cells, and if `across`, its x-faces.
    fn drive(&self, kept: &mut Kept, strip: &mut Strip, y: isize, run: Run, across: bool);
}

/// What one strip needs of its own.
#[derive(Clone, Debug, Default)]
struct Room {
    rows: Range<usize>,
    runs: Vec<Run>,
    /// Copies of the rows beyond it: depth, and each family of discharges.
    halos: [Halo; 4],
    /// What each step of a pass keeps.
    kept: Vec<Kept>,
}

/// What passes need beside the state. It holds nothing that lasts from one to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Rooms(Vec<Room>);

/// What crossed the edges in each step of a pass.
pub(super) struct Passed<'a> {
    rooms: &'a [Room],
}

impl Passed<'_> {
    /// The depths (m, into the grid) that crossed the boundary faces of an edge in a step of the pass, in the order
    /// of the faces.
    pub(super) fn over(&self, step: usize, edge: Edge) -> impl Iterator<Item = [f32; 2]> {
        let rooms = match edge {
            Edge::West | Edge::East => self.rooms,
            Edge::North => &self.rooms[..1],
            Edge::South => &self.rooms[self.rooms.len() - 1..],
        };
        let of = move |room: &Room| {
            let Crossed([west, east, north, south]) = &room.kept[step].crossed;
            match edge {
                Edge::West => west.clone(),
                Edge::East => east.clone(),
                Edge::North => north.clone(),
                Edge::South => south.clone(),
            }
        };
        rooms.iter().flat_map(of)
    }
}

/// Rows of a strip, at least: what it works out for its neighbours' sake should be little beside its own.
const ROWS: usize = 128;

/// How the rows of a grid are shared out.
fn strips(ny: usize) -> impl Iterator<Item = Range<usize>> {
    let threads = parallel::threads();
    let count = if threads == 1 { 1 } else { (ny / ROWS).clamp(1, 4 * threads) };
    (0..count).map(move |i| ny * i / count..ny * (i + 1) / count)
}

/// Does one step for each of `drives`, all of one lattice and with the same edges joined.
pub(super) fn pass<'r, D: Drive>(
    state: &mut State,
    rooms: &'r mut Rooms,
    steps: &[Step],
    drives: &[D],
) -> Passed<'r> {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let Some(first) = steps.first() else { return Passed { rooms: &[] } };
    let all: Vec<Range<usize>> = strips(ny).collect();
    rooms.0.resize_with(all.len(), Room::default);
    for (room, rows) in rooms.0.iter_mut().zip(all) {
        room.rows = rows;
        room.runs = vec![Run { from: 0, to: nx }];
        room.kept.resize_with(steps.len(), Kept::default);
    }
    let halo = 2 * steps.len() + D::REACH;
    for_each_task(rooms.0.iter_mut().collect(), |room| room.look_around(state, first, halo));

    let joined_y = first.edges.joined.y;
    let State { bed, depth, discharge_x, discharge_y, discharge_z, closed, .. } = state;
    let ground = Ground {
        bed,
        closed,
        is_hex: first.lattice.is_hex(),
        joined: [first.edges.joined.x, joined_y],
    };
    let (mut depths, mut xs, mut ys) =
        (depth.as_mut_slice(), discharge_x.as_mut_slice(), discharge_y.as_mut_slice());
    let mut zs = discharge_z.as_mut().map(|z| z.as_mut_slice());
    let mut tasks = Vec::with_capacity(rooms.0.len());
    for Room { rows, runs, halos: [depth, x, y, z], kept } in &mut rooms.0 {
        // The last row of faces is the edge of the grid, or the first once more.
        let faces = rows.len() + usize::from(rows.end == ny && !joined_y);
        let strip = Strip {
            ground,
            depth: Rows::new(nx, rows.start, cut(&mut depths, rows.len() * nx), depth),
            x: Rows::new(nx + 1, rows.start, cut(&mut xs, rows.len() * (nx + 1)), x),
            y: Rows::new(nx, rows.start, cut(&mut ys, faces * nx), y),
            z: zs.as_mut().map(|zs| Rows::new(nx + 1, rows.start, cut(zs, faces * (nx + 1)), z)),
        };
        tasks.push((strip, rows.clone(), &*runs, kept));
    }
    for_each_task(tasks, |(mut strip, rows, runs, kept)| {
        let own = rows.start as isize..rows.end as isize;
        for &run in runs {
            walk(&mut strip, run, own.clone(), kept, steps, drives);
        }
    });
    if joined_y {
        for q in [Some(&mut state.discharge_y), state.discharge_z.as_mut()].into_iter().flatten() {
            let width = q.nx();
            let (rows, seam) = q.as_mut_slice().split_at_mut(ny * width);
            seam.copy_from_slice(&rows[..width]);
        }
    }
    Passed { rooms: &rooms.0 }
}

/// Cuts `count` values off the front.
fn cut<'a>(rest: &mut &'a mut [f32], count: usize) -> &'a mut [f32] {
    let (front, after) = std::mem::take(rest).split_at_mut(count);
    *rest = after;
    front
}

impl Room {
    /// Copies the rows around the strip.
    fn look_around(&mut self, state: &State, step: &Step, halo: usize) {
        let (nx, ny) = (state.bed.nx(), state.bed.ny());
        let ground = Ground::of(state, step);
        let (first, end, halo) = (self.rows.start as isize, self.rows.end as isize, halo as isize);
        let joined = ground.joined[1];
        let above = if joined { first - halo } else { (first - halo).max(0) }..first;
        // There is a row of faces more than of cells.
        let below = |rows: isize| end..if joined { end + halo } else { (end + halo).min(rows) };
        let fields = [
            (Some(&state.depth), ny),
            (Some(&state.discharge_x), ny),
            (Some(&state.discharge_y), ny + 1),
            (state.discharge_z.as_ref(), ny + 1),
        ];
        for (halo, (field, rows)) in self.halos.iter_mut().zip(fields) {
            let Some(field) = field else { continue };
            // The last strip has the last row of faces as its own.
            let below = if end == ny as isize && !joined { end..end } else { below(rows as isize) };
            halo.fill(field, [above.clone(), below], |y| ground.home(y), &self.runs);
        }
        self.kept.iter_mut().for_each(|kept| kept.fit(nx, self.rows.len()));
    }
}

/// Takes a strip through all steps of a pass, each two rows behind the one before it.
fn walk<D: Drive>(
    strip: &mut Strip,
    run: Run,
    own: Range<isize>,
    kept: &mut [Kept],
    steps: &[Step],
    drives: &[D],
) {
    let ny = strip.ground.ny() as isize;
    let count = steps.len() as isize;
    let mut levels: Vec<Level<D>> = kept
        .iter_mut()
        .zip(steps)
        .zip(drives)
        .zip(1..)
        .map(|(((kept, step), drive), number)| {
            let more = 2 * (count - number);
            let (from, to) = (own.start - more, own.end + more);
            let rows = if strip.ground.joined[1] { from..to } else { from.max(0)..to.min(ny) };
            Level { drive, to_depth: step.to_depth(), rows, own: own.clone(), kept }
        })
        .collect();
    let beyond = 2 * count;
    for front in own.start - beyond..own.end + 2 * beyond {
        for (level, number) in levels.iter_mut().zip(0..) {
            level.advance(strip, front - 2 * number, run);
        }
    }
}
