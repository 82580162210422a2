//! Reference implementation of a stream-power step with plain loops. As in the article of J. Braun
//! and S. Willett (2013), it uses a list of receivers, a list of donors and a stack of all cells.

use crate::hydrology::params::EdgeKind;
use crate::hydrology::state::grid::Grid;
use crate::hydrology::stream_power::catchment::Catchments;
use crate::hydrology::stream_power::hillslopes::{
    HillslopeDiffusion, TridiagonalLine, apply_change,
};
use crate::hydrology::stream_power::links::{self, Drainage, EXIT, Link};
use crate::hydrology::stream_power::stage::Stages;
use crate::hydrology::stream_power::trees::{ErosionModel, ErosionOutput, SedimentBudget};
use crate::hydrology::world::Hydrology;
use crate::scratch::ScratchPool;
use std::sync::atomic::Ordering;

const PLAIN_STAGES: Stages = Stages { creep: diffuse, links: find_links, erode };

/// Performs one step of [`StreamPower`](super::super::StreamPower), independent of the
/// [`Method`](super::super::Method) selected in the world's parameters. The result equals that of
/// [`Hydrology::step`] with stream power bit for bit.
pub fn stream_power_step(world: &mut Hydrology) {
    world.step_with(&PLAIN_STAGES);
}

fn find_links(
    drainage: Drainage,
    links: &mut Vec<Link>,
    surface: &mut Vec<i64>,
    scratch: &ScratchPool,
) {
    let cells = drainage.terrain.grid.cell_count();
    surface.clear();
    surface.extend((0..cells).map(|cell| drainage.surface_height(cell)));
    links.clear();
    links.extend((0..cells).map(|cell| drainage.downhill_link(surface, cell)));
    drainage.apply_outlets(links, scratch);
}

struct CellStack {
    receiver: Vec<Option<usize>>,
    order: Vec<usize>,
}

impl CellStack {
    fn new(grid: Grid, links: &[Link]) -> Self {
        let cells = grid.cell_count();
        let receiver: Vec<_> = (0..cells).map(|i| links::receiver(grid, i, links[i])).collect();
        // Index of the first donor of each cell in the list of all donors.
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

fn erode<'s>(
    model: ErosionModel,
    links: &[Link],
    output: ErosionOutput,
    scratch: &'s ScratchPool,
) -> SedimentBudget<'s> {
    let grid = model.drainage.terrain.grid;
    let stack = CellStack::new(grid, links);
    let mut area: Vec<u64> = (0..grid.cell_count()).map(|i| model.catchments.area(i)).collect();
    for &i in stack.order.iter().rev() {
        if let Some(to) = stack.receiver[i] {
            area[to] += area[i];
        }
    }
    let (mut surface, mut erosion) = (vec![0; grid.cell_count()], vec![0; grid.cell_count()]);
    for &i in &stack.order {
        (erosion[i], surface[i]) = match stack.receiver[i] {
            None => model.erode_root(i, links[i], area[i]),
            Some(to) => model.erode(i, links[i], area[i], surface[to]),
        };
        output.erosion[i].store(erosion[i], Ordering::Relaxed);
        output.area[i].store(Catchments::area_to_cells(area[i]).to_bits(), Ordering::Relaxed);
    }
    let mut budget = SedimentBudget { outflow: 0, retained: scratch.take_vec() };
    let mut load: Vec<i64> = erosion.into_iter().map(i64::from).collect();
    for &i in stack.order.iter().rev() {
        if links[i] & EXIT != 0 {
            let (node, is_fixed) = model.retained_sediment(i, load[i]);
            budget.retained.push((node, is_fixed));
            load[i] -= is_fixed;
        }
        match (stack.receiver[i], model.retaining_lake(i, links[i])) {
            (Some(to), _) => load[to] += load[i],
            (None, Some(node)) => budget.retained.push((node, load[i])),
            (None, None) => budget.outflow += load[i],
        }
    }
    budget
}

/// Diffuses the hillslopes along every row, then along every column.
fn diffuse(
    hills: HillslopeDiffusion,
    [bed, soil]: [&mut [i64]; 2],
    _: &mut Vec<i64>,
    _: &ScratchPool,
) -> i64 {
    let HillslopeDiffusion { grid: Grid { nx, ny }, edges, r } = hills;
    let is_open = |kind| kind == EdgeKind::Open;
    let [west, east, north, south] =
        [edges.west, edges.east, edges.north, edges.south].map(is_open);
    let is_fixed = |cell: usize| {
        let (x, y) = (cell % nx, cell / nx);
        x == 0 && west || x + 1 == nx && east || y == 0 && north || y + 1 == ny && south
    };
    let mut outflow = 0;
    let mut run = |cells: Vec<usize>, fixed: [bool; 2]| {
        if cells.iter().all(|&cell| is_fixed(cell)) {
            return;
        }
        let line = TridiagonalLine::new(r, fixed, cells.len());
        let heights: Vec<f64> = cells.iter().map(|&cell| bed[cell] as f64).collect();
        let heights = line.solve_to_vec(&heights);
        for (k, &cell) in cells.iter().enumerate() {
            let side = |k: usize| line.flux(heights[k], heights[k + 1]);
            let change =
                if k + 1 < cells.len() { side(k) } else { 0 } - if k > 0 { side(k - 1) } else { 0 };
            if is_fixed(cell) {
                outflow += change;
            } else {
                (bed[cell], soil[cell]) = apply_change(bed[cell], soil[cell], change);
            }
        }
    };
    (0..ny).for_each(|y| run((0..nx).map(|x| y * nx + x).collect(), [west, east]));
    (0..nx).for_each(|x| run((0..ny).map(|y| y * nx + x).collect(), [north, south]));
    outflow
}
