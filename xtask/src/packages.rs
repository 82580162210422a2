//! The packages as they would be published: whether each is whole as it comes out of its archive, without the workspace
//! around it, and whether a crate of someone else can stand on them.

mod sources;

use crate::place;
use crate::process::{cargo, run};
use anyhow::{Context, Result, ensure};
use sources::Sources;
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// What is not published on crates.io: this, and what is handed out as libraries and packages of other languages.
const NOT_PUBLISHED: [&str; 6] =
    ["xtask", "headwater-c", "headwater-python", "headwater-js", "headwater-npm", "headwater-page"];

/// What is built by itself: it brings another wgpu, and features of what is shared would mix.
const APART: &str = "bevy_headwater";

/// A crate that sees what any other sees, its name, and its test, which is run on what comes out of the archives.
const GUEST: [&str; 3] = ["exercises/sixth-model", "sixth-model", "works"];

/// What comes out of the archives is built without optimising.
const PROFILE: [&str; 2] = ["profile.dev.opt-level=0", "profile.dev.package.headwater.opt-level=0"];

/// Packs all packages that are published, holds what the compiler has read of each against what its archive holds, and unpacks the
/// archives elsewhere, where a guest is built on them and tested. A package finds the others as it would find them on crates.io: by
/// their versions. `built`: what is published has been built already.
pub(crate) fn check(built: bool) -> Result<()> {
    if !built {
        let together = ["--workspace", "--exclude", "xtask", "--exclude", APART];
        for packages in [&together[..], &["--package", APART]] {
            let mut build = cargo();
            run(build.arg("build").args(packages))?;
        }
    }
    let archives = place::target().join("package");
    // Archives of other versions may lie there.
    if archives.exists() {
        fs::remove_dir_all(&archives).with_context(|| archives.display().to_string())?;
    }
    let mut pack = cargo();
    pack.args(["package", "--workspace", "--no-verify"]);
    for other in NOT_PUBLISHED {
        pack.args(["--exclude", other]);
    }
    run(&mut pack)?;
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
    ensure!(!names.is_empty(), "there is no archive in {}", archives.display());
    names.sort();
    let (sources, mut files) = (Sources::find()?, 0);
    for folder in &names {
        files += sources.are_packed(name_and_version(folder)?.0, &elsewhere.path().join(folder))?;
    }
    let [guest, its_name, its_test] = GUEST;
    furnish(elsewhere.path(), &names)?;
    let mut test = cargo();
    test.current_dir(elsewhere.path()).args(["test", "--package", its_name, "--test", its_test]);
    test.args(PROFILE.iter().flat_map(|line| ["--config", line]));
    // What other crates are is known there already.
    run(test.args(["--offline", "--target-dir"]).arg(place::target()))?;
    println!("{files} sources are packed in {}; {guest} stands on them", names.join(", "));
    Ok(())
}

fn name_and_version(folder: &str) -> Result<(&str, &str)> {
    folder.rsplit_once('-').with_context(|| format!("{folder} has no version"))
}

/// Makes a workspace around the packages `folders` that were unpacked in `elsewhere`, with the guest.
fn furnish(elsewhere: &Path, folders: &[String]) -> Result<()> {
    let root: Table = fs::read_to_string(place::root().join("Cargo.toml"))?.parse()?;
    let archives =
        folders.iter().map(|folder| name_and_version(folder)).collect::<Result<Vec<_>>>()?;
    let [guest, ..] = GUEST;
    let from = place::root().join(guest);
    for file in ["Cargo.toml", "src", "tests"] {
        copy(&from.join(file), &elsewhere.join("guest").join(file))?;
    }
    let its = fs::read_to_string(from.join("Cargo.toml"))?.parse()?;
    fs::write(elsewhere.join("guest/Cargo.toml"), as_guest(its)?.to_string())?;
    fs::write(elsewhere.join("Cargo.toml"), manifest(&archives, root).to_string())?;
    fs::copy(place::root().join("Cargo.lock"), elsewhere.join("Cargo.lock"))?;
    Ok(())
}

/// Copies a file, or a folder with all that is in it.
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

/// The manifest of a guest as it is where it finds Headwater by its version, in a workspace that is not its own.
fn as_guest(mut manifest: Table) -> Result<Table> {
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

/// The manifest of a workspace of unpacked packages, each in the folder of its name and version, and of the guest, with the
/// profiles of `root`.
fn manifest(archives: &[(&str, &str)], mut root: Table) -> Table {
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
    fn each_package_is_a_member_that_the_others_find() {
        let archives = [("one", "0.1.0"), ("one-more", "2.0.0")];
        let root = "[workspace]\nmembers = ['a']\n[profile.dev]\nopt-level = 1".parse().unwrap();
        let expected: Table = "[workspace]\nresolver = '3'\nmembers = ['one-0.1.0', 'one-more-2.0.0', 'guest']\n\
             [patch.crates-io]\none.path = 'one-0.1.0'\none-more.path = 'one-more-2.0.0'\n[profile.dev]\nopt-level = 1"
            .parse()
            .unwrap();
        assert_eq!(manifest(&archives, root), expected);
    }

    #[test]
    fn a_guest_asks_for_versions() {
        let its =
            "[workspace]\n[dependencies]\na = { path = '../a', features = ['b'] }\nc = '1'".parse();
        let expected: Table =
            "[dependencies]\na = { version = '*', features = ['b'] }\nc = '1'".parse().unwrap();
        assert_eq!(as_guest(its.unwrap()).unwrap(), expected);
    }
}
