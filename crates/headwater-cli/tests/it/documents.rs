//! The documents tell the truth: paths that they name exist, and scenes that they show can be read.

use headwater_scene::scene;
use std::path::Path;

pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// What stands between single backticks.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_path_in_the_architecture_exists() {
    let text = read("ARCHITECTURE.md");
    let paths: Vec<&str> = code(&text).filter(|code| code.contains('/')).collect();
    assert!(paths.len() > 20, "{paths:?}");
    for path in paths {
        assert!(root().join(path).exists(), "ARCHITECTURE.md names {path}");
    }
}

#[test]
fn every_source_folder_is_in_the_architecture() {
    let text = read("ARCHITECTURE.md");
    for crate_folder in std::fs::read_dir(root().join("crates")).unwrap() {
        let source = crate_folder.unwrap().path().join("src");
        for entry in std::fs::read_dir(source).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                let relative = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
                assert!(text.contains(&relative), "ARCHITECTURE.md does not name {relative}");
            }
        }
    }
}

#[test]
fn links_in_the_documents_lead_somewhere() {
    let documents = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "docs/blocks.md",
        "docs/columns.md",
        "docs/gpu.md",
        "docs/hydrology.md",
        "docs/physics.md",
        "docs/web.md",
        "docs/waves.md",
    ];
    for document in documents {
        let text = read(document);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let elsewhere = link.contains("://");
            assert!(
                elsewhere || root().join(document).with_file_name(link).exists(),
                "{document} links to {link}"
            );
        }
    }
}

#[test]
fn the_scenes_in_the_documents_are_good_ones() {
    for document in ["README.md", "docs/blocks.md", "docs/columns.md", "docs/waves.md"] {
        let text = read(document);
        let scene = text.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
        let scene = scene::parse(document, scene, &[]).unwrap();
        headwater_scene::run::simulation(&scene).unwrap();
    }
}
