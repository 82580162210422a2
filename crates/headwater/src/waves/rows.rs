//! The fast path of a step: row by row, so that a row's loops vectorise; bands of rows over threads;
//! runs of columns at rest left out. Equal to the plain loops in every bit.

use super::context::Step;
use super::params::EdgeKind;
use super::state::State;
use super::tiles::{self, Look, Tile, Tiles};
use crate::field::Field;
use crate::lattice::Edge;
use crate::parallel;

/// Columns `from..to` of the cells.
type Run = (usize, usize);

/// A band of rows that one task moves.
struct Band<'a> {
    /// Its first row.
    y0: usize,
    height: &'a mut [f32],
    flux_x: &'a mut [f32],
    /// The y-faces between its rows.
    inner: &'a mut [f32],
    /// The y-faces on its north side, already moved.
    north: &'a [f32],
    /// The y-faces on its south side, already moved.
    south: &'a [f32],
    runs: &'a [Run],
    /// Its tiles, to be written at a look.
    own: &'a mut [Tile],
}

/// Moves the surface by a step. `head` is what pushes, in place of the surface itself. `look` says
/// that the tiles are to be looked at.
pub(super) fn drive(
    state: &mut State,
    tiles: &mut Tiles,
    step: &Step,
    head: Option<&Field<f32>>,
    look: Option<Look>,
) {
    let (nx, ny) = (state.height.nx(), state.height.ny());
    tiles.fit(nx, ny);
    let periodic = |edge| step.edges.kind(edge) == EdgeKind::Periodic;
    let runs = tiles.runs(nx, [periodic(Edge::West), periodic(Edge::North)]);
    let State { height, flux_x, flux_y, .. } = state;
    push_seams(flux_y, head.unwrap_or(height), step, &runs);

    let mut tasks = Vec::with_capacity(runs.len());
    let (first, mut rest) = flux_y.as_mut_slice().split_at_mut(nx);
    let mut north: &[f32] = first;
    let bands = height
        .as_mut_slice()
        .chunks_mut(tiles::HEIGHT * nx)
        .zip(flux_x.as_mut_slice().chunks_mut(tiles::HEIGHT * (nx + 1)))
        .zip(tiles.bands().zip(&runs));
    for (band, ((height, flux_x), (own, runs))) in bands.enumerate() {
        let (inner, below) = rest.split_at_mut(height.len() - nx);
        let (south, after) = below.split_at_mut(nx);
        let south: &[f32] = south;
        if !runs.is_empty() {
            let y0 = band * tiles::HEIGHT;
            tasks.push(Band { y0, height, flux_x, inner, north, south, runs, own });
        }
        (north, rest) = (south, after);
    }
    parallel::for_each_task(tasks, |band| move_band(band, nx, step, head, look));
}

/// Moves the y-faces between bands, which two bands will read, and those on the rim.
fn push_seams(flux_y: &mut Field<f32>, pushing: &Field<f32>, step: &Step, runs: &[Vec<Run>]) {
    let ny = pushing.ny();
    let level = vec![0.0; pushing.nx()];
    let outside = |edge, across: usize| match step.edges.kind(edge) {
        EdgeKind::Periodic => pushing.row(across),
        _ => level.as_slice(),
    };
    for seam in 0..=runs.len() {
        let y = (seam * tiles::HEIGHT).min(ny);
        let north = if y > 0 { pushing.row(y - 1) } else { outside(Edge::North, ny - 1) };
        let south = if y < ny { pushing.row(y) } else { outside(Edge::South, 0) };
        let above = if seam > 0 { runs[seam - 1].as_slice() } else { &[] };
        let below = runs.get(seam).map_or(&[][..], Vec::as_slice);
        for (from, to) in either(above, below) {
            push_y(flux_y.row_mut(y), north, south, step, y, ny, from..to);
        }
    }
}

/// The columns in one list of runs or the other.
fn either(a: &[Run], b: &[Run]) -> Vec<Run> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    let mut runs: Vec<Run> = Vec::new();
    for (from, to) in all {
        match runs.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => runs.push((from, to)),
        }
    }
    runs
}

fn move_band(band: Band, nx: usize, step: &Step, head: Option<&Field<f32>>, look: Option<Look>) {
    let Band { y0, height, flux_x, inner, north, south, runs, own } = band;
    let rows = height.len() / nx;
    let ny = step.rows;
    for i in 0..rows {
        let y = y0 + i;
        let fx = &mut flux_x[i * (nx + 1)..(i + 1) * (nx + 1)];
        let (upper, lower) = height.split_at_mut((i + 1) * nx);
        let cells = &mut upper[i * nx..];
        // All of a row's faces first: the last one of a periodic row looks at its first cell.
        for &(from, to) in runs {
            let pushing = head.map_or(&*cells, |head| head.row(y));
            push_x(fx, pushing, step, y, from..to);
            if i + 1 < rows {
                let next = head.map_or(&lower[..nx], |head| head.row(y + 1));
                let faces = &mut inner[i * nx..(i + 1) * nx];
                push_y(faces, pushing, next, step, y + 1, ny, from..to);
            }
        }
        let above = if i == 0 { north } else { &inner[(i - 1) * nx..i * nx] };
        let below = if i + 1 == rows { south } else { &inner[i * nx..(i + 1) * nx] };
        for &(from, to) in runs {
            settle(&mut cells[from..to], &fx[from..=to], &above[from..to], &below[from..to], step);
        }
    }
    let Some(look) = look else { return };
    for (i, tile) in own.iter_mut().enumerate() {
        let from = i * tiles::WIDTH;
        let to = (from + tiles::WIDTH).min(nx);
        if runs.iter().any(|run| run.0 <= from && to <= run.1) {
            let any = |faces: &[f32]| faces.iter().any(|&f| f != 0.0);
            let moves = flux_x.chunks_exact(nx + 1).any(|row| any(&row[from..=to]))
                || inner.chunks_exact(nx).any(|row| any(&row[from..to]))
                || any(&north[from..to])
                || any(&south[from..to]);
            *tile = look.note(*tile, moves);
        }
    }
}

/// Moves the x-faces of row `y` on both sides of the cells in `run`.
fn push_x(flux: &mut [f32], pushing: &[f32], step: &Step, y: usize, run: std::ops::Range<usize>) {
    let nx = pushing.len();
    let rule = step.rule;
    let (first, last) = (run.start.max(1), run.end.min(nx - 1));
    if first <= last {
        let (before, after) = (&pushing[first - 1..last], &pushing[first..=last]);
        match &step.medium.map {
            None => push(&mut flux[first..=last], before, after, step),
            Some(gains) => {
                let gains = &gains.x.row(y)[first..=last];
                push_through(&mut flux[first..=last], before, after, gains, step);
            }
        }
    }
    let mut on_rim = |edge, face: usize, before, after| {
        let outside = match step.edges.kind(edge) {
            EdgeKind::Periodic => [before, after],
            _ if face == 0 => [0.0, after],
            _ => [before, 0.0],
        };
        let gain = step.medium.gain_x(rule, face, y, nx);
        flux[face] = rule.push(flux[face], outside[0], outside[1], gain);
    };
    let [west, east] = [pushing[0], pushing[nx - 1]];
    if run.start == 0 {
        on_rim(Edge::West, 0, east, west);
    }
    if run.end == nx {
        on_rim(Edge::East, nx, east, west);
    }
}

/// Moves the y-faces of row `y` of faces over the cells in `run`.
fn push_y(
    flux: &mut [f32],
    north: &[f32],
    south: &[f32],
    step: &Step,
    y: usize,
    ny: usize,
    run: std::ops::Range<usize>,
) {
    let (flux, north, south) = (&mut flux[run.clone()], &north[run.clone()], &south[run.clone()]);
    match &step.medium.map {
        Some(gains) => push_through(flux, north, south, &gains.y.row(y)[run], step),
        None if 0 < y && y < ny => push(flux, north, south, step),
        None => {
            let gain = step.medium.gain_y(step.rule, 0, y, ny);
            for ((flux, north), south) in flux.iter_mut().zip(north).zip(south) {
                *flux = step.rule.push(*flux, *north, *south, gain);
            }
        }
    }
}

/// Moves a row of open faces of one gain.
fn push(flux: &mut [f32], before: &[f32], after: &[f32], step: &Step) {
    let rule = *step.rule;
    let n = flux.len();
    let (before, after) = (&before[..n], &after[..n]);
    for i in 0..n {
        flux[i] = rule.push(flux[i], before[i], after[i], rule.gain);
    }
}

/// Moves a row of faces with a gain each.
fn push_through(flux: &mut [f32], before: &[f32], after: &[f32], gains: &[f32], step: &Step) {
    let rule = *step.rule;
    let n = flux.len();
    let (before, after, gains) = (&before[..n], &after[..n], &gains[..n]);
    for i in 0..n {
        flux[i] = rule.push(flux[i], before[i], after[i], gains[i]);
    }
}

/// Moves the heights of a row by what crosses their faces.
fn settle(height: &mut [f32], flux_x: &[f32], north: &[f32], south: &[f32], step: &Step) {
    let rule = *step.rule;
    let n = height.len();
    let (west, east) = (&flux_x[..n], &flux_x[1..=n]);
    let (north, south) = (&north[..n], &south[..n]);
    for i in 0..n {
        height[i] = rule.settle(height[i], west[i], east[i], north[i], south[i]);
    }
}
