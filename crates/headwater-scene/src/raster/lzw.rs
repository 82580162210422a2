//! Strips and tiles of a TIFF that are compressed by LZW, made into a small TIFF with plain bytes before the `tiff` crate sees them: its
//! reader asks the decoder for a row at a time, and takes it for the end of the file when a row comes out of bits that were read with
//! the row before (as of tiff 0.11.3 and weezl 0.1.12; one tiled file in twelve). A strip or tile that is decoded at once has no such
//! seam.

use super::{Format, Problem};
use weezl::{BitOrder, LzwStatus, decode::Decoder};

/// The most bytes that one makes: codes of 12 bits for words of up to 4096 bytes.
const EXPANSION: usize = 2731;

/// How the values of a strip or tile are laid out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Columns and rows.
    pub(super) size: [u32; 2],
    /// Bits and kind of a value, and how it is told from those before it, as the tags of the file have it.
    pub(super) bits: u16,
    pub(super) sample_format: u16,
    pub(super) predictor: u16,
    pub(super) big_endian: bool,
}

/// A file of nothing but a strip or tile, which is plain in it. What is missing at the end is so there too.
pub(super) fn plain_file(packed: &[u8], layout: &Layout) -> Result<Vec<u8>, Problem> {
    let [width, height] = layout.size;
    let cells = (width as usize).saturating_mul(height as usize);
    let length = cells.saturating_mul(usize::from(layout.bits / 8));
    let mut file = Small { bytes: Vec::new(), big_endian: layout.big_endian };
    file.bytes.extend(if layout.big_endian { b"MM" } else { b"II" });
    file.put(42, 2);
    file.put(8, 4);
    // Types of values: 3 is a short, 4 a long.
    let bytes = u32::try_from(length).unwrap_or(u32::MAX);
    let tags = [
        (256, 4, width),
        (257, 4, height),
        (258, 3, layout.bits.into()),
        (259, 3, 1),
        (262, 3, 1),
        (273, 4, DATA),
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
        // A short stands at the beginning of its field.
        match kind {
            3 => {
                file.put(value, 2);
                file.put(0, 2);
            }
            _ => file.put(value, 4),
        }
    }
    file.put(0, 4);
    file.bytes.resize(DATA as usize, 0);
    expand(packed, length.min(packed.len().saturating_mul(EXPANSION)), &mut file.bytes)?;
    Ok(file.bytes)
}

/// Where the values begin in such a file: behind its head, the number of its tags, those, and the word that says that there are no
/// more.
const DATA: u32 = 8 + 2 + 11 * 12 + 4 + 6;

/// A file being made.
struct Small {
    bytes: Vec<u8>,
    big_endian: bool,
}

impl Small {
    /// Puts a number of so many bytes at its end.
    fn put(&mut self, number: u32, size: usize) {
        match self.big_endian {
            true => self.bytes.extend_from_slice(&number.to_be_bytes()[4 - size..]),
            false => self.bytes.extend_from_slice(&number.to_le_bytes()[..size]),
        }
    }
}

/// Decodes up to `most` bytes.
fn expand(mut packed: &[u8], most: usize, into: &mut Vec<u8>) -> Result<(), Problem> {
    let start = into.len();
    into.resize(start + most, 0);
    let (mut done, mut decoder) = (start, Decoder::with_tiff_size_switch(BitOrder::Msb, 8));
    loop {
        let found = decoder.decode_bytes(packed, &mut into[done..]);
        packed = &packed[found.consumed_in..];
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
