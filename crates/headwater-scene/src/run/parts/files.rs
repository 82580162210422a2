//! Part files of a checkpoint. [`PartWriter`] writes the fields of row blocks, and [`PartReader`]
//! reads them. Both implement the trait `PageStore`.

use super::contents::{PART_MAGIC, PartFile, StoredField, StoredRowBlock};
use headwater::distributed::PageStore;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Part file of a checkpoint that is being written. Row blocks (ranges of adjacent rows) are stored
/// one after the other. Within a block, the fields are stored in the order in which they are
/// written. A field is identified by the first row of its block and by its number.
#[derive(Debug)]
pub(crate) struct PartWriter {
    file: File,
    part: PartFile,
}

impl PartWriter {
    /// Creates a part file of a checkpoint in a folder. Replaces an existing file of the same name.
    ///
    /// # Errors
    /// Returns an error with the file name if the file cannot be created.
    pub(crate) fn create(folder: &Path, name: String) -> io::Result<Self> {
        let file =
            File::create(folder.join(&name)).map_err(|error| with_file_name(&name, &error))?;
        let mut new = Self { file, part: PartFile { name, row_blocks: Vec::new() } };
        new.write(PART_MAGIC)?;
        Ok(new)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes).map_err(|error| with_file_name(&self.part.name, &error))
    }

    /// Completes the file and syncs it to disk. `rows` contains the range of rows of each row
    /// block, in the order in which the blocks were written.
    ///
    /// # Errors
    /// Returns an error with the file name if the file cannot be written.
    pub(crate) fn finish(mut self, rows: Vec<Range<usize>>) -> io::Result<PartFile> {
        self.file.sync_all().map_err(|error| with_file_name(&self.part.name, &error))?;
        self.part.row_blocks.iter_mut().zip(rows).for_each(|(block, rows)| block.rows = rows);
        Ok(self.part)
    }
}

fn with_file_name(name: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{name}: {error}"))
}

impl PageStore for PartWriter {
    fn put(&mut self, [first, number]: [usize; 2], bytes: &[u8]) -> io::Result<()> {
        self.write(bytes)?;
        let field = StoredField { number, length: bytes.len() as u64, checksum: xxh3_64(bytes) };
        match self.part.row_blocks.last_mut().filter(|block| block.rows.start == first) {
            Some(block) => block.fields.push(field),
            // `finish` sets the end of the rows.
            None => {
                self.part
                    .row_blocks
                    .push(StoredRowBlock { rows: first..first, fields: vec![field] });
            }
        }
        Ok(())
    }

    fn get(&mut self, _: [usize; 2]) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Position and checksum of a field in the part files.
#[derive(Clone, Copy, Debug)]
struct FieldLocation {
    part: usize,
    start: u64,
    length: u64,
    checksum: u64,
}

/// Reader of the part files of a checkpoint. The reader loads only the requested fields and
/// verifies the checksum of each field.
#[derive(Debug)]
pub(crate) struct PartReader {
    folder: PathBuf,
    parts: Vec<PartFile>,
    field_locations: HashMap<[usize; 2], FieldLocation>,
    /// Index and handle of the most recently read part file.
    open_file: Option<(usize, File)>,
}

impl PartReader {
    /// Creates a reader of the part files in a checkpoint folder.
    pub(crate) fn new(folder: &Path, parts: &[PartFile]) -> Self {
        let mut field_locations = HashMap::new();
        for (part, file) in parts.iter().enumerate() {
            let mut start = PART_MAGIC.len() as u64;
            for block in &file.row_blocks {
                for &StoredField { number, length, checksum } in &block.fields {
                    let place = FieldLocation { part, start, length, checksum };
                    field_locations.insert([block.rows.start, number], place);
                    start = start.saturating_add(length);
                }
            }
        }
        Self { folder: folder.into(), parts: parts.to_vec(), field_locations, open_file: None }
    }

    /// Reads all fields to verify their checksums.
    ///
    /// # Errors
    /// Returns an error that names the first damaged file and describes the problem.
    pub(crate) fn read_all(&mut self) -> io::Result<()> {
        let mut all: Vec<_> =
            self.field_locations.iter().map(|(key, place)| (*key, *place)).collect();
        all.sort_unstable_by_key(|(_, place)| (place.part, place.start));
        all.into_iter().try_for_each(|(key, _)| self.get(key).map(drop))
    }

    /// Returns the part file with the index `part`, opened and positioned at the byte `start`.
    fn open_at(&mut self, part: usize, start: u64) -> io::Result<&mut File> {
        let file = match self.open_file.take() {
            Some((number, file)) if number == part => file,
            _ => self.parts[part].open(&self.folder)?,
        };
        let (_, file) = self.open_file.insert((part, file));
        file.seek(SeekFrom::Start(start))?;
        Ok(file)
    }
}

impl PageStore for PartReader {
    fn put(&mut self, _: [usize; 2], _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn get(&mut self, key: [usize; 2]) -> io::Result<Vec<u8>> {
        let [first, number] = key;
        let Some(&FieldLocation { part, start, length, checksum }) = self.field_locations.get(&key)
        else {
            let missing = format!("there is no field {number} of the rows from {first} on");
            return Err(io::Error::other(missing));
        };
        let mut bytes = Vec::new();
        // `open` has compared the file size with all lengths, so no length exceeds the file.
        let read = self.open_at(part, start)?.take(length).read_to_end(&mut bytes);
        let name = &self.parts[part].name;
        read.map_err(|error| with_file_name(name, &error))?;
        if bytes.len() as u64 != length || xxh3_64(&bytes) != checksum {
            let rows = format!("the checksum of its rows from {first} on does not match");
            return Err(io::Error::other(format!("{name} is damaged: {rows}")));
        }
        Ok(bytes)
    }
}
