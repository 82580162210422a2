//! The packages as they would be published: whether each is whole as it comes out of its archive, without the workspace
//! around it.

use crate::place;
use crate::process::run;
use anyhow::{Context, Result, ensure};
use std::process::Command;
use std::{env, fs};
use toml::{Table, Value};

/// What is not published on crates.io: this, and what is handed out as libraries and packages of other languages.
const NOT_PUBLISHED: [&str; 4] = ["xtask", "headwater-c", "headwater-python", "headwater-js"];

/// What is checked by itself, with its tests and features: it brings another wgpu, and features of what is shared would mix. They are
/// those of its lints, which look at all that it stands on anyway.
const APART: [&str; 2] = ["bevy_headwater", "test-in-window,gpu"];

/// Packs all packages that are published, unpacks the archives elsewhere, and checks what they hold, with `features` of those in the
/// workspace. A package finds the others as it would find them on crates.io: by their versions.
///
/// # Errors
/// If a package cannot be packed, or its archive lacks something that it needs.
pub(crate) fn check(features: &[String]) -> Result<()> {
    let archives = place::target().join("package");
    // Archives of other versions may lie there.
    if archives.exists() {
        fs::remove_dir_all(&archives).with_context(|| archives.display().to_string())?;
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut pack = Command::new(&cargo);
    pack.current_dir(place::root()).args(["package", "--workspace", "--no-verify"]);
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
    let root = fs::read_to_string(place::root().join("Cargo.toml"))?;
    let manifest = manifest(&names, root.parse()?)?;
    fs::write(elsewhere.path().join("Cargo.toml"), manifest.to_string())?;
    fs::copy(place::root().join("Cargo.lock"), elsewhere.path().join("Cargo.lock"))?;
    let [apart, its_features] = APART;
    let features = features.join(",");
    for what in [
        &["--workspace", "--exclude", apart, "--features", &features][..],
        &["--package", apart, "--all-targets", "--features", its_features],
    ] {
        let mut check = Command::new(&cargo);
        check.current_dir(elsewhere.path()).args(["check", "--offline"]).args(what);
        // What other crates are is known there already.
        run(check.arg("--target-dir").arg(place::target()))?;
    }
    println!("whole as they are packed: {}", names.join(", "));
    Ok(())
}

/// The manifest of a workspace of unpacked packages, each in the folder of its name and version, with the profiles of `root`.
fn manifest(names: &[String], mut root: Table) -> Result<Table> {
    let named = |name: &str, value: Value| (name.to_owned(), value);
    let mut patches = Table::new();
    for folder in names {
        let (name, _) =
            folder.rsplit_once('-').with_context(|| format!("{folder} has no version"))?;
        let path = Table::from_iter([named("path", folder.as_str().into())]);
        patches.insert(name.to_owned(), path.into());
    }
    let members = names.iter().map(|name| name.as_str().into()).collect();
    let workspace = [named("resolver", "3".into()), named("members", Value::Array(members))];
    let patch = [named("crates-io", patches.into())];
    let mut manifest = Table::from_iter([
        named("workspace", Table::from_iter(workspace).into()),
        named("patch", Table::from_iter(patch).into()),
    ]);
    manifest.extend(root.remove("profile").map(|profile| named("profile", profile)));
    Ok(manifest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_package_is_a_member_that_the_others_find() {
        let names = ["one-0.1.0", "one-more-2.0.0"].map(str::to_owned);
        let root = "[workspace]\nmembers = ['a']\n[profile.dev]\nopt-level = 1".parse().unwrap();
        let expected: Table = "[workspace]\nresolver = '3'\nmembers = ['one-0.1.0', 'one-more-2.0.0']\n\
             [patch.crates-io]\none.path = 'one-0.1.0'\none-more.path = 'one-more-2.0.0'\n[profile.dev]\nopt-level = 1"
            .parse()
            .unwrap();
        assert_eq!(manifest(&names, root).unwrap(), expected);
        assert!(manifest(&["nameless".to_owned()], Table::new()).is_err());
    }
}
