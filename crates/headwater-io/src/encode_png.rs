//! [`encode_png`]: encodes pixels as PNG.

use std::io::Write;

/// Encodes an image as PNG, with the given text chunks (pairs of keyword and text). `bytes`
/// contains the pixels row by row from the top. Channels of 16 bits have the high byte first.
///
/// # Errors
/// Returns [`png::EncodingError`] if the size is zero or does not match `bytes`, or if writing to
/// `sink` fails.
pub fn encode_png(
    sink: impl Write,
    [width, height]: [usize; 2],
    color: png::ColorType,
    depth: png::BitDepth,
    texts: &[(&str, String)],
    bytes: &[u8],
) -> Result<(), png::EncodingError> {
    let side = |n: usize| u32::try_from(n).map_err(std::io::Error::other);
    let mut encoder = png::Encoder::new(sink, side(width)?, side(height)?);
    encoder.set_color(color);
    encoder.set_depth(depth);
    // Runs write many frames, so encoding speed matters more than a few percent of size.
    encoder.set_compression(png::Compression::Fast);
    encoder.set_filter(png::Filter::Adaptive);
    for (keyword, text) in texts {
        encoder.add_text_chunk((*keyword).to_owned(), text.clone())?;
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(bytes)?;
    writer.finish()
}
