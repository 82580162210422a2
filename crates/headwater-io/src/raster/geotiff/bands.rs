//! Bands of a TIFF: which of them contain the heights, and which cells have no data according to an
//! alpha band or a mask.

use super::directory::{Directory, TiffFile};
use super::metadata;
use super::rows::Image;
use crate::parallel::*;
use crate::raster::Problem;
use crate::raster::input::RowReader;

const ALLOWED: &str = "one band, one band with alpha, a palette, or gray stored as RGB or RGBA; \
                       extract a band with `gdal_translate -b 1 in.tif out.tif`";

/// Meaning of the bands of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bands {
    Gray {
        has_alpha: bool,
    },
    /// Indices into a table of colours, usually class numbers.
    Palette {
        has_alpha: bool,
    },
    /// Red, green and blue, which must be equal in every pixel.
    Rgb {
        has_alpha: bool,
    },
}

impl Bands {
    /// Returns the meaning of the bands of an image. `metadata` is the GDAL metadata of the file.
    ///
    /// # Errors
    /// Returns [`Problem`] if the image does not contain exactly one band of heights.
    pub(super) fn from_tags(
        file: &mut TiffFile<'_>,
        tags: &Directory,
        metadata: &str,
    ) -> Result<Self, Problem> {
        let count = file.integer_or(tags, 277, 1)?;
        let interpretation = file.integer_or(tags, 262, 1)?;
        // Codes of ExtraSamples: 1 and 2 are alpha. GDAL may give the meaning in its metadata.
        let last = metadata::item(metadata, "colorinterp", count.saturating_sub(1));
        let has_alpha = matches!(file.integer_or(tags, 338, 0)?, 1 | 2)
            || (count > 1 && last.is_some_and(|meaning| meaning.eq_ignore_ascii_case("alpha")));
        let values = count.saturating_sub(u64::from(has_alpha));
        match (interpretation, values) {
            (0 | 1, 1) => return Ok(Self::Gray { has_alpha }),
            (2, 3) => return Ok(Self::Rgb { has_alpha }),
            (3, 1) => return Ok(Self::Palette { has_alpha }),
            _ => {}
        }
        let kind = match interpretation {
            0 | 1 => "gray",
            2 => "RGB",
            3 => "palette",
            4 => "transparency mask",
            5 => "CMYK",
            6 => "YCbCr",
            8..=10 => "CIE L*a*b*",
            32803 => "colour filter array",
            32844 | 32845 => "CIE Log Luv",
            _ => "unknown",
        };
        let found = format!(
            "a TIFF of {count} bands, photometric interpretation {interpretation} ({kind})"
        );
        Err(Problem::Unsupported { found, allowed: ALLOWED })
    }

    pub(super) fn has_alpha(self) -> bool {
        let (Self::Gray { has_alpha } | Self::Palette { has_alpha } | Self::Rgb { has_alpha }) =
            self;
        has_alpha
    }

    /// Returns a notice for the user if the bands are a palette or RGB; `None` for gray values, the
    /// usual content of height files.
    pub(super) fn notice(self) -> Option<&'static str> {
        match self {
            Self::Gray { .. } => None,
            Self::Palette { .. } => Some(
                "the file has a palette; its numbers are read as they are, and the colours are \
                 ignored",
            ),
            Self::Rgb { .. } => {
                Some("the file stores gray as RGB; the gray values are read as heights")
            }
        }
    }

    /// Returns the number of bands that contain values or colours; an alpha band, if present,
    /// follows them.
    fn value_bands(self) -> usize {
        if matches!(self, Self::Rgb { .. }) { 3 } else { 1 }
    }
}

/// Mask whose value is 0 in cells without data and not 0 in cells with data.
pub(super) struct Mask<'a> {
    /// File that contains the mask; `None` if the mask is in the same file as the heights.
    pub(super) file: Option<TiffFile<'a>>,
    pub(super) image: Image,
}

/// Reader of the rows of the heights, in order from north to south.
pub(super) struct BandRows<'a> {
    file: TiffFile<'a>,
    image: Image,
    bands: Bands,
    mask: Option<Mask<'a>>,
    /// Whether the first column in the file is the easternmost, and whether the first row is the
    /// southernmost.
    are_axes_reversed: [bool; 2],
    /// Raw value for the cells in strips and tiles that are missing from a sparse file.
    fill: f64,
    next: usize,
}

impl<'a> BandRows<'a> {
    pub(super) fn new(
        file: TiffFile<'a>,
        image: Image,
        bands: Bands,
        mask: Option<Mask<'a>>,
        (are_axes_reversed, fill): ([bool; 2], f64),
    ) -> Self {
        Self { file, image, bands, mask, are_axes_reversed, fill, next: 0 }
    }

    /// Converts a row index counted from the north to the index of the same row in the file.
    fn row_in_file(&self, index: usize) -> usize {
        if self.are_axes_reversed[1] { self.image.size[1] - 1 - index } else { index }
    }

    /// Decodes the strips or tiles that contain the row `index`. Returns the number of consecutive
    /// rows, starting with this row, that are now decoded; at most `limit`.
    fn decode_rows(&mut self, index: usize, limit: usize) -> Result<usize, Problem> {
        let y = self.row_in_file(index);
        self.image.decode_row(&mut self.file, y)?;
        if let Some(mask) = &mut self.mask {
            mask.image.decode_row(mask.file.as_mut().unwrap_or(&mut self.file), y)?;
        }
        let images = [Some(&self.image), self.mask.as_ref().map(|mask| &mask.image)];
        let is_decoded = |index: &usize| {
            let y = self.row_in_file(*index);
            images.iter().flatten().all(|image| image.is_decoded(y))
        };
        Ok((index..index + limit).take_while(is_decoded).count())
    }

    /// Converts the decoded row `index` and writes its values to `row`. `scratch` is temporary
    /// memory for the values of another band.
    fn convert(
        &self,
        index: usize,
        row: &mut [f64],
        scratch: &mut Vec<f64>,
    ) -> Result<(), Problem> {
        let y = self.row_in_file(index);
        let read = |band, values: &mut [f64]| self.image.read_row(y, self.fill, band, values);
        read(0, row)?;
        scratch.resize(row.len(), 0.0);
        for band in 1..self.bands.value_bands() {
            read(band, scratch)?;
            if let Some(x) = (0..row.len()).find(|x| row[*x] != scratch[*x]) {
                let mut color = [row[x]; 3];
                for (band, value) in color.iter_mut().enumerate() {
                    read(band, scratch)?;
                    *value = scratch[x];
                }
                let [red, green, blue] = color;
                let found = format!(
                    "a colour image, with red {red}, green {green} and blue {blue} in column {x}, \
                     row {y}"
                );
                return Err(Problem::Unsupported { found, allowed: ALLOWED });
            }
        }
        let mut hide = |opacity: &[f64]| {
            let cells = row.iter_mut().zip(opacity);
            cells.filter(|(_, opacity)| **opacity == 0.0).for_each(|(value, _)| *value = f64::NAN);
        };
        if self.bands.has_alpha() {
            read(self.bands.value_bands(), scratch)?;
            hide(scratch);
        }
        if let Some(mask) = &self.mask {
            mask.image.read_row(y, 0.0, 0, scratch)?;
            hide(scratch);
        }
        if self.are_axes_reversed[0] {
            row.reverse();
        }
        Ok(())
    }
}

impl RowReader for BandRows<'_> {
    fn read_row(&mut self, row: &mut [f64]) -> Result<(), Problem> {
        self.read_rows(row, row.len())
    }

    fn read_rows(&mut self, mut rows: &mut [f64], width: usize) -> Result<(), Problem> {
        while !rows.is_empty() {
            let first = self.next;
            let count = self.decode_rows(first, rows.len() / width)?;
            let (block, rest) = std::mem::take(&mut rows).split_at_mut(count * width);
            let mut work: Vec<_> = block.chunks_mut(width).map(|row| (row, Ok(()))).collect();
            let reader = &*self;
            work.par_iter_mut().enumerate().for_each_init(
                Vec::new,
                |scratch, (i, (row, result))| {
                    *result = reader.convert(first + i, row, scratch);
                },
            );
            work.into_iter().try_for_each(|(_, result)| result)?;
            self.next += count;
            rows = rest;
        }
        Ok(())
    }
}
