//! ESRI ASCII grid: a header of keys and numbers, then the heights, row after row from the north.
//!
//! Keys may come in any order and case, and the heights may be wrapped in any way. The header is
//! checked against the file's length before memory is taken.

use super::assemble::{Header, assemble, grid};
use super::error::shorten;
use super::geographic::{CellSize, Unit, looks_geographic};
use super::{Format, Problem, Raster, ReadOptions, Sample};

/// All keys of a header.
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

/// True if the file begins with a key of the header, perhaps behind a byte-order mark.
pub(super) fn begins(bytes: &[u8]) -> bool {
    Words::new(bytes).next().is_some_and(|word| key(word.text).is_some())
}

pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Raster, Problem> {
    let mut words = Words::new(bytes);
    let keys = Keys::read(&mut words)?;
    let size = grid(keys.whole("ncols", &words)?, keys.whole("nrows", &words)?, options)?;
    let [nx, ny] = size;
    // A height is at least one digit, and all but the last are followed by a separator.
    let room = words.rest.len().div_ceil(2);
    if nx * ny > room {
        return Err(Problem::damaged(
            Format::EsriAscii,
            format!("{nx} × {ny} heights cannot be in the {} bytes left", words.rest.len()),
        ));
    }
    let mut header = Header::new(Format::EsriAscii, size, Sample::Text);
    header.cell = keys.cell_size(size);
    header.bounds = keys.bounds(size);
    header.no_data = keys.get("nodata_value");

    let raster = assemble(header, options, |x, y| {
        let height = || format!("the height of column {x}, row {y} of {nx} × {ny}");
        let word = words.next().ok_or_else(|| words.ends("file", height()))?;
        word.number().ok_or_else(|| word.refused(format!("a number, {}", height())))
    })?;
    match words.next() {
        None => Ok(raster),
        Some(word) => Err(word.refused(format!("the end of the file after {nx} × {ny} heights"))),
    }
}

/// The entries of a header, as far as they are there.
struct Keys<'a>([Option<(Word<'a>, f64)>; KEYS.len()]);

impl<'a> Keys<'a> {
    /// Reads up to the first word that is a number.
    fn read(words: &mut Words<'a>) -> Result<Self, Problem> {
        let mut keys = Self([None; KEYS.len()]);
        while let Some(word) = words.peek() {
            let Some(index) = key(word.text) else {
                if word.number().is_some() {
                    break;
                }
                return Err(word.refused(format!("a number or one of {}", KEYS.join(", "))));
            };
            words.next();
            if keys.0[index].is_some() {
                return Err(word.refused("each key only once".to_owned()));
            }
            let expected = || format!("the number of {}", KEYS[index]);
            let value = words.next().ok_or_else(|| words.ends("file", expected()))?;
            let number = value.number().ok_or_else(|| value.refused(expected()))?;
            keys.0[index] = Some((value, number));
        }
        Ok(keys)
    }

    fn get(&self, name: &str) -> Option<f64> {
        self.0[key(name.as_bytes())?].map(|(_, number)| number)
    }

    /// A key that must be there and hold a whole number.
    fn whole(&self, name: &str, words: &Words<'_>) -> Result<u64, Problem> {
        match key(name.as_bytes()).and_then(|index| self.0[index]) {
            None => Err(words.ends("header", name.to_owned())),
            Some((word, _)) => {
                let whole = std::str::from_utf8(word.text).ok().and_then(|text| text.parse().ok());
                whole.ok_or_else(|| word.refused(format!("the whole number of {name}")))
            }
        }
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
    rest: &'a [u8],
    /// The line of the last word, counted from 1.
    line: usize,
}

#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a [u8],
    line: usize,
}

impl<'a> Words<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), line: 1 }
    }

    fn next(&mut self) -> Option<Word<'a>> {
        let start = self.rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let (blank, rest) = self.rest.split_at(start);
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let (text, rest) = rest.split_at(end);
        self.line += blank.iter().filter(|byte| **byte == b'\n').count();
        self.rest = rest;
        Some(Word { text, line: self.line })
    }

    fn peek(&self) -> Option<Word<'a>> {
        Words { ..*self }.next()
    }

    /// What is wrong where there are no more words.
    fn ends(&self, part: &'static str, missing: String) -> Problem {
        Problem::Ends { part, line: self.line, missing }
    }
}

impl Word<'_> {
    fn number(&self) -> Option<f64> {
        // Some C libraries print a NaN with its sign, which Rust does not read.
        let text = if self.text.eq_ignore_ascii_case(b"-nan") { b"nan" } else { self.text };
        std::str::from_utf8(text).ok()?.parse().ok()
    }

    fn refused(&self, expected: String) -> Problem {
        // No more bytes than four a character can matter, and the word may be the whole file.
        let start = &self.text[..self.text.len().min(4 * MAX_SHOWN + 4)];
        let word = shorten(&String::from_utf8_lossy(start), MAX_SHOWN);
        Problem::Word { line: self.line, word, expected }
    }
}
