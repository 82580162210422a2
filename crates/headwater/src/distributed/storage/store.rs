//! [`PageStore`]: storage of inactive row blocks.

use std::collections::HashMap;
use std::{fmt, io};

/// Storage for inactive row blocks: a map from a block's first row and a field's number to bytes.
pub trait PageStore: fmt::Debug + Send + Sync {
    /// Stores bytes, replacing those stored before under the same key.
    ///
    /// # Errors
    /// Those of the storage.
    fn put(&mut self, key: [usize; 2], bytes: &[u8]) -> io::Result<()>;

    /// Returns the bytes that were [stored](Self::put) last under a key.
    ///
    /// # Errors
    /// Those of the storage, or [`io::ErrorKind::NotFound`].
    fn get(&mut self, key: [usize; 2]) -> io::Result<Vec<u8>>;
}

/// A page store in memory. Packed fields take less memory than unpacked ones.
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
