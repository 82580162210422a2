//! Puts the strips and tiles of a TIFF that are compressed by LZW back into plain bytes, before the `tiff` crate sees them: its reader
//! asks the decoder for a row at a time, and takes it for the end of the file when a row comes out of bits that were read with the
//! row before (as of tiff 0.11.3 and weezl 0.1.12; one tiled file in twelve). A strip or tile that is decoded at once has no such seam.

use super::Problem;
use super::tiff_directory::{Entry, Numbers, entries};
use weezl::{BitOrder, LzwStatus, decode::Decoder};

/// The most bytes that one makes: codes of 12 bits for words of up to 4096 bytes.
const EXPANSION: u64 = 2731;

const COMPRESSION: u64 = 259;
const PLAIN: u64 = 1;
/// The tags of strips and tiles: where they lie, and how many bytes they take.
const CHUNKS: [[u64; 2]; 2] = [[273, 279], [324, 325]];

/// The file with strips or tiles of up to `chunk` bytes that are plain, up to `most` in all; nothing if it is laid out as none of them
/// should be, which the reader will have words for.
///
/// # Errors
/// If a code in it has no meaning, or a tag reaches outside the file.
pub(super) fn expanded(bytes: &[u8], chunk: u64, most: u64) -> Result<Option<Vec<u8>>, Problem> {
    let file = Numbers::of(bytes);
    let directory = entries(&file)?;
    let find = |tag: u64| directory.iter().find(|entry| entry.tag == tag);
    let places = CHUNKS.into_iter().find_map(|[at, length]| find(at).zip(find(length)));
    let (Some((places, lengths)), Some(compression)) = (places, find(COMPRESSION)) else {
        return Ok(None);
    };
    let word = file.word();
    let mut made = bytes.to_vec();
    let mut new = Vec::new();
    for index in 0..places.values.min(lengths.values) {
        let [place, length] = [places, lengths].map(|list| value(&file, list, index));
        let packed = place.zip(length).and_then(|(place, length)| {
            let place = usize::try_from(place).ok()?;
            bytes.get(place..place.checked_add(usize::try_from(length).ok()?)?)
        });
        let Some(packed) = packed else { return Ok(None) };
        let room = chunk.min((packed.len() as u64).saturating_mul(EXPANSION));
        let start = made.len() as u64;
        if start.saturating_add(room) > most.saturating_add(bytes.len() as u64) {
            return Ok(None);
        }
        new.push(start);
        plain(packed, usize::try_from(room).unwrap_or_default(), &mut made)?;
    }
    let ends = new.iter().skip(1).copied().chain([made.len() as u64]);
    let counts: Vec<u64> = new.iter().zip(ends).map(|(start, end)| end - start).collect();
    if word == 4 && u32::try_from(made.len() as u64 + 8 * word * new.len() as u64).is_err() {
        return Ok(None);
    }
    for (entry, values) in [(places, &new), (lengths, &counts)] {
        let at = made.len() as u64;
        made.extend(values.iter().flat_map(|&value| written(value, word, file.big_endian)));
        // Unsigned integers of a word.
        put(&mut made, &file, entry.kind_at, if word == 8 { 16 } else { 4 }, 2);
        put(&mut made, &file, entry.kind_at + 2, values.len() as u64, word);
        put(&mut made, &file, entry.field, if values.len() == 1 { values[0] } else { at }, word);
    }
    put(&mut made, &file, compression.field, PLAIN, compression.size);
    Ok(Some(made))
}

/// A value of an entry.
fn value(file: &Numbers, entry: &Entry, index: u64) -> Option<u64> {
    file.get(entry.values_at + index * entry.size, entry.size)
}

/// Decodes up to `most` bytes.
fn plain(mut packed: &[u8], most: usize, into: &mut Vec<u8>) -> Result<(), Problem> {
    let start = into.len();
    into.resize(start + most, 0);
    let (mut done, mut decoder) = (start, Decoder::with_tiff_size_switch(BitOrder::Msb, 8));
    loop {
        let found = decoder.decode_bytes(packed, &mut into[done..]);
        packed = &packed[found.consumed_in..];
        done += found.consumed_out;
        match found.status {
            Err(error) => {
                return Err(Problem::damaged(super::Format::GeoTiff, error.to_string()));
            }
            Ok(LzwStatus::Done) => break,
            Ok(_) if done == into.len() => break,
            Ok(_) if found.consumed_in == 0 && found.consumed_out == 0 => break,
            Ok(_) => {}
        }
    }
    into.truncate(done);
    Ok(())
}

/// A number as it stands in a file.
fn written(value: u64, size: u64, big_endian: bool) -> Vec<u8> {
    let mut bytes = value.to_le_bytes()[..size as usize].to_vec();
    if big_endian {
        bytes.reverse();
    }
    bytes
}

/// Writes a number at a place of the directory, which lies inside the file.
fn put(bytes: &mut [u8], file: &Numbers, at: u64, value: u64, size: u64) {
    let place = at as usize..(at + size) as usize;
    bytes[place].copy_from_slice(&written(value, size, file.big_endian));
}
