//! Boards of cells from pictures: one pixel is one cell, its colour says what is in it.

use crate::scene::Files;
use headwater::Field;
use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Transformations};
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};

/// What the colours of a picture mean: the colour, what is in the cell, and its name. A pixel that is fully
/// transparent is the cell named air, whatever its colour.
pub type Palette<T, const N: usize> = [([u8; 3], T, &'static str); N];

/// The name of what a transparent pixel is.
const AIR: &str = "air";
/// Longest file that is read (bytes): more than any map of the largest size needs.
const LONGEST: u64 = 256 << 20;
const MOST_CELLS: u64 = 1 << 26;

/// Why a picture is no map.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct MapError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Read(io::Error),
    /// The file is too long for a map.
    #[error("the file is longer than {LONGEST} bytes, the most for a map")]
    TooLong,
    /// It is no PNG, or a damaged one.
    #[error("the picture cannot be read as PNG: {0}")]
    Image(DecodingError),
    /// Too few or too many pixels.
    #[error(
        "a map must have 1 to {most} columns and rows and at most {MOST_CELLS} cells, found {width} × {height}"
    )]
    Size {
        /// The most columns or rows.
        most: usize,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// A colour that means nothing.
    #[error(
        "the pixel in column {column}, row {row} (counted from 1) has the colour {found}; allowed are {allowed}"
    )]
    Color {
        /// Column, counted from 1.
        column: u32,
        /// Row, counted from 1.
        row: u32,
        /// The colour, as `#RRGGBB`, with its opacity if that is not full.
        found: String,
        /// The colours of the palette, and what they mean.
        allowed: String,
    },
}

/// The colours and their meaning in words.
fn in_words<T, const N: usize>(palette: &Palette<T, N>) -> String {
    let words: Vec<String> = palette
        .iter()
        .map(|([r, g, b], _, meaning)| format!("#{r:02X}{g:02X}{b:02X} {meaning}"))
        .collect();
    format!("{}, and fully transparent air", words.join(", "))
}

/// Reads a board of at most `most` columns and rows from a PNG.
///
/// # Errors
/// [`MapError`] if the file cannot be read, is no PNG, or a pixel has a colour that is not in the palette.
pub fn read_pixels<T: Copy, const N: usize>(
    files: &Files,
    path: &Path,
    palette: &Palette<T, N>,
    most: usize,
) -> Result<Field<T>, MapError> {
    let wrong = |problem| MapError { path: path.to_owned(), problem };
    let bytes = files.read(path, LONGEST + 1).map_err(|error| wrong(Problem::Read(error)))?;
    if bytes.len() as u64 > LONGEST {
        return Err(wrong(Problem::TooLong));
    }
    cells_of(&bytes, palette, most).map_err(wrong)
}

fn cells_of<T: Copy, const N: usize>(
    bytes: &[u8],
    palette: &Palette<T, N>,
    most: usize,
) -> Result<Field<T>, Problem> {
    // Text and colour profiles beside the pixels.
    let limits = Limits { bytes: 16 << 20 };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::EXPAND);
    let header = decoder.read_header_info().map_err(Problem::Image)?;
    let (width, height) = (header.width, header.height);
    let fits = |side: u32| (1..=most).contains(&(side as usize));
    let cells = u64::from(width) * u64::from(height);
    if !fits(width) || !fits(height) || cells > MOST_CELLS {
        return Err(Problem::Size { most, width, height });
    }
    let mut reader = decoder.read_info().map_err(Problem::Image)?;
    let (color, depth) = reader.output_color_type();
    let is_deep = depth == BitDepth::Sixteen;
    let mut pixels = vec![0; color.samples() * (1 + usize::from(is_deep)) * cells as usize];
    reader.next_frame(&mut pixels).map_err(Problem::Image)?;
    if is_deep {
        // The nearest of 8 bits: cut off, an opacity of nearly 0 would be air.
        let nearest = |&pair: &[u8; 2]| ((u32::from(u16::from_be_bytes(pair)) + 128) / 257) as u8;
        pixels = pixels.as_chunks().0.iter().map(nearest).collect();
    }
    let mut found = Vec::with_capacity(cells as usize);
    for (i, pixel) in pixels.chunks_exact(color.samples()).enumerate() {
        let [r, g, b, alpha] = match (color, pixel) {
            (ColorType::GrayscaleAlpha, &[grey, alpha]) => [grey, grey, grey, alpha],
            (_, &[grey]) => [grey, grey, grey, 255],
            (_, &[r, g, b]) => [r, g, b, 255],
            (_, &[r, g, b, alpha]) => [r, g, b, alpha],
            // No PNG has other numbers of channels.
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
                let (column, row, allowed) = (x + 1, y + 1, in_words(palette));
                return Err(Problem::Color { column, row, found, allowed });
            }
        });
    }
    Field::from_vec(width as usize, height as usize, found).map_err(|_| Problem::Size {
        most,
        width,
        height,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::PALETTE;
    use crate::picture::encode;
    use headwater::blocks::Cell;

    fn png(picture: &Field<[u8; 4]>) -> Vec<u8> {
        let (mut bytes, pixels) = (Vec::new(), picture.as_slice().as_flattened());
        let size = [picture.nx(), picture.ny()];
        encode(&mut bytes, size, ColorType::Rgba, BitDepth::Eight, &[], pixels).unwrap();
        bytes
    }

    /// The same with 16 bits a channel.
    fn deep_png(picture: &Field<[u16; 4]>) -> Vec<u8> {
        let channels = picture.as_slice().as_flattened().iter();
        let pixels: Vec<u8> = channels.flat_map(|channel| channel.to_be_bytes()).collect();
        let (mut bytes, size) = (Vec::new(), [picture.nx(), picture.ny()]);
        encode(&mut bytes, size, ColorType::Rgba, BitDepth::Sixteen, &[], &pixels).unwrap();
        bytes
    }

    fn drawn() -> Field<[u8; 4]> {
        Field::from_fn(5, 2, |x, y| match y {
            0 => {
                let [r, g, b] = PALETTE[x].0;
                [r, g, b, 255]
            }
            _ => [9, 9, 9, 0],
        })
    }

    #[test]
    fn every_colour_is_its_cell() {
        let cells = cells_of(&png(&drawn()), &PALETTE, 64).unwrap();
        assert_eq!(cells.row(0), PALETTE.map(|(_, cell, _)| cell));
        assert!(cells.row(1).iter().all(|&cell| cell == Cell::Air));
    }

    #[test]
    fn channels_of_16_bits_count_as_the_nearest_of_8() {
        let mut deep = drawn().map(|pixel| pixel.map(|channel| 257 * u16::from(channel)));
        deep[(0, 0)][0] += 128;
        let cells = cells_of(&deep_png(&deep), &PALETTE, 64).unwrap();
        assert_eq!(cells, cells_of(&png(&drawn()), &PALETTE, 64).unwrap());
        deep[(4, 1)][3] = 255;
        let said = cells_of(&deep_png(&deep), &PALETTE, 64).unwrap_err().to_string();
        assert!(said.contains("with an opacity of 1 of 255"), "{said}");
    }

    #[test]
    fn what_is_no_map_is_refused_with_the_place() {
        let mut picture = drawn();
        picture[(2, 1)] = [0x12, 0xAB, 0, 255];
        let said = cells_of(&png(&picture), &PALETTE, 64).unwrap_err().to_string();
        assert!(said.starts_with("the pixel in column 3, row 2 (counted from 1) has the colour #12AB00; allowed are #000000 wall, #FFFFFF air"), "{said}");
        picture[(2, 1)] = [0, 0, 255, 128];
        let said = cells_of(&png(&picture), &PALETTE, 64).unwrap_err().to_string();
        assert!(said.contains("#0000FF with an opacity of 128 of 255"), "{said}");
        let whole = png(&drawn());
        for end in 0..whole.len() - 12 {
            assert!(cells_of(&whole[..end], &PALETTE, 64).is_err(), "{end} bytes");
        }
        let missing =
            read_pixels(&Files::disk(), Path::new("no-such-map.png"), &PALETTE, 64).unwrap_err();
        let missing = missing.to_string();
        assert!(missing.starts_with("no-such-map.png: the file cannot be read"), "{missing}");
    }
}
