//! Channel network of a landscape: slopes, lengths and stream orders.

use super::routing::Routing;
use crate::field::Field;

/// Smallest upstream area of a channel cell (cells).
pub const MIN_CHANNEL_AREA: u32 = 50;

/// Number of logarithmic bins of upstream area per factor of 10.
const BINS_PER_DECADE: f64 = 8.0;
/// Smallest number of cells that a bin must contain for its mean to be used.
const MIN_BIN_CELLS: usize = 10;

pub(super) struct ChannelNetwork<'a> {
    routing: &'a Routing,
    size: f64,
    /// Strahler order of the stream in each cell. 0 for cells that are not part of a channel.
    order: Vec<u8>,
    /// Slope of each channel cell (m per m). NaN in lakes and in cells that are not part of a
    /// channel.
    slope: Vec<f64>,
    longest: Vec<f64>,
    /// For each cell, the channel cell with the largest upstream area among the cells that drain
    /// directly to it. [`NONE`] if no channel cell drains to it.
    main_donor: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl<'a> ChannelNetwork<'a> {
    pub(super) fn new(routing: &'a Routing, bed: &Field<f32>, size: f64) -> Self {
        let cells = routing.area.len();
        let mut network = Self {
            routing,
            size,
            order: vec![0; cells],
            slope: vec![f64::NAN; cells],
            longest: vec![0.0; cells],
            main_donor: vec![NONE; cells],
        };
        // Highest order among the donors of each cell, and the number of donors of this order.
        let mut incoming = vec![(0_u8, 0_u8); cells];
        for &cell in routing.order.iter().rev() {
            let i = cell as usize;
            if network.is_channel(i) {
                let (highest, count) = incoming[i];
                network.order[i] = if count >= 2 { highest + 1 } else { highest.max(1) };
            }
            let Some(to) = routing.receiver(i) else { continue };
            let length = network.distance_between(i, to);
            network.longest[to] = network.longest[to].max(network.longest[i] + length);
            if network.is_channel(i) {
                let main = &mut network.main_donor[to];
                if *main == NONE || routing.area[i] > routing.area[*main as usize] {
                    *main = cell;
                }
                let order = network.order[i];
                let (highest, count) = &mut incoming[to];
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
        self.routing.area[cell] >= MIN_CHANNEL_AREA
    }

    /// Returns the channel cell with the largest upstream area among the cells that drain directly
    /// to a cell. Returns `None` if no channel cell drains to it.
    pub(super) fn main_donor(&self, cell: usize) -> Option<usize> {
        let main = self.main_donor[cell];
        (main != NONE).then_some(main as usize)
    }

    pub(super) fn receiver(&self, cell: usize) -> Option<usize> {
        self.routing.receiver(cell)
    }

    pub(super) fn slope(&self, cell: usize) -> f64 {
        self.slope[cell]
    }

    pub(super) fn area(&self, cell: usize) -> u32 {
        self.routing.area[cell]
    }

    pub(super) fn column_and_row(&self, cell: usize) -> (usize, usize) {
        self.routing.grid.column_and_row(cell)
    }

    pub(super) fn distance_between(&self, a: usize, b: usize) -> f64 {
        f64::from(self.routing.grid.distance(a, b)) * self.size
    }

    pub(super) fn concavity(&self) -> f64 {
        -self.fit_area_exponent(&self.slope)
    }

    /// Returns the mean slope of channels as a function of upstream area. Each entry holds the
    /// base-10 logarithms of the area (cells) and of the slope.
    pub(super) fn mean_slope_by_area(&self) -> Vec<[f64; 2]> {
        self.bin_by_area(&self.slope)
    }

    pub(super) fn stream_orders(&self) -> &[u8] {
        &self.order
    }

    /// Returns Hack's exponent, the exponent of a power law between the length of a basin's longest
    /// flow path and the basin's area (J. Hack, U.S. Geol. Surv. Prof. Pap. 294-B, 1957).
    ///
    /// It is fitted over the basins of all streams of at least second order, each counted once at
    /// its mouth. First-order streams are excluded, because D8 routing produces parallel lines on
    /// slopes (P. Dodds, D. Rothman, Annu. Rev. Earth Planet. Sci. 28:571, 2000).
    pub(super) fn hack_exponent(&self) -> f64 {
        let basins = (0..self.order.len()).filter(|&i| self.order[i] >= 2 && self.is_mouth(i));
        let point = |i: usize| [f64::from(self.routing.area[i]), self.longest[i]].map(f64::log10);
        regression_slope(&basins.map(point).collect::<Vec<_>>())
    }

    /// Returns whether a cell is the last cell of its stream, which then joins a stream of higher
    /// order or leaves the map.
    fn is_mouth(&self, cell: usize) -> bool {
        self.routing.receiver(cell).is_none_or(|to| self.order[to] > self.order[cell])
    }

    /// Fits a power law of the upstream area to `values`, one value per cell, and returns its
    /// exponent. Cells with the value NaN and cells outside channels are ignored.
    fn fit_area_exponent(&self, values: &[f64]) -> f64 {
        regression_slope(&self.bin_by_area(values))
    }

    fn bin_by_area(&self, values: &[f64]) -> Vec<[f64; 2]> {
        let mut bins: Vec<(usize, f64, f64)> = Vec::new();
        for (&area, value) in self.routing.area.iter().zip(values) {
            if area < MIN_CHANNEL_AREA || value.is_nan() {
                continue;
            }
            let area = f64::from(area).log10();
            let bin = (area * BINS_PER_DECADE) as usize;
            bins.resize(bins.len().max(bin + 1), (0, 0.0, 0.0));
            let (count, areas, sum) = &mut bins[bin];
            (*count, *areas, *sum) = (*count + 1, *areas + area, *sum + value.log10());
        }
        let full = bins.into_iter().filter(|bin| bin.0 >= MIN_BIN_CELLS);
        full.map(|(count, x, y)| [x / count as f64, y / count as f64]).collect()
    }

    pub(super) fn channel_length(&self) -> f64 {
        let channels = (0..self.order.len()).filter(|&i| self.is_channel(i));
        channels.filter_map(|i| Some(self.distance_between(i, self.routing.receiver(i)?))).sum()
    }

    pub(super) fn highest_order(&self) -> u32 {
        self.order.iter().copied().max().unwrap_or(0).into()
    }

    /// Returns Horton's ratios of stream number, mean stream length and mean basin area between
    /// successive stream orders. Each ratio is determined by regression over all orders.
    pub(super) fn horton_ratios(&self) -> [f64; 3] {
        let orders = self.highest_order() as usize + 1;
        let mut sums = vec![(0.0, 0.0, 0.0); orders];
        for (i, &order) in self.order.iter().enumerate().filter(|(_, order)| **order > 0) {
            let sum = &mut sums[usize::from(order)];
            let to = self.routing.receiver(i);
            sum.1 += to.map_or(0.0, |to| self.distance_between(i, to));
            if self.is_mouth(i) {
                sum.0 += 1.0;
                sum.2 += f64::from(self.routing.area[i]);
            }
        }
        let ratio = |value: &dyn Fn(&(f64, f64, f64)) -> f64| {
            let points: Vec<_> = (1..orders).map(|o| [o as f64, value(&sums[o]).ln()]).collect();
            regression_slope(&points).exp()
        };
        [1.0 / ratio(&|sum| sum.0), ratio(&|sum| sum.1 / sum.0), ratio(&|sum| sum.2 / sum.0)]
    }
}

/// Returns the slope of the least-squares line through points, or NaN for fewer than two points.
fn regression_slope(points: &[[f64; 2]]) -> f64 {
    let n = points.len() as f64;
    let mean = |k: usize| points.iter().map(|point| point[k]).sum::<f64>() / n;
    let (x, y) = (mean(0), mean(1));
    let sum = |f: &dyn Fn(&[f64; 2]) -> f64| points.iter().map(f).sum::<f64>();
    sum(&|p| (p[0] - x) * (p[1] - y)) / sum(&|p| (p[0] - x) * (p[0] - x))
}
