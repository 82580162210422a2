//! [`CsvTable`]: the columns and lines of a CSV file.

use super::budget::Budget;
use headwater_io::Files;
use serde::Deserialize;
use std::path::Path;

/// Maximum number of columns of a CSV file.
const MAX_COLUMNS: usize = 10_000;

/// Text of a CSV file, split into lines and fields. Fields are separated by semicolons, tabs,
/// commas or spaces. Empty lines and lines that begin with `#` are skipped.
pub(super) struct CsvTable<I: Iterator> {
    /// Fields of the first line. These are the names of the columns if the file has a header.
    pub(super) names: Vec<String>,
    /// Iterator over all lines, including the first. Each item contains the line number, counted
    /// from 1, and the fields of the line.
    pub(super) lines: I,
}

/// Reads a CSV file as UTF-8, without its byte order mark.
///
/// # Errors
/// Returns a message if the file cannot be read, is too large for `budget`, or is not UTF-8.
pub(super) fn read_text(files: &Files, path: &Path, budget: &mut Budget) -> Result<String, String> {
    let bytes = budget.read(files, path)?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|error| format!("byte {} is not UTF-8", error.valid_up_to()))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
}

impl CsvTable<std::iter::Empty<(usize, Vec<String>)>> {
    /// Splits the text of a CSV file.
    ///
    /// # Errors
    /// Returns a message if the text has no lines or too many columns.
    pub(super) fn new(
        text: &str,
    ) -> Result<CsvTable<impl Iterator<Item = (usize, Vec<String>)>>, String> {
        let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
        let mut lines =
            lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).peekable();
        let Some(&(_, first)) = lines.peek() else { return Err("has no lines".into()) };
        let separator =
            [';', '\t', ','].into_iter().find(|one| first.contains(*one)).unwrap_or(' ');
        if first.matches(separator).count() > MAX_COLUMNS {
            return Err(format!("has more than {MAX_COLUMNS} columns, the maximum"));
        }
        let names = split_fields(first, separator);
        Ok(CsvTable {
            names,
            lines: lines.map(move |(i, line)| (i, split_fields(line, separator))),
        })
    }
}

/// Column of a CSV file, given by its number from 1 or by its name.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "expected a column's name or its number from 1")]
pub(super) enum Column {
    Number(u64),
    Name(String),
}

impl Column {
    /// Returns the index of the column, counted from 0. `names` contains the names of all columns.
    ///
    /// # Errors
    /// Returns a message if there is no such column, or more than one.
    pub(super) fn index(&self, names: &[String]) -> Result<usize, String> {
        let name = match self {
            Column::Number(number @ 1..=10_000) => return Ok(*number as usize - 1),
            Column::Number(number) => return Err(format!("found {number}, needs numbers from 1")),
            Column::Name(name) => name,
        };
        let mut all = names.iter().enumerate().filter(|(_, one)| *one == name);
        let Some((first, _)) = all.next() else {
            let names = names.join(", ");
            return Err(format!("found \"{name}\", the file has {names}"));
        };
        match all.next() {
            None => Ok(first),
            Some((other, _)) => Err(format!(
                "found \"{name}\", which is the name of columns {} and {}; use a column number \
                 instead",
                first + 1,
                other + 1
            )),
        }
    }
}

/// Splits a line into its fields. Quotes enclose fields that contain the separator.
fn split_fields(line: &str, separator: char) -> Vec<String> {
    if separator == ' ' {
        return line.split_whitespace().map(|part| part.trim_matches('"').to_owned()).collect();
    }
    let mut quoted = false;
    let parts = line.split(|c| {
        quoted ^= c == '"';
        c == separator && !quoted
    });
    parts.map(|part| part.trim().trim_matches('"').trim().to_owned()).collect()
}

/// Record of the decimal separators (point or comma) found in the values of a file.
#[derive(Default)]
pub(super) struct DecimalSeparators {
    point: bool,
    comma: bool,
}

impl DecimalSeparators {
    /// Records the decimal separator of a value.
    ///
    /// # Errors
    /// Returns a message if the file contains both points and commas, because one of them must then
    /// be a thousands separator.
    pub(super) fn add(&mut self, value: &str) -> Result<(), String> {
        self.point |= value.contains('.');
        self.comma |= value.contains(',');
        if self.point && self.comma {
            return Err(format!(
                "found \"{value}\": the file has both decimal points and commas; write numbers \
                 without separators of thousands"
            ));
        }
        Ok(())
    }
}

/// Parses a finite number with a decimal point or a decimal comma. Returns `None` if the string is
/// not such a number.
pub(super) fn parse_decimal(text: &str) -> Option<f64> {
    text.replace(',', ".").parse().ok().filter(|number: &f64| number.is_finite())
}
