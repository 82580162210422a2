//! Where the water of each cell goes: ways out of full lakes are turned round from part to part.

use super::strip::Strip;
use super::talk::Talk;
use crate::hydrology::hierarchy::NONE;
use crate::hydrology::stream_power::links::{Drainage, END, EXIT, Link, WayOut};
use crate::hydrology::world::Hydrology;
use crate::parallel;

/// 2. Finds the links of the part's own cells and of those beside them.
pub(super) fn find(world: &mut Hydrology, strip: &Strip, talk: &mut Talk) {
    let Hydrology { land, waters, workspace, spare, .. } = world;
    let (grid, own) = (strip.grid(), strip.own_cells());
    let drainage = Drainage { terrain: land.terrain(), waters };
    let (surface, links) = (&mut workspace.change, &mut workspace.links);
    surface.resize(grid.cells(), 0);
    links.resize(grid.cells(), END);
    let near = strip.cells(strip.near_rows());
    let first = near.start;
    parallel::for_each_row(&mut surface[near], grid.nx, |y, row| {
        for (x, surface) in row.iter_mut().enumerate() {
            *surface = drainage.surface(first + y * grid.nx + x);
        }
    });
    let surface: &[i64] = surface;
    parallel::for_each_row(&mut links[own.clone()], grid.nx, |y, row| {
        for (x, link) in row.iter_mut().enumerate() {
            *link = drainage.down(surface, own.start + y * grid.nx + x);
        }
    });

    let (mut turns, mut exits) = (Vec::new(), Vec::new());
    drainage.ways_out(spare, |way| match way {
        WayOut::Turn { inside, outside } => {
            if let Some(cell) = strip.own_cell(inside) {
                let beyond = (outside != NONE).then(|| strip.cell(outside));
                turns.push((cell, drainage.link_out(cell, beyond)));
            }
        }
        WayOut::Exit(inside) => exits.extend(strip.own_cell(inside)),
    });
    loop {
        let mut to = [Vec::new(), Vec::new()];
        for (cell, turned) in turns.drain(..) {
            if let Some((next, turned)) = drainage.turn(links, cell, turned, own.clone()) {
                to[strip.side_of(next)].push([strip.on_map(next), turned.into()]);
            }
        }
        let Some(from) = talk.pass([&to[0][..], &to[1][..]]) else { break };
        for [cell, turned] in from.into_iter().flatten() {
            turns.extend(strip.own_cell(cell).map(|cell| (cell, turned as Link)));
        }
    }
    exits.into_iter().for_each(|cell| links[cell] |= EXIT);
    talk.swap_rows(strip, 1, &mut [links]);
}
