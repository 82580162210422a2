//! Raw R16: little-endian 16-bit unsigned values, row after row from the north, without a header, as
//! terrain editors export them.

use super::assemble::{Header, assemble, grid};
use super::{Format, Problem, Raster, ReadOptions, Sample};

pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Raster, Problem> {
    let values = bytes.len() / 2;
    let side = values.isqrt();
    let [nx, ny] = options.size.unwrap_or([side, side]);
    let size = grid(nx as u64, ny as u64, options)?;
    if bytes.len() != nx * ny * 2 {
        let shape = if options.size.is_some() { "the given" } else { "a square of" };
        return Err(Problem::damaged(
            Format::R16,
            format!(
                "{} bytes do not make {shape} {nx} × {ny} cells of 2 bytes; give the size if the \
                 raster is not square",
                bytes.len()
            ),
        ));
    }
    assemble(Header::new(Format::R16, size, Sample::U16), options, |x, y| {
        let at = 2 * (y * nx + x);
        Ok(f64::from(u16::from_le_bytes([bytes[at], bytes[at + 1]])))
    })
}
