//! Checks of the packages as they are published: each package must be complete outside of the
//! workspace, and it must be possible to build a third-party crate with them.

mod sources;

use crate::place;
use crate::process::{cargo_command, run_command};
use anyhow::{Context, Result, ensure};
use sources::Sources;
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// Packages that are not published on crates.io: this package, and the packages for other
/// languages, which are delivered in other forms.
const NOT_PUBLISHED: [&str; 6] =
    ["xtask", "headwater-c", "headwater-python", "headwater-js", "headwater-npm", "headwater-page"];

/// Package that is built separately from the workspace, because it uses another version of wgpu.
const SEPARATE: &str = "bevy_headwater";

/// Crate of a hypothetical third party that is built with the unpacked packages: its folder,
/// package name and test name.
const THIRD_PARTY_CRATE: [&str; 3] = ["exercises/sixth-model", "sixth-model", "works"];

/// Cargo settings with which the unpacked packages are built without optimization.
const PROFILE: [&str; 2] = ["profile.dev.opt-level=0", "profile.dev.package.headwater.opt-level=0"];

/// Checks all published packages. Packs them, verifies that each archive contains every file that
/// the compiler reads, unpacks the archives, and builds and tests a third-party crate with the
/// result. Packages refer to each other by version, as on crates.io. `is_built` states whether the
/// workspace has already been built.
pub(crate) fn check(is_built: bool) -> Result<()> {
    if !is_built {
        let together = ["--workspace", "--exclude", "xtask", "--exclude", SEPARATE];
        for packages in [&together[..], &["--package", SEPARATE]] {
            let mut build = cargo_command();
            run_command(build.arg("build").args(packages))?;
        }
    }
    let archives = place::target_folder().join("package");
    // The folder may contain archives of other versions.
    if archives.exists() {
        fs::remove_dir_all(&archives).with_context(|| archives.display().to_string())?;
    }
    let mut pack = cargo_command();
    pack.args(["package", "--workspace", "--no-verify"]);
    for other in NOT_PUBLISHED {
        pack.args(["--exclude", other]);
    }
    run_command(&mut pack)?;
    let elsewhere = tempfile::tempdir()?;
    let mut names = Vec::new();
    for archive in fs::read_dir(&archives)? {
        let path = archive?.path();
        if path.extension().is_some_and(|extension| extension == "crate") {
            let file = flate2::read::GzDecoder::new(fs::File::open(&path)?);
            tar::Archive::new(file).unpack(elsewhere.path())?;
            names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    ensure!(!names.is_empty(), "{} contains no archive", archives.display());
    names.sort();
    let (sources, mut files) = (Sources::find()?, 0);
    for folder in &names {
        files += sources.check_sources_are_packed(
            name_and_version(folder)?.0,
            &elsewhere.path().join(folder),
        )?;
    }
    let [guest, its_name, its_test] = THIRD_PARTY_CRATE;
    create_workspace(elsewhere.path(), &names)?;
    let mut test = cargo_command();
    test.current_dir(elsewhere.path()).args(["test", "--package", its_name, "--test", its_test]);
    test.args(PROFILE.iter().flat_map(|line| ["--config", line]));
    // The lock file already contains the resolved dependencies.
    run_command(test.args(["--offline", "--target-dir"]).arg(place::target_folder()))?;
    println!("{files} source files are packed in {}; {guest} builds on them", names.join(", "));
    Ok(())
}

fn name_and_version(folder: &str) -> Result<(&str, &str)> {
    folder.rsplit_once('-').with_context(|| format!("{folder} has no version"))
}

/// Creates a workspace in the folder `workspace_folder` that contains the unpacked packages
/// `folders` and the third-party crate.
fn create_workspace(workspace_folder: &Path, folders: &[String]) -> Result<()> {
    let root: Table = fs::read_to_string(place::repository_root().join("Cargo.toml"))?.parse()?;
    let archives =
        folders.iter().map(|folder| name_and_version(folder)).collect::<Result<Vec<_>>>()?;
    let [guest, ..] = THIRD_PARTY_CRATE;
    let from = place::repository_root().join(guest);
    for file in ["Cargo.toml", "src", "tests"] {
        copy(&from.join(file), &workspace_folder.join("guest").join(file))?;
    }
    let its = fs::read_to_string(from.join("Cargo.toml"))?.parse()?;
    fs::write(workspace_folder.join("guest/Cargo.toml"), third_party_manifest(its)?.to_string())?;
    fs::write(
        workspace_folder.join("Cargo.toml"),
        workspace_manifest(&archives, root).to_string(),
    )?;
    fs::copy(place::repository_root().join("Cargo.lock"), workspace_folder.join("Cargo.lock"))?;
    Ok(())
}

/// Copies a file, or a folder with all its contents.
fn copy(from: &Path, to: &Path) -> Result<()> {
    if from.is_dir() {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    let folder = to.parent().context("a file without a folder")?;
    fs::create_dir_all(folder)?;
    fs::copy(from, to).with_context(|| from.display().to_string())?;
    Ok(())
}

/// Returns the manifest of the third-party crate, adapted for a workspace with the unpacked
/// packages: dependencies refer to versions instead of paths.
fn third_party_manifest(mut manifest: Table) -> Result<Table> {
    manifest.remove("workspace");
    let needs = manifest.get_mut("dependencies").and_then(Value::as_table_mut);
    for (_, need) in needs.context("the guest needs nothing")? {
        if let Some(need) = need.as_table_mut()
            && need.remove("path").is_some()
        {
            need.insert("version".to_owned(), "*".into());
        }
    }
    Ok(manifest)
}

/// Returns the manifest of a workspace that contains the unpacked packages and the third-party
/// crate. The profiles are those of the manifest `root`.
fn workspace_manifest(archives: &[(&str, &str)], mut root: Table) -> Table {
    let named = |name: &str, value: Value| (name.to_owned(), value);
    let folders = archives.iter().map(|(name, version)| (*name, format!("{name}-{version}")));
    let patches = folders
        .clone()
        .map(|(name, folder)| named(name, Table::from_iter([named("path", folder.into())]).into()));
    let members = folders.map(|(_, folder)| folder.into());
    let members = members.chain(["guest".into()]).collect();
    let workspace = [named("resolver", "3".into()), named("members", Value::Array(members))];
    let patch = [named("crates-io", patches.collect::<Table>().into())];
    let mut manifest = Table::from_iter([
        named("workspace", Table::from_iter(workspace).into()),
        named("patch", Table::from_iter(patch).into()),
    ]);
    manifest.extend(root.remove("profile").map(|profile| named("profile", profile)));
    manifest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unpacked_package_becomes_a_member_and_a_patch() {
        let archives = [("one", "0.1.0"), ("one-more", "2.0.0")];
        let root = "[workspace]\nmembers = ['a']\n[profile.dev]\nopt-level = 1".parse().unwrap();
        let expected: Table = "[workspace]\nresolver = '3'\nmembers = ['one-0.1.0', 'one-more-2.0.0', 'guest']\n\
             [patch.crates-io]\none.path = 'one-0.1.0'\none-more.path = 'one-more-2.0.0'\n[profile.dev]\nopt-level = 1"
            .parse()
            .unwrap();
        assert_eq!(workspace_manifest(&archives, root), expected);
    }

    #[test]
    fn the_third_party_crate_depends_on_package_versions() {
        let its =
            "[workspace]\n[dependencies]\na = { path = '../a', features = ['b'] }\nc = '1'".parse();
        let expected: Table =
            "[dependencies]\na = { version = '*', features = ['b'] }\nc = '1'".parse().unwrap();
        assert_eq!(third_party_manifest(its.unwrap()).unwrap(), expected);
    }
}
