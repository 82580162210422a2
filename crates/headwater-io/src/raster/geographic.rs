//! Ground size of raster cells: the unit of the cell size in the file, and its conversion to
//! metres. Degrees are converted on the WGS 84 ellipsoid, and Web Mercator coordinates with the
//! scale at their latitude. Other map projections are not evaluated; their distortion of lengths is
//! not corrected.

use super::Problem;
use super::units::DEGREE;

/// Unit of a raster's cell size.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CellSizeUnit {
    /// Unit of length.
    Linear {
        /// Name of the unit.
        name: &'static str,
        /// Length of the unit in metres.
        metres: f64,
    },
    /// Degrees of longitude and latitude on the ellipsoid.
    Degrees {
        /// Latitude of the raster's centre (degrees). The lengths of a degree at this latitude are
        /// used for the whole raster.
        latitude: f64,
    },
}

impl CellSizeUnit {
    pub(super) const METRE: Self = Self::Linear { name: "metre", metres: 1.0 };

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Linear { name, .. } => name,
            Self::Degrees { .. } => DEGREE,
        }
    }
}

/// Cell size with its unit, as given in the file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CellSize {
    /// Width and height of a cell, in `unit`.
    pub(super) size: [f64; 2],
    pub(super) unit: CellSizeUnit,
}

impl CellSize {
    pub(super) fn is_geographic(&self) -> bool {
        matches!(self.unit, CellSizeUnit::Degrees { .. })
    }

    /// Returns the width and height of a cell in metres, and a notice for the user if the file uses
    /// another unit.
    pub(super) fn to_metres(&self) -> Result<GroundSize, Problem> {
        let [width, height] = self.size;
        let factors = match self.unit {
            CellSizeUnit::Linear { metres, .. } => [metres; 2],
            CellSizeUnit::Degrees { latitude } => metres_per_degree(latitude)?,
        };
        let metres = [width * factors[0], height * factors[1]];
        if ![width, height, metres[0], metres[1]].iter().all(|v| v.is_finite() && *v > 0.0) {
            return Err(Problem::CellSize { cell: self.size });
        }
        let found = format!("the cells are {width} × {height} in the unit {}", self.unit.name());
        let taken = format!("taken as {:.4} × {:.4} m", metres[0], metres[1]);
        let notice = match self.unit {
            CellSizeUnit::Linear { metres: 1.0, .. } => None,
            CellSizeUnit::Linear { .. } => Some(format!("{found}, {taken}")),
            CellSizeUnit::Degrees { latitude } => Some(format!(
                "{found} (longitude and latitude), {taken} at the raster's central latitude \
                 {latitude:.4} (WGS 84)"
            )),
        };
        Ok((metres, notice))
    }
}

/// Returns true if a cell size (width and height) is probably in degrees. `corner` is the west and
/// south edge of the raster, and `latitude` the latitude of its centre if the coordinates are in
/// degrees.
///
/// If the corner is a position on Earth, a cell size below 0.1 is far more often in degrees than in
/// metres. A corner at exactly (0, 0) indicates local coordinates, as in rasters written by this
/// crate, because no land lies at that position.
pub(super) fn looks_geographic(size: [f64; 2], corner: [f64; 2], latitude: f64) -> bool {
    size.iter().all(|&s| s > 0.0 && s < 0.1)
        && corner != [0.0, 0.0]
        && corner[0].abs() <= 180.0
        && corner[1].abs() <= 90.0
        && latitude.abs() <= 90.0
}

/// Width and height of a cell on the ground (m), and a notice for the user if a conversion was
/// needed.
pub(super) type GroundSize = ([f64; 2], Option<String>);

/// Equatorial radius of the WGS 84 ellipsoid (m).
const EQUATORIAL_RADIUS: f64 = 6_378_137.0;

/// EPSG code of Web Mercator, the projection of web maps.
pub(super) const WEB_MERCATOR: u16 = 3857;

/// Returns the latitude (degrees) at the northing `y` (m) of Web Mercator, and the map scale at
/// this latitude. The scale is given by the lengths on the ground (m) of one map metre eastward and
/// of one map metre northward.
///
/// Web Mercator applies the formulas of the sphere (Snyder 1987, equations 7-1 to 7-4) to latitudes
/// on the ellipsoid.
pub(super) fn web_mercator_ground_scale(y: f64) -> Result<(f64, [f64; 2]), Problem> {
    let latitude = libm::atan(libm::sinh(y / EQUATORIAL_RADIUS)).to_degrees();
    let [east, north] = metres_per_degree(latitude)?;
    let degree = EQUATORIAL_RADIUS.to_radians();
    Ok((latitude, [east / degree, north * libm::cos(latitude.to_radians()) / degree]))
}

/// Returns the lengths (m) of one degree of longitude and of one degree of latitude on the WGS 84
/// ellipsoid.
///
/// The radii of curvature in the prime vertical and in the meridian follow Snyder, Map Projections:
/// A Working Manual (USGS 1987), equations 4-18 and 4-20. `libm` gives identical bits on all
/// platforms.
pub(super) fn metres_per_degree(latitude: f64) -> Result<[f64; 2], Problem> {
    const FLATTENING: f64 = 1.0 / 298.257_223_563;
    const E2: f64 = FLATTENING * (2.0 - FLATTENING);
    let is_valid = latitude.abs() <= 89.0;
    if !is_valid {
        return Err(Problem::Latitude { latitude });
    }
    let phi = latitude.to_radians();
    let sin = libm::sin(phi);
    let w = 1.0 - E2 * sin * sin;
    let prime_vertical = EQUATORIAL_RADIUS / w.sqrt();
    let meridian = EQUATORIAL_RADIUS * (1.0 - E2) / (w * w.sqrt());
    Ok([prime_vertical * libm::cos(phi), meridian].map(f64::to_radians))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_degree_has_the_published_lengths() {
        // Lengths of a degree, rounded to metres, as in the usual geodetic tables for WGS 84.
        for (latitude, east, north) in
            [(0.0, 111_320.0, 110_574.0), (45.0, 78_847.0, 111_132.0), (-60.0, 55_800.0, 111_412.0)]
        {
            let [dx, dy] = metres_per_degree(latitude).unwrap();
            assert!((dx - east).abs() < 1.0 && (dy - north).abs() < 1.0, "{latitude}: {dx} {dy}");
        }
        for latitude in [90.0, -89.5, f64::NAN] {
            assert!(metres_per_degree(latitude).is_err());
        }
    }

    #[test]
    fn non_positive_or_infinite_cell_sizes_are_refused() {
        for size in [[0.0, 1.0], [1.0, -2.0], [f64::NAN, 1.0], [1.0, f64::INFINITY]] {
            assert!(CellSize { size, unit: CellSizeUnit::METRE }.to_metres().is_err());
        }
    }

    #[test]
    fn feet_are_converted_to_metres_with_a_notice() {
        let unit = CellSizeUnit::Linear { name: "foot", metres: 0.3048 };
        let (metres, notice) = CellSize { size: [10.0, 20.0], unit }.to_metres().unwrap();
        assert!((metres[0] - 3.048).abs() < 1e-12 && (metres[1] - 6.096).abs() < 1e-12);
        assert!(notice.unwrap().contains("10 × 20 in the unit foot"));
    }

    #[test]
    fn web_mercator_is_stretched_by_the_secant_of_the_latitude() {
        // 5,942,074.0724 m is the northing of 47° north.
        let (latitude, [east, north]) = web_mercator_ground_scale(5_942_074.072_4).unwrap();
        assert!((latitude - 47.0).abs() < 1e-8, "{latitude}");
        // The ellipsoid changes the secant of the sphere by less than 0.7 %.
        let cosine = 47.0_f64.to_radians().cos();
        assert!((east / cosine - 1.0).abs() < 3e-3 && (north / cosine - 1.0).abs() < 7e-3);
        assert!(east > north);
    }
}
