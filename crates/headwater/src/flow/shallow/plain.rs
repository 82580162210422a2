//! The shallow-water equations as plain loops, cell by cell and face by face: the oracle of
//! [`super::rows`].

use super::{
    Coefficients, Half, HalfSlopes, Moved, Side, Water, between, edge, ground, half_slopes,
    half_step, incline, push, side,
};
use crate::field::Field;
use crate::flow::context::Step;
use crate::flow::state::{Closed, State};
use crate::flow::workspace::Workspace;
use crate::lattice::Edge;

/// A cell half a step later, with its half-slopes in both directions, each in its own direction's view.
#[derive(Clone, Copy)]
struct Cell {
    half: Half,
    x: HalfSlopes,
    y: HalfSlopes,
}

/// Stages 1 to 6: sets the discharge over every face, and what it does to momentum.
pub(in crate::flow) fn drive(state: &mut State, workspace: &mut Workspace, step: &Step) {
    let State { bed, depth, discharge_x, discharge_y, closed, momentum, .. } = state;
    let Some(q) = momentum else { return };
    let (nx, ny) = (bed.nx(), bed.ny());
    let c = Coefficients::new(step);
    let water = Field::from_fn(nx, ny, |x, y| {
        let at = (x, y);
        Water::new(bed[at], depth[at], q.x[at], q.y[at])
    });

    // 1 and 2. Half-slopes and the half-step.
    let cells = Field::from_fn(nx, ny, |x, y| {
        let here = water[(x, y)];
        let [west, east, north, south] = around(&water, closed, step, x, y);
        let slopes_x = half_slopes(west, here, east, c.gravity);
        let slopes_y = half_slopes(north, here.turned(), south, c.gravity);
        let n = step.roughness.at(x, y);
        let drag = ground::half_drag(here.h, n, c.g_dt);
        let half = half_step(here, slopes_x, slopes_y.turned(), drag, &c);
        Cell { half, x: slopes_x, y: slopes_y }
    });

    // 3 to 5. Sides and fluxes.
    let side_x = |x: usize, y: usize, to: f32| {
        let Cell { half, x: slopes, .. } = cells[(x, y)];
        side(bed[(x, y)], half, slopes, to)
    };
    let side_y = |x: usize, y: usize, to: f32| {
        let Cell { half, y: slopes, .. } = cells[(x, y)];
        side(bed[(x, y)], half.turned(), slopes, to)
    };
    let inner = |before: (usize, usize), after: (usize, usize), l: Side, r: Side| {
        let shut = [before, after].map(|(x, y)| closed.contains(x, y));
        between(l, r, shut, c.gravity)
    };
    let (west, east) = (step.edges.along(Edge::West), step.edges.along(Edge::East));
    let joined = step.edges.joined;
    let faces_x = Field::from_fn(nx + 1, ny, |x, y| match x {
        _ if joined.x && x % nx == 0 => {
            inner((nx - 1, y), (0, y), side_x(nx - 1, y, 1.0), side_x(0, y, -1.0))
        }
        0 => edge::outward(west[y], side_x(0, y, -1.0).mirrored(), c.gravity).mirrored(),
        _ if x == nx => edge::outward(east[y], side_x(x - 1, y, 1.0), c.gravity),
        _ => inner((x - 1, y), (x, y), side_x(x - 1, y, 1.0), side_x(x, y, -1.0)),
    });
    let (north, south) = (step.edges.along(Edge::North), step.edges.along(Edge::South));
    let faces_y = Field::from_fn(nx, ny + 1, |x, y| match y {
        _ if joined.y && y % ny == 0 => {
            inner((x, ny - 1), (x, 0), side_y(x, ny - 1, 1.0), side_y(x, 0, -1.0))
        }
        0 => edge::outward(north[x], side_y(x, 0, -1.0).mirrored(), c.gravity).mirrored(),
        _ if y == ny => edge::outward(south[x], side_y(x, y - 1, 1.0), c.gravity),
        _ => inner((x, y - 1), (x, y), side_y(x, y - 1, 1.0), side_y(x, y, -1.0)),
    });
    for y in 0..ny {
        for x in 0..=nx {
            let (before, after) = match x {
                _ if joined.x && x % nx == 0 => (nx - 1, 0),
                _ => (x.max(1) - 1, x.min(nx - 1)),
            };
            let shut = closed.contains(before, y) || closed.contains(after, y);
            let volume = if shut { 0.0 } else { faces_x[(x, y)].volume };
            discharge_x[(x, y)] = volume * c.width_x;
        }
    }
    for y in 0..=ny {
        for x in 0..nx {
            let (before, after) = match y {
                _ if joined.y && y % ny == 0 => (ny - 1, 0),
                _ => (y.max(1) - 1, y.min(ny - 1)),
            };
            let shut = closed.contains(x, before) || closed.contains(x, after);
            let volume = if shut { 0.0 } else { faces_y[(x, y)].volume };
            discharge_y[(x, y)] = volume * c.width_y;
        }
    }

    // 6. What all this does to momentum.
    let pushes = workspace.pushes(nx * ny);
    for y in 0..ny {
        for x in 0..nx {
            let Cell { half, x: slopes_x, y: slopes_y } = cells[(x, y)];
            let (west, east) = (faces_x[(x, y)], faces_x[(x + 1, y)]);
            let (north, south) = (faces_y[(x, y)], faces_y[(x, y + 1)]);
            let slope = incline(half.h, slopes_x.w, c.gravity);
            let per = [c.per_x, c.per_y];
            pushes[0][y * nx + x] =
                push(west.after, east.before, north.along, south.along, slope, per);
            let slope = incline(half.h, slopes_y.w, c.gravity);
            let per = [c.per_y, c.per_x];
            pushes[1][y * nx + x] =
                push(north.after, south.before, west.along, east.along, slope, per);
        }
    }
}

/// The water around a cell, in the order west, east, north, south; each as its direction sees it.
fn around(water: &Field<Water>, closed: &Closed, step: &Step, x: usize, y: usize) -> [Water; 4] {
    let (nx, ny) = (water.nx(), water.ny());
    let here = water[(x, y)];
    let open = |x: usize, y: usize| (!closed.contains(x, y)).then(|| water[(x, y)]);
    let edge = |edge: Edge, i: usize, here: Water, inner: (usize, usize)| {
        edge::beyond(step.edges.along(edge)[i], here, water[inner].z)
    };
    let inside_x = |x: usize| open(x, y).unwrap_or(here.mirrored());
    let inside_y = |y: usize| open(x, y).map_or(here.turned().mirrored(), Water::turned);
    let joined = step.edges.joined;
    let beside = |at: (usize, usize)| joined.wrap(at, nx, ny);
    let (west, east) = (beside((x.wrapping_sub(1), y)).0, beside((x + 1, y)).0);
    let (north, south) = (beside((x, y.wrapping_sub(1))).1, beside((x, y + 1)).1);
    [
        if west < nx { inside_x(west) } else { edge(Edge::West, y, here, (1.min(nx - 1), y)) },
        if east < nx { inside_x(east) } else { edge(Edge::East, y, here, (x.max(1) - 1, y)) },
        if north < ny {
            inside_y(north)
        } else {
            edge(Edge::North, x, here.turned(), (x, 1.min(ny - 1)))
        },
        if south < ny {
            inside_y(south)
        } else {
            edge(Edge::South, x, here.turned(), (x, y.max(1) - 1))
        },
    ]
}

/// Stage 7: new momentum, once the water has moved.
pub(in crate::flow) fn update_momentum(state: &mut State, workspace: &mut Workspace, step: &Step) {
    let State { depth, closed, momentum, .. } = state;
    let Some(q) = momentum else { return };
    let (nx, ny) = (depth.nx(), depth.ny());
    let c = Coefficients::new(step);
    let Workspace { fed, depth: Some(before), pushes, .. } = workspace else { return };
    for y in 0..ny {
        for x in 0..nx {
            let (at, i) = ((x, y), y * nx + x);
            let moved = Moved {
                before: before[at],
                now: depth[at],
                fed: fed[i],
                q: [q.x[at], q.y[at]],
                push: [pushes[0][i], pushes[1][i]],
            };
            let drag = ground::drag(depth[at], step.roughness.at(x, y), c.g_dt);
            let new = super::momentum(moved, drag, &c);
            let [qx, qy] = if closed.contains(x, y) { [0.0, 0.0] } else { new };
            (q.x[at], q.y[at]) = (qx, qy);
        }
    }
}
