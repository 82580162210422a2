//! Reader of raw R16 files, as exported by terrain editors: little-endian unsigned 16-bit values
//! without a header, row by row from the north.

use super::assemble::{Header, checked_grid_size};
use super::input::{Input, OpenedRaster, RowReader};
use super::{Format, Problem, ReadOptions, SampleType};
use std::io::Read as _;

pub(super) fn open<'a>(
    input: Input<'a>,
    options: &ReadOptions,
) -> Result<OpenedRaster<'a>, Problem> {
    let side = usize::try_from((input.length / 2).isqrt()).unwrap_or(usize::MAX);
    let [nx, ny] = options.size.unwrap_or([side, side]);
    let size = checked_grid_size(nx as u64, ny as u64, options)?;
    if input.length != (nx * ny * 2) as u64 {
        let shape = if options.size.is_some() { "the given" } else { "a square of" };
        return Err(Problem::damaged(
            Format::R16,
            format!(
                "{} bytes do not make {shape} {nx} × {ny} cells of 2 bytes; give the size if the \
                 raster is not square",
                input.length
            ),
        ));
    }
    let rows = RawReader { input, bytes: vec![0; 2 * nx] };
    Ok((Header::new(Format::R16, size, SampleType::U16), Box::new(rows)))
}

struct RawReader<'a> {
    input: Input<'a>,
    bytes: Vec<u8>,
}

impl RowReader for RawReader<'_> {
    fn read_row(&mut self, row: &mut [f64]) -> Result<(), Problem> {
        self.input.read_exact(&mut self.bytes).map_err(Problem::Read)?;
        for (value, &[low, high]) in row.iter_mut().zip(self.bytes.as_chunks().0) {
            *value = f64::from(u16::from_le_bytes([low, high]));
        }
        Ok(())
    }
}
