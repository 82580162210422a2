//! Last step of every raster reader: converts raw values to heights in metres and a mask of the
//! cells without data.
//!
//! The readers decode the file formats. This module applies scale, offset, no-data values and cell
//! sizes in the same way for all formats.

use super::geographic::CellSize;
use super::{Format, Info, Problem, ReadOptions, SampleType};

/// No-data value that is recognised even if the file does not declare it.
const UNDECLARED_NO_DATA: f64 = -9999.0;
const UNDECLARED_NO_DATA_I16: f64 = i16::MIN as f64;
/// Values that mark missing data in some files and are heights in others. They are read as heights,
/// and the reader returns a notice for the user.
const AMBIGUOUS_NO_DATA: [f64; 3] = [-32768.0, -32767.0, -99999.0];

/// Information that a raster reader returns before it reads the values.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) format: Format,
    /// Number of columns and rows; [`grid`] has checked that it is within the limits.
    pub(super) size: [usize; 2],
    pub(super) sample: SampleType,
    pub(super) compression: Option<&'static str>,
    pub(super) cell: Option<CellSize>,
    /// West, south, east and north edge of the raster, in the coordinates of the file.
    pub(super) bounds: Option<[f64; 4]>,
    /// EPSG code of the coordinate system of `bounds`.
    pub(super) epsg: Option<u16>,
    /// No-data value that is declared in the file.
    pub(super) no_data: Option<f64>,
    /// Whether a NaN value marks a cell that the file declares to be empty, for example by an alpha
    /// channel.
    pub(super) nan_is_declared: bool,
    /// Number of metres per unit of the values in the file.
    pub(super) scale: f64,
    /// Height (m) that corresponds to the value 0 in the file.
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
            no_data: None,
            nan_is_declared: false,
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
        let cell = self.cell.as_ref();
        let metres = cell.map(CellSize::to_metres).transpose()?;
        Ok(super::Extent {
            size: self.size,
            cell: metres.map(|(metres, _)| metres),
            bounds: self.bounds(),
            georeference: super::Georeference::from_bounds(
                self.bounds(),
                cell.map(|cell| cell.unit.name()),
                self.epsg,
            ),
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
    /// No-data values that are recognised although the file does not declare them, each with the
    /// number of cells found.
    undeclared_marks: Vec<(f64, usize)>,
    /// Values that may mean missing data but are read as heights, each with the number of cells
    /// found.
    ambiguous: Vec<(f64, usize)>,
    nans: usize,
    missing: usize,
    range: Option<[f32; 2]>,
    row: usize,
}

impl HeightConverter {
    pub(super) fn new(mut header: Header, options: &ReadOptions) -> Result<Self, Problem> {
        let scale = check_setting("scale", options.scale.unwrap_or(header.scale))?;
        let offset = check_setting("offset", options.offset.unwrap_or(header.offset))?;
        let cell_metres = match &header.cell {
            None => None,
            Some(cell) => {
                let (metres, notice) = cell.to_metres()?;
                header.notices.extend(notice);
                Some(metres)
            }
        };
        let declared = options.no_data.or(header.no_data);
        let is_signed = declared.is_none() && header.sample.is_signed();
        let mut undeclared_marks = Vec::new();
        if is_signed {
            undeclared_marks.push((UNDECLARED_NO_DATA, 0));
        }
        if declared.is_none() && header.sample == SampleType::I16 {
            undeclared_marks.push((UNDECLARED_NO_DATA_I16, 0));
        }
        let overridden = header.no_data.filter(|mark| Some(*mark) != declared);
        let ambiguous = AMBIGUOUS_NO_DATA.into_iter().filter(|_| is_signed).chain(overridden);
        let ambiguous = ambiguous.map(|mark| (mark, 0));
        Ok(Self {
            scale,
            offset,
            cell_metres,
            declared,
            undeclared_marks,
            ambiguous: ambiguous.collect(),
            nans: 0,
            missing: 0,
            range: None,
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
        // Compares in `f32`, because the no-data value of `f32` rasters is often written with too
        // few digits.
        let equals = |raw: f64, mark: f64| raw as f32 == mark as f32;
        let cells = values.iter().zip(heights).zip(no_data).enumerate();
        for (column, ((&raw, height), no_data)) in cells {
            let undeclared = self.undeclared_marks.iter_mut().find(|(mark, _)| equals(raw, *mark));
            let empty = if raw.is_nan() {
                self.nans += 1;
                true
            } else if let Some((_, count)) = undeclared {
                *count += 1;
                true
            } else {
                self.declared.is_some_and(|mark| equals(raw, mark))
            };
            let ambiguous = self.ambiguous.iter_mut().find(|(mark, _)| equals(raw, *mark));
            if !empty && let Some((_, count)) = ambiguous {
                *count += 1;
            }
            *height = if empty { 0.0 } else { (raw * self.scale + self.offset) as f32 };
            *no_data = empty;
            if !height.is_finite() {
                return Err(Problem::Height { column, row: self.row, value: raw });
            }
            self.missing += usize::from(empty);
            if !empty {
                let [low, high] = self.range.unwrap_or([*height; 2]);
                self.range = Some([low.min(*height), high.max(*height)]);
            }
        }
        self.row += 1;
        Ok(())
    }

    /// Returns the information about the file and the notices for the user. Call this function
    /// after the last row.
    pub(super) fn finish(mut self) -> Result<(Info, Vec<String>), Problem> {
        let Header { format, size: [nx, ny], sample, compression, .. } = self.header;
        let mut notices = std::mem::take(&mut self.header.notices);
        let mut found_mark = self.declared;
        for (mark, count) in self.undeclared_marks.into_iter().filter(|(_, count)| *count > 0) {
            found_mark = found_mark.or(Some(mark));
            notices.push(format!(
                "{count} cells contain {mark}, which the file does not declare as its no-data value; \
                 they are read as no-data cells"
            ));
        }
        for (mark, count) in self.ambiguous.into_iter().filter(|(_, count)| *count > 0) {
            notices.push(match self.header.no_data.filter(|_| self.declared.is_some()) {
                Some(_) => format!(
                    "{count} cells contain {mark}, the no-data value of the file; they are read as \
                     heights, because `no_data` is set to another value"
                ),
                None => format!(
                    "{count} cells contain {mark}, which often means no data; they are read as \
                     heights unless `no_data` is set"
                ),
            });
        }
        let nan_expected = self.header.nan_is_declared || self.declared.is_some_and(f64::is_nan);
        if self.nans > 0 && !nan_expected {
            let nans = self.nans;
            notices.push(format!("{nans} cells are NaN; they are read as no-data cells"));
        }
        let Some([min_height, max_height]) = self.range else {
            let why = found_mark.map(|mark| format!(" (no-data value {mark})")).unwrap_or_default();
            return Err(Problem::NoHeights { cells: nx * ny, why });
        };
        let bounds = self.header.bounds();
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
