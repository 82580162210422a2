//! Time series from CSV files. A scene can contain a table such as `{ csv = "tide.csv" }` instead
//! of a list `[[seconds, value], …]`. Each such table is replaced by the values from its file
//! before the scene is deserialized.

use super::budget::Budget;
use super::csv_date::{self, CsvTime, TimeZones, quote_number};
use super::csv_table::{self, Column, CsvTable, DecimalSeparators, parse_decimal};
use super::csv_units;
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

/// Table in a scene that refers to a CSV file.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct CsvSeries {
    csv: PathBuf,
    times: Option<TimeUnit>,
    start: Option<StartTime>,
    columns: Option<[Column; 2]>,
    scale: Option<f64>,
    #[serde(default)]
    offset: f64,
    missing: Option<f64>,
}

/// Codes that many loggers write for missing values. They are rejected unless the scene defines
/// their meaning.
const MISSING_CODES: [f64; 6] = [-999.0, -999.9, -999.99, -9999.0, -99999.0, -999999.0];
/// Words for a missing value, in lower case.
const MISSING_WORDS: [&str; 10] =
    ["", "-", "--", "na", "n/a", "#n/a", "nan", "null", "none", "missing"];

/// Value of the key `start`: the time in the CSV file at which the run starts.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "expected a number or a date")]
enum StartTime {
    Number(f64),
    Date(String),
}

impl std::fmt::Display for StartTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(time) => time.fmt(f),
            Self::Date(date) => date.fmt(f),
        }
    }
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
    fn seconds(self) -> f64 {
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
    fn parse_time(self, text: &str) -> Result<CsvTime, String> {
        if text.is_empty() {
            return Err("the time is missing".into());
        }
        if self == Self::Dates {
            return csv_date::parse(text);
        }
        let number = parse_decimal(text)
            .ok_or_else(|| format!("found {}, needs a number", quote_number(text)))?;
        Ok(CsvTime { seconds: number * self.seconds(), zone: None })
    }
}

/// Replaces every table in `table` that refers to a CSV file with the time series in the file.
/// Records the files in `origin`. The paths of the files are relative to `directory`, except in
/// overrides, where they are relative to the current directory.
///
/// # Errors
/// Returns the problems of all files that cannot be used.
pub(in crate::scene) fn inline_csv_series(
    table: &mut Table,
    origin: &mut Origin,
    directory: Option<&Path>,
    budget: &mut Budget,
) -> Result<(), Problems> {
    let (files, mut problems, mut read) = (origin.files.clone(), Problems::new(), Vec::new());
    // Series or errors of files that have already been read. Several tables may refer to the same
    // file.
    let mut known: Vec<(PathBuf, CsvSeries, Result<Series, String>)> = Vec::new();
    replace_tables(
        table,
        &KeyPath::default(),
        &mut |key_path, table| {
            if !table.contains_key("csv") {
                return Ok(None);
            }
            if budget.is_exceeded() {
                return Ok(Some(Value::Array(Vec::new())));
            }
            let key = key_path.to_string();
            let keys = CsvSeries::read(table.clone(), key_path)?;
            let path = origin.resolve_path(&key, &keys.csv, directory);
            let same = |(other, other_keys, _): &(_, _, _)| *other == path && *other_keys == keys;
            let i = known.iter().position(same).unwrap_or_else(|| {
                let series = keys.read_series(&files, &path, budget);
                known.push((path.clone(), keys, series));
                known.len() - 1
            });
            let series = known[i].2.as_ref().map_err(|message| (key.clone(), message.clone()))?;
            budget
                .take_points(series.points().len())
                .map_err(|message| (key.clone(), format!("{}: {message}", path.display())))?;
            read.push((format!("{key}.csv"), path));
            let point = |point: &[f64; 2]| Value::Array(point.map(Value::Float).into());
            Ok(Some(Value::Array(series.points().iter().map(point).collect())))
        },
        &mut problems,
    );
    origin.inlined_files.extend(read);
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Calls `replace` with the key path and the contents of every table in `table`. If `replace`
/// returns a value, this value replaces the table, and the subtables are not visited. Adds the
/// errors of `replace`, each a key and a message, to `problems`.
pub(super) fn replace_tables(
    table: &mut Table,
    key_path: &KeyPath,
    replace: &mut impl FnMut(&KeyPath, &Table) -> Result<Option<Value>, (String, String)>,
    problems: &mut Problems,
) {
    for (key, value) in table.iter_mut() {
        replace_in_value(value, key_path.join(Segment::Key(key.clone())), replace, problems);
    }
}

fn replace_in_value(
    value: &mut Value,
    key_path: KeyPath,
    replace: &mut impl FnMut(&KeyPath, &Table) -> Result<Option<Value>, (String, String)>,
    problems: &mut Problems,
) {
    match value {
        Value::Table(table) => match replace(&key_path, table) {
            Ok(Some(new)) => *value = new,
            Ok(None) => replace_tables(table, &key_path, replace, problems),
            Err(problem) => problems.push(problem),
        },
        Value::Array(list) => {
            for (i, value) in list.iter_mut().enumerate() {
                if value.is_table() || value.is_array() {
                    let key_path = key_path.join(Segment::Index(i));
                    replace_in_value(value, key_path, replace, problems);
                }
            }
        }
        _ => {}
    }
}

/// Checks that the first two columns of a file are the times and the values. `names` are the fields
/// of the first line, which is a header if `is_header_line` is true.
fn check_default_columns(names: &[String], is_header_line: bool) -> Result<(), String> {
    let count = names.iter().filter(|name| !name.is_empty()).count();
    if !is_header_line && count > 2 {
        return Err(format!(
            "found {count} columns without names; set `columns`, such as [1, 2], or, if numbers have \
             decimal commas, separate the columns by semicolons or tabs"
        ));
    }
    let is_time = |name: &String| {
        let word = name.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        ["time", "date", "datetime", "timestamp"].contains(&word.to_lowercase().as_str())
    };
    match names.iter().position(is_time).filter(|_| is_header_line) {
        Some(column) if column > 0 => Err(format!(
            "the column of times, `{}`, is not the first; set `columns`, such as [\"{}\", \"{}\"]",
            names[column],
            names[column],
            names.get(column + 1).map_or("VALUE", String::as_str)
        )),
        _ => Ok(()),
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

    fn read_series(
        &self,
        files: &Files,
        path: &Path,
        budget: &mut Budget,
    ) -> Result<Series, String> {
        let of_file = |message: String| format!("{}: {message}", path.display());
        let text = csv_table::read_text(files, path, budget).map_err(of_file)?;
        self.parse_text(&text, budget).map_err(of_file)
    }

    fn parse_text(&self, text: &str, budget: &mut Budget) -> Result<Series, String> {
        let scale = self.scale.unwrap_or(1.0);
        if !(scale.is_finite() && self.offset.is_finite()) {
            return Err(format!(
                "found scale {scale} and offset {}, needs finite numbers",
                self.offset
            ));
        }
        let times = self.times.unwrap_or_default();
        let CsvTable { names, mut lines } = CsvTable::new(text)?;
        let [time, level] = self.columns(&names)?;
        // The first line is a header if its time column contains no time.
        let is_head = names.get(time).is_none_or(|text| times.parse_time(text).is_err());
        if self.columns.is_none() {
            check_default_columns(&names, is_head)?;
        }
        if is_head {
            lines.next();
            let name = |column: usize| names.get(column).map(String::as_str).unwrap_or_default();
            csv_units::check_time(name(time), self.times.is_some())?;
            csv_units::check_value(name(level), self.scale.is_some())?;
        }
        let (mut points, mut zones): (Vec<[f64; 2]>, _) = (Vec::new(), TimeZones::default());
        let mut signs = DecimalSeparators::default();
        let mut last_text = String::new();
        for (number, fields) in lines {
            let at_line = |message: String| format!("line {number}: {message}");
            let Some((t, v)) = fields.get(time).zip(fields.get(level)) else {
                let needs = time.max(level) + 1;
                return Err(at_line(format!("found {} columns, needs {needs}", fields.len())));
            };
            if fields.len() > names.len() && fields[names.len()..].iter().any(|one| !one.is_empty())
            {
                return Err(at_line(format!(
                    "found {} columns, but the first line has {}; if numbers have decimal commas, \
                     separate the columns by semicolons or tabs",
                    fields.len(),
                    names.len()
                )));
            }
            // A missing value is a gap in the record, over which the series is interpolated
            // linearly.
            if MISSING_WORDS.iter().any(|word| v.eq_ignore_ascii_case(word)) {
                continue;
            }
            let text = t;
            let t = times.parse_time(t).map_err(at_line)?;
            zones.add(&t).map_err(at_line)?;
            signs.add(v).map_err(at_line)?;
            let v = parse_decimal(v)
                .ok_or_else(|| at_line(format!("found {}, needs a number", quote_number(v))))?;
            match self.missing {
                Some(missing) if missing == v => continue,
                None if MISSING_CODES.contains(&v) => {
                    return Err(at_line(format!(
                        "found {v}, a common code for a missing value; set missing = {v} to skip \
                         such lines, or missing = nan if it is a value"
                    )));
                }
                _ => {}
            }
            let point = [t.seconds - t.zone.unwrap_or(0.0), v * scale + self.offset];
            if let Some(last) = points.last() {
                // Some loggers write the same line twice.
                if *last == point {
                    continue;
                }
                if point[0] <= last[0] {
                    return Err(at_line(format!(
                        "its time is not after that of the previous value, {last_text}; if a clock \
                         was set back, give the dates with their zone (+02:00)"
                    )));
                }
            }
            if points.len() == budget.remaining_points() {
                return Err(at_line(budget.too_many_points()));
            }
            points.push(point);
            last_text.clone_from(text);
        }
        let Some([end, _]) = points.last().copied() else { return Err("has no values".into()) };
        let zero = match (self.start(times, &zones)?, times) {
            (Some(start), _) => start,
            (None, TimeUnit::Dates) => points[0][0],
            (None, _) => 0.0,
        };
        if let Some(start) = self.start.as_ref().filter(|_| end < zero) {
            return Err(format!(
                "start: found {start}, needs a time within the file; its last time is {last_text}"
            ));
        }
        points.iter_mut().for_each(|[time, _]| *time -= zero);
        Series::from_table(points).map_err(|error| error.to_string())
    }

    /// Returns the time in the CSV file at which the run starts (s); `None` if the scene does not
    /// give it. A date without a zone is in the zone of the file.
    ///
    /// # Errors
    /// Returns a message if the value of the key `start` is not valid.
    fn start(&self, times: TimeUnit, zones: &TimeZones) -> Result<Option<f64>, String> {
        match (&self.start, times) {
            (None, _) => Ok(None),
            (Some(StartTime::Date(text)), TimeUnit::Dates) => {
                times.parse_time(text).and_then(|time| zones.seconds(&time)).map(Some)
            }
            (Some(StartTime::Number(time)), times)
                if times != TimeUnit::Dates && time.is_finite() =>
            {
                Ok(Some(time * times.seconds()))
            }
            (Some(StartTime::Number(found)), TimeUnit::Dates) => {
                Err(format!("found {found}, needs a date such as 2024-05-01 12:30:00"))
            }
            (Some(StartTime::Number(found)), _) => {
                Err(format!("found {found}, needs a finite number"))
            }
            (Some(StartTime::Date(found)), _) => {
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
    fn columns(&self, names: &[String]) -> Result<[usize; 2], String> {
        let Some(columns) = &self.columns else { return Ok([0, 1]) };
        let find =
            |column: &Column| column.index(names).map_err(|message| format!("columns: {message}"));
        let found = [find(&columns[0])?, find(&columns[1])?];
        if found[0] == found[1] {
            let column = found[0] + 1;
            return Err(format!(
                "columns: found column {column} for times and for values, needs two"
            ));
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Limits;

    fn read(keys: &str, text: &str) -> Result<Vec<[f64; 2]>, String> {
        let keys: Table = format!("csv = 'x.csv'\n{keys}").parse().unwrap();
        let keys = CsvSeries::read(keys, &KeyPath::default()).map_err(|(_, message)| message)?;
        let mut budget = Budget::new(Limits::default());
        keys.parse_text(text, &mut budget).map(|series| series.points().to_vec())
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
            assert_eq!(read("", text).unwrap(), expected, "{text}");
        }
        let text = "when,rain,\"level\"\n0,9,1.5\n30,9,\n60,9,-2\n";
        assert_eq!(read("columns = ['when', 'level']", text).unwrap(), expected);
        assert_eq!(read("columns = [1, 3]", text).unwrap(), expected);
    }

    #[test]
    fn times_and_values_are_converted_to_the_given_units() {
        let text = "1,10\n3,20\n";
        let hours = read("times = 'h'\nstart = 1\nscale = 0.01\noffset = 2", text).unwrap();
        assert_eq!(hours, [[0.0, 2.1], [7200.0, 2.2]]);
        assert_eq!(read("times = 'min'", text).unwrap()[1][0], 180.0);
        assert_eq!(read("times = 'd'\nstart = 0.5", text).unwrap()[0][0], 43_200.0);
        let text = "2024-02-28 23:30,1\n2024-03-01T00:00:30,2\n";
        let dates = read("times = 'date'", text).unwrap();
        assert_eq!(dates, [[0.0, 1.0], [88_230.0, 2.0]]);
        for start in ["2024-02-29", "'2024-02-29 00:00'", "2024-02-29T00:00:00"] {
            let dates = read(&format!("times = 'date'\nstart = {start}"), text).unwrap();
            assert_eq!([dates[0][0], dates[1][0]], [-1800.0, 86_430.0], "{start}");
        }
    }

    #[test]
    fn dates_may_have_time_zones() {
        let of = |text: &str| read("times = 'date'", text);
        let offsets = "2025-05-07T11:00:00-07:00,1\n2025-05-07T12:00:00-07:00,2\n";
        assert_eq!(of(offsets).unwrap(), [[0.0, 1.0], [3600.0, 2.0]]);
        // The clock is set forward by one hour.
        let spring = "2025-03-30 01:30 +01:00,1\n2025-03-30 03:30 +02:00,2\n";
        assert_eq!(of(spring).unwrap()[1][0], 3600.0);
        for start in ["2025-05-07 11:30", "2025-05-07T18:30:00Z"] {
            let points = read(&format!("times = 'date'\nstart = '{start}'"), offsets).unwrap();
            assert_eq!(points[0][0], -1800.0, "{start}");
        }
        let mixed = of("2025-05-07 11:00Z,1\n2025-05-07 12:00,2\n").unwrap_err();
        assert_eq!(mixed, "line 2: its date has no zone, dates before it have one");
        let unclear = read("times = 'date'\nstart = '2025-03-30 02:00'", spring).unwrap_err();
        assert!(unclear.contains("different zones"), "{unclear}");
        let none =
            read("times = 'date'\nstart = '2025-05-07 11:00Z'", "2025-05-07,1\n").unwrap_err();
        assert!(none.contains("the dates of the file have none"), "{none}");
        let autumn = of("2025-10-26 02:30,1\n2025-10-26 02:00,2\n").unwrap_err();
        assert!(autumn.contains("a clock was set back"), "{autumn}");
    }

    #[test]
    fn missing_values_are_omitted_from_the_series() {
        let expected = [[0.0, 1.0], [3.0, 2.0]];
        for gap in ["", "NA", "NaN", "-", "null", "\"\""] {
            let text = format!("t,v\n0,1\n1,{gap}\n3,2\n");
            assert_eq!(read("", &text).unwrap(), expected, "{gap}");
        }
        let text = "0,1\n1,-9999\n3,2\n";
        let message = read("", text).unwrap_err();
        assert!(message.starts_with("line 2: found -9999") && message.contains("missing = -9999"));
        assert_eq!(read("missing = -9999", text).unwrap(), expected);
        assert_eq!(read("missing = nan", text).unwrap()[1], [1.0, -9999.0]);
        assert_eq!(read("missing = 7", "0,1\n1,7\n3,2\n").unwrap(), expected);
        assert_eq!(read("", "0,1\n0,1\n3,2\n").unwrap(), expected);
        assert_eq!(read("", "0,1\n,5\n").unwrap_err(), "line 2: the time is missing");
    }

    #[test]
    fn unit_conversions_are_required_if_column_names_contain_units() {
        let message = read("", "time [h],q\n0,1\n1,2\n").unwrap_err();
        assert!(message.contains("set times = \"h\""), "{message}");
        assert!(read("times = 'h'", "time [h],q\n0,1\n1,2\n").is_ok());
        assert!(read("", "Hours,q\n0,1\n1,2\n").is_err());
        let message = read("", "t,\"Q, total (cfs)\"\n0,1\n1,2\n").unwrap_err();
        assert!(message.contains("0.028316846592 converts to m³/s"), "{message}");
        assert!(read("scale = 0.0283", "t,Q (cfs)\n0,1\n").is_ok());
        assert!(read("", "t [s],Q [m3/s]\n0,1\n").is_ok());
    }

    #[test]
    fn quoted_fields_and_thousands_separators_are_not_misread() {
        let message = read("", "0,\"1,234.5\"\n").unwrap_err();
        assert!(message.contains("both decimal points and commas"), "{message}");
        let message = read("", "0;1,234\n1;1.5\n").unwrap_err();
        assert!(message.starts_with("line 2: found \"1.5\""), "{message}");
        assert_eq!(read("", "0;1,25\n").unwrap(), [[0.0, 1.25]]);
    }

    #[test]
    fn errors_report_the_line_number() {
        let error_of = |keys: &str, text: &str| read(keys, text).unwrap_err();
        assert_eq!(error_of("", "t,v\n0,1\n1,x\n"), "line 3: found text, needs a number");
        assert_eq!(error_of("", "0,1\n1\n"), "line 2: found 1 columns, needs 2");
        assert!(error_of("", "0,1\n0,2\n").starts_with("line 2: its time is not after"));
        assert_eq!(error_of("", "# nothing\n"), "has no lines");
        assert_eq!(error_of("", "t,v\n"), "has no values");
        assert!(error_of("times = 'date'", "2024-01-01,1\n3,2\n").contains("needs a date such as"));
        assert!(error_of("columns = ['t', 'w']", "t,v\n0,1\n").contains("the file has t, v"));
        let twice = "t,v,v\n0,1,2\n";
        assert!(error_of("columns = ['t', 'v']", twice).contains("the name of columns 2 and 3"));
        assert!(read("columns = ['t', 3]", twice).is_ok());
        assert!(
            error_of("columns = ['t', 't']", twice).contains("column 1 for times and for values")
        );
        assert_eq!(
            error_of("start = 2\ntimes = 'h'", "0,1\n1.5,2\n"),
            "start: found 2, needs a time within the file; its last time is 1.5"
        );
        assert!(read("start = 1.5\ntimes = 'h'", "0,1\n1.5,2\n").is_ok());
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
