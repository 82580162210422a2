//! What of the libraries' interfaces has changed since another revision, as `cargo-semver-checks` sees it.

use crate::place;
use crate::process::{cargo, find, printed, run};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::process::Command;

/// Compares the libraries that are published with those of a revision; of the last tag if none is named.
pub(crate) fn check(revision: Option<&str>) -> Result<()> {
    let program = "cargo-semver-checks";
    find(&[program])
        .with_context(|| format!("there is no {program}: `cargo install --locked {program}`"))?;
    let revision = match revision {
        Some(revision) => revision.to_owned(),
        None => tag()?,
    };
    let commit = format!("{revision}^{{commit}}");
    let found = printed(&mut git(&["rev-parse", "--quiet", "--verify", &commit]));
    let Ok(commit) = found else { bail!("there is no revision {revision:?}") };
    // By its hash: the program keeps what it has checked out by the name that it was given.
    let commit = commit.trim_end();
    let mut metadata = cargo();
    metadata.args(["metadata", "--locked", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&printed(&mut metadata)?)?;
    let mut command = cargo();
    command.args(["semver-checks", "--baseline-rev", commit]);
    for library in libraries(&metadata) {
        command.args(["--package", library]);
    }
    run(&mut command)
}

/// The last tag before the state that is checked out.
fn tag() -> Result<String> {
    let mut describe = git(&["describe", "--tags", "--abbrev=0"]);
    let tag = printed(&mut describe).context("there is no tag yet; name a revision")?;
    Ok(tag.trim_end().to_owned())
}

fn git(words: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.current_dir(place::root()).args(words);
    command
}

/// The packages that are published and have a library, of `cargo metadata`.
fn libraries(metadata: &Value) -> Vec<&str> {
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_library = |target: &Value| {
        target["kind"].as_array().is_some_and(|kinds| kinds.contains(&"lib".into()))
    };
    let published = packages.iter().filter(|package| package["publish"].is_null());
    let with_library = published.filter(|package| {
        package["targets"].as_array().is_some_and(|targets| targets.iter().any(is_library))
    });
    with_library.filter_map(|package| package["name"].as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn libraries_are_what_is_published_and_no_program() {
        let package = |name: &str, publish: Value, kind: &str| json!({"name": name, "publish": publish, "targets": [{"kind": ["test"]}, {"kind": [kind]}]});
        let metadata = json!({"packages": [
            package("library", Value::Null, "lib"),
            package("program", Value::Null, "bin"),
            package("task", json!([]), "lib"),
        ]});
        assert_eq!(libraries(&metadata), ["library"]);
    }
}
