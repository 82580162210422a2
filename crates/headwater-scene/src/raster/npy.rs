//! NumPy's array file: a two-dimensional array of heights, row 0 the north.
//!
//! The header is read here and not by a crate, as it comes from outside: a general parser of Python
//! literals can be led into deep recursion, and claims about the shape have to be checked before
//! anything is multiplied or allocated. The format is NumPy's NEP 1.

use super::assemble::{Header, assemble, grid};
use super::error::shorten;
use super::{Format, Problem, Raster, ReadOptions, Sample};

pub(super) const SIGNATURE: &[u8] = b"\x93NUMPY";
/// The longest header NumPy itself reads from files it does not trust, in bytes.
const MAX_HEADER: usize = 10_000;
const ALLOWED: &str = "a 2-D array of f4, f8, i2, u2, i4 or u1";

pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Raster, Problem> {
    let damaged = |detail: &str| Problem::damaged(Format::Npy, detail);
    let (text, data) = split(bytes).ok_or_else(|| damaged("the header is cut short"))?;
    let header = std::str::from_utf8(text)
        .ok()
        .and_then(parse)
        .ok_or_else(|| damaged("the header is not a dict of descr, fortran_order and shape"))?;
    let unsupported = |found: String| Problem::Unsupported { found, allowed: ALLOWED };
    let (sample, big_endian) = sample_of(&header.descr)
        .ok_or_else(|| unsupported(format!("values of type `{}`", shorten(&header.descr, 40))))?;
    let [height, width] = header.shape[..] else {
        return Err(unsupported(format!("an array of {} dimensions", header.shape.len())));
    };
    let [nx, ny] = grid(width, height, options)?;
    let stride = sample.bits().unwrap_or_default() / 8;
    if data.len() / stride < nx * ny {
        return Err(Problem::damaged(
            Format::Npy,
            format!("found {} bytes of data, expected {}", data.len(), nx * ny * stride),
        ));
    }
    assemble(Header::new(Format::Npy, [nx, ny], sample), options, |x, y| {
        let index = if header.fortran_order { x * ny + y } else { y * nx + x };
        Ok(number(sample, big_endian, &data[index * stride..(index + 1) * stride]))
    })
}

/// The header's text and the data behind it, or `None` if the file is too short for them.
fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = bytes.strip_prefix(SIGNATURE)?;
    let (&[major, _minor], rest) = rest.split_first_chunk()?;
    let (length, rest) = if major == 1 {
        let (length, rest) = rest.split_first_chunk()?;
        (usize::from(u16::from_le_bytes(*length)), rest)
    } else {
        let (length, rest) = rest.split_first_chunk()?;
        (u32::from_le_bytes(*length) as usize, rest)
    };
    (length <= MAX_HEADER).then(|| rest.split_at_checked(length))?
}

/// The three entries of a header.
#[derive(Debug, Default, PartialEq)]
struct Entries {
    descr: String,
    fortran_order: bool,
    shape: Vec<u64>,
}

/// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`, the entries in any order.
fn parse(text: &str) -> Option<Entries> {
    let mut rest = text.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
    let mut entries = Entries::default();
    let mut seen = [false; 3];
    while !rest.is_empty() {
        let (key, behind) = quoted(rest)?;
        rest = behind.trim_start().strip_prefix(':')?.trim_start();
        let index = match key {
            "descr" => {
                let (descr, behind) = quoted(rest)?;
                entries.descr = descr.to_owned();
                rest = behind;
                0
            }
            "fortran_order" => {
                entries.fortran_order = rest.starts_with("True");
                rest = rest.strip_prefix("True").or_else(|| rest.strip_prefix("False"))?;
                1
            }
            "shape" => {
                let (inside, behind) = rest.strip_prefix('(')?.split_once(')')?;
                let inside = inside.trim();
                let numbers = inside.strip_suffix(',').unwrap_or(inside);
                entries.shape =
                    numbers.split(',').map(|n| n.trim().parse()).collect::<Result<_, _>>().ok()?;
                rest = behind;
                2
            }
            _ => return None,
        };
        if std::mem::replace(&mut seen[index], true) {
            return None;
        }
        rest = rest.trim_start();
        rest = match rest.strip_prefix(',') {
            Some(behind) => behind.trim_start(),
            None if rest.is_empty() => rest,
            None => return None,
        };
    }
    (seen == [true; 3]).then_some(entries)
}

/// A quoted word at the start of `text`, and what follows it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].split_once(quote)
}

/// The sample type of a dtype, and whether it is big-endian.
fn sample_of(descr: &str) -> Option<(Sample, bool)> {
    let (order, kind) = descr.split_at_checked(1)?;
    let sample = match kind {
        "u1" => Sample::U8,
        "u2" => Sample::U16,
        "i2" => Sample::I16,
        "i4" => Sample::I32,
        "f4" => Sample::F32,
        "f8" => Sample::F64,
        _ => return None,
    };
    let orders = if sample == Sample::U8 { "|<>" } else { "<>" };
    orders.contains(order).then_some((sample, order == ">"))
}

fn number(sample: Sample, big_endian: bool, bytes: &[u8]) -> f64 {
    let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
    let bits = if big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) };
    match sample {
        Sample::U8 | Sample::U16 => bits as f64,
        Sample::I16 => f64::from(bits as i16),
        Sample::I32 => f64::from(bits as i32),
        Sample::F32 => f64::from(f32::from_bits(bits as u32)),
        Sample::F64 | Sample::Text => f64::from_bits(bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_in_any_order_and_nothing_else_is() {
        let good = parse("{'shape': (3, 4), \"fortran_order\": True,'descr': '<f4'}  \n").unwrap();
        assert_eq!(good, Entries { descr: "<f4".into(), fortran_order: true, shape: vec![3, 4] });
        assert_eq!(
            parse("{'descr': '<f4', 'fortran_order': False, 'shape': (7,), }").unwrap().shape,
            [7]
        );
        for bad in [
            "",
            "{}",
            "{'descr': '<f4', 'fortran_order': False}",
            "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3, 4)}",
            "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3, 4)}",
            "{'descr': '<f4', 'fortran_order': 0, 'shape': (3, 4)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3, -4)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 99999999999999999999)}",
            "{'descr': '<f4' 'fortran_order': False, 'shape': (3, 4)}",
            "{'déscr",
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
