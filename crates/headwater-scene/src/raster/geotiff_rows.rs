//! The rows of a GeoTIFF out of its strips or tiles, of which those that lie beside each other are in memory together.

use super::input::{Input, Rows};
use super::lzw::{self, Layout};
use super::tiff_tags::{damaged, list, number};
use super::{Format, Problem};
use std::io::{Cursor, Read as _, Seek as _, SeekFrom};
use tiff::ColorType;
use tiff::decoder::ifd::Value;
use tiff::decoder::{ChunkType, Decoder, DecodingResult, Limits};
use tiff::tags::{ByteOrder, Predictor, SampleFormat, Tag};

/// The values of a GeoTIFF, strip after strip or tile after tile.
pub(super) struct Chunks<'a> {
    file: Decoder<Input<'a>>,
    /// Columns and rows of the file, and of a strip or tile.
    size: [usize; 2],
    chunk: [usize; 2],
    /// Whether the first row in the file is the southern one.
    south_up: bool,
    packed: Option<Packed>,
    /// How many bytes each strip or tile has: none if a sparse file has it not.
    lengths: Vec<u64>,
    /// What stands in those that are not there.
    nothing: f64,
    /// What is there: strips or tiles beside each other, each with how many of its values make a row, and the number of their row.
    here: Vec<Option<(DecodingResult, usize)>>,
    here_row: Option<usize>,
    next: usize,
}

/// How strips or tiles are read that are compressed by LZW.
struct Packed {
    places: Vec<u64>,
    lengths: Vec<u64>,
    layout: Layout,
    is_tiled: bool,
    limits: Limits,
}

impl<'a> Chunks<'a> {
    pub(super) fn new(
        mut file: Decoder<Input<'a>>,
        size: [usize; 2],
        (south_up, nothing): (bool, f64),
        is_lzw: bool,
        limits: Limits,
    ) -> Result<Self, Problem> {
        let (width, height) = file.chunk_dimensions();
        let is_tiled = file.get_chunk_type() == ChunkType::Tile;
        let packed = if is_lzw { Packed::of(&mut file, is_tiled, limits)? } else { None };
        let lengths = list(&mut file, tags(is_tiled)[1], Value::into_u64_vec)?;
        let chunk = [width, height].map(|side| (side as usize).max(1));
        Ok(Self {
            file,
            size,
            chunk,
            south_up,
            packed,
            lengths,
            nothing,
            here: Vec::new(),
            here_row: None,
            next: 0,
        })
    }

    /// Reads all that lies beside each other in a row of strips or tiles.
    fn read(&mut self, row: usize) -> Result<(), Problem> {
        let across = self.size[0].div_ceil(self.chunk[0]);
        self.here_row = None;
        self.here.clear();
        for x in 0..across {
            let index = u32::try_from(row * across + x)
                .map_err(|_| Problem::damaged(Format::GeoTiff, "it has too many tiles"))?;
            if self.lengths.get(index as usize) == Some(&0) {
                self.here.push(None);
                continue;
            }
            let values = match &self.packed {
                Some(packed) => packed.read(&mut self.file, index)?,
                None => {
                    let values = self.file.read_chunk(index).map_err(damaged)?;
                    (values, self.chunk[0].min(self.size[0] - x * self.chunk[0]))
                }
            };
            self.here.push(Some(values));
        }
        self.here_row = Some(row);
        Ok(())
    }
}

/// The tags of where strips or tiles lie, and of how many bytes they take.
fn tags(is_tiled: bool) -> [Tag; 2] {
    match is_tiled {
        true => [Tag::TileOffsets, Tag::TileByteCounts],
        false => [Tag::StripOffsets, Tag::StripByteCounts],
    }
}

impl Packed {
    /// Those of a file; none if it is laid out as none should be, which the reader will have words for.
    fn of(
        file: &mut Decoder<Input<'_>>,
        is_tiled: bool,
        limits: Limits,
    ) -> Result<Option<Self>, Problem> {
        let [places, lengths] = tags(is_tiled);
        let places = list(file, places, Value::into_u64_vec)?;
        let lengths = list(file, lengths, Value::into_u64_vec)?;
        let is_grey = matches!(file.colortype(), Ok(ColorType::Gray(_)));
        let layout = Layout {
            size: file.chunk_dimensions().into(),
            bits: number(file, Tag::BitsPerSample, 1)?,
            sample_format: number(file, Tag::SampleFormat, SampleFormat::Uint.to_u16())?,
            predictor: number(file, Tag::Predictor, Predictor::None.to_u16())?,
            big_endian: file.byte_order() == ByteOrder::BigEndian,
        };
        let is_sound = is_grey && !places.is_empty() && places.len() == lengths.len();
        Ok(is_sound.then_some(Self { places, lengths, layout, is_tiled, limits }))
    }

    /// One of them, and how many of its values make a row.
    fn read(
        &self,
        file: &mut Decoder<Input<'_>>,
        index: u32,
    ) -> Result<(DecodingResult, usize), Problem> {
        let early = || Problem::damaged(Format::GeoTiff, "it ends too early");
        let at = index as usize;
        let (Some(&place), Some(&length)) = (self.places.get(at), self.lengths.get(at)) else {
            return Err(early());
        };
        let input = file.inner();
        if place.checked_add(length).is_none_or(|end| end > input.length) {
            return Err(early());
        }
        let mut packed = vec![0; usize::try_from(length).map_err(|_| early())?];
        input.seek(SeekFrom::Start(place)).map_err(Problem::Read)?;
        input.read_exact(&mut packed).map_err(Problem::Read)?;
        let mut layout = self.layout;
        if !self.is_tiled {
            // The last strip ends with the last row.
            layout.size[1] = file.chunk_data_dimensions(index).1;
        }
        let plain = lzw::plain_file(&packed, &layout)?;
        let mut limits = self.limits.clone();
        limits.intermediate_buffer_size = plain.len();
        let small = Decoder::new(Cursor::new(plain)).map_err(damaged)?;
        let values = small.with_limits(limits).read_image().map_err(damaged)?;
        Ok((values, layout.size[0] as usize))
    }
}

impl Rows for Chunks<'_> {
    fn next(&mut self, row: &mut [f64]) -> Result<(), Problem> {
        let y = if self.south_up { self.size[1] - 1 - self.next } else { self.next };
        let [width, height] = self.chunk;
        if self.here_row != Some(y / height) {
            self.read(y / height)?;
        }
        for (chunk, row) in self.here.iter().zip(row.chunks_mut(width)) {
            let Some((values, stride)) = chunk else {
                row.fill(self.nothing);
                continue;
            };
            let first = y % height * stride;
            let found = match values {
                DecodingResult::U8(values) => put(values, first, row),
                DecodingResult::U16(values) => put(values, first, row),
                DecodingResult::I16(values) => put(values, first, row),
                DecodingResult::I32(values) => put(values, first, row),
                DecodingResult::F32(values) => put(values, first, row),
                DecodingResult::F64(values) => put(values, first, row),
                _ => {
                    let detail = "the values are not of the type declared";
                    return Err(Problem::damaged(Format::GeoTiff, detail));
                }
            };
            found.ok_or_else(|| Problem::damaged(Format::GeoTiff, "it ends too early"))?;
        }
        self.next += 1;
        Ok(())
    }
}

/// Copies as many values as there is room for, if there are so many.
fn put<T: Copy + Into<f64>>(values: &[T], first: usize, row: &mut [f64]) -> Option<()> {
    let values = values.get(first..first + row.len())?;
    row.iter_mut().zip(values).for_each(|(to, value)| *to = (*value).into());
    Some(())
}
