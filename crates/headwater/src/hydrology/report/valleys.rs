//! Cross-sections of valleys: how wide they are at a height above their channels.

use super::network::Network;
use crate::field::Field;

/// The height above the channel (m) at which a valley's width is taken.
pub(super) const HEIGHT: f64 = 10.0;
/// Streams of this order (Strahler) and above have valleys: what is above is gullies.
const LEAST_ORDER: u8 = 2;
/// Cells up and down the channel between which its direction is taken.
const REACH: usize = 6;
/// How far to a side of its channel a valley is followed (cells), and by which part of a cell.
const FARTHEST: f64 = 200.0;
const STEP: f64 = 0.5;

/// Width of valleys at [`HEIGHT`] above channels, over that height: quartiles and median over
/// channel cells of the second order and above whose valleys close on the map; `NaN` without any.
pub(super) fn widths(network: &Network, bed: &Field<f32>, size: f64) -> [f64; 3] {
    let orders = network.orders().iter().enumerate();
    let rivers = orders.filter(|&(_, &order)| order >= LEAST_ORDER).map(|(cell, _)| cell);
    let mut widths: Vec<f64> = rivers
        .filter_map(|cell| {
            let section = Section { bed, across: across(network, cell)?, cell };
            Some((section.bank(1.0)? + section.bank(-1.0)?) * size / HEIGHT)
        })
        .collect();
    widths.sort_by(f64::total_cmp);
    [1, 2, 3].map(|k| match widths.len() {
        0 => f64::NAN,
        count => widths[(k * (count - 1)) / 4],
    })
}

/// The direction across a channel at a cell, of length 1; `None` where it neither comes nor goes.
fn across(network: &Network, cell: usize) -> Option<[f64; 2]> {
    let (mut above, mut below) = (cell, cell);
    for _ in 0..REACH {
        above = network.main(above).unwrap_or(above);
        below = network.below(below).unwrap_or(below);
    }
    let ((x0, y0), (x, y)) = (network.at(above), network.at(below));
    let [east, south] = [x as f64 - x0 as f64, y as f64 - y0 as f64];
    let length = east.hypot(south);
    (length > 0.0).then(|| [-south / length, east / length])
}

struct Section<'a> {
    bed: &'a Field<f32>,
    across: [f64; 2],
    cell: usize,
}

impl Section<'_> {
    /// How far to a side (cells) the ground is [`HEIGHT`] above the channel; `None` if it does not come to that on the map.
    fn bank(&self, side: f64) -> Option<f64> {
        let (x, y) = (self.cell % self.bed.nx(), self.cell / self.bed.nx());
        let bottom = f64::from(self.bed[(x, y)]);
        let mut before = 0.0;
        for k in 1..=(FARTHEST / STEP) as usize {
            let away = k as f64 * STEP;
            let [east, south] = self.across.map(|way| side * way * away);
            let rise = self.height([x as f64 + east, y as f64 + south])? - bottom;
            if rise >= HEIGHT {
                return Some(away - STEP * (rise - HEIGHT) / (rise - before));
            }
            before = rise;
        }
        None
    }

    /// The height between four middles of cells (columns, rows); `None` off the map.
    fn height(&self, [x, y]: [f64; 2]) -> Option<f64> {
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
