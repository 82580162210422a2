//! [`Picture`], the image type that all painters return, with its conversion to and from PNG.

use headwater::Field;
use headwater_io::encode_png;
use std::io::Cursor;

/// Image with 8-bit red, green and blue (sRGB) per pixel, stored row by row from the top.
pub type Picture = Field<[u8; 3]>;

/// Maximum size (bytes) of a decoded PNG. The limit protects against damaged headers that announce
/// an arbitrary size.
const MAX_BYTES: usize = 512 << 20;

// Runs write many frames, so encoding speed matters more than a few percent of size.
/// Encodes a picture as PNG.
///
/// # Errors
/// Returns [`png::EncodingError`] if the picture has no pixels.
pub fn to_png(picture: &Picture) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let (color, depth) = (png::ColorType::Rgb, png::BitDepth::Eight);
    let pixels = picture.as_slice().as_flattened();
    encode_png(&mut bytes, [picture.nx(), picture.ny()], color, depth, &[], pixels)?;
    Ok(bytes)
}

/// Decodes a PNG with 8-bit red, green and blue, as written by [`to_png`].
///
/// # Errors
/// Returns [`png::DecodingError`] if the bytes are damaged, have another colour type, or decode to
/// more than 512 MiB.
pub fn from_png(bytes: &[u8]) -> Result<Picture, png::DecodingError> {
    let damaged = |what: &str| png::DecodingError::from(std::io::Error::other(what.to_owned()));
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info()?;
    if reader.output_color_type() != (png::ColorType::Rgb, png::BitDepth::Eight) {
        return Err(damaged("the colour type is not 8-bit RGB"));
    }
    let length = reader.output_buffer_size().filter(|&length| length <= MAX_BYTES);
    let mut pixels = vec![0; length.ok_or(png::DecodingError::LimitsExceeded)?];
    let frame = reader.next_frame(&mut pixels)?;
    let (pixels, _) = pixels.as_chunks();
    Picture::from_vec(frame.width as usize, frame.height as usize, pixels.to_vec())
        .map_err(|error| damaged(&error.to_string()))
}
