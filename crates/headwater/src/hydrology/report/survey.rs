//! Geomorphic metrics of a landscape, and the data from which they are computed.

use super::super::world::Hydrology;
use super::network::ChannelNetwork;
use super::routing::Routing;
use super::slots::slot_metrics;
use super::valleys;
use super::waterfalls::{Fall, Waterfall, find_waterfalls};
use crate::field::Field;
use crate::hydrology::drops::descent::LakeState;
use crate::hydrology::ground::rock::Rock;
use crate::hydrology::state::fixed;
use serde::Serialize;

/// Geomorphic metrics of a landscape. Where known, the fields give the values found in natural
/// landscapes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Concavity index θ of channels, defined by a channel slope that is proportional to the
    /// upstream area to the power of −θ. Half of the world's rivers have values from 0.225 to
    /// 0.575, and the median is 0.425 (B. Gailleton and others, J. Geophys. Res. Earth Surf. 126,
    /// 2021).
    pub concavity: f64,
    /// Hack's exponent: the exponent of a power law between the length of a basin's longest river
    /// and the basin's area. It is computed over the basins of streams of at least second order.
    /// Natural values are 0.5 to 0.7. NaN if there are fewer than two basins.
    pub hack: f64,
    /// Fraction of cells that are dry pits. A pit is lower than all its neighbours. Natural values
    /// are near 0.
    pub pits: f64,
    /// Fraction of cells that lie in depressions without a lake. Natural values are near 0.
    pub dry_depressions: f64,
    /// Fraction of cells that lie more than two cell sizes below two opposite neighbours. No rock
    /// would support walls this steep, so natural values are near 0.
    pub slots: f64,
    /// Depth of the deepest cell below two opposite neighbours (in cell sizes), even if it is less
    /// than the two cell sizes required by `slots`.
    pub deepest_slot: f64,
    /// Fraction of cells that are covered by a lake or the sea.
    pub water: f64,
    /// Horton's ratios of stream number, mean stream length and mean basin area between successive
    /// stream orders. Natural values are 3 to 5, 1.5 to 3.5 and 3 to 6. The ratios are only a
    /// sanity check, because even random terrain has values in these ranges.
    pub horton: [f64; 3],
    /// Highest Strahler order of any stream.
    pub order: u32,
    /// Total length of channels divided by the area of the land (1/m).
    pub drainage_density: f64,
    /// Hypsometric integral: the position of the mean height between the lowest height (0) and the
    /// highest height (1).
    pub hypsometric_integral: f64,
    /// Width of valleys at 10 m above their channels, divided by 10 m: lower quartile, median and
    /// upper quartile over the channels of at least second order. NaN if no valley has two sides of
    /// this height. The smallest width that the grid resolves is about two cell sizes.
    pub valley_width: [f64; 3],
    /// Number of waterfalls, as defined at [`Survey::waterfalls`].
    pub waterfalls: usize,
}

impl Report {
    /// Computes the metrics of a landscape without lakes. `bed` holds the heights of square cells
    /// of side `size` (m). Water leaves the map across all edges.
    pub fn from_bed(bed: &Field<f32>, size: f64) -> Self {
        Survey::from_bed(bed, size).report
    }

    /// Computes the metrics of a landscape with lakes. `bed` holds the heights (m) and `depth` the
    /// depths of lakes (m) of square cells of side `size` (m). Water leaves the map at the cells
    /// for which `outlet` is true.
    ///
    /// # Panics
    /// Panics if the fields differ in shape.
    pub fn new(bed: &Field<f32>, depth: &Field<f32>, outlet: &Field<bool>, size: f64) -> Self {
        Survey::new(bed, depth, outlet, size).report
    }
}

/// Geomorphic metrics of a landscape, with the fields from which they are computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// Geomorphic metrics of the land.
    pub report: Report,
    /// Mean slope of channels (m per m) as a function of upstream area (m²). Each entry holds the
    /// base-10 logarithms of area and slope. Entries are sorted by area, smallest first.
    pub slope_area: Vec<[f64; 2]>,
    /// Waterfalls, highest first.
    ///
    /// A waterfall is a steep step in the long profile of a river. It is at most 5.7 units of
    /// length long and at least 0.4 units high. Its slope is at least ½, and at least three times
    /// the mean slope of the river over the eight units above it and over the eight units below it.
    /// Its upstream area is at least 200 square units. The unit of length is
    /// [`Params::unit`](super::super::Params::unit), or the cell size if this parameter is 0.
    pub waterfalls: Vec<Waterfall>,
    /// Strahler order of the stream in each cell. 0 for cells that are not part of a channel.
    pub order: Field<u8>,
    /// Upstream area of each cell (cells), including the cell itself.
    pub area: Field<u32>,
    /// Column and row of the cell to which each cell drains. `None` where water leaves the map.
    pub receiver: Field<Option<(usize, usize)>>,
}

impl Survey {
    /// Surveys a landscape with lakes. `bed` holds the heights (m) and `depth` the depths of lakes
    /// (m) of square cells of side `size` (m). Water leaves the map at the cells for which `outlet`
    /// is true.
    ///
    /// # Panics
    /// Panics if the fields differ in shape.
    pub fn new(bed: &Field<f32>, depth: &Field<f32>, outlet: &Field<bool>, size: f64) -> Self {
        Self::new_with_unit_and_ledges([bed, depth], outlet, [size; 2], |_| false)
    }

    /// Surveys a landscape with lakes like [`new`](Self::new), but measures waterfalls in a
    /// separate unit of length `unit` (m), which may differ from the cell size. `is_ledge` returns
    /// whether hard rock lies above softer rock at a given waterfall.
    fn new_with_unit_and_ledges(
        [bed, depth]: [&Field<f32>; 2],
        outlet: &Field<bool>,
        [size, unit]: [f64; 2],
        is_ledge: impl Fn(&Fall) -> bool,
    ) -> Self {
        assert!(bed.has_same_shape(depth) && bed.has_same_shape(outlet), "fields of one shape");
        let routing = Routing::new(bed, outlet);
        let network = ChannelNetwork::new(&routing, bed, size);
        let cells = bed.as_slice().len() as f64;
        let (pits, dry) = routing.count_depressions(bed, depth);
        let water = depth.as_slice().iter().filter(|&&depth| depth > 0.0).count();
        let (low, high) = bed.min_max().unwrap_or((0.0, 0.0));
        let mean = bed.sum() / cells;
        let channels = network.channel_length();
        let [slots, deepest_slot] = slot_metrics(bed, size);
        let waterfalls = find_waterfalls(&network, [size, unit], is_ledge);
        let report = Report {
            concavity: network.concavity(),
            hack: network.hack_exponent(),
            pits: pits as f64 / cells,
            dry_depressions: dry as f64 / cells,
            slots,
            deepest_slot,
            water: water as f64 / cells,
            horton: network.horton_ratios(),
            order: network.highest_order(),
            drainage_density: channels / (cells * size * size),
            hypsometric_integral: (mean - f64::from(low)) / f64::from(high - low),
            valley_width: valleys::valley_width_quartiles(&network, bed, size),
            waterfalls: waterfalls.len(),
        };
        let square = 2.0 * size.log10();
        let slope_area =
            network.mean_slope_by_area().into_iter().map(|[a, s]| [a + square, s]).collect();
        let (nx, ny, orders) = (bed.nx(), bed.ny(), network.stream_orders());
        let receiver = |i: usize| routing.receiver(i).map(|to| routing.grid.column_and_row(to));
        Self {
            report,
            slope_area,
            waterfalls,
            order: Field::from_fn(nx, ny, |x, y| orders[y * nx + x]),
            area: Field::from_fn(nx, ny, |x, y| routing.area[y * nx + x]),
            receiver: Field::from_fn(nx, ny, |x, y| receiver(y * nx + x)),
        }
    }

    /// Surveys a landscape without lakes. `bed` holds the heights of square cells of side `size`
    /// (m). Water leaves the map across all edges.
    pub fn from_bed(bed: &Field<f32>, size: f64) -> Self {
        let (nx, ny) = (bed.nx(), bed.ny());
        let edge = |x, y| x == 0 || y == 0 || x + 1 == nx || y + 1 == ny;
        Self::new(bed, &Field::new(nx, ny, 0.0), &Field::from_fn(nx, ny, edge), size)
    }
}

impl Hydrology {
    /// Computes the geomorphic metrics of the current land. Water leaves the map into the sea and
    /// across open edges.
    pub fn report(&self) -> Report {
        self.survey().report
    }

    /// Surveys the current land. Returns its geomorphic metrics with the fields from which they are
    /// computed.
    pub fn survey(&self) -> Survey {
        let (bed, depth, outlet) = self.surface_fields();
        Survey::new_with_unit_and_ledges(
            [&bed, &depth],
            &outlet,
            self.cell_size_and_unit(),
            self.ledge_predicate(),
        )
    }

    /// Returns the waterfalls of the current land, as defined at [`Survey::waterfalls`].
    pub fn waterfalls(&self) -> Vec<Waterfall> {
        let (bed, _, outlet) = self.surface_fields();
        let cell_size_and_unit = self.cell_size_and_unit();
        let routing = Routing::new(&bed, &outlet);
        find_waterfalls(
            &ChannelNetwork::new(&routing, &bed, cell_size_and_unit[0]),
            cell_size_and_unit,
            self.ledge_predicate(),
        )
    }

    fn cell_size_and_unit(&self) -> [f64; 2] {
        [self.land.lattice.dx(), self.land.scale().unit]
    }

    fn ledge_predicate(&self) -> impl Fn(&Fall) -> bool {
        let (rock, bed) =
            (Rock::from_land(&self.land, &self.rock_factors), self.heights.as_slice());
        move |fall| rock.is_ledge(fall.lip, bed[fall.lip], bed[fall.foot])
    }

    /// Returns three fields with one value per cell: the height of the bed (m), the depth of lakes
    /// and sea (m), and whether water leaves the map at the cell.
    fn surface_fields(&self) -> (Field<f32>, Field<f32>, Field<bool>) {
        let grid = self.land.grid();
        let map = |value: &dyn Fn(usize) -> f32| {
            Field::from_fn(grid.nx, grid.ny, |x, y| value(y * grid.nx + x))
        };
        let bed = self.heights.clone();
        let depth = map(&|i| {
            let level = self.waters.level_over(self.land.terrain(), i);
            level.map_or(0.0, |level| fixed::to_metres_f32(level - self.land.bed[i]))
        });
        let terrain = self.land.terrain();
        let outlet = Field::from_fn(grid.nx, grid.ny, |x, y| {
            let cell = y * grid.nx + x;
            let sea = self.waters.leaf_water_at(cell as u32).state == LakeState::Sea;
            terrain.outflow_height(cell).is_some() || sea && depth[(x, y)] > 0.0
        });
        (bed, depth, outlet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concavity_of_a_synthetic_valley_is_recovered() {
        // A river along the centre line with inflow from both sides. Its area grows downstream, and
        // its slope is prescribed.
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
    fn hack_exponent_of_synthetic_basins_is_recovered() {
        // Parallel valleys of the given lengths, with widths that follow the exponent.
        for exponent in [0.5, 0.6, 0.7] {
            let cell_size_and_unit = [250_usize, 400, 640];
            let width = |length: usize| {
                (110.0 * (length as f64 / 250.0).powf(1.0 / exponent - 1.0)).round() as usize | 1
            };
            let ny: usize = cell_size_and_unit.iter().map(|&length| width(length) + 2).sum();
            let mut rows = Vec::new();
            let mut mouths = Vec::new();
            for length in cell_size_and_unit {
                let width = width(length);
                // Walls on both sides, and a valley that falls to the east.
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
            // Cells beyond the end of a valley drain nowhere.
            let mouth =
                |x: usize, y: usize| x >= rows[y].0 || mouths.contains(&y) && x + 1 == rows[y].0;
            let outlet = Field::from_fn(640, ny, mouth);
            let report = Report::new(&bed, &Field::new(640, ny, 0.0), &outlet, 1.0);
            assert!((report.hack - exponent).abs() < 0.05, "{exponent}: {report:?}");
        }
        // A slope with parallel flow lines has no basins.
        let slope = Field::from_fn(200, 80, |x, _| -0.1 * x as f32);
        assert!(Report::from_bed(&slope, 1.0).hack.is_nan());
    }

    #[test]
    fn depressions_and_lakes_are_counted() {
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
