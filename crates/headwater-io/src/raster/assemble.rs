//! Last step of every raster reader: converts raw values to heights in metres and a mask of the
//! cells without data.
//!
//! The readers decode the file formats. This module applies scale, offset, no-data values and cell
//! sizes in the same way for all formats.

use super::geographic::{CellSize, GroundSize, Unit, WEB_MERCATOR, web_mercator_ground_scale};
use super::geotiff::geokeys::GeoKeys;
use super::no_data::{self, Mark, Meaning, comparable};
use super::units::LengthUnit;
use super::{Format, Georeference, Info, Problem, ReadOptions, SampleType};
use headwater::error::format_number;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Lengths (m) of units that are similar to the foot. If the coordinates of a map are in such a
/// unit, the heights often are, too.
const LIKE_FEET: RangeInclusive<f64> = 0.29..=0.32;

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
    /// Whether the file names a coordinate system. A file with an EPSG code always does.
    pub(super) has_crs: bool,
    /// GeoKeys that define the coordinate system of `bounds`, if the file contains them.
    pub(super) keys: Option<Arc<GeoKeys>>,
    /// No-data value that is declared in the file.
    pub(super) no_data: Option<f64>,
    /// Further no-data values that are declared in the file.
    pub(super) other_no_data: Vec<f64>,
    /// Whether a NaN value marks a cell that the file declares to be empty, for example by an alpha
    /// channel.
    pub(super) nan_is_declared: bool,
    /// Unit of the heights computed with `scale` and `offset`; `None` if it is the metre or
    /// unknown.
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

    /// Returns the size of a cell on the ground, or `None` if the file does not give the cell size.
    fn cell_metres(&self) -> Result<Option<GroundSize>, Problem> {
        let Some(cell) = &self.cell else { return Ok(None) };
        let (metres, notice) = cell.to_metres()?;
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

    /// Returns the map position of the raster, or `None` if the file does not give one. Without a
    /// coordinate system, a corner at (0, 0) indicates local coordinates.
    fn georeference(&self) -> Option<Georeference> {
        let has_crs = self.has_crs || self.epsg.is_some();
        let is_local = |bounds: &[f64; 4]| !has_crs && bounds[..2] == [0.0; 2];
        Some(Georeference {
            bounds: self.bounds().filter(|bounds| !is_local(bounds))?,
            unit: self.cell.as_ref().map(|cell| cell.unit.name()),
            epsg: self.epsg,
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

/// Converter from the raw values of a raster to heights and a no-data mask. The rows are converted
/// in order, from north to south.
pub(super) struct HeightConverter {
    header: Header,
    scale: f64,
    offset: f64,
    cell_metres: Option<[f64; 2]>,
    /// No-data value that the caller sets or the file declares.
    declared: Option<f64>,
    marks: Vec<Mark>,
    /// Whether a NaN value marks a cell that the caller or the file declares to be empty.
    nan_is_declared: bool,
    nans: usize,
    missing: usize,
    /// Lowest and highest height (m). The range is not ordered before the first cell with data.
    range: [f32; 2],
    /// Open interval around 0 that contains no mark (a value that means or may mean no data).
    without_marks: [f64; 2],
    /// Smallest and largest raw value, without values that mean or may mean no data.
    plain_range: [f64; 2],
    row: usize,
}

impl HeightConverter {
    pub(super) fn new(mut header: Header, options: &ReadOptions) -> Result<Self, Problem> {
        let unit = header.unit.filter(|unit| unit.metres != 1.0 && options.lengths);
        let metres = unit.map_or(1.0, |unit| unit.metres);
        if let Some(unit) = unit {
            let name = unit.name;
            if options.scale.is_none() {
                header.notices.push(format!(
                    "the heights are in the unit {name}, converted to metres ({metres} m)"
                ));
            } else if options.offset.is_none() && header.offset != 0.0 {
                header.notices.push(format!(
                    "the offset of the heights in the file is in the unit {name}, converted to \
                     metres ({metres} m); `scale` is applied as it is given"
                ));
            }
        }
        let map_unit = header.cell.as_ref().map(|cell| &cell.unit);
        if let Some(Unit::Linear { name, metres }) = map_unit
            && LIKE_FEET.contains(metres)
            && header.unit.is_none()
            && options.scale.is_none()
            && options.lengths
        {
            header.notices.push(format!(
                "the map is in the unit {name}, and the file does not give the unit of its \
                 heights; they are read as metres unless `scale` is set, for example to \
                 {metres:.7}"
            ));
        }
        let scale = check_setting("scale", options.scale.unwrap_or(header.scale * metres))?;
        let offset = check_setting("offset", options.offset.unwrap_or(header.offset * metres))?;
        let cell_metres = header.cell_metres()?.map(|(metres, notice)| {
            header.notices.extend(notice);
            metres
        });
        let of_file: Vec<f64> =
            header.no_data.into_iter().chain(header.other_no_data.iter().copied()).collect();
        let (no_data, overridden) = match options.no_data {
            Some(value) => (vec![value], of_file),
            None => (of_file, Vec::new()),
        };
        let declared = no_data.first().copied();
        let marks = no_data::marks(header.sample, &no_data, &overridden);
        let values = || marks.iter().map(|mark| mark.value);
        let without_marks = [
            values().filter(|value| *value <= 0.0).fold(f64::NEG_INFINITY, f64::max),
            values().filter(|value| *value >= 0.0).fold(f64::INFINITY, f64::min),
        ];
        Ok(Self {
            scale,
            offset,
            cell_metres,
            declared,
            marks,
            nan_is_declared: header.nan_is_declared || no_data.iter().any(|value| value.is_nan()),
            nans: 0,
            missing: 0,
            range: [f32::INFINITY, f32::NEG_INFINITY],
            without_marks,
            plain_range: [f64::INFINITY, f64::NEG_INFINITY],
            row: 0,
            header,
        })
    }

    /// Returns the number of columns and rows of the raster.
    pub(super) fn size(&self) -> [usize; 2] {
        self.header.size
    }

    /// Converts the raw values of the next row. Writes the heights (m) to `heights` and the no-data
    /// mask to `no_data`.
    pub(super) fn convert_row(
        &mut self,
        values: &[f64],
        heights: &mut [f32],
        no_data: &mut [bool],
    ) -> Result<(), Problem> {
        let sample = self.header.sample;
        // Most values lie between the marks below and above 0.
        let [low, high] = self.without_marks;
        let [mut plain_low, mut plain_high] = self.plain_range;
        let [mut lowest, mut highest] = self.range;
        let cells = values.iter().zip(heights).zip(no_data).enumerate();
        for (column, ((&raw, height), no_data)) in cells {
            let value = comparable(sample, raw);
            let empty = if low < value && value < high {
                plain_low = plain_low.min(raw);
                plain_high = plain_high.max(raw);
                false
            } else if raw.is_nan() {
                self.nans += 1;
                true
            } else if let Some(mark) = self.marks.iter_mut().find(|mark| mark.value == value) {
                mark.count += 1;
                matches!(mark.meaning, Meaning::NoData | Meaning::Undeclared)
            } else {
                plain_low = plain_low.min(raw);
                plain_high = plain_high.max(raw);
                false
            };
            *height = if empty { 0.0 } else { (raw * self.scale + self.offset) as f32 };
            *no_data = empty;
            if !height.is_finite() {
                return Err(Problem::Height { column, row: self.row, value: raw });
            }
            self.missing += usize::from(empty);
            if !empty {
                lowest = lowest.min(*height);
                highest = highest.max(*height);
            }
        }
        self.plain_range = [plain_low, plain_high];
        self.range = [lowest, highest];
        self.row += 1;
        Ok(())
    }

    /// Returns the information about the file and the notices for the user. Call this function
    /// after the last row.
    pub(super) fn finish(mut self) -> Result<(Info, Vec<String>), Problem> {
        let Header { format, size: [nx, ny], sample, compression, .. } = self.header;
        let mut notices = std::mem::take(&mut self.header.notices);
        let [low, high] = self.plain_range;
        // The range is not ordered if all cells contain marks.
        let largest = if low <= high { low.abs().max(high.abs()) } else { f64::INFINITY };
        let mut found_mark = self.declared;
        for Mark { value, meaning, count } in &self.marks {
            if *meaning == Meaning::Undeclared && *count > 0 {
                found_mark = found_mark.or(Some(*value));
            }
            let Some(text) = meaning.notice().filter(|_| *count > 0) else { continue };
            if *meaning != Meaning::Extreme || value.abs() > 2.0 * largest {
                notices.push(format!("{count} cells contain {}, {text}", format_number(*value)));
            }
        }
        if self.nans > 0 && !self.nan_is_declared {
            let nans = self.nans;
            notices.push(format!("{nans} cells are NaN; they are read as no-data cells"));
        }
        let [min_height, max_height] = self.range;
        if min_height > max_height {
            let why = found_mark.map(|mark| format!(" (no-data value {mark})")).unwrap_or_default();
            return Err(Problem::NoHeights { cells: nx * ny, why });
        }
        let (bounds, georeference) = (self.header.bounds(), self.header.georeference());
        let cell = self.header.cell;
        let info = Info {
            format,
            width: nx,
            height: ny,
            sample_type: sample,
            bits: sample.bits(),
            compression,
            cell_size: cell.as_ref().map(|cell| cell.size),
            cell_unit: cell.as_ref().map(|cell| cell.unit.name()),
            geographic: cell.as_ref().is_some_and(CellSize::is_geographic),
            cell_metres: self.cell_metres,
            bounds,
            epsg: self.header.epsg,
            georeference,
            no_data_value: found_mark,
            no_data_cells: self.missing,
            scale: self.scale,
            offset: self.offset,
            min_height,
            max_height,
        };
        Ok((info, notices))
    }
}

/// Checks that the setting called `name` is finite and, if it is a scale, not 0. Returns its value.
fn check_setting(name: &'static str, value: f64) -> Result<f64, Problem> {
    let scale = name == "scale";
    if value.is_finite() && !(scale && value == 0.0) {
        return Ok(value);
    }
    Err(Problem::Setting { name, value, condition: if scale { " other than 0" } else { "" } })
}
