//! Comparison of the files that the compiler reads with the files in package archives.

use crate::place;
use crate::process::{cargo_command, command_output};
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Files that the compiler read for each library and each program built with the profile `dev`.
pub(super) struct Sources {
    /// Output of `cargo metadata`, reduced to the members of the workspace.
    metadata: Value,
    built: Vec<DependencyRule>,
}

/// Dependency rule from a `.d` file, which the compiler writes for each output: the output and the
/// files that the compiler read.
#[derive(Debug, PartialEq, Eq)]
struct DependencyRule {
    /// Whether the output is a library. All other outputs are programs or tests, which are not
    /// distinguished here.
    library: bool,
    read: BTreeSet<PathBuf>,
}

impl Sources {
    pub(super) fn find() -> Result<Self> {
        let mut command = cargo_command();
        command.args(["metadata", "--no-deps", "--format-version", "1"]);
        let metadata = serde_json::from_str(&command_output(&mut command)?)?;
        let folder = place::profile_folder("dev").join("deps");
        let mut built = Vec::new();
        for file in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = file?.path();
            if path.extension() == Some(OsStr::new("d")) {
                built.push(DependencyRule::parse(
                    &fs::read_to_string(&path)?,
                    &place::repository_root(),
                ));
            }
        }
        built.retain(|rule| !rule.read.is_empty());
        Ok(Self { metadata, built })
    }

    /// Checks that the archive of the package `name`, unpacked in the folder `unpacked`, contains
    /// all files that the compiler read for this package. Returns the number of these files.
    pub(super) fn check_sources_are_packed(&self, name: &str, unpacked: &Path) -> Result<usize> {
        let packages = self.metadata["packages"].as_array().into_iter().flatten();
        let package = packages.into_iter().find(|package| package["name"] == name);
        let package =
            package.with_context(|| format!("{name} is not a package of the workspace"))?;
        let manifest = package["manifest_path"].as_str().unwrap_or_default();
        let folder = Path::new(manifest).parent().context("a manifest without a folder")?;
        let mut read = BTreeSet::new();
        for target in package["targets"].as_array().into_iter().flatten() {
            let library = match target["kind"][0].as_str() {
                Some("lib") => true,
                Some("bin") => false,
                _ => continue,
            };
            let entry = Path::new(target["src_path"].as_str().unwrap_or_default());
            let of = |rule: &&DependencyRule| rule.library == library && rule.read.contains(entry);
            let of: Vec<_> = self.built.iter().filter(of).collect();
            ensure!(!of.is_empty(), "{} has not been built", entry.display());
            // Tests of a program read more files than the program.
            let fewest = of.iter().map(|rule| rule.read.len()).min();
            let needed = of.iter().filter(|rule| library || Some(rule.read.len()) == fewest);
            read.extend(needed.flat_map(|rule| &rule.read));
        }
        for path in &read {
            let Ok(inside) = path.strip_prefix(folder) else {
                bail!("{name} reads {}, which is in no archive", path.display());
            };
            ensure!(
                unpacked.join(inside).is_file(),
                "{name} reads {}, which is not packed",
                path.display()
            );
        }
        Ok(read.len())
    }
}

impl DependencyRule {
    /// Parses the contents `text` of a `.d` file. Keeps only existing files below the folder `root`
    /// that are neither build outputs nor lint settings.
    fn parse(text: &str, root: &Path) -> Self {
        // A rule has one line for each output, all with the same sources. The first line is enough.
        let rules = text.lines().filter_map(|line| line.split_once(": "));
        let is_library = |built: &str| {
            let name = Path::new(built).file_name();
            name.is_some_and(|name| name.to_string_lossy().starts_with("lib"))
        };
        let library = rules.clone().any(|(built, _)| is_library(built));
        let (_, names) = rules.clone().next().unwrap_or_default();
        // Spaces in file names are escaped by a backslash.
        let names = names.replace("\\ ", "\0");
        let paths = names.split(' ').map(|name| root.join(name.replace('\0', " ")));
        let target = place::target_folder();
        let settings = ["Cargo.toml", "clippy.toml"].map(|name| root.join(name));
        let there = |path: &PathBuf| {
            let ours = path.starts_with(root) && !path.starts_with(&target);
            ours && !settings.contains(path) && path.is_file()
        };
        Self { library, read: paths.filter(there).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn files_that_are_read_must_be_packed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in [
            "one/src/lib.rs",
            "one/src/a b.rs",
            "one/words.txt",
            "clippy.toml",
            "packed/src/lib.rs",
            "packed/src/a b.rs",
        ] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let text = "deps/one-1.d: clippy.toml one/src/lib.rs one/src/a\\ b.rs one/src/gone.rs /usr/far.rs\n\n\
                    deps/libone-1.rlib: clippy.toml one/src/lib.rs\n\none/src/lib.rs:\n";
        let rule = DependencyRule::parse(text, root);
        let [lib, part] = ["one/src/lib.rs", "one/src/a b.rs"].map(|path| root.join(path));
        assert_eq!(rule, DependencyRule { library: true, read: [lib.clone(), part].into() });
        let targets = json!([{ "kind": ["lib"], "src_path": lib }, { "kind": ["test"], "src_path": "tests/it.rs" }]);
        let package = json!({ "name": "one", "manifest_path": root.join("one/Cargo.toml"), "targets": targets });
        let mut sources = Sources { metadata: json!({ "packages": [package] }), built: vec![rule] };
        let packed = root.join("packed");
        assert_eq!(sources.check_sources_are_packed("one", &packed).unwrap(), 2);
        let said = |sources: &Sources| {
            sources.check_sources_are_packed("one", &packed).unwrap_err().to_string()
        };
        // Files that are read only by tests need not be packed.
        sources.built.push(DependencyRule::parse("deps/one-2: one/src/lib.rs one/words.txt", root));
        assert_eq!(sources.check_sources_are_packed("one", &packed).unwrap(), 2);
        sources.built[0] =
            DependencyRule::parse("deps/libone-1.rlib: one/src/lib.rs one/words.txt", root);
        assert!(said(&sources).ends_with("words.txt, which is not packed"), "{}", said(&sources));
        sources.built[0] =
            DependencyRule::parse("deps/libone-1.rlib: one/src/lib.rs packed/src/lib.rs", root);
        assert!(said(&sources).ends_with("lib.rs, which is in no archive"), "{}", said(&sources));
        sources.built.remove(0);
        assert!(said(&sources).ends_with("lib.rs has not been built"), "{}", said(&sources));
    }
}
