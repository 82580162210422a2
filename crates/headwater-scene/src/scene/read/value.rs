//! Deserializer of TOML values. In contrast to the deserializer in the crate `toml`, its errors
//! contain the path of the faulty value, and it does not accept lists in place of structs.

use crate::scene::key::{KeyPath, Segment};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, Expected,
    IntoDeserializer as _, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use std::fmt::{self, Display};
use toml::{Table, Value};

#[derive(Debug)]
pub(in crate::scene) struct ValueError {
    /// Path of the faulty value. The innermost segment comes first.
    reversed_path: Vec<Segment>,
    /// Error message in the format of serde.
    pub(in crate::scene) message: String,
}

impl ValueError {
    pub(in crate::scene) fn path(&self) -> KeyPath {
        KeyPath(self.reversed_path.iter().rev().cloned().collect())
    }

    fn with_segment(mut self, segment: Segment) -> Self {
        self.reversed_path.push(segment);
        self
    }
}

impl Error for ValueError {
    fn custom<T: Display>(message: T) -> Self {
        Self { reversed_path: Vec::new(), message: message.to_string() }
    }
}

impl std::error::Error for ValueError {}

impl Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

pub(in crate::scene) fn deserialize_table<T: DeserializeOwned>(
    table: Table,
) -> Result<T, ValueError> {
    deserialize_value(&Value::Table(table))
}

pub(super) fn deserialize_value<T: DeserializeOwned>(value: &Value) -> Result<T, ValueError> {
    T::deserialize(ValueDeserializer(value))
}

/// Deserializer of a borrowed value, so that large scenes are not copied.
struct ValueDeserializer<'a>(&'a Value);

impl ValueDeserializer<'_> {
    fn invalid_type(&self, expected: &dyn Expected) -> ValueError {
        let found = match self.0 {
            Value::String(text) => Unexpected::Str(text),
            Value::Integer(number) => Unexpected::Signed(*number),
            Value::Float(number) => Unexpected::Float(*number),
            Value::Boolean(on) => Unexpected::Bool(*on),
            Value::Datetime(_) => Unexpected::Other("a date"),
            Value::Array(_) => Unexpected::Seq,
            Value::Table(_) => Unexpected::Map,
        };
        ValueError::invalid_type(found, expected)
    }
}

/// Implements methods of the deserializer by calling the method `$to`.
macro_rules! forward_to {
    ($to:ident: $($of:ident)*) => {
        $(fn $of<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
            self.$to(visitor)
        })*
    };
}

impl<'de> Deserializer<'de> for ValueDeserializer<'_> {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self.0 {
            Value::Array(_) => self.deserialize_seq(visitor),
            Value::Table(_) => self.deserialize_map(visitor),
            Value::String(_) | Value::Datetime(_) => self.deserialize_string(visitor),
            _ => self.deserialize_f64(visitor),
        }
    }

    // One method per kind of value, so that the compiler generates only the code that each type
    // needs.

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self.0 {
            Value::Integer(number) => visitor.visit_i64(*number),
            Value::Float(number) => visitor.visit_f64(*number),
            Value::Boolean(on) => visitor.visit_bool(*on),
            _ => Err(self.invalid_type(&visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self.0 {
            Value::String(text) => visitor.visit_str(text),
            Value::Datetime(date) => visitor.visit_string(date.to_string()),
            _ => Err(self.invalid_type(&visitor)),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        let Value::Array(entries) = self.0 else { return Err(self.invalid_type(&visitor)) };
        let mut entries = ListAccess { number: 0, rest: entries.iter() };
        let read = visitor.visit_seq(&mut entries)?;
        entries.expect_end().map(|()| read)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        let Value::Table(table) = self.0 else { return Err(self.invalid_type(&visitor)) };
        visitor.visit_map(TableAccess::new(table))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        self.deserialize_map(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        match self.0 {
            Value::String(word) => visitor.visit_enum(word.as_str().into_deserializer()),
            Value::Table(table) if table.len() == 1 => visitor.visit_enum(TableAccess::new(table)),
            Value::Table(_) => Err(self.invalid_type(&"a table with one key")),
            _ => Err(self.invalid_type(&"a text in quotes")),
        }
    }

    forward_to! { deserialize_f64: deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
    deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f32 }

    forward_to! { deserialize_string: deserialize_char deserialize_str deserialize_identifier }

    forward_to! { deserialize_any: deserialize_bytes deserialize_byte_buf deserialize_unit deserialize_ignored_any }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        self.deserialize_any(visitor)
    }
}

struct ListAccess<'a> {
    number: usize,
    rest: std::slice::Iter<'a, Value>,
}

impl<'a> ListAccess<'a> {
    fn next(&mut self) -> Option<ValueDeserializer<'a>> {
        self.number += 1;
        self.rest.next().map(ValueDeserializer)
    }

    /// Adds the index of the most recently read entry to the path of an error, and returns the
    /// error.
    fn locate(&self, fault: ValueError) -> ValueError {
        fault.with_segment(Segment::Index(self.number - 1))
    }

    /// Checks that all entries of the list have been read.
    ///
    /// # Errors
    /// Returns an error if entries are left.
    fn expect_end(self) -> Result<(), ValueError> {
        let left = self.rest.len();
        if left == 0 {
            return Ok(());
        }
        let expected = format!("an array of length {}", self.number);
        Err(ValueError::invalid_length(self.number + left, &expected.as_str()))
    }
}

impl<'de> SeqAccess<'de> for &mut ListAccess<'_> {
    type Error = ValueError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, ValueError> {
        let Some(value) = self.next() else { return Ok(None) };
        seed.deserialize(value).map(Some).map_err(|fault| self.locate(fault))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// Serde access to the entries of a table. It keeps the current key for error messages.
struct TableAccess<'a> {
    rest: toml::map::Iter<'a, String, Value>,
    next: Option<(&'a String, &'a Value)>,
}

impl<'a> TableAccess<'a> {
    fn new(table: &'a Table) -> Self {
        Self { rest: table.iter(), next: None }
    }

    /// Adds the most recently read key to the path of an error, and returns the error.
    fn locate(&self, fault: ValueError) -> ValueError {
        match self.next {
            Some((key, _)) => fault.with_segment(Segment::Key(key.clone())),
            None => fault,
        }
    }

    /// Returns the value of the most recently read key.
    fn value(&self) -> ValueDeserializer<'a> {
        ValueDeserializer(self.next.map_or(&Value::Boolean(false), |(_, value)| value))
    }
}

impl<'de> MapAccess<'de> for TableAccess<'_> {
    type Error = ValueError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ValueError> {
        self.next = self.rest.next();
        let Some((key, _)) = self.next else { return Ok(None) };
        let key = key.as_str().into_deserializer();
        seed.deserialize(key).map(Some).map_err(|fault| self.locate(fault))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<T::Value, ValueError> {
        seed.deserialize(self.value()).map_err(|fault| self.locate(fault))
    }
}

/// Deserializes an enum from a table with one key. The key is the name of the variant, and the
/// value is its content.
impl<'de> EnumAccess<'de> for TableAccess<'_> {
    type Error = ValueError;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(
        mut self,
        seed: T,
    ) -> Result<(T::Value, Self), ValueError> {
        let choice = self.next_key_seed(seed)?;
        choice.map(|choice| (choice, self)).ok_or_else(|| ValueError::custom("an empty table"))
    }
}

impl<'de> VariantAccess<'de> for TableAccess<'_> {
    type Error = ValueError;

    fn unit_variant(self) -> Result<(), ValueError> {
        Err(self.locate(self.value().invalid_type(&"a word alone")))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(
        mut self,
        seed: T,
    ) -> Result<T::Value, ValueError> {
        self.next_value_seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, ValueError> {
        self.value().deserialize_any(visitor).map_err(|fault| self.locate(fault))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        self.value().deserialize_struct("", fields, visitor).map_err(|fault| self.locate(fault))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Pond {
        at: [f64; 2],
        #[serde(default)]
        kind: Kind,
        drops: Option<Vec<Drop>>,
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        #[default]
        Still,
        Deep(f64),
        Warm {
            by: u8,
        },
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Drop {
        size: f32,
    }

    fn deserialize_error(text: &str) -> (String, String) {
        let fault = deserialize_table::<Pond>(text.parse().unwrap()).unwrap_err();
        (fault.path().to_string(), fault.message)
    }

    #[test]
    fn tables_are_deserialized() {
        let read = |text: &str| deserialize_table::<Pond>(text.parse().unwrap()).unwrap();
        let pond = read("at = [1, 2.5]\nkind = 'still'\ndrops = [{ size = 3 }]");
        assert_eq!(
            pond,
            Pond { at: [1.0, 2.5], kind: Kind::Still, drops: Some(vec![Drop { size: 3.0 }]) }
        );
        assert_eq!(read("at = [1, 2]\nkind = { deep = 4 }").kind, Kind::Deep(4.0));
        assert_eq!(read("at = [1, 2]\nkind = { warm = { by = 4 } }").kind, Kind::Warm { by: 4 });
    }

    #[test]
    fn errors_have_the_path_of_the_value() {
        let (path, message) =
            deserialize_error("at = [1, 2]\ndrops = [{ size = 1 }, { size = 'big' }]");
        assert_eq!(
            (path.as_str(), message.as_str()),
            ("drops[1].size", "invalid type: string \"big\", expected f32")
        );
        assert_eq!(deserialize_error("at = [1, 2]\ndrop = 1").0, "drop");
        assert_eq!(
            deserialize_error("at = [1, 2]\nkind = { warm = { by = 400 } }").0,
            "kind.warm.by"
        );
        assert_eq!(
            deserialize_error("kind = 'still'"),
            (String::new(), "missing field `at`".into())
        );
        assert_eq!(
            deserialize_error("at = [1, 2, 3]").1,
            "invalid length 3, expected an array of length 2"
        );
    }

    #[test]
    fn a_list_is_not_accepted_for_a_table() {
        let (path, message) = deserialize_error("at = [1, 2]\ndrops = [[3.0]]");
        assert_eq!(
            (path.as_str(), message.as_str()),
            ("drops[0]", "invalid type: sequence, expected struct Drop")
        );
    }
}
