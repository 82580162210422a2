//! [`SavedScene`]: a scene to be saved as a file, with the heightmap that the user provided for it.

#[cfg(not(target_arch = "wasm32"))]
use headwater_scene::atomic::write_atomically;
#[cfg(not(target_arch = "wasm32"))]
use headwater_scene::scene::Reader;
#[cfg(not(target_arch = "wasm32"))]
use std::io::Write as _;
#[cfg(not(target_arch = "wasm32"))]
use std::path::Path;
use std::path::PathBuf;

pub(in crate::app) struct SavedScene {
    /// Default name of the scene file.
    pub(in crate::app) name: String,
    pub(in crate::app) text: String,
    /// Name and contents of the file that the user provided for the scene, if any.
    pub(in crate::app) file: Option<(String, Vec<u8>)>,
    /// Folder from which the scene was loaded. Relative paths in the scene refer to this folder.
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "a page has no folders"))]
    pub(in crate::app) folder: Option<PathBuf>,
}

impl SavedScene {
    /// Returns the message to show after saving. `saved` describes where the scene was saved.
    pub(in crate::app) fn saved_message(&self, saved: &str) -> String {
        match &self.file {
            Some((file, _)) => format!("{saved}, together with its file {file}"),
            None => saved.to_owned(),
        }
    }

    /// Writes the scene to `path`. The file that the scene needs is written to the same folder,
    /// unless it already exists there with the same contents.
    ///
    /// # Errors
    /// Returns a message if the files cannot be written, or if the scene could not be opened from
    /// `path`.
    #[cfg(not(target_arch = "wasm32"))]
    pub(in crate::app) fn write(&self, path: &Path) -> Result<(), String> {
        let cannot = |error: std::io::Error| format!("cannot be written: {error}");
        let folder = path.parent().unwrap_or(Path::new(""));
        if let Some((file, bytes)) = &self.file {
            let target = folder.join(file);
            match std::fs::read(&target) {
                Ok(found) if found == *bytes => {}
                Ok(_) => {
                    return Err(format!(
                        "Not saved: the scene needs {file} in the same folder, but another file with that name exists in {}.",
                        folder.display()
                    ));
                }
                Err(_) => {
                    write_atomically(&target, |sink| sink.write_all(bytes)).map_err(cannot)?;
                }
            }
        }
        write_atomically(path, |sink| sink.write_all(self.text.as_bytes())).map_err(cannot)?;
        let name = path.file_name().unwrap_or_default().display().to_string();
        let reader = Reader::default().in_directory(Some(folder));
        let closed =
            |why: String| format!("{name} was saved, but cannot be opened from there: {why}");
        let scene =
            reader.parse(&name, &self.text, &[]).map_err(|error| closed(error.to_string()))?;
        let absent = scene.files().into_iter().find(|(_, path)| !path.exists());
        absent.map_or(Ok(()), |(key, path)| {
            Err(closed(format!("{key} refers to {}, which does not exist", path.display())))
        })
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    const HILL: &str = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n7 8 9\n4 5 6\n";
    const TEXT: &str = "model = 'flow'\n[time]\nuntil = 1\n[terrain]\nfile = 'hill.asc'\n";

    fn saved_scene(file: Option<&str>) -> SavedScene {
        let file = file.map(|text| ("hill.asc".to_owned(), text.as_bytes().to_vec()));
        SavedScene { name: "hill.toml".into(), text: TEXT.into(), file, folder: None }
    }

    #[test]
    fn a_scene_is_saved_with_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hill.toml");
        // Saving twice succeeds, because the existing file is identical.
        for _ in 0..2 {
            saved_scene(Some(HILL)).write(&path).unwrap();
        }
        headwater_scene::scene::load(&path, &[]).unwrap();
        let problem = saved_scene(Some("something else")).write(&path).unwrap_err();
        assert!(problem.contains("hill.asc") && problem.contains("another file"), "{problem}");
        assert_eq!(std::fs::read_to_string(folder.path().join("hill.asc")).unwrap(), HILL);
    }

    #[test]
    fn saving_a_scene_without_its_file_reports_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hill.toml");
        let problem = saved_scene(None).write(&path).unwrap_err();
        assert!(path.exists() && problem.contains("hill.asc"), "{problem}");
    }
}
