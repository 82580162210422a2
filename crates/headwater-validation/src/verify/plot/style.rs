//! Common style of figures: size, colours and format of errors.

use headwater_cli::plot::RgbColor;

/// Width and height of a figure (pixels).
pub(super) const SIZE: [u32; 2] = [1400, 800];
pub(super) const INK: RgbColor = 0x22303A;
pub(super) const FAINT: RgbColor = 0xDDE3E8;
pub(super) const EXACT: RgbColor = 0x8A98A4;
/// Line colours of the physics models: shallow water, inertial and pipes, in this order.
pub(super) const LEVEL_INKS: [RgbColor; 3] = [0x0B66B2, 0xD9661F, 0x3F8F3A];

/// Formats a relative error in percent with two or three significant digits.
pub(super) fn format_percent(error: f64) -> String {
    let percent = 100.0 * error;
    let digits = (1.0 - percent.max(1e-6).log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{percent:.digits$} %")
}
