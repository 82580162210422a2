//! A step of stream power by plain loops: receivers, donors and stack of all cells in lists of their own, as in the article.

use super::super::grid::Grid;
use super::super::params::EdgeKind;
use super::super::stream_power::catchment::Catchments;
use super::super::stream_power::links::{self, Drainage, EXIT, Link};
use super::super::stream_power::slopes::{Hills, Line, moved};
use super::super::stream_power::stage::Stages;
use super::super::stream_power::trees::{Basin, Found, Washed};
use super::super::world::Hydrology;
use crate::scratch::ScratchPool;
use std::sync::atomic::Ordering;

const PLAIN: Stages = Stages { creep, links: find_links, wear };

/// One step of [`StreamPower`](super::super::StreamPower) by any method's world, equal in every bit
/// to [`Hydrology::step`].
pub fn stream_power_step(world: &mut Hydrology) {
    world.step_by(&PLAIN);
}

fn find_links(
    drainage: Drainage,
    links: &mut Vec<Link>,
    surface: &mut Vec<i64>,
    scratch: &ScratchPool,
) {
    let cells = drainage.terrain.grid.cells();
    surface.clear();
    surface.extend((0..cells).map(|cell| drainage.surface(cell)));
    links.clear();
    links.extend((0..cells).map(|cell| drainage.down(surface, cell)));
    drainage.lead_out(links, scratch);
}

struct Stack {
    receiver: Vec<Option<usize>>,
    order: Vec<usize>,
}

impl Stack {
    fn new(grid: Grid, links: &[Link]) -> Self {
        let cells = grid.cells();
        let receiver: Vec<_> = (0..cells).map(|i| links::receiver(grid, i, links[i])).collect();
        // Where each cell's donors begin in the list of all donors.
        let mut first = vec![0; cells + 1];
        receiver.iter().flatten().for_each(|&to| first[to + 1] += 1);
        for i in 0..cells {
            first[i + 1] += first[i];
        }
        let (mut next, mut donors) = (first.clone(), vec![0; first[cells]]);
        for (i, to) in receiver.iter().enumerate() {
            if let &Some(to) = to {
                donors[next[to]] = i;
                next[to] += 1;
            }
        }
        let (mut order, mut open) = (Vec::with_capacity(cells), Vec::new());
        for root in (0..cells).filter(|&i| receiver[i].is_none()) {
            open.push(root);
            while let Some(i) = open.pop() {
                order.push(i);
                open.extend(&donors[first[i]..first[i + 1]]);
            }
        }
        Self { receiver, order }
    }
}

fn wear<'s>(basin: Basin, links: &[Link], found: Found, scratch: &'s ScratchPool) -> Washed<'s> {
    let grid = basin.drainage.terrain.grid;
    let stack = Stack::new(grid, links);
    let mut area: Vec<u64> = (0..grid.cells()).map(|i| basin.catchments.of(i)).collect();
    for &i in stack.order.iter().rev() {
        if let Some(to) = stack.receiver[i] {
            area[to] += area[i];
        }
    }
    let (mut surface, mut worn) = (vec![0; grid.cells()], vec![0; grid.cells()]);
    for &i in &stack.order {
        (worn[i], surface[i]) = match stack.receiver[i] {
            None => basin.wear_root(i, links[i], area[i]),
            Some(to) => basin.wear(i, links[i], area[i], surface[to]),
        };
        found.worn[i].store(worn[i], Ordering::Relaxed);
        found.area[i].store(Catchments::in_cells(area[i]).to_bits(), Ordering::Relaxed);
    }
    let mut washed = Washed { gone: 0, kept: scratch.vec() };
    let mut load: Vec<i64> = worn.into_iter().map(i64::from).collect();
    for &i in stack.order.iter().rev() {
        if links[i] & EXIT != 0 {
            let (node, stays) = basin.settles(i, load[i]);
            washed.kept.push((node, stays));
            load[i] -= stays;
        }
        match (stack.receiver[i], basin.keeper(i, links[i])) {
            (Some(to), _) => load[to] += load[i],
            (None, Some(node)) => washed.kept.push((node, load[i])),
            (None, None) => washed.gone += load[i],
        }
    }
    washed
}

/// Creep along every row, then along every column.
fn creep(hills: Hills, [bed, soil]: [&mut [i64]; 2], _: &mut Vec<i64>, _: &ScratchPool) -> i64 {
    let Hills { grid: Grid { nx, ny }, edges, r } = hills;
    let open = |kind| kind == EdgeKind::Open;
    let [west, east, north, south] = [edges.west, edges.east, edges.north, edges.south].map(open);
    let stays = |cell: usize| {
        let (x, y) = (cell % nx, cell / nx);
        x == 0 && west || x + 1 == nx && east || y == 0 && north || y + 1 == ny && south
    };
    let mut gone = 0;
    let mut run = |cells: Vec<usize>, fixed: [bool; 2]| {
        if cells.iter().all(|&cell| stays(cell)) {
            return;
        }
        let line = Line::new(r, fixed, cells.len());
        let heights: Vec<f64> = cells.iter().map(|&cell| bed[cell] as f64).collect();
        let heights = line.solved(&heights);
        for (k, &cell) in cells.iter().enumerate() {
            let side = |k: usize| line.flux(heights[k], heights[k + 1]);
            let change =
                if k + 1 < cells.len() { side(k) } else { 0 } - if k > 0 { side(k - 1) } else { 0 };
            if stays(cell) {
                gone += change;
            } else {
                (bed[cell], soil[cell]) = moved(bed[cell], soil[cell], change);
            }
        }
    };
    (0..ny).for_each(|y| run((0..nx).map(|x| y * nx + x).collect(), [west, east]));
    (0..nx).for_each(|x| run((0..ny).map(|y| y * nx + x).collect(), [north, south]));
    gone
}
