//! Compact serialization of lists of plants: as packed bytes in binary formats, and as single
//! plants in human-readable formats. Use it with `#[serde(with = "super::packed")]`.

use crate::hydrology::ground::forest::Plant;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeSeq, Serializer};
use std::fmt;

/// Number of plants in each serialized run of bytes.
const PLANTS_PER_RUN: usize = 512;
/// Number of serialized bytes per plant.
const BYTES_PER_PLANT: usize = 8;

/// Run of bytes that is serialized as serde bytes. A plain slice would be serialized as a sequence
/// of numbers.
struct ByteRun<'a>(&'a [u8]);

impl Serialize for ByteRun<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

fn plant_to_bytes(plant: Plant) -> [u8; BYTES_PER_PLANT] {
    let Plant { kind, size, age } = plant;
    let ([s0, s1], [a0, a1, a2, a3]) = (size.to_le_bytes(), age.to_le_bytes());
    [kind, 0, s0, s1, a0, a1, a2, a3]
}

fn plant_from_bytes([kind, _, s0, s1, a0, a1, a2, a3]: [u8; BYTES_PER_PLANT]) -> Plant {
    let (size, age) = (u16::from_le_bytes([s0, s1]), u32::from_le_bytes([a0, a1, a2, a3]));
    Plant { kind, size, age }
}

/// Serializes a list of plants. Binary formats get packed runs of bytes, and human-readable formats
/// get single plants.
pub(in crate::hydrology) fn serialize<S: Serializer>(
    plants: &Vec<Plant>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        return plants.serialize(serializer);
    }
    let mut runs = serializer.serialize_seq(Some(plants.len().div_ceil(PLANTS_PER_RUN)))?;
    let mut buffer = [0; PLANTS_PER_RUN * BYTES_PER_PLANT];
    for plants in plants.chunks(PLANTS_PER_RUN) {
        for (bytes, plant) in buffer.as_chunks_mut().0.iter_mut().zip(plants) {
            *bytes = plant_to_bytes(*plant);
        }
        runs.serialize_element(&ByteRun(&buffer[..plants.len() * BYTES_PER_PLANT]))?;
    }
    runs.end()
}

/// Deserializes a list of plants from the output of [`serialize`].
///
/// # Errors
/// Returns an error if the length of a run of bytes is not a multiple of the size of a plant.
pub(in crate::hydrology) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Plant>, D::Error> {
    if deserializer.is_human_readable() {
        return Vec::deserialize(deserializer);
    }
    deserializer.deserialize_seq(RunsVisitor)
}

struct RunsVisitor;

impl<'de> Visitor<'de> for RunsVisitor {
    type Value = Vec<Plant>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("runs of plants")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut runs: A) -> Result<Self::Value, A::Error> {
        let mut plants = Vec::new();
        while let Some(DecodedRun(run)) = runs.next_element()? {
            plants.extend(run);
        }
        Ok(plants)
    }
}

struct DecodedRun(Vec<Plant>);

impl<'de> Deserialize<'de> for DecodedRun {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BytesVisitor;
        impl Visitor<'_> for BytesVisitor {
            type Value = DecodedRun;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "bytes, {BYTES_PER_PLANT} for each plant")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<DecodedRun, E> {
                let (plants, rest) = bytes.as_chunks();
                if !rest.is_empty() {
                    return Err(E::invalid_length(bytes.len(), &self));
                }
                Ok(DecodedRun(plants.iter().map(|bytes| plant_from_bytes(*bytes)).collect()))
            }
        }
        deserializer.deserialize_bytes(BytesVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Serialize, serde::Deserialize, Debug, PartialEq)]
    struct Plants(#[serde(with = "super")] Vec<Plant>);

    #[test]
    fn plants_round_trip_in_binary_and_text() {
        let plant = |i: u32| Plant { kind: i as u8, size: 60_000 - i as u16, age: i * 3_000_001 };
        for count in [0, 1, PLANTS_PER_RUN as u32, 1100] {
            let wood = Plants((0..count).map(plant).collect());
            let bytes = postcard::to_stdvec(&wood).unwrap();
            assert_eq!(postcard::from_bytes::<Plants>(&bytes).unwrap(), wood);
            assert!(bytes.len() <= 8 * count as usize + 16);
            let text = serde_json::to_string(&wood).unwrap();
            assert_eq!(serde_json::from_str::<Plants>(&text).unwrap(), wood);
        }
        // The second byte is the length of the run. Seven bytes are not a whole plant.
        assert!(postcard::from_bytes::<Plants>(&[1, 7, 0, 0, 0, 0, 0, 0, 0]).is_err());
    }
}
