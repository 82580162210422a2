//! Grey PNG as a height map: raw values 0 to 255 or 0 to 65535, alpha 0 where there are no data.
//!
//! Colour pictures are refused: which channel, or which mixture, holds the height cannot be told.

use super::assemble::{Header, assemble, check_expansion, grid};
use super::{Format, Problem, Raster, ReadOptions, Sample};
use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Transformations};
use std::io::Cursor;

/// Memory the decoder may take beside the picture: chunks with text and colour profiles, two rows.
const WORKING_MEMORY: usize = 64 << 20;

pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Raster, Problem> {
    let damaged = |error: DecodingError| Problem::damaged(Format::Png, error);
    let mut decoder =
        Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: WORKING_MEMORY });
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(damaged)?;
    let (width, height) = (reader.info().width, reader.info().height);
    let size = grid(width.into(), height.into(), options)?;
    let [nx, _] = size;

    // Fewer bits are spread over 0 to 255 as they are read, so what comes out does not tell.
    let bits = reader.info().bit_depth as u8;
    let (sample, has_alpha) = match (bits, reader.output_color_type()) {
        (8, (ColorType::Grayscale, BitDepth::Eight)) => (Sample::U8, false),
        (8, (ColorType::GrayscaleAlpha, BitDepth::Eight)) => (Sample::U8, true),
        (16, (ColorType::Grayscale, BitDepth::Sixteen)) => (Sample::U16, false),
        (16, (ColorType::GrayscaleAlpha, BitDepth::Sixteen)) => (Sample::U16, true),
        (_, (color, _)) => {
            let grey = matches!(color, ColorType::Grayscale | ColorType::GrayscaleAlpha);
            let kind = if grey { "grey" } else { "colour" };
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
    reader.next_frame(&mut pixels).map_err(damaged)?;

    let header = Header { nan_is_declared: true, ..Header::new(Format::Png, size, sample) };
    assemble(header, options, |x, y| {
        let at = (y * nx + x) * stride;
        let channel = |at: usize| match depth {
            1 => u16::from(pixels[at]),
            _ => u16::from_be_bytes([pixels[at], pixels[at + 1]]),
        };
        let transparent = has_alpha && channel(at + depth) == 0;
        Ok(if transparent { f64::NAN } else { f64::from(channel(at)) })
    })
}
