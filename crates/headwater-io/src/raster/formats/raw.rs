//! Reader of raw rasters, as exported by terrain editors: unsigned 16-bit (R16) or 32-bit
//! floating-point values (R32) without a header, row by row from the north. Also reads tiles of the
//! Shuttle Radar Topography Mission (HGT), which have a fixed layout and a file name that gives
//! their position.

use super::npy::decode_number;
use crate::raster::geographic::{CellSize, CellSizeUnit};
use crate::raster::header::{Header, checked_grid_size};
use crate::raster::input::{Input, OpenedRaster, RowReader};
use crate::raster::{ByteOrder, Format, Problem, ReadOptions, SampleType};
use std::io::Read as _;
use std::path::Path;

/// EPSG code of longitude and latitude on WGS 84.
const WGS_84: u16 = 4326;
/// Value that marks voids in SRTM tiles.
const SRTM_VOID: f64 = -32768.0;

pub(in crate::raster) fn open<'a>(
    input: Input<'a>,
    format: Format,
    options: &ReadOptions,
) -> Result<OpenedRaster<'a>, Problem> {
    let sample = if format == Format::R32 { SampleType::F32 } else { SampleType::U16 };
    let header = read_shape(&input, format, sample, options)?;
    Ok((header, RawReader::new(input, sample, options.byte_order)))
}

/// Opens an SRTM tile. Its name, such as `N47E008.hgt`, gives the south-west corner. The cells are
/// centred on whole fractions of a degree, so the tile extends half a cell beyond each side of its
/// one-degree square.
pub(in crate::raster) fn open_hgt<'a>(
    input: Input<'a>,
    name: &str,
    options: &ReadOptions,
) -> Result<OpenedRaster<'a>, Problem> {
    // Tiles above 50° north are half as wide in the dataset with one arc second.
    let size = options.size.or((input.length == 2 * 1801 * 3601).then_some([1801, 3601]));
    let options = ReadOptions { size, ..options.clone() };
    let mut header = read_shape(&input, Format::Hgt, SampleType::I16, &options)?;
    header.no_data = Some(SRTM_VOID);
    let [nx, ny] = header.size;
    match corner_from_tile_name(name).filter(|_| nx > 1 && ny > 1) {
        Some([west, south]) => {
            let [dx, dy] = [1.0 / (nx - 1) as f64, 1.0 / (ny - 1) as f64];
            let unit = CellSizeUnit::Degrees { latitude: south + 0.5 };
            header.cell = Some(CellSize { size: [dx, dy], unit });
            header.bounds = Some([
                west - 0.5 * dx,
                south - 0.5 * dy,
                west + 1.0 + 0.5 * dx,
                south + 1.0 + 0.5 * dy,
            ]);
            header.epsg = Some(WGS_84);
        }
        None => header.notices.push(
            "the name of the SRTM tile does not give its corner, as N47E008.hgt does; the cell \
             size is unknown"
                .to_owned(),
        ),
    }
    Ok((header, RawReader::new(input, SampleType::I16, ByteOrder::Big)))
}

/// Returns the longitude and latitude (degrees) in a name such as `S01W078.hgt` or
/// `N47E008.SRTMGL1.hgt`, or `None` if the name does not contain them.
fn corner_from_tile_name(name: &str) -> Option<[f64; 2]> {
    let stem = Path::new(name).file_name()?.to_str()?;
    let (latitude, rest) = stem.split_at_checked(3)?;
    let (longitude, _) = rest.split_at_checked(4)?;
    let degrees = |text: &str, [plus, minus]: [char; 2], limit: f64| {
        let sign = match text.chars().next()?.to_ascii_uppercase() {
            letter if letter == plus => 1.0,
            letter if letter == minus => -1.0,
            _ => return None,
        };
        let digits = text.get(1..)?.bytes().all(|byte| byte.is_ascii_digit());
        let value: f64 = digits.then(|| text[1..].parse().ok())??;
        (value <= limit).then_some(sign * value)
    };
    Some([degrees(longitude, ['E', 'W'], 180.0)?, degrees(latitude, ['N', 'S'], 89.0)?])
}

/// Determines the size of a raw file, which contains only values, and creates a [`Header`] from it.
/// The number of cells must agree with the length of the file.
fn read_shape(
    input: &Input<'_>,
    format: Format,
    sample: SampleType,
    options: &ReadOptions,
) -> Result<Header, Problem> {
    let bytes = (sample.bits().unwrap_or_default() / 8) as u64;
    let side = usize::try_from((input.length / bytes).isqrt()).unwrap_or(usize::MAX);
    let [nx, ny] = options.size.unwrap_or([side, side]);
    let size = checked_grid_size(nx as u64, ny as u64, options)?;
    let cells = nx as u64 * ny as u64;
    if input.length != cells * bytes {
        let shape = if options.size.is_some() { "the given" } else { "a square of" };
        let fitting = [(1, "8-bit values"), (2, "16-bit values"), (4, "32-bit numbers (.r32)")];
        let fitting = fitting.iter().filter_map(|(width, name)| {
            let [nx, ny] = options
                .size
                .map(|size| size.map(|side| side as u64))
                .unwrap_or_else(|| [(input.length / width).isqrt(); 2]);
            let fits = nx.checked_mul(ny)?.checked_mul(*width)? == input.length;
            fits.then(|| format!("; its length fits {nx} × {ny} {name}"))
        });
        let hint: String = fitting.collect();
        let advice = match options.size {
            Some(_) => "correct `terrain.size`",
            None => "set `terrain.size` if the raster is not square",
        };
        return Err(Problem::damaged(
            format,
            format!(
                "{} bytes do not make {shape} {nx} × {ny} cells of {bytes} bytes; {advice}{hint}",
                input.length
            ),
        ));
    }
    Ok(Header::new(format, size, sample))
}

struct RawReader<'a> {
    input: Input<'a>,
    sample: SampleType,
    order: ByteOrder,
    bytes: Vec<u8>,
    /// Noise of the values if decoded in the assumed byte order and in the opposite one, in this
    /// order. The byte order with less noise is probably the right one. For integers, the noise is
    /// the sum of the differences between horizontal neighbours; for floating-point numbers, it is
    /// the number of values that are unlikely to be heights.
    noise: [f64; 2],
    /// Number of values read so far.
    count: usize,
}

impl<'a> RawReader<'a> {
    fn new(input: Input<'a>, sample: SampleType, order: ByteOrder) -> Box<Self> {
        Box::new(Self { input, sample, order, bytes: Vec::new(), noise: [0.0; 2], count: 0 })
    }
}

impl RowReader for RawReader<'_> {
    fn read_row(&mut self, row: &mut [f64]) -> Result<(), Problem> {
        let stride = self.sample.bits().unwrap_or_default() / 8;
        self.bytes.resize(stride * row.len(), 0);
        self.input.read_exact(&mut self.bytes).map_err(Problem::Read)?;
        let big = self.order == ByteOrder::Big;
        let mut before = None;
        for (value, bytes) in row.iter_mut().zip(self.bytes.chunks_exact(stride)) {
            *value = decode_number(self.sample, big, bytes);
            let both = [*value, decode_number(self.sample, !big, bytes)];
            let before = before.replace(both).unwrap_or(both);
            for (noise, (value, before)) in self.noise.iter_mut().zip(both.into_iter().zip(before))
            {
                *noise += match self.sample {
                    SampleType::F32 => {
                        let is_height = (1e-5..1e5).contains(&value.abs()) || value == 0.0;
                        f64::from(u8::from(!is_height))
                    }
                    _ => (value - before).abs(),
                };
            }
        }
        self.count += row.len();
        Ok(())
    }

    fn notices(&self) -> Vec<String> {
        let [read, swapped] = self.noise;
        let is_noise = self.count >= 16 && read > 8.0 * swapped;
        let is_noise =
            is_noise && (self.sample != SampleType::F32 || read > 0.5 * self.count as f64);
        if self.sample == SampleType::I16 || !is_noise {
            return Vec::new();
        }
        let (order, other) = match self.order {
            ByteOrder::Little => ("little", "big"),
            ByteOrder::Big => ("big", "little"),
        };
        vec![format!(
            "read in {order}-endian order, the heights are noise; in {other}-endian order they \
             would be smooth: set terrain.byte_order = \"{other}\""
        )]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tile_names_give_the_corner_of_the_tile() {
        assert_eq!(corner_from_tile_name("a/N47E008.hgt"), Some([8.0, 47.0]));
        assert_eq!(corner_from_tile_name("s01w078.SRTMGL1.hgt"), Some([-78.0, -1.0]));
        for name in ["hill.hgt", "N47E0x8.hgt", "N91E008.hgt", "N47é08.hgt", ""] {
            assert_eq!(corner_from_tile_name(name), None, "{name}");
        }
    }
}
