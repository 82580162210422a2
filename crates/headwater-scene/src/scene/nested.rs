//! Separate deserialization of a part of a table, so that errors keep the path of the value.

use super::value;
use serde::de::{DeserializeOwned, Error};
use toml::Table;

/// Marks the path of a value in the text of an error that has no other place for it.
pub(super) const PATH_MARK: char = '\u{1}';

/// Reads a part of a table. The text of an error starts with the path of the value between two
/// [`PATH_MARK`]s.
pub(crate) fn nested<T: DeserializeOwned, E: Error>(table: Table) -> Result<T, E> {
    let with_path =
        |fault: value::Fault| format!("{PATH_MARK}{}{PATH_MARK}{}", fault.path(), fault.message);
    value::read(table).map_err(|fault| E::custom(with_path(fault)))
}
