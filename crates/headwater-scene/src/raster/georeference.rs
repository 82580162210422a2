//! [`Georeference`]: where a raster lies on a map, and which part of it lies over another.

use super::resample::Part;
use super::{Info, geokeys};
use headwater::error::format_number;

/// Where a raster lies, in the coordinates of its file.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Georeference {
    /// West, south, east and north, in `unit`.
    pub bounds: [f64; 4],
    /// The unit of the coordinates, if it is known.
    pub unit: Option<&'static str>,
    /// The EPSG code of their system, if the file names one.
    pub epsg: Option<u16>,
}

impl Info {
    /// Where the raster lies, if its file says so. A south-west corner at (0, 0) is that of a map of its own, as rasters have it that
    /// are written here, and says nothing.
    pub fn georeference(&self) -> Option<Georeference> {
        Georeference::of(self.bounds, self.cell_unit, self.epsg)
    }
}

impl Georeference {
    /// That of a raster with such bounds, in such a unit and system, as [`Info::georeference`] has it.
    pub(super) fn of(
        bounds: Option<[f64; 4]>,
        unit: Option<&'static str>,
        epsg: Option<u16>,
    ) -> Option<Self> {
        let bounds = bounds.filter(|[west, south, ..]| [*west, *south] != [0.0; 2])?;
        Some(Self { bounds, unit, epsg })
    }

    /// That of a map of its own, of so many rows of cells of a size (m).
    pub(super) fn local(rows: usize, cell: [f64; 2]) -> Self {
        let north = rows as f64 * cell[1];
        Self { bounds: [0.0, 0.0, 0.0, north], unit: Some("metre"), epsg: None }
    }

    /// Width and height of a cell of a raster of so many columns and rows, in `unit`.
    pub(crate) fn cell(&self, [nx, ny]: [usize; 2]) -> [f64; 2] {
        let [west, south, east, north] = self.bounds;
        [(east - west) / nx as f64, (north - south) / ny as f64]
    }

    /// Whether a GeoTIFF has a code for its unit: metres, feet, kilometres and degrees have one.
    pub(crate) fn is_known_to_geotiff(&self) -> bool {
        self.unit.is_some_and(|unit| geokeys::written(unit, self.epsg).is_some())
    }

    /// The part of this raster, of `cells` columns and rows, that lies under another one.
    pub(crate) fn part_under(&self, other: &Self, cells: [usize; 2]) -> Result<Part, String> {
        if self.unit != other.unit
            || matches!((self.epsg, other.epsg), (Some(a), Some(b)) if a != b)
        {
            let (own, others) = (self.projection(), other.projection());
            return Err(format!(
                "found a raster in {own}, needs one in that of the terrain, {others}"
            ));
        }
        let [west, _, _, north] = self.bounds;
        let [w, s, e, n] = other.bounds;
        let cell = self.cell(cells);
        let part = Part {
            start: [(w - west) / cell[0], (north - n) / cell[1]],
            size: [(e - w) / cell[0], (n - s) / cell[1]],
        };
        // Rims of rasters of other cells seldom meet.
        let covers = |axis: usize| {
            part.start[axis] >= -0.5
                && part.start[axis] + part.size[axis] <= cells[axis] as f64 + 0.5
        };
        if covers(0) && covers(1) {
            return Ok(part);
        }
        let (own, others) = (self.extent(), other.extent());
        Err(format!("lies {own}, needs a raster that covers the terrain, which lies {others}"))
    }

    /// Where it lies, in words.
    pub(crate) fn extent(&self) -> String {
        let [west, south, east, north] = self.bounds.map(format_number);
        format!("from {west} to {east} east and from {south} to {north} north")
    }

    fn projection(&self) -> String {
        match (self.epsg, self.unit) {
            (Some(code), Some(unit)) => format!("EPSG:{code} ({unit})"),
            (Some(code), None) => format!("EPSG:{code}"),
            (None, Some(unit)) => format!("a projection without a name ({unit})"),
            (None, None) => "a projection without a name, of unknown unit".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(bounds: [f64; 4]) -> Georeference {
        Georeference { bounds, unit: Some("metre"), epsg: None }
    }

    #[test]
    fn a_part_is_counted_in_cells_from_the_north_west() {
        let terrain = map([600.0, 100.0, 700.0, 150.0]);
        let part = map([500.0, 0.0, 900.0, 200.0]).part_under(&terrain, [40, 20]).unwrap();
        assert_eq!((part.start, part.size), ([10.0, 5.0], [10.0, 5.0]));
        // Cells of 10 m: half of one may be missing.
        assert!(map([604.0, 100.0, 904.0, 200.0]).part_under(&terrain, [30, 10]).is_ok());
        let short = map([606.0, 100.0, 906.0, 200.0]).part_under(&terrain, [30, 10]).unwrap_err();
        assert!(
            short.starts_with("lies from 606 to 906 east and from 100 to 200 north, needs"),
            "{short}"
        );
    }

    #[test]
    fn projections_must_not_differ() {
        let terrain = Georeference { epsg: Some(25832), ..map([600.0, 100.0, 700.0, 150.0]) };
        assert!(map(terrain.bounds).part_under(&terrain, [4, 4]).is_ok());
        let other = Georeference { epsg: Some(3857), ..terrain };
        let told = other.part_under(&terrain, [4, 4]).unwrap_err();
        assert!(told.contains("EPSG:3857 (metre)") && told.contains("EPSG:25832"), "{told}");
        let degrees = Georeference { unit: Some("degree"), ..map(terrain.bounds) };
        assert!(degrees.part_under(&terrain, [4, 4]).is_err());
    }
}
