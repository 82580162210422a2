//! Fast path: all degrees of the filter, and the face fluxes, in one pass over the surface.
//!
//! Degree k of a row needs degree k − 1 of it and its neighbours. So each degree follows one row
//! behind the previous one, and only three rows of each are stored, in cache. A task processes a
//! strip of rows, and recomputes what it needs beyond its ends.

use super::super::context::Step;
use super::super::medium::Gains;
use super::super::params::EdgeKind;
use super::super::rows::{fluxes_x, fluxes_y, on_east, on_west};
use super::super::state::State;
use super::around::Rows;
use super::filter::Filter;
use super::loops;
use crate::field::Field;
use crate::lattice::Edge;
use crate::parallel::{for_each_part, for_each_row, num_threads};
use crate::scratch::ScratchPool;
use std::ops::Range;

/// Fewest rows of a strip. Each end recomputes as many rows as the filter has degrees.
const FEWEST: usize = 64;

pub(in super::super) fn drive(
    filter: &Filter,
    state: &mut State,
    step: &Step,
    scratch: &ScratchPool,
) {
    let State { height, flux_x, flux_y, .. } = state;
    let (nx, ny) = (height.nx(), height.ny());
    // One thread is fastest with one strip.
    let strips = if num_threads() == 1 { 1 } else { (ny / FEWEST).clamp(1, 4 * num_threads()) };
    let bounds = scratch.collect((0..=strips).map(|i| i * ny / strips));
    let level = scratch.filled(nx, 0.0);
    let course = Course {
        step,
        joined: step.edges.kind(Edge::North) == EdgeKind::Periodic,
        z: height,
        level: &level,
    };
    let all = Strips {
        nx,
        bounds: &bounds,
        flux_x: flux_x.as_mut_slice(),
        flux_y: flux_y.as_mut_slice(),
    };
    for_each_part(all, strips, &Strips::split, &|strip: Strips| {
        let mut room = scratch.take::<Room>();
        room.fit(filter, nx);
        strip.walk(&course, &mut room);
    });
    let (flux_x, flux_y) = (&*flux_x, &*flux_y);
    for_each_row(height.as_mut_slice(), nx, |y, height| {
        let (north, south) = (flux_y.row(y), flux_y.row(y + 1));
        super::super::loops::heights(step.rule, flux_x.row(y), north, south, height);
    });
}

struct Course<'a> {
    step: &'a Step<'a>,
    joined: bool,
    z: &'a Field<f32>,
    level: &'a [f32],
}

impl Course<'_> {
    fn row(&self, y: isize) -> usize {
        y.rem_euclid(self.z.ny() as isize) as usize
    }

    fn has(&self, y: isize) -> bool {
        self.joined || (0..self.z.ny() as isize).contains(&y)
    }

    /// Returns a row and its neighbours, of a field whose rows are given by `of`.
    fn around<'b>(&self, y: isize, of: impl Fn(isize) -> &'b [f32]) -> Rows<'b> {
        let beside = |y| self.has(y).then(|| of(y));
        Rows { y: self.row(y), north: beside(y - 1), own: of(y), south: beside(y + 1) }
    }
}

#[derive(Default)]
struct Room {
    terms: Vec<f32>,
    /// Three rows of T of each degree, from 1.
    degrees: Vec<f32>,
    /// Partial sums over degrees: one row for each row in progress, and one finished row.
    sums: Vec<f32>,
}

impl Room {
    fn fit(&mut self, filter: &Filter, nx: usize) {
        self.terms.clear();
        self.terms.extend(filter.terms.iter().map(|&term| term as f32));
        let degrees = self.terms.len() - 1;
        self.degrees.resize(3 * degrees * nx, 0.0);
        self.sums.resize((degrees + 1) * nx, 0.0);
    }

    fn sum(&self, y: isize, nx: usize) -> Range<usize> {
        place(y, self.terms.len(), nx)
    }

    fn head(&self, y: isize, nx: usize) -> &[f32] {
        &self.sums[self.sum(y, nx)]
    }

    fn work(&mut self, course: &Course, k: usize, y: isize) {
        let nx = course.z.nx();
        let sum = self.sum(y, nx);
        let Self { terms, degrees, sums } = self;
        let sum = &mut sums[sum];
        let (lower, own) = degrees.split_at_mut(3 * (k - 1) * nx);
        let t = &mut own[place(y, 3, nx)];
        let of = |degree: usize, y: isize| match degree {
            0 => course.z.row(course.row(y)),
            _ => &lower[3 * (degree - 1) * nx..][place(y, 3, nx)],
        };
        let rows = course.around(y, |y| of(k - 1, y));
        let before = (k > 1).then(|| of(k - 2, y));
        let mut single = |x: usize| {
            let around = rows.sum(course.step, x);
            match before {
                None => {
                    t[x] = 0.25 * around;
                    sum[x] = terms[0] * rows.own[x] + terms[1] * t[x];
                }
                Some(before) => {
                    t[x] = 0.5 * around - before[x];
                    sum[x] += terms[k] * t[x];
                }
            }
        };
        let (Some(north), Some(south), true) = (rows.north, rows.south, nx > 2) else {
            (0..nx).for_each(single);
            return;
        };
        single(0);
        single(nx - 1);
        let inner = 1..nx - 1;
        let three = [&north[inner.clone()], rows.own, &south[inner.clone()]];
        let (t, sum) = (&mut t[inner.clone()], &mut sum[inner.clone()]);
        let gains = course.step.medium.map.as_ref().map(|Gains { x, y }| {
            let of_y = |at: usize| &y.row(at)[inner.clone()];
            [&x.row(rows.y)[1..nx], of_y(rows.y), of_y(rows.y + 1)]
        });
        match (before, gains) {
            (None, None) => loops::first(three, [terms[0], terms[1]], t, sum),
            (None, Some(gains)) => {
                loops::first_through(gains, three, [terms[0], terms[1]], t, sum);
            }
            (Some(before), None) => loops::next(three, &before[inner], terms[k], t, sum),
            (Some(before), Some(gains)) => {
                loops::next_through(gains, three, &before[inner], terms[k], t, sum);
            }
        }
    }
}

fn place(y: isize, of: usize, nx: usize) -> Range<usize> {
    let at = y.rem_euclid(of as isize) as usize * nx;
    at..at + nx
}

/// Strips of rows: their first rows, and the end of the last; the x-faces of their rows, and the
/// y-faces north of them. The last strip also has the y-faces on its south.
struct Strips<'a> {
    nx: usize,
    bounds: &'a [usize],
    flux_x: &'a mut [f32],
    flux_y: &'a mut [f32],
}

impl Strips<'_> {
    fn split(self, count: usize) -> [Self; 2] {
        let Self { nx, bounds, flux_x, flux_y } = self;
        let rows = bounds[count] - bounds[0];
        let (flux_x, other_x) = flux_x.split_at_mut(rows * (nx + 1));
        let (flux_y, other_y) = flux_y.split_at_mut(rows * nx);
        [
            Self { nx, bounds: &bounds[..=count], flux_x, flux_y },
            Self { nx, bounds: &bounds[count..], flux_x: other_x, flux_y: other_y },
        ]
    }

    fn walk(self, course: &Course, room: &mut Room) {
        let ny = course.z.ny() as isize;
        let (first, end) = (self.bounds[0] as isize, self.bounds[1] as isize);
        // Rows whose `G·z` is needed.
        let from = if course.has(first - 1) { first - 1 } else { first };
        let to = if end == ny && course.joined { end + 1 } else { end };
        let degrees = room.terms.len() - 1;
        let asked = |k: usize| {
            let reach = (degrees - k) as isize;
            let all = from - reach..to + reach;
            if course.joined { all } else { all.start.max(0)..all.end.min(ny) }
        };
        let Self { nx, flux_x, flux_y, .. } = self;
        for front in asked(1).start..to + degrees as isize - 1 {
            for k in 1..=degrees {
                let y = front - (k as isize - 1);
                if asked(k).contains(&y) {
                    room.work(course, k, y);
                }
            }
            let done = front - (degrees as isize - 1);
            if done < first {
                continue;
            }
            let i = (done - first) as usize;
            let head = room.head(done, nx);
            if done < end {
                let (y, ends) = (done as usize, [head[0], head[nx - 1]]);
                let flux = &mut flux_x[i * (nx + 1)..][..=nx];
                fluxes_x(flux, head, course.step, y, 1..nx);
                flux[0] = on_west(flux[0], ends, course.step, y, nx);
                flux[nx] = on_east(flux[nx], ends, course.step, y, nx);
            }
            let north = if course.has(done - 1) { room.head(done - 1, nx) } else { course.level };
            let faces = [done as usize, ny as usize];
            fluxes_y(&mut flux_y[i * nx..][..nx], north, head, course.step, faces, 0..nx);
        }
        if end == ny && !course.joined {
            let (i, north) = ((end - first) as usize, room.head(end - 1, nx));
            let faces = [ny as usize; 2];
            fluxes_y(&mut flux_y[i * nx..][..nx], north, course.level, course.step, faces, 0..nx);
        }
    }
}
