//! File dialogs of the desktop program. On a desktop without dialogs, files are saved to the
//! current directory, and scenes to their own folder.

use std::path::{Path, PathBuf};

/// Target path of a saved file.
pub(super) struct Place {
    pub(super) path: PathBuf,
    asked: bool,
}

impl Place {
    pub(super) fn saved(&self) -> String {
        if self.asked {
            let name = self.path.file_name().unwrap_or_default();
            return format!("{} is saved", name.display());
        }
        format!("{} is saved: there is no file dialog here to ask where", self.path.display())
    }
}

/// Returns true if a dialog can open. On X and Wayland this needs a desktop portal (via D-Bus) or
/// zenity.
pub(super) fn can_ask() -> bool {
    if cfg!(any(windows, target_os = "macos"))
        || std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some()
    {
        return true;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join("zenity").is_file())
}

/// Asks for the path of a file with the default `name`, starting in `folder`; `None` if cancelled.
pub(super) fn place(
    dialog: rfd::AsyncFileDialog,
    name: &str,
    folder: Option<&Path>,
) -> impl Future<Output = Option<Place>> + use<> {
    let (name, folder) = (name.to_owned(), folder.map(Path::to_owned));
    let dialog = folder.iter().fold(dialog, rfd::AsyncFileDialog::set_directory);
    let asked = can_ask().then(|| dialog.set_file_name(&name).save_file());
    async move {
        match asked {
            Some(file) => Some(Place { path: file.await?.path().to_owned(), asked: true }),
            None => {
                let folder = folder.unwrap_or_else(|| std::env::current_dir().unwrap_or_default());
                Some(Place { path: free(&folder, &name), asked: false })
            }
        }
    }
}

/// Returns an unused path in a folder, with a number if the name is taken.
fn free(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    let (stem, ending) = (path.file_stem().unwrap_or_default(), path.extension());
    let numbered = |number: usize| {
        let name = format!("{}-{number}", stem.display());
        ending.map_or(folder.join(&name), |ending| {
            folder.join(format!("{name}.{}", ending.display()))
        })
    };
    let mut paths = std::iter::once(path.clone()).chain((2..).map(numbered));
    paths.find(|path| !path.exists()).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_dialog_no_file_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let mut names = Vec::new();
        for _ in 0..3 {
            let path = free(folder.path(), "pond.toml");
            std::fs::write(&path, "").unwrap();
            names.push(path.file_name().unwrap().to_owned());
        }
        assert_eq!(names, ["pond.toml", "pond-2.toml", "pond-3.toml"]);
        let place = Place { path: folder.path().join("pond-3.toml"), asked: false };
        assert!(place.saved().contains("no file dialog"), "{}", place.saved());
    }
}
