//! [`Input`]: the content of a raster file on disk or in memory. [`RowReader`]: the reader of the
//! decoded rows of a raster. Rows are decoded on demand, so that only the rows in use are in
//! memory.

use super::{Problem, header::Header};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};

/// Size of the read buffer (bytes).
const BUFFER_SIZE: usize = 1 << 16;

/// Content of a raster file on disk or in memory, with the position at which reading continues.
pub(super) struct Input<'a> {
    source: Source<'a>,
    /// Length of the content (bytes).
    pub(super) length: u64,
}

enum Source<'a> {
    Memory(Cursor<&'a [u8]>),
    File(BufReader<File>),
}

impl<'a> Input<'a> {
    pub(super) fn from_bytes(bytes: &'a [u8]) -> Self {
        Self { source: Source::Memory(Cursor::new(bytes)), length: bytes.len() as u64 }
    }

    /// Creates the input from an open file. The length of the input is the current length of the
    /// file.
    pub(super) fn from_file(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self { source: Source::File(BufReader::with_capacity(BUFFER_SIZE, file)), length })
    }
}

impl Read for Input<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match &mut self.source {
            Source::Memory(bytes) => bytes.read(into),
            Source::File(file) => file.read(into),
        }
    }
}

impl BufRead for Input<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match &mut self.source {
            Source::Memory(bytes) => bytes.fill_buf(),
            Source::File(file) => file.fill_buf(),
        }
    }

    fn consume(&mut self, count: usize) {
        match &mut self.source {
            Source::Memory(bytes) => bytes.consume(count),
            Source::File(file) => file.consume(count),
        }
    }
}

impl Seek for Input<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match (&mut self.source, to) {
            (Source::Memory(bytes), _) => bytes.seek(to),
            // Relative seeks keep the buffer where possible.
            (Source::File(file), SeekFrom::Start(target)) => {
                let position = file.stream_position()?;
                match i64::try_from(target).ok().zip(i64::try_from(position).ok()) {
                    Some((target, position)) => file.seek_relative(target - position)?,
                    None => _ = file.seek(to)?,
                }
                Ok(target)
            }
            (Source::File(file), _) => file.seek(to),
        }
    }
}

/// Reader that returns the decoded rows of a raster, from north to south.
pub(super) trait RowReader {
    /// Reads the raw values of the next row into `row`. The values of cells without data are NaN.
    fn read_row(&mut self, row: &mut [f64]) -> Result<(), Problem>;

    /// Reads the raw values of the next rows into `rows`; each row has `width` cells. Readers that
    /// can decode rows in parallel override this method.
    fn read_rows(&mut self, rows: &mut [f64], width: usize) -> Result<(), Problem> {
        rows.chunks_mut(width).try_for_each(|row| self.read_row(row))
    }

    /// Checks the content of the file after the last row, for example for surplus values.
    fn check_end(&mut self) -> Result<(), Problem> {
        Ok(())
    }

    /// Returns notices about the values that have been read. Called after the last row.
    fn notices(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Header of an opened raster, and the reader of its rows.
pub(super) type OpenedRaster<'a> = (Header, Box<dyn RowReader + 'a>);
