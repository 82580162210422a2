//! Builder of small TIFF files.

use headwater_io::raster::{Raster, ReadOptions, read_bytes};

/// Values of a TIFF tag, by type.
#[derive(Clone)]
pub(crate) enum Values {
    Shorts(Vec<u16>),
    Longs(Vec<u32>),
    Doubles(Vec<f64>),
    Text(String),
}

/// One image of a TIFF, stored in one strip.
#[derive(Clone)]
pub(crate) struct Image {
    tags: Vec<(u16, Values)>,
    data: Vec<u8>,
}

pub(crate) const NEW_SUBFILE_TYPE: u16 = 254;
pub(crate) const BITS: u16 = 258;
pub(crate) const COMPRESSION: u16 = 259;
pub(crate) const PHOTOMETRIC: u16 = 262;
pub(crate) const OFFSETS: u16 = 273;
pub(crate) const LENGTHS: u16 = 279;
pub(crate) const ORIENTATION: u16 = 274;
pub(crate) const BANDS: u16 = 277;
pub(crate) const PLANAR: u16 = 284;
pub(crate) const EXTRA_SAMPLES: u16 = 338;
pub(crate) const PIXEL_SCALE: u16 = 33550;
pub(crate) const TIE_POINT: u16 = 33922;
pub(crate) const MATRIX: u16 = 34264;
pub(crate) const GEO_KEYS: u16 = 34735;
pub(crate) const GDAL_METADATA: u16 = 42112;
pub(crate) const GDAL_NO_DATA: u16 = 42113;

impl Image {
    /// Creates an image of `nx × ny` values in the TIFF sample format `format` (1: unsigned, 2:
    /// signed, 3: floating-point) with `bits` bits.
    pub(crate) fn new([nx, ny]: [u32; 2], (format, bits): (u16, u16), data: Vec<u8>) -> Self {
        let short = |value| Values::Shorts(vec![value]);
        let tags = vec![
            (256, Values::Longs(vec![nx])),
            (257, Values::Longs(vec![ny])),
            (BITS, short(bits)),
            (COMPRESSION, short(1)),
            (PHOTOMETRIC, short(1)),
            (BANDS, short(1)),
            (278, Values::Longs(vec![ny])),
            (LENGTHS, Values::Longs(vec![data.len() as u32])),
            (339, short(format)),
        ];
        Self { tags, data }
    }

    pub(crate) fn f32(size: [u32; 2], values: &[f32]) -> Self {
        Self::new(size, (3, 32), values.iter().flat_map(|value| value.to_le_bytes()).collect())
    }

    pub(crate) fn i16(size: [u32; 2], values: &[i16]) -> Self {
        Self::new(size, (2, 16), values.iter().flat_map(|value| value.to_le_bytes()).collect())
    }

    /// Adds a tag, or replaces the tag with the same number.
    pub(crate) fn with_tag(mut self, tag: u16, values: Values) -> Self {
        self.tags.retain(|(old, _)| *old != tag);
        self.tags.push((tag, values));
        self
    }

    pub(crate) fn with_short(self, tag: u16, value: u16) -> Self {
        self.with_tag(tag, Values::Shorts(vec![value]))
    }

    pub(crate) fn text(self, tag: u16, text: &str) -> Self {
        self.with_tag(tag, Values::Text(text.to_owned()))
    }

    /// Adds the position of the north-west corner and the size of the cells.
    pub(crate) fn placed(self, corner: [f64; 2], cell: f64) -> Self {
        self.with_tag(PIXEL_SCALE, Values::Doubles(vec![cell, cell, 0.0]))
            .with_tag(TIE_POINT, Values::Doubles(vec![0.0, 0.0, 0.0, corner[0], corner[1], 0.0]))
    }

    /// Adds GeoKeys, given as pairs of id and value.
    pub(crate) fn keys(self, keys: &[[u16; 2]]) -> Self {
        let head = [1, 1, 1, keys.len() as u16];
        let keys = keys.iter().flat_map(|[id, value]| [*id, 0, 1, *value]);
        self.with_tag(GEO_KEYS, Values::Shorts(head.into_iter().chain(keys).collect()))
    }

    /// Adds GDAL metadata that gives `unit` as the unit of the values in the band.
    pub(crate) fn unit(self, unit: &str) -> Self {
        self.text(
            GDAL_METADATA,
            &format!(
                "<GDALMetadata><Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">{unit}</Item>\
                 </GDALMetadata>"
            ),
        )
    }
}

/// Returns the bytes of a little-endian TIFF with the given images.
pub(crate) fn encode_tiff(images: &[Image]) -> Vec<u8> {
    let mut file = b"II*\0\0\0\0\0".to_vec();
    let mut link = 4;
    for image in images {
        let strip = file.len() as u32;
        file.extend(&image.data);
        let mut tags = image.tags.clone();
        if tags.iter().all(|(tag, _)| *tag != OFFSETS) {
            tags.push((OFFSETS, Values::Longs(vec![strip])));
        }
        tags.sort_by_key(|(tag, _)| *tag);
        let mut entries = Vec::new();
        for (tag, values) in &tags {
            let (kind, count, mut bytes): (u16, usize, Vec<u8>) = match values {
                Values::Shorts(v) => (3, v.len(), v.iter().flat_map(|v| v.to_le_bytes()).collect()),
                Values::Longs(v) => (4, v.len(), v.iter().flat_map(|v| v.to_le_bytes()).collect()),
                Values::Doubles(v) => {
                    (12, v.len(), v.iter().flat_map(|v| v.to_le_bytes()).collect())
                }
                Values::Text(v) => (2, v.len() + 1, [v.as_bytes(), &[0]].concat()),
            };
            if bytes.len() > 4 {
                let at = file.len() as u32;
                file.append(&mut bytes);
                bytes.extend(at.to_le_bytes());
            }
            bytes.resize(4, 0);
            entries.extend([tag.to_le_bytes(), kind.to_le_bytes()].concat());
            entries.extend((count as u32).to_le_bytes());
            entries.extend(bytes);
        }
        let directory = (file.len() as u32).to_le_bytes();
        file[link..link + 4].copy_from_slice(&directory);
        file.extend((tags.len() as u16).to_le_bytes());
        file.extend(entries);
        link = file.len();
        file.extend([0; 4]);
    }
    file
}

pub(crate) fn read(image: Image) -> Raster {
    read_bytes("a.tif", &encode_tiff(&[image]), &ReadOptions::default()).unwrap()
}

/// Reads an image that must be rejected, and returns the error message.
pub(crate) fn refusal(image: Image) -> String {
    read_bytes("a.tif", &encode_tiff(&[image]), &ReadOptions::default()).unwrap_err().to_string()
}

/// Returns true if a notice of the raster contains the given text.
pub(crate) fn has_notice(raster: &Raster, text: &str) -> bool {
    raster.notices.iter().any(|notice| notice.contains(text))
}
