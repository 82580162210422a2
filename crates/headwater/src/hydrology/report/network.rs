//! The network of channels: slopes, lengths, orders.

use super::routing::Routing;
use crate::field::Field;

/// Cells that drain to a channel's beginning.
pub const CHANNEL: u32 = 50;

/// Bins for each factor of ten in area.
const BINS: f64 = 8.0;
/// Cells that a bin should at least have, so that its mean says something.
const LEAST: usize = 10;

pub(super) struct Network<'a> {
    routing: &'a Routing,
    size: f64,
    /// Order of each cell's stream (Strahler); 0 where there is no channel.
    order: Vec<u8>,
    /// Slope of each channel's cell; `NaN` in lakes and where there is none.
    slope: Vec<f64>,
    longest: Vec<f64>,
    /// The channel's cell that most of each channel's cells comes from; [`NONE`] where a channel begins.
    main: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl<'a> Network<'a> {
    pub(super) fn new(routing: &'a Routing, bed: &Field<f32>, size: f64) -> Self {
        let cells = routing.area.len();
        let mut network = Self {
            routing,
            size,
            order: vec![0; cells],
            slope: vec![f64::NAN; cells],
            longest: vec![0.0; cells],
            main: vec![NONE; cells],
        };
        // The highest order that comes to a cell, and how many streams of it do.
        let mut comes = vec![(0_u8, 0_u8); cells];
        for &cell in routing.order.iter().rev() {
            let i = cell as usize;
            if network.is_channel(i) {
                let (highest, count) = comes[i];
                network.order[i] = if count >= 2 { highest + 1 } else { highest.max(1) };
            }
            let Some(to) = routing.receiver(i) else { continue };
            let length = network.length_to(i, to);
            network.longest[to] = network.longest[to].max(network.longest[i] + length);
            if network.is_channel(i) {
                let main = &mut network.main[to];
                if *main == NONE || routing.area[i] > routing.area[*main as usize] {
                    *main = cell;
                }
                let order = network.order[i];
                let (highest, count) = &mut comes[to];
                if order > *highest {
                    (*highest, *count) = (order, 1);
                } else if order == *highest {
                    *count = count.saturating_add(1);
                }
                let z = bed.as_slice();
                let dry = routing.filled[i] <= z[i];
                if dry && routing.filled[i] > routing.filled[to] {
                    let fall = f64::from(routing.filled[i]) - f64::from(routing.filled[to]);
                    network.slope[i] = fall / length;
                }
            }
        }
        network
    }

    fn is_channel(&self, cell: usize) -> bool {
        self.routing.area[cell] >= CHANNEL
    }

    /// The channel's cell that most of what drains to one comes from; `None` where a channel begins.
    pub(super) fn main(&self, cell: usize) -> Option<usize> {
        let main = self.main[cell];
        (main != NONE).then_some(main as usize)
    }

    pub(super) fn below(&self, cell: usize) -> Option<usize> {
        self.routing.receiver(cell)
    }

    pub(super) fn slope(&self, cell: usize) -> f64 {
        self.slope[cell]
    }

    pub(super) fn area(&self, cell: usize) -> u32 {
        self.routing.area[cell]
    }

    pub(super) fn at(&self, cell: usize) -> (usize, usize) {
        self.routing.grid.at(cell)
    }

    pub(super) fn length_to(&self, a: usize, b: usize) -> f64 {
        f64::from(self.routing.grid.distance(a, b)) * self.size
    }

    pub(super) fn concavity(&self) -> f64 {
        -self.growth(&self.slope)
    }

    /// Mean slope of channels by area, as logarithms to the base 10 (area in cells).
    pub(super) fn slope_area(&self) -> Vec<[f64; 2]> {
        self.binned(&self.slope)
    }

    pub(super) fn orders(&self) -> &[u8] {
        &self.order
    }

    /// Growth of a basin's longest way with its area, over basins of streams of the second order
    /// and above, each once at its mouth (J. Hack, U.S. Geol. Surv. Prof. Pap. 294-B, 1957).
    /// First-order streams are left out: D8 makes parallel lines of slopes (P. Dodds, D. Rothman,
    /// Annu. Rev. Earth Planet. Sci. 28:571, 2000).
    pub(super) fn hack(&self) -> f64 {
        let basins = (0..self.order.len()).filter(|&i| self.order[i] >= 2 && self.is_mouth(i));
        let point = |i: usize| [f64::from(self.routing.area[i]), self.longest[i]].map(f64::log10);
        regression(&basins.map(point).collect::<Vec<_>>())
    }

    /// Whether a stream ends after a cell: where it comes into one of a higher order, or leaves.
    fn is_mouth(&self, cell: usize) -> bool {
        self.routing.receiver(cell).is_none_or(|to| self.order[to] > self.order[cell])
    }

    /// Exponent of values of channel cells over area, by regression over logarithmic bins of area.
    fn growth(&self, values: &[f64]) -> f64 {
        regression(&self.binned(values))
    }

    fn binned(&self, values: &[f64]) -> Vec<[f64; 2]> {
        let mut bins: Vec<(usize, f64, f64)> = Vec::new();
        for (&area, value) in self.routing.area.iter().zip(values) {
            if area < CHANNEL || value.is_nan() {
                continue;
            }
            let area = f64::from(area).log10();
            let bin = (area * BINS) as usize;
            bins.resize(bins.len().max(bin + 1), (0, 0.0, 0.0));
            let (count, areas, sum) = &mut bins[bin];
            (*count, *areas, *sum) = (*count + 1, *areas + area, *sum + value.log10());
        }
        let full = bins.into_iter().filter(|bin| bin.0 >= LEAST);
        full.map(|(count, x, y)| [x / count as f64, y / count as f64]).collect()
    }

    pub(super) fn length(&self) -> f64 {
        let channels = (0..self.order.len()).filter(|&i| self.is_channel(i));
        channels.filter_map(|i| Some(self.length_to(i, self.routing.receiver(i)?))).sum()
    }

    pub(super) fn order(&self) -> u32 {
        self.order.iter().copied().max().unwrap_or(0).into()
    }

    /// Ratios of numbers, mean lengths and mean areas of streams from order to order, by
    /// regression.
    pub(super) fn horton(&self) -> [f64; 3] {
        let orders = self.order() as usize + 1;
        let mut sums = vec![(0.0, 0.0, 0.0); orders];
        for (i, &order) in self.order.iter().enumerate().filter(|(_, order)| **order > 0) {
            let sum = &mut sums[usize::from(order)];
            let to = self.routing.receiver(i);
            sum.1 += to.map_or(0.0, |to| self.length_to(i, to));
            if self.is_mouth(i) {
                sum.0 += 1.0;
                sum.2 += f64::from(self.routing.area[i]);
            }
        }
        let ratio = |value: &dyn Fn(&(f64, f64, f64)) -> f64| {
            let points: Vec<_> = (1..orders).map(|o| [o as f64, value(&sums[o]).ln()]).collect();
            regression(&points).exp()
        };
        [1.0 / ratio(&|sum| sum.0), ratio(&|sum| sum.1 / sum.0), ratio(&|sum| sum.2 / sum.0)]
    }
}

/// The slope of the line closest to some points (least squares); `NaN` for less than two.
fn regression(points: &[[f64; 2]]) -> f64 {
    let n = points.len() as f64;
    let mean = |k: usize| points.iter().map(|point| point[k]).sum::<f64>() / n;
    let (x, y) = (mean(0), mean(1));
    let sum = |f: &dyn Fn(&[f64; 2]) -> f64| points.iter().map(f).sum::<f64>();
    sum(&|p| (p[0] - x) * (p[1] - y)) / sum(&|p| (p[0] - x) * (p[0] - x))
}
