//! Deserialization of a part of a scene table. Its errors contain the path of the faulty value.

use super::value;
use serde::de::{DeserializeOwned, Error};
use toml::Table;

/// Character that marks the path of a value in the message of an error. Generic serde errors have
/// no separate field for a path.
pub(in crate::scene) const PATH_MARK: char = '\u{1}';

/// Deserializes a part of a table. The message of an error starts with the path of the faulty
/// value, enclosed in two [`PATH_MARK`]s.
pub(crate) fn nested<T: DeserializeOwned, E: Error>(table: Table) -> Result<T, E> {
    let with_path =
        |fault: value::Fault| format!("{PATH_MARK}{}{PATH_MARK}{}", fault.path(), fault.message);
    value::read(table).map_err(|fault| E::custom(with_path(fault)))
}
