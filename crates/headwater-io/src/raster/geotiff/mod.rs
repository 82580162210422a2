//! Reader of GeoTIFF files with one band of heights in strips or tiles, and with GeoTIFF and GDAL
//! tags. Only the first image of the file is read; overviews are ignored.

pub(super) mod directory;
pub(super) mod geokeys;
pub(super) mod lzw;
pub(super) mod rows;
pub(super) mod tags;

use super::assemble::{Header, check_expansion, checked_grid_size};
use super::error::shorten;
use super::input::{Input, OpenedRaster};
use super::{Format, Problem, ReadOptions, SampleType};
use geokeys::ModelTags;
use rows::ChunkRows;
use std::io::Seek as _;
use tags::{integer_or, problem_from_tiff, values_or_empty};
use tiff::decoder::ifd::Value;
use tiff::decoder::{ChunkType, Decoder, Limits};
use tiff::tags::{CompressionMethod, PhotometricInterpretation, SampleFormat, Tag};

/// Tag that contains the GDAL metadata in XML.
const GDAL_METADATA: Tag = Tag::Unknown(42112);
/// Maximum width of a tile (pixels). The limit is 16 times the usual width and keeps one row of a
/// tile below 1 MB.
const MAX_TILE_WIDTH: u32 = 1 << 16;

const ALLOWED: &str = "one band of 8- or 16-bit unsigned, 16- or 32-bit signed, or 32- or 64-bit \
                       floating-point values, black is zero";
const ALLOWED_COMPRESSIONS: &str = "none, LZW, Deflate and PackBits";

const LZW: &str = "LZW";

type TiffDecoder<'a> = Decoder<Input<'a>>;

pub(super) fn open<'a>(
    mut input: Input<'a>,
    options: &ReadOptions,
) -> Result<OpenedRaster<'a>, Problem> {
    let dimensions = directory::validate_directory(&mut input)?;
    let length = input.length;
    let size = checked_grid_size(dimensions.width, dimensions.height, options)?;
    if dimensions.samples != 1 {
        let found = format!("a TIFF of {} samples per pixel", dimensions.samples);
        return Err(Problem::Unsupported { found, allowed: ALLOWED });
    }
    input.rewind().map_err(Problem::Read)?;
    let mut limits = Limits::default();
    limits.decoding_buffer_size = options.max_cells.saturating_mul(size_of::<f64>());
    limits.intermediate_buffer_size = usize::try_from(length).unwrap_or(usize::MAX);
    let mut file = Decoder::new(input).map_err(problem_from_tiff)?.with_limits(limits.clone());
    let sample = sample_type(&mut file)?;
    let compression = compression_name(&mut file)?;
    check_expansion(Format::GeoTiff, size, sample.bits().unwrap_or_default() / 8, length)?;
    let (tile_width, _) = file.chunk_dimensions();
    if file.get_chunk_type() == ChunkType::Tile && tile_width > MAX_TILE_WIDTH {
        let found = format!("tiles {tile_width} pixels wide");
        return Err(Problem::Unsupported { found, allowed: "tiles up to 65536 pixels wide" });
    }

    let tags = ModelTags {
        pixel_scale: read_doubles(&mut file, Tag::ModelPixelScaleTag)?,
        tie_point: read_doubles(&mut file, Tag::ModelTiepointTag)?,
        transformation: read_doubles(&mut file, Tag::ModelTransformationTag)?,
        keys: values_or_empty(&mut file, Tag::GeoKeyDirectoryTag, Value::into_u16_vec)?,
        doubles: read_doubles(&mut file, Tag::GeoDoubleParamsTag)?,
    };
    let placement = tags.compute_placement(size);
    let mut header = Header {
        compression: Some(compression),
        cell: placement.cell,
        bounds: placement.bounds,
        epsg: placement.epsg,
        notices: placement.notices,
        ..Header::new(Format::GeoTiff, size, sample)
    };
    header.no_data = declared_no_data(&mut file, &mut header.notices)?;
    if let Some(metadata) = file.find_tag(GDAL_METADATA).map_err(problem_from_tiff)? {
        let text = metadata.into_string().map_err(problem_from_tiff)?;
        header.scale = metadata_number(&text, "scale").unwrap_or(header.scale);
        header.offset = metadata_number(&text, "offset").unwrap_or(header.offset);
    }
    if let Some((name, metres)) = placement.vertical
        && options.scale.is_none()
    {
        header.scale *= metres;
        header.offset *= metres;
        header.notices.push(format!("the heights are in the unit {name}; taken as metres"));
    }
    // GDAL fills missing tiles of sparse files with the no-data value or 0.
    let fill = header.no_data.unwrap_or(0.0);
    let layout = (placement.south_up, fill);
    let rows = ChunkRows::new(file, size, layout, compression == LZW, limits)?;
    Ok((header, Box::new(rows)))
}

/// Returns the type of the values in the file.
///
/// # Errors
/// Returns [`Problem`] if the type is not supported.
fn sample_type(file: &mut TiffDecoder<'_>) -> Result<SampleType, Problem> {
    let format = integer_or(file, Tag::SampleFormat, SampleFormat::Uint.to_u16())?;
    let bits = integer_or(file, Tag::BitsPerSample, 1)?;
    let interpretation = integer_or(file, Tag::PhotometricInterpretation, u16::MAX)?;
    let black_is_zero = interpretation == PhotometricInterpretation::BlackIsZero.to_u16();
    match (SampleFormat::from_u16_exhaustive(format), bits) {
        (SampleFormat::Uint, 8) if black_is_zero => Ok(SampleType::U8),
        (SampleFormat::Uint, 16) if black_is_zero => Ok(SampleType::U16),
        (SampleFormat::Int, 16) if black_is_zero => Ok(SampleType::I16),
        (SampleFormat::Int, 32) if black_is_zero => Ok(SampleType::I32),
        (SampleFormat::IEEEFP, 32) if black_is_zero => Ok(SampleType::F32),
        (SampleFormat::IEEEFP, 64) if black_is_zero => Ok(SampleType::F64),
        (format, _) => Err(Problem::Unsupported {
            found: format!(
                "a TIFF of {bits}-bit {format:?} values, photometric interpretation \
                 {interpretation}"
            ),
            allowed: ALLOWED,
        }),
    }
}

fn compression_name(file: &mut TiffDecoder<'_>) -> Result<&'static str, Problem> {
    let code = integer_or(file, Tag::Compression, CompressionMethod::None.to_u16())?;
    match CompressionMethod::from_u16_exhaustive(code) {
        CompressionMethod::None => Ok("none"),
        CompressionMethod::LZW => Ok(LZW),
        CompressionMethod::Deflate | CompressionMethod::OldDeflate => Ok("Deflate"),
        CompressionMethod::PackBits => Ok("PackBits"),
        other => Err(Problem::Unsupported {
            found: format!("compression {code} ({other:?})"),
            allowed: ALLOWED_COMPRESSIONS,
        }),
    }
}

/// Returns the no-data value in the GDAL tag of the file, or `None` if the file does not have this
/// tag.
fn declared_no_data(
    file: &mut TiffDecoder<'_>,
    notices: &mut Vec<String>,
) -> Result<Option<f64>, Problem> {
    let Some(tag) = file.find_tag(Tag::GdalNodata).map_err(problem_from_tiff)? else {
        return Ok(None);
    };
    let text = tag.into_string().map_err(problem_from_tiff)?;
    let text = text.trim();
    let value = text.parse().ok();
    if value.is_none() {
        let shown = shorten(text, 40);
        notices.push(format!("the file's no-data value `{shown}` is not a number and is ignored"));
    }
    Ok(value)
}

/// Returns the number in the first GDAL metadata item with the given role, for example 0.01 for
/// `<Item … role="scale">0.01</Item>`.
fn metadata_number(metadata: &str, role: &str) -> Option<f64> {
    let (_, item) = metadata.split_once(&format!("role=\"{role}\""))?;
    let (_, content) = item.split_once('>')?;
    content.split('<').next()?.trim().parse().ok()
}

fn read_doubles(file: &mut TiffDecoder<'_>, tag: Tag) -> Result<Vec<f64>, Problem> {
    values_or_empty(file, tag, Value::into_f64_vec)
}
