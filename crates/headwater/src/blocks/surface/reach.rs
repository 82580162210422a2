//! Reaches: parts of a body of liquid with one continuous free surface. Liquid that enters a reach
//! through a hole and runs off at the end of the reach must not pile up. So this module limits the
//! inflow into the columns of such a reach.

use super::sites::Site;
use crate::blocks::state::cell::{AIR, FULL, PackedCell};
use crate::blocks::state::cell_labels::CellLabels;

#[derive(Debug, Default)]
pub(in crate::blocks) struct Reaches {
    /// Top cells of the columns in the body, sorted by column, then by row.
    tops: Vec<Top>,
    /// For each column, the index in `tops` of the column's first top cell. The list starts at the
    /// body's first column.
    column_starts: Vec<u32>,
    first_column: u32,
    /// Union-find forest over `tops`. It joins the tops that belong to the same reach (part of the
    /// body with one continuous free surface).
    reach: Vec<u32>,
    /// Union-find forest over `tops`. It joins the tops that belong to the same stretch (part of a
    /// reach without steps in its surface).
    stretch: Vec<u32>,
    /// For each reach (part of the body with one continuous free surface), the lowest row in which
    /// the rise of column tops is limited. Tops in higher rows are limited too. `None` if no column
    /// of the reach is limited.
    lowest_row: Vec<Option<u32>>,
    /// For each stretch (a part of a reach without steps in its surface), the ceiling row of the
    /// hole that feeds it.
    soffit_rows: Vec<u32>,
    saved_limits: Vec<i32>,
    over_steps: Vec<(u32, u32)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Top {
    x: u16,
    y: u16,
    is_open_above: bool,
}

/// Smallest height difference of adjacent columns, in rows, that counts as a step in the surface.
const STEP_ROWS: u32 = 2;
/// Horizontal width (cells) below which a higher adjacent column counts as a falling stream.
const MAX_FALL_CELLS: i32 = 8;
const NO_HOLE: u32 = u32::MAX;

/// Limits the inflow into two kinds of columns: columns in a reach (part of a body with one
/// continuous free surface) from which liquid runs off over a floor or an edge, and columns next to
/// a downward step of the surface. A reach in which a column has outflow is not limited. A limited
/// column rises no higher than the ceiling of the hole that feeds the reach, or than its current
/// top cell if that is higher. Returns whether any inflow in `shares` exceeds its new limit.
pub(in crate::blocks) fn limit_inflow(
    world: &impl CellLabels,
    sites: &mut [Site],
    shares: &[i32],
    reaches: &mut Reaches,
) -> bool {
    let grows = |(site, share): (&Site, &i32)| is_column_top(site) & (*share > site.headroom);
    let runs_off = |(site, share): (&Site, &i32)| *share > 0 && !is_column_top(site);
    let moves = || sites.iter().zip(shares);
    if !moves().any(grows) {
        return false;
    }
    let is_over_step =
        |both: &(&Site, &i32)| grows(*both) && has_surface_step_beside(world, (both.0.x, both.0.y));
    let mut over_steps = std::mem::take(&mut reaches.over_steps);
    over_steps.clear();
    over_steps.extend(moves().filter(is_over_step).map(|(site, _)| (site.x, site.y)));
    reaches.over_steps = over_steps;
    if reaches.over_steps.is_empty() && !moves().any(runs_off) {
        return false;
    }
    let Some(body) = reaches.connect_tops(world, sites) else { return false };
    for (site, _) in moves().filter(|both| runs_off(*both)) {
        let above = (site.x, site.y.wrapping_sub(1));
        for (x, y) in [(site.x.wrapping_sub(1), site.y), (site.x + 1, site.y), above] {
            if world.body(x, y) == body {
                reaches.limit_reach_at((x, y), u32::MAX);
            }
        }
    }
    for i in 0..reaches.over_steps.len() {
        let (x, y) = reaches.over_steps[i];
        reaches.limit_reach_at((x, y), y);
    }
    for (site, _) in moves().filter(|(_, share)| **share < 0) {
        reaches.release_reach((site.x, site.y));
    }
    reaches.saved_limits.clear();
    reaches.saved_limits.extend(sites.iter().map(|site| site.max_inflow));
    let mut is_limited = false;
    for (site, share) in sites.iter_mut().zip(shares).filter(|(site, share)| grows((site, share))) {
        if let Some(soffit) = reaches.limiting_soffit_row(site)
            && !is_beside_higher_part_of_body(world, (site.x, site.y))
        {
            let rows = site.y.saturating_sub(soffit) as i32;
            let limit = i32::from(FULL) * rows + site.headroom;
            is_limited |= *share > limit;
            site.max_inflow = site.max_inflow.min(limit);
        }
    }
    is_limited
}

pub(in crate::blocks) fn restore_inflow(sites: &mut [Site], reaches: &Reaches) {
    sites
        .iter_mut()
        .zip(&reaches.saved_limits)
        .for_each(|(site, max_inflow)| site.max_inflow = *max_inflow);
}

fn is_column_top(site: &Site) -> bool {
    site.max_outflow > 0
}

/// Returns whether the surface steps down next to the top of a column. This is the case if the
/// western or eastern column has [`STEP_ROWS`] cells of air, from the row of the top downward.
fn has_surface_step_beside(world: &impl CellLabels, (x, y): (u32, u32)) -> bool {
    let is_step = |x: u32| (0..STEP_ROWS).all(|down| world.cell(x, y + down) == PackedCell::AIR);
    is_step(x.wrapping_sub(1)) || is_step(x + 1)
}

/// Returns whether a column lies next to a higher part of its body that is too wide to be a falling
/// stream. Such a column may fill from this side without a limit.
fn is_beside_higher_part_of_body(world: &impl CellLabels, (x, y): (u32, u32)) -> bool {
    let body = world.body(x, y);
    let is_of_body = |away: i32| world.body(x.wrapping_add_signed(away), y.wrapping_sub(1)) == body;
    [-1, 1].into_iter().any(|side| (1..=MAX_FALL_CELLS).all(|away| is_of_body(side * away)))
}

impl Reaches {
    /// Connects the tops of adjacent columns into reaches and returns the body to which they
    /// belong. Each column is linked to the adjacent columns that are at least as high. Returns
    /// `None` if none of the sites (cells where liquid can enter or leave the body) is the top of a
    /// column.
    fn connect_tops(&mut self, world: &impl CellLabels, sites: &[Site]) -> Option<u32> {
        self.sort_tops(sites)?;
        let count = self.tops.len();
        for all in [&mut self.reach, &mut self.stretch] {
            all.clear();
            all.extend(0..count as u32);
        }
        self.lowest_row.clear();
        self.lowest_row.resize(count, None);
        self.soffit_rows.clear();
        self.soffit_rows.resize(count, NO_HOLE);
        for i in 0..count {
            let Top { x, y, is_open_above } = self.tops[i];
            if !is_open_above {
                continue;
            }
            let (x, y) = (x.into(), y.into());
            let kind = world.cell(x, y).kind();
            // A member of the same kind that touches this body belongs to it.
            let is_of_body =
                |x: u32, y: u32| world.cell(x, y).kind() == kind && world.is_member(x, y);
            let west = x.wrapping_sub(1);
            let is_open = |x: u32| [AIR, kind].contains(&world.cell(x, y.wrapping_sub(1)).kind());
            // The western neighbour has already made the link if it is open and equally high.
            if is_of_body(west, y) && (is_of_body(west, y.wrapping_sub(1)) || !is_open(west)) {
                self.link_to_column(world, i, (west, y));
            }
            if is_of_body(x + 1, y) {
                self.link_to_column(world, i, (x + 1, y));
            }
        }
        let Top { x, y, .. } = self.tops[0];
        Some(world.body(x.into(), y.into()))
    }

    fn link_to_column(&mut self, world: &impl CellLabels, i: usize, (x, y): (u32, u32)) {
        let Some(j) = self.top_index_at(x, y) else { return };
        let Top { y: top, is_open_above, .. } = self.tops[j as usize];
        let top = top.into();
        if !is_open_above {
            if world.cell(x, top).fill() == FULL {
                let stretch = find_root(&mut self.stretch, i as u32) as usize;
                self.soffit_rows[stretch] = self.soffit_rows[stretch].min(top);
            }
            return;
        }
        join_sets(&mut self.reach, i as u32, j);
        if y - top < STEP_ROWS {
            let soffit =
                [i as u32, j].map(|i| self.soffit_rows[find_root(&mut self.stretch, i) as usize]);
            let stretch = join_sets(&mut self.stretch, i as u32, j) as usize;
            self.soffit_rows[stretch] = soffit[0].min(soffit[1]);
        }
    }

    fn sort_tops(&mut self, sites: &[Site]) -> Option<()> {
        let tops = || sites.iter().filter(|site| is_column_top(site));
        let (mut first, mut last) = (u32::MAX, None);
        for site in tops() {
            (first, last) = (first.min(site.x), last.max(Some(site.x)));
        }
        let last = last?;
        self.first_column = first;
        self.column_starts.clear();
        self.column_starts.resize((last - first) as usize + 3, 0);
        tops().for_each(|site| self.column_starts[(site.x - first) as usize + 2] += 1);
        for i in 1..self.column_starts.len() {
            self.column_starts[i] += self.column_starts[i - 1];
        }
        self.tops.clear();
        self.tops.resize(self.column_starts[self.column_starts.len() - 1] as usize, Top::default());
        for site in tops() {
            let slot = &mut self.column_starts[(site.x - first) as usize + 1];
            self.tops[*slot as usize] =
                Top { x: site.x as u16, y: site.y as u16, is_open_above: site.is_open_above };
            *slot += 1;
        }
        Some(())
    }

    /// Returns the index in `tops` of the lowest column top that lies at or above a cell of the
    /// body.
    fn top_index_at(&self, x: u32, y: u32) -> Option<u32> {
        let column = x.checked_sub(self.first_column)? as usize;
        let (start, end) = (*self.column_starts.get(column)?, *self.column_starts.get(column + 1)?);
        let tops = &self.tops[start as usize..end as usize];
        let above = tops.partition_point(|top| u32::from(top.y) <= y) as u32;
        Some(start + above.checked_sub(1)?)
    }

    fn limit_reach_at(&mut self, (x, y): (u32, u32), row: u32) {
        if let Some(i) = self.top_index_at(x, y) {
            let lowest_row = &mut self.lowest_row[find_root(&mut self.reach, i) as usize];
            *lowest_row = (*lowest_row).max(Some(row));
        }
    }

    fn release_reach(&mut self, (x, y): (u32, u32)) {
        if let Some(i) = self.top_index_at(x, y) {
            self.lowest_row[find_root(&mut self.reach, i) as usize] = None;
        }
    }

    /// Returns the row of the ceiling that limits the rise of the column at a site (a cell where
    /// liquid can enter or leave the body). Returns `None` if the column is not limited.
    fn limiting_soffit_row(&mut self, site: &Site) -> Option<u32> {
        let i = self.top_index_at(site.x, site.y)?;
        let lowest_row = self.lowest_row[find_root(&mut self.reach, i) as usize]?;
        (site.y <= lowest_row).then(|| self.soffit_rows[find_root(&mut self.stretch, i) as usize])
    }
}

fn find_root(parents: &mut [u32], mut node: u32) -> u32 {
    while parents[node as usize] != node {
        let up = parents[parents[node as usize] as usize];
        parents[node as usize] = up;
        node = up;
    }
    node
}

fn join_sets(parents: &mut [u32], i: u32, j: u32) -> u32 {
    let (a, b) = (find_root(parents, i), find_root(parents, j));
    parents[a.max(b) as usize] = a.min(b);
    a.min(b)
}
