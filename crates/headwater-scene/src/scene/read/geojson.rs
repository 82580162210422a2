//! Points, lines and polygons of GeoJSON files (RFC 7946).

use super::budget::Budget;
use crate::scene::check::MAX_LENGTH;
use crate::scene::key::{KeyPath, Segment};
use crate::scene::limits::format_size;
use crate::scene::place::polygon::short_ring_message;
use headwater::error::format_number;
use headwater_io::Files;
use serde_json::Value as Json;
use std::path::Path;

/// Rings of one polygon. The first is the outline, and the others are holes. A ring is a list of
/// corners `[x, y]`.
pub(super) type Rings = Vec<Vec<[f64; 2]>>;

/// Maximum depth to which GeoJSON objects may be nested.
const MAX_NESTING: usize = 16;

/// Memory (bytes) of an entry of a JSON list or object.
const VALUE_BYTES: u64 = 40;
/// Memory of a JSON object with up to 11 values (bytes).
const OBJECT_BYTES: u64 = 700;
/// Maximum memory for the values of a file while it is read (bytes).
const MAX_JSON_BYTES: u64 = 400 << 20;

/// Kind of geometry that a key of a scene needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum GeometryKind {
    Points,
    Lines,
    Polygons,
}

impl GeometryKind {
    /// Returns a description of the required contents of a file, for messages.
    fn required_content(self) -> &'static str {
        match self {
            GeometryKind::Points => {
                "a Point or MultiPoint, or a Feature, FeatureCollection or GeometryCollection of them"
            }
            GeometryKind::Lines => {
                "a LineString, or a Feature, FeatureCollection or GeometryCollection with one"
            }
            GeometryKind::Polygons => {
                "a Polygon or MultiPolygon, or a Feature, FeatureCollection or GeometryCollection of them"
            }
        }
    }
}

/// Point with the name of the GeoJSON feature that contains it. The name is `None` if the feature
/// has none.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NamedPoint {
    pub(super) name: Option<String>,
    pub(super) at: [f64; 2],
}

/// Geometries of one kind that were read from a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Geometries {
    pub(super) points: Vec<NamedPoint>,
    pub(super) lines: Vec<Vec<[f64; 2]>>,
    pub(super) polygons: Vec<Rings>,
}

impl Geometries {
    /// Returns the total number of coordinate pairs: points, vertices of lines and corners of
    /// polygons.
    pub(super) fn point_count(&self) -> usize {
        let corners = self.polygons.iter().flatten().chain(&self.lines).map(Vec::len);
        self.points.len() + corners.sum::<usize>()
    }
}

/// Reads the geometries of one kind from a GeoJSON file.
///
/// # Errors
/// Returns a message if the file cannot be read, is not valid, has geometries of other kinds, or
/// has none.
pub(super) fn read(
    files: &Files,
    path: &Path,
    kind: GeometryKind,
    budget: &mut Budget,
) -> Result<Geometries, String> {
    let bytes = budget.read(files, path)?;
    // All values of a file are in memory while it is read.
    let count = |separator: u8| bytes.iter().filter(|byte| **byte == separator).count() as u64;
    let needed = VALUE_BYTES * count(b',') + OBJECT_BYTES * count(b'{');
    if needed > MAX_JSON_BYTES {
        let [needed, allowed] = [needed, MAX_JSON_BYTES].map(format_size);
        return Err(format!(
            "its values need about {needed} of memory, the maximum is {allowed}; split the file, \
             or leave out properties"
        ));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let json: Json =
        serde_json::from_slice(bytes).map_err(|error| format!("invalid JSON: {error}"))?;
    let mut collector = GeometryCollector { kind, found: Geometries::default() };
    collector.collect(&json, None, &KeyPath::default(), MAX_NESTING)?;
    match (collector.found.point_count(), kind) {
        (0, GeometryKind::Points) => Err("contains no point".into()),
        (0, GeometryKind::Lines) => Err("contains no line".into()),
        (0, GeometryKind::Polygons) => Err("contains no polygon".into()),
        _ => Ok(collector.found),
    }
}

/// Collector of the geometries of one kind in a GeoJSON object.
struct GeometryCollector {
    kind: GeometryKind,
    found: Geometries,
}

impl GeometryCollector {
    /// Adds the geometries in a GeoJSON object. `name` is the name of the feature that contains the
    /// object, `key_path` the path of the object in its file, and `remaining_depth` the remaining
    /// depth to which objects may be nested.
    ///
    /// # Errors
    /// Returns a message if the object is not valid or contains geometries of other kinds.
    fn collect(
        &mut self,
        json: &Json,
        name: Option<&str>,
        key_path: &KeyPath,
        remaining_depth: usize,
    ) -> Result<(), String> {
        let at = |key_path: &KeyPath| match key_path.0.is_empty() {
            true => String::new(),
            false => format!("{key_path}: "),
        };
        let needs = self.kind.required_content();
        let key = |key: &str| key_path.join(Segment::Key(key.to_owned()));
        let each = |list: &'static str| match json[list].as_array() {
            Some(list) => Ok(list.iter().enumerate().map(|(i, one)| (Segment::Index(i), one))),
            None => Err(format!("{}\"{list}\" is not a list, needs {needs}", at(key_path))),
        };
        let Some(depth_left_inside) = remaining_depth.checked_sub(1) else {
            let at = at(key_path);
            return Err(format!("{at}geometries are nested more than {MAX_NESTING} deep"));
        };
        let with_path = |fault: GeometryProblem| {
            let path = KeyPath([key("coordinates").0, fault.key_path].concat());
            format!("{}{}", at(&path), fault.message)
        };
        let coordinates = &json["coordinates"];
        match (json["type"].as_str(), self.kind) {
            (Some("FeatureCollection"), _) => each("features")?.try_for_each(|(step, feature)| {
                self.collect(feature, None, &key("features").join(step), depth_left_inside)
            }),
            (Some("GeometryCollection"), _) => each("geometries")?.try_for_each(|(step, part)| {
                self.collect(part, name, &key("geometries").join(step), depth_left_inside)
            }),
            // GeoJSON allows features without geometry.
            (Some("Feature"), _) if json["geometry"].is_null() => Ok(()),
            (Some("Feature"), _) => {
                let name = feature_name(&json["properties"]);
                let geometry = &json["geometry"];
                self.collect(geometry, name.as_deref(), &key("geometry"), depth_left_inside)
            }
            (Some("Polygon"), GeometryKind::Polygons) => {
                self.found.polygons.extend(read_rings(coordinates).map_err(with_path)?);
                Ok(())
            }
            (Some("MultiPolygon"), GeometryKind::Polygons) => {
                let polygons = read_entries(coordinates, "polygons", read_rings);
                self.found.polygons.extend(polygons.map_err(with_path)?.into_iter().flatten());
                Ok(())
            }
            (Some("LineString"), GeometryKind::Lines) => {
                let line = read_entries(coordinates, "a line", read_corner).map_err(with_path)?;
                self.found.lines.push(line);
                Ok(())
            }
            (Some("MultiLineString"), GeometryKind::Lines) => {
                let line = |line: &Json| read_entries(line, "a line", read_corner);
                let lines = read_entries(coordinates, "lines", line).map_err(with_path)?;
                self.found.lines.extend(lines);
                Ok(())
            }
            (Some("Point"), GeometryKind::Points) => {
                let at = read_corner(coordinates).map_err(with_path)?;
                self.found.points.push(NamedPoint { name: name.map(str::to_owned), at });
                Ok(())
            }
            (Some("MultiPoint"), GeometryKind::Points) => {
                let points = read_entries(coordinates, "points", read_corner);
                let named = |at| NamedPoint { name: name.map(str::to_owned), at };
                self.found.points.extend(points.map_err(with_path)?.into_iter().map(named));
                Ok(())
            }
            (Some(other), _) => Err(format!("{}found a {other}, needs {needs}", at(key_path))),
            (None, _) => Err(format!("{}found no \"type\", needs {needs}", at(key_path))),
        }
    }
}

/// Returns the name of a feature, its property `name`. Returns `None` unless the property is a
/// string or a number.
fn feature_name(properties: &Json) -> Option<String> {
    match &properties["name"] {
        Json::String(name) => Some(name.clone()),
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Problem with a geometry in a GeoJSON file, and the path of the faulty value.
struct GeometryProblem {
    key_path: Vec<Segment>,
    message: String,
}

impl GeometryProblem {
    fn new(message: String) -> Self {
        Self { key_path: Vec::new(), message }
    }

    /// Returns this problem with the index of a list entry inserted at the start of the path.
    fn with_index(mut self, entry: usize) -> Self {
        self.key_path.insert(0, Segment::Index(entry));
        self
    }
}

/// Reads each entry of a list with `read`. `description` describes the list for messages.
///
/// # Errors
/// Returns the first problem, with the index of the entry in its path.
fn read_entries<T>(
    json: &Json,
    description: &str,
    read: impl Fn(&Json) -> Result<T, GeometryProblem>,
) -> Result<Vec<T>, GeometryProblem> {
    let list = json
        .as_array()
        .ok_or_else(|| GeometryProblem::new(format!("found {description} that is not a list")))?;
    let entries = list.iter().enumerate();
    entries.map(|(i, entry)| read(entry).map_err(|fault| fault.with_index(i))).collect()
}

/// Reads the rings of a polygon. Returns `None` if the polygon is empty.
fn read_rings(coordinates: &Json) -> Result<Option<Rings>, GeometryProblem> {
    let rings = read_entries(coordinates, "a polygon", |ring| {
        let corners = read_entries(ring, "a ring", read_corner)?;
        if corners.len() < 3 {
            Err(GeometryProblem::new(short_ring_message(corners.len())))
        } else {
            Ok(corners)
        }
    })?;
    Ok((!rings.is_empty()).then_some(rings))
}

/// Reads a point, a vertex of a line or a corner of a ring as `[x, y]`. Ignores a third coordinate,
/// which is the height.
fn read_corner(json: &Json) -> Result<[f64; 2], GeometryProblem> {
    let at = |i: usize| json[i].as_f64().filter(|v| v.is_finite());
    let (Some(x), Some(y)) = (at(0), at(1)) else {
        return Err(GeometryProblem::new(format!(
            "found {json} for a point, needs two numbers or more"
        )));
    };
    match [x, y].into_iter().find(|v| v.abs() > MAX_LENGTH) {
        Some(far) => {
            let (far, limit) = (format_number(far), format_number(MAX_LENGTH));
            Err(GeometryProblem::new(format!(
                "found a point at {far}, allowed is −{limit} to {limit}"
            )))
        }
        None => Ok([x, y]),
    }
}
