//! Time series from CSV files. A scene can contain a table such as `{ csv = "tide.csv" }` instead
//! of a list `[[seconds, value], …]`. Each such table is replaced by the values from its file
//! before the scene is deserialized.

use super::origin::Origin;
use super::serde_error::SerdeError;
use super::value;
use crate::scene::key::{KeyPath, Segment};
use crate::scene::problem::Problems;
use headwater::Series;
use headwater_io::Files;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Maximum size of a CSV file (bytes).
const MAX_BYTES: u64 = 64 << 20;

/// Table in a scene that refers to a CSV file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CsvSeries {
    csv: PathBuf,
    #[serde(default)]
    times: TimeUnit,
    start: Option<Start>,
    columns: Option<[Column; 2]>,
    #[serde(default = "default_scale")]
    scale: f64,
    #[serde(default)]
    offset: f64,
}

fn default_scale() -> f64 {
    1.0
}

/// Value of the key `start`, which is the time in the CSV file at which the run starts.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a number or a date")]
enum Start {
    Number(f64),
    Date(String),
}

impl std::fmt::Display for Start {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(time) => time.fmt(f),
            Self::Date(date) => date.fmt(f),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a column's name or its number from 1")]
enum Column {
    Number(u64),
    Name(String),
}

/// Unit of the times in the CSV file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
enum TimeUnit {
    #[default]
    #[serde(rename = "s")]
    Seconds,
    #[serde(rename = "min")]
    Minutes,
    #[serde(rename = "h")]
    Hours,
    #[serde(rename = "d")]
    Days,
    #[serde(rename = "date")]
    Dates,
}

impl TimeUnit {
    fn seconds_per_unit(self) -> f64 {
        match self {
            Self::Seconds | Self::Dates => 1.0,
            Self::Minutes => 60.0,
            Self::Hours => 3600.0,
            Self::Days => 86_400.0,
        }
    }

    /// Parses a time from the CSV file and converts it to seconds.
    ///
    /// # Errors
    /// Returns a message if the time is not valid.
    fn parse_time(self, text: &str) -> Result<f64, String> {
        if self == Self::Dates {
            return parse_date(text).ok_or_else(|| {
                format!("found \"{text}\", needs a date such as 2024-05-01 or 2024-05-01 12:30:00")
            });
        }
        let number =
            parse_decimal(text).ok_or_else(|| format!("found \"{text}\", needs a number"))?;
        Ok(number * self.seconds_per_unit())
    }
}

/// Replaces every table in `table` that refers to a CSV file by the time series in the file.
/// Records the files in `origin`. The paths of the files are relative to `directory`, except in
/// overrides, where they are relative to the current directory.
///
/// # Errors
/// Returns the problems of all files that cannot be used.
pub(in crate::scene) fn inline_csv_series(
    table: &mut Table,
    origin: &mut Origin,
    directory: Option<&Path>,
) -> Result<(), Problems> {
    let (files, mut problems, mut read) = (origin.files.clone(), Problems::new(), Vec::new());
    replace_tables(
        table,
        "csv",
        &KeyPath::default(),
        &mut |key_path, table| {
            let key = key_path.to_string();
            let keys = CsvSeries::read(table.clone(), key_path)?;
            let path = origin.resolve_path(&key, &keys.csv, directory);
            let series =
                keys.read_series(&files, &path).map_err(|message| (key.clone(), message))?;
            read.push((format!("{key}.csv"), path));
            let point = |point: &[f64; 2]| Value::Array(point.map(Value::Float).into());
            Ok(Value::Array(series.points().iter().map(point).collect()))
        },
        &mut problems,
    );
    origin.inlined_files.extend(read);
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Replaces every table that has the key `name` by the value that `replace` returns. `replace` is
/// called with the key path and the contents of the table. Its errors are added to `problems`.
pub(in crate::scene) fn replace_tables(
    table: &mut Table,
    name: &str,
    key_path: &KeyPath,
    replace: &mut impl FnMut(&KeyPath, &Table) -> Result<Value, (String, String)>,
    problems: &mut Problems,
) {
    for (key, value) in table.iter_mut() {
        replace_in_value(value, name, key_path.join(Segment::Key(key.clone())), replace, problems);
    }
}

fn replace_in_value(
    value: &mut Value,
    name: &str,
    key_path: KeyPath,
    replace: &mut impl FnMut(&KeyPath, &Table) -> Result<Value, (String, String)>,
    problems: &mut Problems,
) {
    match value {
        Value::Table(table) if table.contains_key(name) => match replace(&key_path, table) {
            Ok(series) => *value = series,
            Err(problem) => problems.push(problem),
        },
        Value::Table(table) => replace_tables(table, name, &key_path, replace, problems),
        // Skips lists of numbers, which cannot contain tables and may be long.
        Value::Array(list) if list.first().is_some_and(|one| one.is_table() || one.is_array()) => {
            for (i, value) in list.iter_mut().enumerate() {
                if value.is_table() || value.is_array() {
                    replace_in_value(
                        value,
                        name,
                        key_path.join(Segment::Index(i)),
                        replace,
                        problems,
                    );
                }
            }
        }
        _ => {}
    }
}

impl CsvSeries {
    fn read(mut table: Table, key_path: &KeyPath) -> Result<Self, (String, String)> {
        if let Some(date @ Value::Datetime(_)) = table.get_mut("start") {
            *date = Value::String(date.to_string());
        }
        value::deserialize_table(table).map_err(|fault| {
            let mut whole = key_path.clone();
            whole.0.extend(fault.path().0);
            SerdeError::new(&fault.message).message_at(&whole)
        })
    }

    fn read_series(&self, files: &Files, path: &Path) -> Result<Series, String> {
        let of_file = |message: String| format!("{}: {message}", path.display());
        let bytes = files
            .read_prefix(path, MAX_BYTES + 1)
            .map_err(|error| of_file(format!("cannot be read: {error}")))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(of_file("longer than 64 MiB, the maximum size of a series".into()));
        }
        let text = std::str::from_utf8(&bytes)
            .map_err(|error| of_file(format!("byte {} is not UTF-8", error.valid_up_to())))?;
        self.parse_text(text.strip_prefix('\u{feff}').unwrap_or(text)).map_err(of_file)
    }

    fn parse_text(&self, text: &str) -> Result<Series, String> {
        if !(self.scale.is_finite() && self.offset.is_finite()) {
            return Err(format!(
                "found scale {} and offset {}, needs finite numbers",
                self.scale, self.offset
            ));
        }
        let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
        let mut lines =
            lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).peekable();
        let Some(&(_, first)) = lines.peek() else { return Err("has no lines".into()) };
        let separator =
            [';', '\t', ','].into_iter().find(|one| first.contains(*one)).unwrap_or(' ');
        let fields = |line: &str| -> Vec<String> {
            let parts: Vec<&str> = match separator {
                ' ' => line.split_whitespace().collect(),
                separator => line.split(separator).collect(),
            };
            parts.iter().map(|part| part.trim().trim_matches('"').to_owned()).collect()
        };
        let names = fields(first);
        let [time, level] = self.column_indices(&names)?;
        // The first line is a header if its time column contains no time.
        let is_head = names.get(time).is_none_or(|text| self.times.parse_time(text).is_err());
        if is_head {
            lines.next();
        }
        let mut start = self.start_time()?;
        let (mut points, mut last): (Vec<[f64; 2]>, _) = (Vec::new(), None);
        let mut last_text = String::new();
        for (number, line) in lines {
            let fields = fields(line);
            let at_line = |message: String| format!("line {number}: {message}");
            let Some((t, v)) = fields.get(time).zip(fields.get(level)) else {
                let needs = time.max(level) + 1;
                return Err(at_line(format!("found {} columns, needs {needs}", fields.len())));
            };
            // An empty value is a gap in the record, over which the series is interpolated
            // linearly.
            if v.is_empty() {
                continue;
            }
            last_text.clone_from(t);
            let t = self.times.parse_time(t).map_err(at_line)?;
            let v = parse_decimal(v)
                .ok_or_else(|| at_line(format!("found \"{v}\", needs a number")))?;
            if last.is_some_and(|last| t <= last) {
                return Err(at_line("its time is not after that of the previous line".into()));
            }
            last = Some(t);
            let zero = *start.get_or_insert(if self.times == TimeUnit::Dates { t } else { 0.0 });
            points.push([t - zero, v * self.scale + self.offset]);
        }
        let Some([end, _]) = points.last() else { return Err("has no values".into()) };
        if let Some(start) = self.start.as_ref().filter(|_| *end < 0.0) {
            return Err(format!(
                "start: found {start}, needs a time within the file; its last time is {last_text}"
            ));
        }
        Series::from_table(points).map_err(|error| error.to_string())
    }

    /// Returns the time in the CSV file at which the run starts (s); `None` if the scene does not
    /// give it.
    ///
    /// # Errors
    /// Returns a message if the value of the key `start` is not valid.
    fn start_time(&self) -> Result<Option<f64>, String> {
        match (&self.start, self.times) {
            (None, _) => Ok(None),
            (Some(Start::Date(text)), TimeUnit::Dates) => self.times.parse_time(text).map(Some),
            (Some(Start::Number(time)), times) if times != TimeUnit::Dates && time.is_finite() => {
                Ok(Some(time * times.seconds_per_unit()))
            }
            (Some(Start::Number(found)), TimeUnit::Dates) => {
                Err(format!("found {found}, needs a date such as 2024-05-01 12:30:00"))
            }
            (Some(Start::Number(found)), _) => Err(format!("found {found}, needs a finite number")),
            (Some(Start::Date(found)), _) => {
                Err(format!("found \"{found}\", needs a number: `times` is not \"date\""))
            }
        }
        .map_err(|message| format!("start: {message}"))
    }

    /// Returns the indices of the time column and the value column, counted from 0. `names`
    /// contains the names of all columns.
    ///
    /// # Errors
    /// Returns a message if a column does not exist, or if both columns are the same.
    fn column_indices(&self, names: &[String]) -> Result<[usize; 2], String> {
        let Some(columns) = &self.columns else { return Ok([0, 1]) };
        let mut found = [0; 2];
        for (found, column) in found.iter_mut().zip(columns) {
            *found = match column {
                Column::Number(number @ 1..=10_000) => *number as usize - 1,
                Column::Number(number) => {
                    return Err(format!("columns: found {number}, needs numbers from 1"));
                }
                Column::Name(name) => {
                    let mut all = names.iter().enumerate().filter(|(_, one)| *one == name);
                    let Some((first, _)) = all.next() else {
                        let names = names.join(", ");
                        return Err(format!("columns: found \"{name}\", the file has {names}"));
                    };
                    if let Some((other, _)) = all.next() {
                        let (first, other) = (first + 1, other + 1);
                        return Err(format!(
                            "columns: found \"{name}\", which is the name of columns {first} and {other}; use a column number instead"
                        ));
                    }
                    first
                }
            };
        }
        if found[0] == found[1] {
            let column = found[0] + 1;
            return Err(format!(
                "columns: found column {column} for times and for values, needs two"
            ));
        }
        Ok(found)
    }
}

/// Parses a finite number with a decimal point or a decimal comma. Returns `None` if the string is
/// not such a number.
fn parse_decimal(text: &str) -> Option<f64> {
    text.replace(',', ".").parse().ok().filter(|number: &f64| number.is_finite())
}

/// Parses a date such as `2024-05-01`, `2024-05-01 12:30` or `2024-05-01T12:30:15.5Z`. Returns the
/// seconds since the start of 1970, or `None` if the string is not a date. Time zones are ignored.
fn parse_date(text: &str) -> Option<f64> {
    let text = text.trim_end_matches('Z');
    let (day, time) = text.split_once(['T', ' ']).unwrap_or((text, ""));
    let mut parts = day.split('-');
    let mut whole = |digits: usize| -> Option<i64> {
        let part = parts.next().filter(|part| part.len() == digits)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?
    };
    let (year, month, day) = (whole(4)?, whole(2)?, whole(2)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let before = usize::try_from(month - 1).ok().filter(|&month| month < 12)?;
    if parts.next().is_some() || !(1..=lengths[before]).contains(&day) {
        return None;
    }
    let leaps = |year: i64| year / 4 - year / 100 + year / 400;
    let years = 365 * (year - 1970) + leaps(year - 1) - leaps(1969);
    let days = years + lengths[..before].iter().sum::<i64>() + day - 1;
    let mut clock = [0.0; 3];
    let parts_of_time: Vec<&str> =
        if time.is_empty() { Vec::new() } else { time.trim().split(':').collect() };
    if !(parts_of_time.is_empty() || (2..=3).contains(&parts_of_time.len())) {
        return None;
    }
    for (part, (clock, most)) in parts_of_time.iter().zip(clock.iter_mut().zip([24.0, 60.0, 60.0]))
    {
        let digits = |byte: u8| byte.is_ascii_digit() || byte == b'.';
        let value: f64 = part.bytes().all(digits).then(|| part.parse().ok())??;
        *clock = Some(value).filter(|&value| value < most)?;
    }
    Some(days as f64 * 86_400.0 + clock[0] * 3600.0 + clock[1] * 60.0 + clock[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_table(keys: &str, text: &str) -> Result<Vec<[f64; 2]>, String> {
        let keys: Table = format!("csv = 'x.csv'\n{keys}").parse().unwrap();
        let keys = CsvSeries::read(keys, &KeyPath::default()).map_err(|(_, message)| message)?;
        keys.parse_text(text).map(|series| series.points().to_vec())
    }

    #[test]
    fn common_column_separators_are_accepted() {
        let expected = vec![[0.0, 1.5], [60.0, -2.0]];
        for text in [
            "0,1.5\n60,-2\n",
            "t;level\n0;1,5\n60;-2\n",
            "# tide\n\n0\t1.5\n60\t-2",
            "0 1.5\n60 -2",
        ] {
            assert_eq!(from_table("", text).unwrap(), expected, "{text}");
        }
        let text = "when,rain,\"level\"\n0,9,1.5\n30,9,\n60,9,-2\n";
        assert_eq!(from_table("columns = ['when', 'level']", text).unwrap(), expected);
        assert_eq!(from_table("columns = [1, 3]", text).unwrap(), expected);
    }

    #[test]
    fn times_and_values_are_converted_to_the_given_units() {
        let text = "1,10\n3,20\n";
        let hours = from_table("times = 'h'\nstart = 1\nscale = 0.01\noffset = 2", text).unwrap();
        assert_eq!(hours, [[0.0, 2.1], [7200.0, 2.2]]);
        assert_eq!(from_table("times = 'min'", text).unwrap()[1][0], 180.0);
        assert_eq!(from_table("times = 'd'\nstart = 0.5", text).unwrap()[0][0], 43_200.0);
        let text = "2024-02-28 23:30,1\n2024-03-01T00:00:30Z,2\n";
        let dates = from_table("times = 'date'", text).unwrap();
        assert_eq!(dates, [[0.0, 1.0], [88_230.0, 2.0]]);
        for start in ["2024-02-29", "'2024-02-29 00:00'", "2024-02-29T00:00:00"] {
            let dates = from_table(&format!("times = 'date'\nstart = {start}"), text).unwrap();
            assert_eq!([dates[0][0], dates[1][0]], [-1800.0, 86_430.0], "{start}");
        }
    }

    #[test]
    fn dates_are_counted_from_1970() {
        assert_eq!(parse_date("1970-01-01"), Some(0.0));
        assert_eq!(parse_date("2000-03-01 00:00:01.5"), Some(951_868_801.5));
        assert_eq!(parse_date("1969-12-31T23:59:59"), Some(-1.0));
        for bad in
            ["2023-02-29", "2024-13-01", "24-01-01", "2024-01-01 25:00", "2024-01-01 1", "noon"]
        {
            assert_eq!(parse_date(bad), None, "{bad}");
        }
    }

    #[test]
    fn errors_contain_the_line() {
        let error_of = |keys: &str, text: &str| from_table(keys, text).unwrap_err();
        assert_eq!(error_of("", "t,v\n0,1\n1,x\n"), "line 3: found \"x\", needs a number");
        assert_eq!(error_of("", "0,1\n1\n"), "line 2: found 1 columns, needs 2");
        assert!(error_of("", "0,1\n0,2\n").starts_with("line 2: its time is not after"));
        assert_eq!(error_of("", "# nothing\n"), "has no lines");
        assert_eq!(error_of("", "t,v\n"), "has no values");
        assert!(error_of("times = 'date'", "2024-01-01,1\n3,2\n").contains("needs a date such as"));
        assert!(error_of("columns = ['t', 'w']", "t,v\n0,1\n").contains("the file has t, v"));
        let twice = "t,v,v\n0,1,2\n";
        assert!(error_of("columns = ['t', 'v']", twice).contains("the name of columns 2 and 3"));
        assert!(from_table("columns = ['t', 3]", twice).is_ok());
        assert!(
            error_of("columns = ['t', 't']", twice).contains("column 1 for times and for values")
        );
        assert_eq!(
            error_of("start = 2\ntimes = 'h'", "0,1\n1.5,2\n"),
            "start: found 2, needs a time within the file; its last time is 1.5"
        );
        assert!(from_table("start = 1.5\ntimes = 'h'", "0,1\n1.5,2\n").is_ok());
        let dates = "2024-01-01,1\n2024-01-02,2\n";
        assert!(
            error_of("times = 'date'\nstart = 2024-02-01", dates)
                .starts_with("start: found 2024-02-01, needs a time within the file")
        );
        assert!(error_of("columns = [0, 2]", "t,v\n0,1\n").contains("numbers from 1"));
        assert!(error_of("times = 'week'", "0,1\n").contains("\"week\""));
        assert!(error_of("start = 'noon'", "0,1\n").contains("needs a number: `times`"));
    }
}
