//! Platform-independent hash of a model's state, computed over its serialized bytes.

use postcard::ser_flavors::Flavor;
use serde::Serialize;
use xxhash_rust::xxh3::Xxh3;

/// Returns the hash of a state's serialized bytes. The hash is the same on every machine.
pub(crate) fn state_hash(state: &impl Serialize) -> u64 {
    // Serialization cannot fail for the states of the models.
    postcard::serialize_with_flavor(state, HashingFlavor::default()).unwrap_or(u64::MAX)
}

/// Size (bytes) of the buffer in which serialized bytes are collected, so that they can be hashed
/// in batches.
const BUFFER_SIZE: usize = 1 << 12;

struct HashingFlavor {
    hash: Xxh3,
    bytes: [u8; BUFFER_SIZE],
    /// Number of bytes in the buffer that have not been hashed yet.
    filled: usize,
}

impl Default for HashingFlavor {
    fn default() -> Self {
        Self { hash: Xxh3::new(), bytes: [0; BUFFER_SIZE], filled: 0 }
    }
}

impl HashingFlavor {
    fn flush(&mut self) {
        self.hash.update(&self.bytes[..self.filled]);
        self.filled = 0;
    }
}

impl Flavor for HashingFlavor {
    type Output = u64;

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        if self.filled == BUFFER_SIZE {
            self.flush();
        }
        self.bytes[self.filled] = byte;
        self.filled += 1;
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        if self.filled + bytes.len() > BUFFER_SIZE {
            self.flush();
        }
        // Byte strings longer than the buffer, such as fields, are hashed directly.
        match self.bytes.get_mut(self.filled..self.filled + bytes.len()) {
            Some(buffer) => {
                buffer.copy_from_slice(bytes);
                self.filled += bytes.len();
            }
            None => self.hash.update(bytes),
        }
        Ok(())
    }

    fn finalize(mut self) -> postcard::Result<u64> {
        self.flush();
        Ok(self.hash.digest())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_bit_changes_the_hash() {
        let numbers: Vec<f32> = (0..5000).map(|i| i as f32).collect();
        let mut other = numbers.clone();
        other[4321] = other[4321].next_up();
        assert_eq!(super::state_hash(&numbers), super::state_hash(&numbers.clone()));
        assert_ne!(super::state_hash(&numbers), super::state_hash(&other));
        assert_ne!(super::state_hash(&0.0_f64), super::state_hash(&-0.0_f64));
    }
}
