//! Vessels: how much of the water of free columns goes up and down as a whole with what is under a ceiling
//! beside them.

use super::layout::Layout;
use super::pressure::{Heads, Step};
use super::state::State;
use crate::spare::Lent;

/// A vessel wider than this many times its depth is a lake: what comes in spreads along its surface.
const LAKE: f64 = 1.0;

/// Free columns that are connected, and those of their pool.
pub(super) struct Run {
    pub(super) columns: std::ops::Range<usize>,
    pub(super) pool: std::ops::Range<usize>,
}

/// The run that stands for all those joined with one.
fn root(of: &[usize], mut run: usize) -> usize {
    while of[run] != run {
        run = of[run];
    }
    run
}

impl Heads {
    /// How wide (m) the surface is that each run of free columns is a part of: with all others that it meets
    /// at joints above which there is air. Beyond the pools that are pressed it has no end.
    pub(super) fn widths<'s>(&self, step: &Step<'s>, state: &State, runs: &[Run]) -> Lent<'s, f64> {
        let Step { layout, spare, .. } = *step;
        let mut of = spare.collect(0..runs.len());
        let mut wide = spare.filled(runs.len(), false);
        let run_at = |column: usize| {
            let run = runs.partition_point(|run| run.columns.end <= column);
            runs.get(run).filter(|run| run.columns.contains(&column)).map(|_| run)
        };
        for (number, joint) in layout.joints.iter().enumerate() {
            let ends = [joint.left, joint.right];
            let surfaces = ends.map(|c| layout.floor[c] + state.depth[c]);
            let meet = surfaces.iter().all(|&s| joint.sill < s && s <= joint.lintel);
            if !meet || !step.open[number] {
                continue;
            }
            match ends.map(run_at) {
                [Some(a), Some(b)] => {
                    let (a, b) = (root(&of, a), root(&of, b));
                    of[a.max(b)] = a.min(b);
                    wide[a.min(b)] |= wide[a.max(b)];
                }
                [Some(run), None] | [None, Some(run)] => wide[root(&of, run)] = true,
                [None, None] => {}
            }
        }
        let mut sums = spare.filled(runs.len(), 0.0);
        for (i, run) in runs.iter().enumerate() {
            let own = run.columns.len() as f64 * layout.width;
            sums[root(&of, i)] += own;
        }
        let width = |i| match root(&of, i) {
            root if wide[root] => f64::INFINITY,
            root => sums[root],
        };
        spare.collect((0..runs.len()).map(width))
    }

    /// Says how much of the water of a run of free columns goes up and down as a whole, with the surface that it
    /// is a part of so wide (m): all where the vessel is narrow, little where it is wide. What lies within the
    /// opening at its foot goes half as far.
    pub(super) fn hold_vessel(&mut self, layout: &Layout, state: &State, run: &Run, width: f64) {
        let Run { columns: run, pool } = run;
        let mean = run.clone().map(|c| f64::from(state.depth[c])).sum::<f64>() / run.len() as f64;
        let mean = mean * layout.quantum;
        if width > LAKE * mean {
            return;
        }
        let slimness = mean * mean / (mean * mean + width * width);
        let mut opening = 0;
        if run.start > pool.start && self.full[run.start - 1] {
            opening = opening_below(layout, run.start - 1, run.start);
        }
        if run.end < pool.end && self.full[run.end] {
            opening = opening.max(opening_below(layout, run.end - 1, run.end));
        }
        // The mean of all: were it each column's own, columns that swing against one another would feed
        // on its change.
        let within = (0.5 * layout.metres(opening)).min(0.5 * mean);
        self.held[run.clone()].fill(true);
        self.mass[run.clone()].fill((slimness * (mean - within)) as f32);
    }
}

/// Whether the water of two neighbouring columns is one over the sill between them.
pub(super) fn are_connected(layout: &Layout, state: &State, i: usize, j: usize) -> bool {
    let sill = layout.floor[i].max(layout.floor[j]);
    [i, j].iter().all(|&c| layout.floor[c] + state.depth[c] > sill)
}

fn opening_below(layout: &Layout, i: usize, j: usize) -> i32 {
    layout.ceiling[i].min(layout.ceiling[j]) - layout.floor[i].max(layout.floor[j])
}
