//! Cross-sections of valleys: the width of a valley at a given height above its channel.

use super::network::ChannelNetwork;
use crate::field::Field;

/// Height above the channel at which the width of a valley is measured (m).
pub(super) const SECTION_HEIGHT: f64 = 10.0;
/// Smallest Strahler order of a stream whose valley is measured. Streams of lower order are
/// gullies.
const MIN_ORDER: u8 = 2;
/// Number of channel cells, both upstream and downstream of a cell, from which the direction of the
/// channel at this cell is determined.
const DIRECTION_CELLS: usize = 6;
/// Largest distance from the channel, on either side, at which the ground is sampled (cells).
const MAX_DISTANCE: f64 = 200.0;
/// Distance between two samples of the ground along a cross-section (cells).
const SAMPLE_STEP: f64 = 0.5;

/// Returns the lower quartile, the median and the upper quartile of valley widths at
/// [`SECTION_HEIGHT`] above the channel, divided by that height. Valleys are measured at channel
/// cells of at least second order where both sides reach this height within the map. Returns NaN if
/// there are no such cells. `size` is the side of a cell (m).
pub(super) fn valley_width_quartiles(
    network: &ChannelNetwork,
    bed: &Field<f32>,
    size: f64,
) -> [f64; 3] {
    let orders = network.stream_orders().iter().enumerate();
    let rivers = orders.filter(|&(_, &order)| order >= MIN_ORDER).map(|(cell, _)| cell);
    let mut widths: Vec<f64> = rivers
        .filter_map(|cell| {
            let section = CrossSection { bed, across: cross_direction(network, cell)?, cell };
            Some(
                (section.bank_distance(1.0)? + section.bank_distance(-1.0)?) * size
                    / SECTION_HEIGHT,
            )
        })
        .collect();
    widths.sort_by(f64::total_cmp);
    [1, 2, 3].map(|k| match widths.len() {
        0 => f64::NAN,
        count => widths[(k * (count - 1)) / 4],
    })
}

/// Returns the unit vector (east, south) perpendicular to the channel at a cell, or `None` if the
/// direction of the channel is undefined.
fn cross_direction(network: &ChannelNetwork, cell: usize) -> Option<[f64; 2]> {
    let (mut above, mut below) = (cell, cell);
    for _ in 0..DIRECTION_CELLS {
        above = network.main_donor(above).unwrap_or(above);
        below = network.receiver(below).unwrap_or(below);
    }
    let ((x0, y0), (x, y)) = (network.column_and_row(above), network.column_and_row(below));
    let [east, south] = [x as f64 - x0 as f64, y as f64 - y0 as f64];
    let length = east.hypot(south);
    (length > 0.0).then(|| [-south / length, east / length])
}

struct CrossSection<'a> {
    bed: &'a Field<f32>,
    across: [f64; 2],
    cell: usize,
}

impl CrossSection<'_> {
    /// Returns the distance (cells) from the channel at which the ground on one side is
    /// [`SECTION_HEIGHT`] higher than the channel. `side` is 1 for the side to which the field
    /// `across` points, and −1 for the opposite side. Returns `None` if the ground does not reach
    /// this height within the map.
    fn bank_distance(&self, side: f64) -> Option<f64> {
        let (x, y) = (self.cell % self.bed.nx(), self.cell / self.bed.nx());
        let bottom = f64::from(self.bed[(x, y)]);
        let mut before = 0.0;
        for k in 1..=(MAX_DISTANCE / SAMPLE_STEP) as usize {
            let away = k as f64 * SAMPLE_STEP;
            let [east, south] = self.across.map(|component| side * component * away);
            let rise = self.height_at([x as f64 + east, y as f64 + south])? - bottom;
            if rise >= SECTION_HEIGHT {
                return Some(away - SAMPLE_STEP * (rise - SECTION_HEIGHT) / (rise - before));
            }
            before = rise;
        }
        None
    }

    /// Returns the height of the ground (m) at a position (column, row), interpolated between the
    /// centres of four cells. Returns `None` if the position is off the map.
    fn height_at(&self, [x, y]: [f64; 2]) -> Option<f64> {
        let (nx, ny) = (self.bed.nx(), self.bed.ny());
        if x < 0.0 || y < 0.0 || x > (nx - 1) as f64 || y > (ny - 1) as f64 {
            return None;
        }
        let (i, j) = ((x as usize).min(nx - 2), (y as usize).min(ny - 2));
        let (u, v) = (x - i as f64, y - j as f64);
        let z = |i: usize, j: usize| f64::from(self.bed[(i, j)]);
        let row = |j: usize| z(i, j) + u * (z(i + 1, j) - z(i, j));
        Some(row(j) + v * (row(j + 1) - row(j)))
    }
}
