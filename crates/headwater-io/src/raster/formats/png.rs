//! Reader of PNG height maps. Raw values range from 0 to 255 or 65535; pictures with fewer than 8
//! bits per channel have a smaller range. Transparent cells have no data.
//!
//! Four text chunks are read, as written by [`write_png16`](crate::raster::write_png16): `Scale`,
//! `Offset`, `NoData` (a raw value) and `Cell` (width and height of a cell in metres). Colour
//! pictures are read if all pixels are gray, if they have a palette, or if the caller gives the
//! encoding of heights in colours.

use crate::raster::geographic::{CellSize, CellSizeUnit};
use crate::raster::header::{Header, check_expansion, checked_grid_size};
use crate::raster::input::{Input, OpenedRaster, RowReader};
use crate::raster::{Format, HeightEncoding, Problem, ReadOptions, SampleType};
use png::text_metadata::TEXtChunk;
use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Reader, Transformations};
use std::io::ErrorKind;

/// Maximum memory (bytes) that the decoder may use in addition to the image, for text chunks,
/// colour profiles and two rows.
const WORKING_MEMORY: usize = 64 << 20;

/// Keywords of the PNG text chunks that define the heights and the cell size.
pub(in crate::raster) struct Keywords {
    /// Keyword of the text chunk that contains the number of metres per gray level.
    pub(in crate::raster) scale: &'static str,
    /// Keyword of the text chunk that contains the height (m) of gray level 0.
    pub(in crate::raster) offset: &'static str,
    /// Keyword of the text chunk that contains the gray level of cells without data.
    pub(in crate::raster) no_data: &'static str,
    /// Keyword of the text chunk that contains the width and height of a cell (m).
    pub(in crate::raster) cell: &'static str,
}

/// Keywords of the text chunks that this crate writes and reads.
pub(in crate::raster) const KEYWORDS: Keywords =
    Keywords { scale: "Scale", offset: "Offset", no_data: "NoData", cell: "Cell" };

/// Maximum number of pixels in an interlaced PNG, which must be decoded into memory as a whole.
const MAX_INTERLACED_PIXELS: usize = 1 << 26;

pub(in crate::raster) fn open<'a>(
    input: Input<'a>,
    options: &ReadOptions,
) -> Result<OpenedRaster<'a>, Problem> {
    let length = input.length;
    let mut decoder = Decoder::new_with_limits(input, Limits { bytes: WORKING_MEMORY });
    decoder.set_transformations(Transformations::IDENTITY);
    let mut reader = decoder.read_info().map_err(damaged)?;
    let info = reader.info();
    let (width, height, interlaced) = (info.width, info.height, info.interlaced);
    let size = checked_grid_size(width.into(), height.into(), options)?;
    let sample = if info.bit_depth == BitDepth::Sixteen { SampleType::U16 } else { SampleType::U8 };
    let mut header = Header { nan_is_declared: true, ..Header::new(Format::Png, size, sample) };
    let pixels = PixelFormat::from_info(info, options, &mut header)?;
    let row_bytes = pixels.row_bytes(size[0]);
    check_expansion(Format::Png, [row_bytes, size[1]], 1, length)?;
    if interlaced && size[0] * size[1] > MAX_INTERLACED_PIXELS {
        return Err(Problem::Unsupported {
            found: format!("an interlaced PNG of {width} × {height} pixels"),
            allowed: "up to 67108864 pixels, or rows in order",
        });
    }

    let chunks = &info.uncompressed_latin1_text;
    // A scale without an offset, or an offset without a scale, was written by another program.
    if options.encoding.is_none()
        && let (Some(scale), Some(offset)) =
            (finite_number(chunks, KEYWORDS.scale), finite_number(chunks, KEYWORDS.offset))
    {
        (header.scale, header.offset) = (scale, offset);
        header.no_data = finite_number(chunks, KEYWORDS.no_data);
        header.cell = cell_size(chunks);
    }
    let mut image = Vec::new();
    if interlaced {
        image.resize(row_bytes * size[1], 0);
        reader.next_frame(&mut image).map_err(damaged)?;
    }
    Ok((header, Box::new(PixelReader { reader, image, row: 0, pixels })))
}

/// Layout of the pixels of a PNG, and the meaning of their channels.
struct PixelFormat {
    /// Number of bits per channel: 1, 2, 4, 8 or 16.
    bits: usize,
    channels: usize,
    has_alpha: bool,
    /// Value of each palette entry, NaN for transparent entries; empty if there is no palette.
    palette: Vec<f64>,
    /// Channel values that mark a pixel as transparent; empty if there are none.
    transparent: Vec<u16>,
    encoding: Option<HeightEncoding>,
}

impl PixelFormat {
    /// Returns the layout of the pixels of a PNG. Also sets those fields of `header` that depend on
    /// the layout.
    fn from_info(
        info: &png::Info<'_>,
        options: &ReadOptions,
        header: &mut Header,
    ) -> Result<Self, Problem> {
        let (bits, color) = (info.bit_depth as usize, info.color_type);
        let has_alpha = matches!(color, ColorType::GrayscaleAlpha | ColorType::Rgba);
        let (channels, indexed) = (color.samples(), color == ColorType::Indexed);
        let key = info.trns.as_deref().filter(|_| !indexed).unwrap_or_default();
        let transparent = match bits {
            16 => key.as_chunks().0.iter().map(|pair| u16::from_be_bytes(*pair)).collect(),
            _ => key.iter().map(|byte| u16::from(*byte)).collect(),
        };
        let encoding = options.encoding;
        let in_color = indexed || matches!(color, ColorType::Rgb | ColorType::Rgba) && bits == 8;
        if encoding.is_some() && !in_color {
            return Err(Problem::Unsupported {
                found: format!("a PNG of {bits} bits a channel without encoded colours"),
                allowed: "`encoding` only for colours of 8 bits a channel",
            });
        }
        if let Some(encoding) = encoding {
            if options.scale.is_some() || options.offset.is_some() {
                return Err(Problem::Unsupported {
                    found: "the setting `encoding` with `scale` or `offset`".to_owned(),
                    allowed: "one of them: the encoding defines scale and offset",
                });
            }
            (header.scale, header.offset) = encoding.scale_and_offset();
            header.sample = SampleType::U32;
            // Black stands for 10 or 32 km below sea level, and for missing tiles.
            header.no_data = Some(0.0);
            header.notices.push(format!(
                "the colours are decoded as heights: 65536 red + 256 green + blue, times {} m, {} \
                 m; black pixels are read as no-data cells",
                header.scale, header.offset
            ));
        }
        let mut format =
            Self { bits, channels, has_alpha, palette: Vec::new(), transparent, encoding };
        if indexed {
            format.palette = format.palette_values(info, header);
        }
        Ok(format)
    }

    /// Returns the value of each palette entry. The values are heights if the colours encode
    /// heights, gray levels if all colours are gray, and otherwise the entry indices, which usually
    /// are class numbers.
    fn palette_values(&self, info: &png::Info<'_>, header: &mut Header) -> Vec<f64> {
        let (palette, _) = info.palette.as_deref().unwrap_or_default().as_chunks::<3>();
        let gray = palette.iter().all(|[red, green, blue]| red == green && green == blue);
        let indices = palette.iter().enumerate().all(|(i, color)| usize::from(color[0]) == i);
        match (self.encoding.is_some(), gray) {
            (false, false) => header.notices.push(
                "the colours come from a palette; the palette's indices are read as values"
                    .to_owned(),
            ),
            (false, true) if !indices => header.notices.push(
                "the palette has only gray; its gray values are read, not the indices".to_owned(),
            ),
            _ => {}
        }
        let alpha = info.trns.as_deref().unwrap_or_default();
        let values = palette.iter().enumerate().map(|(i, [red, green, blue])| {
            match (alpha.get(i), self.encoding) {
                (Some(0), _) => f64::NAN,
                (_, Some(_)) => f64::from(u32::from_be_bytes([0, *red, *green, *blue])),
                _ if gray => f64::from(*red),
                _ => i as f64,
            }
        });
        values.collect()
    }

    fn row_bytes(&self, columns: usize) -> usize {
        (columns * self.channels * self.bits).div_ceil(8)
    }

    /// Returns the value of a pixel, computed from its channels; NaN if the pixel is transparent.
    /// Returns `None` if the pixel's colour does not encode a height.
    fn value(&self, channels: &[u16]) -> Option<f64> {
        let (color, alpha) = channels.split_at(self.channels - usize::from(self.has_alpha));
        if alpha == [0] || color == self.transparent {
            return Some(f64::NAN);
        }
        match *color {
            [index] if !self.palette.is_empty() => self.palette.get(usize::from(index)).copied(),
            [gray] => Some(gray.into()),
            [red, green, blue] if self.encoding.is_some() => {
                Some(f64::from(red) * 65_536.0 + f64::from(green) * 256.0 + f64::from(blue))
            }
            [red, green, blue] if red == green && green == blue => Some(red.into()),
            _ => None,
        }
    }
}

struct PixelReader<'a> {
    reader: Reader<Input<'a>>,
    /// Bytes of all pixels if the file is interlaced; otherwise empty.
    image: Vec<u8>,
    /// Index of the next row.
    row: usize,
    pixels: PixelFormat,
}

impl RowReader for PixelReader<'_> {
    fn read_row(&mut self, row: &mut [f64]) -> Result<(), Problem> {
        let length = self.pixels.row_bytes(row.len());
        let found;
        let bytes = if self.image.is_empty() {
            found = self.reader.next_row().map_err(damaged)?;
            found.as_ref().map_or(&[][..], |row| row.data())
        } else {
            self.image.get(self.row * length..).unwrap_or_default()
        };
        if bytes.len() < length {
            return Err(Problem::damaged(Format::Png, "it ends too early"));
        }
        let PixelFormat { bits, channels: count, .. } = self.pixels;
        let mut channels = [0; 4];
        for (x, value) in row.iter_mut().enumerate() {
            for (i, channel) in channels[..count].iter_mut().enumerate() {
                let first = (x * count + i) * bits;
                let byte = u16::from(bytes[first / 8]);
                *channel = match bits {
                    16 => byte << 8 | u16::from(bytes[first / 8 + 1]),
                    8 => byte,
                    _ => byte >> (8 - bits - first % 8) & ((1 << bits) - 1),
                };
            }
            *value = self.pixels.value(&channels[..count]).ok_or_else(|| {
                let color = &channels[..count];
                let y = self.row;
                match self.pixels.palette.len() {
                    0 => Problem::Unsupported {
                        found: format!(
                            "a colour PNG: the pixel in column {x}, row {y} is {color:?}"
                        ),
                        allowed: "gray of up to 16 bits, palettes, and heights encoded in colours \
                                  with terrain.encoding = \"terrain-rgb\" or \"terrarium\"; one \
                                  channel alone: gdal_translate -b 1 IN.png OUT.tif",
                    },
                    colors => Problem::damaged(
                        Format::Png,
                        format!("palette index {}, the palette has {colors} colours", color[0]),
                    ),
                }
            })?;
        }
        self.row += 1;
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
    size.iter().all(|side| *side > 0.0).then_some(CellSize { size, unit: CellSizeUnit::METRE })
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

/// Removes the names of the decoder's internal types from one of its error messages.
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
