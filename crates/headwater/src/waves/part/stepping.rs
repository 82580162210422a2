//! [`Part`]: some rows of a world of waves, stepped with the help of its peers.

use super::share::{HALO, Share, part_of};
use crate::error::InputError;
use crate::field::Field;
use crate::part::{Peers, take_over};
use crate::waves::absorbing;
use crate::waves::context::Step;
use crate::waves::device::Stirred;
use crate::waves::pass;
use crate::waves::tiles::{self, Tiles};
use crate::waves::world::Waves;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What came over edges in the rows of a part, step by step, since its log was last taken.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Log {
    /// Over pinned edges and by absorbing layers, each by itself (m, summed over cells).
    pub(super) steps: Vec<[f64; 2]>,
}

/// The rows of a part as they have become.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartRows {
    /// Which rows of the grid they are.
    pub(super) rows: Range<usize>,
    /// Heights, fluxes and what absorbing layers know, row by row; of y-faces, those to the north of each row, of the last part those to
    /// the south of its last row too.
    pub(super) fields: Vec<Numbers>,
    pub(super) steps: u64,
}

/// A list of numbers, serialized as a run of bytes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Numbers(#[serde(with = "crate::numbers")] pub(super) Vec<f32>);

/// The fields of a world that steps change, and whether there is one row more of them than of cells.
pub(super) fn fields(waves: &Waves) -> impl Iterator<Item = (&Field<f32>, bool)> {
    let state = &waves.state;
    let parts = waves.parts.iter().flat_map(|parts| [(&parts.x, false), (&parts.y, false)]);
    [(&state.height, false), (&state.flux_x, false), (&state.flux_y, true)].into_iter().chain(parts)
}

/// The same fields, to be changed.
pub(super) fn fields_mut(
    waves: &mut Waves,
) -> (impl Iterator<Item = (&mut Field<f32>, bool)>, &mut Tiles) {
    let Waves { state, parts, tiles, .. } = waves;
    let parts = parts.iter_mut().flat_map(|parts| [(&mut parts.x, false), (&mut parts.y, false)]);
    let own = [(&mut state.height, false), (&mut state.flux_x, false), (&mut state.flux_y, true)];
    (own.into_iter().chain(parts), tiles)
}

/// Some rows of a world of waves: see [`Waves::share`].
#[derive(Debug)]
pub struct Part {
    /// A world over the part's rows and its halo.
    waves: Waves,
    /// The part's rows on the grid.
    rows: Range<usize>,
    /// The part's own rows, among those that it steps.
    own: Range<usize>,
    /// How many rows the grid has.
    of: usize,
    /// Whether there are other parts to the north and south.
    beside: [bool; 2],
    /// For how many steps the halo is good.
    good: usize,
    log: Log,
    /// Rows sent and received.
    buffers: [[Vec<f32>; 2]; 2],
}

impl Part {
    /// The part that a share is of.
    ///
    /// # Errors
    /// [`InputError`] if its parts do not fit one another or hold impossible numbers.
    pub fn new(share: Share) -> Result<Self, InputError> {
        let Share { world, rows, own, of, beside, absorbing } = share;
        let waves = world.into_part(absorbing)?;
        if own.end > waves.lattice.ny() || own.len() != rows.len() {
            return Err(InputError::snapshot("its rows are not those of its share"));
        }
        let buffers = Default::default();
        Ok(Self { waves, rows, own, of, beside, good: HALO, log: Log::default(), buffers })
    }

    /// Steps done since the start.
    pub fn steps(&self) -> u64 {
        self.waves.steps
    }

    /// Does steps as [`Waves::step_many`] does them: one for each of what [stirs](Waves::stir) the surface, or if that is nothing, `count`.
    pub fn step_many(&mut self, count: u64, stirred: &[Stirred], peers: &mut dyn Peers) {
        if !stirred.is_empty() || self.waves.parts.is_some() {
            let calm = Stirred::default();
            let count = if stirred.is_empty() { count as usize } else { stirred.len() };
            for i in 0..count {
                self.swap_if_stale(1, peers);
                self.step(stirred.get(i).unwrap_or(&calm));
            }
            return;
        }
        let mut left = count;
        while left > 0 {
            let (nx, ny) = (self.waves.lattice.nx(), self.waves.lattice.ny());
            let most = pass::together(nx, ny, self.waves.steps, left);
            self.swap_if_stale(most, peers);
            left -= self.pass(most) as u64;
        }
    }

    /// Takes several steps that nothing stirs.
    fn pass(&mut self, count: usize) -> usize {
        let Self { waves, own, log, .. } = self;
        let Waves { state, rule, medium, params, tiles, steps, spare, .. } = waves;
        let step = Step { rule, medium, edges: &params.edges };
        let crossed = pass::drive(state, tiles, &step, *steps, (count, own.clone()), spare);
        log.steps.extend(crossed.into_iter().take(count).map(|came| [came, 0.0]));
        *steps += count as u64;
        self.good -= count;
        count
    }

    fn step(&mut self, stirred: &Stirred) {
        let (nx, ny) = (self.waves.lattice.nx(), self.waves.lattice.ny());
        let first = self.rows.start as isize - self.own.start as isize;
        let of = self.of;
        // A row of the grid may be twice in a small world without an end.
        let places = |cell: usize| {
            let (x, y) = (cell % nx, (cell / nx) as isize);
            let from = (y - first).rem_euclid(of as isize) as usize;
            (from..ny).step_by(of).map(move |row| (x, row))
        };
        let Self { waves, own, log, .. } = self;
        let Waves { state, rule, medium, params, tiles, absorbing, parts, steps, spare, .. } =
            waves;
        let mut woken = None;
        let mut wake = |(x, y): (usize, usize), tiles: &mut Tiles| {
            let tile = (x / tiles::WIDTH, y / tiles::HEIGHT);
            if woken.replace(tile) != Some(tile) {
                tiles.wake(x..x + 1, y..y + 1);
            }
        };
        for &(cell, rise) in &stirred.rises {
            for at in places(cell) {
                state.height[at] += rise;
                wake(at, tiles);
            }
        }
        for &(cell, head) in &stirred.heads {
            for at in places(cell) {
                state.height[at] += head;
                wake(at, tiles);
            }
        }
        let step = Step { rule, medium, edges: &params.edges };
        pass::drive(state, tiles, &step, *steps, (1, own.clone()), spare);
        for &(cell, head) in &stirred.heads {
            places(cell).for_each(|at| state.height[at] -= head);
        }
        let crossed = absorbing::crossed(state, rule, params, own.clone());
        let faded = match parts {
            Some(parts) => absorbing.fade(state, parts, rule, tiles, own),
            None => 0.0,
        };
        log.steps.push([crossed, faded]);
        *steps += 1;
        self.good -= 1;
    }

    /// Makes the halo what its owners have, if it is not good for so many more steps.
    fn swap_if_stale(&mut self, steps: usize, peers: &mut dyn Peers) {
        if self.good >= steps {
            return;
        }
        self.good = HALO;
        let Self { waves, own, beside, buffers: [to, from], .. } = self;
        // To the north go the first rows of the part, with the faces south of each, to the south the last ones, with those north.
        let last = own.end.saturating_sub(HALO)..own.end;
        let sent = [
            [own.start..own.start + HALO, own.start + 1..own.start + HALO + 1],
            [last.clone(), last],
        ];
        for (((buffer, from), rows), &other) in
            to.iter_mut().zip(&mut *from).zip(sent).zip(&*beside)
        {
            buffer.clear();
            if other {
                for (field, between) in fields(waves) {
                    let [cells, faces] = rows.clone();
                    buffer.extend_from_slice(part_of(field, if between { faces } else { cells }));
                }
            }
            // What comes is as much as what goes.
            from.resize(buffer.len(), 0.0);
        }
        let [north, south] = from;
        peers.swap(to.each_ref().map(Vec::as_slice), [&mut north[..], &mut south[..]]);
        let taken =
            [[0..HALO, 0..HALO], [own.end..own.end + HALO, own.end + 1..own.end + HALO + 1]];
        for ((buffer, rows), &other) in from.iter().zip(taken).zip(&*beside) {
            if !other {
                continue;
            }
            let mut rest = &buffer[..];
            let (fields, tiles) = fields_mut(waves);
            for (field, between) in fields {
                let [cells, faces] = rows.clone();
                let width = field.nx();
                for y in if between { faces } else { cells } {
                    let (row, more) = rest.split_at(width);
                    let wake = |x| tiles.wake(x..x + 1, y..y + 1);
                    take_over(field.row_mut(y), row, tiles::WIDTH, wake);
                    rest = more;
                }
            }
        }
    }

    /// What has come in its own rows since this was asked last, for [`Waves::book`].
    pub fn take_log(&mut self) -> Log {
        std::mem::take(&mut self.log)
    }

    /// Its own rows as they are now, for [`Waves::take_back`].
    pub fn rows(&self) -> PartRows {
        let Self { waves, rows, own, .. } = self;
        let is_last = rows.end == self.of;
        let of_field = |(field, between): (&Field<f32>, bool)| {
            let more = usize::from(is_last && between);
            Numbers(part_of(field, own.start..own.end + more).to_vec())
        };
        let fields = fields(waves).map(of_field).collect();
        PartRows { rows: rows.clone(), fields, steps: waves.steps }
    }
}
