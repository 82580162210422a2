//! Grey PNG as a height map: raw values 0 to 255 or 0 to 65535, alpha 0 where there are no data.
//!
//! Colour pictures are refused: which channel, or which mixture, holds the height cannot be told.

use super::assemble::{Header, assemble, check_expansion, grid};
use super::{Format, Problem, Raster, ReadOptions, Sample};
use image::codecs::png::PngDecoder;
use image::{ColorType, ImageDecoder, Limits};
use std::io::Cursor;

/// Memory the decoder may take beside the picture: chunks with text and colour profiles, two rows.
const WORKING_MEMORY: u64 = 64 << 20;
/// Where the bit depth stands: in the header chunk, which is the first of every PNG.
const BIT_DEPTH_AT: usize = 24;

pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Raster, Problem> {
    let damaged = |error: image::ImageError| Problem::damaged(Format::Png, error);
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(WORKING_MEMORY);
    let decoder = PngDecoder::with_limits(Cursor::new(bytes), limits).map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    let size = grid(width.into(), height.into(), options)?;
    let [nx, _] = size;

    // The decoder spreads 1, 2 and 4 bits over 0 to 255, so its own colour type does not tell.
    let bits = bytes.get(BIT_DEPTH_AT).copied().unwrap_or_default();
    let (sample, has_alpha) = match (bits, decoder.color_type()) {
        (8, ColorType::L8) => (Sample::U8, false),
        (8, ColorType::La8) => (Sample::U8, true),
        (16, ColorType::L16) => (Sample::U16, false),
        (16, ColorType::La16) => (Sample::U16, true),
        (_, color) => {
            let kind = if color.has_color() { "colour" } else { "grey" };
            return Err(Problem::Unsupported {
                found: format!("a {kind} PNG of {width} × {height} pixels, {bits} bits a channel"),
                allowed: "grey, or grey with alpha, of 8 or 16 bits",
            });
        }
    };
    let depth = if sample == Sample::U8 { 1 } else { 2 };
    let stride = if has_alpha { 2 * depth } else { depth };
    check_expansion(Format::Png, size, stride, bytes.len())?;
    let mut pixels = vec![0; size[0] * size[1] * stride];
    decoder.read_image(&mut pixels).map_err(damaged)?;

    let header = Header { nan_is_declared: true, ..Header::new(Format::Png, size, sample) };
    assemble(header, options, |x, y| {
        let at = (y * nx + x) * stride;
        let channel = |at: usize| match depth {
            1 => u16::from(pixels[at]),
            _ => u16::from_ne_bytes([pixels[at], pixels[at + 1]]),
        };
        let transparent = has_alpha && channel(at + depth) == 0;
        Ok(if transparent { f64::NAN } else { f64::from(channel(at)) })
    })
}
