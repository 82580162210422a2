//! Tests of time series in CSV files, in the form in which data loggers write them.

use headwater_scene::scene::{self, Files, Limits, Reader};

fn parse_series(csv: &str, keys: &str) -> Result<(), String> {
    let files = Files::memory_only().with_file("zone.csv", csv);
    let text = format!(
        "model = 'flow'\n[grid]\nnx = 4\nny = 4\ncell = 10\n[terrain]\nplane = {{}}\n[[source]]\n\
         at = [20, 20]\nrate = {{ csv = 'zone.csv'{keys} }}\n[time]\nuntil = 7200\n"
    );
    scene::parse_with_files("a.toml", &text, &[], &files)
        .map(|_| ())
        .map_err(|error| error.to_string())
}

#[test]
fn time_zones_in_dates_are_read() {
    let offset = "time,q\n2025-05-07T11:00:00-07:00,1\n2025-05-07T12:00:00-07:00,2\n";
    parse_series(offset, ", times = 'date'").unwrap();
    parse_series(&offset.replace("-07:00", "+00:00"), ", times = 'date'").unwrap();
    parse_series(&offset.replace("-07:00", "Z"), ", times = 'date'").unwrap();
    let german = "time,q\n01.05.2024,1\n";
    let message = parse_series(german, ", times = 'date'").unwrap_err();
    assert!(message.contains("order of day and month"), "{message}");
}

#[test]
fn missing_value_codes_and_other_units_need_a_key() {
    let message = parse_series("t,q\n0,1\n60,-9999\n120,2\n", "").unwrap_err();
    assert!(message.contains("zone.csv: line 3: found -9999"), "{message}");
    parse_series("t,q\n0,1\n60,-9999\n120,2\n", ", missing = -9999").unwrap();
    let message = parse_series("t,Q (l/s)\n0,1\n60,2\n", "").unwrap_err();
    assert!(message.contains("0.001 converts to m³/s"), "{message}");
}

#[test]
fn decimal_commas_are_not_taken_for_column_separators() {
    let message = parse_series("time,Q\n0,1,5\n3600,2,5\n", "").unwrap_err();
    assert!(message.contains("line 2: found 3 columns, but the first line has 2"), "{message}");
    parse_series("time,Q\n0,1,\n3600,2,\n", "").unwrap();
    parse_series("time;Q\n0;1,5\n3600;2,5\n", "").unwrap();
}

#[test]
fn the_first_two_columns_must_be_times_and_values() {
    let message = parse_series("0,1,5\n3600,2,5\n", "").unwrap_err();
    assert!(message.contains("found 3 columns without names; set `columns`"), "{message}");
    parse_series("0,1,5\n3600,2,5\n", ", columns = [1, 2]").unwrap();
    let message = parse_series("index,time,rate\n0,0,2\n1,50,2\n", "").unwrap_err();
    assert!(message.contains(r#"such as ["time", "rate"]"#), "{message}");
    parse_series("index,time,rate\n0,0,2\n1,50,2\n", r#", columns = ["time", "rate"]"#).unwrap();
    parse_series("time,rate,quality\n0,0,2\n1,50,2\n", "").unwrap();
}

#[test]
fn the_points_of_all_series_are_limited() {
    let csv: String = (0..100).map(|i| format!("{i},1\n")).collect();
    let source = "[[source]]\nat = [20, 20]\nrate = { csv = 'r.csv' }\n";
    let limits = Limits { points: 1000, file_bytes: 10_000, ..Limits::default() };
    let parse = |references: usize, csv: &str| {
        let files = Files::memory_only().with_file("r.csv", csv);
        let text = format!(
            "model = 'flow'\n[grid]\nnx = 4\nny = 4\ncell = 10\n[terrain]\nplane = {{}}\n[time]\n\
             until = 7200\n{}",
            source.repeat(references)
        );
        let reader = Reader::default().with_files(&files).with_limits(limits);
        reader.parse("a.toml", &text, &[])
    };
    parse(2, &csv).unwrap();
    let message = parse(200, &csv).unwrap_err().to_string();
    let expected = "source[10].rate: r.csv: the series and polygons that a scene reads from files \
                    have together more than 1000 points";
    assert!(message.contains(expected) && message.len() < 300, "{message}");
    let long: String = (0..1001).map(|i| format!("{i},1\n")).collect();
    let message = parse(1, &long).unwrap_err().to_string();
    assert!(message.contains("r.csv: line 1001: the series"), "{message}");
    let message = parse(1, &"# comment\n".repeat(1001)).unwrap_err().to_string();
    assert!(message.contains("r.csv: the CSV and GeoJSON files"), "{message}");
}
