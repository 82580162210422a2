//! Waterfalls: short steps in long profiles, much steeper than the river around. Lengths are in
//! units of the land.

use super::network::Network;
use crate::region::Point;
use serde::Serialize;

/// The least slope of a fall (m/m), and how many times steeper than the river above and below it must be.
const STEEP: f64 = 0.5;
const STEEPER: f64 = 3.0;
/// The longest way (units; that of four steps from corner to corner) that a fall goes: what is longer is a steep valley.
const LONGEST: f64 = 5.7;
/// The way (units) over which the river above and below is judged.
const REACH: f64 = 8.0;
/// The least height of a fall (units), and the least area (units²) that drains to one: less is no river.
const LEAST: f64 = 0.4;
const RIVER: f64 = 200.0;

/// A step in the long profile of a river.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Waterfall {
    /// Where the water begins to fall (m from the top-left corner).
    pub lip: Point,
    /// Where it has fallen.
    pub foot: Point,
    /// How high it is (m).
    pub height: f64,
    /// The area that drains to it (m²).
    pub area: f64,
    /// Whether it falls from a hard layer of rock to a softer one. Only a world with [`Strata`](super::super::Strata) knows.
    pub over_hard_rock: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fall {
    pub(super) lip: usize,
    pub(super) foot: usize,
    pub(super) height: f64,
}

/// The waterfalls of a channel network on square cells of `size` m, with a unit of length (m), the
/// highest first. `is_ledge` says whether hard rock lies over softer rock.
pub(super) fn waterfalls(
    network: &Network,
    [size, unit]: [f64; 2],
    is_ledge: impl Fn(&Fall) -> bool,
) -> Vec<Waterfall> {
    let middle = |cell: usize| {
        let (x, y) = network.at(cell);
        [x, y].map(|i| (i as f64 + 0.5) * size)
    };
    let waterfall = |fall: &Fall| Waterfall {
        lip: middle(fall.lip),
        foot: middle(fall.foot),
        height: fall.height,
        area: f64::from(network.area(fall.lip)) * size * size,
        over_hard_rock: is_ledge(fall),
    };
    falls(network, [size, unit]).iter().map(waterfall).collect()
}

/// All falls of a network of channels, the highest first. Of those with one foot, that with the largest river.
fn falls(network: &Network, [size, unit]: [f64; 2]) -> Vec<Fall> {
    let is_steep = |cell: usize| network.slope(cell) >= STEEP;
    let area = |cell: usize| f64::from(network.area(cell));
    let lips = (0..network.orders().len())
        .filter(|&cell| is_steep(cell) && !network.main(cell).is_some_and(is_steep))
        .filter(|&cell| area(cell) * size * size >= RIVER * unit * unit);
    let mut falls: Vec<Fall> = lips.filter_map(|lip| fall(network, lip, unit)).collect();
    let order = |a: &Fall, b: &Fall| area(b.lip).total_cmp(&area(a.lip)).then(a.lip.cmp(&b.lip));
    falls.sort_by(|a, b| a.foot.cmp(&b.foot).then(order(a, b)));
    falls.dedup_by_key(|fall| fall.foot);
    falls.sort_by(|a, b| b.height.total_cmp(&a.height).then(a.lip.cmp(&b.lip)));
    falls
}

/// The fall that begins at a cell, if it is one.
fn fall(network: &Network, lip: usize, unit: f64) -> Option<Fall> {
    let (mut foot, mut height, mut length) = (lip, 0.0, 0.0);
    while network.slope(foot) >= STEEP {
        let below = network.below(foot)?;
        let way = network.length_to(foot, below);
        (height, length) = (height + network.slope(foot) * way, length + way);
        foot = below;
        if length > LONGEST * unit {
            return None;
        }
    }
    let steep = height / length / STEEPER;
    let reach = REACH * unit;
    let above = mean_slope(network, lip, reach, |cell| {
        let above = network.main(cell)?;
        Some((above, above))
    })?;
    let below = mean_slope(network, foot, reach, |cell| Some((network.below(cell)?, cell)))?;
    (height >= LEAST * unit && above <= steep && below <= steep).then_some(Fall {
        lip,
        foot,
        height,
    })
}

/// Mean slope of a reach (m) from a cell on. `step` gives the next cell, and the higher of the two.
/// `None` where the channel ends.
fn mean_slope(
    network: &Network,
    from: usize,
    reach: f64,
    step: impl Fn(usize) -> Option<(usize, usize)>,
) -> Option<f64> {
    let (mut cell, mut fall, mut length) = (from, 0.0, 0.0);
    while length < reach {
        let Some((to, higher)) = step(cell) else { break };
        let (slope, way) = (network.slope(higher), network.length_to(cell, to));
        fall += if slope.is_nan() { 0.0 } else { slope * way };
        (cell, length) = (to, length + way);
    }
    (length > 0.0).then(|| fall / length)
}

#[cfg(test)]
mod tests {
    use super::super::routing::Routing;
    use super::*;
    use crate::field::Field;

    /// The falls of a valley that falls to the west by `profile`, column by column, in units of 10 m; each is so many cells.
    fn of_valley_of(cells: usize, profile: impl Fn(f32) -> f32) -> Vec<Fall> {
        let across = |y: usize| (y as f32 / cells as f32 - 10.0).abs();
        let bed = Field::from_fn(80 * cells, 21 * cells, |x, y| {
            profile(x as f32 / cells as f32) + 4.0 * across(y)
        });
        let outlet = Field::from_fn(80 * cells, 21 * cells, |x, _| x == 0);
        let routing = Routing::new(&bed, &outlet);
        let size = 10.0 / cells as f64;
        falls(&Network::new(&routing, &bed, size), [size, 10.0])
    }

    fn of_valley(profile: impl Fn(f32) -> f32) -> Vec<Fall> {
        of_valley_of(1, profile)
    }

    #[test]
    fn a_step_in_the_profile_is_a_fall_and_an_even_slope_is_none() {
        let step = of_valley(|x| x + if x > 40.0 { 30.0 } else { 0.0 });
        assert_eq!(step.len(), 1, "{step:?}");
        assert_eq!((step[0].lip, step[0].foot), (10 * 80 + 41, 10 * 80 + 40));
        assert!((step[0].height - 31.0).abs() < 1e-3);
        // As steep, but without end; and a step lower than two fifths of a unit.
        assert_eq!(of_valley(|x| 9.0 * x), []);
        assert_eq!(of_valley(|x| x + if x > 40.0 { 2.0 } else { 0.0 }), []);
        // A long steep reach is a steep valley.
        assert_eq!(of_valley(|x| x + 9.0 * x.clamp(30.0, 40.0)), []);
        // So many cells hardly make a river.
        assert_eq!(of_valley(|x| x + if x > 76.0 { 30.0 } else { 0.0 }), []);
    }

    #[test]
    fn finer_cells_show_the_same_falls() {
        for cells in [1, 2, 4] {
            let falls = of_valley_of(cells, |x| x + 10.0 * (x - 40.0).clamp(0.0, 3.0));
            assert_eq!(falls.len(), 1, "{cells}: {falls:?}");
            assert!((falls[0].height - 33.0).abs() < 3.0, "{cells}: {falls:?}");
        }
    }
}
