//! Small raster files built in memory. All contain the same terrain, a hill with the heights
//! [`hill_height`]. These heights show whether columns and rows, or north and south, were swapped.

use super::pictures;
use headwater_scene::raster::{Raster, RasterError, ReadOptions, read_bytes};
use png::{BitDepth, ColorType};

/// Number of columns of most rasters. The grid is not square, so that swapped axes are detected.
pub(crate) const NX: usize = 5;
/// Number of rows of most rasters.
pub(crate) const NY: usize = 3;

/// Returns the height of a cell: 1 to 5 in the north row, and 10 more in each row to the south.
pub(crate) fn hill_height(x: usize, y: usize) -> u8 {
    (1 + x + 10 * y) as u8
}

/// Returns the heights of all cells in row-major order, starting in the north.
pub(crate) fn hill_heights() -> impl Iterator<Item = u8> {
    (0..NY).flat_map(|y| (0..NX).map(move |x| hill_height(x, y)))
}

pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<Raster, RasterError> {
    read_bytes(name, bytes, &ReadOptions::default())
}

/// Returns the error message that results from reading a file with the content `bytes`. Panics if
/// the file is accepted.
pub(crate) fn error_message(name: &str, bytes: &[u8]) -> String {
    let message = read(name, bytes).expect_err("this file is not to be read").to_string();
    assert!(message.starts_with(&format!("{name}: ")), "{message}");
    message
}

/// Asserts that a raster contains the terrain with the heights [`hill_height`].
pub(crate) fn assert_hill(raster: &Raster) {
    assert_eq!((raster.heights.nx(), raster.heights.ny()), (NX, NY));
    assert!(raster.heights.has_same_shape(&raster.no_data));
    for y in 0..NY {
        for x in 0..NX {
            assert_eq!(raster.heights[(x, y)], f32::from(hill_height(x, y)), "at {x}, {y}");
            assert!(!raster.no_data[(x, y)]);
        }
    }
}

/// Encodes pixels as a PNG image with 8 bits per channel.
pub(crate) fn png(color: ColorType, pixels: &[u8]) -> Vec<u8> {
    pictures::encode_png((color, BitDepth::Eight), [NX, NY], pixels)
}

pub(crate) fn png8() -> Vec<u8> {
    png(ColorType::Grayscale, &hill_heights().collect::<Vec<_>>())
}

pub(crate) fn png16() -> Vec<u8> {
    let pixels: Vec<u8> = hill_heights().flat_map(|h| u16::from(h).to_be_bytes()).collect();
    pictures::encode_png((ColorType::Grayscale, BitDepth::Sixteen), [NX, NY], &pixels)
}

pub(crate) fn r16() -> Vec<u8> {
    hill_heights().flat_map(|h| u16::from(h).to_le_bytes()).collect()
}

/// Order of the values in an NPY file: row-major (C) or column-major (Fortran).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Order {
    C,
    Fortran,
}

/// Returns the header of an NPY file as NumPy writes it.
pub(crate) fn npy_header(descr: &str, order: Order) -> Vec<u8> {
    let fortran = if order == Order::Fortran { "True" } else { "False" };
    let text =
        format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': ({NY}, {NX}), }}");
    // The header ends with a newline at a multiple of 64 bytes.
    let text = format!("{text:117}\n");
    let length = (text.len() as u16).to_le_bytes();
    [&b"\x93NUMPY\x01\0"[..], &length, text.as_bytes()].concat()
}

/// Returns an NPY file of the terrain with the heights [`hill_height`] and with the value type
/// `descr`, such as `<f4`.
pub(crate) fn npy(descr: &str, order: Order) -> Vec<u8> {
    let value = |height: u8| {
        let mut bytes = match &descr[1..] {
            "f4" => f32::from(height).to_le_bytes().to_vec(),
            "f8" => f64::from(height).to_le_bytes().to_vec(),
            integer => {
                let size = integer[1..].parse().unwrap();
                u64::from(height).to_le_bytes()[..size].to_vec()
            }
        };
        if descr.starts_with('>') {
            bytes.reverse();
        }
        bytes
    };
    let mut file = npy_header(descr, order);
    match order {
        Order::C => file.extend(hill_heights().flat_map(value)),
        Order::Fortran => {
            let heights = (0..NX).flat_map(|x| (0..NY).map(move |y| hill_height(x, y)));
            file.extend(heights.flat_map(value));
        }
    }
    file
}

pub(crate) fn asc() -> String {
    let rows: Vec<String> = (0..NY)
        .map(|y| (0..NX).map(|x| hill_height(x, y).to_string()).collect::<Vec<_>>().join(" "))
        .collect();
    format!(
        "ncols {NX}\nnrows {NY}\nxllcorner 4000\nyllcorner 5000\ncellsize 30\n{}\n",
        rows.join("\n")
    )
}

/// Values of a TIFF tag, by type.
#[derive(Clone)]
pub(crate) enum TagValues {
    Shorts(Vec<u16>),
    Longs(Vec<u32>),
    Doubles(Vec<f64>),
    Text(&'static str),
}

/// Builder of TIFF files.
#[derive(Clone)]
pub(crate) struct Tiff {
    pub(crate) big_endian: bool,
    pub(crate) big_tiff: bool,
    pub(crate) tags: Vec<(u16, TagValues)>,
    /// Encoded strips or tiles, which contain the pixels.
    pub(crate) chunks: Vec<Vec<u8>>,
    pub(crate) tiled: bool,
}

/// Number of the GeoTIFF tag for the pixel scale.
pub(crate) const PIXEL_SCALE: u16 = 33550;
pub(crate) const TIE_POINT: u16 = 33922;
pub(crate) const TRANSFORMATION: u16 = 34264;
pub(crate) const GEO_KEYS: u16 = 34735;
pub(crate) const GDAL_METADATA: u16 = 42112;
pub(crate) const GDAL_NO_DATA: u16 = 42113;

impl Tiff {
    /// Returns a TIFF of the terrain with the heights [`hill_height`] in strips of two rows, or in
    /// tiles of 16 × 16 pixels. `encode` returns the bytes of a value in the file's byte order.
    /// `format` is the TIFF sample format: 1 for unsigned integers, 2 for signed integers, 3 for
    /// floating-point numbers.
    pub(crate) fn from_hill(
        format: u16,
        bits: u16,
        tiled: bool,
        encode: impl Fn(u8) -> Vec<u8>,
    ) -> Self {
        let shorts = |value| TagValues::Shorts(vec![value]);
        let mut tags = vec![
            (256, shorts(NX as u16)),
            (257, shorts(NY as u16)),
            (258, shorts(bits)),
            (259, shorts(1)),
            (262, shorts(1)),
            (277, shorts(1)),
            (339, shorts(format)),
        ];
        let row = |y: usize| (0..NX).flat_map(|x| encode(hill_height(x, y))).collect::<Vec<u8>>();
        let chunks = if tiled {
            tags.extend([(322, shorts(16)), (323, shorts(16))]);
            let padded = |y| {
                let mut bytes = if y < NY { row(y) } else { Vec::new() };
                bytes.resize(16 * usize::from(bits) / 8, 0);
                bytes
            };
            vec![(0..16).flat_map(padded).collect()]
        } else {
            tags.push((278, shorts(2)));
            vec![(0..2).flat_map(row).collect(), row(2)]
        };
        Self { big_endian: false, big_tiff: false, tags, chunks, tiled }
    }

    pub(crate) fn from_hill_f32() -> Self {
        Self::from_hill(3, 32, false, |h| f32::from(h).to_le_bytes().to_vec())
    }

    pub(crate) fn from_hill_i16() -> Self {
        Self::from_hill(2, 16, false, |h| i16::from(h).to_le_bytes().to_vec())
    }

    /// Adds a tag, or replaces the tag with the same number.
    pub(crate) fn with_tag(mut self, tag: u16, values: TagValues) -> Self {
        self.tags.retain(|(old, _)| *old != tag);
        self.tags.push((tag, values));
        self
    }

    /// Adds the tags for the pixel scale `cell` and for a tie point at the north-west corner
    /// `corner` of the raster.
    pub(crate) fn with_georeference(self, cell: [f64; 2], corner: [f64; 2]) -> Self {
        self.with_tag(PIXEL_SCALE, TagValues::Doubles(vec![cell[0], cell[1], 0.0]))
            .with_tag(TIE_POINT, TagValues::Doubles(vec![0.0, 0.0, 0.0, corner[0], corner[1], 0.0]))
    }

    fn encode_number(&self, value: u64, size: usize) -> Vec<u8> {
        if self.big_endian {
            value.to_be_bytes()[8 - size..].to_vec()
        } else {
            value.to_le_bytes()[..size].to_vec()
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let (word, count_size) = if self.big_tiff { (8, 8) } else { (4, 2) };
        let mut file = if self.big_endian { b"MM".to_vec() } else { b"II".to_vec() };
        file.extend(self.encode_number(if self.big_tiff { 43 } else { 42 }, 2));
        if self.big_tiff {
            file.extend([self.encode_number(8, 2), self.encode_number(0, 2)].concat());
        }
        let first = file.len() + word;
        file.extend(self.encode_number(first as u64, word));

        let mut tags = self.tags.clone();
        let count = tags.len() + 2;
        let mut data_at = first + count_size + count * (4 + 2 * word) + word;
        let offsets = self.chunks.iter().map(|chunk| {
            let at = data_at;
            data_at += chunk.len();
            at as u32
        });
        let (offsets_tag, lengths_tag) = if self.tiled { (324, 325) } else { (273, 279) };
        tags.push((offsets_tag, TagValues::Longs(offsets.collect())));
        let lengths = self.chunks.iter().map(|chunk| chunk.len() as u32);
        tags.push((lengths_tag, TagValues::Longs(lengths.collect())));
        tags.sort_by_key(|(tag, _)| *tag);

        file.extend(self.encode_number(count as u64, count_size));
        let mut behind = Vec::new();
        for (tag, values) in &tags {
            let (kind, length, mut bytes): (u64, usize, Vec<u8>) = match values {
                TagValues::Shorts(v) => (
                    3,
                    v.len(),
                    v.iter().flat_map(|v| self.encode_number((*v).into(), 2)).collect(),
                ),
                TagValues::Longs(v) => (
                    4,
                    v.len(),
                    v.iter().flat_map(|v| self.encode_number((*v).into(), 4)).collect(),
                ),
                TagValues::Doubles(v) => (
                    12,
                    v.len(),
                    v.iter().flat_map(|v| self.encode_number(v.to_bits(), 8)).collect(),
                ),
                TagValues::Text(v) => (2, v.len() + 1, [v.as_bytes(), &[0]].concat()),
            };
            file.extend(self.encode_number((*tag).into(), 2));
            file.extend(self.encode_number(kind, 2));
            file.extend(self.encode_number(length as u64, word));
            if bytes.len() <= word {
                bytes.resize(word, 0);
                file.extend(bytes);
            } else {
                file.extend(self.encode_number((data_at + behind.len()) as u64, word));
                behind.extend(bytes);
            }
        }
        file.extend(self.encode_number(0, word));
        file.extend(self.chunks.concat());
        file.extend(behind);
        file
    }
}

/// Returns the terrain with the heights [`hill_height`] as a compressed TIFF of `f32`.
pub(crate) fn compressed_tiff(compression: tiff::encoder::Compression) -> Vec<u8> {
    let values: Vec<f32> = hill_heights().map(f32::from).collect();
    let mut file = std::io::Cursor::new(Vec::new());
    tiff::encoder::TiffEncoder::new(&mut file)
        .unwrap()
        .with_compression(compression)
        .write_image::<tiff::encoder::colortype::Gray32Float>(NX as u32, NY as u32, &values)
        .unwrap();
    file.into_inner()
}
