//! Last step of every raster reader: converts raw values to heights in metres and a mask of the
//! cells without data.
//!
//! The readers decode the file formats. This module applies scale, offset, no-data values and cell
//! sizes in the same way for all formats.

use super::geographic::{CellSize, CellSizeUnit};
use super::header::Header;
use super::no_data::{self, NoDataMark, NoDataMeaning, round_for_comparison};
use super::{Info, Problem, ReadOptions};
use crate::parallel::*;
use headwater::error::{format_f32, format_number};
use std::ops::RangeInclusive;

/// Range of unit lengths (m) that count as a foot. If the map coordinates are in such a unit, the
/// heights often are, too.
const FOOT_LENGTHS: RangeInclusive<f64> = 0.29..=0.32;
/// Largest plausible height (m). Values beyond it usually mean no data, such as 1e20 in NumPy and
/// 9.97e36 in NetCDF.
const MAX_PLAUSIBLE_HEIGHT: f32 = 1e5;

/// Number of values in a block, the group of values that is converted together.
const BLOCK_LEN: usize = 64;
/// Number of values that [`block_range`] compares at once with vector instructions.
const LANES: usize = 8;

/// Converter from the raw values of a raster to heights and a no-data mask. The rows are converted
/// in order, from north to south.
pub(super) struct HeightConverter {
    header: Header,
    scale: f64,
    offset: f64,
    cell_metres: Option<[f64; 2]>,
    /// Whether the values are lengths. If so, values in a unit other than the metre are converted
    /// to metres.
    are_lengths: bool,
    /// No-data value that the caller sets or the file declares.
    declared_no_data: Option<f64>,
    marks: Vec<NoDataMark>,
    /// Whether a NaN value marks a cell that the caller or the file declares to be empty.
    nan_is_declared: bool,
    statistics: Statistics,
    /// Lower and upper end of an open interval around 0 that contains no mark (raw value that means
    /// or may mean no data). Raw values inside the interval need not be compared with the marks.
    mark_free_range: [f64; 2],
    row: usize,
}

/// Statistics of the values that have been converted so far.
struct Statistics {
    /// Number of NaN values.
    nans: usize,
    /// Number of cells without data.
    missing: usize,
    /// Lowest and highest height (m). Before the first cell with data, the lowest value exceeds the
    /// highest.
    range: [f32; 2],
    /// Smallest and largest raw value, without values that mean or may mean no data.
    plain_range: [f64; 2],
    /// Number of cells with the value of each mark. A mark is a raw value that means or may mean no
    /// data. The list may be shorter than the list of marks; the remaining counts are 0.
    marks: Vec<usize>,
}

impl Statistics {
    const EMPTY: Self = Self {
        nans: 0,
        missing: 0,
        range: [f32::INFINITY, f32::NEG_INFINITY],
        plain_range: [f64::INFINITY, f64::NEG_INFINITY],
        marks: Vec::new(),
    };

    fn count_mark(&mut self, mark_index: usize) {
        self.marks.resize(self.marks.len().max(mark_index + 1), 0);
        self.marks[mark_index] += 1;
    }

    fn merge(&mut self, other: Self) {
        self.nans += other.nans;
        self.missing += other.missing;
        self.range = [self.range[0].min(other.range[0]), self.range[1].max(other.range[1])];
        self.plain_range = [
            self.plain_range[0].min(other.plain_range[0]),
            self.plain_range[1].max(other.plain_range[1]),
        ];
        self.marks.resize(self.marks.len().max(other.marks.len()), 0);
        self.marks.iter_mut().zip(other.marks).for_each(|(sum, count)| *sum += count);
    }
}

impl HeightConverter {
    pub(super) fn new(mut header: Header, options: &ReadOptions) -> Result<Self, Problem> {
        let unit = header.unit.filter(|unit| unit.metres != 1.0 && options.are_lengths);
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
        if let Some(CellSizeUnit::Linear { name, metres }) = map_unit
            && FOOT_LENGTHS.contains(metres)
            && header.unit.is_none()
            && options.scale.is_none()
            && options.are_lengths
        {
            header.notices.push(format!(
                "the map is in the unit {name}, and the file does not give the unit of its \
                 heights; they are read as metres unless `scale` is set, for example to \
                 {metres:.7}"
            ));
        }
        let scale = checked_setting("scale", options.scale.unwrap_or(header.scale * metres))?;
        let offset = checked_setting("offset", options.offset.unwrap_or(header.offset * metres))?;
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
        let declared_no_data = no_data.first().copied();
        let marks = no_data::no_data_marks(header.sample, &no_data, &overridden);
        let values = || marks.iter().map(|mark| mark.value);
        let mark_free_range = [
            values().filter(|value| *value <= 0.0).fold(f64::NEG_INFINITY, f64::max),
            values().filter(|value| *value >= 0.0).fold(f64::INFINITY, f64::min),
        ];
        Ok(Self {
            scale,
            offset,
            cell_metres,
            are_lengths: options.are_lengths,
            declared_no_data,
            marks,
            nan_is_declared: header.nan_is_declared || no_data.iter().any(|value| value.is_nan()),
            statistics: Statistics::EMPTY,
            mark_free_range,
            row: 0,
            header,
        })
    }

    /// Returns the number of columns and rows of the raster.
    pub(super) fn size(&self) -> [usize; 2] {
        self.header.size
    }

    /// Converts the raw values of the next rows. Writes the heights (m) to `heights` and the
    /// no-data mask to `no_data`.
    pub(super) fn convert_rows(
        &mut self,
        values: &[f64],
        heights: &mut [f32],
        no_data: &mut [bool],
    ) -> Result<(), Problem> {
        let [nx, _] = self.header.size;
        let converter = &*self;
        let rows = values.chunks(nx).zip(heights.chunks_mut(nx)).zip(no_data.chunks_mut(nx));
        let mut work: Vec<_> = rows.map(|row| (row, Ok(Statistics::EMPTY))).collect();
        work.par_iter_mut().enumerate().for_each(|(i, (((values, heights), no_data), result))| {
            *result = converter.convert_row(converter.row + i, values, heights, no_data);
        });
        let found: Vec<_> = work.into_iter().map(|(_, result)| result).collect();
        for row in found {
            self.row += 1;
            self.statistics.merge(row?);
        }
        Ok(())
    }

    fn convert_row(
        &self,
        row: usize,
        values: &[f64],
        heights: &mut [f32],
        no_data: &mut [bool],
    ) -> Result<Statistics, Problem> {
        let mut found = Statistics::EMPTY;
        let blocks = values.chunks(BLOCK_LEN).zip(heights.chunks_mut(BLOCK_LEN));
        for (i, ((values, heights), no_data)) in
            blocks.zip(no_data.chunks_mut(BLOCK_LEN)).enumerate()
        {
            if !self.convert_plain_block(values, heights, no_data, &mut found) {
                self.convert_block([i * BLOCK_LEN, row], values, heights, no_data, &mut found)?;
            }
        }
        Ok(found)
    }

    /// Converts a full block of values without marks (values that mean or may mean no data), and
    /// adds its statistics to `statistics`. Returns false, with an unspecified output, if the block
    /// is not full, a value may be a mark, or a height is not finite; otherwise true.
    fn convert_plain_block(
        &self,
        values: &[f64],
        heights: &mut [f32],
        no_data: &mut [bool],
        statistics: &mut Statistics,
    ) -> bool {
        let Ok(values) = <&[f64; BLOCK_LEN]>::try_from(values) else { return false };
        let Ok(heights) = <&mut [f32; BLOCK_LEN]>::try_from(heights) else { return false };
        let (sample, [low, high]) = (self.header.sample, self.mark_free_range);
        let is_plain = |raw: &f64| {
            let value = round_for_comparison(sample, *raw);
            low < value && value < high
        };
        // Without early exits, so that the compiler can use vector instructions.
        if !values.iter().fold(true, |all, raw| all & is_plain(raw)) {
            return false;
        }
        for (height, raw) in heights.iter_mut().zip(values) {
            *height = (raw * self.scale + self.offset) as f32;
        }
        let range = block_range(heights);
        if !(range[0].is_finite() && range[1].is_finite()) {
            return false;
        }
        no_data.fill(false);
        let plain = block_range(values);
        statistics.range = [statistics.range[0].min(range[0]), statistics.range[1].max(range[1])];
        statistics.plain_range =
            [statistics.plain_range[0].min(plain[0]), statistics.plain_range[1].max(plain[1])];
        true
    }

    /// Converts a block of values, and adds their statistics to `statistics`. `[first, row]` are
    /// the column and the row of the first value.
    fn convert_block(
        &self,
        [first, row]: [usize; 2],
        values: &[f64],
        heights: &mut [f32],
        no_data: &mut [bool],
        statistics: &mut Statistics,
    ) -> Result<(), Problem> {
        let sample = self.header.sample;
        let cells = values.iter().zip(heights).zip(no_data).enumerate();
        for (column, ((&raw, height), no_data)) in cells {
            let value = round_for_comparison(sample, raw);
            let mark = self.marks.iter().position(|mark| mark.value == value);
            let empty = if raw.is_nan() {
                statistics.nans += 1;
                true
            } else if let Some(mark) = mark {
                statistics.count_mark(mark);
                matches!(
                    self.marks[mark].meaning,
                    NoDataMeaning::NoData | NoDataMeaning::Undeclared
                )
            } else {
                let [low, high] = statistics.plain_range;
                statistics.plain_range = [low.min(raw), high.max(raw)];
                false
            };
            *height = if empty { 0.0 } else { (raw * self.scale + self.offset) as f32 };
            *no_data = empty;
            if !height.is_finite() {
                return Err(Problem::Height { column: first + column, row, value: raw });
            }
            statistics.missing += usize::from(empty);
            if !empty {
                statistics.range =
                    [statistics.range[0].min(*height), statistics.range[1].max(*height)];
            }
        }
        Ok(())
    }

    /// Returns two values: the information about the file, and the notices for the user. Call this
    /// function after the last row.
    pub(super) fn finish(mut self) -> Result<(Info, Vec<String>), Problem> {
        let Header { format, size: [nx, ny], sample, compression, .. } = self.header;
        let mut notices = std::mem::take(&mut self.header.notices);
        let Statistics { nans, missing, range, plain_range, marks: counts } = self.statistics;
        let [low, high] = plain_range;
        // The lowest value exceeds the highest if all cells contain marks.
        let largest = if low <= high { low.abs().max(high.abs()) } else { f64::INFINITY };
        let mut found_mark = self.declared_no_data;
        let known = notices.len();
        for (NoDataMark { value, meaning }, count) in self.marks.iter().zip(counts) {
            if *meaning == NoDataMeaning::Undeclared && count > 0 {
                found_mark = found_mark.or(Some(*value));
            }
            let Some(text) = meaning.notice().filter(|_| count > 0) else { continue };
            if *meaning != NoDataMeaning::Extreme || value.abs() > 2.0 * largest {
                notices.push(format!("{count} cells contain {}, {text}", format_number(*value)));
            }
        }
        if nans > 0 && !self.nan_is_declared {
            notices.push(format!("{nans} cells are NaN; they are read as no-data cells"));
        }
        let [min_height, max_height] = range;
        if min_height > max_height {
            let reason =
                found_mark.map(|mark| format!(" (no-data value {mark})")).unwrap_or_default();
            return Err(Problem::NoHeights { cells: nx * ny, reason });
        }
        if self.are_lengths
            && notices.len() == known
            && min_height.abs().max(max_height.abs()) > MAX_PLAUSIBLE_HEIGHT
        {
            let [low, high] = [min_height, max_height].map(format_f32);
            notices.push(format!(
                "the heights extend from {low} to {high} m; if one of them means no data, set \
                 `no_data` to its value in the file"
            ));
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
            no_data_cells: missing,
            scale: self.scale,
            offset: self.offset,
            min_height,
            max_height,
        };
        Ok((info, notices))
    }
}

/// Returns the smallest and the largest number in a block. The block must not contain NaN.
fn block_range<T: Copy + PartialOrd>(block: &[T; BLOCK_LEN]) -> [T; 2] {
    let (lanes, _) = block.as_chunks::<LANES>();
    let (mut low, mut high) = (lanes[0], lanes[0]);
    for values in lanes {
        for (i, &value) in values.iter().enumerate() {
            low[i] = if value < low[i] { value } else { low[i] };
            high[i] = if value > high[i] { value } else { high[i] };
        }
    }
    let low = low.into_iter().reduce(|a, b| if b < a { b } else { a });
    let high = high.into_iter().reduce(|a, b| if b > a { b } else { a });
    [low.unwrap_or(block[0]), high.unwrap_or(block[0])]
}

/// Checks that the setting called `name` is finite and, if it is a scale, not 0. Returns its value.
fn checked_setting(name: &'static str, value: f64) -> Result<f64, Problem> {
    let scale = name == "scale";
    if value.is_finite() && !(scale && value == 0.0) {
        return Ok(value);
    }
    Err(Problem::Setting { name, value, condition: if scale { " other than 0" } else { "" } })
}
