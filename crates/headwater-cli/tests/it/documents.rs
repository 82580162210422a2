//! Tests of the documentation: paths in the documents exist, and scenes can be parsed.

use headwater_scene::scene;
use std::path::{Path, PathBuf};

pub(crate) fn repository_root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn read_document(name: &str) -> String {
    std::fs::read_to_string(repository_root().join(name)).unwrap()
}

/// Returns the parts of a document that are enclosed in single backticks.
fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Returns the sections of the architecture document, each with the folder that its heading names.
fn sections(text: &str) -> impl Iterator<Item = (PathBuf, &str)> {
    text.split("\n## ").map(|part| {
        let named = part.lines().next().unwrap().trim_matches('`');
        let folder = if named.contains('/') {
            repository_root().join(named)
        } else {
            repository_root().into()
        };
        (folder, part)
    })
}

#[test]
fn every_path_in_the_architecture_exists() {
    let text = read_document("ARCHITECTURE.md");
    let mut paths = 0;
    for (folder, part) in sections(&text) {
        let named = code_spans(part).filter(|code| code.contains('/') || code.ends_with(".rs"));
        for path in named.filter(|path| !path.contains(' ')) {
            let there = folder.join(path).exists() || repository_root().join(path).exists();
            // Names of the files that every model's folder contains.
            let in_a_model =
                ["flow", "hydrology"].iter().any(|one| folder.join(one).join(path).exists());
            assert!(there || in_a_model, "ARCHITECTURE.md names {path}");
            paths += 1;
        }
    }
    assert!(paths > 40, "{paths}");
}

#[test]
fn every_source_folder_is_in_the_architecture() {
    let text = read_document("ARCHITECTURE.md");
    for crate_folder in std::fs::read_dir(repository_root().join("crates")).unwrap() {
        let source = crate_folder.unwrap().path().join("src");
        let part = sections(&text).find(|(folder, _)| *folder == source);
        let (_, part) = part.unwrap_or_else(|| panic!("ARCHITECTURE.md has no section {source:?}"));
        for entry in std::fs::read_dir(source).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                let folder = format!("{}/", path.file_name().unwrap().to_string_lossy());
                assert!(part.contains(&folder), "ARCHITECTURE.md does not name {path:?}");
            }
        }
    }
}

#[test]
fn links_in_the_documents_are_valid() {
    let mut documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        .map(PathBuf::from)
        .to_vec();
    for entry in std::fs::read_dir(repository_root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            documents.push(path.strip_prefix(repository_root()).unwrap().to_path_buf());
        }
    }
    assert!(documents.len() > 15, "{documents:?}");
    for document in documents {
        let text = std::fs::read_to_string(repository_root().join(&document)).unwrap();
        let document = document.display();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let path = repository_root().join(document.to_string());
            let path = if file.is_empty() { path } else { path.with_file_name(file) };
            assert!(path.exists(), "{document} links to {link}");
            let anchor = |line: &str| {
                let words = line.strip_prefix('#')?.trim_start_matches('#').trim().to_lowercase();
                let words = words.replace(' ', "-");
                Some(words.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect())
            };
            let text = if heading.is_empty() {
                String::new()
            } else {
                std::fs::read_to_string(path).unwrap()
            };
            let is_there = text.lines().filter_map(anchor).any(|found: String| found == heading);
            assert!(heading.is_empty() || is_there, "{document} links to {link}");
        }
    }
}

#[test]
fn the_scenes_in_the_documents_are_valid() {
    for document in ["README.md", "docs/blocks.md", "docs/columns.md", "docs/waves.md"] {
        let text = read_document(document);
        let scene = text.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
        let scene = scene::parse(document, scene, &[]).unwrap();
        headwater_scene::run::build_simulation(&scene).unwrap();
    }
}
