//! Collection of the licences of all components that are linked into the program: crates and the
//! runtime libraries of the compiler.

use super::target::{OperatingSystem, Target};
use crate::process::{cargo_command, command_output};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Name of the file in the archive that contains the licences.
pub(crate) const FILE: &str = "LICENSES-THIRD-PARTY";

/// Prefixes of the names of licence files, in lower case letters.
const NAMES: [&str; 8] =
    ["licence", "license", "copying", "copyright", "notice", "unlicense", "ofl", "ufl"];

/// Licence texts of the C runtime libraries: musl and MinGW-w64.
const NOTICES: [&str; 2] =
    [include_str!("notices/musl.txt"), include_str!("notices/mingw-w64.txt")];

/// Software component that is linked into the program, with its licence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LicensedComponent {
    name: String,
    version: String,
    /// Licence of the component as an SPDX expression, such as `MIT OR Apache-2.0`.
    licence: String,
    /// Contents of the component's licence files, in the order of the file names.
    texts: Vec<String>,
}

/// Returns the contents of the licence file for the program of a target. `package` is the Cargo
/// package of the program.
pub(crate) fn collect(package: &str, target: &Target) -> Result<String> {
    let call = |words: &[&str]| {
        let mut command = cargo_command();
        command_output(command.args(words))
    };
    let triple = target.triple;
    let tree = call(&[
        "tree",
        "--locked",
        "--package",
        package,
        "--target",
        triple,
        "--edges",
        "normal,no-proc-macro",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ])?;
    let metadata =
        call(&["metadata", "--locked", "--format-version", "1", "--filter-platform", triple])?;
    let mut parts = crate_components(&linked_crates(&tree), &serde_json::from_str(&metadata)?)?;
    parts.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    parts.extend(runtime_components(target.system));
    Ok(format_licences(&parts))
}

/// Returns the name and version of each crate listed in the output of `cargo tree`, without
/// duplicates.
fn linked_crates(tree: &str) -> HashSet<(&str, &str)> {
    let words = tree.lines().filter_map(|line| line.split_once(" v"));
    words.map(|(name, rest)| (name, rest.split(' ').next().unwrap_or(rest))).collect()
}

/// Returns the linked crates that do not belong to the workspace, with their licences as stated by
/// `cargo metadata` and the contents of their licence files.
fn crate_components(
    linked: &HashSet<(&str, &str)>,
    metadata: &Value,
) -> Result<Vec<LicensedComponent>> {
    let packages = metadata["packages"].as_array().context("`cargo metadata` names no packages")?;
    let mut parts = Vec::new();
    for package in packages.iter().filter(|package| !package["source"].is_null()) {
        let word = |key: &str| package[key].as_str().unwrap_or_default();
        let (name, version) = (word("name"), word("version"));
        if !linked.contains(&(name, version)) {
            continue;
        }
        let folder = Path::new(word("manifest_path")).parent().unwrap_or(Path::new(""));
        let texts = licence_texts(folder, package["license_file"].as_str())?;
        let licence = match word("license") {
            "" if texts.is_empty() => bail!("{name} {version} does not state its licence"),
            "" => "see below",
            // Older manifests separate alternatives by a slash.
            licence => &licence.replace('/', " OR "),
        };
        let (name, version) = (name.to_owned(), version.to_owned());
        parts.push(LicensedComponent { name, version, licence: licence.to_owned(), texts });
    }
    Ok(parts)
}

/// Returns the contents of the licence files in a package's folder, or in its subfolders if the
/// folder itself contains none. `manifest_licence` is a further licence file that the manifest
/// names.
fn licence_texts(folder: &Path, manifest_licence: Option<&str>) -> Result<Vec<String>> {
    let mut files = Vec::new();
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        if entry.file_type()?.is_dir() {
            folders.push(entry.path());
        } else if is_licence(&name)
            || manifest_licence.is_some_and(|named| entry.file_name() == *named)
        {
            files.push(entry.path());
        }
    }
    files.sort();
    let mut texts = Vec::new();
    for file in &files {
        let content = fs::read(file).with_context(|| file.display().to_string())?;
        texts.push(String::from_utf8_lossy(&content).replace("\r\n", "\n").trim_end().to_owned());
    }
    if texts.is_empty() {
        folders.sort();
        for folder in folders {
            texts.extend(self::licence_texts(&folder, None)?);
        }
    }
    Ok(texts)
}

/// Returns whether a file name, given in lower case letters, is that of a licence file.
fn is_licence(name: &str) -> bool {
    let source = [".rs", ".toml", ".json"].iter().any(|ending| name.ends_with(ending));
    !source && (NAMES.iter().any(|begin| name.starts_with(begin)) || name.ends_with("license.txt"))
}

/// Returns the runtime libraries that the compiler links into programs for an operating system, as
/// components.
fn runtime_components(system: OperatingSystem) -> Vec<LicensedComponent> {
    let part = |name: &str, licence: &str, texts: Vec<String>| LicensedComponent {
        name: name.to_owned(),
        version: String::new(),
        licence: licence.to_owned(),
        texts,
    };
    let rust =
        "MIT OR Apache-2.0, and the licences of its crates, all of which permit one of these";
    let library = part("Rust's standard library", rust, Vec::new());
    let [musl, mingw] = NOTICES.map(|notice| vec![notice.trim_end().to_owned()]);
    let system = match system {
        OperatingSystem::Linux => [
            part("musl, the C library", "MIT", musl),
            part("LLVM's compiler-rt and libunwind", "Apache-2.0 WITH LLVM-exception", Vec::new()),
        ],
        OperatingSystem::Windows => [
            part("the runtime of MinGW-w64", "ZPL-2.1", mingw),
            part("libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1", Vec::new()),
        ],
    };
    std::iter::once(library).chain(system).collect()
}

/// Formats the contents of the licence file: a list of the components, followed by each distinct
/// licence text with the names of the components that share it.
fn format_licences(parts: &[LicensedComponent]) -> String {
    let mut text = "The program `headwater` is free under the MIT License or the Apache License, Version 2.0 \
                    (LICENSE-MIT, LICENSE-APACHE).\nWhat follows is linked into it; of licences joined by OR, the \
                    first one that is here in full is taken.\n\n"
        .to_owned();
    let mut texts: BTreeMap<usize, (&str, Vec<String>)> = BTreeMap::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for part in parts {
        let name = format!("{} {}", part.name, part.version).trim_end().to_owned();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "- {name}: {}", part.licence);
        for content in &part.texts {
            let next = known.len();
            let number = *known.entry(content).or_insert(next);
            texts.entry(number).or_insert((content, Vec::new())).1.push(name.clone());
        }
    }
    for (content, names) in texts.into_values() {
        let line = "=".repeat(78);
        let _ = write!(text, "\n{line}\n{}\n{line}\n\n{content}\n", names.join("\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn part(name: &str, texts: &[&str]) -> LicensedComponent {
        LicensedComponent {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            licence: "MIT OR Apache-2.0".to_owned(),
            texts: texts.iter().map(|&text| text.to_owned()).collect(),
        }
    }

    #[test]
    fn a_shared_text_is_listed_once() {
        let text = format_licences(&[part("a", &["Apache", "MIT of a"]), part("b", &["Apache"])]);
        assert!(text.contains("- a 1.0.0: MIT OR Apache-2.0\n- b 1.0.0: MIT OR Apache-2.0\n"));
        let after: Vec<&str> = text.split(&"=".repeat(78)).collect();
        assert_eq!(
            after[1..],
            ["\na 1.0.0\nb 1.0.0\n", "\n\nApache\n\n", "\na 1.0.0\n", "\n\nMIT of a\n"]
        );
    }

    #[test]
    fn linked_crates_are_read_from_the_output_of_cargo_tree() {
        let tree =
            "headwater v0.1.0 (/a b/c)\nlibm v0.2.16\nlibm v0.2.16 (*)\ntoml v1.2.1+spec-1.1.0\n\n";
        let expected = [("headwater", "0.1.0"), ("libm", "0.2.16"), ("toml", "1.2.1+spec-1.1.0")];
        assert_eq!(linked_crates(tree), HashSet::from(expected));
    }

    #[test]
    fn linked_crates_are_listed_with_their_licence_files() {
        let folder = tempfile::tempdir().unwrap();
        let package = |name: &str, source: Value, licence: Value| {
            let at = folder.path().join(name);
            fs::create_dir_all(at.join("fonts")).unwrap();
            json!({"name": name, "version": "1.0.0", "source": source, "license": licence,
                   "license_file": null, "manifest_path": at.join("Cargo.toml")})
        };
        let registry = json!("registry");
        let metadata = json!({"packages": [
            package("linked", registry.clone(), json!("MIT/Apache-2.0")),
            package("fonts", registry.clone(), json!("OFL-1.1")),
            package("own", Value::Null, json!("MIT")),
            package("not-linked", registry.clone(), json!("MIT")),
        ]});
        let write = |path: &str, text: &str| fs::write(folder.path().join(path), text).unwrap();
        write("linked/LICENSE-MIT", "MIT\r\n\r\n");
        write("linked/LICENSE-APACHE", "Apache\n");
        write("linked/license.rs", "fn main() {}\n");
        write("linked/fonts/LICENSE", "not looked for\n");
        write("fonts/fonts/OFL.txt", "OFL\n");
        write("fonts/fonts/README.txt", "no licence\n");
        let names = HashSet::from([("linked", "1.0.0"), ("fonts", "1.0.0"), ("own", "1.0.0")]);
        let found = crate_components(&names, &metadata).unwrap();
        let fonts = LicensedComponent { licence: "OFL-1.1".to_owned(), ..part("fonts", &["OFL"]) };
        assert_eq!(found, [part("linked", &["Apache", "MIT"]), fonts]);

        let silent = json!({"packages": [package("silent", registry, Value::Null)]});
        let said = crate_components(&HashSet::from([("silent", "1.0.0")]), &silent)
            .unwrap_err()
            .to_string();
        assert_eq!(said, "silent 1.0.0 does not state its licence");
    }
}
