//! [`PageStore`]: storage of inactive row blocks.

use std::collections::HashMap;
use std::{fmt, io};

/// Storage for inactive row blocks: maps a key (first row of the block, number of the field) to
/// bytes.
pub trait PageStore: fmt::Debug + Send + Sync {
    /// Stores bytes under a key and replaces earlier ones.
    ///
    /// # Errors
    /// Returns an error if the storage fails.
    fn put(&mut self, key: [usize; 2], bytes: &[u8]) -> io::Result<()>;

    /// Returns the bytes [stored](Self::put) last under a key.
    ///
    /// # Errors
    /// Returns an error if the storage fails; [`io::ErrorKind::NotFound`] for an unknown key.
    fn get(&mut self, key: [usize; 2]) -> io::Result<Vec<u8>>;
}

/// Page store in memory. Packed fields take less memory than unpacked ones.
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
