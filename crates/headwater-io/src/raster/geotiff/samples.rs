//! Values in decoded strips and tiles: predictors, byte order, and conversion to `f64`.

use super::directory::damaged;
use crate::raster::{Problem, SampleType};

/// Encoding of the values in a strip or tile.
#[derive(Clone, Copy, Debug)]
pub(in crate::raster) struct SampleLayout {
    pub(in crate::raster) kind: SampleType,
    /// Number of bits per value in the file. Unsigned integers may have any number of bits.
    pub(in crate::raster) bits: usize,
    /// Number of values per pixel in one strip or tile: all bands, or 1 if each band has its own
    /// strips or tiles.
    pub(in crate::raster) per_pixel: usize,
    pub(in crate::raster) predictor: Predictor,
    pub(in crate::raster) big_endian: bool,
}

/// Transformation of the values before compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::raster) enum Predictor {
    None,
    /// Differences between neighbouring values.
    Horizontal,
    /// Differences between adjacent bytes, after the bytes of each row have been grouped by
    /// significance.
    FloatingPoint,
}

impl SampleLayout {
    /// Returns the size of a row of `width` pixels (bytes).
    pub(in crate::raster) fn row_bytes(&self, width: usize) -> usize {
        width.saturating_mul(self.per_pixel).saturating_mul(self.bits).div_ceil(8)
    }

    /// Returns true if the values do not consist of whole bytes.
    fn is_packed(&self) -> bool {
        !matches!(self.bits, 8 | 16 | 32 | 64)
    }

    /// Undoes the predictor in rows of `width` pixels and converts the values to little-endian byte
    /// order.
    pub(in crate::raster) fn restore(&self, bytes: &mut [u8], width: usize) {
        let (size, row_bytes) = (self.bits / 8, self.row_bytes(width).max(1));
        if self.is_packed() {
            return;
        }
        if self.big_endian && size > 1 && self.predictor != Predictor::FloatingPoint {
            bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
        }
        let mut scratch = Vec::new();
        for row in bytes.chunks_mut(row_bytes) {
            match (self.predictor, size) {
                (Predictor::None, _) => {}
                (Predictor::FloatingPoint, _) => {
                    undo_float_predictor(row, size, self.per_pixel, &mut scratch);
                }
                (_, 1) => undo_horizontal_predictor::<1>(row, self.per_pixel),
                (_, 2) => undo_horizontal_predictor::<2>(row, self.per_pixel),
                (_, 4) => undo_horizontal_predictor::<4>(row, self.per_pixel),
                _ => undo_horizontal_predictor::<8>(row, self.per_pixel),
            }
        }
    }

    /// Converts the values of one band in a restored row to `f64`, starting with the pixel that has
    /// the index `first`.
    pub(in crate::raster) fn convert(
        &self,
        row: &[u8],
        first: usize,
        band: usize,
        values: &mut [f64],
    ) -> Result<(), Problem> {
        if row.len() < self.row_bytes(first + values.len()) {
            return Err(damaged("it ends too early"));
        }
        let start = first * self.per_pixel + band;
        if self.is_packed() {
            for (i, value) in values.iter_mut().enumerate() {
                *value = unpack_bits(row, (start + i * self.per_pixel) * self.bits, self.bits);
            }
            return Ok(());
        }
        let row = row.get(start * self.bits / 8..).unwrap_or_default();
        let step = self.per_pixel;
        match self.kind {
            SampleType::U8 => {
                decode_every_nth(row, step, values, |bytes| u8::from_le_bytes(bytes).into());
            }
            SampleType::I8 => {
                decode_every_nth(row, step, values, |bytes| i8::from_le_bytes(bytes).into());
            }
            SampleType::U16 => {
                decode_every_nth(row, step, values, |bytes| u16::from_le_bytes(bytes).into());
            }
            SampleType::I16 => {
                decode_every_nth(row, step, values, |bytes| i16::from_le_bytes(bytes).into());
            }
            SampleType::U32 => {
                decode_every_nth(row, step, values, |bytes| u32::from_le_bytes(bytes).into());
            }
            SampleType::I32 => {
                decode_every_nth(row, step, values, |bytes| i32::from_le_bytes(bytes).into());
            }
            SampleType::U64 => {
                decode_every_nth(row, step, values, |bytes| u64::from_le_bytes(bytes) as f64);
            }
            SampleType::I64 => {
                decode_every_nth(row, step, values, |bytes| i64::from_le_bytes(bytes) as f64);
            }
            SampleType::F16 => {
                decode_every_nth(row, step, values, |b| f16_to_f64(u16::from_le_bytes(b)));
            }
            SampleType::F32 => {
                decode_every_nth(row, step, values, |bytes| f32::from_le_bytes(bytes).into());
            }
            SampleType::F64 | SampleType::Text => {
                decode_every_nth(row, step, values, f64::from_le_bytes);
            }
        }
        Ok(())
    }
}

/// Decodes every `step`-th value of a row.
fn decode_every_nth<const N: usize>(
    row: &[u8],
    step: usize,
    values: &mut [f64],
    convert: impl Fn([u8; N]) -> f64,
) {
    let (found, _) = row.as_chunks::<N>();
    values.iter_mut().zip(found.iter().step_by(step)).for_each(|(to, bytes)| *to = convert(*bytes));
}

/// Returns the unsigned integer of `bits` bits (at most 32) that begins at the bit `at`, as `f64`.
fn unpack_bits(row: &[u8], at: usize, bits: usize) -> f64 {
    let bit = |i: usize| u32::from(row[i / 8] >> (7 - i % 8) & 1);
    f64::from((at..at + bits).fold(0, |value, i| value << 1 | bit(i)))
}

/// Undoes the horizontal predictor: adds to each little-endian integer of `N` bytes the integer
/// that precedes it by `step` values.
fn undo_horizontal_predictor<const N: usize>(row: &mut [u8], step: usize) {
    let (values, _) = row.as_chunks_mut::<N>();
    let number = |bytes: [u8; N]| {
        let mut wide = [0; 8];
        wide[..N].copy_from_slice(&bytes);
        u64::from_le_bytes(wide)
    };
    for band in 0..step {
        let mut sum = 0_u64;
        for value in values.iter_mut().skip(band).step_by(step) {
            sum = sum.wrapping_add(number(*value));
            value.copy_from_slice(&sum.to_le_bytes()[..N]);
        }
    }
}

/// Undoes the floating-point predictor (Adobe Photoshop TIFF Technical Note 3): the row contains
/// differences of bytes, the most significant bytes of all values first. The result is in
/// little-endian byte order.
fn undo_float_predictor(row: &mut [u8], size: usize, step: usize, scratch: &mut Vec<u8>) {
    for band in 0..step {
        let mut sum = 0_u8;
        for byte in row.iter_mut().skip(band).step_by(step) {
            sum = sum.wrapping_add(*byte);
            *byte = sum;
        }
    }
    scratch.clear();
    scratch.extend_from_slice(row);
    let count = row.len() / size;
    for (i, value) in row.chunks_exact_mut(size).enumerate() {
        for (byte, significance) in value.iter_mut().zip((0..size).rev()) {
            *byte = scratch[significance * count + i];
        }
    }
}

/// Converts an IEEE 754 half-precision number to `f64`.
pub(in crate::raster) fn f16_to_f64(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let size = match exponent {
        0 => fraction * 2_f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2_f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_numbers_are_converted() {
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc100, -2.5),
            (0x7bff, 65504.0),
            (0x0001, 5.960_464_477_539_063e-8),
            (0x7c00, f64::INFINITY),
        ] {
            assert_eq!(f16_to_f64(bits), value);
        }
        assert!(f16_to_f64(0x7e00).is_nan());
    }

    #[test]
    fn packed_integers_are_unpacked() {
        let bytes = [0b1010_0110, 0b1110_0001];
        let found: Vec<f64> = (0..4).map(|i| unpack_bits(&bytes, 4 * i, 4)).collect();
        assert_eq!(found, [10.0, 6.0, 14.0, 1.0]);
        assert_eq!(unpack_bits(&bytes, 2, 12), f64::from(0b1001_1011_1000_u16));
    }
}
