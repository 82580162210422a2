//! Positions in map coordinates and from files. Before a scene is deserialized, these tables in it
//! are replaced by positions:
//!
//! - `{ map = [691200, 5334400] }`: a point on the map, or nested lists of points;
//! - `{ easting = 691200 }` and `{ northing = 5334400 }`: one coordinate;
//! - `{ geojson = "FILE" }`: the points, the line or the polygons of a GeoJSON file;
//! - `{ csv = "FILE" }`: the points of a CSV file.
//!
//! Coordinates are those of the terrain file. If it has no position on a map, coordinates in files
//! are metres east and south of the world's north-west corner. There is no reprojection.

use super::budget::Budget;
use super::csv_date::quote_number;
use super::csv_series::replace_tables;
use super::csv_table::{self, Column, CsvTable, DecimalSeparators, parse_decimal};
use super::geojson::{self, Geometries, GeometryKind, NamedPoint, Rings};
use super::origin::{Origin, RepeatedEntry};
use super::serde_error::SerdeError;
use super::value;
use crate::raster::{self, ReadOptions};
use crate::scene::check::{MAX_ENTRIES, MAX_LENGTH};
use crate::scene::key::{KeyPath, Segment};
use crate::scene::place::coordinate;
use crate::scene::place::polygon::{BOUNDS_KEY, METRES_KEY, NAME_KEY, PERCENT_KEY};
use crate::scene::problem::Problems;
use headwater::error::format_number;
use headwater_io::Files;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Keys whose value is a list of positions.
const POSITION_LIST_KEYS: [&str; 2] = ["points", "line"];
/// Keys whose value is a position or a list of positions. Under these keys, a table with the key
/// `csv` refers to points; under all other keys, it refers to a time series.
const POSITION_KEYS: [&str; 6] = ["at", "center", "min", "max", "points", "line"];

/// Key path of a value, and a message about the problem with this value.
type KeyProblem = (String, String);

/// Table in a scene that refers to a CSV file of points.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct CsvPoints {
    csv: PathBuf,
    columns: Option<[Column; 2]>,
    names: Option<Column>,
}

/// File that contains geometries.
#[derive(Debug, PartialEq)]
enum GeometrySource {
    GeoJson(PathBuf, GeometryKind),
    Csv(PathBuf, CsvPoints),
}

impl GeometrySource {
    fn path(&self) -> &Path {
        let (GeometrySource::GeoJson(path, _) | GeometrySource::Csv(path, _)) = self;
        path
    }
}

/// Replaces map coordinates in `table`, and tables that refer to files of points, lines or
/// polygons. An entry of a list such as `[[gauge]]` whose key `at` refers to a file is repeated for
/// each point. Records the files in `origin`. The paths of the files are relative to `directory`,
/// except in overrides, where they are relative to the current directory.
///
/// # Errors
/// Returns all problems with coordinates and files.
pub(in crate::scene) fn inline_positions(
    table: &mut Table,
    origin: &mut Origin,
    directory: Option<&Path>,
    budget: &mut Budget,
) -> Result<(), Problems> {
    let terrain = table.get("terrain").and_then(|terrain| terrain.get("file")?.as_str());
    let terrain = terrain.map(|file| origin.resolve_path("terrain.file", file, directory));
    let mut places = MapPositionConverter {
        origin,
        directory,
        budget,
        terrain,
        bounds: None,
        read_geometries: Vec::new(),
        read_files: Vec::new(),
        repeated: Vec::new(),
    };
    let mut problems = check_boundary_ends(table);
    places.repeat_entries(table, &mut problems);
    if problems.is_empty() {
        let mut replace = |key_path: &KeyPath, table: &Table| places.replace_table(key_path, table);
        replace_tables(table, &KeyPath::default(), &mut replace, &mut problems);
    }
    let (read, repeated) = (places.read_files, places.repeated);
    origin.inlined_files.extend(read);
    origin.repeated_entries.extend(repeated);
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Converter of map coordinates and of the geometries in files to positions in a scene.
struct MapPositionConverter<'a> {
    origin: &'a Origin,
    directory: Option<&'a Path>,
    budget: &'a mut Budget,
    terrain: Option<PathBuf>,
    /// Cached result of [`Self::bounds`]; `None` until it has been computed.
    bounds: Option<Option<[f64; 4]>>,
    /// Files that have already been read, each with its geometries or with the error that occurred.
    read_geometries: Vec<(GeometrySource, Result<Geometries, String>)>,
    /// Keys and paths of the files that have been read.
    read_files: Vec<(String, PathBuf)>,
    /// List entries that were created by repeating an entry for each point of a file.
    repeated: Vec<RepeatedEntry>,
}

impl MapPositionConverter<'_> {
    /// Returns the west, south, east and north bounds of the terrain file, in its coordinate
    /// system. Returns `None` if there is no terrain file, if it has no bounds, or if it cannot be
    /// read. A file that cannot be read is reported later, when the terrain is built.
    fn bounds(&mut self) -> Option<[f64; 4]> {
        let (files, terrain) = (&self.origin.files, self.terrain.as_deref());
        *self.bounds.get_or_insert_with(|| {
            let options = ReadOptions { max_cells: usize::MAX, ..ReadOptions::default() };
            raster::read_extent(files, terrain?, &options).ok()?.bounds
        })
    }

    /// Returns the west, south, east and north bounds of the terrain file, like
    /// [`bounds`](Self::bounds). `key_path` is the key path of the value that needs them.
    ///
    /// # Errors
    /// Returns a problem if the terrain has no position on a map.
    fn require_bounds(&mut self, key_path: &KeyPath) -> Result<[f64; 4], KeyProblem> {
        self.bounds().ok_or_else(|| {
            let message = "found map coordinates, but the terrain has no position on a map; give \
                           metres from the north-west corner, or percent";
            (key_path.to_string(), message.to_owned())
        })
    }

    /// Returns the scene value that represents the map coordinate `map_coordinate` along the axis
    /// `axis`: 0 for an easting, 1 for a northing. `bounds` are the west, south, east and north
    /// bounds of the world.
    fn coordinate(bounds: [f64; 4], axis: usize, map_coordinate: f64) -> Value {
        let percent = to_percent(bounds, axis, map_coordinate);
        Value::Table(Table::from_iter([
            (coordinate::MAP_KEY.to_owned(), Value::Float(map_coordinate)),
            (coordinate::PERCENT_KEY.to_owned(), Value::Float(percent)),
        ]))
    }

    /// Returns the scene value that represents a point from a file.
    fn position(&mut self, map_position: [f64; 2]) -> Value {
        let bounds = self.bounds();
        let along = |axis: usize| match bounds {
            Some(bounds) => Self::coordinate(bounds, axis, map_position[axis]),
            None => Value::Float(map_position[axis]),
        };
        Value::Array(vec![along(0), along(1)])
    }

    /// Returns the value that replaces a table of the scene. Returns `None` if the table does not
    /// need to be replaced.
    fn replace_table(
        &mut self,
        key_path: &KeyPath,
        table: &Table,
    ) -> Result<Option<Value>, KeyProblem> {
        let key = last_key(key_path);
        let kind = match key_path.0.last() {
            Some(Segment::Key(key)) if key == "polygon" => GeometryKind::Polygons,
            Some(Segment::Key(key)) if POSITION_LIST_KEYS.contains(&key.as_str()) => {
                GeometryKind::Lines
            }
            _ => GeometryKind::Points,
        };
        if let Some(list @ Value::Array(_)) = table.get("map").filter(|_| table.len() == 1) {
            let bounds = self.require_bounds(key_path)?;
            let (value, needs) = match kind {
                GeometryKind::Polygons => (
                    convert_map_polygons(list, bounds),
                    "corners [easting, northing], or lists of them",
                ),
                GeometryKind::Lines => (
                    convert_map_positions(list, bounds, true),
                    "a list of points [easting, northing]",
                ),
                GeometryKind::Points => {
                    (convert_map_positions(list, bounds, false), "one point [easting, northing]")
                }
            };
            let message = || (format!("{key_path}.map"), format!("found {list}, needs {needs}"));
            return value.map(Some).ok_or_else(message);
        }
        for (axis, name) in ["easting", "northing"].into_iter().enumerate() {
            let number = table.get(name).filter(|_| table.len() == 1);
            if let Some(given) = number.and_then(to_number) {
                if key_path.0.last() == Some(&Segment::Index(1 - axis)) {
                    let message = format!("found {name}, needs [easting, northing]");
                    return Err((key_path.to_string(), message));
                }
                let bounds = self.require_bounds(key_path)?;
                return Ok(Some(Self::coordinate(bounds, axis, given)));
            }
        }
        let is_position = POSITION_KEYS.contains(&key);
        let is_file = table.contains_key("geojson") || is_position && table.contains_key("csv");
        if !is_file {
            // The key `line` can be an area, and coordinates can be tables already.
            let is_whole = matches!(key_path.0.last(), Some(Segment::Key(_)));
            if is_position && is_whole && key != "line" {
                let message = format!(
                    "found {}, needs [east, south], {{ map = [EASTING, NORTHING] }}, \
                     {{ geojson = \"FILE\" }} or {{ csv = \"FILE\" }}",
                    Value::Table(table.clone())
                );
                return Err((key_path.to_string(), message));
            }
            return Ok(None);
        }
        if self.budget.is_exceeded() {
            return Ok(Some(Value::Array(Vec::new())));
        }
        let (found, path) = self.read_geometry_file(key_path, table, kind)?;
        let problem =
            |message: String| Err((key_path.to_string(), format!("{}: {message}", path.display())));
        let Geometries { points, lines, polygons } = found;
        match kind {
            GeometryKind::Polygons => {
                let name = path.display().to_string();
                Ok(Some(to_scene_polygons(&polygons, name, self.bounds())))
            }
            GeometryKind::Lines => {
                // The points of a CSV file are the vertices of a line.
                let of_csv = points.into_iter().map(|point| point.at).collect();
                let all = if lines.is_empty() { vec![of_csv] } else { lines };
                match all.as_slice() {
                    [line] => {
                        let list = line.iter().map(|at| self.position(*at)).collect();
                        Ok(Some(Value::Array(list)))
                    }
                    more => problem(format!("contains {} lines, needs one", more.len())),
                }
            }
            GeometryKind::Points => match points.as_slice() {
                [point] => Ok(Some(self.position(point.at))),
                more => problem(format!(
                    "contains {} points, needs one; only the key `at` in a list of tables, such as \
                     [[gauge]], can take several",
                    more.len()
                )),
            },
        }
    }

    /// Reads the file that a table of the scene refers to. Returns its geometries and its path.
    fn read_geometry_file(
        &mut self,
        key_path: &KeyPath,
        table: &Table,
        kind: GeometryKind,
    ) -> Result<(Geometries, PathBuf), KeyProblem> {
        let key = key_path.to_string();
        let resolve = |file: &Path| self.origin.resolve_path(&key, file, self.directory);
        let (source, suffix) = match (table.len(), table.get("geojson")) {
            (1, Some(Value::String(file))) => {
                (GeometrySource::GeoJson(resolve(Path::new(file)), kind), "geojson")
            }
            (_, Some(_)) => {
                let found = Value::Table(table.clone());
                return Err((key, format!("found {found}, needs {{ geojson = \"FILE\" }}")));
            }
            (_, None) => {
                let keys: CsvPoints = value::deserialize_table(table.clone()).map_err(|fault| {
                    let mut whole = key_path.clone();
                    whole.0.extend(fault.path().0);
                    SerdeError::new(&fault.message).message_at(&whole)
                })?;
                (GeometrySource::Csv(resolve(&keys.csv), keys), "csv")
            }
        };
        let path = source.path().to_owned();
        let i = self.read_geometries.iter().position(|(known, _)| *known == source).unwrap_or_else(
            || {
                let files = &self.origin.files;
                let found = match &source {
                    GeometrySource::GeoJson(path, kind) => {
                        geojson::read(files, path, *kind, self.budget)
                    }
                    GeometrySource::Csv(path, keys) => keys.read_points(files, path, self.budget),
                };
                self.read_geometries.push((source, found));
                self.read_geometries.len() - 1
            },
        );
        let with_path = |message: String| (key.clone(), format!("{}: {message}", path.display()));
        let found = self.read_geometries[i].1.clone().map_err(with_path)?;
        self.budget.take_points(found.point_count()).map_err(with_path)?;
        self.read_files.push((format!("{key}.{suffix}"), path.clone()));
        Ok((found, path))
    }

    /// Repeats each entry of a list of tables whose key `at` refers to a file: the list then has
    /// one entry for each point in the file. The entry for the first point replaces the original
    /// entry. The entries for the other points are appended to the list.
    fn repeat_entries(&mut self, table: &mut Table, problems: &mut Problems) {
        for (list_name, value) in table.iter_mut() {
            let Value::Array(list) = value else { continue };
            for i in 0..list.len() {
                let Some(entry) = list[i].as_table() else { continue };
                let Some(Value::Table(at)) = entry.get("at") else { continue };
                if !at.contains_key("geojson") && !at.contains_key("csv") {
                    continue;
                }
                let key_path = KeyPath::default()
                    .join(Segment::Key(list_name.clone()))
                    .join(Segment::Index(i))
                    .join(Segment::Key("at".into()));
                match self.repeat_entry(list_name, entry, at, &key_path) {
                    Ok((entries, path)) => {
                        let indices = std::iter::once(i).chain(list.len()..);
                        for (point, (_, index)) in entries.iter().zip(indices).enumerate() {
                            let (list, path) = (list_name.clone(), path.clone());
                            let (original, point) = (i, point + 1);
                            self.repeated.push(RepeatedEntry {
                                list,
                                index,
                                original,
                                point,
                                path,
                            });
                        }
                        let mut entries = entries.into_iter().map(Value::Table);
                        list[i] = entries.next().unwrap_or(Value::Array(Vec::new()));
                        list.extend(entries);
                    }
                    Err(problem) => problems.push(problem),
                }
            }
        }
    }

    /// Returns a copy of `entry` for each point in the file that its key `at` refers to, and the
    /// path of the file.
    fn repeat_entry(
        &mut self,
        list_name: &str,
        entry: &Table,
        at: &Table,
        key_path: &KeyPath,
    ) -> Result<(Vec<Table>, PathBuf), KeyProblem> {
        let (Geometries { points, .. }, path) =
            self.read_geometry_file(key_path, at, GeometryKind::Points)?;
        let problem =
            |message: String| (key_path.to_string(), format!("{}: {message}", path.display()));
        let count = points.len();
        if count > MAX_ENTRIES {
            let message = format!("contains {count} points, allowed is up to {MAX_ENTRIES}");
            return Err(problem(message));
        }
        // Lists in the entry are copied, too.
        let copied = (count - 1) * entry.values().map(count_values).sum::<usize>();
        self.budget.take_points(copied).map_err(problem)?;
        let name = entry.get("name").and_then(Value::as_str);
        let copy = |(i, point): (usize, &NamedPoint)| {
            let mut copy = entry.clone();
            copy.insert("at".into(), self.position(point.at));
            let name = match (name, &point.name) {
                (Some(_), _) if count == 1 => None,
                (Some(name), _) => Some(format!("{name}-{}", i + 1)),
                (None, Some(name)) if list_name == "gauge" => Some(to_gauge_name(name)),
                (None, None) if list_name == "gauge" => {
                    let message = "a point has no name; set `name`, to which numbers are added";
                    return Err(problem(message.into()));
                }
                _ => None,
            };
            copy.extend(name.map(|name| ("name".to_owned(), Value::String(name))));
            Ok(copy)
        };
        let entries = points.iter().enumerate().map(copy).collect::<Result<_, _>>()?;
        Ok((entries, path))
    }
}

/// Checks the map coordinates of the ends of boundaries. On the north and south edges, an end must
/// be given by the key `easting`; on the west and east edges, by `northing`. Returns all problems
/// found.
fn check_boundary_ends(table: &Table) -> Problems {
    let mut problems = Problems::new();
    let boundaries = table.get("boundary").and_then(Value::as_array);
    for (i, boundary) in boundaries.into_iter().flatten().enumerate() {
        let (right, wrong) = match boundary.get("edge").and_then(Value::as_str) {
            Some("north" | "south") => ("easting", "northing"),
            Some("west" | "east") => ("northing", "easting"),
            _ => continue,
        };
        for key in ["from", "to"] {
            if boundary.get(key).is_some_and(|end| end.get(wrong).is_some()) {
                let message = format!("found {wrong}, this edge needs {right}");
                problems.push((format!("boundary[{i}].{key}"), message));
            }
        }
    }
    problems
}

/// Converts the name of a point to a valid name of a gauge. Replaces all characters except ASCII
/// letters, digits, `-` and `_` by `_`, and keeps at most 64 characters.
fn to_gauge_name(name: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    name.chars().take(64).map(|c| if allowed(c) { c } else { '_' }).collect()
}

/// Counts the numbers, strings and other scalars in a value.
fn count_values(value: &Value) -> usize {
    match value {
        Value::Array(list) => list.iter().map(count_values).sum(),
        Value::Table(table) => table.values().map(count_values).sum(),
        _ => 1,
    }
}

/// Returns the last key of a path. Indices in lists are skipped.
fn last_key(key_path: &KeyPath) -> &str {
    let keys = key_path.0.iter().rev().filter_map(|segment| match segment {
        Segment::Key(key) => Some(key.as_str()),
        Segment::Index(_) => None,
    });
    keys.into_iter().next().unwrap_or_default()
}

/// Converts a value in a scene to a number; `None` if it is not a number or is too large to be a
/// coordinate.
fn to_number(value: &Value) -> Option<f64> {
    let number = value.as_float().or_else(|| value.as_integer().map(|integer| integer as f64));
    number.filter(|number| number.abs() <= MAX_LENGTH)
}

/// Converts the map coordinate `map_coordinate` along the axis `axis` (0 for an easting, 1 for a
/// northing) to a percentage of the world's size, measured from its north-west corner.
fn to_percent([west, south, east, north]: [f64; 4], axis: usize, map_coordinate: f64) -> f64 {
    match axis {
        0 => (map_coordinate - west) / (east - west) * 100.0,
        _ => (north - map_coordinate) / (north - south) * 100.0,
    }
}

/// Reads a point `[easting, northing]`; returns `None` if the value has another form.
fn parse_map_point(value: &Value) -> Option<[f64; 2]> {
    let [x, y] = value.as_array()?.as_slice() else { return None };
    Some([to_number(x)?, to_number(y)?])
}

/// Converts a point on the map to a position in a scene. If `is_list` is true, converts a list of
/// points to a list of positions. Returns `None` if the value has another form.
fn convert_map_positions(value: &Value, bounds: [f64; 4], is_list: bool) -> Option<Value> {
    if is_list {
        let points = value.as_array()?.iter();
        let positions = points.map(|point| convert_map_positions(point, bounds, false));
        return Some(Value::Array(positions.collect::<Option<_>>()?));
    }
    let point = parse_map_point(value)?;
    let along = |axis: usize| MapPositionConverter::coordinate(bounds, axis, point[axis]);
    Some(Value::Array(vec![along(0), along(1)]))
}

/// Converts polygons in map coordinates to polygons in a scene. The value may be a ring (the
/// outline of one polygon), a list of rings (the outline and the holes of one polygon), or a list
/// of polygons. Returns `None` if the value has another form.
fn convert_map_polygons(value: &Value, bounds: [f64; 4]) -> Option<Value> {
    let ring =
        |value: &Value| value.as_array()?.iter().map(parse_map_point).collect::<Option<Vec<_>>>();
    let rings = |value: &Value| value.as_array()?.iter().map(ring).collect::<Option<Rings>>();
    let many = || value.as_array()?.iter().map(rings).collect::<Option<Vec<_>>>();
    let one = || rings(value).map(|rings| vec![rings]);
    let outline = || ring(value).map(|ring| vec![vec![ring]]);
    let polygons = outline().or_else(one).or_else(many)?;
    Some(to_scene_polygons(&polygons, "the scene".into(), Some(bounds)))
}

/// Converts polygons to a table of a scene. If `bounds` are given, the corners are converted to
/// percentages of the world's size, and stored under the key [`PERCENT_KEY`]. Otherwise, they are
/// stored in metres under the key [`METRES_KEY`]. `name` describes the source of the polygons and
/// is stored under the key [`NAME_KEY`].
fn to_scene_polygons(polygons: &[Rings], name: String, bounds: Option<[f64; 4]>) -> Value {
    let along = |axis: usize, given: f64| match bounds {
        Some(bounds) => to_percent(bounds, axis, given),
        None => given,
    };
    let corner = |&[x, y]: &[f64; 2]| {
        Value::Array(vec![Value::Float(along(0, x)), Value::Float(along(1, y))])
    };
    let ring = |ring: &Vec<[f64; 2]>| Value::Array(ring.iter().map(corner).collect());
    let polygon = |rings: &Rings| Value::Array(rings.iter().map(ring).collect());
    let polygons = Value::Array(polygons.iter().map(polygon).collect());
    let key = if bounds.is_some() { PERCENT_KEY } else { METRES_KEY };
    let mut table =
        Table::from_iter([(key.to_owned(), polygons), (NAME_KEY.to_owned(), Value::String(name))]);
    if let Some(bounds) = bounds {
        table.insert(BOUNDS_KEY.to_owned(), Value::Array(bounds.map(Value::Float).into()));
    }
    Value::Table(table)
}

impl CsvPoints {
    /// Reads the points of a CSV file. A column `name` contains the names of the points, unless
    /// `names` gives another column.
    ///
    /// # Errors
    /// Returns a message if the file cannot be read or has no points, or if a line is not valid.
    fn read_points(
        &self,
        files: &Files,
        path: &Path,
        budget: &mut Budget,
    ) -> Result<Geometries, String> {
        let text = csv_table::read_text(files, path, budget)?;
        let CsvTable { names, mut lines } = CsvTable::new(&text)?;
        let of = |key: &'static str| move |message: String| format!("{key}: {message}");
        let columns = self.columns.as_ref();
        let [x, y] = match columns {
            Some([x, y]) => {
                [x.index(&names).map_err(of("columns"))?, y.index(&names).map_err(of("columns"))?]
            }
            None => [0, 1],
        };
        let name = match &self.names {
            Some(column) => Some(column.index(&names).map_err(of("names"))?),
            None => names.iter().position(|name| name.eq_ignore_ascii_case("name")),
        };
        if names.get(x).is_none_or(|first| parse_decimal(first).is_none()) {
            lines.next();
        }
        let (mut points, mut signs) = (Vec::new(), DecimalSeparators::default());
        for (number, fields) in lines {
            let at_line = |message: String| format!("line {number}: {message}");
            let mut along = |column: usize| {
                let field = fields.get(column).ok_or_else(|| {
                    let (found, needs) = (fields.len(), x.max(y) + 1);
                    at_line(format!("found {found} columns, needs {needs}"))
                })?;
                signs.add(field).map_err(at_line)?;
                let value = parse_decimal(field).ok_or_else(|| {
                    let hint = if columns.is_none() { "; set `columns`" } else { "" };
                    at_line(format!("found {}, needs a number{hint}", quote_number(field)))
                })?;
                match value.abs() <= MAX_LENGTH {
                    true => Ok(value),
                    false => {
                        let (far, limit) = (format_number(value), format_number(MAX_LENGTH));
                        Err(at_line(format!("found {far}, allowed is −{limit} to {limit}")))
                    }
                }
            };
            let at = [along(x)?, along(y)?];
            if points.len() == budget.remaining_points() {
                return Err(at_line(budget.too_many_points()));
            }
            let name = name.and_then(|column| fields.get(column)).filter(|name| !name.is_empty());
            points.push(NamedPoint { name: name.cloned(), at });
        }
        match points.is_empty() {
            true => Err("has no points".into()),
            false => Ok(Geometries { points, ..Geometries::default() }),
        }
    }
}
