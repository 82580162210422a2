//! The last step of every reader: raw values become heights in metres and a no-data mask.
//!
//! The readers know formats; what scale, no-data, NaN and cell sizes mean is decided here, once.

use super::geographic::CellSize;
use super::{Format, Info, Problem, Raster, ReadOptions, Sample};
use headwater::Field;

/// Marks of no-data that are taken as such though the file does not declare them.
const COMMON_MARK: f64 = -9999.0;
const COMMON_MARK_I16: f64 = i16::MIN as f64;
/// Values that stand for no data in some files, and in others for heights: they are told, and taken as they are.
const DOUBTFUL_MARKS: [f64; 3] = [-32768.0, -32767.0, -99999.0];

/// What a reader has learnt before the values.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) format: Format,
    /// Columns and rows, checked by [`grid`].
    pub(super) size: [usize; 2],
    pub(super) sample: Sample,
    pub(super) compression: Option<&'static str>,
    pub(super) cell: Option<CellSize>,
    /// West, south, east and north, in the file's coordinates.
    pub(super) bounds: Option<[f64; 4]>,
    /// The EPSG code of those coordinates.
    pub(super) epsg: Option<u16>,
    /// The value that the file declares to mean no data.
    pub(super) no_data: Option<f64>,
    /// True if the reader hands over NaN for cells the file declares empty, as by an alpha channel.
    pub(super) nan_is_declared: bool,
    /// Metres per unit of the values, and the height of value 0, as the file has them.
    pub(super) scale: f64,
    pub(super) offset: f64,
    pub(super) notices: Vec<String>,
}

impl Header {
    /// A header of plain metres, without cell size and no-data.
    pub(super) fn new(format: Format, size: [usize; 2], sample: Sample) -> Self {
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

/// Columns and rows, if there are at least one and together no more than allowed.
pub(super) fn grid(width: u64, height: u64, options: &ReadOptions) -> Result<[usize; 2], Problem> {
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

/// Refuses a compressed file that claims more bytes than its length can hold.
///
/// No compression read here makes more than 4096 bytes of one (LZW with 12-bit codes 2731, Deflate
/// 1032, PackBits 64). So a few bytes cannot make a decoder take hundreds of megabytes.
pub(super) fn check_expansion(
    format: Format,
    [nx, ny]: [usize; 2],
    bytes_per_cell: usize,
    file_length: usize,
) -> Result<(), Problem> {
    let claimed = nx.saturating_mul(ny).saturating_mul(bytes_per_cell);
    if claimed / 4096 > file_length {
        let detail = format!(
            "{nx} × {ny} cells of {bytes_per_cell} bytes cannot be in a file of {file_length} bytes"
        );
        return Err(Problem::damaged(format, detail));
    }
    Ok(())
}

/// Builds the raster from `value(column, row)`, which is asked for all cells, row after row from the
/// top, and gives what the file holds: NaN for a cell without data.
pub(super) fn assemble(
    header: Header,
    options: &ReadOptions,
    mut value: impl FnMut(usize, usize) -> Result<f64, Problem>,
) -> Result<Raster, Problem> {
    let Header { format, size: [nx, ny], sample, compression, mut notices, .. } = header;
    let scale = setting("scale", options.scale.unwrap_or(header.scale))?;
    let offset = setting("offset", options.offset.unwrap_or(header.offset))?;
    let cell_metres = match &header.cell {
        None => None,
        Some(cell) => {
            let (metres, notice) = cell.in_metres()?;
            notices.extend(notice);
            Some(metres)
        }
    };

    let declared = options.no_data.or(header.no_data);
    let mut undeclared_marks = Vec::new();
    if declared.is_none() && sample.is_signed() {
        undeclared_marks.push((COMMON_MARK, 0));
    }
    if declared.is_none() && sample == Sample::I16 {
        undeclared_marks.push((COMMON_MARK_I16, 0));
    }
    let is_signed = declared.is_none() && sample.is_signed();
    let mut doubtful: Vec<_> =
        DOUBTFUL_MARKS.into_iter().filter(|_| is_signed).map(|mark| (mark, 0)).collect();
    // In f32, as the mark of an f32 raster is often written with too few digits to be exact.
    let is = |raw: f64, mark: f64| raw as f32 == mark as f32;

    let mut nans = 0;
    let mut heights = Vec::with_capacity(nx * ny);
    let mut no_data = Vec::with_capacity(nx * ny);
    let mut range: Option<(f32, f32)> = None;
    for row in 0..ny {
        for column in 0..nx {
            let raw = value(column, row)?;
            let undeclared = undeclared_marks.iter_mut().find(|(mark, _)| is(raw, *mark));
            let empty = if raw.is_nan() {
                nans += 1;
                true
            } else if let Some((_, count)) = undeclared {
                *count += 1;
                true
            } else {
                declared.is_some_and(|mark| is(raw, mark))
            };
            if !empty && let Some((_, count)) = doubtful.iter_mut().find(|(mark, _)| is(raw, *mark))
            {
                *count += 1;
            }
            let height = if empty { 0.0 } else { (raw * scale + offset) as f32 };
            if !height.is_finite() {
                return Err(Problem::Height { column, row, value: raw });
            }
            if !empty {
                let (low, high) = range.unwrap_or((height, height));
                range = Some((low.min(height), high.max(height)));
            }
            heights.push(height);
            no_data.push(empty);
        }
    }

    let mut found_mark = declared;
    for (mark, count) in undeclared_marks.into_iter().filter(|(_, count)| *count > 0) {
        found_mark = found_mark.or(Some(mark));
        notices.push(format!(
            "{count} cells hold {mark}, which the file does not declare to mean no data; they are \
             taken as no-data cells"
        ));
    }
    for (mark, count) in doubtful.into_iter().filter(|(_, count)| *count > 0) {
        notices.push(format!(
            "{count} cells hold {mark}, which often means no data; they are taken as heights, unless \
             `no_data` says otherwise"
        ));
    }
    let nan_expected = header.nan_is_declared || declared.is_some_and(f64::is_nan);
    if nans > 0 && !nan_expected {
        notices.push(format!("{nans} cells are NaN; they are taken as no-data cells"));
    }
    let Some((min_height, max_height)) = range else {
        let why = found_mark.map(|mark| format!(" (no-data value {mark})")).unwrap_or_default();
        return Err(Problem::NoHeights { cells: nx * ny, why });
    };
    let info = Info {
        format,
        width: nx,
        height: ny,
        sample_type: sample,
        bits: sample.bits(),
        compression,
        cell_size: header.cell.as_ref().map(|cell| cell.size),
        cell_unit: header.cell.as_ref().map(|cell| cell.unit.name()),
        geographic: header.cell.as_ref().is_some_and(CellSize::is_geographic),
        cell_metres,
        bounds: header.bounds.filter(|bounds| {
            bounds.iter().all(|v| v.is_finite()) && bounds[0] < bounds[2] && bounds[1] < bounds[3]
        }),
        epsg: header.epsg,
        no_data_value: found_mark,
        no_data_cells: no_data.iter().filter(|empty| **empty).count(),
        scale,
        offset,
        min_height,
        max_height,
    };
    let shaped = |_| Problem::damaged(format, "the number of values changed while reading");
    Ok(Raster {
        heights: Field::from_vec(nx, ny, heights).map_err(shaped)?,
        no_data: Field::from_vec(nx, ny, no_data).map_err(shaped)?,
        cell: cell_metres,
        info,
        notices,
    })
}

/// A scale or offset, if it is a number that can be reckoned with.
fn setting(name: &'static str, value: f64) -> Result<f64, Problem> {
    let scale = name == "scale";
    if value.is_finite() && !(scale && value == 0.0) {
        return Ok(value);
    }
    Err(Problem::Setting { name, value, besides: if scale { " other than 0" } else { "" } })
}
