//! Commands `headwater scenes` and `headwater new`: list the scenes of the library, and copy one as
//! a starting point.

use anyhow::{Context as _, Result};
use headwater_cli::screen::print_line;
use headwater_cli::usage::{UserError, printable_argument};
use headwater_scene::atomic::write_atomically;
use headwater_scene::library;
use serde::Serialize;
use std::io::Write as _;
use std::path::Path;

#[derive(Serialize)]
struct SceneRow {
    name: &'static str,
    title: String,
    description: String,
}

/// Prints the scenes of the library, one per line or as a JSON array. Returns true, which stands
/// for success; failures are returned as errors.
pub(crate) fn print_scenes(json: bool) -> Result<bool> {
    let mut rows = Vec::new();
    for known in library::SCENES {
        let scene = headwater_scene::scene::parse(known.name, known.text, &[])?;
        let (title, description) = (scene.title().into(), scene.description().into());
        rows.push(SceneRow { name: known.name, title, description });
    }
    if json {
        print_line(&serde_json::to_string_pretty(&rows)?);
    } else {
        for row in rows {
            print_line(&format!("{:<16} {}", row.name, row.description));
        }
    }
    Ok(true)
}

/// Maximum length of the name of a new scene (bytes): 60 characters of up to 4 bytes. File systems
/// allow 255 bytes with the extension.
const MAX_NAME_BYTES: usize = 240;

/// First line of new scene files. It names the file `scene.schema.json`, the output of `headwater
/// schema`, so that TOML editors can validate the scene.
const SCHEMA_LINE: &str = "#:schema ./scene.schema.json";

/// Writes a copy of the built-in scene `template` to the file `NAME.toml`, where `NAME` is the
/// argument `name`. Returns true; like other commands, it reports failures as errors.
pub(crate) fn write_scene_copy(name: &str, template: &str) -> Result<bool> {
    let known = library::find_scene(template)
        .ok_or_else(|| UserError(library::unknown_scene_message(template)))?;
    let name = name.strip_suffix(".toml").unwrap_or(name);
    let good = |c: char| c.is_alphanumeric() || "-_ ".contains(c);
    if name.trim().is_empty() || name.len() > MAX_NAME_BYTES || !name.chars().all(good) {
        let allowed = "up to 60 letters, digits, `-`, `_` and spaces";
        let name = printable_argument(name.into());
        let name = name.display();
        return Err(UserError(format!("a scene's name may have {allowed}, found `{name}`")).into());
    }
    let file = format!("{name}.toml");
    let path = Path::new(&file);
    if path.exists() {
        return Err(UserError(format!("{file} already exists")).into());
    }
    let text = format!("{SCHEMA_LINE}\n{}", known.text);
    write_atomically(path, |sink| sink.write_all(text.as_bytes())).with_context(|| file.clone())?;
    let quote = if file.contains(char::is_whitespace) { "\"" } else { "" };
    print_line(&format!("{file} written; run it with: headwater run {quote}{file}{quote}"));
    if !Path::new("scene.schema.json").exists() {
        print_line(
            "for completion and validation in editors, run: headwater schema > scene.schema.json",
        );
    }
    Ok(true)
}
