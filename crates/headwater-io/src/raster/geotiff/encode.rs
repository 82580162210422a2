//! Encoder of TIFF files with one band of 32-bit floats, without compression. The values of all
//! strips are contiguous, so that several processes can write them.

use std::io::{self, Write};
use std::ops::Range;

/// Minimum total size of the values (bytes) for which a file is written as BigTIFF. A BigTIFF file
/// has 64-bit offsets.
const BIG_TIFF_SIZE: u64 = u32::MAX as u64 - (64 << 20);
/// Size of a strip (bytes), rounded up to whole rows.
const STRIP_SIZE: u64 = 1_000_000;

/// Values of a tag.
pub(in crate::raster) enum Values<'a> {
    Short(&'a [u16]),
    /// Written as 64-bit numbers to a BigTIFF file, and as 32-bit numbers to other files.
    Offset(&'a [u64]),
    Double(&'a [f64]),
    Text(&'a str),
}

impl Values<'_> {
    /// Returns three values for the tag's entry in the file: the TIFF code of the value type, the
    /// number of values, and the bytes of the values. `is_big` is true for a BigTIFF file.
    fn encode(&self, is_big: bool) -> (u16, u64, Vec<u8>) {
        match self {
            Self::Short(values) => (3, values.len() as u64, concat_bytes(values, u16::to_le_bytes)),
            Self::Offset(values) if is_big => {
                (16, values.len() as u64, concat_bytes(values, u64::to_le_bytes))
            }
            Self::Offset(values) => {
                (4, values.len() as u64, concat_bytes(values, |v| (v as u32).to_le_bytes()))
            }
            Self::Double(values) => {
                (12, values.len() as u64, concat_bytes(values, f64::to_le_bytes))
            }
            Self::Text(text) => (2, text.len() as u64 + 1, [text.as_bytes(), b"\0"].concat()),
        }
    }
}

fn concat_bytes<T: Copy, const N: usize>(values: &[T], to_bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|&value| to_bytes(value)).collect()
}

/// Writes a file of `nx` × `ny` values to `sink`, starting with the northernmost row. `tags`
/// contains the numbers and values of additional tags; the tags that describe the layout are
/// written automatically. `strip` returns the values of a range of rows. Returns the byte offset of
/// the first value.
pub(in crate::raster) fn encode(
    sink: &mut impl Write,
    size @ [nx, ny]: [usize; 2],
    tags: &[(u16, Values<'_>)],
    strip: &mut dyn FnMut(Range<usize>) -> Vec<f32>,
) -> io::Result<u64> {
    if size.iter().any(|&side| u32::try_from(side).is_err()) {
        return Err(io::Error::other("more than 4294967295 columns or rows"));
    }
    let is_big = 4 * (nx as u64) * (ny as u64) >= BIG_TIFF_SIZE;
    encode_as(is_big, sink, size, tags, strip)
}

fn encode_as(
    is_big: bool,
    sink: &mut impl Write,
    size @ [nx, ny]: [usize; 2],
    tags: &[(u16, Values<'_>)],
    strip: &mut dyn FnMut(Range<usize>) -> Vec<f32>,
) -> io::Result<u64> {
    let rows_per_strip = (STRIP_SIZE.div_ceil(4 * nx as u64) as usize).min(ny);
    // The length of the head does not depend on the offsets in it.
    let start = encode_header(is_big, size, rows_per_strip, tags, 0).len() as u64;
    sink.write_all(&encode_header(is_big, size, rows_per_strip, tags, start))?;
    for y in (0..ny).step_by(rows_per_strip) {
        for value in strip(y..(y + rows_per_strip).min(ny)) {
            sink.write_all(&value.to_le_bytes())?;
        }
    }
    Ok(start)
}

/// Returns the part of the file before the first value, which is at the byte offset `start`.
fn encode_header(
    is_big: bool,
    [nx, ny]: [usize; 2],
    rows_per_strip: usize,
    tags: &[(u16, Values<'_>)],
    start: u64,
) -> Vec<u8> {
    let firsts = || (0..ny).step_by(rows_per_strip);
    let row = 4 * nx as u64;
    let offsets: Vec<u64> = firsts().map(|y| start + row * y as u64).collect();
    let lengths: Vec<u64> = firsts().map(|y| row * rows_per_strip.min(ny - y) as u64).collect();
    let (width, height, rows) = ([nx as u64], [ny as u64], [rows_per_strip as u64]);
    let layout = [
        (256, Values::Offset(&width)),
        (257, Values::Offset(&height)),
        // 32 bits per sample, no compression, dark is 0.
        (258, Values::Short(&[32])),
        (259, Values::Short(&[1])),
        (262, Values::Short(&[1])),
        (273, Values::Offset(&offsets)),
        // One sample per cell.
        (277, Values::Short(&[1])),
        (278, Values::Offset(&rows)),
        (279, Values::Offset(&lengths)),
        // Floating point.
        (339, Values::Short(&[3])),
    ];
    let mut entries: Vec<_> = layout.iter().chain(tags).collect();
    entries.sort_by_key(|(tag, _)| *tag);
    // Sizes of the header, the number of entries, an entry and an offset.
    let [header, count, entry, offset] = if is_big { [16, 8, 20, 8] } else { [8, 2, 12, 4] };
    let number = |value: u64| value.to_le_bytes()[..offset].to_vec();
    let mut directory = (entries.len() as u64).to_le_bytes()[..count].to_vec();
    let mut values = Vec::new();
    let values_start = header + count + entries.len() * entry + offset;
    for (tag, content) in entries {
        let (kind, length, mut bytes) = content.encode(is_big);
        directory.extend([*tag, kind].map(u16::to_le_bytes).as_flattened());
        directory.extend(number(length));
        if bytes.len() <= offset {
            bytes.resize(offset, 0);
            directory.extend(bytes);
        } else {
            directory.extend(number((values_start + values.len()) as u64));
            // Values begin at even offsets.
            bytes.resize(bytes.len().next_multiple_of(2), 0);
            values.extend(bytes);
        }
    }
    // There is no other directory.
    directory.extend(number(0));
    let mut head: Vec<u8> = if is_big {
        [43_u16, 8, 0].map(u16::to_le_bytes).as_flattened().to_vec()
    } else {
        42_u16.to_le_bytes().to_vec()
    };
    head.splice(0..0, *b"II");
    head.extend(number(header as u64));
    head.extend(directory);
    head.extend(values);
    head
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Files;
    use crate::raster::{ReadOptions, read_from};

    #[test]
    fn classic_and_big_tiff_files_round_trip() {
        // Two strips.
        let values: Vec<f32> = (0..400_000).map(|i| i as f32 / 8.0).collect();
        for is_big in [false, true] {
            let mut bytes = Vec::new();
            let scale = [2.0, 3.0, 0.0];
            let tags = [(42113, Values::Text("7")), (33550, Values::Double(&scale))];
            let mut strip =
                |rows: Range<usize>| values[1000 * rows.start..1000 * rows.end].to_vec();
            let start = encode_as(is_big, &mut bytes, [1000, 400], &tags, &mut strip).unwrap();
            assert_eq!(bytes.len() as u64, start + 1_600_000);
            assert_eq!(bytes[start as usize + 4..][..4], 0.125_f32.to_le_bytes());
            let files = Files::memory_only().with_file("a.tif", &bytes);
            let back = read_from(&files, "a.tif".as_ref(), &ReadOptions::default()).unwrap();
            assert!(back.cell == Some([2.0, 3.0]) && back.heights[(999, 399)] == values[399_999]);
            let mut other = tiff::decoder::Decoder::new(std::io::Cursor::new(&bytes)).unwrap();
            assert_eq!(other.get_tag_ascii_string(tiff::tags::Tag::GdalNodata).unwrap(), "7");
            let image = other.read_image().unwrap();
            assert!(matches!(image, tiff::decoder::DecodingResult::F32(all) if all == values));
        }
    }
}
