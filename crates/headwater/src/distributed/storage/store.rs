//! [`PageStore`]: storage of the fields of row blocks that do not fit in memory.

use std::collections::HashMap;
use std::{fmt, io};

/// Key-value storage for the fields of row blocks that do not fit in memory. A key consists of the
/// first row of the block and the number of the field. The value is a byte string.
pub trait PageStore: fmt::Debug + Send + Sync {
    /// Stores bytes under a key, replacing any bytes stored under the same key.
    ///
    /// # Errors
    /// Returns an error if the storage fails.
    fn put(&mut self, key: [usize; 2], bytes: &[u8]) -> io::Result<()>;

    /// Returns the bytes that were last [stored](Self::put) under a key.
    ///
    /// # Errors
    /// Returns an error if the storage fails. The error has the kind [`io::ErrorKind::NotFound`] if
    /// the key is unknown.
    fn get(&mut self, key: [usize; 2]) -> io::Result<Vec<u8>>;
}

/// Page store that keeps the bytes in memory. It saves memory because stored fields are compressed.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore(HashMap<[usize; 2], Vec<u8>>);

impl PageStore for MemoryStore {
    fn put(&mut self, key: [usize; 2], bytes: &[u8]) -> io::Result<()> {
        self.0.insert(key, bytes.to_vec());
        Ok(())
    }

    fn get(&mut self, key: [usize; 2]) -> io::Result<Vec<u8>> {
        self.0.get(&key).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}
