//! Access to the tags of a TIFF, and conversion of errors of the TIFF decoder.

use crate::raster::input::Input;
use crate::raster::{Format, Problem};
use std::io::ErrorKind;
use tiff::decoder::Decoder;
use tiff::decoder::ifd::Value;
use tiff::tags::Tag;
use tiff::{TiffError, TiffFormatError, TiffResult};

/// Returns the integer value of a tag, or the given default if the file does not contain the tag.
pub(in crate::raster) fn integer_or(
    file: &mut Decoder<Input<'_>>,
    tag: Tag,
    default: u16,
) -> Result<u16, Problem> {
    Ok(file.find_tag_unsigned(tag).map_err(problem_from_tiff)?.unwrap_or(default))
}

/// Returns all values of a tag, or an empty vector if the file does not contain the tag.
pub(in crate::raster) fn values_or_empty<T>(
    file: &mut Decoder<Input<'_>>,
    tag: Tag,
    convert: impl FnOnce(Value) -> TiffResult<Vec<T>>,
) -> Result<Vec<T>, Problem> {
    let values = file
        .find_tag(tag)
        .map_err(problem_from_tiff)?
        .map(convert)
        .transpose()
        .map_err(problem_from_tiff)?;
    Ok(values.unwrap_or_default())
}

/// Converts an error of the `tiff` decoder to a [`Problem`] of this crate.
pub(in crate::raster) fn problem_from_tiff(error: TiffError) -> Problem {
    let detail = match error {
        TiffError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            "it ends too early".to_owned()
        }
        // The limits are the length of the file and the size of all cells.
        TiffError::LimitsExceeded => {
            "its strips or tiles claim more bytes than the file has; it may have been cut short"
                .to_owned()
        }
        TiffError::FormatError(TiffFormatError::RequiredTagNotFound(tag)) => {
            format!("it has no tag {}", tag.to_u16())
        }
        TiffError::FormatError(TiffFormatError::InvalidTagValueType(tag)) => {
            format!("the value of tag {} is of a wrong type", tag.to_u16())
        }
        TiffError::FormatError(TiffFormatError::InvalidCountForTag(tag, count)) => {
            format!("tag {} has a wrong number of values, {count}", tag.to_u16())
        }
        TiffError::FormatError(error) => error.to_string(),
        TiffError::UnsupportedError(error) => error.to_string(),
        error => error.to_string(),
    };
    Problem::damaged(Format::GeoTiff, detail)
}
