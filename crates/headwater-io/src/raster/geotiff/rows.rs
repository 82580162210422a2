//! Row-by-row decoding of one image of a TIFF that is stored in strips or tiles (chunks). A few
//! rows of chunks are in memory at a time; their chunks are decoded in parallel.

use super::compression::Compression;
use super::directory::{Directory, TiffFile, damaged};
use super::samples::{Predictor, SampleLayout};
use crate::parallel::*;
use crate::raster::{Problem, ReadOptions, SampleType};

/// Maximum width of a tile (pixels). The limit is 16 times the usual width and keeps one row of a
/// tile below 1 MB.
const MAX_TILE_WIDTH: u64 = 1 << 16;
/// Minimum amount of decoded data (bytes) that is kept in memory. Strips are often small, so
/// several of them are decoded together.
const BATCH_BYTES: usize = 1 << 22;
/// Minimum of the size limit for a decoded chunk (bytes). If rasters may have many cells, the limit
/// is higher: 8 bytes per cell of the largest allowed raster.
const MIN_CHUNK_LIMIT: usize = 1 << 24;

const ALLOWED_SAMPLES: &str = "unsigned integers of up to 32 bits or of 64 bits, signed integers \
                               of 8, 16, 32 or 64 bits, and floating-point values of 16, 32 or 64 \
                               bits; convert the file with `gdal_translate -ot Float32 in.tif \
                               out.tif`";

/// One image of a TIFF, with the chunks that contain its pixels.
pub(in crate::raster) struct Image {
    /// Number of columns and rows of the image.
    pub(in crate::raster) size: [usize; 2],
    /// Number of values per pixel.
    pub(in crate::raster) bands: usize,
    pub(in crate::raster) layout: SampleLayout,
    pub(in crate::raster) compression: Compression,
    /// Number of columns and rows of a chunk.
    chunk_size: [usize; 2],
    /// Whether the bands are stored one after the other, each in its own chunks.
    is_planar: bool,
    /// Whether the least significant bit of a byte comes first.
    has_reversed_bits: bool,
    offsets: Vec<u64>,
    /// Compressed lengths of the chunks (bytes); 0 for chunks that a sparse file omits.
    lengths: Vec<u64>,
    /// Decoded chunks of the current batch (a few rows of chunks). They are ordered by row of
    /// chunks; within a row, by band. `None` for chunks that the file omits.
    decoded: Vec<Option<Vec<u8>>>,
    /// Range of the rows of chunks whose decoded chunks are stored in `decoded`.
    decoded_chunk_rows: std::ops::Range<usize>,
}

/// Chunk to be decoded. Before decoding, `content` holds the compressed bytes; afterwards, the
/// decoded bytes. It holds `None` if the file omits the chunk.
struct ChunkTask {
    content: Result<Option<Vec<u8>>, Problem>,
    /// Decoded length (bytes).
    length: usize,
}

impl Image {
    /// Reads the layout of an image of `nx × ny` pixels.
    pub(in crate::raster) fn open(
        file: &mut TiffFile<'_>,
        tags: &Directory,
        size @ [nx, ny]: [usize; 2],
        options: &ReadOptions,
    ) -> Result<Self, Problem> {
        let bands = file.integer_or(tags, 277, 1)?.max(1);
        let compression = Compression::from_code(file.integer_or(tags, 259, 1)?)?;
        let is_planar = bands > 1 && file.integer_or(tags, 284, 1)? == 2;
        let bands = usize::try_from(bands).unwrap_or(usize::MAX);
        let per_pixel = if is_planar { 1 } else { bands };
        let layout = SampleLayout { per_pixel, ..sample_layout(file, tags)? };
        let tile = [file.integers(tags, 322)?, file.integers(tags, 323)?];
        let (offset_tags, chunk) = match (tile[0].first(), tile[1].first()) {
            (Some(&width), Some(&height)) => ([324, 325], [width, height]),
            _ => ([273, 279], [nx as u64, file.integer_or(tags, 278, u64::MAX)?]),
        };
        if offset_tags[0] == 324 && chunk[0] > MAX_TILE_WIDTH {
            let found = format!("tiles {} pixels wide", chunk[0]);
            return Err(Problem::Unsupported { found, allowed: "tiles up to 65536 pixels wide" });
        }
        // Rows of a chunk below the image are not decoded.
        let chunk_size = [chunk[0].max(1), chunk[1].clamp(1, ny as u64)].map(|side| side as usize);
        let chunk_bytes = layout.row_bytes(chunk_size[0]).saturating_mul(chunk_size[1]);
        let max_bytes = options.max_cells.saturating_mul(size_of::<f64>()).max(MIN_CHUNK_LIMIT);
        if chunk_bytes > max_bytes {
            let found = format!("strips or tiles of {chunk_bytes} bytes");
            let allowed = "strips or tiles of at most 8 bytes for each cell of the largest raster; \
                           convert the file with `gdal_translate -co TILED=YES in.tif out.tif`";
            return Err(Problem::Unsupported { found, allowed });
        }
        let offsets = file.integers(tags, offset_tags[0])?;
        let mut lengths = file.integers(tags, offset_tags[1])?;
        if lengths.is_empty() {
            // Old files omit the lengths.
            lengths = offsets.iter().map(|offset| file.len().saturating_sub(*offset)).collect();
        }
        let planes = if is_planar { bands } else { 1 };
        let expected = nx.div_ceil(chunk_size[0]) * ny.div_ceil(chunk_size[1]);
        let (expected, found) = (expected.saturating_mul(planes), offsets.len());
        if found < expected || lengths.len() < expected {
            return Err(damaged(format!("it has {found} strips or tiles, expected {expected}")));
        }
        Ok(Self {
            size,
            bands,
            layout,
            compression,
            chunk_size,
            is_planar,
            has_reversed_bits: file.integer_or(tags, 266, 1)? == 2,
            offsets,
            lengths,
            decoded: Vec::new(),
            decoded_chunk_rows: 0..0,
        })
    }

    /// Returns the number of chunk columns and the number of chunk rows.
    fn chunks(&self) -> [usize; 2] {
        [0, 1].map(|axis| self.size[axis].div_ceil(self.chunk_size[axis]))
    }

    /// Decodes the chunks that contain row `y`, unless they are in memory.
    pub(in crate::raster) fn decode_row(
        &mut self,
        file: &mut TiffFile<'_>,
        y: usize,
    ) -> Result<(), Problem> {
        match self.is_decoded(y) {
            true => Ok(()),
            false => self.decode_batch(file, y / self.chunk_size[1]),
        }
    }

    /// Returns true if the chunks that contain row `y` are in memory.
    pub(in crate::raster) fn is_decoded(&self, y: usize) -> bool {
        self.decoded_chunk_rows.contains(&(y / self.chunk_size[1]))
    }

    /// Reads the values of one band in row `y`, which must be decoded. Values in chunks that the
    /// file omits are `fill`.
    pub(in crate::raster) fn read_row(
        &self,
        y: usize,
        fill: f64,
        band: usize,
        values: &mut [f64],
    ) -> Result<(), Problem> {
        let columns = self.chunks()[0];
        let planes = if self.is_planar { self.bands } else { 1 };
        let (plane, band) = if self.is_planar { (band, 0) } else { (0, band) };
        let row_bytes = self.layout.row_bytes(self.chunk_size[0]);
        let first =
            ((y / self.chunk_size[1] - self.decoded_chunk_rows.start) * planes + plane) * columns;
        let from = (y % self.chunk_size[1]) * row_bytes;
        for (x, part) in values.chunks_mut(self.chunk_size[0]).enumerate() {
            let Some(chunk) = &self.decoded[first + x] else {
                part.fill(fill);
                continue;
            };
            let row = chunk.get(from..).unwrap_or_default();
            self.layout.convert(&row[..row.len().min(row_bytes)], 0, band, part)?;
        }
        Ok(())
    }

    /// Decodes a batch of consecutive rows of chunks. The batch contains the row with the index
    /// `chunk_row` and some of its neighbours.
    fn decode_batch(&mut self, file: &mut TiffFile<'_>, chunk_row: usize) -> Result<(), Problem> {
        let [columns, rows] = self.chunks();
        let planes = if self.is_planar { self.bands } else { 1 };
        let row_bytes = self.layout.row_bytes(self.chunk_size[0]);
        let bytes = row_bytes.saturating_mul(self.chunk_size[1] * columns).saturating_mul(planes);
        let count = (BATCH_BYTES / bytes.max(1)).max(1);
        let start = chunk_row / count * count;
        let batch = start..(start + count).min(rows);
        self.decoded_chunk_rows = 0..0;
        self.decoded.clear();
        let mut work = Vec::new();
        for row in batch.clone() {
            let height = self.chunk_size[1].min(self.size[1] - row * self.chunk_size[1]);
            for plane in 0..planes {
                for x in 0..columns {
                    let index = (plane * rows + row) * columns + x;
                    let decoded = row_bytes * height;
                    // Compression never doubles the length, so the rest is not needed.
                    let limit = 2 * decoded as u64 + 4096;
                    let content = match self.lengths[index].min(limit) {
                        0 => None,
                        length => Some(file.bytes(self.offsets[index], length)?),
                    };
                    work.push(ChunkTask { content: Ok(content), length: decoded });
                }
            }
        }
        let image = &*self;
        work.par_iter_mut().for_each(|work| {
            if let Ok(Some(bytes)) = &mut work.content {
                let bytes = std::mem::take(bytes);
                work.content = image.decode_chunk(bytes, work.length).map(Some);
            }
        });
        self.decoded = work.into_iter().map(|work| work.content).collect::<Result<_, _>>()?;
        self.decoded_chunk_rows = batch;
        Ok(())
    }

    fn decode_chunk(&self, mut bytes: Vec<u8>, length: usize) -> Result<Vec<u8>, Problem> {
        if self.has_reversed_bits {
            bytes.iter_mut().for_each(|byte| *byte = byte.reverse_bits());
        }
        let mut decoded = self.compression.decode(bytes, length)?;
        if decoded.len() < length {
            return Err(damaged("it ends too early"));
        }
        self.layout.restore(&mut decoded, self.chunk_size[0]);
        Ok(decoded)
    }
}

/// Returns the type and the encoding of the values of an image.
///
/// # Errors
/// Returns [`Problem`] if the type is not supported.
fn sample_layout(file: &mut TiffFile<'_>, tags: &Directory) -> Result<SampleLayout, Problem> {
    let bits = file.integers(tags, 258)?;
    let formats = file.integers(tags, 339)?;
    let format = formats.first().copied().unwrap_or(1);
    let depth = bits.first().copied().unwrap_or(1);
    let found = |what: String| Problem::Unsupported { found: what, allowed: ALLOWED_SAMPLES };
    if bits.iter().any(|other| *other != depth) || formats.iter().any(|other| *other != format) {
        return Err(found("bands of different types".to_owned()));
    }
    let kind = match (format, depth) {
        (1 | 4, 1..=8) => SampleType::U8,
        (1 | 4, 9..=16) => SampleType::U16,
        (1 | 4, 17..=32) => SampleType::U32,
        (1 | 4, 64) => SampleType::U64,
        (2, 8) => SampleType::I8,
        (2, 16) => SampleType::I16,
        (2, 32) => SampleType::I32,
        (2, 64) => SampleType::I64,
        (3, 16) => SampleType::F16,
        (3, 32) => SampleType::F32,
        (3, 64) => SampleType::F64,
        _ => {
            let name = match format {
                1 | 4 => "unsigned integers",
                2 => "signed integers",
                3 => "floating-point values",
                5 => "complex integers",
                6 => "complex floating-point values",
                _ => "values of an unknown type",
            };
            return Err(found(format!("{name} of {depth} bits")));
        }
    };
    let predictor = match file.integer_or(tags, 317, 1)? {
        1 => Predictor::None,
        2 if matches!(depth, 8 | 16 | 32 | 64) => Predictor::Horizontal,
        3 if matches!(kind, SampleType::F16 | SampleType::F32 | SampleType::F64) => {
            Predictor::FloatingPoint
        }
        other => {
            let found = format!("predictor {other} with values of {depth} bits");
            let allowed = "predictors 1, 2 and 3; convert the file with `gdal_translate -co \
                           COMPRESS=DEFLATE in.tif out.tif`";
            return Err(Problem::Unsupported { found, allowed });
        }
    };
    let big_endian = file.big_endian;
    Ok(SampleLayout { kind, bits: depth as usize, per_pixel: 1, predictor, big_endian })
}
