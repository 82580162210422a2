//! [`deserialize_nested`]: deserializes a part of a scene's table, with errors that contain the
//! path of the faulty value.

use super::value;
use serde::de::{DeserializeOwned, Error};
use toml::Table;

/// Character before and after the path of a value in an error message. This mark is needed because
/// serde's errors have no separate field for a path.
pub(in crate::scene) const PATH_MARK: char = '\u{1}';

/// Deserializes a part of a scene's table.
///
/// # Errors
/// Returns an error whose message starts with the path of the faulty value, between two
/// [`PATH_MARK`]s.
pub(crate) fn deserialize_nested<T: DeserializeOwned, E: Error>(table: Table) -> Result<T, E> {
    let with_path = |fault: value::ValueError| {
        format!("{PATH_MARK}{}{PATH_MARK}{}", fault.path(), fault.message)
    };
    value::deserialize_table(table).map_err(|fault| E::custom(with_path(fault)))
}
