//! Serde functions for lists of numbers. A list becomes one byte string in binary formats and a
//! sequence in text formats. Use the module with `#[serde(with = "crate::numbers")]`.

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use std::any::Any;
use std::fmt;
use std::marker::PhantomData;

/// Calls the macro `$with` with the list of all number types that are serialized as byte strings.
macro_rules! for_byte_string_types {
    ($with:ident) => {
        $with!(f32, f64, i32, i64, u8, u16, u32, [f32; 2])
    };
}

/// Returns the values as bytes; `None` on big-endian machines and for types that are not serialized
/// as byte strings.
#[expect(clippy::ptr_arg, reason = "`Any` needs a sized type")]
fn bytes_of<T: 'static>(values: &Vec<T>) -> Option<&[u8]> {
    let values: &dyn Any = values;
    macro_rules! cast {
        ($($plain:ty),*) => {
            $(if let Some(values) = values.downcast_ref::<Vec<$plain>>() {
                return Some(bytemuck::cast_slice(values));
            })*
        };
    }
    if cfg!(target_endian = "little") {
        for_byte_string_types!(cast);
        if let Some(values) = values.downcast_ref::<Vec<bool>>() {
            return Some(bytemuck::cast_slice(values));
        }
    }
    None
}

fn is_byte_serializable<T: 'static>() -> bool {
    bytes_of(&Vec::<T>::new()).is_some()
}

/// Converts little-endian bytes to values; `None` if the length is not a multiple of the size of
/// `T`, or if a byte is not a valid `bool`.
fn from_bytes<T: 'static>(bytes: &[u8]) -> Option<Vec<T>> {
    let mut values: Vec<T> = Vec::new();
    let any: &mut dyn Any = &mut values;
    macro_rules! cast {
        ($($plain:ty),*) => {
            $(if let Some(values) = any.downcast_mut::<Vec<$plain>>() {
                if !bytes.len().is_multiple_of(size_of::<$plain>()) {
                    return None;
                }
                // The bytes may be unaligned.
                *values = bytemuck::allocation::pod_collect_to_vec(bytes);
            })*
        };
    }
    for_byte_string_types!(cast);
    if let Some(values) = any.downcast_mut::<Vec<bool>>() {
        if bytes.iter().any(|&byte| byte > 1) {
            return None;
        }
        *values = bytes.iter().map(|&byte| byte == 1).collect();
    }
    Some(values)
}

pub(crate) fn serialize<T: Serialize + 'static, S: Serializer>(
    values: &Vec<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match bytes_of(values).filter(|_| !serializer.is_human_readable()) {
        Some(bytes) => serializer.serialize_bytes(bytes),
        None => values.serialize(serializer),
    }
}

/// Deserializes a list of numbers: a byte string in binary formats, or a sequence in text formats.
pub(crate) fn deserialize<'de, T: Deserialize<'de> + 'static, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    if is_byte_serializable::<T>() && !deserializer.is_human_readable() {
        deserializer.deserialize_bytes(BytesVisitor(PhantomData))
    } else {
        Vec::deserialize(deserializer)
    }
}

struct BytesVisitor<T>(PhantomData<T>);

impl<T: 'static> Visitor<'_> for BytesVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "the bytes of a list of {}", std::any::type_name::<T>())
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<T>, E> {
        from_bytes(bytes).ok_or_else(|| E::invalid_length(bytes.len(), &self))
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct TestLists {
        #[serde(with = "super")]
        heights: Vec<f32>,
        #[serde(with = "super")]
        closed: Vec<bool>,
        #[serde(with = "super")]
        names: Vec<String>,
        #[serde(with = "super")]
        ways: Vec<[f32; 2]>,
        last: u8,
    }

    #[test]
    fn lists_round_trip_in_binary_and_text() {
        let lists = TestLists {
            heights: vec![1.5, -0.0, f32::MIN_POSITIVE],
            closed: vec![true, false, true],
            names: vec!["pond".into()],
            ways: vec![[0.25, -1.0]; 3],
            last: 7,
        };
        let bytes = postcard::to_stdvec(&lists).unwrap();
        assert_eq!(postcard::from_bytes::<TestLists>(&bytes).unwrap(), lists);
        let text = serde_json::to_string(&lists).unwrap();
        assert!(text.starts_with(r#"{"heights":[1.5,-0.0,"#), "{text}");
        assert_eq!(serde_json::from_str::<TestLists>(&text).unwrap(), lists);
    }

    #[test]
    fn invalid_bytes_are_rejected() {
        #[derive(Deserialize)]
        struct SingleList<T: for<'a> Deserialize<'a> + 'static> {
            #[serde(with = "super")]
            #[expect(dead_code, reason = "it is not read")]
            all: Vec<T>,
        }
        let bytes = [5, 0, 1, 0, 1, 2];
        assert!(postcard::from_bytes::<SingleList<u8>>(&bytes).is_ok());
        assert!(postcard::from_bytes::<SingleList<f32>>(&bytes).is_err());
        assert!(postcard::from_bytes::<SingleList<bool>>(&bytes).is_err());
    }
}
