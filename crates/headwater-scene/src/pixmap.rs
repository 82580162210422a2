//! Cell maps stored as PNG images or as text. Each pixel or character represents a cell. The colour
//! of a pixel selects the content of its cell.

use headwater::Field;
use headwater_io::Files;
use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Transformations};
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};

/// Colour table of a cell map. Each element contains an RGB colour, the content (of type `T`) of
/// cells with this colour, and the name of the content for messages. Fully transparent pixels are
/// air and are not in the table.
pub type Palette<T, const N: usize> = [([u8; 3], T, &'static str); N];

/// Name of the content of fully transparent pixels, for messages.
const AIR: &str = "air";
/// Maximum size of a PNG file (bytes). Valid cell maps are always smaller.
const MAX_BYTES: u64 = 256 << 20;
const MAX_CELLS: u64 = 1 << 26;

/// Error that occurred while reading a cell map.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct CellMapError {
    /// Path of the PNG file.
    pub path: PathBuf,
    /// Reason why the cell map cannot be read or used.
    pub problem: CellMapProblem,
}

/// Reason why a cell map cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CellMapProblem {
    /// The file cannot be read; the I/O error is attached.
    #[error("the file cannot be read: {0}")]
    Read(io::Error),
    /// The file is larger than any valid cell map.
    #[error("the file is longer than {MAX_BYTES} bytes, the most for a map")]
    TooLong,
    /// The file is not a valid PNG file; the error of the decoder is attached.
    #[error("the picture cannot be read as PNG: {0}")]
    Image(DecodingError),
    /// The picture is empty or has too many pixels, columns or rows.
    #[error(
        "a map must have 1 to {max_side} columns and rows and at most {MAX_CELLS} cells, found {width} × {height}"
    )]
    Size {
        /// Upper limit on the number of columns and on the number of rows.
        max_side: usize,
        /// Number of columns in the picture.
        width: u32,
        /// Number of rows in the picture.
        height: u32,
    },
    /// A pixel has a colour that is not in the colour table.
    #[error(
        "the pixel in column {column}, row {row} (counted from 1) has the colour {found}; allowed are {allowed}"
    )]
    Color {
        /// Column of the pixel, counted from 1.
        column: u32,
        /// Row of the pixel, counted from 1.
        row: u32,
        /// Colour of the pixel as `#RRGGBB`, followed by its opacity if the pixel is not fully
        /// opaque.
        found: String,
        /// List of the allowed colours, each with the cell content that it stands for.
        allowed: String,
    },
}

/// Formats the elements of a colour table as a list for a message.
fn format_palette<T, const N: usize>(palette: &Palette<T, N>) -> String {
    let words: Vec<String> = palette
        .iter()
        .map(|([r, g, b], _, meaning)| format!("#{r:02X}{g:02X}{b:02X} {meaning}"))
        .collect();
    format!("{}, and fully transparent air", words.join(", "))
}

/// Returns the number of columns and rows of a text map, without checking it. White space at both
/// ends of a line and empty lines are ignored.
pub(crate) fn text_map_size(map: &str) -> Option<(usize, usize)> {
    let mut lines = map.lines().map(str::trim).filter(|line| !line.is_empty());
    let nx = lines.next()?.chars().count();
    Some((nx, 1 + lines.count()))
}

/// Reads a cell map with at most `max_side` columns and `max_side` rows from a PNG file.
///
/// # Errors
/// Returns [`CellMapError`] if the file cannot be read, is too large or is not a PNG file, if the
/// map has too many cells, or if a pixel has a colour that is not in the colour table.
pub fn read_pixels<T: Copy, const N: usize>(
    files: &Files,
    path: &Path,
    palette: &Palette<T, N>,
    max_side: usize,
) -> Result<Field<T>, CellMapError> {
    let wrong = |problem| CellMapError { path: path.to_owned(), problem };
    let bytes = files
        .read_prefix(path, MAX_BYTES + 1)
        .map_err(|error| wrong(CellMapProblem::Read(error)))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(wrong(CellMapProblem::TooLong));
    }
    decode_cell_map(&bytes, palette, max_side).map_err(wrong)
}

fn decode_cell_map<T: Copy, const N: usize>(
    bytes: &[u8],
    palette: &Palette<T, N>,
    max_side: usize,
) -> Result<Field<T>, CellMapProblem> {
    // Memory limit for text and colour profiles, in addition to the pixels.
    let limits = Limits { bytes: 16 << 20 };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::EXPAND);
    let header = decoder.read_header_info().map_err(CellMapProblem::Image)?;
    let (width, height) = (header.width, header.height);
    let fits = |side: u32| (1..=max_side).contains(&(side as usize));
    let cells = u64::from(width) * u64::from(height);
    if !fits(width) || !fits(height) || cells > MAX_CELLS {
        return Err(CellMapProblem::Size { max_side, width, height });
    }
    let mut reader = decoder.read_info().map_err(CellMapProblem::Image)?;
    let (color, depth) = reader.output_color_type();
    let is_deep = depth == BitDepth::Sixteen;
    let mut pixels = vec![0; color.samples() * (1 + usize::from(is_deep)) * cells as usize];
    reader.next_frame(&mut pixels).map_err(CellMapProblem::Image)?;
    if is_deep {
        // Rounds 16-bit channels to 8 bits. Truncation would turn an opacity of nearly 0 into air.
        let nearest = |&pair: &[u8; 2]| ((u32::from(u16::from_be_bytes(pair)) + 128) / 257) as u8;
        pixels = pixels.as_chunks().0.iter().map(nearest).collect();
    }
    let mut found = Vec::with_capacity(cells as usize);
    for (i, pixel) in pixels.chunks_exact(color.samples()).enumerate() {
        let [r, g, b, alpha] = match (color, pixel) {
            (ColorType::GrayscaleAlpha, &[gray, alpha]) => [gray, gray, gray, alpha],
            (_, &[gray]) => [gray, gray, gray, 255],
            (_, &[r, g, b]) => [r, g, b, 255],
            (_, &[r, g, b, alpha]) => [r, g, b, alpha],
            // PNG files have 1 to 4 channels.
            _ => [0; 4],
        };
        let known = palette.iter().find(|(color, _, name)| match alpha {
            0 => *name == AIR,
            _ => *color == [r, g, b],
        });
        found.push(match (alpha, known) {
            (0 | 255, Some((_, cell, _))) => *cell,
            _ => {
                let opacity = match alpha {
                    255 => String::new(),
                    _ => format!(" with an opacity of {alpha} of 255"),
                };
                let found = format!("#{r:02X}{g:02X}{b:02X}{opacity}");
                let (x, y) = (i as u32 % width, i as u32 / width);
                let (column, row, allowed) = (x + 1, y + 1, format_palette(palette));
                return Err(CellMapProblem::Color { column, row, found, allowed });
            }
        });
    }
    Field::from_vec(width as usize, height as usize, found).map_err(|_| CellMapProblem::Size {
        max_side,
        width,
        height,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::PALETTE;
    use headwater::blocks::Cell;
    use headwater_io::encode_png;

    fn png(picture: &Field<[u8; 4]>) -> Vec<u8> {
        let (mut bytes, pixels) = (Vec::new(), picture.as_slice().as_flattened());
        let size = [picture.nx(), picture.ny()];
        encode_png(&mut bytes, size, ColorType::Rgba, BitDepth::Eight, &[], pixels).unwrap();
        bytes
    }

    /// Encodes a picture as a PNG file with 16 bits per channel.
    fn encode_png_16bit(picture: &Field<[u16; 4]>) -> Vec<u8> {
        let channels = picture.as_slice().as_flattened().iter();
        let pixels: Vec<u8> = channels.flat_map(|channel| channel.to_be_bytes()).collect();
        let (mut bytes, size) = (Vec::new(), [picture.nx(), picture.ny()]);
        encode_png(&mut bytes, size, ColorType::Rgba, BitDepth::Sixteen, &[], &pixels).unwrap();
        bytes
    }

    fn sample_picture() -> Field<[u8; 4]> {
        Field::from_fn(5, 2, |x, y| match y {
            0 => {
                let [r, g, b] = PALETTE[x].0;
                [r, g, b, 255]
            }
            _ => [9, 9, 9, 0],
        })
    }

    #[test]
    fn every_colour_maps_to_its_cell() {
        let cells = decode_cell_map(&png(&sample_picture()), &PALETTE, 64).unwrap();
        assert_eq!(cells.row(0), PALETTE.map(|(_, cell, _)| cell));
        assert!(cells.row(1).iter().all(|&cell| cell == Cell::Air));
    }

    #[test]
    fn sixteen_bit_channels_are_rounded_to_eight() {
        let mut deep = sample_picture().map(|pixel| pixel.map(|channel| 257 * u16::from(channel)));
        deep[(0, 0)][0] += 128;
        let cells = decode_cell_map(&encode_png_16bit(&deep), &PALETTE, 64).unwrap();
        assert_eq!(cells, decode_cell_map(&png(&sample_picture()), &PALETTE, 64).unwrap());
        deep[(4, 1)][3] = 255;
        let message =
            decode_cell_map(&encode_png_16bit(&deep), &PALETTE, 64).unwrap_err().to_string();
        assert!(message.contains("with an opacity of 1 of 255"), "{message}");
    }

    #[test]
    fn invalid_maps_are_rejected_with_the_position() {
        let mut picture = sample_picture();
        picture[(2, 1)] = [0x12, 0xAB, 0, 255];
        let message = decode_cell_map(&png(&picture), &PALETTE, 64).unwrap_err().to_string();
        assert!(message.starts_with("the pixel in column 3, row 2 (counted from 1) has the colour #12AB00; allowed are #000000 wall, #FFFFFF air"), "{message}");
        picture[(2, 1)] = [0, 0, 255, 128];
        let message = decode_cell_map(&png(&picture), &PALETTE, 64).unwrap_err().to_string();
        assert!(message.contains("#0000FF with an opacity of 128 of 255"), "{message}");
        let whole = png(&sample_picture());
        for end in 0..whole.len() - 12 {
            assert!(decode_cell_map(&whole[..end], &PALETTE, 64).is_err(), "{end} bytes");
        }
        let missing = read_pixels(&Files::from_disk(), Path::new("no-such-map.png"), &PALETTE, 64)
            .unwrap_err();
        let missing = missing.to_string();
        assert!(missing.starts_with("no-such-map.png: the file cannot be read"), "{missing}");
    }
}
