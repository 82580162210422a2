//! Waterfalls: short steps in the long profile of a river that are much steeper than the river
//! above and below. Lengths are given in the land's unit of length, set by the parameter `unit`.

use super::network::ChannelNetwork;
use crate::region::Point;
use serde::Serialize;

/// Smallest mean slope of a waterfall (m per m).
const MIN_SLOPE: f64 = 0.5;
/// Smallest ratio of the slope of a waterfall to the slopes of the river above and below it.
const MIN_SLOPE_RATIO: f64 = 3.0;
/// Largest length of a waterfall (units of length): four diagonal steps. A longer steep section
/// counts as a steep valley.
const MAX_LENGTH: f64 = 5.7;
/// Length of river above and below a waterfall whose slope is compared with that of the waterfall
/// (units of length).
const CONTEXT_LENGTH: f64 = 8.0;
/// Smallest height of a waterfall (units of length).
const MIN_HEIGHT: f64 = 0.4;
/// Smallest upstream area of a river in which waterfalls are counted (square units of length).
const MIN_AREA: f64 = 200.0;

/// A waterfall: a short, steep step in the long profile of a river.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Waterfall {
    /// Upper end of the waterfall (m from the top-left corner).
    pub lip: Point,
    /// Lower end of the waterfall (m from the top-left corner).
    pub foot: Point,
    /// Height of the waterfall (m).
    pub height: f64,
    /// Upstream area at the upper end of the waterfall (m²).
    pub area: f64,
    /// Whether the waterfall drops from a hard layer of rock to a softer one. Always false without
    /// [`Strata`](super::super::Strata).
    pub over_hard_rock: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fall {
    pub(super) lip: usize,
    pub(super) foot: usize,
    pub(super) height: f64,
}

/// Returns the waterfalls of a channel network, highest first. The network has square cells of side
/// `size` (m). The criteria of a waterfall are multiples of the length `unit` (m). `is_ledge`
/// returns whether hard rock lies above softer rock at a given waterfall.
pub(super) fn find_waterfalls(
    network: &ChannelNetwork,
    [size, unit]: [f64; 2],
    is_ledge: impl Fn(&Fall) -> bool,
) -> Vec<Waterfall> {
    let middle = |cell: usize| {
        let (x, y) = network.column_and_row(cell);
        [x, y].map(|i| (i as f64 + 0.5) * size)
    };
    let waterfall = |fall: &Fall| Waterfall {
        lip: middle(fall.lip),
        foot: middle(fall.foot),
        height: fall.height,
        area: f64::from(network.area(fall.lip)) * size * size,
        over_hard_rock: is_ledge(fall),
    };
    find_falls(network, [size, unit]).iter().map(waterfall).collect()
}

/// Finds the waterfalls of a channel network and sorts them by decreasing height. If several
/// waterfalls end in the same cell, only the one with the largest upstream area is kept.
fn find_falls(network: &ChannelNetwork, [size, unit]: [f64; 2]) -> Vec<Fall> {
    let is_steep = |cell: usize| network.slope(cell) >= MIN_SLOPE;
    let area = |cell: usize| f64::from(network.area(cell));
    let lips = (0..network.stream_orders().len())
        .filter(|&cell| is_steep(cell) && !network.main_donor(cell).is_some_and(is_steep))
        .filter(|&cell| area(cell) * size * size >= MIN_AREA * unit * unit);
    let mut falls: Vec<Fall> = lips.filter_map(|lip| fall_at(network, lip, unit)).collect();
    let order = |a: &Fall, b: &Fall| area(b.lip).total_cmp(&area(a.lip)).then(a.lip.cmp(&b.lip));
    falls.sort_by(|a, b| a.foot.cmp(&b.foot).then(order(a, b)));
    falls.dedup_by_key(|fall| fall.foot);
    falls.sort_by(|a, b| b.height.total_cmp(&a.height).then(a.lip.cmp(&b.lip)));
    falls
}

/// Returns the waterfall whose upper end is the cell `lip`. Returns `None` if the steep section at
/// this cell does not meet the criteria of a waterfall.
fn fall_at(network: &ChannelNetwork, lip: usize, unit: f64) -> Option<Fall> {
    let (mut foot, mut height, mut length) = (lip, 0.0, 0.0);
    while network.slope(foot) >= MIN_SLOPE {
        let below = network.receiver(foot)?;
        let distance = network.distance_between(foot, below);
        (height, length) = (height + network.slope(foot) * distance, length + distance);
        foot = below;
        if length > MAX_LENGTH * unit {
            return None;
        }
    }
    let steep = height / length / MIN_SLOPE_RATIO;
    let reach = CONTEXT_LENGTH * unit;
    let above = mean_slope(network, lip, reach, |cell| {
        let above = network.main_donor(cell)?;
        Some((above, above))
    })?;
    let below = mean_slope(network, foot, reach, |cell| Some((network.receiver(cell)?, cell)))?;
    (height >= MIN_HEIGHT * unit && above <= steep && below <= steep).then_some(Fall {
        lip,
        foot,
        height,
    })
}

/// Returns the mean slope along a channel over the distance `reach` (m), starting at the cell
/// `from`. If the channel is shorter, the mean is taken over its length. Returns `None` if the
/// channel ends at `from`.
///
/// `step` receives a cell and returns the next cell and the higher of the two cells. It returns
/// `None` at the end of the channel.
fn mean_slope(
    network: &ChannelNetwork,
    from: usize,
    max_length: f64,
    step: impl Fn(usize) -> Option<(usize, usize)>,
) -> Option<f64> {
    let (mut cell, mut fall, mut length) = (from, 0.0, 0.0);
    while length < max_length {
        let Some((to, higher)) = step(cell) else { break };
        let (slope, distance) = (network.slope(higher), network.distance_between(cell, to));
        fall += if slope.is_nan() { 0.0 } else { slope * distance };
        (cell, length) = (to, length + distance);
    }
    (length > 0.0).then(|| fall / length)
}

#[cfg(test)]
mod tests {
    use super::super::routing::Routing;
    use super::*;
    use crate::field::Field;

    /// Returns the waterfalls of a test valley that drains to the west. `profile` maps the distance
    /// from the western edge (units of 10 m) to the height of the valley floor (m). `cells` is the
    /// number of cells per 10 m.
    fn falls_of_fine_valley(cells: usize, profile: impl Fn(f32) -> f32) -> Vec<Fall> {
        let across = |y: usize| (y as f32 / cells as f32 - 10.0).abs();
        let bed = Field::from_fn(80 * cells, 21 * cells, |x, y| {
            profile(x as f32 / cells as f32) + 4.0 * across(y)
        });
        let outlet = Field::from_fn(80 * cells, 21 * cells, |x, _| x == 0);
        let routing = Routing::new(&bed, &outlet);
        let size = 10.0 / cells as f64;
        find_falls(&ChannelNetwork::new(&routing, &bed, size), [size, 10.0])
    }

    fn falls_of_valley(profile: impl Fn(f32) -> f32) -> Vec<Fall> {
        falls_of_fine_valley(1, profile)
    }

    #[test]
    fn only_short_steep_steps_are_falls() {
        let step = falls_of_valley(|x| x + if x > 40.0 { 30.0 } else { 0.0 });
        assert_eq!(step.len(), 1, "{step:?}");
        assert_eq!((step[0].lip, step[0].foot), (10 * 80 + 41, 10 * 80 + 40));
        assert!((step[0].height - 31.0).abs() < 1e-3);
        // The first profile is an equally steep slope that never ends. The second has a step lower
        // than 0.4 units.
        assert_eq!(falls_of_valley(|x| 9.0 * x), []);
        assert_eq!(falls_of_valley(|x| x + if x > 40.0 { 2.0 } else { 0.0 }), []);
        // A long steep section counts as a steep valley.
        assert_eq!(falls_of_valley(|x| x + 9.0 * x.clamp(30.0, 40.0)), []);
        // The upstream area is too small for a river.
        assert_eq!(falls_of_valley(|x| x + if x > 76.0 { 30.0 } else { 0.0 }), []);
    }

    #[test]
    fn finer_cells_show_the_same_falls() {
        for cells in [1, 2, 4] {
            let falls = falls_of_fine_valley(cells, |x| x + 10.0 * (x - 40.0).clamp(0.0, 3.0));
            assert_eq!(falls.len(), 1, "{cells}: {falls:?}");
            assert!((falls[0].height - 33.0).abs() < 3.0, "{cells}: {falls:?}");
        }
    }
}
