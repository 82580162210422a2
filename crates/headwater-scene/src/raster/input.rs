//! [`Input`]: what a raster is read from, a file or memory, and [`Rows`]: what its reader makes of it, a row at a time, so that no
//! more of a raster has to be in memory than who reads it keeps.

use super::{Problem, assemble::Header};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};

/// What is read from a file at a time, in bytes.
const AT_ONCE: usize = 1 << 16;

/// A raster's content.
pub(super) struct Input<'a> {
    from: From<'a>,
    /// How many bytes there are.
    pub(super) length: u64,
}

enum From<'a> {
    Memory(Cursor<&'a [u8]>),
    File(BufReader<File>),
}

impl<'a> Input<'a> {
    pub(super) fn memory(bytes: &'a [u8]) -> Self {
        Self { from: From::Memory(Cursor::new(bytes)), length: bytes.len() as u64 }
    }

    /// That of an open file.
    pub(super) fn file(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self { from: From::File(BufReader::with_capacity(AT_ONCE, file)), length })
    }
}

impl Read for Input<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match &mut self.from {
            From::Memory(bytes) => bytes.read(into),
            From::File(file) => file.read(into),
        }
    }
}

impl BufRead for Input<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match &mut self.from {
            From::Memory(bytes) => bytes.fill_buf(),
            From::File(file) => file.fill_buf(),
        }
    }

    fn consume(&mut self, count: usize) {
        match &mut self.from {
            From::Memory(bytes) => bytes.consume(count),
            From::File(file) => file.consume(count),
        }
    }
}

impl Seek for Input<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match (&mut self.from, to) {
            (From::Memory(bytes), _) => bytes.seek(to),
            // What is in the buffer already is not read again.
            (From::File(file), SeekFrom::Start(place)) => {
                let here = file.stream_position()?;
                match i64::try_from(place).ok().zip(i64::try_from(here).ok()) {
                    Some((place, here)) => file.seek_relative(place - here)?,
                    None => _ = file.seek(to)?,
                }
                Ok(place)
            }
            (From::File(file), _) => file.seek(to),
        }
    }
}

/// The rows of a raster, row 0 the north.
pub(super) trait Rows {
    /// The next row as the file holds it: NaN for a cell without data.
    fn next(&mut self, row: &mut [f64]) -> Result<(), Problem>;

    /// Looks at what is left behind the last row.
    fn end(&mut self) -> Result<(), Problem> {
        Ok(())
    }
}

/// What a reader knows before the first row, and the rows.
pub(super) type Opened<'a> = (Header, Box<dyn Rows + 'a>);
