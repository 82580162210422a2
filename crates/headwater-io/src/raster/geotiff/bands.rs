//! Bands of a TIFF: which of them contain the heights, and which cells have no data according to an
//! alpha band or a mask.

use super::directory::{Directory, TiffFile};
use super::metadata;
use super::rows::Image;
use crate::raster::Problem;
use crate::raster::input::RowReader;

const ALLOWED: &str = "one band, one band with alpha, a palette, or grey stored as RGB or RGBA; \
                       extract a band with `gdal_translate -b 1 in.tif out.tif`";

/// Meaning of the bands of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bands {
    Grey {
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
    pub(super) fn of_image(
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
            (0 | 1, 1) => return Ok(Self::Grey { has_alpha }),
            (2, 3) => return Ok(Self::Rgb { has_alpha }),
            (3, 1) => return Ok(Self::Palette { has_alpha }),
            _ => {}
        }
        let kind = match interpretation {
            0 | 1 => "grey",
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
        let (Self::Grey { has_alpha } | Self::Palette { has_alpha } | Self::Rgb { has_alpha }) =
            self;
        has_alpha
    }

    /// Returns the notice for the user about an unusual meaning of the bands, or `None` if the
    /// meaning is usual.
    pub(super) fn notice(self) -> Option<&'static str> {
        match self {
            Self::Grey { .. } => None,
            Self::Palette { .. } => Some(
                "the file has a palette; its numbers are read as they are, and the colours are \
                 ignored",
            ),
            Self::Rgb { .. } => {
                Some("the file stores grey as RGB; the grey values are read as heights")
            }
        }
    }

    /// Returns the number of bands before the alpha band.
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
    reversed: [bool; 2],
    /// Raw value of the cells in strips and tiles that the file omits.
    fill: f64,
    /// Values of one row of each band, and of the mask.
    values: Vec<Vec<f64>>,
    mask_values: [Vec<f64>; 1],
    next: usize,
}

impl<'a> BandRows<'a> {
    pub(super) fn new(
        file: TiffFile<'a>,
        image: Image,
        bands: Bands,
        mask: Option<Mask<'a>>,
        (reversed, fill): ([bool; 2], f64),
    ) -> Self {
        let width = image.size[0];
        let values = vec![vec![0.0; width]; bands.value_bands() + usize::from(bands.has_alpha())];
        let mask_values = [vec![0.0; if mask.is_some() { width } else { 0 }]];
        Self { file, image, bands, mask, reversed, fill, values, mask_values, next: 0 }
    }
}

impl RowReader for BandRows<'_> {
    fn read_row(&mut self, row: &mut [f64]) -> Result<(), Problem> {
        let last = self.image.size[1] - 1;
        let y = if self.reversed[1] { last - self.next } else { self.next };
        self.next += 1;
        self.image.read_row(&mut self.file, y, self.fill, &mut self.values)?;
        row.copy_from_slice(&self.values[0]);
        if let Bands::Rgb { .. } = self.bands {
            let [red, green, blue, ..] = &self.values[..] else { return Ok(()) };
            let is_colour = |x: &usize| red[*x] != green[*x] || red[*x] != blue[*x];
            if let Some(x) = (0..row.len()).find(is_colour) {
                let found = format!(
                    "a colour image, with red {}, green {} and blue {} in column {x}, row {y}",
                    red[x], green[x], blue[x]
                );
                return Err(Problem::Unsupported { found, allowed: ALLOWED });
            }
        }
        let alpha = self.bands.has_alpha().then(|| &self.values[self.bands.value_bands()]);
        let mask = match &mut self.mask {
            Some(mask) => {
                let file = mask.file.as_mut().unwrap_or(&mut self.file);
                mask.image.read_row(file, y, 0.0, &mut self.mask_values)?;
                Some(&self.mask_values[0])
            }
            None => None,
        };
        for opacity in alpha.into_iter().chain(mask) {
            let cells = row.iter_mut().zip(opacity);
            cells.filter(|(_, opacity)| **opacity == 0.0).for_each(|(value, _)| *value = f64::NAN);
        }
        if self.reversed[0] {
            row.reverse();
        }
        Ok(())
    }
}
