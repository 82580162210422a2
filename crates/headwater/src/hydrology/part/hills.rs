//! Hills that creep: along rows each part by itself, along columns one part after another, by strips of columns. While a part eliminates a
//! strip, the next part is at the one before.

use super::strip::Strip;
use super::talk::Talk;
use crate::hydrology::grid::Grid;
use crate::hydrology::params::{EdgeKind, Edges};
use crate::hydrology::stream_power::slopes::{Hills, Line, along_rows, moved};
use crate::hydrology::stream_power::stage::spread;
use crate::hydrology::world::Hydrology;
use std::ops::Range;

/// Strips for each part, and the fewest columns of one.
const STRIPS: usize = 8;
const NARROW: usize = 16;

/// 4. Hills creep over a step of `rain`, on a map that `edges` bound. Gives what has left the part's own rows over open edges (quanta; below 0, what has come).
pub(super) fn creep(
    world: &mut Hydrology,
    (strip, edges): (&Strip, &Edges),
    rain: f64,
    talk: &mut Talk,
) -> i64 {
    let Hydrology { land, spare, .. } = world;
    let r = spread(land, rain);
    if r <= 0.0 {
        return 0;
    }
    let (own, nx) = (strip.own_cells(), strip.nx);
    let grid = Grid { nx, ny: strip.own.len() };
    let cut = land.params.edges;
    let [bed, soil] = [&mut land.bed[own.clone()], &mut land.soil[own]];
    let gone = along_rows(Hills { grid, edges: &cut, r }, [bed, soil], spare);
    let fixed = [edges.north, edges.south].map(|kind| kind == EdgeKind::Open);
    let columns = Columns { strip, line: Line::new(r, fixed, strip.of) };
    let heights = columns.solve(bed, talk);
    gone + columns.move_ground(&heights, [bed, soil], edges, talk)
}

/// The columns of a map, as far as they lie in the part's own rows.
struct Columns<'a> {
    strip: &'a Strip,
    line: Line<Vec<f64>>,
}

impl Columns<'_> {
    /// The columns of each strip.
    fn strips(&self) -> Vec<Range<usize>> {
        let nx = self.strip.nx;
        let width = nx.div_ceil(STRIPS * self.strip.count).max(NARROW);
        (0..nx).step_by(width).map(|first| first..(first + width).min(nx)).collect()
    }

    /// The heights of the part's own cells after the step.
    fn solve(&self, bed: &[i64], talk: &mut Talk) -> Vec<f64> {
        let Self { strip, line } = self;
        let (nx, first, rows) = (strip.nx, strip.own.start, strip.own.len());
        let mut heights = vec![0.0; bed.len()];
        let mut beside = vec![0.0; nx];
        self.take_turns(true, talk, &mut beside, |columns, beside| {
            for y in 0..rows {
                for x in columns.clone() {
                    let before = if y == 0 { beside[x] } else { heights[(y - 1) * nx + x] };
                    heights[y * nx + x] = line.forward(first + y, bed[y * nx + x] as f64, before);
                }
            }
            heights[(rows - 1) * nx..][columns].to_vec()
        });
        self.take_turns(false, talk, &mut beside, |columns, beside| {
            for y in (0..rows).rev() {
                for x in columns.clone() {
                    let after = if y + 1 == rows { beside[x] } else { heights[(y + 1) * nx + x] };
                    heights[y * nx + x] = line.back(first + y, heights[y * nx + x], after);
                }
            }
            heights[columns].to_vec()
        });
        heights
    }

    /// Has all parts work at strips by turns, from the northernmost part on or from the southernmost. `work` is given columns and a row that has come from the part
    /// before, and gives its own for the part after.
    fn take_turns(
        &self,
        southward: bool,
        talk: &mut Talk,
        beside: &mut [f64],
        mut work: impl FnMut(Range<usize>, &[f64]) -> Vec<f64>,
    ) {
        let Strip { number, count, .. } = *self.strip;
        let strips = self.strips();
        // How many parts come before this one.
        let before = if southward { number } else { count - 1 - number };
        for turn in 0..strips.len() + count - 1 {
            let here = turn.checked_sub(before).and_then(|i| strips.get(i));
            let done = here.map(|columns| work(columns.clone(), beside)).unwrap_or_default();
            let to = if before + 1 < count { &done[..] } else { &[] };
            // What the part before has done in this turn.
            let next = (turn + 1).checked_sub(before).filter(|_| before > 0);
            let next = next.and_then(|i| strips.get(i)).cloned().unwrap_or(0..0);
            talk.hand_on(southward, to, &mut beside[next]);
        }
    }

    /// Moves ground over the sides of rows. Gives what has left over open edges (quanta).
    fn move_ground(
        &self,
        heights: &[f64],
        [bed, soil]: [&mut [i64]; 2],
        edges: &Edges,
        talk: &mut Talk,
    ) -> i64 {
        let Self { strip, line } = self;
        let (nx, rows) = (strip.nx, strip.own.len());
        let beside = strip.beside();
        let mut rims = [vec![0.0; nx], vec![0.0; nx]];
        for (side, rim) in rims.iter_mut().enumerate() {
            // To the south go last rows, and come from the north.
            let southward = side == 0;
            let row = if southward { &heights[(rows - 1) * nx..] } else { &heights[..nx] };
            let to = if beside[1 - side] { row } else { &[] };
            let from = if beside[side] { &mut rim[..] } else { &mut [] };
            talk.hand_on(southward, to, from);
        }
        let [north, south] = rims;
        let mut gone = 0;
        // What goes up over the upper side of each cell.
        let mut up = vec![0; nx];
        if beside[0] {
            let first = north.iter().zip(heights).map(|(&before, &z)| line.flux(before, z));
            up.iter_mut().zip(first).for_each(|(up, flux)| *up = flux);
        }
        let stays = |x: usize| {
            x == 0 && edges.west == EdgeKind::Open || x + 1 == nx && edges.east == EdgeKind::Open
        };
        for y in 0..rows {
            let (row, is_fixed) = (y * nx, line.is_fixed(strip.own.start + y));
            let below = if y + 1 < rows { &heights[row + nx..][..nx] } else { &south[..] };
            for (x, up) in up.iter_mut().enumerate() {
                let cell = row + x;
                let ends = y + 1 == rows && !beside[1];
                let next = if ends { 0 } else { line.flux(heights[cell], below[x]) };
                let change = next - std::mem::replace(up, next);
                match (stays(x), is_fixed) {
                    (true, _) => {}
                    (false, true) => gone += change,
                    (false, false) => {
                        (bed[cell], soil[cell]) = moved(bed[cell], soil[cell], change);
                    }
                }
            }
        }
        gone
    }
}
