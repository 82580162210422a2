//! Where a window's files go: a dialog asks. On a desktop that has none, a file goes into the folder that the program was started in,
//! a scene to the one that it came from.

use std::path::{Path, PathBuf};

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

/// Whether a dialog can open. On a desktop of X or Wayland that is the work of others: a portal, which is reached by D-Bus, or zenity.
pub(super) fn can_ask() -> bool {
    if cfg!(any(windows, target_os = "macos"))
        || std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some()
    {
        return true;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join("zenity").is_file())
}

/// Asks where a file goes that would be called `name`, at first in `folder` if one is named; `None` if nobody wants it any longer.
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

/// A path in a folder that nothing has yet: with a number, if the name is taken.
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
    fn nothing_is_written_over_where_nobody_was_asked() {
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
