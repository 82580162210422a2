//! Row-by-row decoding of a GeoTIFF that is stored in strips or tiles. Only one row of strips or
//! tiles is in memory at a time.

use super::lzw::{self, Layout};
use super::tags::{integer_or, problem_from_tiff, values_or_empty};
use crate::raster::input::{Input, RowReader};
use crate::raster::{Format, Problem};
use std::io::{Cursor, Read as _, Seek as _, SeekFrom};
use tiff::ColorType;
use tiff::decoder::ifd::Value;
use tiff::decoder::{ChunkType, Decoder, DecodingResult, Limits};
use tiff::tags::{ByteOrder, Predictor, SampleFormat, Tag};

/// Reader of the rows of a GeoTIFF, which decodes the strips or tiles (chunks) that contain them.
pub(in crate::raster) struct ChunkRows<'a> {
    file: Decoder<Input<'a>>,
    /// Number of columns and rows of the raster.
    size: [usize; 2],
    /// Number of columns and rows of a strip or tile.
    chunk: [usize; 2],
    /// Whether the first row in the file is the southernmost.
    south_up: bool,
    lzw_chunks: Option<LzwChunks>,
    /// Compressed length of each strip or tile (bytes); 0 for strips and tiles that a sparse file
    /// omits.
    lengths: Vec<u64>,
    /// Raw value of the cells in strips and tiles that the file omits.
    fill: f64,
    /// Decoded values of each strip or tile in the current row of strips or tiles, with the number
    /// of values per cell row; `None` for strips and tiles that the file omits.
    decoded: Vec<Option<(DecodingResult, usize)>>,
    /// Index of the row of strips or tiles that `decoded` contains.
    decoded_row: Option<usize>,
    next: usize,
}

/// Reader of LZW-compressed strips or tiles.
struct LzwChunks {
    offsets: Vec<u64>,
    lengths: Vec<u64>,
    layout: Layout,
    is_tiled: bool,
    limits: Limits,
}

impl<'a> ChunkRows<'a> {
    pub(in crate::raster) fn new(
        mut file: Decoder<Input<'a>>,
        size: [usize; 2],
        (south_up, fill): (bool, f64),
        is_lzw: bool,
        limits: Limits,
    ) -> Result<Self, Problem> {
        let (width, height) = file.chunk_dimensions();
        let is_tiled = file.get_chunk_type() == ChunkType::Tile;
        let lzw_chunks =
            if is_lzw { LzwChunks::from_file(&mut file, is_tiled, limits)? } else { None };
        let lengths = values_or_empty(&mut file, chunk_tags(is_tiled)[1], Value::into_u64_vec)?;
        let chunk = [width, height].map(|side| (side as usize).max(1));
        Ok(Self {
            file,
            size,
            chunk,
            south_up,
            lzw_chunks,
            lengths,
            fill,
            decoded: Vec::new(),
            decoded_row: None,
            next: 0,
        })
    }

    /// Reads and decodes the row of strips or tiles with index `row`.
    fn read(&mut self, row: usize) -> Result<(), Problem> {
        let columns = self.size[0].div_ceil(self.chunk[0]);
        self.decoded_row = None;
        self.decoded.clear();
        for x in 0..columns {
            let index = u32::try_from(row * columns + x)
                .map_err(|_| Problem::damaged(Format::GeoTiff, "it has too many tiles"))?;
            if self.lengths.get(index as usize) == Some(&0) {
                self.decoded.push(None);
                continue;
            }
            let values = match &self.lzw_chunks {
                Some(lzw_chunks) => lzw_chunks.read(&mut self.file, index)?,
                None => {
                    let values = self.file.read_chunk(index).map_err(problem_from_tiff)?;
                    (values, self.chunk[0].min(self.size[0] - x * self.chunk[0]))
                }
            };
            self.decoded.push(Some(values));
        }
        self.decoded_row = Some(row);
        Ok(())
    }
}

/// Returns the tag that contains the offsets of the strips or tiles and the tag that contains their
/// lengths.
fn chunk_tags(is_tiled: bool) -> [Tag; 2] {
    match is_tiled {
        true => [Tag::TileOffsets, Tag::TileByteCounts],
        false => [Tag::StripOffsets, Tag::StripByteCounts],
    }
}

impl LzwChunks {
    /// Reads the layout of the strips or tiles of a file. Returns `None` if the layout is invalid;
    /// the general decoder then reports the error.
    fn from_file(
        file: &mut Decoder<Input<'_>>,
        is_tiled: bool,
        limits: Limits,
    ) -> Result<Option<Self>, Problem> {
        let [offsets, lengths] = chunk_tags(is_tiled);
        let offsets = values_or_empty(file, offsets, Value::into_u64_vec)?;
        let lengths = values_or_empty(file, lengths, Value::into_u64_vec)?;
        let is_grey = matches!(file.colortype(), Ok(ColorType::Gray(_)));
        let layout = Layout {
            size: file.chunk_dimensions().into(),
            bits: integer_or(file, Tag::BitsPerSample, 1)?,
            sample_format: integer_or(file, Tag::SampleFormat, SampleFormat::Uint.to_u16())?,
            predictor: integer_or(file, Tag::Predictor, Predictor::None.to_u16())?,
            big_endian: file.byte_order() == ByteOrder::BigEndian,
        };
        let is_sound = is_grey && !offsets.is_empty() && offsets.len() == lengths.len();
        Ok(is_sound.then_some(Self { offsets, lengths, layout, is_tiled, limits }))
    }

    /// Reads and decodes a strip or tile. Returns the values and the number of values per row.
    fn read(
        &self,
        file: &mut Decoder<Input<'_>>,
        index: u32,
    ) -> Result<(DecodingResult, usize), Problem> {
        let truncated = || Problem::damaged(Format::GeoTiff, "it ends too early");
        let i = index as usize;
        let (Some(&offset), Some(&length)) = (self.offsets.get(i), self.lengths.get(i)) else {
            return Err(truncated());
        };
        let input = file.inner();
        if offset.checked_add(length).is_none_or(|end| end > input.length) {
            return Err(truncated());
        }
        let mut lzw_chunks = vec![0; usize::try_from(length).map_err(|_| truncated())?];
        input.seek(SeekFrom::Start(offset)).map_err(Problem::Read)?;
        input.read_exact(&mut lzw_chunks).map_err(Problem::Read)?;
        let mut layout = self.layout;
        if !self.is_tiled {
            // The last strip may be shorter.
            layout.size[1] = file.chunk_data_dimensions(index).1;
        }
        let plain = lzw::uncompressed_tiff(&lzw_chunks, &layout)?;
        let mut limits = self.limits.clone();
        limits.intermediate_buffer_size = plain.len();
        let small = Decoder::new(Cursor::new(plain)).map_err(problem_from_tiff)?;
        let values = small.with_limits(limits).read_image().map_err(problem_from_tiff)?;
        Ok((values, layout.size[0] as usize))
    }
}

impl RowReader for ChunkRows<'_> {
    fn read_row(&mut self, row: &mut [f64]) -> Result<(), Problem> {
        let y = if self.south_up { self.size[1] - 1 - self.next } else { self.next };
        let [width, height] = self.chunk;
        if self.decoded_row != Some(y / height) {
            self.read(y / height)?;
        }
        for (chunk, row) in self.decoded.iter().zip(row.chunks_mut(width)) {
            let Some((values, stride)) = chunk else {
                row.fill(self.fill);
                continue;
            };
            let first = y % height * stride;
            let copied = match values {
                DecodingResult::U8(values) => copy_row(values, first, row),
                DecodingResult::U16(values) => copy_row(values, first, row),
                DecodingResult::I16(values) => copy_row(values, first, row),
                DecodingResult::I32(values) => copy_row(values, first, row),
                DecodingResult::F32(values) => copy_row(values, first, row),
                DecodingResult::F64(values) => copy_row(values, first, row),
                _ => {
                    let detail = "the values are not of the type declared";
                    return Err(Problem::damaged(Format::GeoTiff, detail));
                }
            };
            copied.ok_or_else(|| Problem::damaged(Format::GeoTiff, "it ends too early"))?;
        }
        self.next += 1;
        Ok(())
    }
}

/// Copies values to `row`, beginning at the index `first`. Returns `None` if `values` does not
/// contain enough values.
fn copy_row<T: Copy + Into<f64>>(values: &[T], first: usize, row: &mut [f64]) -> Option<()> {
    let values = values.get(first..first + row.len())?;
    row.iter_mut().zip(values).for_each(|(to, value)| *to = (*value).into());
    Some(())
}
