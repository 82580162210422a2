//! Polygons from GeoJSON files (RFC 7946): `{ geojson = "buildings.geojson" }` in the place of a polygon. Such tables are replaced by what
//! the files say before the scene of a model is read, so no model knows of them.
//!
//! Coordinates are those of the terrain's file, where that says where it lies; else metres to the east and to the south of the
//! world's north-west corner, as everywhere in a scene. Nothing here knows projections.

use super::check::MAX_LENGTH;
use super::files::Files;
use super::key::{KeyPath, Step};
use super::origin::Origin;
use super::polygon::{BOUNDS, METRES, NAME, PERCENT, ring_of};
use super::problem::Problems;
use super::recorded::walk;
use crate::raster::{self, ReadOptions};
use headwater::error::format_number;
use serde_json::Value as Json;
use std::path::Path;
use toml::{Table, Value};

/// The longest file: 256 MiB.
const MAX_BYTES: u64 = 256 << 20;

/// A polygon: its outline and its holes.
type Rings = Vec<Vec<[f64; 2]>>;

/// How deep geometries may stand in one another.
const DEEPEST: usize = 16;

/// Puts in place of every table that names a file its polygons, and notes the files. Paths are relative to `directory`, those of
/// overrides to the current one.
pub(super) fn put_in(
    table: &mut Table,
    origin: &mut Origin,
    directory: Option<&Path>,
) -> Result<(), Problems> {
    let (files, mut problems, mut read) = (origin.files.clone(), Problems::new(), Vec::new());
    let resolved = |key: &str, file: &str| origin.path_of(key, file, directory);
    let terrain = table.get("terrain").and_then(|terrain| terrain.get("file")?.as_str());
    let terrain = terrain.map(|file| resolved("terrain.file", file));
    let mut place = None;
    walk(
        table,
        "geojson",
        &KeyPath::default(),
        &mut |way, table| {
            let key = way.to_string();
            let (1, Some(Value::String(file))) = (table.len(), table.get("geojson")) else {
                let found = Value::Table(table.clone());
                let message = format!("found {found}, needs {{ geojson = \"FILE\" }}");
                return Err((key, message));
            };
            let path = resolved(&key, file);
            let told = |message: String| (key.clone(), format!("{}: {message}", path.display()));
            let rings = polygons(&files, &path).map_err(told)?;
            let place = place.get_or_insert_with(|| bounds(&files, terrain.as_deref()));
            read.push((format!("{key}.geojson"), path));
            let name = read.last().map(|(_, path)| path.display().to_string());
            Ok(handed_over(&rings, name.unwrap_or_default(), *place))
        },
        &mut problems,
    );
    origin.put_in.extend(read);
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// West, south, east and north of the terrain's file, in its coordinates. What is wrong with the file is told where it is read as ground.
fn bounds(files: &Files, terrain: Option<&Path>) -> Option<[f64; 4]> {
    let raster = raster::read_from(files, terrain?, &ReadOptions::default()).ok()?;
    raster.info.bounds
}

/// Polygons as the scene's table has them: by [`PERCENT`] of the world or in [`METRES`], with the [`NAME`] of their file.
fn handed_over(polygons: &[Rings], name: String, bounds: Option<[f64; 4]>) -> Value {
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

fn polygons(files: &Files, path: &Path) -> Result<Vec<Rings>, String> {
    let bytes = files
        .read(path, MAX_BYTES + 1)
        .map_err(|error| format!("the file cannot be read: {error}"))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err("longer than 256 MiB, the most that polygons may have".into());
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let json: Json = serde_json::from_slice(bytes).map_err(|error| format!("no JSON: {error}"))?;
    let mut polygons = Vec::new();
    gather(&json, &KeyPath::default(), DEEPEST, &mut polygons)?;
    if polygons.is_empty() {
        return Err("has no polygon".into());
    }
    Ok(polygons)
}

/// Gathers the polygons of an object of GeoJSON, which stands at `way` in its file.
fn gather(
    json: &Json,
    way: &KeyPath,
    deep: usize,
    polygons: &mut Vec<Rings>,
) -> Result<(), String> {
    const NEEDS: &str = "needs a Polygon or MultiPolygon, or a Feature, FeatureCollection or GeometryCollection of such";
    let at = |way: &KeyPath| match way.0.is_empty() {
        true => String::new(),
        false => format!("{way}: "),
    };
    let key = |key: &str| way.then(Step::Key(key.to_owned()));
    let each = |name: &'static str| match json[name].as_array() {
        Some(list) => Ok(list.iter().enumerate().map(move |(i, one)| (Step::Index(i), one))),
        None => Err(format!("{}its \"{name}\" are no list, {NEEDS}", at(way))),
    };
    let Some(deeper) = deep.checked_sub(1) else {
        return Err(format!("{}geometries stand in one another more than {DEEPEST} deep", at(way)));
    };
    let told = |way: KeyPath| {
        move |fault: Fault| {
            format!("{}{}", at(&KeyPath([way.0, fault.way].concat())), fault.message)
        }
    };
    match json["type"].as_str() {
        Some("FeatureCollection") => each("features")?.try_for_each(|(step, feature)| {
            gather(feature, &key("features").then(step), deeper, polygons)
        }),
        Some("GeometryCollection") => each("geometries")?.try_for_each(|(step, part)| {
            gather(part, &key("geometries").then(step), deeper, polygons)
        }),
        // A feature may have no place.
        Some("Feature") if json["geometry"].is_null() => Ok(()),
        Some("Feature") => gather(&json["geometry"], &key("geometry"), deeper, polygons),
        Some("Polygon") => {
            polygons.extend(polygon(&json["coordinates"]).map_err(told(key("coordinates")))?);
            Ok(())
        }
        Some("MultiPolygon") => {
            for (step, one) in each("coordinates")? {
                polygons.extend(polygon(one).map_err(told(key("coordinates").then(step)))?);
            }
            Ok(())
        }
        Some(other) => Err(format!("{}found a {other}, {NEEDS}", at(way))),
        None => Err(format!("{}found no \"type\", {NEEDS}", at(way))),
    }
}

/// What is wrong in a polygon, and where in it.
struct Fault {
    way: Vec<Step>,
    message: String,
}

impl Fault {
    fn new(message: String) -> Self {
        Self { way: Vec::new(), message }
    }

    /// The same, of the entry of a list.
    fn in_entry(mut self, entry: usize) -> Self {
        self.way.insert(0, Step::Index(entry));
        self
    }
}

/// What becomes of the entries of a list.
fn entries<T>(
    json: &Json,
    what: &str,
    read: impl Fn(&Json) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let list =
        json.as_array().ok_or_else(|| Fault::new(format!("found {what} that is no list")))?;
    let entries = list.iter().enumerate();
    entries.map(|(i, entry)| read(entry).map_err(|fault| fault.in_entry(i))).collect()
}

/// The rings of a polygon; none of an empty one.
fn polygon(coordinates: &Json) -> Result<Option<Rings>, Fault> {
    let rings = entries(coordinates, "a polygon", |ring| {
        let corners = entries(ring, "a ring", corner)?;
        if corners.len() < 3 { Err(Fault::new(ring_of(corners.len()))) } else { Ok(corners) }
    })?;
    Ok((!rings.is_empty()).then_some(rings))
}

/// A corner; its height is passed over.
fn corner(json: &Json) -> Result<[f64; 2], Fault> {
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
