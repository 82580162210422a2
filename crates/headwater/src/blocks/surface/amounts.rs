//! [`FlowLimits`]: limits on inflow and outflow of a body of liquid, stored as arrays. They serve
//! to find the level at which the total inflow of the cells below it balances the total outflow of
//! the cells above it. The loops are compiled for several instruction sets. They use integers only,
//! so the results do not depend on the instruction set.

use super::sites::Site;
use multiversion::multiversion;

/// Limits on inflow and outflow at all surface cells of a body of liquid where it can gain or lose
/// liquid, with one array per quantity. The arrays are padded to whole SIMD vectors.
#[derive(Debug, Default)]
pub(in crate::blocks) struct FlowLimits {
    head: Vec<i32>,
    max_outflow: Vec<i32>,
    base: Vec<i32>,
    min_inflow: Vec<i32>,
    max_inflow: Vec<i32>,
}

#[derive(Clone, Copy)]
struct FlowLimitSlices<'a> {
    head: &'a [i32],
    max_outflow: &'a [i32],
    base: &'a [i32],
    min_inflow: &'a [i32],
    max_inflow: &'a [i32],
}

const LANES: usize = 16;
/// Largest number of terms in a 32-bit sum. The limit keeps the sum below 2³¹.
const TERMS_PER_SUM: usize = 1 << 16;

impl FlowLimits {
    pub(in crate::blocks) fn set_sites(&mut self, sites: &[Site]) {
        let length = sites.len().next_multiple_of(LANES);
        let Self { head, max_outflow, base, min_inflow, max_inflow } = self;
        for all in [&mut *head, &mut *max_outflow, &mut *base, &mut *min_inflow, &mut *max_inflow] {
            all.resize(length, 0);
            all[sites.len()..].fill(0);
        }
        min_inflow[sites.len()..].fill(1);
        let count = sites.len();
        let (head, max_outflow, base) =
            (&mut head[..count], &mut max_outflow[..count], &mut base[..count]);
        let (min_inflow, max_inflow) = (&mut min_inflow[..count], &mut max_inflow[..count]);
        for (i, site) in sites.iter().enumerate() {
            (head[i], max_outflow[i]) = (site.head, site.max_outflow);
            (base[i], min_inflow[i], max_inflow[i]) =
                (site.entry_level - site.min_inflow, site.min_inflow, site.max_inflow);
        }
    }

    fn slices(&self) -> FlowLimitSlices<'_> {
        let Self { head, max_outflow, base, min_inflow, max_inflow } = self;
        FlowLimitSlices { head, max_outflow, base, min_inflow, max_inflow }
    }

    /// Returns the highest level (256ths of a cell) at which total inflow does not exceed total
    /// outflow. Searches between `lower_bound`, where this condition must hold, and `upper_bound`,
    /// where it must fail.
    pub(in crate::blocks) fn balance_level(&self, lower_bound: i32, upper_bound: i32) -> i32 {
        find_level(self.slices(), lower_bound, upper_bound)
    }

    pub(in crate::blocks) fn write_flows(
        &self,
        level: i32,
        outflow: &mut Vec<i32>,
        inflow: &mut Vec<i32>,
    ) -> i64 {
        outflow.resize(self.head.len(), 0);
        inflow.resize(self.head.len(), 0);
        write_amounts(self.slices(), level, outflow, inflow)
    }

    pub(in crate::blocks) fn extra_outflow(&self, i: usize, level: i32) -> i32 {
        outflow_at_level(self.head[i], self.max_outflow[i], level)
            - outflow_at_level(self.head[i], self.max_outflow[i], level + 1)
    }

    pub(in crate::blocks) fn extra_inflow(&self, i: usize, level: i32) -> i32 {
        let up_to = |level: i32| {
            inflow_at_level(self.base[i], self.min_inflow[i], self.max_inflow[i], level)
        };
        up_to(level + 1) - up_to(level)
    }
}

#[inline(always)]
fn outflow_at_level(head: i32, max_outflow: i32, level: i32) -> i32 {
    (head - level).max(0).min(max_outflow)
}

#[inline(always)]
fn inflow_at_level(base: i32, min_inflow: i32, max_inflow: i32, level: i32) -> i32 {
    let over = level - base;
    if over < min_inflow { 0 } else { over.min(max_inflow) }
}

#[multiversion(targets = "simd")]
fn find_level(slices: FlowLimitSlices<'_>, mut lower_bound: i32, mut upper_bound: i32) -> i32 {
    let (mut deficit, mut surplus) =
        (-excess_inflow(slices, lower_bound), excess_inflow(slices, upper_bound));
    let (mut was_above, mut steps) = (None, 0);
    while upper_bound - lower_bound > 1 {
        let between = i64::from(upper_bound - lower_bound);
        // Illinois variant of false position. Every fourth step bisects, which bounds the number of
        // steps.
        steps += 1;
        let crossing = if steps % 4 == 0 { None } else { between.checked_mul(deficit) };
        let part = crossing.map_or(between / 2, |part| part / (deficit + surplus));
        let middle = lower_bound + part.clamp(1, between - 1) as i32;
        let over = excess_inflow(slices, middle);
        let is_above = over > 0;
        let is_again = was_above.replace(is_above) == Some(is_above);
        if is_above {
            (upper_bound, surplus) = (middle, over);
            deficit = if is_again { deficit / 2 } else { deficit };
        } else {
            (lower_bound, deficit) = (middle, -over);
            surplus = if is_again { (surplus + 1) / 2 } else { surplus };
        }
    }
    lower_bound
}

#[inline(always)]
fn excess_inflow(slices: FlowLimitSlices<'_>, level: i32) -> i64 {
    let count = slices.head.len();
    let mut sum = 0;
    let mut start = 0;
    while start < count {
        let end = (start + TERMS_PER_SUM).min(count);
        let (head, max_outflow) = (&slices.head[start..end], &slices.max_outflow[start..end]);
        let (base, min_inflow) = (&slices.base[start..end], &slices.min_inflow[start..end]);
        let max_inflow = &slices.max_inflow[start..end];
        let mut part = 0;
        for i in 0..end - start {
            part += inflow_at_level(base[i], min_inflow[i], max_inflow[i], level)
                - outflow_at_level(head[i], max_outflow[i], level);
        }
        sum += i64::from(part);
        start = end;
    }
    sum
}

#[multiversion(targets = "simd")]
fn write_amounts(
    slices: FlowLimitSlices<'_>,
    level: i32,
    outflows: &mut [i32],
    inflows: &mut [i32],
) -> i64 {
    let count = slices.head.len();
    let mut sum = 0;
    let mut start = 0;
    while start < count {
        let end = (start + TERMS_PER_SUM).min(count);
        let (head, max_outflow) = (&slices.head[start..end], &slices.max_outflow[start..end]);
        let (base, min_inflow) = (&slices.base[start..end], &slices.min_inflow[start..end]);
        let max_inflow = &slices.max_inflow[start..end];
        let (outflows, inflows) = (&mut outflows[start..end], &mut inflows[start..end]);
        let mut part = 0;
        for i in 0..end - start {
            outflows[i] = outflow_at_level(head[i], max_outflow[i], level + 1);
            inflows[i] = inflow_at_level(base[i], min_inflow[i], max_inflow[i], level);
            part += inflows[i] - outflows[i];
        }
        sum += i64::from(part);
        start = end;
    }
    sum
}
