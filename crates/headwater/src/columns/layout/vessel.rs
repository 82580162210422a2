//! Vessels: groups of columns with a free surface next to columns that are full to the ceiling. The
//! water of a vessel rises and falls as one mass.

use super::Layout;
use crate::columns::state::{State, StepContext};
use std::ops::Range;

/// Ratio of width to depth at and above which a group of columns is a lake. Inflow into a lake
/// spreads along its surface instead of lifting the water as one mass.
const LAKE_ASPECT: f64 = 2.0;

#[derive(Clone, Debug)]
pub(in crate::columns) struct NetworkPart {
    pub(in crate::columns) pool: usize,
    pub(in crate::columns) columns: Range<usize>,
}

/// Vessel: columns of a network (columns coupled by pressure) in which the water moves up and down
/// as one mass.
#[derive(Clone, Debug)]
pub(in crate::columns) struct Vessel {
    pub(in crate::columns) columns: Range<usize>,
    /// Height of the water that moves as one mass (m), greater than 0.
    pub(in crate::columns) moving_height: f32,
}

struct FreeRun {
    columns: Range<usize>,
    part: Range<usize>,
    beyond: bool,
}

fn find_root(parents: &[usize], mut run: usize) -> usize {
    while parents[run] != run {
        run = parents[run];
    }
    run
}

/// Finds the vessels (columns whose water moves as one mass) in networks. `full` specifies which
/// columns are full. Sets `collective` to the fraction of the water in each column that moves as
/// one mass.
pub(in crate::columns) fn find_vessels(
    step: &StepContext,
    state: &State,
    parts: &[NetworkPart],
    full: &[bool],
    collective: &mut [f32],
    vessels: &mut Vec<Vessel>,
) {
    let layout = step.layout;
    let mut runs = step.scratch.take_vec();
    for NetworkPart { pool, columns: part } in parts {
        let pool = &layout.pools[*pool].columns;
        let mut from = part.start;
        while from < part.end {
            let is_full = full[from];
            let mut to = from + 1;
            while to < part.end
                && full[to] == is_full
                && (is_full || are_connected(layout, state, to - 1, to))
            {
                to += 1;
            }
            collective[from..to].fill(if is_full { 1.0 } else { 0.0 });
            if !is_full && state.depth[from] > 0 {
                let west = from == part.start && from > pool.start;
                let east = to == part.end && to < pool.end;
                let beyond = west && are_connected(layout, state, from - 1, from)
                    || east && are_connected(layout, state, to - 1, to);
                runs.push(FreeRun { columns: from..to, part: part.clone(), beyond });
            }
            from = to;
        }
    }
    let mut widths = step.scratch.take_vec();
    surface_widths(step, state, &runs, &mut widths);
    for (run, &width) in runs.iter().zip(widths.iter()) {
        let mean = run.columns.clone().map(|c| f64::from(state.depth[c])).sum::<f64>();
        let mean = mean / run.columns.len() as f64 * layout.quantum;
        // The factor is 1 for a narrow vessel, and decreases with increasing width to 0 for a lake.
        let aspect = width / (LAKE_ASPECT * mean);
        let part = (1.0 - aspect * aspect).max(0.0);
        let part = part * part;
        let moving_height = (part * (mean - immobile_depth(layout, full, run, mean))) as f32;
        if moving_height > 0.0 {
            collective[run.columns.clone()].fill(part as f32);
            vessels.push(Vessel { columns: run.columns.clone(), moving_height });
        }
    }
}

/// Computes the width (m) of the connected water surface for each run of columns that are not full.
/// Connections through open joints (openings between two pools) are included. The width is infinite
/// if the surface extends beyond the networks.
fn surface_widths(step: &StepContext, state: &State, runs: &[FreeRun], widths: &mut Vec<f64>) {
    let StepContext { layout, scratch, .. } = *step;
    let mut of = scratch.take_collected(0..runs.len());
    let mut wide = scratch.take_collected(runs.iter().map(|run| run.beyond));
    let run_at = |column: usize| {
        let run = runs.partition_point(|run| run.columns.end <= column);
        runs.get(run).filter(|run| run.columns.contains(&column)).map(|_| run)
    };
    for (number, joint) in layout.joints.iter().enumerate() {
        let ends = [joint.left, joint.right];
        let surfaces = ends.map(|c| layout.floor[c] + state.depth[c]);
        let meet = surfaces.iter().all(|&s| joint.sill < s && s <= joint.lintel);
        if !meet || !step.is_joint_open[number] {
            continue;
        }
        match ends.map(run_at) {
            [Some(a), Some(b)] => {
                let (a, b) = (find_root(&of, a), find_root(&of, b));
                of[a.max(b)] = a.min(b);
                wide[a.min(b)] |= wide[a.max(b)];
            }
            [Some(run), None] | [None, Some(run)] => wide[find_root(&of, run)] = true,
            [None, None] => {}
        }
    }
    let mut sums = scratch.take_filled(runs.len(), 0.0);
    for (i, run) in runs.iter().enumerate() {
        sums[find_root(&of, i)] += run.columns.len() as f64 * layout.width;
    }
    widths.extend((0..runs.len()).map(|i| match find_root(&of, i) {
        root if wide[root] => f64::INFINITY,
        root => sums[root],
    }));
}

/// Returns the part of a run's water that does not rise with the rest, as a depth (m). It is half
/// the height of the opening at the foot of the run, but at most half the mean depth `mean` (m).
fn immobile_depth(layout: &Layout, full: &[bool], run: &FreeRun, mean: f64) -> f64 {
    let below = |i: usize, j: usize| {
        layout.ceiling[i].min(layout.ceiling[j]) - layout.floor[i].max(layout.floor[j])
    };
    let FreeRun { columns, part, .. } = run;
    let mut opening = 0;
    if columns.start > part.start && full[columns.start - 1] {
        opening = below(columns.start - 1, columns.start);
    }
    if columns.end < part.end && full[columns.end] {
        opening = opening.max(below(columns.end - 1, columns.end));
    }
    (0.5 * layout.to_metres(opening)).min(0.5 * mean)
}

/// Returns how many columns, counted from one end of a pool under the open sky, belong to a network
/// (columns coupled by pressure). If the connected water at this end is wide compared with its
/// depth, it is a lake, and only `min_columns` columns belong to the network. Otherwise the water
/// moves as one mass, and all of its columns do.
pub(in crate::columns) fn shore_columns(
    layout: &Layout,
    state: &State,
    pool: &Range<usize>,
    is_west_end: bool,
    min_columns: usize,
) -> usize {
    let at = |i: usize| if is_west_end { pool.start + i } else { pool.end - 1 - i };
    let mut sum = 0.0;
    for i in 0..pool.len() {
        let [a, b] = [at(i.saturating_sub(1)), at(i)];
        if i > 0 && !are_connected(layout, state, a.min(b), a.max(b)) {
            return i.max(min_columns).min(pool.len());
        }
        sum += layout.to_metres(state.depth[at(i)]);
        let width = (i + 1) as f64 * layout.width;
        if i >= min_columns && width > LAKE_ASPECT * sum / (i + 1) as f64 {
            return min_columns;
        }
    }
    pool.len()
}

/// Returns whether the water in two neighbouring columns is connected over the sill between them.
fn are_connected(layout: &Layout, state: &State, first: usize, second: usize) -> bool {
    let sill = layout.floor[first].max(layout.floor[second]);
    [first, second].iter().all(|&c| layout.floor[c] + state.depth[c] > sill)
}
