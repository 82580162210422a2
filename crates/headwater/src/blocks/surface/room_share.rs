//! Division of the free space in a cell among the bodies of liquid that can fill it.

use super::edges::{feeding_edge_on, is_support};
use crate::blocks::params::Params;
use crate::blocks::state::bodies::NONE;
use crate::blocks::state::cell::{FULL, Kind};
use crate::blocks::state::cell_labels::CellLabels;

/// Returns the share of the free space `free_space` of a cell (256ths of a cell) that is available
/// to `body`. Bodies at the sides of the cell, above it and below it may all be able to fill it.
/// Bodies that are certain to flow in have priority: those above and, if the cell lies on a full
/// supported cell, those at the sides. The column below has the lowest priority. Bodies of equal
/// priority get equal shares. The rules ensure that no body is excluded permanently.
pub(in crate::blocks) fn free_space_share(
    free_space: i32,
    world: &impl CellLabels,
    params: &Params,
    (x, y): (u32, u32),
    body: u32,
    kind: Kind,
) -> i32 {
    let above = (x, y.wrapping_sub(1));
    let places = [(x.wrapping_sub(1), y), (x + 1, y), above, (x, y + 1)];
    let of_kind = |(x, y)| if world.cell(x, y).kind() == kind { world.body(x, y) } else { NONE };
    let mut all = [of_kind(places[0]), of_kind(places[1]), NONE, NONE];
    if world.cell(above.0, above.1).fill() == FULL {
        all[ABOVE] = of_kind(above);
    }
    if all[ABOVE] == NONE && world.is_supported(x, y + 1) {
        all[BELOW] = of_kind(places[BELOW]);
    }
    if all[..BELOW] == [NONE; 3] {
        return if all[BELOW] == body { free_space } else { 0 };
    }
    if all.iter().all(|other| [NONE, body].contains(other)) {
        return free_space;
    }
    if all[BELOW] != NONE && world.cell(x, y + 1).fill() == FULL {
        let (mut sure, mut films, mut own) = (all, 0, 0);
        for (i, &(x, y)) in places[..ABOVE].iter().enumerate() {
            let fill = world.cell(x, y).fill();
            if !world.is_supported(x, y) || fill < SURE_FILMS * params.film {
                if world.is_supported(x, y) && ![NONE, all[BELOW]].contains(&all[i]) {
                    films += i32::from(fill);
                    own += if all[i] == body { i32::from(fill) } else { 0 };
                }
                sure[i] = NONE;
            }
        }
        sure[BELOW] = NONE;
        if sure == [NONE; 4] {
            // Each film has room for all of its liquid, so that it does not stay beside the column.
            let rest = (free_space - films).max(0);
            let share = || own * (free_space - rest) / films.max(1);
            return if body == all[BELOW] { rest } else { share() };
        }
        all = sure;
    }
    all = without_unsupported_sides(world, (x, y), kind, all);
    let is_first = |i: &usize| all[*i] != NONE && !all[..*i].contains(&all[*i]);
    let count = (0..all.len()).filter(is_first).count() as i32;
    // At the lowest rates, each body gets as much as a mirrored pair can give, if there is room for
    // that.
    let at_min_rate = |count: i32| {
        let all = MIN_RATE * count;
        count > 1
            && (1..all).contains(&free_space)
            && i32::from(world.cell(x, y).free_space(kind)) >= all
    };
    let share = free_space / count.max(1);
    if !all.contains(&body) {
        0
    } else if at_min_rate(count) {
        MIN_RATE
    } else if count == 1 || !is_first(&BELOW) {
        share
    } else {
        // The thicker the inflow over an edge, the less room is left for the column that rises from
        // below.
        let is_edge = |&&(x, y): &&(u32, u32)| {
            let cell = world.cell(x, y);
            cell.kind() == kind && world.is_supported(x, y) && world.cell(x, y + 1).kind() != kind
        };
        let edges = places[..ABOVE].iter().filter(is_edge);
        let thickness = edges.map(|&(x, y)| i32::from(world.cell(x, y).fill())).max().unwrap_or(0);
        let below = share * (i32::from(FULL) - thickness) / i32::from(FULL);
        if body == all[BELOW] { below } else { (free_space - below) / (count - 1) }
    }
}

/// Removes unsupported bodies next to the cell from the list of bodies that may fill it. Their
/// liquid falls straight down instead of flowing into the cell.
fn without_unsupported_sides(
    world: &impl CellLabels,
    cell: (u32, u32),
    kind: Kind,
    all: [u32; 4],
) -> [u32; 4] {
    let is_alone = |i: usize| all.iter().all(|other| [NONE, all[i]].contains(other));
    let mut may = all;
    if world.body(cell.0, cell.1) == NONE {
        for (i, side) in [-1, 1].into_iter().enumerate() {
            if all[i] != NONE && !is_alone(i) && !can_flow_in(world, cell, all[i], kind, side) {
                may[i] = NONE;
            }
        }
    }
    may
}

fn can_flow_in(
    world: &impl CellLabels,
    (x, y): (u32, u32),
    body: u32,
    kind: Kind,
    side: i32,
) -> bool {
    if is_support(world, (x, y + 1), kind) {
        return feeding_edge_on(world, (x, y), body, side, |_| true).is_some();
    }
    let is_edge = |x| world.cell(x, y + 1).kind() != kind;
    feeding_edge_on(world, (x, y), body, side, is_edge).is_some_and(|edge| edge.outflow > 0)
}

/// Index of the body above the cell in the list of the cell's neighbours. The indices 0 and 1 stand
/// for west and east.
const ABOVE: usize = 2;
const BELOW: usize = 3;
const MIN_RATE: i32 = Params::MIN_RATE as i32;
/// Number of films (layers of minimum thickness) whose volume suffices to wet the floors on both
/// sides of a cell.
const SURE_FILMS: u16 = 4;
