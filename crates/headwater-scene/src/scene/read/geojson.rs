//! Polygons from GeoJSON files (RFC 7946). A scene can contain a table such as `{ geojson =
//! "buildings.geojson" }` instead of a polygon. Each such table is replaced by the polygons from
//! its file before the scene is deserialized.
//!
//! If the terrain file is georeferenced, coordinates are in its coordinate system. Otherwise, they
//! are metres east and south of the world's north-west corner. There is no reprojection.

use super::budget::Budget;
use super::csv_series::replace_tables;
use super::origin::Origin;
use crate::raster::{self, ReadOptions};
use crate::scene::check::MAX_LENGTH;
use crate::scene::key::{KeyPath, Segment};
use crate::scene::place::polygon::{BOUNDS, METRES, NAME, PERCENT, short_ring_message};
use crate::scene::problem::Problems;
use headwater::error::format_number;
use headwater_io::Files;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Rings of one polygon. The first is the outline, and the others are holes. A ring is a list of
/// corners `[x, y]`.
type Rings = Vec<Vec<[f64; 2]>>;

/// Maximum depth to which GeoJSON objects may be nested.
const MAX_NESTING: usize = 16;

/// Replaces every table in `table` that refers to a GeoJSON file by the polygons in the file.
/// Records the files in `origin`. The paths of the files are relative to `directory`, except in
/// overrides, where they are relative to the current directory.
///
/// # Errors
/// Returns the problems of all files that cannot be used.
pub(in crate::scene) fn inline_polygons(
    table: &mut Table,
    origin: &mut Origin,
    directory: Option<&Path>,
    budget: &mut Budget,
) -> Result<(), Problems> {
    let (files, mut problems, mut read) = (origin.files.clone(), Problems::new(), Vec::new());
    let resolved = |key: &str, file: &str| origin.resolve_path(key, file, directory);
    let terrain = table.get("terrain").and_then(|terrain| terrain.get("file")?.as_str());
    let terrain = terrain.map(|file| resolved("terrain.file", file));
    let mut place = None;
    // Polygons or errors of files that are read already.
    let mut known: BTreeMap<PathBuf, Result<Vec<Rings>, String>> = BTreeMap::new();
    replace_tables(
        table,
        "geojson",
        &KeyPath::default(),
        &mut |key_path, table| {
            if budget.is_exceeded() {
                return Ok(Value::Array(Vec::new()));
            }
            let key = key_path.to_string();
            let (1, Some(Value::String(file))) = (table.len(), table.get("geojson")) else {
                let found = Value::Table(table.clone());
                let message = format!("found {found}, needs {{ geojson = \"FILE\" }}");
                return Err((key, message));
            };
            let path = resolved(&key, file);
            let with_path =
                |message: String| (key.clone(), format!("{}: {message}", path.display()));
            let polygons = known
                .entry(path.clone())
                .or_insert_with(|| read_polygons(&files, &path, budget))
                .as_ref()
                .map_err(|message| with_path(message.clone()))?;
            budget.take_points(polygons.iter().flatten().map(Vec::len).sum()).map_err(with_path)?;
            let place =
                place.get_or_insert_with(|| read_terrain_bounds(&files, terrain.as_deref()));
            read.push((format!("{key}.geojson"), path));
            let name = read.last().map(|(_, path)| path.display().to_string());
            Ok(to_scene_table(polygons, name.unwrap_or_default(), *place))
        },
        &mut problems,
    );
    origin.inlined_files.extend(read);
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Returns the west, south, east and north bounds of the terrain file, in its coordinate system.
/// Returns `None` if there is no terrain file, if it has no bounds, or if it cannot be read. An
/// error is reported later, when the terrain is built.
fn read_terrain_bounds(files: &Files, terrain: Option<&Path>) -> Option<[f64; 4]> {
    let options = ReadOptions { max_cells: usize::MAX, ..ReadOptions::default() };
    raster::read_extent(files, terrain?, &options).ok()?.bounds
}

/// Converts polygons to a table of a scene. If `bounds` are given, the corners are converted to
/// percentages of the world's size, and stored under the key [`PERCENT`]. Otherwise, they are
/// stored in metres under the key [`METRES`]. `name` is the name of the GeoJSON file, which is
/// stored under the key [`NAME`].
fn to_scene_table(polygons: &[Rings], name: String, bounds: Option<[f64; 4]>) -> Value {
    let corner = |&[x, y]: &[f64; 2]| {
        let [x, y] = match bounds {
            Some([west, south, east, north]) => {
                [(x - west) / (east - west) * 100.0, (north - y) / (north - south) * 100.0]
            }
            None => [x, y],
        };
        Value::Array(vec![Value::Float(x), Value::Float(y)])
    };
    let ring = |ring: &Vec<[f64; 2]>| Value::Array(ring.iter().map(corner).collect());
    let polygon = |rings: &Rings| Value::Array(rings.iter().map(ring).collect());
    let polygons = Value::Array(polygons.iter().map(polygon).collect());
    let key = if bounds.is_some() { PERCENT } else { METRES };
    let mut table =
        Table::from_iter([(key.to_owned(), polygons), (NAME.to_owned(), Value::String(name))]);
    if let Some(bounds) = bounds {
        table.insert(BOUNDS.to_owned(), Value::Array(bounds.map(Value::Float).into()));
    }
    Value::Table(table)
}

fn read_polygons(files: &Files, path: &Path, budget: &mut Budget) -> Result<Vec<Rings>, String> {
    let bytes = budget.read(files, path)?;
    // All values of a file are in memory while it is read. A corner has two or three; an object,
    // such as a feature, needs as much memory as four corners.
    let count = |counted: u8| bytes.iter().filter(|byte| **byte == counted).count();
    if (count(b',') / 4).max(4 * count(b'{')) > budget.points() {
        return Err(budget.too_many_points());
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let json: Json =
        serde_json::from_slice(bytes).map_err(|error| format!("invalid JSON: {error}"))?;
    let mut polygons = Vec::new();
    collect_polygons(&json, &KeyPath::default(), MAX_NESTING, &mut polygons)?;
    if polygons.is_empty() {
        return Err("contains no polygon".into());
    }
    Ok(polygons)
}

/// Appends the polygons in a GeoJSON object to `polygons`. `key_path` is the path of the object in
/// its file, and `depth_left` is the depth to which objects in it may be nested.
///
/// # Errors
/// Returns a message if the object is not valid or contains geometries other than polygons.
fn collect_polygons(
    json: &Json,
    key_path: &KeyPath,
    depth_left: usize,
    polygons: &mut Vec<Rings>,
) -> Result<(), String> {
    const NEEDS: &str = "needs a Polygon or MultiPolygon, or a Feature, FeatureCollection or GeometryCollection of them";
    let at = |key_path: &KeyPath| match key_path.0.is_empty() {
        true => String::new(),
        false => format!("{key_path}: "),
    };
    let key = |key: &str| key_path.join(Segment::Key(key.to_owned()));
    let each = |name: &'static str| match json[name].as_array() {
        Some(list) => Ok(list.iter().enumerate().map(move |(i, one)| (Segment::Index(i), one))),
        None => Err(format!("{}\"{name}\" is not a list, {NEEDS}", at(key_path))),
    };
    let Some(depth_left_inside) = depth_left.checked_sub(1) else {
        return Err(format!("{}geometries are nested more than {MAX_NESTING} deep", at(key_path)));
    };
    let with_path = |key_path: KeyPath| {
        move |fault: Fault| {
            format!("{}{}", at(&KeyPath([key_path.0, fault.key_path].concat())), fault.message)
        }
    };
    match json["type"].as_str() {
        Some("FeatureCollection") => each("features")?.try_for_each(|(step, feature)| {
            collect_polygons(feature, &key("features").join(step), depth_left_inside, polygons)
        }),
        Some("GeometryCollection") => each("geometries")?.try_for_each(|(step, part)| {
            collect_polygons(part, &key("geometries").join(step), depth_left_inside, polygons)
        }),
        // GeoJSON allows features without geometry.
        Some("Feature") if json["geometry"].is_null() => Ok(()),
        Some("Feature") => {
            collect_polygons(&json["geometry"], &key("geometry"), depth_left_inside, polygons)
        }
        Some("Polygon") => {
            polygons
                .extend(read_rings(&json["coordinates"]).map_err(with_path(key("coordinates")))?);
            Ok(())
        }
        Some("MultiPolygon") => {
            for (step, one) in each("coordinates")? {
                polygons.extend(read_rings(one).map_err(with_path(key("coordinates").join(step)))?);
            }
            Ok(())
        }
        Some(other) => Err(format!("{}found a {other}, {NEEDS}", at(key_path))),
        None => Err(format!("{}found no \"type\", {NEEDS}", at(key_path))),
    }
}

/// Problem with a polygon in a GeoJSON file, and the path of the faulty value.
struct Fault {
    key_path: Vec<Segment>,
    message: String,
}

impl Fault {
    fn new(message: String) -> Self {
        Self { key_path: Vec::new(), message }
    }

    /// Returns this problem with the index of a list entry inserted at the start of the path.
    fn with_index(mut self, entry: usize) -> Self {
        self.key_path.insert(0, Segment::Index(entry));
        self
    }
}

/// Reads each entry of a list with `read`. `what` describes the list for messages.
///
/// # Errors
/// Returns the first problem, with the index of the entry in its path.
fn read_entries<T>(
    json: &Json,
    what: &str,
    read: impl Fn(&Json) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let list =
        json.as_array().ok_or_else(|| Fault::new(format!("found {what} that is not a list")))?;
    let entries = list.iter().enumerate();
    entries.map(|(i, entry)| read(entry).map_err(|fault| fault.with_index(i))).collect()
}

/// Reads the rings of a polygon. Returns `None` if the polygon is empty.
fn read_rings(coordinates: &Json) -> Result<Option<Rings>, Fault> {
    let rings = read_entries(coordinates, "a polygon", |ring| {
        let corners = read_entries(ring, "a ring", read_corner)?;
        if corners.len() < 3 {
            Err(Fault::new(short_ring_message(corners.len())))
        } else {
            Ok(corners)
        }
    })?;
    Ok((!rings.is_empty()).then_some(rings))
}

/// Reads a corner of a ring as `[x, y]`. Ignores a third coordinate, which is the height.
fn read_corner(json: &Json) -> Result<[f64; 2], Fault> {
    let at = |i: usize| json[i].as_f64().filter(|v| v.is_finite());
    let (Some(x), Some(y)) = (at(0), at(1)) else {
        return Err(Fault::new(format!("found {json} for a corner, needs two numbers or more")));
    };
    match [x, y].into_iter().find(|v| v.abs() > MAX_LENGTH) {
        Some(far) => {
            let (far, most) = (format_number(far), format_number(MAX_LENGTH));
            Err(Fault::new(format!("found a corner at {far}, allowed is −{most} to {most}")))
        }
        None => Ok([x, y]),
    }
}
