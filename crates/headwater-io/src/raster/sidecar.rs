//! Sidecar files, which are stored next to a raster file and complete it:
//!
//! - The world file gives the position of the raster.
//! - The projection file (`.prj`) gives the unit and the EPSG code of the coordinates.
//! - The auxiliary file of GDAL (`.aux.xml`) can give all of these, as well as the no-data value,
//!   the scale, the offset and the unit of the heights.
//! - The mask file of GDAL (`.msk`) marks cells without data. It is read together with the raster.
//!
//! As in GDAL, the auxiliary file overrides the raster file. World and projection files are used
//! only for information that the raster file does not contain.

use super::geographic::{CellSize, CellSizeUnit, looks_geographic};
use super::geotiff::geokeys::{GeoKeys, Model};
use super::header::Header;
use super::units::LengthUnit;
use super::wkt::{self, CoordinateSystem};
use super::{Format, Problem};
use crate::files::Files;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Maximum length of a world file or a projection file (bytes). Longer files are ignored.
const MAX_BYTES: u64 = 1 << 16;

/// Returns the paths of the sidecar files that exist for the raster at `path`. Sidecar files are
/// stored next to the raster file and can affect how it is read.
pub fn sidecar_files(files: &Files, path: &Path) -> Vec<PathBuf> {
    let prj = ["prj", "PRJ"].map(|extension| path.with_extension(extension));
    let added = [".aux.xml", ".msk"].map(|ending| append_to_path(path, ending));
    let all = added.into_iter().chain(world_file_names(path)).chain(prj);
    all.filter(|name| files.read_prefix(name, 1).is_ok()).collect()
}

/// Appends an ending to the path of a raster. GDAL names some sidecar files in this way, for
/// example `dem.tif.msk`.
pub(super) fn append_to_path(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Returns text to append to the error message `message` about the raster at `path`. If the message
/// suggests a GDAL command and the raster has a `.prj` projection file, the text names the option
/// that passes this file to the command, because GDAL does not read such files. Otherwise the text
/// is empty.
pub(super) fn conversion_hint(files: &Files, path: &Path, message: &str) -> String {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_concerned = ["tif", "tiff", "png"].contains(&extension.as_str());
    let option = match (message.contains("gdalwarp"), message.contains("gdal_translate")) {
        (true, _) => "-s_srs",
        (false, true) => "-a_srs",
        (false, false) => return String::new(),
    };
    let prj = ["prj", "PRJ"].map(|extension| path.with_extension(extension));
    let prj = prj.iter().find(|name| is_concerned && files.read_prefix(name, 1).is_ok());
    prj.map(|prj| format!("; add `{option} {}`, which GDAL does not read", prj.display()))
        .unwrap_or_default()
}

/// Completes the header of the raster at `path` with values from its sidecar files.
///
/// # Errors
/// Returns [`Problem`] if the world file describes a raster that is not north-up.
pub(super) fn complete_header(
    files: &Files,
    path: &Path,
    header: &mut Header,
) -> Result<(), Problem> {
    let aux = read_text_file(files, append_to_path(path, ".aux.xml"));
    let item = |tag: &str| aux.as_ref().and_then(|(_, text)| xml_text(text, tag));
    let is_placed = header.cell.is_some() && header.format != Format::Png;
    let must_place = !is_placed && header.bounds().is_none();
    if must_place || item("GeoTransform").is_some() {
        match (item("GeoTransform"), &aux) {
            (Some(text), Some((name, _))) => {
                let numbers = text.split(',').map(|number| number.trim().parse().ok());
                let numbers: Option<Vec<f64>> = numbers.collect();
                // The corner of the north-west cell, and the steps per column and per row.
                let affine = numbers.and_then(|six| <[f64; 6]>::try_from(six).ok());
                set_position(path, header, name, affine)?;
            }
            _ => {
                let file = world_file_names(path).find_map(|name| read_text_file(files, name));
                if let Some((name, text)) = file {
                    set_position(path, header, &name, parse_world_file(&text))?;
                }
            }
        }
    }
    if header.cell.is_some() && (!header.has_crs() || item("SRS").is_some()) {
        let prj = ["prj", "PRJ"].map(|extension| path.with_extension(extension));
        let wkt = item("SRS").zip(aux.as_ref().map(|(name, _)| name.clone()));
        let wkt = wkt.map(|(text, name)| (name, text));
        if let Some((name, text)) =
            wkt.or_else(|| prj.into_iter().find_map(|name| read_text_file(files, name)))
        {
            set_coordinate_system(header, &name, &text);
        }
    }
    if let Some((name, _)) = &aux {
        complete_heights(header, name, item);
    }
    Ok(())
}

/// Sets the no-data value, the scale, the offset and the unit of the heights from the auxiliary
/// file called `name`. `item` returns the text of the element with the given tag.
fn complete_heights(header: &mut Header, name: &str, item: impl Fn(&str) -> Option<String>) {
    let number = |tag: &str| item(tag).and_then(|text| text.trim().parse::<f64>().ok());
    if let Some(value) = number("NoDataValue")
        && header.no_data != Some(value)
    {
        header.no_data = Some(value);
        header.other_no_data.clear();
        header.notices.push(format!("the no-data value {value} is that in {name}"));
    }
    if let (scale, offset) = (number("Scale"), number("Offset"))
        && (scale.is_some() || offset.is_some())
        && (scale.unwrap_or(header.scale), offset.unwrap_or(header.offset))
            != (header.scale, header.offset)
    {
        header.scale = scale.unwrap_or(header.scale);
        header.offset = offset.unwrap_or(header.offset);
        let (scale, offset) = (header.scale, header.offset);
        header
            .notices
            .push(format!("the scale {scale} and the offset {offset} are those in {name}"));
    }
    let unit = item("UnitType").and_then(|unit| LengthUnit::from_text(&unit));
    header.unit = unit.or(header.unit);
}

/// Returns the text of the first element with the given tag in an XML file.
fn xml_text(xml: &str, tag: &str) -> Option<String> {
    let (_, rest) = xml.split_once(&format!("<{tag}"))?;
    let (attributes, rest) = rest.split_once('>')?;
    let is_tag = attributes.is_empty() || attributes.starts_with(' ');
    let text = rest.split_once(&format!("</{tag}>")).filter(|_| is_tag)?.0;
    let entities = [("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    Some(entities.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to)))
}

/// Returns the affine map in a world file as GDAL's six coefficients: x of the west edge, x step
/// per column, x step per row, y of the north edge, y step per column, y step per row. Returns
/// `None` if the text does not consist of six numbers.
fn parse_world_file(text: &str) -> Option<[f64; 6]> {
    let words = text.split_whitespace().map(|word| word.replace(',', ".").parse().ok());
    let numbers = words.collect::<Option<Vec<f64>>>()?;
    let [dx, turn_y, turn_x, dy, x, y] = <[f64; 6]>::try_from(numbers).ok()?;
    // The file gives the centre of the north-west cell.
    let corner = [x - 0.5 * (dx + turn_x), y - 0.5 * (dy + turn_y)];
    Some([corner[0], dx, turn_x, corner[1], turn_y, dy])
}

/// Sets the position and the cell size of a raster from the affine map in the file called `name`.
fn set_position(
    path: &Path,
    header: &mut Header,
    name: &str,
    affine: Option<[f64; 6]>,
) -> Result<(), Problem> {
    let affine = affine.filter(|affine| affine.iter().all(|number| number.is_finite()));
    let Some([west, dx, turn_x, north, turn_y, dy]) = affine.filter(|a| a[1] != 0.0 || a[2] != 0.0)
    else {
        header.notices.push(format!("{name} has no valid position and cell size; it is not read"));
        return Ok(());
    };
    if turn_x != 0.0 || turn_y != 0.0 || dx <= 0.0 || dy >= 0.0 {
        let command = match header.format {
            Format::Npy | Format::R16 | Format::R32 => {
                "write its rows from the north, for example with numpy.flipud".to_owned()
            }
            _ => format!("gdalwarp -ot Float32 -dstnodata -9999 {} OUT.tif", path.display()),
        };
        return Err(Problem::Convert {
            found: format!("a raster whose first row is not the north, according to {name}"),
            command,
        });
    }
    let size = [dx, -dy];
    let [nx, ny] = header.size.map(|cells| cells as f64);
    let (east, south) = (west + nx * size[0], north - ny * size[1]);
    let latitude = 0.5 * (south + north);
    header.bounds = Some([west, south, east, north]);
    let keys = header.keys.clone();
    let is_geographic = match keys.as_ref().map(|keys| keys.model()) {
        Some(Model::Geographic) => true,
        Some(Model::Projected) => false,
        _ => looks_geographic(size, [west, south], latitude),
    };
    let unit = match keys.map(|keys| keys.linear_unit(&mut header.notices)) {
        _ if is_geographic => CellSizeUnit::Degrees { latitude },
        Some(Ok(LengthUnit { name, metres, .. })) => CellSizeUnit::Linear { name, metres },
        Some(Err(notice)) => {
            header.notices.push(notice);
            return Ok(());
        }
        None => CellSizeUnit::METRE,
    };
    header.cell = Some(CellSize { size, unit });
    header.notices.push(format!("the position and the cell size are those in {name}"));
    Ok(())
}

/// Sets the unit and the code of the coordinates from the coordinate system in the file called
/// `name`.
fn set_coordinate_system(header: &mut Header, name: &str, text: &str) {
    let Some(CoordinateSystem { linear, epsg, vertical }) = wkt::parse(text) else {
        header.notices.push(format!(
            "the coordinate system in {name} is not a supported one in WKT; it is not read"
        ));
        return;
    };
    let Some(cell) = &mut header.cell else { return };
    header.keys = None;
    // GeoTIFF files cannot contain well-known text 2.
    let is_first = text.trim_start().to_ascii_uppercase().starts_with("PROJCS[");
    if let (Some(unit), None, true) = (linear, epsg, is_first) {
        header.keys = GeoKeys::from_text(wkt::horizontal_system(text), unit).map(Arc::new);
    }
    header.epsg = epsg;
    header.has_crs = true;
    cell.unit = match (linear, header.bounds) {
        (Some(LengthUnit { name, metres, .. }), _) => CellSizeUnit::Linear { name, metres },
        (None, Some([_, south, _, north])) => {
            CellSizeUnit::Degrees { latitude: 0.5 * (south + north) }
        }
        // Without a position, degrees have no length.
        (None, None) => {
            header.cell = None;
            header.notices.push(format!(
                "{name} gives degrees, but the raster has no position; give the cell size in metres"
            ));
            return;
        }
    };
    header.notices.push(format!("the coordinate system is that in {name}"));
    header.unit = header.unit.or(vertical);
}

/// Returns the names that the world file of a raster can have: `dem.tfw`, `dem.tifw` and `dem.wld`
/// for `dem.tif`, in lower and upper case.
fn world_file_names(path: &Path) -> impl Iterator<Item = PathBuf> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let ends = extension.chars().next().zip(extension.chars().last());
    let short = ends.map(|(first, last)| format!("{first}{last}w"));
    let names = short.into_iter().chain([format!("{extension}w"), "wld".to_owned()]);
    let path = path.to_owned();
    names.flat_map(move |name| {
        [path.with_extension(&name), path.with_extension(name.to_uppercase())]
    })
}

/// Reads a text file. Returns its name without folders and its content, or `None` if there is no
/// such file.
fn read_text_file(files: &Files, path: PathBuf) -> Option<(String, String)> {
    let bytes = files.read_prefix(&path, MAX_BYTES + 1).ok()?;
    let text = (bytes.len() as u64 <= MAX_BYTES).then(|| String::from_utf8_lossy(&bytes))?;
    let text = text.trim_start_matches('\u{feff}').to_owned();
    Some((path.file_name()?.to_string_lossy().into_owned(), text))
}
