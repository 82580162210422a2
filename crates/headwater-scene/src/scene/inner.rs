//! A part of a table that is read while serde reads the whole: its errors keep the way to what is wrong.

use super::value;
use serde::de::{DeserializeOwned, Error};
use toml::Table;

/// Marks the way to the value that an error is about, in the text of an error that cannot carry it otherwise.
pub(super) const WAY: char = '\u{1}';

/// Reads a part of a table; the error's text begins with the way to what is wrong there, between two [`WAY`]s.
pub(crate) fn inner<T: DeserializeOwned, E: Error>(table: Table) -> Result<T, E> {
    let told = |fault: value::Fault| format!("{WAY}{}{WAY}{}", fault.path(), fault.message);
    value::read(table).map_err(|fault| E::custom(told(fault)))
}
