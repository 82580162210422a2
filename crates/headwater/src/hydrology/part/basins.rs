//! The basins of a map in parts: ways that lead over the border of a part end where the neighbour's cell does.

use super::strip::Strip;
use super::talk::Talk;
use crate::hydrology::basins;
use crate::parallel;

/// Marks the number of a basin of the part itself among numbers of cells, and the place of a cell of the rows beyond.
const BASIN: u32 = 1 << 31;
const BEYOND: u32 = 1 << 30;

/// Finds the basin of each of the part's own cells and of the rows beside them, numbered as on the map. The bed has to be known there.
/// Gives the pits of all basins (cells of the map).
pub(super) fn find(strip: &Strip, bed: &[i64], label: &mut Vec<u32>, talk: &mut Talk) -> Vec<u32> {
    let (grid, nx, own) = (strip.grid(), strip.nx, strip.own_cells());
    label.clear();
    label.resize(grid.cells(), 0);
    let first = strip.own_rows().start;
    parallel::for_each_row(&mut label[own.clone()], nx, |y, row| {
        basins::drain_to(grid, bed, first + y, &mut Vec::new(), row);
    });
    for side in 0..2 {
        if let Some(y) = strip.beyond(side) {
            for (x, label) in label[y * nx..][..nx].iter_mut().enumerate() {
                *label = BEYOND | (side * nx + x) as u32;
            }
        }
    }
    let mut pits = Vec::new();
    for cell in own.clone() {
        if label[cell] == cell as u32 {
            label[cell] = BASIN | pits.len() as u32;
            pits.push(strip.on_map(cell));
        }
    }
    let is_end = |label: u32| label & (BASIN | BEYOND) != 0;
    for cell in own.clone() {
        let mut end = label[cell];
        while !is_end(end) {
            end = label[end as usize];
        }
        let mut at = cell;
        while !is_end(label[at]) {
            at = std::mem::replace(&mut label[at], end) as usize;
        }
    }
    let pits = talk.gather(&pits);
    let before = pits.partition_point(|&pit| (pit as usize) < strip.own.start * nx) as u32;
    let beyond = join(strip, label, before, talk);
    let name = |label: u32| match label & BASIN {
        0 => beyond[(label & !BEYOND) as usize],
        _ => before + (label & !BASIN),
    };
    let near = strip.cells(strip.near_rows());
    parallel::for_each_row(&mut label[near], nx, |_, row| {
        row.iter_mut().for_each(|label| *label = name(*label));
    });
    pits
}

/// The basins of the cells in the rows beyond. Each round, the parts tell each other what has become known of the rows at their borders.
fn join(strip: &Strip, label: &[u32], before: u32, talk: &mut Talk) -> Vec<u32> {
    let nx = strip.nx;
    let mut known = vec![0; 2 * nx];
    let mut to = [Vec::new(), Vec::new()];
    // Cells of the part's rims whose basin is that of a cell beyond.
    let mut waiting = Vec::new();
    for side in (0..2).filter(|&side| strip.beside()[side]) {
        for (x, &label) in label[strip.rim(side) * nx..][..nx].iter().enumerate() {
            match label & BASIN {
                0 => waiting.push((label & !BEYOND, side, x as u32)),
                _ => to[side].push([x as u32, before + (label & !BASIN)]),
            }
        }
    }
    waiting.sort_unstable();
    while let Some(from) = talk.pass([&to[0][..], &to[1][..]]) {
        to.iter_mut().for_each(Vec::clear);
        for (side, told) in from.iter().enumerate() {
            for &[x, basin] in told {
                let place = (side * nx) as u32 + x;
                known[place as usize] = basin;
                let first = waiting.partition_point(|&(other, ..)| other < place);
                let here = waiting[first..].iter().take_while(|(other, ..)| *other == place);
                here.for_each(|&(_, side, x)| to[side].push([x, basin]));
            }
        }
    }
    known
}
