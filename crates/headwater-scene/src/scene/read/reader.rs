//! [`Reader`]: reads a [`Scene`] from a file or a string, and applies overrides.

use super::budget::Budget;
use super::csv_series;
use super::fingerprint;
use super::origin::Origin;
use super::overrides;
use super::positions;
use super::serde_error::SerdeError;
use super::source_size::{MAX_TEXT_BYTES, check_source_size};
use crate::registry::{MODELS, Model};
use crate::scene::event::AnyAction;
use crate::scene::key::KeyPath;
use crate::scene::limits::Limits;
use crate::scene::problem::SceneError;
use crate::scene::scene::Scene;
use headwater_io::Files;
use serde::Deserialize as _;
use std::path::{Path, PathBuf};
use toml::de::DeTable;
use toml::{Table, Value};

/// Reads the scene file at `path`, applies `overrides` in order, and checks the resulting scene.
/// Each override consists of a key and a value.
///
/// The paths of files in the scene are relative to the folder of the scene file, except in
/// overrides, where they are relative to the current directory.
///
/// # Errors
/// Returns [`SceneError`] with all problems found.
pub fn load(path: &Path, overrides: &[(String, String)]) -> Result<Scene, SceneError> {
    Reader::default().load(path, overrides)
}

/// Reads a scene from its TOML source `text`, applies `overrides` in order, and checks the
/// resulting scene. Each override consists of a key and a value. `name` is the name of the scene in
/// error messages. The paths of files in the scene are relative to the current directory.
///
/// # Errors
/// Returns [`SceneError`] with all problems found.
pub fn parse(name: &str, text: &str, overrides: &[(String, String)]) -> Result<Scene, SceneError> {
    Reader::default().parse(name, text, overrides)
}

/// Reads a scene like [`parse`], but reads the files that the scene refers to from `files`.
///
/// # Errors
/// Returns the errors of [`parse`].
pub fn parse_with_files(
    name: &str,
    text: &str,
    overrides: &[(String, String)],
    files: &Files,
) -> Result<Scene, SceneError> {
    Reader::default().with_files(files).parse(name, text, overrides)
}

/// Returns the TOML source in the scene file at `path`. Does not check the scene.
///
/// # Errors
/// Returns [`SceneError`] if the file cannot be read or is not UTF-8.
pub fn read_source(path: &Path) -> Result<String, SceneError> {
    read_source_from(&Files::from_disk(), path)
}

fn read_source_from(files: &Files, path: &Path) -> Result<String, SceneError> {
    let refuse = |message: String| scene_error(&path.display().to_string(), message);
    let bytes = files
        .read_prefix(path, MAX_TEXT_BYTES as u64 + 1)
        .map_err(|error| refuse(format!("cannot be read: {error}")))?;
    String::from_utf8(bytes.into_owned()).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let is_raster = path.extension().is_some_and(|extension| {
            let known = ["tif", "tiff", "png", "npy", "hgt", "r16", "r32", "raw"];
            known.iter().any(|known| extension.eq_ignore_ascii_case(known))
        });
        let hint = match is_raster {
            true => "; for a height map, run a scene with --set terrain.file=FILE",
            false => "",
        };
        refuse(format!("byte {at} is not UTF-8; a scene is a TOML text{hint}"))
    })
}

/// Reader of scenes. Its settings are the models that it accepts, the source of the scenes' files,
/// the base directory of relative paths, and the resources that a scene may use.
#[derive(Clone, Debug)]
pub struct Reader {
    files: Files,
    directory: Option<PathBuf>,
    models: Vec<Model>,
    limits: Limits,
    is_confined: bool,
}

impl Default for Reader {
    /// Creates a reader for all models of this crate. Files are read from disk, relative to the
    /// current directory.
    fn default() -> Self {
        Self::for_models(MODELS)
    }
}

impl Reader {
    /// Creates a reader that accepts only scenes of these models. The code of other models is not
    /// linked. Files are read from disk, relative to the current directory.
    pub fn for_models(models: &[Model]) -> Self {
        Self {
            files: Files::from_disk(),
            directory: None,
            models: models.to_vec(),
            limits: Limits::default(),
            is_confined: false,
        }
    }

    /// Returns the models whose scenes this reader accepts.
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// Returns this reader with `files` as the source from which the files of scenes are read.
    #[must_use]
    pub fn with_files(self, files: &Files) -> Self {
        Self { files: files.clone(), ..self }
    }

    /// Returns this reader with other limits on the resources that a scene may use.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Returns this reader in confined mode, for scenes from unknown authors. The scenes can refer
    /// only to files in the base directory and its subfolders.
    #[must_use]
    pub fn confined(self) -> Self {
        Self { is_confined: true, ..self }
    }

    /// Returns this reader with another base directory, from which relative file paths are
    /// resolved. `None` means the current directory.
    #[must_use]
    pub fn in_directory(self, directory: Option<&Path>) -> Self {
        Self { directory: directory.map(Path::to_owned), ..self }
    }

    /// Returns this reader with `model` added to the models whose scenes it accepts.
    #[must_use]
    pub fn with_model(mut self, model: Model) -> Self {
        self.models.push(model);
        self
    }

    /// Reads and checks a scene file like the function [`load`].
    ///
    /// # Errors
    /// Returns [`SceneError`] with all problems found.
    pub fn load(&self, path: &Path, overrides: &[(String, String)]) -> Result<Scene, SceneError> {
        let reader = self.clone().in_directory(path.parent());
        let text = reader.read_source(path)?;
        reader.parse(&path.display().to_string(), &text, overrides)
    }

    /// Returns the TOML source in the scene file at `path`. A confined reader does not follow a
    /// link that leads out of its base directory.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the file cannot be read or is not UTF-8.
    pub(crate) fn read_source(&self, path: &Path) -> Result<String, SceneError> {
        read_source_from(&self.origin("", "").files, path)
    }

    /// Reads a scene from its TOML source `text`, applies `overrides` in order, and checks the
    /// resulting scene. Each override consists of a key and a value. `name` is the name of the
    /// scene in error messages.
    ///
    /// # Errors
    /// Returns [`SceneError`] with all problems found.
    pub fn parse(
        &self,
        name: &str,
        text: &str,
        overrides: &[(String, String)],
    ) -> Result<Scene, SceneError> {
        let mut origin = self.origin(name, text);
        let refuse = |problem| SceneError::new(vec![problem]);
        check_source_size(text).map_err(|message| refuse(origin.scene_problem(message)))?;
        let invalid = |error: toml::de::Error| {
            let message = format!("invalid TOML: {}", error.message());
            refuse(match error.span() {
                Some(span) => origin.problem_at_byte(span.start, message),
                None => origin.scene_problem(message),
            })
        };
        let document = DeTable::parse(text).map_err(invalid)?;
        if let Some((at, message)) = super::find_excess_entries(document.get_ref()) {
            return Err(refuse(origin.problem_at_byte(at, message)));
        }
        let mut table =
            Table::deserialize(toml::de::Deserializer::from(document)).map_err(invalid)?;
        for (key, value) in overrides {
            let given = format!("set {key}={value}: ");
            let path = KeyPath::parse(key.trim()).ok_or_else(|| {
                refuse(origin.scene_problem(format!(
                    "{given}found key `{key}`, needs one such as `grid.nx` or `source[0].rate`"
                )))
            })?;
            overrides::set_value(&mut table, &path, overrides::parse_value(value))
                .map_err(|message| refuse(origin.scene_problem(given + &message)))?;
            origin.record_override(path, key, value);
        }
        self.parse_table(table, origin)
    }

    /// Deserializes and checks a scene from a TOML table. `name` is the name of the scene in error
    /// messages.
    ///
    /// # Errors
    /// Returns [`SceneError`] with all problems found.
    pub(crate) fn read_table(&self, name: &str, table: Table) -> Result<Scene, SceneError> {
        self.parse_table(table, self.origin(name, ""))
    }

    /// Deserializes an action of the model of `scene`. `table` contains a list `event` with one
    /// entry, and the table `terrain` of the scene. Map coordinates in the entry refer to that
    /// terrain.
    ///
    /// # Errors
    /// Returns [`SceneError`] if a file cannot be used, or if the entry has unknown or missing
    /// keys, values of wrong types or invalid times.
    pub(crate) fn read_action(
        &self,
        scene: &Scene,
        mut table: Table,
        mut origin: Origin,
    ) -> Result<AnyAction, SceneError> {
        self.inline_files(&mut table, &mut origin)?;
        table.remove("terrain");
        scene.read_action(table, &origin)
    }

    /// Replaces map coordinates by positions in the world, and references to CSV and GeoJSON files
    /// by the contents of these files.
    fn inline_files(&self, table: &mut Table, origin: &mut Origin) -> Result<(), SceneError> {
        let (budget, directory) = (&mut Budget::new(origin.limits), self.directory());
        positions::inline_positions(table, origin, directory, budget)
            .and_then(|()| csv_series::inline_csv_series(table, origin, directory, budget))
            .map_err(|problems| origin.locate_problems(problems))
    }

    /// Returns the origin of a scene with the TOML source `text` and the name `name`. `text` is
    /// empty for tables that are not part of a scene file.
    pub(crate) fn origin(&self, name: &str, text: &str) -> Origin {
        let mut origin = Origin::new(name, text);
        origin.limits = self.limits;
        origin.files = self.files.clone();
        if self.is_confined {
            origin.files = origin.files.confined_to(self.directory().unwrap_or(Path::new("")));
        }
        origin
    }

    /// Returns the base directory for relative file paths; `None` for the current directory.
    pub(crate) fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// Deserializes and checks a scene from a TOML table. The key `model` in the table determines
    /// the model.
    ///
    /// # Errors
    /// Returns [`SceneError`] with all problems found.
    fn parse_table(&self, mut table: Table, mut origin: Origin) -> Result<Scene, SceneError> {
        origin.fingerprint = fingerprint::table_fingerprint(&table);
        let refuse = |message: String| Err(origin.locate_problems(vec![("model".into(), message)]));
        let found = match table.remove("model") {
            Some(Value::String(name)) => name,
            Some(other) => return refuse(format!("found {other}, needs a text in quotes")),
            None => {
                let names: Vec<&str> = self.models.iter().map(|model| model.name).collect();
                let names = names.join(", ");
                return refuse(format!("is missing; write model = \"NAME\", with one of {names}"));
            }
        };
        match self.models.iter().find(|model| model.name == found) {
            Some(model) => {
                self.inline_files(&mut table, &mut origin)?;
                (model.read)(table, origin, self.directory())
            }
            None => {
                let allowed = self.models.iter().map(|model| model.name).collect();
                let error = SerdeError::UnknownChoice { found: &found, allowed };
                refuse(error.message_at(&KeyPath::default()).1)
            }
        }
    }
}

/// Creates an error that concerns the whole scene with the name `name`.
pub(crate) fn scene_error(name: &str, message: String) -> SceneError {
    SceneError::new(vec![Origin::new(name, "").scene_problem(message)])
}
