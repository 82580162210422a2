//! Reader of NumPy files (`.npy`) that contain a two-dimensional array of heights, possibly with
//! additional dimensions of length 1 (one band). Row 0 of the array is the northernmost row.
//!
//! The header has its own parser because it is untrusted: a general parser of Python literals can
//! recurse deeply, and the claimed shape must be checked before any multiplication or allocation.
//! The format is NumPy's NEP 1.

use crate::raster::error::truncate_with_ellipsis;
use crate::raster::geotiff::samples::f16_to_f64;
use crate::raster::header::{Header, checked_grid_size};
use crate::raster::input::{Input, OpenedRaster, RowReader};
use crate::raster::{Format, Problem, ReadOptions, SampleType};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::Range;

pub(in crate::raster) const SIGNATURE: &[u8] = b"\x93NUMPY";
/// Maximum length of the header (bytes). The limit is that of NumPy for untrusted files.
const MAX_HEADER_BYTES: usize = 10_000;
const ALLOWED: &str = "a 2-D array, or a 3-D array with one band, of numbers or booleans; in \
                       Python: np.save('out.npy', array.astype('f4')), or array[0] for one band";

pub(in crate::raster) fn open<'a>(
    mut input: Input<'a>,
    options: &ReadOptions,
) -> Result<OpenedRaster<'a>, Problem> {
    let damaged = |detail: &str| Problem::damaged(Format::Npy, detail);
    let (text, start) =
        read_header(&mut input).ok_or_else(|| damaged("the header is cut short"))?;
    let unsupported = |found: String| Problem::Unsupported { found, allowed: ALLOWED };
    let text = std::str::from_utf8(&text).unwrap_or_default();
    let header = parse_header_dict(text).ok_or_else(|| match text.contains("'descr': [") {
        true => unsupported("values with several fields".to_owned()),
        false => damaged("the header is not a dict of descr, fortran_order and shape"),
    })?;
    let (sample, big_endian) = parse_dtype(&header.descr).ok_or_else(|| {
        unsupported(format!("values of type `{}`", truncate_with_ellipsis(&header.descr, 40)))
    })?;
    let [height, width] = without_unit_dimensions(&header.shape)[..] else {
        return Err(unsupported(format!("an array of the shape {:?}", header.shape)));
    };
    let size = checked_grid_size(width, height, options)?;
    let [nx, ny] = size;
    let stride = sample.bits().unwrap_or_default() / 8;
    let found = input.length.saturating_sub(start);
    if found / (stride as u64) < (nx * ny) as u64 {
        return Err(Problem::damaged(
            Format::Npy,
            format!("found {found} bytes of data, expected {}", nx * ny * stride),
        ));
    }
    let array = NpyArray { input, start, size, sample, big_endian, stride };
    let rows: Box<dyn RowReader> = match header.fortran_order {
        false => Box::new(RowMajorReader { bytes: vec![0; nx * stride], array }),
        true => Box::new(ColumnMajorReader { array, values: Vec::new(), rows: 0..0, next: 0 }),
    };
    Ok((Header::new(Format::Npy, size, sample), rows))
}

/// Returns the shape of an array without its leading and trailing dimensions of length 1. Such
/// dimensions are used for the band of a raster with one band.
fn without_unit_dimensions(mut shape: &[u64]) -> &[u64] {
    while let [1, rest @ ..] | [rest @ .., 1] = shape
        && shape.len() > 2
    {
        shape = rest;
    }
    shape
}

/// Reads the header and leaves the input positioned after it. Returns two values: the bytes of the
/// dictionary in the header, and the file offset of the data (bytes). Returns `None` if the file is
/// too short or the header is too long.
fn read_header(input: &mut Input<'_>) -> Option<(Vec<u8>, u64)> {
    let mut fixed = [0; SIGNATURE.len() + 2];
    input.read_exact(&mut fixed).ok()?;
    let (length, before) = if fixed.strip_prefix(SIGNATURE)?[0] == 1 {
        let mut length = [0; 2];
        input.read_exact(&mut length).ok()?;
        (usize::from(u16::from_le_bytes(length)), fixed.len() + 2)
    } else {
        let mut length = [0; 4];
        input.read_exact(&mut length).ok()?;
        (u32::from_le_bytes(length) as usize, fixed.len() + 4)
    };
    if length > MAX_HEADER_BYTES {
        return None;
    }
    let mut text = vec![0; length];
    input.read_exact(&mut text).ok()?;
    Some((text, (before + length) as u64))
}

/// Array that follows the header, from which values are decoded on demand.
struct NpyArray<'a> {
    input: Input<'a>,
    /// Offset of the first value in the file (bytes).
    start: u64,
    size: [usize; 2],
    sample: SampleType,
    big_endian: bool,
    /// Size of one value (bytes).
    stride: usize,
}

impl NpyArray<'_> {
    fn decode<'b>(&self, bytes: &'b [u8]) -> impl Iterator<Item = f64> + use<'b> {
        let (sample, big_endian) = (self.sample, self.big_endian);
        bytes.chunks_exact(self.stride).map(move |bytes| decode_number(sample, big_endian, bytes))
    }
}

/// Row reader for arrays in row-major (C) order.
struct RowMajorReader<'a> {
    array: NpyArray<'a>,
    bytes: Vec<u8>,
}

impl RowReader for RowMajorReader<'_> {
    fn read_row(&mut self, row: &mut [f64]) -> Result<(), Problem> {
        self.array.input.read_exact(&mut self.bytes).map_err(Problem::Read)?;
        row.iter_mut().zip(self.array.decode(&self.bytes)).for_each(|(to, value)| *to = value);
        Ok(())
    }
}

/// Number of values that the reader for column-major arrays reads at a time.
const GATHERED_VALUES: usize = 1 << 20;

/// Row reader for arrays in column-major (Fortran) order. The reader collects the values of several
/// rows at a time.
struct ColumnMajorReader<'a> {
    array: NpyArray<'a>,
    /// Values of the collected rows, row-major.
    values: Vec<f64>,
    rows: Range<usize>,
    next: usize,
}

impl ColumnMajorReader<'_> {
    fn read_row_block(&mut self) -> Result<(), Problem> {
        let NpyArray { size: [nx, ny], start, stride, .. } = self.array;
        let count = (GATHERED_VALUES / nx).clamp(1, ny - self.next);
        self.rows = self.next..self.next + count;
        self.values.resize(nx * count, 0.0);
        let mut bytes = vec![0; count * stride];
        for x in 0..nx {
            let place = start + ((x * ny + self.next) * stride) as u64;
            self.array.input.seek(SeekFrom::Start(place)).map_err(Problem::Read)?;
            self.array.input.read_exact(&mut bytes).map_err(Problem::Read)?;
            for (y, value) in self.array.decode(&bytes).enumerate() {
                self.values[y * nx + x] = value;
            }
        }
        Ok(())
    }
}

impl RowReader for ColumnMajorReader<'_> {
    fn read_row(&mut self, row: &mut [f64]) -> Result<(), Problem> {
        if !self.rows.contains(&self.next) {
            self.read_row_block()?;
        }
        let first = (self.next - self.rows.start) * row.len();
        row.copy_from_slice(&self.values[first..first + row.len()]);
        self.next += 1;
        Ok(())
    }
}

/// Values of the three keys in the dictionary of the header.
#[derive(Debug, Default, PartialEq)]
struct HeaderDict {
    descr: String,
    fortran_order: bool,
    shape: Vec<u64>,
}

/// Parses the dictionary of a header, such as `{'descr': '<f4', 'fortran_order': False, 'shape':
/// (3, 4), }`. The keys may be in any order.
fn parse_header_dict(text: &str) -> Option<HeaderDict> {
    let mut rest = text.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
    let mut entries = HeaderDict::default();
    let mut seen = [false; 3];
    while !rest.is_empty() {
        let (key, behind) = split_quoted(rest)?;
        rest = behind.trim_start().strip_prefix(':')?.trim_start();
        let index = match key {
            "descr" => {
                let (descr, behind) = split_quoted(rest)?;
                entries.descr = descr.to_owned();
                rest = behind;
                0
            }
            "fortran_order" => {
                entries.fortran_order = rest.starts_with("True");
                rest = rest.strip_prefix("True").or_else(|| rest.strip_prefix("False"))?;
                1
            }
            "shape" => {
                let (inside, behind) = rest.strip_prefix('(')?.split_once(')')?;
                let inside = inside.trim();
                let numbers = inside.strip_suffix(',').unwrap_or(inside);
                entries.shape =
                    numbers.split(',').map(|n| n.trim().parse()).collect::<Result<_, _>>().ok()?;
                rest = behind;
                2
            }
            _ => return None,
        };
        if std::mem::replace(&mut seen[index], true) {
            return None;
        }
        rest = rest.trim_start();
        rest = match rest.strip_prefix(',') {
            Some(behind) => behind.trim_start(),
            None if rest.is_empty() => rest,
            None => return None,
        };
    }
    (seen == [true; 3]).then_some(entries)
}

/// Splits off a quoted word at the start of `text`. Returns the word without its quotes and the
/// rest of `text`, or `None` if `text` does not start with a quoted word.
fn split_quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].split_once(quote)
}

/// Parses a NumPy dtype. Returns the type of the values and whether they are big-endian, or `None`
/// if the dtype is not supported.
fn parse_dtype(descr: &str) -> Option<(SampleType, bool)> {
    let (order, kind) = descr.split_at_checked(1)?;
    let sample = match kind {
        "u1" | "b1" => SampleType::U8,
        "u2" => SampleType::U16,
        "u4" => SampleType::U32,
        "u8" => SampleType::U64,
        "i1" => SampleType::I8,
        "i2" => SampleType::I16,
        "i4" => SampleType::I32,
        "i8" => SampleType::I64,
        "f2" => SampleType::F16,
        "f4" => SampleType::F32,
        "f8" => SampleType::F64,
        _ => return None,
    };
    let orders = if sample.bits() == Some(8) { "|<>" } else { "<>" };
    orders.contains(order).then_some((sample, order == ">"))
}

/// Decodes one number from its bytes.
pub(in crate::raster) fn decode_number(sample: SampleType, big_endian: bool, bytes: &[u8]) -> f64 {
    let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
    let bits = if big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) };
    match sample {
        SampleType::U8 | SampleType::U16 | SampleType::U32 | SampleType::U64 => bits as f64,
        SampleType::I8 => f64::from(bits as i8),
        SampleType::I16 => f64::from(bits as i16),
        SampleType::I32 => f64::from(bits as i32),
        SampleType::I64 => (bits as i64) as f64,
        SampleType::F16 => f16_to_f64(bits as u16),
        SampleType::F32 => f64::from(f32::from_bits(bits as u32)),
        SampleType::F64 | SampleType::Text => f64::from_bits(bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_keys_are_parsed_in_any_order_and_invalid_headers_are_rejected() {
        let good =
            parse_header_dict("{'shape': (3, 4), \"fortran_order\": True,'descr': '<f4'}  \n")
                .unwrap();
        assert_eq!(
            good,
            HeaderDict { descr: "<f4".into(), fortran_order: true, shape: vec![3, 4] }
        );
        assert_eq!(
            parse_header_dict("{'descr': '<f4', 'fortran_order': False, 'shape': (7,), }")
                .unwrap()
                .shape,
            [7]
        );
        for bad in [
            "",
            "{}",
            "{'descr': '<f4', 'fortran_order': False}",
            "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3, 4)}",
            "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3, 4)}",
            "{'descr': '<f4', 'fortran_order': 0, 'shape': (3, 4)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3, -4)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 99999999999999999999)}",
            "{'descr': '<f4' 'fortran_order': False, 'shape': (3, 4)}",
            "{'déscr",
        ] {
            assert_eq!(parse_header_dict(bad), None, "{bad}");
        }
    }
}
