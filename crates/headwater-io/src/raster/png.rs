//! Reader of grey PNG height maps. Raw values are 0 to 255 or 0 to 65535. Cells with an alpha value
//! of 0 have no data.
//!
//! Four text chunks are read, as written by [`write_png16`](super::write_png16): `Scale`, `Offset`,
//! `NoData` (a raw value) and `Cell` (width and height of a cell in metres). Colour pictures are
//! rejected, because it is unknown which channels contain the height.

use super::assemble::{Header, check_expansion, checked_grid_size};
use super::geographic::{CellSize, Unit};
use super::input::{Input, OpenedRaster, RowReader};
use super::{Format, Problem, ReadOptions, SampleType};
use png::text_metadata::TEXtChunk;
use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Reader, Transformations};
use std::io::ErrorKind;

/// Maximum memory (bytes) that the decoder may use in addition to the image, for text chunks,
/// colour profiles and two rows.
const WORKING_MEMORY: usize = 64 << 20;

/// Keywords of the PNG text chunks that define the heights and the cell size.
pub(super) struct Keywords {
    /// Keyword of the number of metres per grey level.
    pub(super) scale: &'static str,
    /// Keyword of the height (m) of grey level 0.
    pub(super) offset: &'static str,
    /// Keyword of the grey level that marks cells without data.
    pub(super) no_data: &'static str,
    /// Keyword of the width and height of a cell (m).
    pub(super) cell: &'static str,
}

/// Keywords of the text chunks that this crate writes and reads.
pub(super) const KEYWORDS: Keywords =
    Keywords { scale: "Scale", offset: "Offset", no_data: "NoData", cell: "Cell" };

/// Maximum number of pixels in an interlaced PNG, which must be decoded into memory as a whole.
const MAX_INTERLACED: usize = 1 << 26;

pub(super) fn open<'a>(
    input: Input<'a>,
    options: &ReadOptions,
) -> Result<OpenedRaster<'a>, Problem> {
    let length = input.length;
    let mut decoder = Decoder::new_with_limits(input, Limits { bytes: WORKING_MEMORY });
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(damaged)?;
    let (width, height) = (reader.info().width, reader.info().height);
    let size = checked_grid_size(width.into(), height.into(), options)?;
    // Samples of fewer than 8 bits are expanded to 0..255 while reading, so the output does not
    // show the original depth.
    let bits = reader.info().bit_depth as u8;
    let (sample, has_alpha) = match (bits, reader.output_color_type()) {
        (8, (ColorType::Grayscale, BitDepth::Eight)) => (SampleType::U8, false),
        (8, (ColorType::GrayscaleAlpha, BitDepth::Eight)) => (SampleType::U8, true),
        (16, (ColorType::Grayscale, BitDepth::Sixteen)) => (SampleType::U16, false),
        (16, (ColorType::GrayscaleAlpha, BitDepth::Sixteen)) => (SampleType::U16, true),
        (_, (color, _)) => {
            let grey = matches!(color, ColorType::Grayscale | ColorType::GrayscaleAlpha);
            let kind = if grey { "grey" } else { "colour" };
            return Err(Problem::Unsupported {
                found: format!("a {kind} PNG of {width} × {height} pixels, {bits} bits a channel"),
                allowed: "grey, or grey with alpha, of 8 or 16 bits",
            });
        }
    };
    let depth = if sample == SampleType::U8 { 1 } else { 2 };
    let stride = if has_alpha { 2 * depth } else { depth };
    check_expansion(Format::Png, size, stride, length)?;
    let interlaced = reader.info().interlaced;
    if interlaced && size[0] * size[1] > MAX_INTERLACED {
        return Err(Problem::Unsupported {
            found: format!("an interlaced PNG of {width} × {height} pixels"),
            allowed: "up to 67108864 pixels, or rows in order",
        });
    }

    let mut header = Header { nan_is_declared: true, ..Header::new(Format::Png, size, sample) };
    let chunks = &reader.info().uncompressed_latin1_text;
    // Scale or offset alone come from another program.
    if let (Some(scale), Some(offset)) =
        (finite_number(chunks, KEYWORDS.scale), finite_number(chunks, KEYWORDS.offset))
    {
        (header.scale, header.offset) = (scale, offset);
        header.no_data = finite_number(chunks, KEYWORDS.no_data);
        header.cell = cell_size(chunks);
    }
    let mut pixels = Vec::new();
    if interlaced {
        pixels.resize(size[0] * size[1] * stride, 0);
        reader.next_frame(&mut pixels).map_err(damaged)?;
    }
    Ok((header, Box::new(PixelReader { reader, pixels, next: 0, depth, has_alpha })))
}

struct PixelReader<'a> {
    reader: Reader<Input<'a>>,
    /// Bytes of all pixels if the file is interlaced; otherwise empty.
    pixels: Vec<u8>,
    next: usize,
    /// Size of one grey value (bytes).
    depth: usize,
    has_alpha: bool,
}

impl RowReader for PixelReader<'_> {
    fn read_row(&mut self, row: &mut [f64]) -> Result<(), Problem> {
        let stride = if self.has_alpha { 2 * self.depth } else { self.depth };
        let found;
        let bytes = if self.pixels.is_empty() {
            found = self.reader.next_row().map_err(damaged)?;
            match &found {
                Some(row) => row.data(),
                None => &[],
            }
        } else {
            let length = row.len() * stride;
            self.next += length;
            &self.pixels[self.next - length..self.next]
        };
        if bytes.len() < row.len() * stride {
            return Err(Problem::damaged(Format::Png, "it ends too early"));
        }
        let channel = |bytes: &[u8]| match *bytes {
            [value] => u16::from(value),
            [high, low, ..] => u16::from_be_bytes([high, low]),
            [] => 0,
        };
        for (value, bytes) in row.iter_mut().zip(bytes.chunks_exact(stride)) {
            let (grey, alpha) = bytes.split_at(self.depth);
            let transparent = self.has_alpha && channel(alpha) == 0;
            *value = if transparent { f64::NAN } else { f64::from(channel(grey)) };
        }
        Ok(())
    }
}

/// Returns the number in the text chunk with the given keyword, or `None` if there is no such chunk
/// or if the number is not finite.
fn finite_number(chunks: &[TEXtChunk], keyword: &str) -> Option<f64> {
    parse_numbers(chunks, keyword).map(|[number]| number)
}

/// Returns the cell size from the text chunks, or `None` unless both the width and the height are
/// positive.
fn cell_size(chunks: &[TEXtChunk]) -> Option<CellSize> {
    let size = parse_numbers(chunks, KEYWORDS.cell)?;
    size.iter().all(|side| *side > 0.0).then_some(CellSize { size, unit: Unit::METRE })
}

/// Parses exactly `N` finite numbers from the text chunk with the given keyword. Returns `None` if
/// the chunk is missing or has other content.
fn parse_numbers<const N: usize>(chunks: &[TEXtChunk], keyword: &str) -> Option<[f64; N]> {
    let chunk = chunks.iter().find(|chunk| chunk.keyword == keyword)?;
    let found: Result<Vec<f64>, _> = chunk.text.split_whitespace().map(str::parse).collect();
    let found = <[f64; N]>::try_from(found.ok()?).ok()?;
    found.iter().all(|number| number.is_finite()).then_some(found)
}

fn damaged(error: DecodingError) -> Problem {
    let detail = match error {
        DecodingError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            "it ends too early".to_owned()
        }
        DecodingError::LimitsExceeded => "its chunks need more than 64 MiB of memory".to_owned(),
        error => simplify_message(&error.to_string()),
    };
    Problem::damaged(Format::Png, detail)
}

/// Rewrites an error message of the decoder without the names of its internal types.
fn simplify_message(text: &str) -> String {
    const CORRUPT: &str = "Corrupt deflate stream.";
    let text = if text.starts_with(CORRUPT) { CORRUPT } else { text };
    let shown = || {
        let (before, rest) = text.split_once("ChunkType { type: ")?;
        let (name, rest) = rest.split_once(", critical")?;
        let (_, after) = rest.split_once('}')?;
        let known = name.len() == 4 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
        let name = if known { name } else { "of an unknown name" };
        Some(format!("{before}{name}{after}"))
    };
    shown().unwrap_or_else(|| text.to_owned()).trim_end_matches('.').to_owned()
}
