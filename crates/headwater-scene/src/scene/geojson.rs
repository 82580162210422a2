//! Polygons from GeoJSON files (RFC 7946): `{ geojson = "buildings.geojson" }` in the place of a polygon. Such tables are replaced by what
//! the files say before the scene of a model is read, so no model knows of them.
//!
//! Coordinates are those of the terrain's file, where that says where it lies; else metres to the east and to the south of the
//! world's north-west corner, as everywhere in a scene. Nothing here knows projections.

use super::files::Files;
use super::key::KeyPath;
use super::origin::Origin;
use super::polygon::{METRES, PERCENT};
use super::problem::Problems;
use super::recorded::walk;
use crate::raster::{self, ReadOptions};
use serde_json::Value as Json;
use std::path::Path;
use toml::{Table, Value};

/// The longest file: 256 MiB.
const MAX_BYTES: u64 = 256 << 20;

/// How deep geometries may stand in one another.
const DEEPEST: usize = 16;

/// Puts in place of every table that names a file its polygons, and notes the files. Paths are relative to `directory`, those of
/// overrides to the current one.
///
/// # Errors
/// What is wrong, by the keys of the tables.
pub(super) fn put_in(
    table: &mut Table,
    origin: &mut Origin,
    directory: Option<&Path>,
) -> Result<(), Problems> {
    let (files, mut problems, mut read) = (origin.files().clone(), Problems::new(), Vec::new());
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
            Ok(handed_over(&rings, *place))
        },
        &mut problems,
    );
    origin.note_put_in(read);
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// West, south, east and north of the terrain's file, in its coordinates. What is wrong with the file is told where it is read as ground.
fn bounds(files: &Files, terrain: Option<&Path>) -> Option<[f64; 4]> {
    let raster = raster::read_from(files, terrain?, &ReadOptions::default()).ok()?;
    raster.info.bounds
}

/// Polygons as the scene's table has them: by [`PERCENT`] of the world or in [`METRES`].
fn handed_over(polygons: &[Vec<Vec<[f64; 2]>>], bounds: Option<[f64; 4]>) -> Value {
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
    let polygon = |rings: &Vec<Vec<[f64; 2]>>| Value::Array(rings.iter().map(ring).collect());
    let polygons = Value::Array(polygons.iter().map(polygon).collect());
    let key = if bounds.is_some() { PERCENT } else { METRES };
    Value::Table(Table::from_iter([(key.to_owned(), polygons)]))
}

/// All polygons of a file.
fn polygons(files: &Files, path: &Path) -> Result<Vec<Vec<Vec<[f64; 2]>>>, String> {
    let bytes = files
        .read(path, MAX_BYTES + 1)
        .map_err(|error| format!("the file cannot be read: {error}"))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err("longer than 256 MiB, the most that polygons may have".into());
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let json: Json = serde_json::from_slice(bytes).map_err(|error| format!("no JSON: {error}"))?;
    let mut polygons = Vec::new();
    gather(&json, DEEPEST, &mut polygons)?;
    if polygons.is_empty() {
        return Err("has no polygon".into());
    }
    Ok(polygons)
}

/// Gathers the polygons of an object of GeoJSON.
fn gather(json: &Json, deep: usize, polygons: &mut Vec<Vec<Vec<[f64; 2]>>>) -> Result<(), String> {
    const NEEDS: &str = "needs a Polygon or MultiPolygon, or a Feature, FeatureCollection or GeometryCollection of such";
    let each = |key: &str| {
        json[key].as_array().ok_or_else(|| format!("its \"{key}\" are no list, {NEEDS}"))
    };
    let Some(deeper) = deep.checked_sub(1) else {
        return Err(format!("geometries stand in one another more than {DEEPEST} deep"));
    };
    match json["type"].as_str() {
        Some("FeatureCollection") => {
            each("features")?.iter().try_for_each(|feature| gather(feature, deeper, polygons))
        }
        Some("GeometryCollection") => {
            each("geometries")?.iter().try_for_each(|part| gather(part, deeper, polygons))
        }
        // A feature may have no place.
        Some("Feature") if json["geometry"].is_null() => Ok(()),
        Some("Feature") => gather(&json["geometry"], deeper, polygons),
        Some("Polygon") => {
            polygons.extend(polygon(&json["coordinates"])?);
            Ok(())
        }
        Some("MultiPolygon") => {
            for one in each("coordinates")? {
                polygons.extend(polygon(one)?);
            }
            Ok(())
        }
        Some(other) => Err(format!("found a {other}, {NEEDS}")),
        None => Err(format!("found no \"type\", {NEEDS}")),
    }
}

/// The rings of a polygon; none of an empty one. Heights of corners are passed over.
fn polygon(coordinates: &Json) -> Result<Option<Vec<Vec<[f64; 2]>>>, String> {
    let list = |json: &Json, what: &str| {
        json.as_array().cloned().ok_or_else(|| format!("found {what} that is no list"))
    };
    let corner = |json: &Json| {
        let number = |i: usize| json[i].as_f64().filter(|v| v.is_finite());
        let found = || format!("found {json} for a corner, needs two numbers or more");
        Ok::<_, String>([number(0).ok_or_else(found)?, number(1).ok_or_else(found)?])
    };
    let rings = list(coordinates, "a polygon")?;
    let ring =
        |ring: &Json| list(ring, "a ring")?.iter().map(corner).collect::<Result<Vec<_>, _>>();
    let rings = rings.iter().map(ring).collect::<Result<Vec<_>, _>>()?;
    Ok((!rings.is_empty()).then_some(rings))
}
