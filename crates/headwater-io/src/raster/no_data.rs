//! Values that mark cells without data, even if the file does not declare them.

use super::SampleType;

/// No-data value that is recognised even if the file declares none.
const UNDECLARED_NO_DATA: f64 = -9999.0;
const UNDECLARED_NO_DATA_I16: f64 = i16::MIN as f64;
/// Values that mark missing data in some files and are heights in others. Unless such a value is
/// declared or recognised as no data, the reader treats it as a height and returns a notice for the
/// user.
const AMBIGUOUS_NO_DATA: [f64; 4] = [UNDECLARED_NO_DATA, -32768.0, -32767.0, -99999.0];

/// Value that may mark cells without data.
pub(super) struct NoDataMark {
    /// Value in the file, rounded for the comparison with the values of the cells.
    pub(super) value: f64,
    pub(super) meaning: NoDataMeaning,
}

/// Meaning of a [`NoDataMark`], a value that may mark cells without data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoDataMeaning {
    /// No data, as set by the caller or declared in the file.
    NoData,
    /// No data, although the file does not declare the value.
    Undeclared,
    /// Probably no data, but read as a height.
    Ambiguous,
    /// Smallest or largest number that the value type can represent. It is read as a height. If it
    /// is far from all other values, it probably means no data, and a notice for the user says so.
    Extreme,
    /// Declared as no data in the file, but read as a height because the caller sets another
    /// no-data value.
    Overridden,
}

/// Returns the marks of a raster: the values that mean or may mean no data. These are the values in
/// `no_data`, the values in `overridden` (declared by the file, but replaced by the caller), and
/// other values that often mean no data.
pub(super) fn no_data_marks(
    sample: SampleType,
    no_data: &[f64],
    overridden: &[f64],
) -> Vec<NoDataMark> {
    let mut undeclared = Vec::new();
    // An integer is never NaN.
    let is_declared = no_data.iter().any(|value| !(value.is_nan() && sample.is_integer()));
    if !is_declared && sample.is_signed() {
        undeclared.push(UNDECLARED_NO_DATA);
    }
    if !is_declared && sample == SampleType::I16 {
        undeclared.push(UNDECLARED_NO_DATA_I16);
    }
    let is_signed = sample.is_signed();
    let ambiguous = AMBIGUOUS_NO_DATA.iter().filter(|_| is_signed);
    // The first meaning of a value applies.
    let mut marks: Vec<NoDataMark> = Vec::new();
    for (values, meaning) in [
        (no_data, NoDataMeaning::NoData),
        (overridden, NoDataMeaning::Overridden),
        (&undeclared, NoDataMeaning::Undeclared),
        (&ambiguous.copied().collect::<Vec<_>>(), NoDataMeaning::Ambiguous),
        (extremes(sample), NoDataMeaning::Extreme),
    ] {
        for value in values.iter().map(|value| round_for_comparison(sample, *value)) {
            if !value.is_nan() && marks.iter().all(|mark| mark.value != value) {
                marks.push(NoDataMark { value, meaning });
            }
        }
    }
    marks
}

impl NoDataMeaning {
    /// Returns the second half of a notice for the user. The notice is about cells whose value has
    /// this meaning. Returns `None` if the meaning needs no notice.
    pub(super) fn notice(self) -> Option<&'static str> {
        match self {
            Self::NoData => None,
            Self::Undeclared => Some(
                "which the file does not declare as its no-data value; they are read as no-data \
                 cells",
            ),
            Self::Ambiguous | Self::Extreme => {
                Some("which often means no data; they are read as heights unless `no_data` is set")
            }
            Self::Overridden => Some(
                "the no-data value of the file; they are read as heights, because `no_data` is set to \
                 another value",
            ),
        }
    }
}

/// Returns the smallest and largest numbers of a value type, if they are commonly used to mark
/// missing data.
fn extremes(sample: SampleType) -> &'static [f64] {
    const FLOATS: &[f64] = &[f32::MIN as f64, f32::MAX as f64];
    match sample {
        SampleType::U16 => &[u16::MAX as f64],
        SampleType::I16 => &[i16::MAX as f64],
        SampleType::U32 => &[u32::MAX as f64],
        SampleType::I32 => &[i32::MIN as f64, i32::MAX as f64],
        SampleType::F32 | SampleType::F64 | SampleType::Text => FLOATS,
        _ => &[],
    }
}

/// Rounds a raw value so that it can be compared with no-data values. Integers stay exact. Other
/// values are rounded to `f32`, because files with `f32` values often give the no-data value with
/// too few digits.
pub(super) fn round_for_comparison(sample: SampleType, value: f64) -> f64 {
    if sample.is_integer() { value } else { f64::from(value as f32) }
}
