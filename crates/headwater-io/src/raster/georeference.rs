//! [`Georeference`]: the map position of a raster, with the computation of overlaps between
//! rasters.

use super::geotiff::geokeys::GeoKeys;
use super::window::RasterWindow;
use headwater::error::format_number;
use std::sync::Arc;

/// Map position of a raster, in the coordinates of its file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Georeference {
    /// West, south, east and north edge of the raster, in `unit`.
    pub bounds: [f64; 4],
    /// Unit of the coordinates; `None` if it is unknown.
    pub unit: Option<&'static str>,
    /// EPSG code of the coordinate system; `None` if the file does not name it.
    pub epsg: Option<u16>,
    /// Whether the file that defines this position names a coordinate system. If it does not,
    /// output files name none either.
    pub(super) has_crs: bool,
    /// GeoKeys of the file, which define its coordinate system.
    pub(super) keys: Option<Arc<GeoKeys>>,
}

/// Compares the position, the unit and the EPSG code.
impl PartialEq for Georeference {
    fn eq(&self, other: &Self) -> bool {
        (self.bounds, self.unit, self.epsg) == (other.bounds, other.unit, other.epsg)
    }
}

impl Georeference {
    /// Creates local coordinates for a raster with `rows` rows of cells. `cell` is the width and
    /// height of a cell (m); the south-west corner of the raster is at (0, 0).
    pub(super) fn with_local_origin(rows: usize, cell: [f64; 2]) -> Self {
        let north = rows as f64 * cell[1];
        let bounds = [0.0, 0.0, 0.0, north];
        Self { bounds, unit: Some("metre"), epsg: None, has_crs: false, keys: None }
    }

    /// Returns the width and height of a cell, in the unit of the coordinates, for a raster of `nx
    /// × ny` cells.
    pub fn cell_size(&self, [nx, ny]: [usize; 2]) -> [f64; 2] {
        let [west, south, east, north] = self.bounds;
        [(east - west) / nx as f64, (north - south) / ny as f64]
    }

    /// Returns true if the coordinate system can be written to a GeoTIFF. This is the case if it
    /// was read from a GeoTIFF, or if the GeoTIFF standard has a code for its unit.
    pub fn has_geotiff_unit(&self) -> bool {
        self.geo_keys().is_some()
    }

    /// Returns the GeoKeys of a GeoTIFF at this map position, or `None` if GeoTIFF has no code for
    /// the unit.
    pub(super) fn geo_keys(&self) -> Option<GeoKeys> {
        match &self.keys {
            Some(keys) => Some((**keys).clone()),
            None => GeoKeys::minimal(self.unit?, self.epsg, self.has_crs),
        }
    }

    /// Returns the part of this raster that the raster `other` covers. `cells` is the number of
    /// columns and rows of this raster.
    ///
    /// # Errors
    /// Returns an error message if the projections differ, or if this raster does not cover the
    /// whole area of `other`.
    pub fn part_covered_by(&self, other: &Self, cells: [usize; 2]) -> Result<RasterWindow, String> {
        if self.unit != other.unit
            || matches!((self.epsg, other.epsg), (Some(a), Some(b)) if a != b)
        {
            let (own, others) = (self.projection_name(), other.projection_name());
            return Err(format!(
                "found a raster in {own}, expected the projection of the terrain, {others}"
            ));
        }
        let [west, _, _, north] = self.bounds;
        let [w, s, e, n] = other.bounds;
        let cell = self.cell_size(cells);
        let part = RasterWindow {
            start: [(w - west) / cell[0], (north - n) / cell[1]],
            size: [(e - w) / cell[0], (n - s) / cell[1]],
        };
        // Edges of rasters with different cell sizes seldom coincide, so half a cell may be
        // missing.
        let covers = |axis: usize| {
            part.start[axis] >= -0.5
                && part.start[axis] + part.size[axis] <= cells[axis] as f64 + 0.5
        };
        if covers(0) && covers(1) {
            return Ok(part);
        }
        let (own, others) = (self.format_bounds(), other.format_bounds());
        Err(format!("the raster extends {own} and must cover the terrain, which extends {others}"))
    }

    /// Formats the bounds for error messages.
    pub fn format_bounds(&self) -> String {
        let [west, south, east, north] = self.bounds.map(format_number);
        format!("from {west} to {east} east and from {south} to {north} north")
    }

    fn projection_name(&self) -> String {
        match (self.epsg, self.unit) {
            (Some(code), Some(unit)) => format!("EPSG:{code} ({unit})"),
            (Some(code), None) => format!("EPSG:{code}"),
            (None, Some(unit)) => format!("an unnamed projection ({unit})"),
            (None, None) => "an unnamed projection of unknown unit".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn georeference_with_bounds(bounds: [f64; 4]) -> Georeference {
        Georeference { bounds, unit: Some("metre"), epsg: None, has_crs: false, keys: None }
    }

    #[test]
    fn covered_parts_are_counted_in_cells_from_the_north_west() {
        let terrain = georeference_with_bounds([600.0, 100.0, 700.0, 150.0]);
        let part = georeference_with_bounds([500.0, 0.0, 900.0, 200.0])
            .part_covered_by(&terrain, [40, 20])
            .unwrap();
        assert_eq!((part.start, part.size), ([10.0, 5.0], [10.0, 5.0]));
        // Cells of 10 m: half of one may be missing.
        assert!(
            georeference_with_bounds([604.0, 100.0, 904.0, 200.0])
                .part_covered_by(&terrain, [30, 10])
                .is_ok()
        );
        let short = georeference_with_bounds([606.0, 100.0, 906.0, 200.0])
            .part_covered_by(&terrain, [30, 10])
            .unwrap_err();
        assert!(
            short.starts_with(
                "the raster extends from 606 to 906 east and from 100 to 200 north and"
            ),
            "{short}"
        );
    }

    #[test]
    fn rasters_with_different_projections_are_refused() {
        let terrain = Georeference {
            epsg: Some(25832),
            ..georeference_with_bounds([600.0, 100.0, 700.0, 150.0])
        };
        assert!(georeference_with_bounds(terrain.bounds).part_covered_by(&terrain, [4, 4]).is_ok());
        let other = Georeference { epsg: Some(3857), ..terrain.clone() };
        let message = other.part_covered_by(&terrain, [4, 4]).unwrap_err();
        assert!(
            message.contains("EPSG:3857 (metre)") && message.contains("EPSG:25832"),
            "{message}"
        );
        let degrees =
            Georeference { unit: Some("degree"), ..georeference_with_bounds(terrain.bounds) };
        assert!(degrees.part_covered_by(&terrain, [4, 4]).is_err());
    }
}
