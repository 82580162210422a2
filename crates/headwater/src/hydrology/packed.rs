//! Serialization of plants: runs of bytes in binary formats, one by one in text. Use it as
//! `#[serde(with = "super::packed")]`.

use super::forest::Plant;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeSeq, Serializer};
use std::fmt;

/// Plants of a run, and bytes of a plant.
const RUN: usize = 512;
const BYTES: usize = 8;

/// A run of bytes: serde takes a slice of them for a list of numbers.
struct Run<'a>(&'a [u8]);

impl Serialize for Run<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

fn bytes_of(plant: Plant) -> [u8; BYTES] {
    let Plant { kind, size, age } = plant;
    let ([s0, s1], [a0, a1, a2, a3]) = (size.to_le_bytes(), age.to_le_bytes());
    [kind, 0, s0, s1, a0, a1, a2, a3]
}

fn of_bytes([kind, _, s0, s1, a0, a1, a2, a3]: [u8; BYTES]) -> Plant {
    let (size, age) = (u16::from_le_bytes([s0, s1]), u32::from_le_bytes([a0, a1, a2, a3]));
    Plant { kind, size, age }
}

/// Serializes plants.
pub(super) fn serialize<S: Serializer>(
    plants: &Vec<Plant>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        return plants.serialize(serializer);
    }
    let mut runs = serializer.serialize_seq(Some(plants.len().div_ceil(RUN)))?;
    let mut room = [0; RUN * BYTES];
    for plants in plants.chunks(RUN) {
        for (room, plant) in room.as_chunks_mut().0.iter_mut().zip(plants) {
            *room = bytes_of(*plant);
        }
        runs.serialize_element(&Run(&room[..plants.len() * BYTES]))?;
    }
    runs.end()
}

/// Reads what [`serialize`] has written; fails for bytes that are not whole plants.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Plant>, D::Error> {
    if deserializer.is_human_readable() {
        return Vec::deserialize(deserializer);
    }
    deserializer.deserialize_seq(Runs)
}

struct Runs;

impl<'de> Visitor<'de> for Runs {
    type Value = Vec<Plant>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("runs of plants")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut runs: A) -> Result<Self::Value, A::Error> {
        let mut plants = Vec::new();
        while let Some(OfRun(run)) = runs.next_element()? {
            plants.extend(run);
        }
        Ok(plants)
    }
}

struct OfRun(Vec<Plant>);

impl<'de> Deserialize<'de> for OfRun {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = OfRun;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "bytes, {BYTES} for each plant")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<OfRun, E> {
                let (plants, rest) = bytes.as_chunks();
                if !rest.is_empty() {
                    return Err(E::invalid_length(bytes.len(), &self));
                }
                Ok(OfRun(plants.iter().map(|bytes| of_bytes(*bytes)).collect()))
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Serialize, serde::Deserialize, Debug, PartialEq)]
    struct Wood(#[serde(with = "super")] Vec<Plant>);

    #[test]
    fn plants_come_back_from_bytes_and_from_text() {
        let plant = |i: u32| Plant { kind: i as u8, size: 60_000 - i as u16, age: i * 3_000_001 };
        for count in [0, 1, RUN as u32, 1100] {
            let wood = Wood((0..count).map(plant).collect());
            let bytes = postcard::to_stdvec(&wood).unwrap();
            assert_eq!(postcard::from_bytes::<Wood>(&bytes).unwrap(), wood);
            assert!(bytes.len() <= 8 * count as usize + 16);
            let text = serde_json::to_string(&wood).unwrap();
            assert_eq!(serde_json::from_str::<Wood>(&text).unwrap(), wood);
        }
        // A run of seven bytes.
        assert!(postcard::from_bytes::<Wood>(&[1, 7, 0, 0, 0, 0, 0, 0, 0]).is_err());
    }
}
