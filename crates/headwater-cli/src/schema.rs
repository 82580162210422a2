//! `headwater schema`: schema and reference of scene files.

use crate::rows::print_line;
use anyhow::Result;
use headwater_scene::schema;

/// Prints the JSON Schema of scene files, or the reference of their keys.
pub(crate) fn print(markdown: bool) -> Result<bool> {
    if markdown {
        print_line(schema::reference().trim_end());
    } else {
        print_line(&serde_json::to_string_pretty(&schema::schema())?);
    }
    Ok(true)
}
