//! Relocation of the water in cells that become wall. The water moves to the nearest columns of the
//! same connected body of water.

use super::super::heat::{LostWater, Parcel};
use super::super::layout::{Layout, MAX_LEVEL};
use super::super::state::State;
use super::transfer::{DisplacedWater, LayoutTransfer, NONE};

/// Returns, for each column, the connected body of water that it belongs to. A body is identified
/// by the index of its first column.
fn water_bodies(layout: &Layout, depth: &[i32]) -> Vec<u32> {
    let mut parents: Vec<u32> = (0..depth.len() as u32).collect();
    fn find_root(parents: &mut [u32], mut c: u32) -> u32 {
        while parents[c as usize] != c {
            parents[c as usize] = parents[parents[c as usize] as usize];
            c = parents[c as usize];
        }
        c
    }
    let mut link = |a: usize, b: usize, sill: i32| {
        if [a, b].iter().all(|&c| depth[c] > 0 && layout.floor[c] + depth[c] > sill) {
            let (a, b) = (find_root(&mut parents, a as u32), find_root(&mut parents, b as u32));
            parents[a.max(b) as usize] = a.min(b);
        }
    };
    for pool in &layout.pools {
        for c in pool.columns.start..pool.columns.end - 1 {
            link(c, c + 1, layout.floor[c].max(layout.floor[c + 1]));
        }
    }
    for joint in &layout.joints {
        link(joint.left, joint.right, joint.sill);
    }
    (0..depth.len() as u32).map(|c| find_root(&mut parents, c)).collect()
}

impl LayoutTransfer<'_> {
    /// Moves water out of cells that became wall, one connected body of water at a time. The water
    /// moves evenly into neighbouring columns first, then into the nearest columns with free space.
    /// Returns the water for which there is no space.
    pub(super) fn move_displaced_water(
        &mut self,
        before: &Layout,
        after: &Layout,
        state: &State,
    ) -> LostWater {
        let mut lost = LostWater::default();
        let mut displaced = std::mem::take(&mut self.displaced);
        if displaced.is_empty() {
            return lost;
        }
        let body = water_bodies(before, &state.depth);
        displaced.sort_by_key(|displaced| body[displaced.column]);
        // Columns with space for each body of water, from west to east.
        let mut free: Vec<(u32, usize, usize)> = Vec::new();
        for pool in &after.pools {
            for c in pool.columns.clone() {
                if self.origin[c] != NONE {
                    let x = pool.x0 + c - pool.columns.start;
                    free.push((body[self.origin[c] as usize], x, c));
                }
            }
        }
        free.sort_unstable();
        for group in displaced.chunk_by_mut(|a, b| body[a.column] == body[b.column]) {
            let own = body[group[0].column];
            let from = free.partition_point(|&(body, ..)| body < own);
            let to = free.partition_point(|&(body, ..)| body <= own);
            let free = &free[from..to];
            group.sort_by_key(|displaced| displaced.x);
            self.pour_evenly(after, group, free);
            for displaced in group.iter_mut() {
                let places = columns_by_distance(free, displaced.x);
                self.pour_parcel(after, &mut displaced.parcel, free, places, MAX_LEVEL);
            }
            for displaced in group {
                lost.quanta += i64::from(displaced.parcel.quanta);
                lost.heat += displaced.parcel.heat();
            }
        }
        lost
    }

    /// Distributes displaced water evenly over the nearest columns. Each of them receives no more
    /// than its free space can hold. The number of receiving columns is at least twice the number
    /// of displaced columns, if that many columns are available.
    fn pour_evenly(
        &mut self,
        after: &Layout,
        group: &mut [DisplacedWater],
        free: &[(u32, usize, usize)],
    ) {
        let far = |x: usize| {
            let east = group.partition_point(|displaced| displaced.x < x);
            let around = group[east.saturating_sub(1)..].iter().take(2);
            around.map(|displaced| displaced.x.abs_diff(x)).min().unwrap_or(0)
        };
        let mut distances: Vec<usize> = free.iter().map(|&(_, x, _)| far(x)).collect();
        let by_place = distances.clone();
        let count = (2 * group.len()).min(free.len());
        let Some(last) = count.checked_sub(1) else { return };
        let (_, &mut reach, _) = distances.select_nth_unstable(last);
        let places = (0..free.len()).filter(|&place| by_place[place] <= reach);
        let all: i64 = group.iter().map(|displaced| i64::from(displaced.parcel.quanta)).sum();
        let n = places.clone().count() as i64;
        let lift = (all + n - 1) / n;
        let mut own = 0;
        for place in places {
            // Water that does not fit in one column is distributed later, not all poured into the
            // next column.
            let mut left = lift.min(i64::from(MAX_LEVEL));
            while left > 0 && own < group.len() {
                let before = group[own].parcel.quanta;
                let once = std::iter::once(place);
                self.pour_parcel(after, &mut group[own].parcel, free, once, left as i32);
                let poured = i64::from(before - group[own].parcel.quanta);
                left -= poured;
                if group[own].parcel.quanta == 0 {
                    own += 1;
                } else if poured == 0 || left > 0 {
                    break;
                }
            }
        }
    }

    /// Pours a parcel of water into `columns` one after the other, until the parcel is empty. The
    /// water in each column rises by at most `max_rise` height quanta (the integer unit of height).
    fn pour_parcel(
        &mut self,
        after: &Layout,
        parcel: &mut Parcel,
        free: &[(u32, usize, usize)],
        columns: impl Iterator<Item = usize>,
        max_rise: i32,
    ) {
        for place in columns {
            if parcel.quanta == 0 {
                return;
            }
            let c = free[place].2;
            let air = after.ceiling[c].min(MAX_LEVEL) - after.floor[c] - self.state.depth[c];
            let part = parcel.quanta.min(air).min(max_rise);
            if part > 0 {
                let part = parcel.take(part);
                self.add_parcel(c, &part);
            }
        }
    }
}

fn columns_by_distance(free: &[(u32, usize, usize)], x: usize) -> impl Iterator<Item = usize> {
    let mut east = free.partition_point(|&(_, at, _)| at < x);
    let mut west = east;
    std::iter::from_fn(move || {
        let left = west.checked_sub(1).map(|west| x - free[west].1);
        let right = free.get(east).map(|&(_, at, _)| at - x);
        match (left, right) {
            (None, None) => None,
            (Some(left), right) if right.is_none_or(|right| left < right) => {
                west -= 1;
                Some(west)
            }
            _ => {
                east += 1;
                Some(east - 1)
            }
        }
    })
}
