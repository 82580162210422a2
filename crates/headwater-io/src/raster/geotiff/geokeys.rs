//! Map position of a GeoTIFF raster: cell size, unit and orientation, derived from the model tags
//! and the GeoKeys of the file.
//!
//! Only the unit and the EPSG code of the coordinate system are used. Key and code numbers follow
//! the OGC GeoTIFF Standard 1.1 (OGC 19-008r4).

use crate::raster::geographic::{CellSize, DEGREE, Unit, looks_geographic};

/// Returns the GeoKey directory of a raster whose pixels are areas, with the unit and, if given,
/// the EPSG code of its coordinates. The directory consists of a header and four numbers per key:
/// id, location, count and value. Returns `None` if GeoTIFF has no code for the unit.
pub(in crate::raster) fn key_directory(unit: &str, epsg: Option<u16>) -> Option<Vec<u16>> {
    let epsg_code = epsg.unwrap_or(USER_DEFINED);
    let keys = if unit == DEGREE {
        [
            [MODEL_TYPE, 0, 1, GEOGRAPHIC],
            [RASTER_TYPE, 0, 1, PIXEL_IS_AREA],
            [GEODETIC_SYSTEM, 0, 1, epsg_code],
            [ANGULAR_UNITS, 0, 1, 9102],
        ]
    } else {
        let code = [9001, 9002, 9003, 9036]
            .into_iter()
            .find(|code| linear_unit(*code).is_some_and(|(name, _)| name == unit))?;
        [
            [MODEL_TYPE, 0, 1, PROJECTED],
            [RASTER_TYPE, 0, 1, PIXEL_IS_AREA],
            [PROJECTED_SYSTEM, 0, 1, epsg_code],
            [LINEAR_UNITS, 0, 1, code],
        ]
    };
    // Version 1.1.0 and the number of keys.
    let head = [1, 1, 0, keys.len() as u16];
    Some(std::iter::once(head).chain(keys).flatten().collect())
}

const MODEL_TYPE: u16 = 1024;
const GEODETIC_SYSTEM: u16 = 2048;
const PROJECTED_SYSTEM: u16 = 3072;
const ANGULAR_UNITS: u16 = 2054;
const LINEAR_UNITS: u16 = 3076;
const LINEAR_UNIT_SIZE: u16 = 3077;
const VERTICAL_UNITS: u16 = 4099;
const USER_DEFINED: u16 = 32767;
const PROJECTED: u16 = 1;
const GEOGRAPHIC: u16 = 2;
const RASTER_TYPE: u16 = 1025;
const PIXEL_IS_AREA: u16 = 1;
const PIXEL_IS_POINT: u16 = 2;

/// Values of the tags that position a GeoTIFF raster on the map. A vector is empty if the file does
/// not contain the tag.
#[derive(Debug, Default)]
pub(in crate::raster) struct ModelTags {
    /// ModelPixelScale: the width, height and depth of a cell.
    pub(in crate::raster) pixel_scale: Vec<f64>,
    /// ModelTiepoint: the column and row of a point and 0, followed by the coordinates of that
    /// point.
    pub(in crate::raster) tie_point: Vec<f64>,
    /// ModelTransformation: a 4 × 4 matrix that maps column and row to coordinates.
    pub(in crate::raster) transformation: Vec<f64>,
    /// GeoKeyDirectory: a header of four numbers, followed by four numbers per key.
    pub(in crate::raster) keys: Vec<u16>,
    /// GeoDoubleParams: the floating-point values to which GeoKeys refer.
    pub(in crate::raster) doubles: Vec<f64>,
}

/// Map position and orientation of a raster.
#[derive(Debug, Default)]
pub(in crate::raster) struct Placement {
    pub(in crate::raster) cell: Option<CellSize>,
    /// West, south, east and north edge of the raster; `None` if the raster is rotated.
    pub(in crate::raster) bounds: Option<[f64; 4]>,
    /// EPSG code of the coordinate system.
    pub(in crate::raster) epsg: Option<u16>,
    /// Whether the first row in the file is the southernmost.
    pub(in crate::raster) south_up: bool,
    /// Name of the unit of the heights, and its length in metres; `None` if the unit is the metre.
    pub(in crate::raster) vertical: Option<(&'static str, f64)>,
    pub(in crate::raster) notices: Vec<String>,
}

/// Affine map from column and row to coordinates. The first row `[per column, per row, at (0, 0)]`
/// gives x, the second gives y.
type Affine = [[f64; 3]; 2];

impl ModelTags {
    /// Computes the map position of a raster of `nx × ny` cells.
    pub(in crate::raster) fn compute_placement(&self, [nx, ny]: [usize; 2]) -> Placement {
        let (vertical, epsg) = (self.vertical_unit(), self.epsg_code());
        let mut placement = Placement { vertical, epsg, ..Placement::default() };
        let Some([east, north]) = self.affine_map() else { return placement };
        let size = match self.pixel_scale[..] {
            // Unchanged: a negative scale is invalid, and a length would hide the sign.
            [dx, dy, ..] => [dx, dy],
            _ => [length(east[0], north[0]), length(east[1], north[1])],
        };
        let rotated = east[1] != 0.0 || north[0] != 0.0;
        if rotated {
            placement.notices.push(
                "the raster is rotated or sheared; it is read without rotation, with the first row \
                 as the north"
                    .to_owned(),
            );
        }
        placement.south_up = !rotated && north[1] > 0.0;
        if placement.south_up {
            placement.notices.push(
                "the file's first row is the south; the rows are reversed so that row 0 is the north"
                    .to_owned(),
            );
        }
        if !rotated {
            // If coordinates refer to cell centres, the corner is half a cell earlier.
            let half_cell =
                if self.short_value(RASTER_TYPE) == Some(PIXEL_IS_POINT) { 0.5 } else { 0.0 };
            let ends = |[per, at]: [f64; 2], n: usize| {
                let first = at - half_cell * per;
                [first, first + per * n as f64]
            };
            let ([west, east], [y0, y1]) =
                (ends([east[0], east[2]], nx), ends([north[1], north[2]], ny));
            placement.bounds = Some([west, y0.min(y1), east, y0.max(y1)]);
        }
        let latitude = north[0] * nx as f64 / 2.0 + north[1] * ny as f64 / 2.0 + north[2];
        match self.unit(size, [east[2], north[2]], latitude) {
            Ok(unit) => placement.cell = Some(CellSize { size, unit }),
            Err(notice) => placement.notices.push(notice),
        }
        placement
    }

    /// Returns the affine map from columns and rows to coordinates, or `None` if the file does not
    /// define it. If there is no tie point, the origin is NaN.
    fn affine_map(&self) -> Option<Affine> {
        if let [dx, dy, ..] = self.pixel_scale[..] {
            let [x, y] = match self.tie_point[..] {
                [column, row, _, x, y, ..] => [x - column * dx, y + row * dy],
                _ => [f64::NAN; 2],
            };
            return Some([[dx, 0.0, x], [0.0, -dy, y]]);
        }
        match self.transformation[..] {
            [xx, xy, _, x, yx, yy, _, y, ..] => Some([[xx, xy, x], [yx, yy, y]]),
            _ => None,
        }
    }

    /// Returns the unit of the coordinates.
    ///
    /// # Errors
    /// Returns a notice for the user if the unit is unknown.
    fn unit(&self, size: [f64; 2], corner: [f64; 2], latitude: f64) -> Result<Unit, String> {
        let geographic = match self.short_value(MODEL_TYPE) {
            Some(model) => model == GEOGRAPHIC,
            None => looks_geographic(size, corner, latitude),
        };
        if geographic {
            return match self.short_value(ANGULAR_UNITS) {
                // 9102 is the degree, 9122 the degree of "supplier's choice".
                None | Some(9102 | 9122) if !latitude.is_nan() => Ok(Unit::Degrees { latitude }),
                None | Some(9102 | 9122) => Err("the cells are in degrees, but the file does not \
                                                 say where; give the cell size in metres"
                    .to_owned()),
                Some(code) => Err(format!(
                    "the cells are in the unsupported angular unit {code}; give the cell size in \
                     metres"
                )),
            };
        }
        match self.short_value(LINEAR_UNITS) {
            None => Ok(Unit::METRE),
            Some(USER_DEFINED) => self
                .double_value(LINEAR_UNIT_SIZE)
                .map(|metres| Unit::Linear { name: "user-defined", metres })
                .ok_or_else(|| {
                    "the file's unit of length is user-defined, without a size; give the cell size \
                     in metres"
                        .to_owned()
                }),
            Some(code) => linear_unit(code)
                .map(|(name, metres)| Unit::Linear { name, metres })
                .ok_or_else(|| {
                    format!(
                        "the cells are in the unsupported unit {code}; give the cell size in metres"
                    )
                }),
        }
    }

    /// Returns the EPSG code of the coordinate system. The code of a projected system takes
    /// precedence over the code of the geodetic system on which it is based.
    fn epsg_code(&self) -> Option<u16> {
        let known = |id| self.short_value(id).filter(|code| ![0, USER_DEFINED].contains(code));
        match self.short_value(MODEL_TYPE) {
            Some(GEOGRAPHIC) => known(GEODETIC_SYSTEM),
            _ => known(PROJECTED_SYSTEM),
        }
    }

    fn vertical_unit(&self) -> Option<(&'static str, f64)> {
        self.short_value(VERTICAL_UNITS).and_then(linear_unit).filter(|(_, metres)| *metres != 1.0)
    }

    /// Returns the four numbers of a key in the GeoKey directory: id, location, count, and value or
    /// index.
    fn entry(&self, id: u16) -> Option<&[u16]> {
        self.keys.chunks_exact(4).skip(1).find(|entry| entry[0] == id)
    }

    /// Returns the value of a GeoKey whose value is stored in the directory itself.
    fn short_value(&self, id: u16) -> Option<u16> {
        self.entry(id).filter(|entry| entry[1] == 0).map(|entry| entry[3])
    }

    /// Returns the value of a GeoKey whose value is stored in GeoDoubleParams.
    fn double_value(&self, id: u16) -> Option<f64> {
        self.doubles.get(usize::from(self.entry(id)?[3])).copied()
    }
}

/// Returns the length of the vector `(x, y)`. Does not use `hypot` because its last bit differs
/// between platforms.
fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// Returns the name of the length unit with the given EPSG code, and its length in metres. Returns
/// `None` if the unit is not used in elevation data.
fn linear_unit(code: u16) -> Option<(&'static str, f64)> {
    match code {
        9001 => Some(("metre", 1.0)),
        9002 => Some(("foot", 0.3048)),
        9003 => Some(("US survey foot", 1200.0 / 3937.0)),
        9036 => Some(("kilometre", 1000.0)),
        _ => None,
    }
}

/// Returns the name and the length (m) of the length unit that is `metres` long. Files often give
/// the length with few digits.
pub(in crate::raster) fn length_unit(metres: f64) -> (&'static str, f64) {
    let mut known = [9001, 9002, 9003, 9036].into_iter().filter_map(linear_unit);
    let same = |length: f64| (metres / length - 1.0).abs() < 1e-7;
    known.find(|(_, length)| same(*length)).unwrap_or(("user-defined", metres))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [usize; 2] = [40, 20];

    fn keys(entries: &[[u16; 4]]) -> Vec<u16> {
        let head = [1, 1, 0, entries.len() as u16];
        std::iter::once(&head).chain(entries).flatten().copied().collect()
    }

    fn scaled(cell: f64, entries: &[[u16; 4]]) -> ModelTags {
        ModelTags {
            pixel_scale: vec![cell, 2.0 * cell, 0.0],
            tie_point: vec![0.0, 0.0, 0.0, 7.0, 47.0, 0.0],
            keys: keys(entries),
            ..ModelTags::default()
        }
    }

    #[test]
    fn a_geographic_model_is_in_degrees_at_its_middle() {
        let cell =
            scaled(0.5, &[[MODEL_TYPE, 0, 1, GEOGRAPHIC]]).compute_placement(SIZE).cell.unwrap();
        assert_eq!(cell.size, [0.5, 1.0]);
        assert_eq!(cell.unit, Unit::Degrees { latitude: 37.0 });
    }

    #[test]
    fn small_cells_without_a_model_type_are_degrees_and_with_one_are_not() {
        assert!(scaled(0.001, &[]).compute_placement(SIZE).cell.unwrap().is_geographic());
        let projected =
            scaled(0.001, &[[MODEL_TYPE, 0, 1, 1]]).compute_placement(SIZE).cell.unwrap();
        assert_eq!(projected.unit, Unit::METRE);
    }

    #[test]
    fn degrees_without_a_position_and_other_angular_units_give_a_notice() {
        let mut nowhere = scaled(0.5, &[[MODEL_TYPE, 0, 1, GEOGRAPHIC]]);
        nowhere.tie_point.clear();
        let radians = scaled(0.5, &[[MODEL_TYPE, 0, 1, GEOGRAPHIC], [ANGULAR_UNITS, 0, 1, 9101]]);
        for tags in [nowhere, radians] {
            let placement = tags.compute_placement(SIZE);
            assert_eq!(placement.cell, None);
            assert!(placement.notices[0].contains("give the cell size in metres"));
        }
    }

    #[test]
    fn linear_units_are_predefined_or_user_defined() {
        let feet = scaled(30.0, &[[LINEAR_UNITS, 0, 1, 9002], [VERTICAL_UNITS, 0, 1, 9003]]);
        let placement = feet.compute_placement(SIZE);
        assert_eq!(placement.cell.unwrap().unit, Unit::Linear { name: "foot", metres: 0.3048 });
        assert_eq!(placement.vertical.unwrap().0, "US survey foot");

        let mut own =
            scaled(30.0, &[[LINEAR_UNITS, 0, 1, USER_DEFINED], [LINEAR_UNIT_SIZE, 34736, 1, 1]]);
        own.doubles = vec![9.0, 2.5];
        let unit = own.compute_placement(SIZE).cell.unwrap().unit;
        assert_eq!(unit, Unit::Linear { name: "user-defined", metres: 2.5 });

        assert_eq!(scaled(30.0, &[[LINEAR_UNITS, 0, 1, 9999]]).compute_placement(SIZE).cell, None);
    }

    #[test]
    fn a_transformation_may_be_south_up_or_rotated() {
        let with = |matrix: [f64; 8]| {
            ModelTags { transformation: matrix.to_vec(), ..ModelTags::default() }
                .compute_placement(SIZE)
        };
        let north_up = with([10.0, 0.0, 0.0, 500.0, 0.0, -20.0, 0.0, 900.0]);
        assert!(!north_up.south_up && north_up.notices.is_empty());
        assert_eq!(north_up.cell.unwrap().size, [10.0, 20.0]);
        assert!(with([10.0, 0.0, 0.0, 500.0, 0.0, 20.0, 0.0, 900.0]).south_up);
        let rotated = with([6.0, -8.0, 0.0, 500.0, 8.0, 6.0, 0.0, 900.0]);
        assert!(!rotated.south_up && rotated.notices.len() == 1);
        assert_eq!(rotated.cell.unwrap().size, [10.0, 10.0]);
    }
}
