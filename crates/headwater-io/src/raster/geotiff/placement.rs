//! Map position of a GeoTIFF raster: cell size, bounds and orientation, derived from the model tags
//! and the GeoKeys of the file.

use super::geokeys::{GeoKeys, Model};
use crate::raster::Problem;
use crate::raster::geographic::{CellSize, CellSizeUnit, looks_geographic};

/// Values of the tags that position a GeoTIFF raster on the map. A vector is empty if the file does
/// not contain the tag.
#[derive(Debug, Default)]
pub(in crate::raster) struct ModelTags {
    /// ModelPixelScale: the width, height and depth of a cell.
    pub(in crate::raster) pixel_scale: Vec<f64>,
    /// ModelTiepoint: for each tie point, its column, its row and 0, followed by its map
    /// coordinates.
    pub(in crate::raster) tie_points: Vec<f64>,
    /// ModelTransformation: a 4 × 4 matrix that maps column and row to coordinates.
    pub(in crate::raster) transformation: Vec<f64>,
    pub(in crate::raster) keys: GeoKeys,
    /// Code of the TIFF tag Orientation: 1 if the first row is the top and the first column the
    /// left side of the image.
    pub(in crate::raster) orientation: u64,
}

/// Map position and orientation of a raster.
#[derive(Debug, Default)]
pub(in crate::raster) struct Placement {
    pub(in crate::raster) cell: Option<CellSize>,
    /// West, south, east and north edge of the raster; `None` if the file does not give them.
    pub(in crate::raster) bounds: Option<[f64; 4]>,
    /// Whether the first column in the file is the easternmost, and whether the first row is the
    /// southernmost.
    pub(in crate::raster) reversed: [bool; 2],
    pub(in crate::raster) notices: Vec<String>,
}

/// Affine map from column and row to map coordinates: one row of coefficients for x, one for y.
/// Each row contains the change per column, the change per row, and the value at column 0, row 0.
type Affine = [[f64; 3]; 2];

/// Command that makes a raster north-up. The option `-dstnodata` marks the empty corners of the
/// result as no data; GDAL would otherwise fill them with 0.
const WARP_COMMAND: &str = "gdalwarp -ot Float32 -dstnodata -9999 in.tif out.tif";
const TO_DEGREES: &str = "gdalwarp -t_srs EPSG:4326 -ot Float32 -dstnodata -9999 in.tif out.tif";
const ROWS_REVERSED: &str = "the file's first row is the south; the rows are reversed so that row \
                             0 is the north";
const COLUMNS_REVERSED: &str = "the file's first column is the east; the columns are reversed so \
                                that column 0 is the west";

impl ModelTags {
    /// Computes the map position of a raster of `nx × ny` cells.
    ///
    /// # Errors
    /// Returns [`Problem::Convert`] if the raster is rotated, sheared or placed by control points,
    /// or if its coordinates are neither lengths nor degrees. If these properties were ignored, the
    /// raster would lie elsewhere or have cells of another size.
    pub(in crate::raster) fn compute_placement(
        &self,
        [nx, ny]: [usize; 2],
    ) -> Result<Placement, Problem> {
        let mut placement = Placement::default();
        let Some([east, north]) = self.affine_map() else {
            if self.tie_points.len() > 6 {
                return Err(warp_required_error(
                    "a raster that is placed by ground control points",
                    WARP_COMMAND,
                ));
            }
            self.apply_orientation(&mut placement);
            return Ok(placement);
        };
        if east[1] != 0.0 || north[0] != 0.0 {
            return Err(warp_required_error("a raster that is rotated or sheared", WARP_COMMAND));
        }
        let size = match self.scale() {
            // A negative height is rejected, because programs do not agree on its meaning.
            Some([dx, dy]) => [dx.abs(), dy],
            None => [east[0].abs(), north[1].abs()],
        };
        // If coordinates refer to cell centres, the corner is half a cell earlier.
        let half_cell = if self.keys.pixel_is_point() { 0.5 } else { 0.0 };
        let ends = |[per, at]: [f64; 2], n: usize| {
            let first = at - half_cell * per;
            let last = first + per * n as f64;
            [first.min(last), first.max(last)]
        };
        let ([west, east_edge], [south, north_edge]) =
            (ends([east[0], east[2]], nx), ends([north[1], north[2]], ny));
        let is_placed = [west, south].iter().all(|v| v.is_finite());
        placement.bounds = is_placed.then_some([west, south, east_edge, north_edge]);
        placement.set_reversed_axes([east[0] < 0.0, north[1] > 0.0]);
        if self.orientation != 1 {
            placement.notices.push(format!(
                "the orientation tag {} is ignored, because the file has a map position",
                self.orientation
            ));
        }
        let latitude = 0.5 * (south + north_edge);
        let is_geographic = self.coordinates_are_geographic(size, [west, south], latitude)?;
        match self.unit(is_geographic, latitude, &mut placement.notices) {
            Ok(unit) => placement.cell = Some(CellSize { size, unit }),
            Err(notice) => placement.notices.push(notice),
        }
        Ok(placement)
    }

    /// Reverses the columns or rows as the orientation tag requires. Used for files without a map
    /// position.
    fn apply_orientation(&self, placement: &mut Placement) {
        match self.orientation {
            1 => {}
            2 => placement.set_reversed_axes([true, false]),
            3 => placement.set_reversed_axes([true, true]),
            4 => placement.set_reversed_axes([false, true]),
            other => placement.notices.push(format!(
                "the orientation tag {other} is ignored; the first row in the file is the north"
            )),
        }
    }

    /// Returns the width and height of a cell in the tag ModelPixelScale, or `None` if they are
    /// missing. A scale of 0 counts as missing.
    fn scale(&self) -> Option<[f64; 2]> {
        match self.pixel_scale[..] {
            [dx, dy, ..] if dx != 0.0 && dy != 0.0 => Some([dx, dy]),
            _ => None,
        }
    }

    /// Returns the affine map from columns and rows to coordinates, or `None` if the file does not
    /// define it. If there is no tie point, the origin is NaN.
    fn affine_map(&self) -> Option<Affine> {
        if let Some([dx, dy]) = self.scale() {
            let [x, y] = match self.tie_points[..] {
                [column, row, _, x, y, ..] => [x - column * dx, y + row * dy],
                _ => [f64::NAN; 2],
            };
            return Some([[dx, 0.0, x], [0.0, -dy, y]]);
        }
        match self.transformation[..] {
            // The identity, in which coordinates are columns and rows, stands for no position.
            [1.0, 0.0, _, 0.0, 0.0, 1.0, _, 0.0, ..] => None,
            [xx, xy, _, x, yx, yy, _, y, ..] => Some([[xx, xy, x], [yx, yy, y]]),
            _ => None,
        }
    }

    /// Returns true if the coordinates are degrees, and false if they are lengths.
    ///
    /// # Errors
    /// Returns [`Problem::Convert`] if they are neither.
    fn coordinates_are_geographic(
        &self,
        size: [f64; 2],
        corner: [f64; 2],
        latitude: f64,
    ) -> Result<bool, Problem> {
        match self.keys.model() {
            Model::Geographic => match self.keys.unit_other_than_degree() {
                None => Ok(true),
                Some(unit) => {
                    Err(warp_required_error(format!("coordinates in the unit {unit}"), TO_DEGREES))
                }
            },
            Model::Projected => Ok(false),
            Model::Unknown => Ok(looks_geographic(size, corner, latitude)),
            Model::Unsupported => {
                let found = "coordinates that are neither projected nor longitude and latitude";
                Err(warp_required_error(found, TO_DEGREES))
            }
        }
    }

    /// Returns the unit of the coordinates. Adds notices for the user to `notices`.
    ///
    /// # Errors
    /// Returns a notice for the user if the unit is unknown.
    fn unit(
        &self,
        is_geographic: bool,
        latitude: f64,
        notices: &mut Vec<String>,
    ) -> Result<CellSizeUnit, String> {
        match (is_geographic, latitude.is_nan()) {
            (false, _) => {
                let unit = self.keys.linear_unit(notices)?;
                Ok(CellSizeUnit::Linear { name: unit.name, metres: unit.metres })
            }
            (true, true) => Err("the cells are in degrees, but the file does not say where; give \
                                 the cell size in metres"
                .to_owned()),
            (true, false) => Ok(CellSizeUnit::Degrees { latitude }),
        }
    }
}

impl Placement {
    /// Sets which axes (columns, rows) are in reverse order. Adds a notice for each reversed axis.
    fn set_reversed_axes(&mut self, reversed: [bool; 2]) {
        self.reversed = reversed;
        let texts = [COLUMNS_REVERSED, ROWS_REVERSED].into_iter().zip(reversed);
        self.notices
            .extend(texts.filter(|(_, is_reversed)| *is_reversed).map(|(t, _)| t.to_owned()));
    }
}

/// Creates the error for a raster that the user must first convert with `gdalwarp`, because of its
/// map position.
fn warp_required_error(found: impl Into<String>, command: &str) -> Problem {
    Problem::Convert { found: found.into(), command: command.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [usize; 2] = [40, 20];

    fn tags_with_pixel_scale(cell: f64, entries: &[[u16; 4]]) -> ModelTags {
        let head = [1, 1, 0, entries.len() as u16];
        let directory = std::iter::once(&head).chain(entries).flatten().copied().collect();
        ModelTags {
            pixel_scale: vec![cell, 2.0 * cell, 0.0],
            tie_points: vec![0.0, 0.0, 0.0, 7.0, 47.0, 0.0],
            keys: GeoKeys { directory, ..GeoKeys::default() },
            orientation: 1,
            ..ModelTags::default()
        }
    }

    fn placement_from_matrix(matrix: [f64; 8]) -> Placement {
        ModelTags {
            transformation: matrix.to_vec(),
            pixel_scale: vec![0.0; 3],
            orientation: 1,
            ..ModelTags::default()
        }
        .compute_placement(SIZE)
        .unwrap()
    }

    #[test]
    fn a_geographic_model_is_in_degrees_at_its_middle() {
        let cell = tags_with_pixel_scale(0.5, &[[1024, 0, 1, 2]])
            .compute_placement(SIZE)
            .unwrap()
            .cell
            .unwrap();
        assert_eq!(cell.size, [0.5, 1.0]);
        assert_eq!(cell.unit, CellSizeUnit::Degrees { latitude: 37.0 });
    }

    #[test]
    fn small_cells_are_in_degrees_only_without_a_model_type() {
        assert!(
            tags_with_pixel_scale(0.001, &[])
                .compute_placement(SIZE)
                .unwrap()
                .cell
                .unwrap()
                .is_geographic()
        );
        let projected = tags_with_pixel_scale(0.001, &[[1024, 0, 1, 1]])
            .compute_placement(SIZE)
            .unwrap()
            .cell
            .unwrap();
        assert_eq!(projected.unit, CellSizeUnit::METRE);
    }

    #[test]
    fn degrees_without_a_position_give_a_notice_and_other_angular_units_are_refused() {
        let mut nowhere = tags_with_pixel_scale(0.5, &[[1024, 0, 1, 2]]);
        nowhere.tie_points.clear();
        let placement = nowhere.compute_placement(SIZE).unwrap();
        assert_eq!(placement.cell, None);
        assert!(placement.notices[0].contains("give the cell size in metres"));
        for (keys, found) in [
            ([[1024, 0, 1, 2], [2054, 0, 1, 9101]], "coordinates in the unit radian"),
            ([[1024, 0, 1, 2], [2048, 0, 1, 4807]], "coordinates in the unit grad"),
            ([[1024, 0, 1, 3], [1025, 0, 1, 1]], "coordinates that are neither projected"),
        ] {
            let message =
                tags_with_pixel_scale(0.5, &keys).compute_placement(SIZE).unwrap_err().to_string();
            assert!(message.contains(found) && message.contains("-t_srs EPSG:4326"), "{message}");
        }
    }

    #[test]
    fn a_linear_unit_makes_the_coordinates_lengths() {
        // ESRI describes a projection in a text.
        let esri = [[1024, 0, 1, 32767], [2048, 0, 1, 4326], [3076, 0, 1, 9001]];
        let local = [[1025, 0, 1, 1], [3076, 0, 1, 9001]];
        for keys in [&esri[..], &local] {
            let placement = tags_with_pixel_scale(0.001, keys).compute_placement(SIZE).unwrap();
            assert_eq!(placement.cell.unwrap().unit, CellSizeUnit::METRE);
        }
    }

    #[test]
    fn point_rasters_place_tie_points_at_cell_centres() {
        let placement =
            tags_with_pixel_scale(2.0, &[[1025, 0, 1, 2]]).compute_placement(SIZE).unwrap();
        assert_eq!(placement.bounds, Some([6.0, -31.0, 86.0, 49.0]));
        let placement = tags_with_pixel_scale(2.0, &[]).compute_placement(SIZE).unwrap();
        assert_eq!(placement.bounds, Some([7.0, -33.0, 87.0, 47.0]));
    }

    #[test]
    fn a_transformation_may_be_reversed() {
        let north_up = placement_from_matrix([10.0, 0.0, 0.0, 500.0, 0.0, -20.0, 0.0, 900.0]);
        assert!(north_up.reversed == [false; 2] && north_up.notices.is_empty());
        assert_eq!(north_up.cell.unwrap().size, [10.0, 20.0]);
        let south_up = placement_from_matrix([10.0, 0.0, 0.0, 500.0, 0.0, 20.0, 0.0, 900.0]);
        assert_eq!((south_up.reversed, south_up.notices.len()), ([false, true], 1));
        let mirrored = placement_from_matrix([-10.0, 0.0, 0.0, 500.0, 0.0, -20.0, 0.0, 900.0]);
        assert_eq!((mirrored.reversed, mirrored.notices.len()), ([true, false], 1));
        assert_eq!(mirrored.bounds, Some([100.0, 500.0, 500.0, 900.0]));
    }

    #[test]
    fn the_orientation_applies_only_without_a_map_position() {
        let bottom =
            ModelTags { orientation: 4, ..ModelTags::default() }.compute_placement(SIZE).unwrap();
        assert_eq!((bottom.reversed, bottom.notices.len()), ([false, true], 1));
        let placed = ModelTags { orientation: 4, ..tags_with_pixel_scale(2.0, &[]) }
            .compute_placement(SIZE)
            .unwrap();
        assert_eq!(placed.reversed, [false; 2]);
        assert!(placed.notices[0].contains("orientation tag 4"), "{:?}", placed.notices);
    }
}
