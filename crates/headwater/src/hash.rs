//! A hash of a state, by its serialized bytes.

use postcard::ser_flavors::Flavor;
use serde::Serialize;
use xxhash_rust::xxh3::Xxh3;

/// A hash of all that is serialized of a state: the same on every machine.
pub(crate) fn of(state: &impl Serialize) -> u64 {
    // Nothing in a world's state fails to serialize; if it did, no two such states would pass for the same by a shared number.
    postcard::serialize_with_flavor(state, Hashing::default()).unwrap_or(u64::MAX)
}

/// Bytes gathered before they are hashed: numbers come one by one.
const ROOM: usize = 1 << 12;

struct Hashing {
    hash: Xxh3,
    bytes: [u8; ROOM],
    waiting: usize,
}

impl Default for Hashing {
    fn default() -> Self {
        Self { hash: Xxh3::new(), bytes: [0; ROOM], waiting: 0 }
    }
}

impl Hashing {
    fn flush(&mut self) {
        self.hash.update(&self.bytes[..self.waiting]);
        self.waiting = 0;
    }
}

impl Flavor for Hashing {
    type Output = u64;

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        if self.waiting == ROOM {
            self.flush();
        }
        self.bytes[self.waiting] = byte;
        self.waiting += 1;
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        if self.waiting + bytes.len() > ROOM {
            self.flush();
        }
        // Long runs, as fields have them, as they are.
        match self.bytes.get_mut(self.waiting..self.waiting + bytes.len()) {
            Some(room) => {
                room.copy_from_slice(bytes);
                self.waiting += bytes.len();
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
    fn every_bit_counts() {
        let numbers: Vec<f32> = (0..5000).map(|i| i as f32).collect();
        let mut other = numbers.clone();
        other[4321] = other[4321].next_up();
        assert_eq!(super::of(&numbers), super::of(&numbers.clone()));
        assert_ne!(super::of(&numbers), super::of(&other));
        assert_ne!(super::of(&0.0_f64), super::of(&-0.0_f64));
    }
}
