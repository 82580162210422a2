//! Division of flow among the cells where one body of liquid can gain or lose liquid. This module
//! computes the level of the body after the step, and distributes the units (256ths of a cell) that
//! are left over by rounding.
//!
//! Heights are in 256ths of a cell above the bottom of the world. Results depend only on heights
//! and on distances from the body's centre, so a mirror-symmetric world stays symmetric.

use super::amounts::FlowLimits;
use super::reach::Reaches;
use super::sites::{Site, SiteKind};

/// Returns the inflow (positive) or outflow (negative) at each site, in 256ths of a cell. A site is
/// a cell where a body of liquid can gain or lose liquid; `sites` lists those of one body under one
/// air pocket. The result is empty if nothing moves. Its sum is 0, and no unit of liquid moves
/// upward, except over a sill.
///
/// The level is the highest level at which total inflow does not exceed total outflow. Outlets give
/// their content down to one unit above the level, and inlets fill up to the level. Any units left
/// over are assigned to sites in the order of [`find_pairs`](SiteOrder::find_pairs).
pub(in crate::blocks) fn share_flow<'a>(sites: &[Site], arrays: &'a mut ShareScratch) -> &'a [i32] {
    share_flow_above(sites, i32::MIN, arrays)
}

pub(in crate::blocks) fn share_flow_above<'a>(
    sites: &[Site],
    min_level: i32,
    arrays: &'a mut ShareScratch,
) -> &'a [i32] {
    arrays.shares.clear();
    // The initial values stand for no outlet and no inlet.
    let (mut highest, mut lowest) = (i32::MIN, i32::MAX);
    for site in sites {
        highest = highest.max(if site.max_outflow > 0 { site.head } else { i32::MIN });
        lowest = lowest.min(if site.max_inflow > 0 { site.entry_level } else { i32::MAX });
    }
    arrays.level = i32::MIN;
    if lowest >= highest {
        return &[];
    }
    let ShareScratch { amounts, split, order, shares, level: found_level, .. } = arrays;
    amounts.set_sites(sites);
    let level = amounts.balance_level(min_level.clamp(lowest - 1, highest - 1), highest);
    *found_level = level;
    let remainder = amounts.write_flows(level, &mut split.outflow, &mut split.inflow);
    // Most sites are far from the level and take none of the remaining units. All sites are sorted
    // only if the near ones leave a unit over.
    if remainder > 0 {
        let more = |i: usize| amounts.extra_outflow(i, level);
        order.find_pairs(sites, |i| more(i) != 0, &mut split.pairs);
        if let Some(left) = split.add_outflow(remainder, more) {
            order.find_pairs(sites, |_| true, &mut split.pairs);
            split.resolve_last_unit(left);
        }
    } else if remainder < 0 {
        let more = |i: usize| amounts.extra_inflow(i, level);
        order.find_pairs(sites, |i| more(i) != 0, &mut split.pairs);
        let left = split.add_inflow(-remainder, more, |i| sites[i].site_kind == SiteKind::Drop);
        if left > 0 {
            order.find_pairs(sites, |_| true, &mut split.pairs);
            split.reduce_outflow(left);
        }
    }
    let FlowSplit { outflow, inflow, .. } = split;
    debug_assert_eq!(outflow.iter().sum::<i32>(), inflow.iter().sum::<i32>());
    shares.extend(
        inflow[..sites.len()].iter().zip(&*outflow).map(|(inflow, outflow)| inflow - outflow),
    );
    shares
}

#[derive(Debug, Default)]
pub(in crate::blocks) struct ShareScratch {
    amounts: FlowLimits,
    split: FlowSplit,
    order: SiteOrder,
    shares: Vec<i32>,
    pub(in crate::blocks) level: i32,
    pub(in crate::blocks) reaches: Reaches,
}

impl ShareScratch {
    pub(in crate::blocks) fn shares(&self) -> &[i32] {
        &self.shares
    }
}

#[derive(Debug, Default)]
struct SiteOrder {
    /// Distance (columns) from each column to the nearest column in which the body flows over an
    /// edge. Unused if there is no such column.
    to_edge: Vec<u16>,
    keys: Vec<u128>,
}

impl SiteOrder {
    /// Finds single sites (cells where liquid can enter or leave the body) and mirror-symmetric
    /// pairs of sites, and appends them to `found` in sorted order. Sites farthest from the edges
    /// over which the body flows come first, so that thin films stay connected. Sites at the same
    /// distance are sorted from the body's centre outward. Both sites of a pair get the same share
    /// of the flow. Only sites whose index satisfies `is_candidate` are included.
    fn find_pairs(
        &mut self,
        sites: &[Site],
        is_candidate: impl Fn(usize) -> bool,
        found: &mut Vec<(usize, Option<usize>)>,
    ) {
        let Self { to_edge, keys } = self;
        found.clear();
        let mut places = (0..sites.len()).filter(|i| is_candidate(*i));
        let Some(first) = places.next() else { return };
        let Some(second) = places.next() else { return found.push((first, None)) };
        let (mut low, mut high, mut falls) = (u32::MAX, 0, false);
        for site in sites {
            (low, high) = (low.min(site.x), high.max(site.x));
            falls |= site.site_kind == SiteKind::Drop;
        }
        // Without an edge, the distance does not matter.
        if falls {
            find_edge_distances(sites, low, high, to_edge);
        }
        let to_edge = |x: u32| if falls { to_edge[(x - low) as usize] } else { 0 };
        // The sort key holds everything that mirror images have in common, followed by the site's
        // index.
        let key = |i: usize| {
            let a = &sites[i];
            let from_middle = (2 * a.x).abs_diff(low + high);
            let join = |fields: [(u32, u32); 4]| {
                fields.iter().fold(0, |key, &(bits, field)| key << bits | u64::from(field))
            };
            let edge = (16, u32::from(u16::MAX - to_edge(a.x)));
            let place = join([edge, (17, from_middle), (16, a.y), (0, 0)]);
            let head = (24, a.head as u32);
            let (max_outflow, max_inflow) =
                (a.max_outflow.min(511) as u32, a.max_inflow.min(511) as u32);
            let amounts = join([head, (2, a.site_kind as u32), (9, max_outflow), (9, max_inflow)]);
            u128::from(place) << (44 + INDEX_BITS) | u128::from(amounts) << INDEX_BITS | i as u128
        };
        keys.clear();
        for i in [first, second] {
            keys.push(key(i));
        }
        for i in places {
            keys.push(key(i));
        }
        keys.sort_unstable();
        let number = |key: &u128| (key & u128::from(u32::MAX)) as usize;
        let mut rest = keys.as_slice();
        while let Some((key, others)) = rest.split_first() {
            match others.split_first() {
                Some((next, after)) if next >> INDEX_BITS == key >> INDEX_BITS => {
                    let pair = [number(key), number(next)];
                    let amounts = pair.map(|i| {
                        let Site { max_outflow, max_inflow, entry_level, min_inflow, .. } =
                            sites[i];
                        (max_outflow, max_inflow, entry_level, min_inflow)
                    });
                    if amounts[0] == amounts[1] {
                        found.push((pair[0], Some(pair[1])));
                    } else {
                        let first = usize::from(amounts[1] < amounts[0]);
                        found.extend([(pair[first], None), (pair[1 - first], None)]);
                    }
                    rest = after;
                }
                _ => {
                    found.push((number(key), None));
                    rest = others;
                }
            }
        }
    }
}

/// Computes the distance from each column between `low` and `high` to the nearest edge over which
/// the body flows, in columns. At least one site must be at an edge.
fn find_edge_distances(sites: &[Site], low: u32, high: u32, to_edge: &mut Vec<u16>) {
    const FAR: u16 = u16::MAX;
    to_edge.clear();
    to_edge.resize((high - low) as usize + 1, FAR);
    for site in sites.iter().filter(|site| site.site_kind == SiteKind::Drop) {
        to_edge[(site.x - low) as usize] = 0;
    }
    let mut last = FAR;
    for here in to_edge.iter_mut() {
        last = last.saturating_add(1).min(*here);
        *here = last;
    }
    for here in to_edge.iter_mut().rev() {
        last = last.saturating_add(1).min(*here);
        *here = last;
    }
}

/// Number of low bits of a site's sort key that hold the index of the site.
const INDEX_BITS: u32 = 32;

#[derive(Debug, Default)]
struct FlowSplit {
    outflow: Vec<i32>,
    inflow: Vec<i32>,
    pairs: Vec<(usize, Option<usize>)>,
}

impl FlowSplit {
    /// Distributes `remainder` units of outflow. Each site (a cell where liquid can enter or leave
    /// the body) whose index `i` has a nonzero `more(i)` can receive one unit. Both sites of a pair
    /// receive a unit, or neither does.
    ///
    /// Returns `None` if all units were distributed. Otherwise one unit is left: returns
    /// `Some(Some(pair))` with the first pair that received nothing, or `Some(None)` if there is no
    /// such pair.
    fn add_outflow(
        &mut self,
        mut remainder: i64,
        extra_outflow: impl Fn(usize) -> i32,
    ) -> Option<Option<(usize, usize)>> {
        let mut leftover = None;
        for &(i, twin) in &self.pairs {
            if extra_outflow(i) == 0 {
                continue;
            }
            match twin {
                None if remainder >= 1 => {
                    (self.outflow[i], remainder) = (self.outflow[i] + 1, remainder - 1);
                }
                Some(j) if remainder >= 2 => {
                    self.outflow[i] += 1;
                    self.outflow[j] += 1;
                    remainder -= 2;
                }
                Some(j) => leftover = leftover.or(Some((i, j))),
                None => {}
            }
        }
        (remainder != 0).then_some(leftover)
    }

    /// Resolves the last unit of outflow that could not be distributed. If `leftover` is a pair of
    /// sites, both sites of the pair give one unit more, and a single outlet gives one unit less.
    /// If there is no such pair or no such outlet, a single inlet takes one unit less.
    fn resolve_last_unit(&mut self, leftover: Option<(usize, usize)>) {
        if let (Some(i), Some((j, k))) = (self.first_unpaired_site(&self.outflow), leftover) {
            self.outflow[i] -= 1;
            self.outflow[j] += 1;
            self.outflow[k] += 1;
        } else if let Some(i) = self.first_unpaired_site(&self.inflow) {
            self.inflow[i] -= 1;
        }
    }

    /// Distributes `leftover` units of inflow among sites (cells where liquid can enter the body).
    /// Each supported site takes `extra_inflow` units, as long as enough are left. The rest is
    /// divided evenly among the sites of falling liquid. Returns the number of units that were not
    /// distributed.
    fn add_inflow(
        &mut self,
        mut leftover: i64,
        extra_inflow: impl Fn(usize) -> i32,
        is_falling_site: impl Fn(usize) -> bool,
    ) -> i64 {
        let Self { inflow, pairs, .. } = self;
        let mut falling = 0;
        for &(i, twin) in &*pairs {
            let step = extra_inflow(i);
            let all = i64::from(step) * if twin.is_some() { 2 } else { 1 };
            if is_falling_site(i) {
                falling += all;
            } else if step > 0 && all <= leftover {
                inflow[i] += step;
                twin.into_iter().for_each(|j| inflow[j] += step);
                leftover -= all;
            }
        }
        // Falls share the rest evenly. Units lost to rounding are assigned in order.
        let (even, mut last) = (leftover.min(falling), leftover.min(falling));
        let part = |i: usize| (i64::from(extra_inflow(i)) * even / falling.max(1)) as i32;
        for &(i, twin) in pairs.iter().filter(|(i, _)| is_falling_site(*i)) {
            inflow[i] += part(i);
            twin.into_iter().for_each(|j| inflow[j] += part(i));
            last -= i64::from(part(i)) * if twin.is_some() { 2 } else { 1 };
        }
        leftover -= even - last;
        for &(i, twin) in pairs.iter().filter(|(i, _)| is_falling_site(*i)) {
            let all = if twin.is_some() { 2 } else { 1 };
            if all <= last && part(i) < extra_inflow(i) {
                inflow[i] += 1;
                twin.into_iter().for_each(|j| inflow[j] += 1);
                (last, leftover) = (last - all, leftover - all);
            }
        }
        leftover
    }

    /// Reduces outflow by `leftover` units in total, because no site could take these units as
    /// inflow.
    fn reduce_outflow(&mut self, mut leftover: i64) {
        while leftover > 0 {
            let before = leftover;
            for &(i, twin) in &self.pairs {
                if self.outflow[i] == 0 {
                    continue;
                }
                match twin {
                    None if leftover >= 1 => {
                        (self.outflow[i], leftover) = (self.outflow[i] - 1, leftover - 1);
                    }
                    Some(j) if leftover >= 2 => {
                        self.outflow[i] -= 1;
                        self.outflow[j] -= 1;
                        leftover -= 2;
                    }
                    _ => {}
                }
            }
            if leftover == before {
                // One unit is left and only pairs have outflow, so a single inlet must take an odd
                // number.
                if let Some(i) = self.first_unpaired_site(&self.inflow) {
                    self.inflow[i] -= 1;
                    leftover += 1;
                }
            }
        }
    }

    /// Returns the index of the first site that is not in a pair and has a positive amount in
    /// `amounts`, a list of the outflows or inflows of all sites.
    fn first_unpaired_site(&self, amounts: &[i32]) -> Option<usize> {
        self.pairs.iter().find(|(i, twin)| twin.is_none() && amounts[*i] > 0).map(|(i, _)| *i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn compute_shares(sites: &[Site]) -> Vec<i32> {
        share_flow(sites, &mut ShareScratch::default()).to_vec()
    }

    fn top_site(x: u32, head: i32) -> Site {
        Site::new_top((x, 0), head, 256, 256, 0)
    }

    const FILM: i32 = 16;

    fn floor_site(x: u32, head: i32) -> Site {
        Site {
            max_outflow: 0,
            site_kind: SiteKind::Floor,
            entry_level: head + FILM,
            min_inflow: FILM,
            ..top_site(x, head)
        }
    }

    fn sill_site(x: u32, head: i32, min_inflow: i32) -> Site {
        Site {
            max_outflow: 0,
            max_inflow: 192,
            site_kind: SiteKind::Drop,
            entry_level: head,
            min_inflow,
            ..top_site(x, head)
        }
    }

    fn any_site() -> impl Strategy<Value = Site> {
        let site_kind = prop_oneof![3 => Just(SiteKind::Top), 1 => Just(SiteKind::Floor), 1 => Just(SiteKind::Drop)];
        (0u32..12, 0u32..3, 0i32..700, 0i32..1025, 0i32..1025, site_kind, 1i32..257).prop_map(
            |(x, y, head, max_outflow, max_inflow, site_kind, min_inflow)| {
                let site = match site_kind {
                    SiteKind::Top => Site { max_outflow, ..top_site(x, head) },
                    SiteKind::Floor => floor_site(x, head),
                    SiteKind::Drop => sill_site(x, head, min_inflow),
                };
                Site { y, max_inflow, ..site }
            },
        )
    }

    /// Returns a proptest strategy for lists of sites with one site per position, optionally
    /// combined with their mirror images.
    fn any_sites() -> impl Strategy<Value = Vec<Site>> {
        (prop::collection::vec(any_site(), 1..14), any::<bool>()).prop_map(|(mut sites, twin)| {
            sites.sort_by_key(|a| (a.x, a.y));
            sites.dedup_by_key(|a| (a.x, a.y));
            if twin {
                let more: Vec<Site> = sites.iter().map(|a| Site { x: 24 - a.x, ..*a }).collect();
                sites.extend(more);
            }
            sites
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

        #[test]
        fn shares_sum_to_zero_within_limits(
            sites in any_sites()
        ) {
            let moved = compute_shares(&sites);
            prop_assert_eq!(moved.iter().sum::<i32>(), 0);
            for (site, moved) in sites.iter().zip(&moved) {
                prop_assert!(-site.max_outflow <= *moved && *moved <= site.max_inflow);
            }
        }

        #[test]
        fn mirrored_sites_get_equal_shares(sites in any_sites()) {
            let mut mirrored: Vec<Site> = sites.iter().map(|a| Site { x: 30 - a.x, ..*a }).collect();
            mirrored.reverse();
            let mut moved = compute_shares(&mirrored);
            moved.reverse();
            prop_assert_eq!(moved, compute_shares(&sites));
        }

        #[test]
        fn column_heads_converge_to_within_two_units(
            heads in prop::collection::vec(0i32..4000, 2..40),
        ) {
            let mut sites: Vec<Site> =
                heads.iter().enumerate().map(|(x, &head)| top_site(x as u32, head)).collect();
            for _ in 0..400 {
                for (site, moved) in sites.clone().iter().zip(compute_shares(&sites)) {
                    sites[site.x as usize] = top_site(site.x, site.head + moved);
                }
            }
            let low = sites.iter().map(|a| a.head).min().unwrap();
            let high = sites.iter().map(|a| a.head).max().unwrap();
            prop_assert!(high - low <= 2, "{low} to {high}");
            prop_assert!(compute_shares(&sites).iter().all(|&moved| moved == 0));
        }
    }

    #[test]
    fn two_columns_equalise_by_at_most_one_cell_per_step() {
        assert_eq!(compute_shares(&[top_site(0, 5000), top_site(1, 0)]), [-256, 256]);
        assert_eq!(compute_shares(&[top_site(0, 101), top_site(1, 0)]), [-50, 50]);
    }

    #[test]
    fn a_narrow_column_supplies_several_inlets() {
        let tower = Site { max_outflow: 2000, ..top_site(0, 5000) };
        assert_eq!(
            compute_shares(&[tower, top_site(1, 0), top_site(2, 0), top_site(3, 0)]),
            [-768, 256, 256, 256]
        );
    }

    #[test]
    fn a_floor_is_wetted_by_a_film_or_not_at_all() {
        assert!(
            compute_shares(&[top_site(0, 20), floor_site(1, 0)]).iter().all(|&moved| moved == 0)
        );
        assert_eq!(compute_shares(&[top_site(0, 40), floor_site(1, 0)]), [-20, 20]);
    }

    #[test]
    fn water_drains_over_a_sill_to_the_last_unit() {
        assert_eq!(compute_shares(&[top_site(0, 1), sill_site(1, 0, 1)]), [-1, 1]);
        assert!(compute_shares(&[top_site(0, 0), sill_site(1, 0, 1)]).is_empty());
        assert_eq!(
            compute_shares(&[top_site(0, 101), sill_site(1, 0, 1)]),
            [-51, 51],
            "as the level is over it"
        );
        assert_eq!(
            compute_shares(&[top_site(0, 101), sill_site(1, 0, 256)]),
            [-101, 101],
            "what falls away"
        );
        let both = [top_site(0, 100), top_site(1, 100), sill_site(2, 0, 256), sill_site(3, 0, 256)];
        assert_eq!(compute_shares(&both), [-100, -100, 100, 100]);
    }
}
