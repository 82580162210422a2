//! Tests that every language binding has all methods of the common interface (the facade), with the
//! same names.

use crate::documents::repository_root;
use std::path::Path;

fn read_sources(folder: &Path, suffix: &str) -> String {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let wanted = paths.iter().filter(|path| path.to_string_lossy().ends_with(suffix));
    wanted.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// Returns the identifiers in `text` that directly follow the string `prefix`.
fn identifiers_after<'a>(text: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    text.split(prefix)
        .skip(1)
        .map(move |rest| rest.split(|c| !is_name(c)).next().unwrap_or_default())
}

/// Returns the names of the public functions in the `impl` blocks of the facade (the common
/// interface of the bindings).
fn facade_functions() -> Vec<String> {
    let facade = read_sources(&repository_root().join("crates/headwater-scene/src/facade"), ".rs");
    let blocks = facade.split("\nimpl Facade {").skip(1);
    let inside = blocks.map(|rest| rest.split("\n}").next().unwrap());
    inside.flat_map(|block| identifiers_after(block, "    pub fn ")).map(str::to_owned).collect()
}

#[test]
fn every_binding_has_every_method_of_the_facade() {
    let calls = facade_functions();
    assert!(calls.len() > 40 && calls.contains(&"advance".to_owned()), "{calls:?}");
    let crates = repository_root().join("crates");
    let header = read_sources(&crates.join("headwater-c/include"), "headwater.h");
    let stubs = read_sources(&crates.join("headwater-python/python/headwater"), "_headwater.pyi");
    let module = read_sources(&crates.join("headwater-js/src"), ".rs");
    let bindings = [
        ("C", identifiers_after(&header, "HwStatus hw_").collect::<Vec<_>>()),
        ("Python", identifiers_after(&stubs, "def ").collect()),
        ("JavaScript", identifiers_after(&module, "pub fn ").collect()),
    ];
    for (language, has) in bindings {
        let missing: Vec<_> = calls.iter().filter(|call| !has.contains(&call.as_str())).collect();
        assert!(missing.is_empty(), "{language} has no {missing:?}");
    }
}
