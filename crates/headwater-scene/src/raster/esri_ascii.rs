//! ESRI ASCII grid: a header of keys and numbers, then the heights, row after row from the north.
//!
//! Keys may come in any order and case, and the heights may be wrapped in any way. The header is
//! checked against the file's length before memory is taken.

use super::assemble::{Header, grid};
use super::error::shorten;
use super::geographic::{CellSize, Unit, looks_geographic};
use super::input::{Input, Opened, Rows};
use super::{Format, Problem, ReadOptions, Sample};
use std::io::BufRead as _;

const KEYS: [&str; 10] = [
    "ncols",
    "nrows",
    "xllcorner",
    "xllcenter",
    "yllcorner",
    "yllcenter",
    "cellsize",
    "dx",
    "dy",
    "nodata_value",
];
/// Words longer than this are cut in messages.
const MAX_SHOWN: usize = 40;

/// A byte-order mark.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// True if the file begins with a key of the header, perhaps behind a byte-order mark.
pub(super) fn begins(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(MARK).unwrap_or(bytes);
    let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.next().is_some_and(|word| key(word).is_some())
}

pub(super) fn open<'a>(input: Input<'a>, options: &ReadOptions) -> Result<Opened<'a>, Problem> {
    let mut words = Words::new(input)?;
    let keys = Keys::read(&mut words)?;
    let size = grid(keys.whole("ncols", &words)?, keys.whole("nrows", &words)?, options)?;
    let [nx, ny] = size;
    // A height is at least one digit, and all but the last are followed by a separator.
    let left = words.left();
    if (nx * ny) as u64 > left.div_ceil(2) {
        return Err(Problem::damaged(
            Format::EsriAscii,
            format!("{nx} × {ny} heights cannot be in the {left} bytes left"),
        ));
    }
    let mut header = Header::new(Format::EsriAscii, size, Sample::Text);
    header.cell = keys.cell_size(size);
    header.bounds = keys.bounds(size);
    header.no_data = keys.get("nodata_value");
    Ok((header, Box::new(Heights { words, size, row: 0 })))
}

/// The heights behind a header.
struct Heights<'a> {
    words: Words<'a>,
    size: [usize; 2],
    row: usize,
}

impl Rows for Heights<'_> {
    fn next(&mut self, row: &mut [f64]) -> Result<(), Problem> {
        let ([nx, ny], y) = (self.size, self.row);
        for (x, value) in row.iter_mut().enumerate() {
            let height = || format!("the height of column {}, row {} of {nx} × {ny}", x + 1, y + 1);
            if !self.words.next()? {
                return Err(self.words.ends("file", height()));
            }
            *value = self
                .words
                .number()
                .ok_or_else(|| self.words.refused(format!("a number, {}", height())))?;
        }
        self.row += 1;
        Ok(())
    }

    fn end(&mut self) -> Result<(), Problem> {
        let [nx, ny] = self.size;
        match self.words.next()? {
            false => Ok(()),
            true => {
                Err(self.words.refused(format!("the end of the file after {nx} × {ny} heights")))
            }
        }
    }
}

/// The entries of a header, as far as they are there.
struct Keys([Option<Entry>; KEYS.len()]);

/// What stands behind a key.
struct Entry {
    word: Vec<u8>,
    line: usize,
    number: f64,
}

impl Keys {
    /// Reads up to the first word that is a number.
    fn read(words: &mut Words<'_>) -> Result<Self, Problem> {
        let mut keys = Self([const { None }; KEYS.len()]);
        while words.next()? {
            let Some(index) = key(&words.word) else {
                if words.number().is_some() {
                    words.back();
                    break;
                }
                return Err(words.refused(format!("a number or one of {}", KEYS.join(", "))));
            };
            if keys.0[index].is_some() {
                return Err(words.refused("each key only once".to_owned()));
            }
            let expected = || format!("the number of {}", KEYS[index]);
            if !words.next()? {
                return Err(words.ends("file", expected()));
            }
            let number = words.number().ok_or_else(|| words.refused(expected()))?;
            keys.0[index] = Some(Entry { word: words.word.clone(), line: words.line, number });
        }
        Ok(keys)
    }

    fn get(&self, name: &str) -> Option<f64> {
        self.0[key(name.as_bytes())?].as_ref().map(|entry| entry.number)
    }

    /// A key that must be there and hold a whole number.
    fn whole(&self, name: &str, words: &Words<'_>) -> Result<u64, Problem> {
        let entry = key(name.as_bytes()).and_then(|index| self.0[index].as_ref());
        let entry = entry.ok_or_else(|| words.ends("header", name.to_owned()))?;
        let whole = std::str::from_utf8(&entry.word).ok().and_then(|text| text.parse().ok());
        whole.ok_or_else(|| refused(&entry.word, entry.line, format!("the whole number of {name}")))
    }

    /// West, south, east and north; corners may be given by the middle of their cell.
    fn bounds(&self, [nx, ny]: [usize; 2]) -> Option<[f64; 4]> {
        let square = self.get("cellsize");
        let [dx, dy] = [self.get("dx").or(square)?, self.get("dy").or(square)?];
        let corner = |corner: &str, center: &str, size: f64| {
            self.get(corner).or_else(|| Some(self.get(center)? - 0.5 * size))
        };
        let west = corner("xllcorner", "xllcenter", dx)?;
        let south = corner("yllcorner", "yllcenter", dy)?;
        Some([west, south, west + dx * nx as f64, south + dy * ny as f64])
    }

    fn cell_size(&self, [_, ny]: [usize; 2]) -> Option<CellSize> {
        let square = self.get("cellsize");
        let size = [self.get("dx").or(square)?, self.get("dy").or(square)?];
        let corner = [
            self.get("xllcorner").or(self.get("xllcenter")).unwrap_or_default(),
            self.get("yllcorner").or(self.get("yllcenter")).unwrap_or_default(),
        ];
        let latitude = corner[1] + size[1] * ny as f64 / 2.0;
        let degrees = looks_geographic(size, corner, latitude);
        let unit = if degrees { Unit::Degrees { latitude } } else { Unit::METRE };
        Some(CellSize { size, unit })
    }
}

/// The index of a key, in any case.
fn key(word: &[u8]) -> Option<usize> {
    KEYS.iter().position(|key| key.as_bytes().eq_ignore_ascii_case(word))
}

/// The words of a text, with the lines they stand in.
struct Words<'a> {
    input: Input<'a>,
    /// The last word, as far as it is not longer than any number, its line, counted from 1, and that of the word before.
    word: Vec<u8>,
    line: usize,
    line_before: usize,
    /// How many bytes it has, and how many of the file are behind it.
    length: u64,
    left: u64,
    /// Whether it is to come once more.
    again: bool,
}

/// Words longer than this are none that say something.
const LONGEST: usize = 400;

impl<'a> Words<'a> {
    fn new(mut input: Input<'a>) -> Result<Self, Problem> {
        let mut left = input.length;
        if input.fill_buf().map_err(Problem::Read)?.starts_with(MARK) {
            input.consume(MARK.len());
            left -= MARK.len() as u64;
        }
        Ok(Self { input, word: Vec::new(), line: 1, line_before: 1, length: 0, left, again: false })
    }

    /// Goes on to the next word, if there is one.
    fn next(&mut self) -> Result<bool, Problem> {
        if std::mem::take(&mut self.again) {
            return Ok(true);
        }
        let (mut line, mut blank) = (self.line, 0);
        loop {
            let bytes = self.input.fill_buf().map_err(Problem::Read)?;
            if bytes.is_empty() {
                return Ok(false);
            }
            let end = bytes.iter().position(|byte| !byte.is_ascii_whitespace());
            let count = end.unwrap_or(bytes.len());
            line += bytes[..count].iter().filter(|byte| **byte == b'\n').count();
            blank += count as u64;
            self.input.consume(count);
            if end.is_some() {
                break;
            }
        }
        self.line_before = std::mem::replace(&mut self.line, line);
        self.word.clear();
        self.length = 0;
        loop {
            let bytes = self.input.fill_buf().map_err(Problem::Read)?;
            let end = bytes.iter().position(u8::is_ascii_whitespace);
            let count = end.unwrap_or(bytes.len());
            let room = LONGEST - self.word.len();
            self.word.extend_from_slice(&bytes[..count.min(room)]);
            self.length += count as u64;
            let is_last = end.is_some() || count == 0;
            self.input.consume(count);
            if is_last {
                break;
            }
        }
        self.left = self.left.saturating_sub(blank + self.length);
        Ok(true)
    }

    /// Makes the last word come once more.
    fn back(&mut self) {
        self.again = true;
    }

    /// How many bytes there are from the next word on.
    fn left(&self) -> u64 {
        self.left + if self.again { self.length } else { 0 }
    }

    /// The last word as a number.
    fn number(&self) -> Option<f64> {
        if self.length > self.word.len() as u64 {
            return None;
        }
        // Some C libraries print a NaN with its sign, which Rust does not read.
        let is_nan = self.word.eq_ignore_ascii_case(b"-nan");
        let text = if is_nan { b"nan" } else { &self.word[..] };
        std::str::from_utf8(text).ok()?.parse().ok()
    }

    /// What is wrong where there are no more words.
    fn ends(&self, part: &'static str, missing: String) -> Problem {
        let line = if self.again { self.line_before } else { self.line };
        Problem::Ends { part, line, missing }
    }

    /// What is wrong with the last word.
    fn refused(&self, expected: String) -> Problem {
        refused(&self.word, self.line, expected)
    }
}

fn refused(word: &[u8], line: usize, expected: String) -> Problem {
    let word = shorten(&String::from_utf8_lossy(word), MAX_SHOWN);
    Problem::Word { line, word, expected }
}
