//! [`Reader`]: from a file or a text to a [`Scene`], with the overrides laid over it.

use super::erased::Scene;
use super::files::{Files, open_file};
use super::fingerprint;
use super::geojson;
use super::key::KeyPath;
use super::origin::Origin;
use super::overrides;
use super::problem::SceneError;
use super::recorded;
use super::words::Complaint;
use crate::registry::{MODELS, Model};
use std::io::Read;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The longest scene: 32 MiB, for as many events as there may be.
const MAX_TEXT: usize = 32 << 20;

/// Reads and checks the scene file at `path`, with `(key, value)` overrides laid over it in order.
///
/// Paths in the file are relative to the file; those in overrides, to the current directory.
///
/// # Errors
/// [`SceneError`] with all the problems that were found.
pub fn load(path: &Path, overrides: &[(String, String)]) -> Result<Scene, SceneError> {
    Reader::default().load(path, overrides)
}

/// Reads and checks a scene from `text`, called `name` in messages. Its paths are relative to the
/// current directory.
///
/// # Errors
/// [`SceneError`] with all the problems that were found.
pub fn parse(name: &str, text: &str, overrides: &[(String, String)]) -> Result<Scene, SceneError> {
    Reader::default().parse(name, text, overrides)
}

/// The same, with its files from elsewhere than the disk.
///
/// # Errors
/// As [`parse`].
pub fn parse_with(
    name: &str,
    text: &str,
    overrides: &[(String, String)],
    files: &Files,
) -> Result<Scene, SceneError> {
    Reader::default().with_files(files).parse(name, text, overrides)
}

/// The text of a scene file, of which nothing is checked yet.
///
/// # Errors
/// [`SceneError`] if it cannot be read, or is no text.
pub fn text_of(path: &Path) -> Result<String, SceneError> {
    let refuse = |message: String| problem(&path.display().to_string(), message);
    let mut bytes = Vec::new();
    open_file(path)
        .and_then(|file| file.take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| refuse(format!("cannot be read: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        refuse(format!("byte {at} is no UTF-8: a scene is a TOML text"))
    })
}

/// Reads scenes: knows where their files come from, what their paths are relative to, and which models they may name.
#[derive(Clone, Debug)]
pub struct Reader {
    files: Files,
    directory: Option<PathBuf>,
    models: Vec<Model>,
}

impl Default for Reader {
    /// Files of the disk, relative to the current directory, for the models of this crate.
    fn default() -> Self {
        Self::of(MODELS)
    }
}

impl Reader {
    /// A reader of files of the disk, relative to the current directory, for these models alone: a program that names no others has only them in it.
    pub fn of(models: &[Model]) -> Self {
        Self { files: Files::disk(), directory: None, models: models.to_vec() }
    }

    /// The models that scenes may name.
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// The same, with files from elsewhere.
    #[must_use]
    pub fn with_files(self, files: &Files) -> Self {
        Self { files: files.clone(), ..self }
    }

    /// The same, with the paths of scenes relative to a directory.
    #[must_use]
    pub fn in_directory(self, directory: Option<&Path>) -> Self {
        Self { directory: directory.map(Path::to_owned), ..self }
    }

    /// The same, for scenes that may name one more model.
    #[must_use]
    pub fn with_model(mut self, model: Model) -> Self {
        self.models.push(model);
        self
    }

    /// Reads and checks a scene file, as [`load`].
    ///
    /// # Errors
    /// [`SceneError`] with all the problems that were found.
    pub fn load(&self, path: &Path, overrides: &[(String, String)]) -> Result<Scene, SceneError> {
        let (name, text) = (path.display().to_string(), text_of(path)?);
        self.clone().in_directory(path.parent()).parse(&name, &text, overrides)
    }

    /// Reads and checks a scene from `text`, called `name` in messages.
    ///
    /// # Errors
    /// [`SceneError`] with all the problems that were found.
    pub fn parse(
        &self,
        name: &str,
        text: &str,
        overrides: &[(String, String)],
    ) -> Result<Scene, SceneError> {
        let mut origin = Origin::new(name, text).with_files(&self.files);
        let refuse = |problem| SceneError::new(vec![problem]);
        if text.len() > MAX_TEXT {
            let message = "longer than 32 MiB, the most a scene may have";
            return Err(refuse(origin.file_problem(message)));
        }
        let mut table = text.parse::<Table>().map_err(|error| {
            let message = format!("no TOML: {}", error.message());
            refuse(match error.span() {
                Some(span) => origin.text_problem(span.start, message),
                None => origin.file_problem(message),
            })
        })?;
        for (key, value) in overrides {
            let given = format!("set {key}={value}: ");
            let path = KeyPath::parse(key.trim()).ok_or_else(|| {
                refuse(origin.file_problem(format!(
                    "{given}found key `{key}`, needs one such as `grid.nx` or `source[0].rate`"
                )))
            })?;
            overrides::set(&mut table, &path, overrides::value(value))
                .map_err(|message| refuse(origin.file_problem(given + &message)))?;
            origin.note_override(path, key, value);
        }
        self.of_table(table, origin)
    }

    /// Checks a scene that stands in a table, called `name` in messages.
    pub(crate) fn table(&self, name: &str, table: Table) -> Result<Scene, SceneError> {
        self.of_table(table, Origin::new(name, "").with_files(&self.files))
    }

    /// What its paths are relative to.
    pub(crate) fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// The key `model` says how to read the others.
    fn of_table(&self, mut table: Table, mut origin: Origin) -> Result<Scene, SceneError> {
        origin.fingerprint = fingerprint::of(&table);
        let refuse = |message: String| Err(origin.locate(vec![("model".into(), message)]));
        let found = match table.remove("model") {
            Some(Value::String(name)) => name,
            Some(other) => return refuse(format!("found {other}, needs a text in quotes")),
            None => {
                let names: Vec<&str> = self.models.iter().map(|model| model.name).collect();
                return refuse(format!("is missing; allowed are {}", names.join(", ")));
            }
        };
        match self.models.iter().find(|model| model.name == found) {
            Some(model) => {
                recorded::put_in(&mut table, &mut origin, self.directory())
                    .and_then(|()| geojson::put_in(&mut table, &mut origin, self.directory()))
                    .map_err(|problems| origin.locate(problems))?;
                (model.read)(table, origin, self.directory())
            }
            None => {
                let allowed = self.models.iter().map(|model| model.name).collect();
                let complaint = Complaint::UnknownChoice { found: &found, allowed };
                refuse(complaint.tell(&KeyPath::default()).1)
            }
        }
    }
}

/// A problem of a scene as a whole.
pub(crate) fn problem(name: &str, message: String) -> SceneError {
    SceneError::new(vec![Origin::new(name, "").file_problem(message)])
}
