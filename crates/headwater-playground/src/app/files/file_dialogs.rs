//! File dialogs of the desktop program. Some desktops cannot open dialogs. There, scenes are saved
//! to the folder that they came from, and all other files to the current directory.

use std::path::{Path, PathBuf};

/// Path to which a file is saved.
pub(in crate::app) struct SavePath {
    pub(in crate::app) path: PathBuf,
    from_dialog: bool,
}

impl SavePath {
    pub(in crate::app) fn saved_message(&self) -> String {
        if self.from_dialog {
            let name = self.path.file_name().unwrap_or_default();
            return format!("{} was saved", name.display());
        }
        format!("{} was saved there, because no file dialog is available", self.path.display())
    }
}

/// Returns true if the desktop can open file dialogs. On X and Wayland this needs a desktop portal
/// (via D-Bus) or zenity.
pub(in crate::app) fn has_dialogs() -> bool {
    if cfg!(any(windows, target_os = "macos"))
        || std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some()
    {
        return true;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join("zenity").is_file())
}

/// Opens a dialog in which the user chooses a path for a file. The dialog starts in `folder` with
/// the file name `name`. The result is `None` if the user cancels the dialog.
pub(in crate::app) fn ask_save_path(
    dialog: rfd::AsyncFileDialog,
    name: &str,
    folder: Option<&Path>,
) -> impl Future<Output = Option<SavePath>> + use<> {
    let (name, folder) = (name.to_owned(), folder.map(Path::to_owned));
    let dialog = folder.iter().fold(dialog, rfd::AsyncFileDialog::set_directory);
    let from_dialog = has_dialogs().then(|| dialog.set_file_name(&name).save_file());
    async move {
        match from_dialog {
            Some(file) => Some(SavePath { path: file.await?.path().to_owned(), from_dialog: true }),
            None => {
                let folder = folder.unwrap_or_else(|| std::env::current_dir().unwrap_or_default());
                Some(SavePath { path: unused_path(&folder, &name), from_dialog: false })
            }
        }
    }
}

/// Returns the path of an unused file name in a folder: `name`, with a number if that name is
/// taken.
fn unused_path(folder: &Path, name: &str) -> PathBuf {
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
            let path = unused_path(folder.path(), "pond.toml");
            std::fs::write(&path, "").unwrap();
            names.push(path.file_name().unwrap().to_owned());
        }
        assert_eq!(names, ["pond.toml", "pond-2.toml", "pond-3.toml"]);
        let ask_save_path =
            SavePath { path: folder.path().join("pond-3.toml"), from_dialog: false };
        assert!(
            ask_save_path.saved_message().contains("no file dialog"),
            "{}",
            ask_save_path.saved_message()
        );
    }
}
