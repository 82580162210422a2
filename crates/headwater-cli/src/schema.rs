//! Command `headwater schema`: prints the JSON Schema or the reference of scene files.

use anyhow::Result;
use headwater_cli::screen::print_line;
use headwater_scene::schema;

/// Prints the JSON Schema of scene files, or a Markdown reference of their keys.
pub(crate) fn print(markdown: bool) -> Result<bool> {
    if markdown {
        print_line(schema::reference().trim_end());
    } else {
        print_line(&serde_json::to_string_pretty(&schema::schema())?);
    }
    Ok(true)
}
