//! Functions for reading and writing PNG files in tests.

use headwater_scene::picture::{Picture, from_png};
use png::{BitDepth, ColorType};
use std::path::Path;

/// Reads a picture from a PNG file that a run has written.
pub(crate) fn read_png(path: impl AsRef<Path>) -> Picture {
    from_png(&std::fs::read(path).unwrap()).unwrap()
}

/// Encodes pixels as a PNG image. Channels of 16 bits are big-endian.
pub(crate) fn encode_png(
    (color, depth): (ColorType, BitDepth),
    [width, height]: [usize; 2],
    pixels: &[u8],
) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width as u32, height as u32);
    encoder.set_color(color);
    encoder.set_depth(depth);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(pixels).unwrap();
    writer.finish().unwrap();
    file
}
