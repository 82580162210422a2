//! A pass over the grid: strips of rows over threads, and the tiles that it leaves out.

use super::drive::Drive;
use super::kept::Kept;
use super::level::Level;
use super::rest;
use super::rows::{Ground, Halo, Momenta, Rows, Run, Strip};
use super::tiles::{Part, Parts, Tiles};
use crate::field::Field;
use crate::flow::context::Step;
use crate::flow::state::State;
use crate::lattice::Edge;
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};
use std::ops::Range;

pub(crate) const MOST: usize = 4;

#[derive(Clone, Debug, Default)]
pub(crate) struct Sweep {
    parts: Parts,
    /// For each of the parts, and for those that there have been.
    strips: Vec<StripWorkspace>,
    pub(crate) tiles: Tiles,
}

impl Sweep {
    /// Looks up what the next pass steps on an `nx × ny` grid; `joined` says which opposite edges are.
    pub(in crate::flow) fn look_up(
        &mut self,
        [nx, ny]: [usize; 2],
        joined: [bool; 2],
        scratch: &ScratchPool,
    ) {
        self.tiles.fit(nx, ny);
        self.tiles.part(&mut self.parts, joined, parallel::num_threads(), scratch);
    }

    pub(in crate::flow) fn runs(&self, y: usize) -> &[Run] {
        let part = self.parts.all.iter().find(|part| part.rows.contains(&y));
        part.map_or(&[], |part| self.parts.runs(part))
    }
}

#[derive(Clone, Debug, Default)]
struct StripWorkspace {
    /// Copies of the rows beyond it: depth, remainder, and each family of discharges.
    halos: [Halo; 5],
    kept: Vec<Kept>,
}

pub(crate) struct Passed<'a> {
    parts: &'a [Part],
    strips: &'a [StripWorkspace],
    rows: usize,
}

impl Passed<'_> {
    /// The depths (m, into the grid) that crossed the `n` boundary faces of an edge in a step of
    /// the pass, in order.
    pub(in crate::flow) fn over<'s>(
        &self,
        step: usize,
        edge: Edge,
        n: usize,
        scratch: &'s ScratchPool,
    ) -> PooledVec<'s, [f32; 2]> {
        let mut all = scratch.filled(n, [0.0; 2]);
        for (Part { rows, .. }, StripWorkspace { kept, .. }) in self.parts.iter().zip(self.strips) {
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

/// True if nothing moves in some rows, nor over the faces to their north: a step, however long, would change no bit of them.
pub(crate) fn rests<D: Drive>(state: &State, step: &Step, rows: Range<usize>) -> bool {
    !rest::moves::<D>(state, step, &(0..state.bed.nx()), &rows)
}

/// Does one step for each of `drives`, all of one lattice and with the same kinds of edges; [`MOST`] at most.
pub(crate) fn pass<'s, D: Drive>(
    state: &mut State,
    Sweep { parts, strips, tiles }: &'s mut Sweep,
    steps: &[Step],
    drives: &[D],
    scratch: &ScratchPool,
) -> Passed<'s> {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let Some(step) = steps.first() else { return Passed { parts: &[], strips: &[], rows: ny } };
    let joined = [step.edges.joined.x, step.edges.joined.y];
    tiles.fit(nx, ny);
    tiles.part(parts, joined, parallel::num_threads(), scratch);
    let count = parts.all.len();
    strips.resize_with(strips.len().max(count), StripWorkspace::default);
    let halo = 2 * steps.len() + D::REACH;
    parallel::for_each_item(&mut strips[..count], 1, |i, strip| {
        let part = &parts.all[i];
        strip.fit(nx, part.rows.len(), steps.len());
        strip.fill_halos(state, step, halo, (part, parts.runs(part)));
    });

    let State { bed, depth, remainder, closed, momentum, .. } = state;
    let State { discharge_x, discharge_y, discharge_z, .. } = state;
    let whole = Strips {
        ground: Ground { bed, closed, is_hex: step.lattice.is_hex(), joined },
        parts: &parts.all,
        workspaces: &mut strips[..count],
        first: 0,
        depth: depth.as_mut_slice(),
        remainder: remainder.as_mut_slice(),
        x: discharge_x.as_mut_slice(),
        y: discharge_y.as_mut_slice(),
        z: discharge_z.as_mut().map(Field::as_mut_slice),
        momentum: match momentum {
            Some(q) => [q.x.as_mut_slice(), q.y.as_mut_slice()],
            None => [&mut [][..], &mut []],
        },
    };
    parallel::for_each_part(whole, count, &Strips::split, &|one: Strips| {
        let part = &one.parts[0];
        let own = part.rows.start as isize..part.rows.end as isize;
        let (mut strip, kept) = one.only();
        for &run in parts.runs(part) {
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
        tiles.check(check, joined, &state.depth, scratch, |columns, rows| {
            rest::moves::<D>(state, last, &columns, &rows)
        });
    }
    Passed { parts: &parts.all, strips: &strips[..count], rows: ny }
}

struct Strips<'a> {
    ground: Ground<'a>,
    parts: &'a [Part],
    workspaces: &'a mut [StripWorkspace],
    /// The number of the first row, which may come before the first strip's.
    first: usize,
    depth: &'a mut [f32],
    remainder: &'a mut [f32],
    x: &'a mut [f32],
    y: &'a mut [f32],
    z: Option<&'a mut [f32]>,
    momentum: [&'a mut [f32]; 2],
}

impl<'a> Strips<'a> {
    fn split(self, count: usize) -> [Self; 2] {
        let Self { ground, parts, workspaces, first, depth, remainder, x, y, z, momentum } = self;
        let (parts, next_parts) = parts.split_at(count);
        let (workspaces, next_workspaces) = workspaces.split_at_mut(count);
        let next = next_parts[0].rows.start;
        let (rows, nx) = (next - first, ground.nx());
        let (depth, next_depth) = depth.split_at_mut(rows * nx);
        let (remainder, next_remainder) = remainder.split_at_mut(rows * nx);
        let (x, next_x) = x.split_at_mut(rows * (nx + 1));
        let (y, next_y) = y.split_at_mut(rows * nx);
        let (z, next_z) = z.map(|z| z.split_at_mut(rows * (nx + 1))).unzip();
        let [(east, next_east), (south, next_south)] =
            momentum.map(|q| q.split_at_mut((rows * nx).min(q.len())));
        let upper = Self {
            ground,
            parts,
            workspaces,
            first,
            depth,
            remainder,
            x,
            y,
            z,
            momentum: [east, south],
        };
        let lower = Self {
            ground,
            parts: next_parts,
            workspaces: next_workspaces,
            first: next,
            depth: next_depth,
            remainder: next_remainder,
            x: next_x,
            y: next_y,
            z: next_z,
            momentum: [next_east, next_south],
        };
        [upper, lower]
    }

    fn only(self) -> (Strip<'a>, &'a mut [Kept]) {
        let Self { ground, parts, workspaces, first: from, depth, remainder, x, y, z, momentum } =
            self;
        let (rows, nx) = (&parts[0].rows, ground.nx());
        let StripWorkspace { halos: [halo, halo_rest, halo_x, halo_y, halo_z], kept } =
            &mut workspaces[0];
        let (first, count) = (rows.start, rows.len());
        // The last row of faces is the edge of the grid, or the first once more.
        let faces = count + usize::from(rows.end == ground.ny() && !ground.joined[1]);
        let strip = Strip {
            ground,
            depth: Rows::new(nx, first, cut(depth, nx, first - from, count), halo),
            remainder: Rows::new(nx, first, cut(remainder, nx, first - from, count), halo_rest),
            x: Rows::new(nx + 1, first, cut(x, nx + 1, first - from, count), halo_x),
            y: Rows::new(nx, first, cut(y, nx, first - from, faces), halo_y),
            z: z.map(|z| Rows::new(nx + 1, first, cut(z, nx + 1, first - from, faces), halo_z)),
            momentum: Momenta {
                first,
                width: nx,
                parts: momentum.map(|q| match q.is_empty() {
                    true => q,
                    false => cut(q, nx, first - from, count),
                }),
            },
        };
        (strip, kept)
    }
}

fn cut(all: &mut [f32], width: usize, skipped: usize, count: usize) -> &mut [f32] {
    &mut all[skipped * width..(skipped + count) * width]
}

impl StripWorkspace {
    fn fit(&mut self, nx: usize, rows: usize, steps: usize) {
        self.kept.resize_with(self.kept.len().max(steps), Kept::default);
        self.kept[..steps].iter_mut().for_each(|kept| kept.fit(nx, rows));
    }

    fn fill_halos(
        &mut self,
        state: &State,
        step: &Step,
        halo: usize,
        (part, runs): (&Part, &[Run]),
    ) {
        let ny = state.bed.ny();
        let ground = Ground::of(state, step);
        let (first, end, halo) = (part.rows.start as isize, part.rows.end as isize, halo as isize);
        let joined = ground.joined[1];
        let above = if joined { first - halo } else { (first - halo).max(0) }..first;
        // There is a row of faces more than of cells.
        let below = |rows: isize| end..if joined { end + halo } else { (end + halo).min(rows) };
        let fields = [
            (Some(&state.depth), ny),
            (Some(&state.remainder), ny),
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
    let mut levels =
        kept.iter_mut().zip(steps).zip(drives).zip(1..).map(|(((kept, step), drive), number)| {
            let more = 2 * (count - number);
            let (from, to) = (own.start - more, own.end + more);
            let rows = if strip.ground.joined[1] { from..to } else { from.max(0)..to.min(ny) };
            Level { drive, to_depth: step.to_depth(), rows, own: own.clone(), kept }
        });
    let mut levels: [Option<Level<D>>; MOST] = std::array::from_fn(|_| levels.next());
    let beyond = 2 * count;
    for front in own.start - beyond..own.end + 2 * beyond {
        for (level, number) in levels.iter_mut().flatten().zip(0..) {
            level.advance(strip, front - 2 * number, run);
        }
    }
}
