//! The figures of a land, and what they are read from.

use super::super::fixed;
use super::super::rock::Rock;
use super::super::walk::State;
use super::super::world::Hydrology;
use super::network::Network;
use super::routing::Routing;
use super::slots::slots;
use super::valleys;
use super::waterfalls::{Fall, Waterfall, waterfalls};
use crate::field::Field;
use serde::Serialize;

/// The figures of a land.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Concavity θ of channels: the slope falls as the drained area to the power of −θ. 0.225 to 0.575 in
    /// half of the world's rivers, 0.425 in the median (B. Gailleton and others, J. Geophys. Res. Earth Surf.
    /// 126, 2021).
    pub concavity: f64,
    /// Hack's exponent: the length of the longest river of a basin grows as its area to this power, over the
    /// basins of streams of the second order and above. 0.5 to 0.7; `NaN` with less than two of them.
    pub hack: f64,
    /// Dry cells that are lower than all around, as a part of all cells. Towards 0.
    pub pits: f64,
    /// Cells in depressions that hold no lake, as a part of all cells. Towards 0.
    pub dry_depressions: f64,
    /// Cells that lie more than two sizes of a cell deeper than their neighbours on both sides, as a part of all cells: no
    /// rock would bear such banks. Towards 0.
    pub slots: f64,
    /// The deepest of them, or of what comes nearest (sizes of a cell).
    pub deepest_slot: f64,
    /// Cells under water, as a part of all cells.
    pub water: f64,
    /// Horton's ratios of the numbers, lengths and areas of streams from order to order: 3 to 5, 1.5 to 3.5, 3 to
    /// 6. A sanity gate only: noise passes as well.
    pub horton: [f64; 3],
    /// The highest order of a stream (Strahler).
    pub order: u32,
    /// Length of channels over the area of the land (1/m).
    pub drainage_density: f64,
    /// Where the mean height lies between the lowest (0) and the highest (1).
    pub hypsometric_integral: f64,
    /// Width of valleys 10 m above their channels, over those 10 m: quartiles and median over
    /// channels of the second order and above; `NaN` where no valley closes. At least about two
    /// cell sizes over 10 m.
    pub valley_width: [f64; 3],
    /// Waterfalls, by number.
    pub waterfalls: usize,
}

impl Report {
    /// The figures of a dry bed (m) of square cells of `size` m, from all of whose edges water runs off.
    pub fn of_bed(bed: &Field<f32>, size: f64) -> Self {
        Survey::of_bed(bed, size).report
    }

    /// The figures of a bed (m) with lakes of some depth (m) on it. Water runs off where `outlet` is true.
    ///
    /// # Panics
    /// If the fields are not of one shape.
    pub fn new(bed: &Field<f32>, depth: &Field<f32>, outlet: &Field<bool>, size: f64) -> Self {
        Survey::new(bed, depth, outlet, size).report
    }
}

/// The figures of a land, and what they were read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// The figures.
    pub report: Report,
    /// Mean slope of the channels (m/m) by upstream area (m²), as base-10 logarithms, by rising
    /// area.
    pub slope_area: Vec<[f64; 2]>,
    /// Waterfalls, the highest first: steps in long profiles over at most 5.7 units, at least 0.4
    /// units high, steeper than ½ and than three times the eight units around; at least 200 units²
    /// upstream. A unit is [`Params::unit`](super::super::Params::unit), or the size of a cell.
    pub waterfalls: Vec<Waterfall>,
    /// Order of the stream in each cell (Strahler); 0 where there is no channel.
    pub order: Field<u8>,
    /// How many cells drain to each, itself included.
    pub area: Field<u32>,
    /// The cell that each drains to; `None` where water leaves.
    pub receiver: Field<Option<(usize, usize)>>,
}

impl Survey {
    /// Of a bed (m) of square cells of `size` m, with lakes of some depth (m) on it. Water runs off where
    /// `outlet` is true.
    ///
    /// # Panics
    /// If the fields are not of one shape.
    pub fn new(bed: &Field<f32>, depth: &Field<f32>, outlet: &Field<bool>, size: f64) -> Self {
        Self::with_rock([bed, depth], outlet, [size; 2], |_| false)
    }

    /// As [`new`](Self::new), in a land with a unit of length (m); `is_ledge` says whether hard rock lies over softer rock where a river falls.
    fn with_rock(
        [bed, depth]: [&Field<f32>; 2],
        outlet: &Field<bool>,
        [size, unit]: [f64; 2],
        is_ledge: impl Fn(&Fall) -> bool,
    ) -> Self {
        assert!(bed.same_shape(depth) && bed.same_shape(outlet), "fields of one shape");
        let routing = Routing::new(bed, outlet);
        let network = Network::new(&routing, bed, size);
        let cells = bed.as_slice().len() as f64;
        let (pits, dry) = routing.depressions(bed, depth);
        let water = depth.as_slice().iter().filter(|&&depth| depth > 0.0).count();
        let (low, high) = bed.min_max().unwrap_or((0.0, 0.0));
        let mean = bed.sum() / cells;
        let channels = network.length();
        let [slots, deepest_slot] = slots(bed, size);
        let waterfalls = waterfalls(&network, [size, unit], is_ledge);
        let report = Report {
            concavity: network.concavity(),
            hack: network.hack(),
            pits: pits as f64 / cells,
            dry_depressions: dry as f64 / cells,
            slots,
            deepest_slot,
            water: water as f64 / cells,
            horton: network.horton(),
            order: network.order(),
            drainage_density: channels / (cells * size * size),
            hypsometric_integral: (mean - f64::from(low)) / f64::from(high - low),
            valley_width: valleys::widths(&network, bed, size),
            waterfalls: waterfalls.len(),
        };
        let square = 2.0 * size.log10();
        let slope_area = network.slope_area().into_iter().map(|[a, s]| [a + square, s]).collect();
        let (nx, ny, orders) = (bed.nx(), bed.ny(), network.orders());
        let receiver = |i: usize| routing.receiver(i).map(|to| routing.grid.at(to));
        Self {
            report,
            slope_area,
            waterfalls,
            order: Field::from_fn(nx, ny, |x, y| orders[y * nx + x]),
            area: Field::from_fn(nx, ny, |x, y| routing.area[y * nx + x]),
            receiver: Field::from_fn(nx, ny, |x, y| receiver(y * nx + x)),
        }
    }

    /// Of a dry bed (m) of square cells of `size` m, from all of whose edges water runs off.
    pub fn of_bed(bed: &Field<f32>, size: f64) -> Self {
        let (nx, ny) = (bed.nx(), bed.ny());
        let edge = |x, y| x == 0 || y == 0 || x + 1 == nx || y + 1 == ny;
        Self::new(bed, &Field::new(nx, ny, 0.0), &Field::from_fn(nx, ny, edge), size)
    }
}

impl Hydrology {
    /// The figures of the land as it is. Water runs off over the edges that are not walls, and into the sea.
    pub fn report(&self) -> Report {
        self.survey().report
    }

    /// The figures of the land as it is, and what they were read from.
    pub fn survey(&self) -> Survey {
        let (bed, depth, outlet) = self.as_it_stands();
        Survey::with_rock([&bed, &depth], &outlet, self.lengths(), self.ledges())
    }

    /// The waterfalls of the land as it is, as in a [`Survey`].
    pub fn waterfalls(&self) -> Vec<Waterfall> {
        let (bed, _, outlet) = self.as_it_stands();
        let lengths = self.lengths();
        let routing = Routing::new(&bed, &outlet);
        waterfalls(&Network::new(&routing, &bed, lengths[0]), lengths, self.ledges())
    }

    fn lengths(&self) -> [f64; 2] {
        [self.land.lattice.dx(), self.land.scale().unit]
    }

    fn ledges(&self) -> impl Fn(&Fall) -> bool {
        let (rock, bed) = (Rock::of(&self.land, &self.fabric), self.heights.as_slice());
        move |fall| rock.is_ledge(fall.lip, bed[fall.lip], bed[fall.foot])
    }

    /// Bed (m), depth of lakes and sea (m), and where water leaves.
    fn as_it_stands(&self) -> (Field<f32>, Field<f32>, Field<bool>) {
        let grid = self.land.grid();
        let map = |value: &dyn Fn(usize) -> f32| {
            Field::from_fn(grid.nx, grid.ny, |x, y| value(y * grid.nx + x))
        };
        let bed = self.heights.clone();
        let depth = map(&|i| {
            let level = self.waters.level_over(self.land.terrain(), i);
            level.map_or(0.0, |level| fixed::metres_f32(level - self.land.bed[i]))
        });
        let terrain = self.land.terrain();
        let outlet = Field::from_fn(grid.nx, grid.ny, |x, y| {
            let cell = y * grid.nx + x;
            let sea = self.waters.leaf(cell as u32).state == State::Sea;
            terrain.way_out(cell).is_some() || sea && depth[(x, y)] > 0.0
        });
        (bed, depth, outlet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilted_valley_has_the_concavity_it_was_made_with() {
        // A river down the middle, fed from both sides: its area grows with the way, its slope as given.
        let (nx, ny) = (401, 61);
        let middle = 30.0_f64;
        let area = |x: f64| (x + 1.0) * 61.0;
        for theta in [0.2, 0.45, 0.6] {
            let mut river = vec![0.0; nx + 1];
            for x in (0..nx).rev() {
                river[x] = river[x + 1] + area(x as f64).powf(-theta);
            }
            let bed =
                Field::from_fn(nx, ny, |x, y| (river[x] + 2.0 * (y as f64 - middle).abs()) as f32);
            let outlet = Field::from_fn(nx, ny, |x, y| x == nx - 1 && y == 30);
            let report = Report::new(&bed, &Field::new(nx, ny, 0.0), &outlet, 1.0);
            assert!((report.concavity - theta).abs() < 0.02, "{theta}: {report:?}");
            assert_eq!((report.pits, report.dry_depressions), (0.0, 0.0));
        }
    }

    #[test]
    fn basins_have_the_hack_exponent_they_were_made_with() {
        // Parallel valleys of the wanted lengths, as wide as the exponent asks for.
        for exponent in [0.5, 0.6, 0.7] {
            let lengths = [250_usize, 400, 640];
            let width = |length: usize| {
                (110.0 * (length as f64 / 250.0).powf(1.0 / exponent - 1.0)).round() as usize | 1
            };
            let ny: usize = lengths.iter().map(|&length| width(length) + 2).sum();
            let mut rows = Vec::new();
            let mut mouths = Vec::new();
            for length in lengths {
                let width = width(length);
                // A wall on both sides, and a valley that falls to the east.
                rows.extend(
                    (0..width + 2).map(|i| (length, (i as f64 - (width + 1) as f64 / 2.0).abs())),
                );
                mouths.push(rows.len() - (width + 3) / 2);
            }
            let bed = Field::from_fn(640, ny, |x, y| {
                let (length, aside) = rows[y];
                if x < length {
                    (2.0 * aside - 0.1 * (x + 640 - length) as f64) as f32
                } else {
                    2000.0
                }
            });
            // Beyond the end of a valley, nothing drains anywhere.
            let mouth =
                |x: usize, y: usize| x >= rows[y].0 || mouths.contains(&y) && x + 1 == rows[y].0;
            let outlet = Field::from_fn(640, ny, mouth);
            let report = Report::new(&bed, &Field::new(640, ny, 0.0), &outlet, 1.0);
            assert!((report.hack - exponent).abs() < 0.05, "{exponent}: {report:?}");
        }
        // A slope with water in lines side by side has no basins to speak of.
        let slope = Field::from_fn(200, 80, |x, _| -0.1 * x as f32);
        assert!(Report::of_bed(&slope, 1.0).hack.is_nan());
    }

    #[test]
    fn hollows_are_found_and_lakes_in_them() {
        let hollow = |x: usize, y: usize| (4..7).contains(&x) && (4..8).contains(&y);
        let bed = Field::from_fn(16, 16, |x, y| {
            x as f32
                - if (x, y) == (5, 5) {
                    12.0
                } else if hollow(x, y) {
                    8.0
                } else {
                    0.0
                }
        });
        let edge = Field::from_fn(16, 16, |x, y| x == 0 || y == 0 || x == 15 || y == 15);
        let dry = Report::new(&bed, &Field::new(16, 16, 0.0), &edge, 1.0);
        assert_eq!(dry.dry_depressions, 12.0 / 256.0);
        assert!(dry.pits > 0.0 && dry.water == 0.0);
        let lake = Field::from_fn(16, 16, |x, y| if hollow(x, y) { 1.0 } else { 0.0 });
        let wet = Report::new(&bed, &lake, &edge, 1.0);
        assert_eq!((wet.pits, wet.dry_depressions, wet.water), (0.0, 0.0, 12.0 / 256.0));
    }
}
