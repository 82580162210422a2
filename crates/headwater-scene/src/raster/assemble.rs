//! The last step of every reader: raw values become heights in metres and a no-data mask.
//!
//! The readers know formats; what scale, no-data, NaN and cell sizes mean is decided here, once.

use super::geographic::CellSize;
use super::{Format, Info, Problem, ReadOptions, Sample};

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

impl Header {
    /// West, south, east and north, if they are such.
    fn bounds(&self) -> Option<[f64; 4]> {
        self.bounds.filter(|bounds| {
            bounds.iter().all(|v| v.is_finite()) && bounds[0] < bounds[2] && bounds[1] < bounds[3]
        })
    }

    /// What it says of where its cells lie.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn extent(&self) -> Result<super::Extent, Problem> {
        let cell = self.cell.as_ref();
        let metres = cell.map(CellSize::in_metres).transpose()?;
        Ok(super::Extent {
            size: self.size,
            cell: metres.map(|(metres, _)| metres),
            georeference: super::Georeference::of(
                self.bounds(),
                cell.map(|cell| cell.unit.name()),
                self.epsg,
            ),
        })
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
    file_length: u64,
) -> Result<(), Problem> {
    let claimed = nx.saturating_mul(ny).saturating_mul(bytes_per_cell);
    if claimed as u64 / 4096 > file_length {
        let detail = format!(
            "{nx} × {ny} cells of {bytes_per_cell} bytes cannot be in a file of {file_length} bytes"
        );
        return Err(Problem::damaged(format, detail));
    }
    Ok(())
}

/// Makes heights and a mask of raw values, row after row from the top.
pub(super) struct Assembler {
    header: Header,
    scale: f64,
    offset: f64,
    cell_metres: Option<[f64; 2]>,
    /// The value that means no data, as the file or the caller says.
    declared: Option<f64>,
    /// Values that are taken as such though nobody says so, and those that may be, with how many cells hold each.
    undeclared_marks: Vec<(f64, usize)>,
    doubtful: Vec<(f64, usize)>,
    nans: usize,
    missing: usize,
    range: Option<[f32; 2]>,
    row: usize,
}

impl Assembler {
    pub(super) fn new(mut header: Header, options: &ReadOptions) -> Result<Self, Problem> {
        let scale = setting("scale", options.scale.unwrap_or(header.scale))?;
        let offset = setting("offset", options.offset.unwrap_or(header.offset))?;
        let cell_metres = match &header.cell {
            None => None,
            Some(cell) => {
                let (metres, notice) = cell.in_metres()?;
                header.notices.extend(notice);
                Some(metres)
            }
        };
        let declared = options.no_data.or(header.no_data);
        let is_signed = declared.is_none() && header.sample.is_signed();
        let mut undeclared_marks = Vec::new();
        if is_signed {
            undeclared_marks.push((COMMON_MARK, 0));
        }
        if declared.is_none() && header.sample == Sample::I16 {
            undeclared_marks.push((COMMON_MARK_I16, 0));
        }
        let doubtful = DOUBTFUL_MARKS.into_iter().filter(|_| is_signed).map(|mark| (mark, 0));
        Ok(Self {
            scale,
            offset,
            cell_metres,
            declared,
            undeclared_marks,
            doubtful: doubtful.collect(),
            nans: 0,
            missing: 0,
            range: None,
            row: 0,
            header,
        })
    }

    /// Columns and rows.
    pub(super) fn size(&self) -> [usize; 2] {
        self.header.size
    }

    /// Makes heights (m) and a mask of the next row's raw values.
    pub(super) fn row(
        &mut self,
        values: &[f64],
        heights: &mut [f32],
        no_data: &mut [bool],
    ) -> Result<(), Problem> {
        // In f32, as the mark of an f32 raster is often written with too few digits to be exact.
        let is = |raw: f64, mark: f64| raw as f32 == mark as f32;
        let cells = values.iter().zip(heights).zip(no_data).enumerate();
        for (column, ((&raw, height), no_data)) in cells {
            let undeclared = self.undeclared_marks.iter_mut().find(|(mark, _)| is(raw, *mark));
            let empty = if raw.is_nan() {
                self.nans += 1;
                true
            } else if let Some((_, count)) = undeclared {
                *count += 1;
                true
            } else {
                self.declared.is_some_and(|mark| is(raw, mark))
            };
            let doubtful = self.doubtful.iter_mut().find(|(mark, _)| is(raw, *mark));
            if !empty && let Some((_, count)) = doubtful {
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

    /// What is to be said of the raster after all rows: of the file, and in words.
    pub(super) fn finish(mut self) -> Result<(Info, Vec<String>), Problem> {
        let Header { format, size: [nx, ny], sample, compression, .. } = self.header;
        let mut notices = std::mem::take(&mut self.header.notices);
        let mut found_mark = self.declared;
        for (mark, count) in self.undeclared_marks.into_iter().filter(|(_, count)| *count > 0) {
            found_mark = found_mark.or(Some(mark));
            notices.push(format!(
                "{count} cells hold {mark}, which the file does not declare to mean no data; they are \
                 taken as no-data cells"
            ));
        }
        for (mark, count) in self.doubtful.into_iter().filter(|(_, count)| *count > 0) {
            notices.push(format!(
                "{count} cells hold {mark}, which often means no data; they are taken as heights, unless \
                 `no_data` says otherwise"
            ));
        }
        let nan_expected = self.header.nan_is_declared || self.declared.is_some_and(f64::is_nan);
        if self.nans > 0 && !nan_expected {
            let nans = self.nans;
            notices.push(format!("{nans} cells are NaN; they are taken as no-data cells"));
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

/// A scale or offset, if it is a number that can be reckoned with.
fn setting(name: &'static str, value: f64) -> Result<f64, Problem> {
    let scale = name == "scale";
    if value.is_finite() && !(scale && value == 0.0) {
        return Ok(value);
    }
    Err(Problem::Setting { name, value, besides: if scale { " other than 0" } else { "" } })
}
