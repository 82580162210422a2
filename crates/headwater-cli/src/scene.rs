//! Scene arguments of all commands: a file or a built-in scene, and overrides of its keys.

use anyhow::Result;
use headwater_cli::usage::UserError;
use headwater_scene::scene::{Limits, Reader};
use headwater_scene::{Scene, library};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A scene and overrides of its keys.
#[derive(clap::Args)]
// Skip the group: its default name is the type's, which `run` uses too.
#[group(skip)]
pub(crate) struct Args {
    /// Scene file, or name of a built-in scene.
    #[arg(value_name = "SCENE")]
    pub(crate) scene: PathBuf,
    /// Set a key of the scene, as in `--set grid.nx=512` or `--set source[0].rate=3`; can be given
    /// several times.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = parse_override)]
    set: Vec<(String, String)>,
    /// Read files only in the folder of the scene and its subfolders, also those named with --set.
    /// For scenes from unknown authors.
    #[arg(long)]
    confined: bool,
    /// Change a limit on the resources of the scene, as in `--limit memory=16GiB`: `memory` of the
    /// world (default 4GiB), total size of its `files` of series and polygons (default 64MiB), or
    /// total number of `points` in them (default 1000000). Can be given several times.
    #[arg(long = "limit", value_name = "NAME=VALUE", value_parser = parse_limit)]
    limits: Vec<LimitOverride>,
}

/// Change of a limit on the resources that a scene may use.
#[derive(Clone)]
enum LimitOverride {
    Memory(usize),
    Files(usize),
    Points(usize),
}

fn parse_limit(text: &str) -> Result<LimitOverride, String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    match name.trim() {
        "memory" => parse_size(value).map(LimitOverride::Memory),
        "files" => parse_size(value).map(LimitOverride::Files),
        "points" => match value.trim().parse() {
            Ok(count) => Ok(LimitOverride::Points(count)),
            Err(_) => Err(format!("found `{value}`, needs a whole number")),
        },
        _ => Err("needs memory=SIZE, files=SIZE or points=NUMBER".to_owned()),
    }
}

/// Parses a size in bytes such as `4GiB` or `500 MB`. Returns an error message if the size is
/// invalid.
pub(crate) fn parse_size(text: &str) -> Result<usize, String> {
    let wrong = || format!("found `{text}`, needs a size in MB, GB, MiB, GiB or TiB, such as 4GiB");
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let times: f64 = match unit.trim() {
        "MB" => 1e6,
        "GB" => 1e9,
        "MiB" => f64::from(1 << 20),
        "GiB" => f64::from(1 << 30),
        "TiB" => f64::from(1 << 30) * 1024.0,
        _ => return Err(wrong()),
    };
    let bytes = number.parse::<f64>().map_err(|_| wrong())? * times;
    Ok(bytes as usize)
}

/// Maximum number of notices that are printed at a time.
const MAX_NOTICES: usize = 100;
/// Maximum number of file names that a notice lists. Further files are only counted.
const MAX_FILES_IN_NOTICE: usize = 10;

fn parse_override(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("found no `=`, needs KEY=VALUE")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

impl Args {
    /// Returns the file name of the scene without its extension. It is the default name of the
    /// output folder, and the summary contains it.
    pub(crate) fn name(&self) -> &OsStr {
        self.scene.file_stem().unwrap_or("scene".as_ref())
    }

    /// Returns whether the command line contains overrides of keys (`--set`).
    pub(crate) fn has_overrides(&self) -> bool {
        !self.set.is_empty()
    }

    /// Parses the scene whose TOML source is `text`. Sets the scene key `key` to the path that is
    /// given as the argument SCENE, and then applies the overrides of the command line.
    pub(crate) fn parse_with_file(&self, text: &str, key: &str) -> Result<Scene> {
        let file = self.scene.to_string_lossy().into_owned();
        let set = [&[(key.to_owned(), file.clone())], &self.set[..]].concat();
        Ok(self.reader().in_directory(self.scene.parent()).parse(&file, text, &set)?)
    }

    /// Returns a reader with the limits of the command line.
    fn reader(&self) -> Reader {
        let mut limits = Limits::default();
        for limit in &self.limits {
            match *limit {
                LimitOverride::Memory(bytes) => limits.memory_bytes = bytes as u64,
                LimitOverride::Files(bytes) => limits.file_bytes = bytes as u64,
                LimitOverride::Points(count) => limits.points = count,
            }
        }
        let reader = Reader::default().with_limits(limits);
        if self.confined { reader.confined() } else { reader }
    }

    /// Returns the notices to print. If there are more than [`MAX_NOTICES`], the rest is replaced
    /// by one notice with their number.
    pub(crate) fn truncate_notices(mut notices: Vec<String>) -> Vec<String> {
        if notices.len() > MAX_NOTICES {
            let more = notices.len() - MAX_NOTICES;
            notices.truncate(MAX_NOTICES);
            notices.push(format!("and {more} more notices"));
        }
        notices
    }

    /// Returns a notice that lists the files that a scene reads. Returns `None` if file access is
    /// restricted (`--confined`), if the scene file lies in the working folder, or if the scene
    /// reads no files.
    pub(crate) fn file_access_notice(&self, scene: &Scene) -> Option<String> {
        let folder = std::env::current_dir().ok()?;
        let is_outside = !self.scene.canonicalize().ok()?.starts_with(folder.canonicalize().ok()?);
        let files = scene.files();
        if !is_outside || self.confined || files.is_empty() {
            return None;
        }
        let mut names: Vec<_> = files
            .iter()
            .take(MAX_FILES_IN_NOTICE)
            .map(|(_, path)| path.display().to_string())
            .collect();
        if files.len() > MAX_FILES_IN_NOTICE {
            names.push(format!("and {} more", files.len() - MAX_FILES_IN_NOTICE));
        }
        let names = names.join(", ");
        Some(format!(
            "the scene lies outside the working folder and reads {names}; --confined allows only \
             files in its own folder"
        ))
    }

    /// Loads and validates the scene. The overrides in `extra_overrides` are applied after those of
    /// the command line.
    pub(crate) fn load(&self, extra_overrides: &[(String, String)]) -> Result<Scene> {
        let set = [&self.set[..], extra_overrides].concat();
        let (path, name) = (&*self.scene, self.scene.to_string_lossy());
        match library_scene(path) {
            Some(known) => Ok(self.reader().parse(known.name, known.text, &set)?),
            None if path.exists() || name.contains(['/', '.']) => {
                Ok(self.reader().load(path, &set)?)
            }
            None => Err(UserError(library::unknown_scene_message(&name)).into()),
        }
    }
}

/// Prints a line to stdout. A closed pipe is ignored. The first other error is recorded, and
/// [`stdout_error`] returns it.
pub(crate) fn library_scene(name: &Path) -> Option<library::LibraryScene> {
    library::find_scene(name.to_str()?).filter(|_| !name.is_file())
}
