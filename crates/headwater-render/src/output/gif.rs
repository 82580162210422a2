//! Writer of animated GIFs from PNG frames. All frames share one palette, and each frame stores
//! only the rectangle that changed.
//!
//! Frames are decoded in small batches, so memory use does not depend on the length of the
//! animation.

use super::file::{Picture, from_png};
use super::write::{WriteError, write_picture_atomically};
use color_quant::NeuQuant;
use headwater_io::parallel::*;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Number of palette colours. One further palette index marks unchanged pixels.
const COLORS: usize = 255;
const UNCHANGED: u8 = COLORS as u8;
/// Number of frames from which the palette is computed.
const SAMPLED_FRAMES: usize = 12;
/// Number of pixels sampled per frame to compute the palette.
const SAMPLED_PIXELS: usize = 40_000;
/// Bits per channel of the lookup table that maps colours to palette indices.
const BITS_PER_CHANNEL: usize = 6;
/// Amplitude of the dither (8-bit levels), slightly smaller than the typical difference between
/// adjacent palette colours.
const DITHER_AMPLITUDE: f32 = 7.0;
/// Minimum display time of the last frame before the animation restarts.
const LAST_FRAME_DELAY: Duration = Duration::from_millis(1500);

/// Writes PNG files, such as those written by [`write_png`](crate::write_png), as one endlessly
/// looping animated GIF.
///
/// Each frame is shown for `frame_delay`, rounded down to 10 ms and at least 20 ms, the shortest
/// delay that viewers respect. The last frame is shown for at least 1.5 s. Frames wider than
/// `max_width` (pixels) are scaled down to that width.
///
/// # Errors
/// Returns [`WriteError`] if `frames` is empty, if a frame cannot be read or differs in size from
/// the first, or if the file cannot be written.
pub fn write_gif(
    path: impl AsRef<Path>,
    frames: &[PathBuf],
    frame_delay: Duration,
    max_width: Option<u32>,
) -> Result<(), WriteError> {
    let path = path.as_ref();
    let Some(first) = frames.first() else {
        return Err(WriteError::new(path, "an animation needs at least one frame"));
    };
    let max_width = max_width.map(|width| width as usize);
    let reader = FrameReader { max_width, size: size(&read(first)?) };
    let (width, height) = size(&reader.read_scaled(first)?);
    let (Ok(wide), Ok(high)) = (u16::try_from(width), u16::try_from(height)) else {
        let found = format!("found {width} × {height}");
        let problem = format!("a GIF has at most 65535 × 65535 pixels, {found}");
        return Err(WriteError::new(path, problem));
    };
    let indexer = PaletteIndexer::new(&sample_pixels(&reader, frames)?);
    let mut indexers = vec![indexer.clone(); thread_count()];
    write_picture_atomically(path, |file| {
        let failed = |error| WriteError::new(path, error);
        let mut encoder =
            ::gif::Encoder::new(file, wide, high, &indexer.palette).map_err(failed)?;
        encoder.set_repeat(::gif::Repeat::Infinite).map_err(failed)?;
        let mut shown: Vec<u8> = Vec::new();
        let mut left = frames.len();
        for batch in frames.chunks(indexers.len()) {
            for wanted in index_frames(&mut indexers, &reader, batch) {
                let wanted = wanted?;
                left -= 1;
                let delay = if left == 0 { frame_delay.max(LAST_FRAME_DELAY) } else { frame_delay };
                let mut part = changed_region_frame(&shown, &wanted, wide, high);
                part.delay = (delay.as_millis() / 10).clamp(2, u16::MAX.into()) as u16;
                encoder.write_frame(&part).map_err(failed)?;
                shown = wanted;
            }
        }
        Ok(())
    })
}

/// Converts frames to palette indices in parallel. Each frame has its own indexer because an
/// indexer fills a lookup table while it runs.
fn index_frames(
    indexers: &mut [PaletteIndexer],
    reader: &FrameReader,
    frames: &[PathBuf],
) -> Vec<Result<Vec<u8>, WriteError>> {
    let mut made: Vec<_> = frames.iter().map(|_| Ok(Vec::new())).collect();
    let jobs = made.iter_mut().zip(indexers).zip(frames);
    let mut jobs: Vec<_> = jobs.map(|((made, colors), frame)| (made, colors, frame)).collect();
    jobs.par_iter_mut().for_each(|(made, colors, frame)| {
        **made = reader.read_scaled(frame).map(|picture| colors.dither(&picture));
    });
    made
}

struct FrameReader {
    max_width: Option<usize>,
    size: (usize, usize),
}

impl FrameReader {
    fn read_scaled(&self, path: &Path) -> Result<Picture, WriteError> {
        let picture = read(path)?;
        let found = size(&picture);
        if found != self.size {
            let (a, b) = (found, self.size);
            let found = format!("found a frame of {} × {} pixels", a.0, a.1);
            let problem = format!("{found}; the first one has {} × {}", b.0, b.1);
            return Err(WriteError::new(path, problem));
        }
        Ok(match self.max_width {
            Some(limit) if limit < found.0 => downscale(&picture, limit.max(1)),
            _ => picture,
        })
    }
}

fn read(path: &Path) -> Result<Picture, WriteError> {
    let bytes = std::fs::read(path).map_err(|error| WriteError::new(path, error))?;
    from_png(&bytes).map_err(|error| WriteError::new(path, std::io::Error::from(error)))
}

fn size(picture: &Picture) -> (usize, usize) {
    (picture.nx(), picture.ny())
}

/// Scales a picture down to the given width (pixels). Each new pixel is the mean of the area that
/// it covers.
fn downscale(picture: &Picture, width: usize) -> Picture {
    let (from_x, from_y) = size(picture);
    let ratio = width as f64 / from_x as f64;
    let height = ((from_y as f64 * ratio).round() as usize).max(1);
    let (columns, rows) = (overlap_lengths(from_x, width), overlap_lengths(from_y, height));
    let mut small = Picture::new(width, height, [0; 3]);
    // Average the columns first, row by row.
    let mut sums = vec![[0.0f32; 3]; from_x];
    for (small, rows) in small.as_mut_slice().chunks_mut(width).zip(&rows) {
        sums.fill([0.0; 3]);
        for &(v, down) in rows {
            for (sum, &pixel) in sums.iter_mut().zip(picture.row(v)) {
                for (sum, value) in sum.iter_mut().zip(pixel) {
                    *sum += down * f32::from(value);
                }
            }
        }
        let high: f32 = rows.iter().map(|&(_, down)| down).sum();
        for (small, columns) in small.iter_mut().zip(&columns) {
            let (mut mean, mut wide) = ([0.0f32; 3], 0.0);
            for &(u, across) in columns {
                for (mean, sum) in mean.iter_mut().zip(sums[u]) {
                    *mean += across * sum;
                }
                wide += across;
            }
            *small = mean.map(|mean| (mean / (high * wide) + 0.5) as u8);
        }
    }
    small
}

/// Divides a line of `from` pixels into `to` equal intervals. For each interval, returns the pixels
/// that it overlaps, as pairs of the pixel index and the length of the overlap (pixels).
fn overlap_lengths(from: usize, to: usize) -> Vec<Vec<(usize, f32)>> {
    let size = from as f64 / to as f64;
    (0..to)
        .map(|i| {
            let (low, high) = (i as f64 * size, (i + 1) as f64 * size);
            (low as usize..(high.ceil() as usize).min(from))
                .map(|u| (u, (high.min((u + 1) as f64) - low.max(u as f64)).max(0.0) as f32))
                .collect()
        })
        .collect()
}

/// Samples pixels from frames spread over the whole animation. Returns their RGBA bytes.
fn sample_pixels(reader: &FrameReader, frames: &[PathBuf]) -> Result<Vec<u8>, WriteError> {
    let count = frames.len().min(SAMPLED_FRAMES);
    let mut samples = Vec::new();
    for i in 0..count {
        // The first and the last frame are always included.
        let at = if count > 1 { i * (frames.len() - 1) / (count - 1) } else { 0 };
        let picture = reader.read_scaled(&frames[at])?;
        let pixels = picture.nx() * picture.ny();
        let stride = (pixels / SAMPLED_PIXELS).max(1);
        for &[red, green, blue] in picture.as_slice().iter().step_by(stride) {
            samples.extend_from_slice(&[red, green, blue, 255]);
        }
    }
    // The quantizer needs at least a few thousand pixels.
    let once = samples.clone();
    while samples.len() < 4 * 4096 {
        samples.extend_from_slice(&once);
    }
    Ok(samples)
}

#[derive(Clone)]
struct PaletteIndexer {
    /// Red, green and blue bytes of each palette index; the last index marks unchanged pixels.
    palette: Vec<u8>,
    /// Nearest palette index of each colour at [`BITS_PER_CHANNEL`] bits per channel; each entry is
    /// computed when it is first used.
    nearest: Vec<Option<u8>>,
}

impl PaletteIndexer {
    fn new(samples: &[u8]) -> Self {
        let quantizer = NeuQuant::new(3, COLORS, samples);
        let mut palette = quantizer.color_map_rgb();
        palette.resize(3 * (COLORS + 1), 0);
        Self { palette, nearest: vec![None; 1 << (3 * BITS_PER_CHANNEL)] }
    }

    /// Returns the palette indices of all pixels of a picture, dithered with a fixed pattern so
    /// that unchanged areas do not flicker.
    fn dither(&mut self, picture: &Picture) -> Vec<u8> {
        let levels = ((1_usize << BITS_PER_CHANNEL) - 1) as f32;
        let mut wanted = Vec::with_capacity(picture.as_slice().len());
        for (y, row) in picture.rows().enumerate() {
            for (x, pixel) in row.iter().enumerate() {
                let shift = (bayer_threshold(x, y) - 0.5) * DITHER_AMPLITUDE;
                let coarse = pixel.map(|v| {
                    let v = (f32::from(v) + shift).clamp(0.0, 255.0) / 255.0;
                    (v * levels + 0.5) as usize
                });
                let color = coarse.iter().fold(0, |color, v| (color << BITS_PER_CHANNEL) | v);
                let known = &mut self.nearest[color];
                wanted.push(
                    *known.get_or_insert_with(|| nearest_palette_index(&self.palette, coarse)),
                );
            }
        }
        wanted
    }
}

/// Returns the index of the palette colour that is nearest to `coarse`, a colour with
/// [`BITS_PER_CHANNEL`] bits per channel.
fn nearest_palette_index(palette: &[u8], coarse: [usize; 3]) -> u8 {
    let wanted = coarse.map(|v| (v * 255 / ((1 << BITS_PER_CHANNEL) - 1)) as i32);
    let distance = |color: &[u8]| -> i32 {
        // The eye is most sensitive to green and least to blue.
        let weights = [3, 5, 2];
        (0..3).map(|k| weights[k] * (i32::from(color[k]) - wanted[k]).pow(2)).sum()
    };
    let colors = palette.chunks_exact(3).take(COLORS).enumerate();
    colors.min_by_key(|(_, color)| distance(color)).map_or(0, |(index, _)| index as u8)
}

/// Returns the threshold of the 8 × 8 Bayer dither matrix at a pixel, from 0 to 1.
fn bayer_threshold(x: usize, y: usize) -> f32 {
    let (mut level, mut cross) = (0, x ^ y);
    let mut y = y;
    for _ in 0..3 {
        level = (level << 2) | ((cross & 1) << 1) | (y & 1);
        cross >>= 1;
        y >>= 1;
    }
    (level as f32 + 0.5) / 64.0
}

/// Returns a GIF frame that turns the palette indices `previous` into `current`. The frame covers
/// the smallest rectangle that contains all changed pixels.
fn changed_region_frame(
    previous: &[u8],
    current: &[u8],
    width: u16,
    height: u16,
) -> ::gif::Frame<'static> {
    let (nx, ny) = (usize::from(width), usize::from(height));
    let changed = |x: usize, y: usize| previous.get(y * nx + x) != Some(&current[y * nx + x]);
    let row_changed = |y: usize| (0..nx).any(|x| changed(x, y));
    let top = (0..ny).find(|&y| row_changed(y)).unwrap_or(0);
    let bottom = (top..ny).rev().find(|&y| row_changed(y)).unwrap_or(top);
    let column_changed = |x: usize| (top..=bottom).any(|y| changed(x, y));
    let left = (0..nx).find(|&x| column_changed(x)).unwrap_or(0);
    let right = (left..nx).rev().find(|&x| column_changed(x)).unwrap_or(left);
    let mut buffer = Vec::with_capacity((right + 1 - left) * (bottom + 1 - top));
    for y in top..=bottom {
        buffer.extend(
            (left..=right).map(|x| if changed(x, y) { current[y * nx + x] } else { UNCHANGED }),
        );
    }
    ::gif::Frame {
        left: left as u16,
        top: top as u16,
        width: (right + 1 - left) as u16,
        height: (bottom + 1 - top) as u16,
        transparent: Some(UNCHANGED),
        dispose: ::gif::DisposalMethod::Keep,
        buffer: buffer.into(),
        ..::gif::Frame::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dither_pattern_has_every_level_once() {
        let mut levels: Vec<u32> =
            (0..64).map(|i| (bayer_threshold(i % 8, i / 8) * 64.0) as u32).collect();
        levels.sort_unstable();
        assert_eq!(levels, (0..64).collect::<Vec<_>>());
    }

    #[test]
    fn only_the_changed_rectangle_is_stored() {
        let shown = vec![3; 20];
        let mut wanted = shown.clone();
        wanted[7] = 4;
        wanted[13] = 5;
        let part = changed_region_frame(&shown, &wanted, 5, 4);
        assert_eq!((part.left, part.top, part.width, part.height), (2, 1, 2, 2));
        assert_eq!(part.buffer.as_ref(), [4, UNCHANGED, UNCHANGED, 5]);
        assert_eq!(changed_region_frame(&shown, &shown, 5, 4).buffer.as_ref(), [UNCHANGED]);
    }

    #[test]
    fn downscaling_averages_over_the_covered_area() {
        let stripes = Picture::from_fn(6, 3, |x, _| [(x * 30) as u8; 3]);
        let small = downscale(&stripes, 4);
        assert_eq!(size(&small), (4, 2));
        assert_eq!(small[(0, 0)][0], 10);
        assert_eq!(downscale(&stripes, 1)[(0, 0)][0], 75);
    }
}
