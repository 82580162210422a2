//! Waterfalls: short steps in the long profiles of rivers, much steeper than the river above and below.

use super::network::Network;
use crate::region::Point;
use serde::Serialize;

/// The least slope of a fall (m/m), and how many times steeper than the river above and below it must be.
const STEEP: f64 = 0.5;
const STEEPER: f64 = 3.0;
/// The most steps from cell to cell that a fall has: what is longer is a steep valley.
const LONGEST: usize = 4;
/// Steps over which the river above and below is judged.
const REACH: usize = 8;
/// The least height of a fall (sizes of a cell).
const LEAST: f64 = 0.4;

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

/// A fall, by the cells of its lip and its foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fall {
    pub(super) lip: usize,
    pub(super) foot: usize,
    pub(super) height: f64,
}

/// The waterfalls of a network of channels on square cells of `size` m, the highest first. `is_ledge` says whether hard rock lies
/// over softer rock there.
pub(super) fn waterfalls(
    network: &Network,
    size: f64,
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
    falls(network, size).iter().map(waterfall).collect()
}

/// All falls of a network of channels, the highest first.
fn falls(network: &Network, size: f64) -> Vec<Fall> {
    let is_steep = |cell: usize| network.slope(cell) >= STEEP;
    let lips = (0..network.orders().len())
        .filter(|&cell| is_steep(cell) && !network.main(cell).is_some_and(is_steep));
    let mut falls: Vec<Fall> = lips.filter_map(|lip| fall(network, lip, size)).collect();
    falls.sort_by(|a, b| b.height.total_cmp(&a.height).then(a.lip.cmp(&b.lip)));
    falls
}

/// The fall that begins at a cell, if it is one.
fn fall(network: &Network, lip: usize, size: f64) -> Option<Fall> {
    let (mut foot, mut height, mut length) = (lip, 0.0, 0.0);
    let mut steps = 0;
    while network.slope(foot) >= STEEP {
        let below = network.below(foot)?;
        let way = network.length_to(foot, below);
        (height, length) = (height + network.slope(foot) * way, length + way);
        (foot, steps) = (below, steps + 1);
        if steps > LONGEST {
            return None;
        }
    }
    let steep = height / length / STEEPER;
    let above = mean_slope(network, lip, |cell| {
        let above = network.main(cell)?;
        Some((above, above))
    })?;
    let below = mean_slope(network, foot, |cell| Some((network.below(cell)?, cell)))?;
    (height >= LEAST * size && above <= steep && below <= steep).then_some(Fall {
        lip,
        foot,
        height,
    })
}

/// The mean slope of the steps that begin at a cell. `step` gives the cell that one leads to, and that of the two which is
/// higher up. Standing water is level; `None` where the channel does not go on.
fn mean_slope(
    network: &Network,
    from: usize,
    step: impl Fn(usize) -> Option<(usize, usize)>,
) -> Option<f64> {
    let (mut cell, mut sum, mut count) = (from, 0.0, 0);
    for _ in 0..REACH {
        let Some((to, higher)) = step(cell) else { break };
        let slope = network.slope(higher);
        sum += if slope.is_nan() { 0.0 } else { slope };
        (cell, count) = (to, count + 1);
    }
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::super::routing::Routing;
    use super::*;
    use crate::field::Field;

    /// The falls of a valley that falls to the west by `profile`, column by column.
    fn of_valley(profile: impl Fn(usize) -> f32) -> Vec<Fall> {
        let bed = Field::from_fn(80, 21, |x, y| profile(x) + 4.0 * (y as f32 - 10.0).abs());
        let outlet = Field::from_fn(80, 21, |x, _| x == 0);
        let routing = Routing::new(&bed, &outlet);
        falls(&Network::new(&routing, &bed, 10.0), 10.0)
    }

    #[test]
    fn a_step_in_the_profile_is_a_fall_and_an_even_slope_is_none() {
        let step = of_valley(|x| x as f32 + if x > 40 { 30.0 } else { 0.0 });
        assert_eq!(step.len(), 1, "{step:?}");
        assert_eq!((step[0].lip, step[0].foot), (10 * 80 + 41, 10 * 80 + 40));
        assert!((step[0].height - 31.0).abs() < 1e-3);
        // As steep, but without end; and a step lower than two fifths of a cell.
        assert_eq!(of_valley(|x| 9.0 * x as f32), []);
        assert_eq!(of_valley(|x| x as f32 + if x > 40 { 2.0 } else { 0.0 }), []);
        // A long steep reach is a steep valley.
        assert_eq!(of_valley(|x| x as f32 + 9.0 * x.clamp(30, 40) as f32), []);
    }
}
