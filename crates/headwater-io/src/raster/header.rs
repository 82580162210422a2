//! [`Header`]: the information that a raster reader returns before it reads the values. Also
//! contains the checks of the raster size that all formats share.

use super::geographic::{CellSize, GroundSize, WEB_MERCATOR, web_mercator_ground_scale};
use super::geotiff::geokeys::GeoKeys;
use super::units::{LengthUnit, has_south_west_axes};
use super::{Format, Georeference, Problem, ReadOptions, SampleType};
use std::sync::Arc;

/// Information that a raster reader returns before it reads the values.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) format: Format,
    /// Number of columns and rows; [`checked_grid_size`] has checked that these are within the
    /// limits.
    pub(super) size: [usize; 2],
    pub(super) sample: SampleType,
    pub(super) compression: Option<&'static str>,
    pub(super) cell: Option<CellSize>,
    /// West, south, east and north edge of the raster, in the coordinates of the file.
    pub(super) bounds: Option<[f64; 4]>,
    /// EPSG code of the coordinate system of `bounds`.
    pub(super) epsg: Option<u16>,
    /// Whether the file names a coordinate system by means other than an EPSG code.
    pub(super) has_crs: bool,
    /// GeoKeys that define the coordinate system of `bounds`, if the file contains them.
    pub(super) keys: Option<Arc<GeoKeys>>,
    /// Main no-data value that the file declares.
    pub(super) no_data: Option<f64>,
    /// Further no-data values that the file declares.
    pub(super) other_no_data: Vec<f64>,
    /// Whether NaN values mark cells that the file declares to have no data, for example by an
    /// alpha channel. If false, NaN values cause a notice for the user.
    pub(super) nan_is_declared: bool,
    /// Unit of the heights that `scale` and `offset` yield from the values in the file; `None` if
    /// it is the metre or unknown.
    pub(super) unit: Option<LengthUnit>,
    /// Height difference, in `unit`, per unit of the values in the file.
    pub(super) scale: f64,
    /// Height, in `unit`, that corresponds to the value 0 in the file.
    pub(super) offset: f64,
    pub(super) notices: Vec<String>,
}

impl Header {
    /// Creates a header for a raster whose values are in metres. The cell size, the map position
    /// and the no-data value are not set.
    pub(super) fn new(format: Format, size: [usize; 2], sample: SampleType) -> Self {
        Self {
            format,
            size,
            sample,
            compression: None,
            cell: None,
            bounds: None,
            epsg: None,
            has_crs: false,
            keys: None,
            no_data: None,
            other_no_data: Vec::new(),
            nan_is_declared: false,
            unit: None,
            scale: 1.0,
            offset: 0.0,
            notices: Vec::new(),
        }
    }
}

impl Header {
    /// Returns the west, south, east and north edge of the raster, or `None` unless all edges are
    /// finite and in ascending order.
    pub(super) fn bounds(&self) -> Option<[f64; 4]> {
        self.bounds.filter(|bounds| {
            bounds.iter().all(|v| v.is_finite()) && bounds[0] < bounds[2] && bounds[1] < bounds[3]
        })
    }

    /// Returns the size, the cell size and the map position of the raster.
    pub(super) fn extent(&self) -> Result<super::Extent, Problem> {
        Ok(super::Extent {
            size: self.size,
            cell: self.cell_metres()?.map(|(metres, _)| metres),
            bounds: self.bounds(),
            georeference: self.georeference(),
        })
    }

    /// Returns true if the file names a coordinate system, possibly only by its EPSG code.
    pub(super) fn has_crs(&self) -> bool {
        self.has_crs || self.epsg.is_some()
    }

    /// Returns the width and height of a cell on the ground (m) and an optional notice for the user
    /// about the conversion. Returns `None` if the file does not give the cell size.
    pub(super) fn cell_metres(&self) -> Result<Option<GroundSize>, Problem> {
        let Some(cell) = &self.cell else { return Ok(None) };
        if let Some(code) = self.epsg.filter(|code| has_south_west_axes(*code)) {
            return Err(Problem::Convert {
                found: format!("EPSG:{code}, whose coordinates increase to the south and west"),
                command:
                    "gdalwarp -t_srs EPSG:CODE in.tif out.tif, with a system whose coordinates \
                          increase to the east and north; if those of the file do, too, it has the \
                          wrong code: gdal_translate -a_srs EPSG:CODE in.tif out.tif"
                        .into(),
            });
        }
        let (metres, mut notice) = cell.to_metres()?;
        if cell.is_geographic() && !self.has_crs() {
            notice.get_or_insert_default().push_str(
                "; the file names no coordinate system, to name one: `gdal_translate -a_srs \
                 EPSG:CODE in.tif out.tif`",
            );
        }
        let Some(bounds) = self.bounds().filter(|_| self.epsg == Some(WEB_MERCATOR)) else {
            return Ok(Some((metres, notice)));
        };
        let (latitude, scale) = web_mercator_ground_scale(0.5 * (bounds[1] + bounds[3]))?;
        let ground = [metres[0] * scale[0], metres[1] * scale[1]];
        let notice = format!(
            "the cells are {} × {} m of Web Mercator, taken as {:.4} × {:.4} m on the ground at the \
             raster's central latitude {latitude:.4}",
            metres[0], metres[1], ground[0], ground[1]
        );
        Ok(Some((ground, Some(notice))))
    }

    /// Returns the map position of the raster, or `None` if the file does not give one. In a file
    /// without a coordinate system, a south-west corner at (0, 0) does not count as a position,
    /// because it indicates local coordinates.
    pub(super) fn georeference(&self) -> Option<Georeference> {
        let has_crs = self.has_crs();
        let is_local = |bounds: &[f64; 4]| !has_crs && bounds[..2] == [0.0; 2];
        Some(Georeference {
            bounds: self.bounds().filter(|bounds| !is_local(bounds))?,
            unit: self.cell.as_ref().map(|cell| cell.unit.name()),
            epsg: self.epsg,
            has_crs,
            keys: self.keys.clone(),
        })
    }
}

/// Converts the number of columns and rows to `usize`.
///
/// # Errors
/// Returns [`Problem::Size`] unless the raster has at least one cell and at most
/// `options.max_cells` cells.
pub(super) fn checked_grid_size(
    width: u64,
    height: u64,
    options: &ReadOptions,
) -> Result<[usize; 2], Problem> {
    let max_cells = options.max_cells;
    let refused = Problem::Size { width, height, max_cells };
    let (Ok(nx), Ok(ny)) = (usize::try_from(width), usize::try_from(height)) else {
        return Err(refused);
    };
    match nx.checked_mul(ny) {
        Some(cells) if cells > 0 && cells <= max_cells => Ok([nx, ny]),
        _ => Err(refused),
    }
}

/// Checks that a compressed file is long enough to contain the number of values that its header
/// declares.
///
/// No supported compression expands a byte to more than 4096 bytes (LZW with 12-bit codes 2731,
/// Deflate 1032, PackBits 64). The check keeps small files from causing large allocations.
pub(super) fn check_expansion(
    format: Format,
    [nx, ny]: [usize; 2],
    bytes_per_cell: usize,
    file_length: u64,
) -> Result<(), Problem> {
    let claimed = nx.saturating_mul(ny).saturating_mul(bytes_per_cell);
    if claimed as u64 / 4096 > file_length {
        let detail = format!(
            "{nx} × {ny} cells of {bytes_per_cell} bytes do not fit in a file of {file_length} bytes"
        );
        return Err(Problem::damaged(format, detail));
    }
    Ok(())
}
