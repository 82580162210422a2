//! Decoding of LZW-compressed strips and tiles of a TIFF. The decoded data are passed to the `tiff`
//! crate as a small uncompressed TIFF.
//!
//! The `tiff` crate (0.11.3 with weezl 0.1.12) decodes row by row. It reports a premature end of
//! the data if the bits of a row were read together with those of the previous row, as happened in
//! one of twelve tiled files. This module avoids the error by decoding a whole strip or tile at
//! once.

use crate::raster::{Format, Problem};
use weezl::{BitOrder, LzwStatus, decode::Decoder};

/// Maximum number of bytes to which one compressed byte can expand: codes have 12 bits and stand
/// for at most 4096 bytes.
const EXPANSION: usize = 2731;

/// Layout and type of the values in a strip or tile.
#[derive(Clone, Copy, Debug)]
pub(in crate::raster) struct Layout {
    /// Number of columns and rows of the strip or tile.
    pub(in crate::raster) size: [u32; 2],
    /// Number of bits per value, as given in the tags of the file.
    pub(in crate::raster) bits: u16,
    /// Code of the sample format, as given in the tags of the file.
    pub(in crate::raster) sample_format: u16,
    /// Code of the predictor, as given in the tags of the file.
    pub(in crate::raster) predictor: u16,
    pub(in crate::raster) big_endian: bool,
}

/// Builds an uncompressed TIFF whose only strip is the decoded strip or tile. If the compressed
/// data end early, the end of the strip is missing.
pub(in crate::raster) fn uncompressed_tiff(
    compressed: &[u8],
    layout: &Layout,
) -> Result<Vec<u8>, Problem> {
    let [width, height] = layout.size;
    let cells = (width as usize).saturating_mul(height as usize);
    let length = cells.saturating_mul(usize::from(layout.bits / 8));
    let mut file = TiffBuilder { bytes: Vec::new(), big_endian: layout.big_endian };
    file.bytes.extend(if layout.big_endian { b"MM" } else { b"II" });
    file.put(42, 2);
    file.put(8, 4);
    // Type codes: 3 is a short, 4 a long.
    let bytes = u32::try_from(length).unwrap_or(u32::MAX);
    let tags = [
        (256, 4, width),
        (257, 4, height),
        (258, 3, layout.bits.into()),
        (259, 3, 1),
        (262, 3, 1),
        (273, 4, DATA_OFFSET),
        (277, 3, 1),
        (278, 4, height),
        (279, 4, bytes),
        (317, 3, layout.predictor.into()),
        (339, 3, layout.sample_format.into()),
    ];
    file.put(tags.len() as u32, 2);
    for (tag, kind, value) in tags {
        file.put(tag, 2);
        file.put(kind, 2);
        file.put(1, 4);
        // A short is at the beginning of its field.
        match kind {
            3 => {
                file.put(value, 2);
                file.put(0, 2);
            }
            _ => file.put(value, 4),
        }
    }
    file.put(0, 4);
    file.bytes.resize(DATA_OFFSET as usize, 0);
    decode_lzw(
        compressed,
        length.min(compressed.len().saturating_mul(EXPANSION)),
        &mut file.bytes,
    )?;
    Ok(file.bytes)
}

/// Offset of the values in the file (bytes). The values follow the header, the number of tags, the
/// tags, and the offset of the next directory, which is zero.
const DATA_OFFSET: u32 = 8 + 2 + 11 * 12 + 4 + 6;

/// TIFF file under construction.
struct TiffBuilder {
    bytes: Vec<u8>,
    big_endian: bool,
}

impl TiffBuilder {
    /// Appends an integer of `size` bytes in the byte order of the file.
    fn put(&mut self, number: u32, size: usize) {
        match self.big_endian {
            true => self.bytes.extend_from_slice(&number.to_be_bytes()[4 - size..]),
            false => self.bytes.extend_from_slice(&number.to_le_bytes()[..size]),
        }
    }
}

/// Decodes LZW data and appends at most `limit` decoded bytes to `into`.
fn decode_lzw(mut compressed: &[u8], limit: usize, into: &mut Vec<u8>) -> Result<(), Problem> {
    let start = into.len();
    into.resize(start + limit, 0);
    let (mut done, mut decoder) = (start, Decoder::with_tiff_size_switch(BitOrder::Msb, 8));
    loop {
        let found = decoder.decode_bytes(compressed, &mut into[done..]);
        compressed = &compressed[found.consumed_in..];
        done += found.consumed_out;
        match found.status {
            Err(error) => return Err(Problem::damaged(Format::GeoTiff, error.to_string())),
            Ok(LzwStatus::Done) => break,
            Ok(_) if done == into.len() => break,
            Ok(_) if found.consumed_in == 0 && found.consumed_out == 0 => break,
            Ok(_) => {}
        }
    }
    into.truncate(done);
    Ok(())
}
