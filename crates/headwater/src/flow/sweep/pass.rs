//! A pass over the grid: strips of rows over threads, and the tiles that it leaves out.

use super::drive::Drive;
use super::kept::Kept;
use super::level::Level;
use super::rest;
use super::rows::{Ground, Halo, Momenta, Rows, Run, Strip};
use super::tiles::{Part, Tiles};
use crate::field::Field;
use crate::flow::context::Step;
use crate::flow::state::State;
use crate::lattice::Edge;
use crate::parallel::{self, for_each_task};
use std::ops::Range;

/// What passes need beside the state. With another one the bits of the state are the same.
#[derive(Clone, Debug, Default)]
pub(in crate::flow) struct Sweep {
    strips: Vec<StripWorkspace>,
    /// What is stepped.
    pub(in crate::flow) tiles: Tiles,
}

/// What one strip needs of its own.
#[derive(Clone, Debug)]
struct StripWorkspace {
    part: Part,
    /// Copies of the rows beyond it: depth, and each family of discharges.
    halos: [Halo; 4],
    /// What each step of a pass keeps.
    kept: Vec<Kept>,
}

/// What crossed the edges in each step of a pass.
pub(in crate::flow) struct Passed<'a> {
    strips: &'a [StripWorkspace],
    rows: usize,
}

impl Passed<'_> {
    /// The depths (m, into the grid) that crossed the `n` boundary faces of an edge in a step of the pass, in the
    /// order of the faces.
    pub(in crate::flow) fn over(&self, step: usize, edge: Edge, n: usize) -> Vec<[f32; 2]> {
        let mut all = vec![[0.0; 2]; n];
        for StripWorkspace { part: Part { rows, .. }, kept, .. } in self.strips {
            let crossed = &kept[step].crossed.0[edge as usize];
            let beside = match edge {
                Edge::West | Edge::East => rows.clone(),
                Edge::North if rows.start == 0 => 0..n,
                Edge::South if rows.end == self.rows => 0..n,
                Edge::North | Edge::South => continue,
            };
            all[beside].copy_from_slice(crossed);
        }
        all
    }
}

/// Does one step for each of `drives`, all of one lattice and with the same kinds of edges.
pub(in crate::flow) fn pass<'s, D: Drive>(
    state: &mut State,
    Sweep { strips, tiles }: &'s mut Sweep,
    steps: &[Step],
    drives: &[D],
) -> Passed<'s> {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let Some(step) = steps.first() else { return Passed { strips: &[], rows: ny } };
    let joined = [step.edges.joined.x, step.edges.joined.y];
    tiles.fit(nx, ny);
    let mut spare = std::mem::take(strips).into_iter();
    strips.extend(tiles.parts(joined, parallel::threads()).into_iter().map(|part| {
        let (halos, kept) = spare.next().map_or_else(Default::default, |r| (r.halos, r.kept));
        StripWorkspace { part, halos, kept }
    }));
    let halo = 2 * steps.len() + D::REACH;
    for_each_task(strips.iter_mut().collect(), |strip_workspace| {
        strip_workspace.kept.resize_with(steps.len(), Kept::default);
        strip_workspace.fill_halos(state, step, halo);
    });

    let State { bed, depth, discharge_x, discharge_y, discharge_z, closed, momentum } = state;
    let ground = Ground { bed, closed, is_hex: step.lattice.is_hex(), joined };
    let mut depths = depth.as_mut_slice();
    let mut xs = discharge_x.as_mut_slice();
    let mut ys = discharge_y.as_mut_slice();
    let mut zs = discharge_z.as_mut().map(Field::as_mut_slice);
    let mut momenta = match momentum {
        Some(q) => [q.x.as_mut_slice(), q.y.as_mut_slice()],
        None => [&mut [][..], &mut []],
    };
    let mut tasks = Vec::with_capacity(strips.len());
    let mut done = 0;
    for StripWorkspace { part: Part { rows, runs }, halos: [depth, x, y, z], kept } in
        strips.iter_mut()
    {
        let (first, skipped) = (rows.start, rows.start - std::mem::replace(&mut done, rows.end));
        // The last row of faces is the edge of the grid, or the first once more.
        let faces = rows.len() + usize::from(rows.end == ny && !joined[1]);
        let strip = Strip {
            ground,
            depth: Rows::new(nx, first, cut(&mut depths, nx, skipped, rows.len()), depth),
            x: Rows::new(nx + 1, first, cut(&mut xs, nx + 1, skipped, rows.len()), x),
            y: Rows::new(nx, first, cut(&mut ys, nx, skipped, faces), y),
            z: zs.as_mut().map(|zs| Rows::new(nx + 1, first, cut(zs, nx + 1, skipped, faces), z)),
            momentum: Momenta {
                first,
                width: nx,
                parts: momenta.each_mut().map(|q| match q.is_empty() {
                    true => Default::default(),
                    false => cut(q, nx, skipped, rows.len()),
                }),
            },
        };
        tasks.push((strip, rows.start as isize..rows.end as isize, &*runs, kept));
    }
    for_each_task(tasks, |(mut strip, own, runs, kept)| {
        for &run in runs {
            walk(&mut strip, run, own.clone(), kept, steps, drives);
        }
    });
    if joined[1] {
        for q in [Some(&mut state.discharge_y), state.discharge_z.as_mut()].into_iter().flatten() {
            let width = q.nx();
            let (rows, seam) = q.as_mut_slice().split_at_mut(ny * width);
            seam.copy_from_slice(&rows[..width]);
        }
    }
    if let Some(check) = tiles.check_after(steps.len(), D::FOLLOWS) {
        let last = steps.last().unwrap_or(step);
        tiles.check(check, joined, &state.depth, |columns, rows| {
            rest::moves::<D>(state, last, &columns, &rows)
        });
    }
    Passed { strips, rows: ny }
}

/// Cuts `count` rows off the front, after some that are left out.
fn cut<'a>(rest: &mut &'a mut [f32], width: usize, skipped: usize, count: usize) -> &'a mut [f32] {
    let (_, after) = std::mem::take(rest).split_at_mut(skipped * width);
    let (rows, after) = after.split_at_mut(count * width);
    *rest = after;
    rows
}

impl StripWorkspace {
    /// Copies the rows around the strip.
    fn fill_halos(&mut self, state: &State, step: &Step, halo: usize) {
        let (nx, ny) = (state.bed.nx(), state.bed.ny());
        let ground = Ground::of(state, step);
        let Part { rows: own, runs } = &self.part;
        let (first, end, halo) = (own.start as isize, own.end as isize, halo as isize);
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
            halo.fill(field, [above.clone(), below], |y| ground.home(y), runs);
        }
        self.kept.iter_mut().for_each(|kept| kept.fit(nx, own.len()));
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
