//! Release archives of the program. For each target there is an archive with one statically linked
//! program and its licences; a file lists the checksums of all archives.

mod archive;
mod builder;
mod licences;
mod linkage;
mod target;
mod trial;

use crate::place;
use crate::process::{command_output, run_command};
use anyhow::{Context, Result, bail};
use archive::ArchiveEntry;
use builder::{Builder, PACKAGE};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use target::Target;

/// Version of all packages in the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Builds and tests the archives for the targets with the given names, and writes a file with the
/// checksums.
pub(crate) fn build(names: &[String]) -> Result<()> {
    let targets = Target::find_by_names(names)?;
    let builders: Vec<Builder> =
        targets.iter().map(|target| Builder::find(target)).collect::<Result<_>>()?;
    let time = modification_time()?;
    let folder = archive_folder();
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    for (target, builder) in targets.iter().zip(&builders) {
        let begun = Instant::now();
        eprintln!("building {} with {}", target.triple, builder.description());
        let program = builder.build()?;
        let packed = pack_program(target, &program, time)?;
        let path = folder.join(target.archive(VERSION));
        write_atomically(&path, &packed)?;
        let seconds = begun.elapsed().as_secs();
        println!("{}: {} bytes, built in {seconds} s", path.display(), packed.len());
        // Write checksums after each archive, so that they match the archives if a later target
        // fails.
        let sums = command_output(sha256sum_command(&folder).args(archive_names(&folder)?))?;
        write_atomically(&folder.join(SUMS), sums.as_bytes())?;
    }
    test_archives(&targets, &folder)
}

/// Name of the file that contains the checksums of all archives.
const SUMS: &str = "SHA256SUMS";

fn sha256sum_command(folder: &Path) -> Command {
    let mut command = Command::new("sha256sum");
    command.current_dir(folder);
    command
}

/// Returns the folder into which the archives are written. The folder also contains Cargo's output
/// for the profile `dist`.
fn archive_folder() -> PathBuf {
    place::target_folder().join("dist")
}

/// Packs a program and its accompanying files into an archive, and returns the bytes of the
/// archive. `time` is the modification time of the files (s since 1970).
fn pack_program(target: &Target, program: &Path, time: u64) -> Result<Vec<u8>> {
    let content = fs::read(program).with_context(|| program.display().to_string())?;
    linkage::check_imports(&content).with_context(|| program.display().to_string())?;
    let mut entries =
        vec![ArchiveEntry { name: target.program().to_owned(), content, program: true }];
    for name in trial::FILES {
        let content =
            fs::read(place::repository_root().join(name)).with_context(|| name.to_owned())?;
        entries.push(ArchiveEntry { name: name.to_owned(), content, program: false });
    }
    let content = licences::collect(PACKAGE, target)?.into_bytes();
    entries.push(ArchiveEntry { name: licences::FILE.to_owned(), content, program: false });
    archive::pack(&target.archive(VERSION), &target.folder(VERSION), entries, time)
}

/// Returns the modification time that the archived files get (s since 1970): the value of the
/// environment variable `SOURCE_DATE_EPOCH`, or else the time of the last commit.
fn modification_time() -> Result<u64> {
    if let Ok(given) = std::env::var("SOURCE_DATE_EPOCH") {
        let expected = "expected seconds since 1970";
        return given
            .parse()
            .with_context(|| format!("SOURCE_DATE_EPOCH is {given:?}, {expected}"));
    }
    let mut git = Command::new("git");
    git.current_dir(place::repository_root()).args(["log", "-1", "--format=%ct"]);
    let said = command_output(&mut git)
        .context("the time of the last commit; or set SOURCE_DATE_EPOCH")?;
    said.trim().parse().context("the time of the last commit")
}

/// Writes a file atomically: writes a temporary file and renames it.
fn write_atomically(path: &Path, content: &[u8]) -> Result<()> {
    let part = path.with_added_extension("part");
    fs::write(&part, content).with_context(|| part.display().to_string())?;
    fs::rename(&part, path).with_context(|| path.display().to_string())
}

/// Returns the file names of all archives of the current version in a folder.
fn archive_names(folder: &Path) -> Result<Vec<String>> {
    let known: Vec<String> = target::TARGETS.iter().map(|target| target.archive(VERSION)).collect();
    let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().into_string()));
    let names: Vec<_> = names.collect::<Result<_>>()?;
    let mut names: Vec<_> = names.into_iter().flatten().filter(|n| known.contains(n)).collect();
    names.sort();
    Ok(names)
}

/// Verifies the checksums of the archives in `folder`, and runs the program in each archive.
fn test_archives(targets: &[&Target], folder: &Path) -> Result<()> {
    run_command(sha256sum_command(folder).args(["--check", "--quiet", SUMS]))?;
    let mut hashes = BTreeSet::new();
    for target in targets {
        hashes.extend(trial::run(target, &folder.join(target.archive(VERSION)), VERSION)?);
    }
    if hashes.len() > 1 {
        bail!("programs reach different states: {hashes:?}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_archives_of_this_version_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let archive = target::TARGETS[1].archive(VERSION);
        let old = target::TARGETS[1].archive("0.0.1");
        for name in [&archive, &old, &format!("{archive}.part"), "SHA256SUMS"] {
            write_atomically(&folder.path().join(name), b"x").unwrap();
        }
        assert_eq!(archive_names(folder.path()).unwrap(), [archive]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
    }
}
