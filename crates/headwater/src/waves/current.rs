//! A current that carries the surface along: `∂z/∂t + ∇·(u·z) = 0` for heights, `∂f/∂t + u·∇f = 0` for
//! fluxes, before the waves themselves take their step. In water that moves everywhere alike, waves run
//! as on still water seen from a raft.
//!
//! Both go along one axis after the other by third-order upwind differences (QUICKEST; B. P. Leonard,
//! *A stable and accurate convective modelling procedure*, 1979), which are stable while nothing moves
//! by more than a cell in a step, along either axis. Heights and fluxes of any wave length are
//! multiplied by the same number of magnitude ≤ 1, so the largest stable q stays what it is. What
//! crosses a face is a whole number of quanta: no volume is made.

use super::medium::Medium;
use super::params::{EdgeKind, Params};
use super::rim::{Layers, Parts};
use super::state::{Rule, State};
use crate::field::Field;
use crate::lattice::{Edge, Square};
use crate::parallel;
use serde::{Deserialize, Serialize};

/// The largest Courant number: a current may not go further in a step than this many cells.
pub(super) const LARGEST_COURANT: f64 = 1.0;

/// Velocity of the water in every cell (m/s).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Current {
    pub(super) east: Field<f32>,
    pub(super) south: Field<f32>,
}

/// What a step needs of a current: Courant numbers at the faces, 0 on those that are closed.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    /// Over x-faces and over y-faces, for what crosses them.
    through: [Field<f32>; 2],
    /// How much the bend of the surface upstream counts: `(1 − C²)/6`, or 0 where there is no water.
    bend: [Field<f32>; 2],
    /// Along x-faces to the south, along y-faces to the east, for fluxes that go aside.
    beside: [Field<f32>; 2],
    around: [bool; 2],
    pinned: [bool; 4],
    /// [`Params::highest`].
    highest: f32,
}

/// Room for what crosses faces, and for fluxes half way.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    /// Whether to go along x before y; it changes from step to step, so that neither comes first.
    pub(super) x_first: bool,
    moved: Option<[Field<f32>; 2]>,
}

impl Stream {
    pub(super) fn new(
        current: &Current,
        params: &Params,
        lattice: &Square,
        medium: &Medium,
        rule: &Rule,
        layers: &Layers,
        land: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let (nx, ny) = (lattice.nx(), lattice.ny());
        let edges = &params.edges;
        let around = [Edge::West, Edge::North].map(|e| edges.kind(e) == EdgeKind::Periodic);
        let pinned = Edge::ALL.map(|edge| edges.kind(edge) == EdgeKind::Pinned);
        let courant = params.step / lattice.dx();
        // The cell at a place beside the grid is the one across, or none.
        let cell = |x: isize, y: isize| {
            Some((fold(x, nx, around[0])?, fold(y, ny, around[1])?)).filter(|&(x, y)| !land(x, y))
        };
        let mean = |of: &Field<f32>, cells: [Option<(usize, usize)>; 2]| {
            let known = cells.iter().flatten();
            let (sum, count) =
                known.fold((0.0, 0.0), |(sum, n), &at| (sum + f64::from(of[at]), n + 1.0));
            if count > 0.0 { sum / count * courant } else { 0.0 }
        };
        let x_faces = |of: &Field<f32>| {
            Field::from_fn(nx + 1, ny, |x, y| {
                let open = medium.gain_x(rule, x, y, nx) > 0.0;
                let sides = [x as isize - 1, x as isize].map(|x| cell(x, y as isize));
                let calm = layers.calm(x as f64, y as f64 + 0.5, [nx, ny]);
                if open { (calm * mean(of, sides)) as f32 } else { 0.0 }
            })
        };
        let y_faces = |of: &Field<f32>| {
            Field::from_fn(nx, ny + 1, |x, y| {
                let open = medium.gain_y(rule, x, y, ny) > 0.0;
                let sides = [y as isize - 1, y as isize].map(|y| cell(x as isize, y));
                let calm = layers.calm(x as f64 + 0.5, y as f64, [nx, ny]);
                if open { (calm * mean(of, sides)) as f32 } else { 0.0 }
            })
        };
        let through = [x_faces(&current.east), y_faces(&current.south)];
        let beside = [x_faces(&current.south), y_faces(&current.east)];
        let third = |c: f32, there: bool| if there { (1.0 - c * c) / 6.0 } else { 0.0 };
        let bend = [
            Field::from_fn(nx + 1, ny, |x, y| {
                let c = through[0][(x, y)];
                let (x, y) = (x as isize, y as isize);
                third(c, [x - 2, x - 1, x, x + 1].iter().all(|&x| cell(x, y).is_some()))
            }),
            Field::from_fn(nx, ny + 1, |x, y| {
                let c = through[1][(x, y)];
                let (x, y) = (x as isize, y as isize);
                third(c, [y - 2, y - 1, y, y + 1].iter().all(|&y| cell(x, y).is_some()))
            }),
        ];
        Self { through, bend, beside, around, pinned, highest: params.highest as f32 }
    }

    /// Carries a surface and its fluxes for a step; returns the height (m, summed over cells) that came
    /// over pinned edges.
    pub(super) fn carry(
        &self,
        state: &mut State,
        (layers, parts): (&Layers, Option<&mut Parts>),
        rule: &Rule,
        room: &mut Room,
        by_rows: bool,
    ) -> f64 {
        let State { height, flux_x, flux_y, carried: rise, .. } = state;
        let (nx, ny) = (height.nx(), height.ny());
        let x_first = room.x_first;
        let new = || [Field::new(nx + 1, ny, 0.0), Field::new(nx, ny + 1, 0.0)];
        let [moved_x, moved_y] = room.moved.get_or_insert_with(new);
        let rise = rise.get_or_insert_with(|| Field::new(nx, ny, 0.0));
        rise.as_mut_slice().fill(0.0);
        let mut along = |x: bool| {
            let moved = if x { &mut *moved_x } else { &mut *moved_y };
            if by_rows {
                self.cross_rows(height, moved, rule, x);
                gather_rows(height, rise, moved, x);
            } else {
                self.cross_plain(height, moved, rule, x);
                gather_plain(height, rise, moved, x);
            }
        };
        along(x_first);
        along(!x_first);
        let came = self.came(moved_x, moved_y);
        if let Some(parts) = parts {
            layers.take_in(parts, moved_x, moved_y);
        }
        for (flux, room, [over_x, over_y]) in [
            (flux_x, moved_x, [&self.through[0], &self.beside[0]]),
            (flux_y, moved_y, [&self.beside[1], &self.through[1]]),
        ] {
            let pass = |from: &Field<f32>, to: &mut Field<f32>, x: bool| {
                let courant = if x { over_x } else { over_y };
                let period = if x { nx } else { ny };
                let around = self.around[usize::from(!x)].then_some(period);
                if by_rows {
                    shift_rows(from, to, courant, around, x);
                } else {
                    shift_plain(from, to, courant, around, x);
                }
            };
            pass(flux, room, x_first);
            pass(room, flux, !x_first);
        }
        came
    }

    /// What crossed the pinned edges inwards.
    fn came(&self, moved_x: &Field<f32>, moved_y: &Field<f32>) -> f64 {
        let (nx, ny) = (moved_y.nx(), moved_x.ny());
        let x_faces = |x: usize| (0..ny).map(|y| f64::from(moved_x[(x, y)])).sum::<f64>();
        let y_faces = |y: usize| moved_y.row(y).iter().map(|&v| f64::from(v)).sum::<f64>();
        Edge::ALL
            .into_iter()
            .filter(|&edge| self.pinned[edge as usize])
            .map(|edge| match edge {
                Edge::West => x_faces(0),
                Edge::East => -x_faces(nx),
                Edge::North => y_faces(0),
                Edge::South => -y_faces(ny),
            })
            .sum()
    }

    /// What crosses every face of an axis, cell by cell.
    fn cross_plain(&self, height: &Field<f32>, moved: &mut Field<f32>, rule: &Rule, along_x: bool) {
        let axis = usize::from(!along_x);
        for y in 0..moved.ny() {
            for x in 0..moved.nx() {
                let cells = [-2, -1, 0, 1].map(|k| self.height_at(height, x, y, k, along_x));
                let (courant, bend) = (self.through[axis][(x, y)], self.bend[axis][(x, y)]);
                moved[(x, y)] = rule.whole(crossing(courant, bend, cells, self.highest));
            }
        }
    }

    /// The height of the cell that lies `k` cells behind a face; 0 beside the grid.
    fn height_at(&self, z: &Field<f32>, x: usize, y: usize, k: isize, along_x: bool) -> f32 {
        let (x, y) = if along_x {
            (fold(x as isize + k, z.nx(), self.around[0]), Some(y))
        } else {
            (Some(x), fold(y as isize + k, z.ny(), self.around[1]))
        };
        match (x, y) {
            (Some(x), Some(y)) => z[(x, y)],
            _ => 0.0,
        }
    }

    /// The same, row by row.
    fn cross_rows(&self, height: &Field<f32>, moved: &mut Field<f32>, rule: &Rule, along_x: bool) {
        let (nx, ny) = (height.nx(), height.ny());
        let rule = *rule;
        let width = moved.nx();
        if along_x {
            let (courants, bends) = (&self.through[0], &self.bend[0]);
            parallel::for_each_row(moved.as_mut_slice(), width, |y, moved| {
                let (courant, bend, z) = (courants.row(y), bends.row(y), height.row(y));
                let rim = |x: usize| {
                    let cells = [-2, -1, 0, 1].map(|k| self.height_at(height, x, y, k, true));
                    rule.whole(crossing(courant[x], bend[x], cells, self.highest))
                };
                if nx < 4 {
                    (0..width).for_each(|x| moved[x] = rim(x));
                    return;
                }
                let n = nx - 3;
                let (a, b, c, d) = (&z[..n], &z[1..n + 1], &z[2..n + 2], &z[3..n + 3]);
                let (courants, bends) = (&courant[2..n + 2], &bend[2..n + 2]);
                let inner = &mut moved[2..n + 2];
                for i in 0..n {
                    let cells = [a[i], b[i], c[i], d[i]];
                    inner[i] = rule.whole(crossing(courants[i], bends[i], cells, self.highest));
                }
                for x in [0, 1, nx - 1, nx] {
                    moved[x] = rim(x);
                }
            });
        } else {
            let (courants, bends) = (&self.through[1], &self.bend[1]);
            let level = vec![0.0; nx];
            let row =
                |y: isize| fold(y, ny, self.around[1]).map_or(level.as_slice(), |y| height.row(y));
            parallel::for_each_row(moved.as_mut_slice(), nx, |y, moved| {
                let at = y as isize;
                let [a, b, c, d] = [at - 2, at - 1, at, at + 1].map(|y| &row(y)[..nx]);
                let (courant, bend) = (&courants.row(y)[..nx], &bends.row(y)[..nx]);
                let moved = &mut moved[..nx];
                for i in 0..nx {
                    let cells = [a[i], b[i], c[i], d[i]];
                    moved[i] = rule.whole(crossing(courant[i], bend[i], cells, self.highest));
                }
            });
        }
    }
}

/// A place along an axis of `n`, or the one across if the axis closes around; `None` beside the grid.
fn fold(at: isize, n: usize, around: bool) -> Option<usize> {
    let n = n as isize;
    let inside = (0..n).contains(&at);
    (inside || around).then(|| at.rem_euclid(n) as usize)
}

/// What a current carries over a face, of the heights of the two cells before and the two behind it.
/// Where a current meets itself it could heap up waves without end; what is higher than `highest` it
/// makes no higher.
#[inline(always)]
fn crossing(courant: f32, bend: f32, [a, b, c, d]: [f32; 4], highest: f32) -> f32 {
    let forth = courant > 0.0;
    let (up, down) = if forth { (b, c) } else { (c, b) };
    let above = if forth { a } else { d };
    let rise = down - up;
    let middle = 0.5 * (up + down) - 0.5 * courant.abs() * rise;
    let over = middle - bend * (rise - (up - above));
    let heaps = (down.abs() > highest) & (over * down > 0.0);
    let digs = (up.abs() > highest) & (over * up < 0.0);
    if heaps | digs { 0.0 } else { courant * over }
}

/// What stands, a step later, where the current has brought what was upstream: the cubic through four
/// points around.
#[inline(always)]
fn arriving(courant: f32, [a, b, c, d, e]: [f32; 5]) -> f32 {
    let forth = courant > 0.0;
    let (up, down) = if forth { (b, d) } else { (d, b) };
    let above = if forth { a } else { e };
    let way = courant.abs();
    let slope = (2.0 * down + 3.0 * c) - (6.0 * up - above);
    let curve = (down - c) - (c - up);
    let twist = (down - above) - 3.0 * (c - up);
    c - way * (slope / 6.0 - way * (0.5 * curve - way * (twist / 6.0)))
}

/// Moves what has crossed the faces of an axis, cell by cell.
fn gather_plain(height: &mut Field<f32>, rise: &mut Field<f32>, moved: &Field<f32>, along_x: bool) {
    gather_plain_into(height, moved, along_x);
    gather_plain_into(rise, moved, along_x);
}

fn gather_plain_into(height: &mut Field<f32>, moved: &Field<f32>, along_x: bool) {
    let (dx, dy) = if along_x { (1, 0) } else { (0, 1) };
    for y in 0..height.ny() {
        for x in 0..height.nx() {
            height[(x, y)] += moved[(x, y)] - moved[(x + dx, y + dy)];
        }
    }
}

/// The same, row by row.
fn gather_rows(height: &mut Field<f32>, rise: &mut Field<f32>, moved: &Field<f32>, along_x: bool) {
    let nx = height.nx();
    let (height, rise) = (height.as_mut_slice(), rise.as_mut_slice());
    parallel::for_each_row_pair(height, nx, rise, nx, |y, height, rise| {
        let (before, after) = if along_x {
            (&moved.row(y)[..nx], &moved.row(y)[1..nx + 1])
        } else {
            (&moved.row(y)[..nx], &moved.row(y + 1)[..nx])
        };
        for (i, (height, rise)) in height.iter_mut().zip(rise).enumerate() {
            let came = before[i] - after[i];
            *height += came;
            *rise += came;
        }
    });
}

/// Shifts fluxes along an axis, face by face. `around` is the period if the axis closes around.
fn shift_plain(
    from: &Field<f32>,
    to: &mut Field<f32>,
    courant: &Field<f32>,
    around: Option<usize>,
    along_x: bool,
) {
    for y in 0..to.ny() {
        for x in 0..to.nx() {
            let near = [-2, -1, 0, 1, 2].map(|k| flux_at(from, x, y, k, around, along_x));
            to[(x, y)] = arriving(courant[(x, y)], near);
        }
    }
}

/// The flux `k` faces further; beside the grid that of the last face.
fn flux_at(
    f: &Field<f32>,
    x: usize,
    y: usize,
    k: isize,
    around: Option<usize>,
    along_x: bool,
) -> f32 {
    if along_x {
        f[(beside(x, k, f.nx(), around), y)]
    } else {
        f[(x, beside(y, k, f.ny(), around))]
    }
}

fn beside(at: usize, k: isize, n: usize, around: Option<usize>) -> usize {
    let at = at as isize + k;
    match around {
        Some(period) => at.rem_euclid(period as isize) as usize,
        None => at.clamp(0, n as isize - 1) as usize,
    }
}

/// The same, row by row.
fn shift_rows(
    from: &Field<f32>,
    to: &mut Field<f32>,
    courant: &Field<f32>,
    around: Option<usize>,
    along_x: bool,
) {
    let (nx, ny) = (from.nx(), from.ny());
    parallel::for_each_row(to.as_mut_slice(), nx, |y, to| {
        let courant = courant.row(y);
        if !along_x {
            let row = |k| &from.row(beside(y, k, ny, around))[..nx];
            let [a, b, c, d, e] = [-2, -1, 0, 1, 2].map(row);
            let (courant, to) = (&courant[..nx], &mut to[..nx]);
            for i in 0..nx {
                to[i] = arriving(courant[i], [a[i], b[i], c[i], d[i], e[i]]);
            }
            return;
        }
        let rim = |x: usize| {
            let near = [-2, -1, 0, 1, 2].map(|k| flux_at(from, x, y, k, around, true));
            arriving(courant[x], near)
        };
        if nx < 5 {
            (0..nx).for_each(|x| to[x] = rim(x));
            return;
        }
        let f = from.row(y);
        let n = nx - 4;
        let (a, b, c) = (&f[..n], &f[1..n + 1], &f[2..n + 2]);
        let (d, e) = (&f[3..n + 3], &f[4..n + 4]);
        let (courants, inner) = (&courant[2..n + 2], &mut to[2..n + 2]);
        for i in 0..n {
            inner[i] = arriving(courants[i], [a[i], b[i], c[i], d[i], e[i]]);
        }
        for x in [0, 1, nx - 2, nx - 1] {
            to[x] = rim(x);
        }
    });
}

/// Checks a velocity against what a step may carry.
pub(super) fn swift(fastest: f64, params: &Params, lattice: &Square) -> Option<super::WavesError> {
    let courant = fastest * params.step / lattice.dx();
    // A Courant number of 1 may be computed a rounding above.
    (courant > LARGEST_COURANT * (1.0 + 1e-6)).then(|| super::WavesError::Swift {
        speed: fastest,
        step: params.step,
        largest_speed: LARGEST_COURANT * lattice.dx() / params.step,
        largest_step: LARGEST_COURANT * lattice.dx() / fastest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_and_fluxes_of_a_wave_go_the_same_way() {
        let wave = |i: isize| (0.7 * i as f32).sin();
        for courant in [-1.0_f32, -0.6, -0.1, 0.0, 0.3, 1.0] {
            let bend = (1.0 - courant * courant) / 6.0;
            let over = |face: isize| {
                crossing(courant, bend, [face - 2, face - 1, face, face + 1].map(wave), 9.0)
            };
            let height = wave(0) + over(0) - over(1);
            let flux = arriving(courant, [-2, -1, 0, 1, 2].map(wave));
            assert!((height - flux).abs() < 1e-6, "{courant}: {height} {flux}");
            let exact = (-0.7 * courant).sin();
            assert!((flux - exact).abs() < 0.02, "{courant}: {flux} {exact}");
        }
    }

    #[test]
    fn no_wave_grows_on_its_way() {
        for i in 0..=40 {
            let courant = i as f32 / 40.0;
            for j in 0..=60 {
                let k = core::f32::consts::PI * j as f32 / 60.0;
                let part = |f: fn(f32) -> f32| {
                    arriving(courant, [-2.0, -1.0, 0.0, 1.0, 2.0].map(|x| f(k * x)))
                };
                let size = part(f32::cos).hypot(part(f32::sin));
                assert!(size <= 1.0 + 1e-5, "{courant} {k}: {size}");
            }
        }
    }
}
