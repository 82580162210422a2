//! Reader of GeoTIFF files with one band of heights in strips or tiles, and with GeoTIFF and GDAL
//! tags. The first image of the file and its mask are read; overviews are ignored.

mod bands;
mod compression;
mod directory;
pub(super) mod encode;
pub(super) mod geokeys;
mod metadata;
mod placement;
mod rows;
pub(super) mod samples;

use super::header::{Header, check_expansion, checked_grid_size};
use super::input::{Input, OpenedRaster};
use super::units::LengthUnit;
use super::{Format, Problem, ReadOptions};
use bands::{BandRows, Bands, Mask};
use compression::Compression;
use directory::{Directory, TiffFile};
use geokeys::{GeoKeys, Model};
use placement::ModelTags;
use rows::Image;
use std::sync::Arc;

pub(super) fn open<'a>(
    input: Input<'a>,
    mask_file: Option<Input<'a>>,
    options: &ReadOptions,
) -> Result<OpenedRaster<'a>, Problem> {
    let mut file = TiffFile::open(input)?;
    let directories = file.directories()?;
    let tags = &directories[0];
    let side = |file: &mut TiffFile<'_>, tag| file.integer_or(tags, tag, 0);
    let size = checked_grid_size(side(&mut file, 256)?, side(&mut file, 257)?, options)?;
    let metadata = file.text(tags, 42112)?.unwrap_or_default();
    let bands = Bands::from_tags(&mut file, tags, &metadata)?;
    let image = Image::open(&mut file, tags, size, options)?;
    let (compression, kind) = (image.compression, image.layout.kind);
    // The check of all formats assumes a smaller expansion than that of ZSTD.
    let weight = if compression == Compression::Zstd { 8 } else { 1 };
    let length = file.len().saturating_mul(weight);
    check_expansion(Format::GeoTiff, size, image.layout.bits / 8, length)?;
    let mut mask = open_mask(&mut file, &directories[1..], size, options)?;
    if let (None, Some(input)) = (&mask, mask_file) {
        mask = Some(open_mask_file(input, size, options)?);
    }

    let model = ModelTags {
        pixel_scale: file.doubles(tags, 33550)?,
        tie_points: file.doubles(tags, 33922)?,
        transformation: file.doubles(tags, 34264)?,
        keys: GeoKeys {
            directory: file.integers(tags, 34735)?.into_iter().map(|n| n as u16).collect(),
            doubles: file.doubles(tags, 34736)?,
            text: file.text(tags, 34737)?.unwrap_or_default(),
        },
        orientation: file.integer_or(tags, 274, 1)?,
    };
    let placement = model.compute_placement(size)?;
    let mut header = Header {
        compression: Some(compression.name()),
        cell: placement.cell,
        bounds: placement.bounds,
        epsg: model.keys.epsg_code(),
        has_crs: model.keys.model() != Model::Unknown,
        nan_is_declared: bands.has_alpha() || mask.is_some(),
        notices: placement.notices,
        ..Header::new(Format::GeoTiff, size, kind)
    };
    header.notices.extend(bands.notice().map(str::to_owned));
    if let Some(text) = file.text(tags, 42113)? {
        let mut values = metadata::no_data_values(&text, &mut header.notices).into_iter();
        header.no_data = values.next();
        header.other_no_data = values.collect();
    }
    let number = |role| metadata::item(&metadata, role, 0)?.trim().parse::<f64>().ok();
    header.scale = number("scale").unwrap_or(header.scale);
    header.offset = number("offset").unwrap_or(header.offset);
    if options.are_lengths {
        let band_unit = metadata::item(&metadata, "unittype", 0).unwrap_or_default();
        set_unit(&mut header, &band_unit, &model.keys, options);
    }
    if header.has_crs {
        header.keys = Some(Arc::new(model.keys.for_output()));
    }
    // GDAL fills missing tiles of sparse files with the no-data value or 0.
    let fill = header.no_data.unwrap_or(0.0);
    let rows = BandRows::new(file, image, bands, mask, (placement.reversed, fill));
    Ok((header, Box::new(rows)))
}

/// Opens the mask of the image: a second image of the same size that is marked as a mask.
fn open_mask<'a>(
    file: &mut TiffFile<'_>,
    directories: &[Directory],
    size: [usize; 2],
    options: &ReadOptions,
) -> Result<Option<Mask<'a>>, Problem> {
    /// Bit of the tag NewSubfileType that marks an image with reduced resolution.
    const REDUCED: u64 = 1;
    const MASK: u64 = 4;
    for tags in directories {
        let kind = file.integer_or(tags, 254, 0)?;
        let own = [file.integer_or(tags, 256, 0)?, file.integer_or(tags, 257, 0)?];
        if kind & (REDUCED | MASK) == MASK && own == size.map(|side| side as u64) {
            let image = Image::open(file, tags, size, options)?;
            return Ok(Some(Mask { file: None, image }));
        }
    }
    Ok(None)
}

/// Opens a mask that is stored in a separate file (`.msk`) next to the image.
///
/// # Errors
/// Returns [`Problem`] if the sizes of the mask and the image differ.
fn open_mask_file<'a>(
    input: Input<'a>,
    size: [usize; 2],
    options: &ReadOptions,
) -> Result<Mask<'a>, Problem> {
    let mut file = TiffFile::open(input)?;
    let directories = file.directories()?;
    let tags = &directories[0];
    let own = [file.integer_or(tags, 256, 0)?, file.integer_or(tags, 257, 0)?];
    if own != size.map(|side| side as u64) {
        let found = format!("a mask file (.msk) of {} × {} cells", own[0], own[1]);
        return Err(Problem::Unsupported { found, allowed: "the size of the raster" });
    }
    let image = Image::open(&mut file, tags, size, options)?;
    Ok(Mask { file: Some(file), image })
}

/// Sets the unit of the heights. The unit of the band takes precedence over the unit of the
/// vertical coordinate system.
fn set_unit(header: &mut Header, band_unit: &str, keys: &GeoKeys, options: &ReadOptions) {
    let of_system = keys.vertical_unit().unwrap_or_else(|notice| {
        header.notices.push(notice);
        None
    });
    let of_band = LengthUnit::from_text(band_unit);
    if of_band.is_none() && !band_unit.trim().is_empty() {
        header.notices.push(format!(
            "the unit of the values, `{}`, is not a known unit of length; they are read as metres \
             unless the scale is set",
            super::error::truncate_with_ellipsis(band_unit.trim(), 40)
        ));
    }
    if let (Some(band), Some(system)) = (of_band, of_system)
        && band.metres != system.metres
    {
        header.notices.push(format!(
            "the band is in the unit {}, its vertical coordinate system in {}; the unit of the band \
             is used",
            band.name, system.name
        ));
    }
    header.unit = of_band.or(of_system);
    if let Some(code) = keys.depth_system()
        && options.scale.is_none()
    {
        header.notices.push(format!(
            "the vertical coordinate system EPSG:{code} counts depths; the values are read as \
             heights unless the scale is negative"
        ));
    }
}
