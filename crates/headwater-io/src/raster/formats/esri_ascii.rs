//! Reader of ESRI ASCII grids. Such a file consists of a header with keys and numbers, followed by
//! the heights row by row from the north.
//!
//! Keys may have any order and case, and rows of heights may be broken into lines at any place. A
//! decimal comma is accepted if no number in the file has a decimal point. Fortran exponents
//! (`1.0D+02`) are also accepted. The header is checked against the length of the file before
//! memory is allocated.

use crate::raster::error::truncate_with_ellipsis;
use crate::raster::geographic::{CellSize, CellSizeUnit, looks_geographic};
use crate::raster::header::{Header, checked_grid_size};
use crate::raster::input::{Input, OpenedRaster, RowReader};
use crate::raster::{Format, Problem, ReadOptions, SampleType};
use std::io::BufRead as _;

/// Other spellings of header keys, each with the standard spelling in `KEYS`.
const ALIASES: [(&str, &str); 4] = [
    ("nodata", "nodata_value"),
    ("no_data_value", "nodata_value"),
    ("xllcentre", "xllcenter"),
    ("yllcentre", "yllcenter"),
];
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
/// Maximum length (characters) of a word that an error message quotes from a file.
const MAX_QUOTED_CHARS: usize = 40;

/// UTF-8 byte-order mark.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns true if the file begins with a header key, possibly after a byte-order mark.
pub(in crate::raster) fn is_esri_ascii(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.next().is_some_and(|word| key_index(word).is_some())
}

pub(in crate::raster) fn open<'a>(
    input: Input<'a>,
    options: &ReadOptions,
) -> Result<OpenedRaster<'a>, Problem> {
    let mut words = Tokenizer::new(input)?;
    let keys = HeaderKeys::read(&mut words)?;
    let size = checked_grid_size(
        keys.required_integer("ncols", &words)?,
        keys.required_integer("nrows", &words)?,
        options,
    )?;
    let [nx, ny] = size;
    // Each height has at least one digit, and all but the last have a separator.
    let remaining = words.remaining_bytes();
    if (nx * ny) as u64 > remaining.div_ceil(2) {
        return Err(Problem::damaged(
            Format::EsriAscii,
            format!("{nx} × {ny} heights do not fit in the remaining {remaining} bytes"),
        ));
    }
    let mut header = Header::new(Format::EsriAscii, size, SampleType::Text);
    header.cell = keys.cell_size(size);
    header.bounds = keys.bounds(size);
    header.no_data = keys.get("nodata_value");
    Ok((header, Box::new(HeightReader { words, size, row: 0 })))
}

/// Reader of the heights that follow the header.
struct HeightReader<'a> {
    words: Tokenizer<'a>,
    size: [usize; 2],
    row: usize,
}

impl RowReader for HeightReader<'_> {
    fn read_row(&mut self, row: &mut [f64]) -> Result<(), Problem> {
        let ([nx, ny], y) = (self.size, self.row);
        for (x, value) in row.iter_mut().enumerate() {
            let height = || format!("the height of column {}, row {} of {nx} × {ny}", x + 1, y + 1);
            if !self.words.next_word()? {
                let commas = match self.words.has_comma {
                    true => "; commas are read as decimal signs",
                    false => "",
                };
                return Err(self
                    .words
                    .unexpected_end_error("file", format!("{}{commas}", height())));
            }
            *value = self
                .words
                .parse_number()
                .ok_or_else(|| self.words.not_a_number_error(&format!("a number, {}", height())))?;
        }
        self.row += 1;
        Ok(())
    }

    fn notices(&self) -> Vec<String> {
        let comma = self
            .words
            .has_comma
            .then(|| "the numbers have decimal commas: `1,5` is read as one and a half".to_owned());
        comma.into_iter().collect()
    }

    fn check_end(&mut self) -> Result<(), Problem> {
        let [nx, ny] = self.size;
        match self.words.next_word()? {
            false => Ok(()),
            true => Err(self
                .words
                .unexpected_word(format!("the end of the file after {nx} × {ny} heights"))),
        }
    }
}

/// Values of the header's keys, in the order of `KEYS`; `None` for missing keys.
struct HeaderKeys([Option<HeaderValue>; KEYS.len()]);

/// Value of a key in the header, with its position in the file.
struct HeaderValue {
    word: Vec<u8>,
    /// Line number of the value in the file, counted from 1.
    line: usize,
    number: f64,
}

impl HeaderKeys {
    /// Reads the keys and values of the header. A number where a key is expected ends the header:
    /// it is the first height.
    fn read(tokenizer: &mut Tokenizer<'_>) -> Result<Self, Problem> {
        let mut keys = Self([const { None }; KEYS.len()]);
        while tokenizer.next_word()? {
            let Some(index) = key_index(&tokenizer.word) else {
                if tokenizer.parse_number().is_some() {
                    keys.check_header_started(tokenizer)?;
                    tokenizer.unread();
                    break;
                }
                return Err(match keys.is_complete() {
                    true => tokenizer.not_a_number_error("a number, the first height"),
                    false => {
                        tokenizer.unexpected_word(format!("a number or one of {}", KEYS.join(", ")))
                    }
                });
            };
            if keys.0[index].is_some() {
                return Err(tokenizer.unexpected_word("each key only once".to_owned()));
            }
            let expected = || format!("the number of {}", KEYS[index]);
            if !tokenizer.next_word()? {
                return Err(tokenizer.unexpected_end_error("file", expected()));
            }
            let number = tokenizer
                .parse_number()
                .ok_or_else(|| tokenizer.not_a_number_error(&expected()))?;
            keys.0[index] =
                Some(HeaderValue { word: tokenizer.word.clone(), line: tokenizer.line, number });
        }
        Ok(keys)
    }

    /// Returns true if the header has all keys that are needed to read the heights.
    fn is_complete(&self) -> bool {
        self.get("ncols").is_some() && self.get("nrows").is_some()
    }

    /// Checks that at least one header key was read before the current number.
    ///
    /// # Errors
    /// Returns [`Problem`] if no key has been read. This happens with files of programs that write
    /// each number before its key.
    fn check_header_started(&self, tokenizer: &mut Tokenizer<'_>) -> Result<(), Problem> {
        if self.0.iter().any(Option::is_some) {
            return Ok(());
        }
        let (number, line) = (tokenizer.word.clone(), tokenizer.line);
        let expected = match tokenizer.next_word()?.then(|| key_index(&tokenizer.word)).flatten() {
            Some(key) => format!("`{}` before it: each key stands before its number", KEYS[key]),
            None => format!("a header that begins with one of {}", KEYS.join(", ")),
        };
        Err(unexpected_word_error(&number, line, expected))
    }

    fn get(&self, name: &str) -> Option<f64> {
        self.0[key_index(name.as_bytes())?].as_ref().map(|entry| entry.number)
    }

    /// Returns the value of the required key `name` as an integer.
    ///
    /// # Errors
    /// Returns [`Problem`] if the key is missing or its value is not an integer.
    fn required_integer(&self, name: &str, tokenizer: &Tokenizer<'_>) -> Result<u64, Problem> {
        let entry = key_index(name.as_bytes()).and_then(|index| self.0[index].as_ref());
        let entry =
            entry.ok_or_else(|| tokenizer.unexpected_end_error("header", name.to_owned()))?;
        // Some programs write `3.0`.
        let text = std::str::from_utf8(&entry.word).ok();
        let integer = text.and_then(|text| text.strip_suffix(".0").unwrap_or(text).parse().ok());
        integer.ok_or_else(|| {
            unexpected_word_error(&entry.word, entry.line, format!("the whole number of {name}"))
        })
    }

    /// Returns the west, south, east and north edge of the raster. The header gives either the
    /// corner of the raster or the centre of the corner cell. Returns `None` if keys that are
    /// needed are missing.
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
        let unit = if degrees { CellSizeUnit::Degrees { latitude } } else { CellSizeUnit::METRE };
        Some(CellSize { size, unit })
    }
}

/// Returns the index in `KEYS` of a key, ignoring case, or `None` if the word is not a known key.
fn key_index(word: &[u8]) -> Option<usize> {
    let word = word.strip_suffix(b":").unwrap_or(word);
    let alias = ALIASES.iter().find(|(other, _)| other.as_bytes().eq_ignore_ascii_case(word));
    let word = alias.map_or(word, |(_, key)| key.as_bytes());
    KEYS.iter().position(|key| key.as_bytes().eq_ignore_ascii_case(word))
}

/// Tokenizer that splits the content of a file into words and counts lines.
struct Tokenizer<'a> {
    input: Input<'a>,
    /// Current word, truncated to [`MAX_WORD`] bytes.
    word: Vec<u8>,
    /// Line number of the current word, counted from 1.
    line: usize,
    /// Line number of the previous word, counted from 1.
    previous_line: usize,
    /// Length of the current word (bytes).
    length: u64,
    /// Number of bytes of the file that have not been read yet.
    remaining: u64,
    /// Whether the next call of `next_word` returns the current word again.
    is_unread: bool,
    /// Whether a number with a decimal comma has been parsed.
    has_comma: bool,
    /// Whether a number with a decimal point has been parsed.
    has_point: bool,
}

/// Maximum stored length of a word (bytes); longer words cannot be numbers.
const MAX_WORD: usize = 400;

impl<'a> Tokenizer<'a> {
    fn new(mut input: Input<'a>) -> Result<Self, Problem> {
        let mut remaining = input.length;
        if input.fill_buf().map_err(Problem::Read)?.starts_with(BYTE_ORDER_MARK) {
            input.consume(BYTE_ORDER_MARK.len());
            remaining -= BYTE_ORDER_MARK.len() as u64;
        }
        Ok(Self {
            input,
            word: Vec::new(),
            line: 1,
            previous_line: 1,
            length: 0,
            remaining,
            is_unread: false,
            has_comma: false,
            has_point: false,
        })
    }

    /// Advances to the next word. Returns false if the file has no more words.
    fn next_word(&mut self) -> Result<bool, Problem> {
        if std::mem::take(&mut self.is_unread) {
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
        self.previous_line = std::mem::replace(&mut self.line, line);
        self.word.clear();
        self.length = 0;
        loop {
            let bytes = self.input.fill_buf().map_err(Problem::Read)?;
            let end = bytes.iter().position(u8::is_ascii_whitespace);
            let count = end.unwrap_or(bytes.len());
            let room = MAX_WORD - self.word.len();
            self.word.extend_from_slice(&bytes[..count.min(room)]);
            self.length += count as u64;
            let is_last = end.is_some() || count == 0;
            self.input.consume(count);
            if is_last {
                break;
            }
        }
        self.remaining = self.remaining.saturating_sub(blank + self.length);
        Ok(true)
    }

    /// Makes [`next_word`](Self::next_word) return the current word again.
    fn unread(&mut self) {
        self.is_unread = true;
    }

    /// Returns the number of bytes from the start of the next word to the end of the file.
    fn remaining_bytes(&self) -> u64 {
        self.remaining + if self.is_unread { self.length } else { 0 }
    }

    /// Returns the value of the current word as a number, or `None` if the word is not a number. A
    /// file may use either decimal commas or decimal points: after a number with one of them, a
    /// word with the other is not a number.
    fn parse_number(&mut self) -> Option<f64> {
        if self.length > self.word.len() as u64 {
            return None;
        }
        let text = std::str::from_utf8(&self.word).ok()?;
        if let Ok(number) = text.parse() {
            self.has_point = self.has_point || text.contains('.');
            return (!(self.has_comma && self.has_point)).then_some(number);
        }
        // C libraries print NaN with a sign or a payload, which Rust does not parse.
        const NANS: [&str; 6] = ["-nan", "nan(ind)", "-nan(ind)", "1.#QNAN", "1.#IND", "-1.#IND"];
        if NANS.iter().any(|nan| nan.eq_ignore_ascii_case(text)) {
            return Some(f64::NAN);
        }
        self.has_comma = self.has_comma || text.contains(',');
        self.has_point = self.has_point || text.contains('.');
        if self.has_comma && self.has_point
            || !text.starts_with(|first: char| first.is_ascii_digit() || "+-.,".contains(first))
        {
            return None;
        }
        text.replace(',', ".").replace(['d', 'D'], "e").parse().ok()
    }

    /// Creates the error that is reported if the current word is not a number.
    fn not_a_number_error(&self, expected: &str) -> Problem {
        let commas = self.word.iter().filter(|byte| **byte == b',').count();
        let why = match commas {
            _ if self.has_comma && self.has_point => {
                "; the file has both decimal commas and decimal points"
            }
            0 if self.word.contains(&b';') => "; heights are separated by spaces",
            0 => "",
            _ => "; heights are separated by spaces, a comma can only be the decimal sign",
        };
        self.unexpected_word(format!("{expected}{why}"))
    }

    /// Creates the error for a file that ends before all expected words have been read.
    fn unexpected_end_error(&self, part: &'static str, missing: String) -> Problem {
        let line = if self.is_unread { self.previous_line } else { self.line };
        Problem::UnexpectedEnd { part, line, missing }
    }

    /// Creates the error for a current word that differs from the expected one.
    fn unexpected_word(&self, expected: String) -> Problem {
        unexpected_word_error(&self.word, self.line, expected)
    }
}

fn unexpected_word_error(word: &[u8], line: usize, expected: String) -> Problem {
    let word = truncate_with_ellipsis(&String::from_utf8_lossy(word), MAX_QUOTED_CHARS);
    Problem::Word { line, word, expected }
}
