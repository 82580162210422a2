//! Dates in CSV files, with or without a time zone.

/// Time of a line in a CSV file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CsvTime {
    /// Local time in the zone (seconds since the start of 1970). If the file contains numbers
    /// instead of dates, this is the number converted to seconds.
    pub(super) seconds: f64,
    /// Offset of the local time from UTC (s), positive to the east; `None` if the date has no zone.
    pub(super) zone: Option<f64>,
}

/// Time zones of the dates in a file: either all dates have a zone, or none has. The zones may
/// differ, for example in summer.
#[derive(Debug, Default)]
pub(super) struct TimeZones {
    first: Option<Option<f64>>,
    differ: bool,
}

impl TimeZones {
    /// Records the zone of a time.
    ///
    /// # Errors
    /// Returns a message if this time has a zone and others have none, or vice versa.
    pub(super) fn add(&mut self, time: &CsvTime) -> Result<(), String> {
        let first = *self.first.get_or_insert(time.zone);
        self.differ |= first != time.zone;
        match (first, time.zone) {
            (Some(_), None) => Err("its date has no zone, dates before it have one".into()),
            (None, Some(_)) => Err("its date has a zone, dates before it have none".into()),
            _ => Ok(()),
        }
    }

    /// Converts a time from another source to seconds, so that it can be compared with the times in
    /// the file. The result is in UTC if the file's times have zones, and otherwise in the local
    /// time of the file. A time without a zone is assumed to be in the zone of the file.
    ///
    /// # Errors
    /// Returns a message if the zone cannot be determined.
    pub(super) fn seconds(&self, time: &CsvTime) -> Result<f64, String> {
        match (time.zone, self.first.flatten()) {
            (Some(_), None) => Err("the date has a zone, the dates of the file have none".into()),
            (None, Some(_)) if self.differ => {
                Err("the dates of the file have different zones; give the zone (+02:00)".into())
            }
            (own, of_file) => Ok(time.seconds - own.or(of_file).unwrap_or(0.0)),
        }
    }
}

/// Quotes the content of a field that should be a number or a date, for messages. If the content
/// does not look like a number or a date, returns the word `text` instead, because the file may be
/// confidential and not a time series at all.
pub(super) fn quote_number(text: &str) -> String {
    let is_numeric = |c: char| c.is_ascii_digit() || "+-.,:/eETZ \u{2212}".contains(c);
    match text.len() <= 40 && text.chars().all(is_numeric) {
        true => format!("\"{text}\""),
        false => "text".to_owned(),
    }
}

/// Parses a date such as `2024-05-01`, `2024-05-01 12:30`, `2024-05-01T12:30:15.5Z` or
/// `2024-05-01T12:30+02:00`.
///
/// # Errors
/// Returns a message if the string is not a date.
pub(super) fn parse(text: &str) -> Result<CsvTime, String> {
    let (day, clock) = text.split_once(['T', ' ']).unwrap_or((text, ""));
    split_time_zone(clock)
        .and_then(|(time, zone)| Some(CsvTime { seconds: seconds_since_epoch(day, time)?, zone }))
        .ok_or_else(|| {
            let order = match day.split(['.', '/', '-']).map(str::len).collect::<Vec<_>>()[..] {
                [1 | 2, 1 | 2, 2 | 4] => "; the order of day and month is ambiguous",
                _ => "",
            };
            let found = quote_number(text);
            format!(
                "found {found}, needs a date such as 2024-05-01, 2024-05-01 12:30:00 or \
                 2024-05-01T12:30:00+02:00{order}"
            )
        })
}

/// Splits the zone off a time of day. Returns the time of day, and the offset of the zone from UTC
/// (s) if there is a zone. Returns `None` if the zone is not valid.
fn split_time_zone(text: &str) -> Option<(&str, Option<f64>)> {
    for utc in ["Z", "z", "UTC", "GMT"] {
        if let Some(time) = text.strip_suffix(utc) {
            return Some((time.trim_end(), Some(0.0)));
        }
    }
    let Some(at) = text.find(['+', '-', '\u{2212}']) else { return Some((text, None)) };
    let (time, zone) = text.split_at(at);
    let sign = if zone.starts_with('+') { 1.0 } else { -1.0 };
    let zone = zone.trim_start_matches(['+', '-', '\u{2212}']);
    let (hours, minutes) = match zone.split_once(':') {
        Some(parts) => parts,
        None => zone.split_at_checked(2)?,
    };
    let number = |text: &str, max: f64| -> Option<f64> {
        let digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|value| digits && *value <= max)
    };
    let minutes = if minutes.is_empty() { 0.0 } else { number(minutes, 59.0)? };
    let offset = 3600.0 * number(hours, 14.0)? + 60.0 * minutes;
    // A date without a time has no zone.
    (!time.trim().is_empty()).then(|| (time.trim_end(), Some(sign * offset)))
}

/// Converts a day and a time of day to seconds since the start of 1970. An empty time of day stands
/// for midnight. Returns `None` if the day or the time is not valid.
fn seconds_since_epoch(day: &str, time: &str) -> Option<f64> {
    let mut parts = day.split(['-', '/']);
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
    for (part, (clock, max)) in parts_of_time.iter().zip(clock.iter_mut().zip([25.0, 60.0, 60.0])) {
        let digits = |byte: u8| byte.is_ascii_digit() || byte == b'.';
        let value: f64 = part.bytes().all(digits).then(|| part.parse().ok())??;
        *clock = Some(value).filter(|&value| value < max)?;
    }
    // Some loggers write midnight at the end of a day as 24:00.
    if clock[0] >= 24.0 && clock != [24.0, 0.0, 0.0] {
        return None;
    }
    Some(days as f64 * 86_400.0 + clock[0] * 3600.0 + clock[1] * 60.0 + clock[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_date_seconds(text: &str) -> Option<f64> {
        parse(text).ok().map(|time| time.seconds - time.zone.unwrap_or(0.0))
    }

    #[test]
    fn dates_are_counted_from_1970() {
        assert_eq!(parse_date_seconds("1970-01-01"), Some(0.0));
        assert_eq!(parse_date_seconds("2000-03-01 00:00:01.5"), Some(951_868_801.5));
        assert_eq!(parse_date_seconds("1969-12-31T23:59:59"), Some(-1.0));
        for bad in
            ["2023-02-29", "2024-13-01", "24-01-01", "2024-01-01 25:00", "2024-01-01 1", "noon"]
        {
            assert_eq!(parse_date_seconds(bad), None, "{bad}");
        }
    }

    #[test]
    fn time_zones_are_offsets_from_utc() {
        let noon = parse_date_seconds("2024-05-01 12:00Z");
        for text in [
            "2024-05-01T05:00:00-07:00",
            "2024-05-01T14:00+02:00",
            "2024-05-01 14:00:00 +0200",
            "2024-05-01 17:30+05:30",
            "2024-05-01 13:00+01",
            "2024-05-01 12:00 UTC",
            "2024/05/01 12:00",
        ] {
            assert_eq!(parse_date_seconds(text), noon, "{text}");
        }
        assert_eq!(parse_date_seconds("2024-05-01 24:00"), parse_date_seconds("2024-05-02"));
        for bad in [
            "2024-05-01 12:00+2",
            "2024-05-01 12:00+25:00",
            "2024-05-01 +02:00",
            "2024-05-01 12:00+02:60",
            "2024-05-01 24:01",
            "2024-05-01 12:00 CEST",
        ] {
            assert_eq!(parse_date_seconds(bad), None, "{bad}");
        }
        let message = parse("01.05.2024").unwrap_err();
        assert!(message.contains("order of day and month"), "{message}");
    }
}
