//! A package without code that depends on all that the workspace here depends on, so that crates of others get the same
//! features in a workspace of archives as they get here, and what was built here once is not built again.

use crate::place;
use crate::process::{cargo, printed};
use anyhow::{Context, Result};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use toml::{Table, Value};

/// What one crate is asked for, by all who ask for it in the same way.
#[derive(Default)]
struct Wish {
    features: Vec<Value>,
    default_features: bool,
}

/// What Cargo tells of the workspace's members.
///
/// # Errors
/// If it tells nothing.
pub(super) fn metadata() -> Result<Json> {
    let mut command = cargo();
    command.current_dir(place::root());
    command.args(["metadata", "--no-deps", "--format-version", "1"]);
    Ok(serde_json::from_str(&printed(&mut command)?)?)
}

/// The manifest of a stand-in of this name for all members that Cargo `told` of but `apart`. Of `archives`, which are members
/// there themselves, it takes what only their tests need.
///
/// # Errors
/// If what Cargo told is nothing of the kind.
pub(super) fn manifest(
    named: &str,
    told: &Json,
    archives: &[&str],
    apart: &[&str],
) -> Result<Table> {
    // By where they are asked for (a target or all, to be built with or to build with), then by name and version.
    let mut wishes = BTreeMap::<_, Wish>::new();
    for package in told["packages"].as_array().context("Cargo tells no packages")? {
        let name = package["name"].as_str().context("a package without a name")?;
        if apart.contains(&name) {
            continue;
        }
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let text = |key: &str| dependency[key].as_str();
            let crate_name = text("name").context("a dependency without a name")?;
            let ours = !dependency["path"].is_null();
            let there_anyway = archives.contains(&name) && text("kind") != Some("dev");
            // What is optional is asked for by features of the archives.
            if there_anyway
                || dependency["optional"] == true
                || ours && !archives.contains(&crate_name)
            {
                continue;
            }
            let table = match text("kind") {
                Some("build") => "build-dependencies",
                _ => "dependencies",
            };
            let version = if ours { "*" } else { text("req").unwrap_or("*") };
            let wish = wishes.entry((text("target"), table, crate_name, version)).or_default();
            wish.default_features |= dependency["uses_default_features"] == true;
            let features = dependency["features"].as_array().into_iter().flatten();
            wish.features.extend(features.filter_map(|name| Some(name.as_str()?.into())));
        }
    }
    let mut manifest = Table::from_iter([(
        "package".to_owned(),
        Table::from_iter([
            ("name".to_owned(), named.into()),
            ("version".to_owned(), "0.0.0".into()),
            ("edition".to_owned(), "2024".into()),
        ])
        .into(),
    )]);
    for ((target, table, name, version), wish) in wishes {
        let of_target = match target {
            Some(target) => below(below(&mut manifest, "target")?, target)?,
            None => &mut manifest,
        };
        // Two versions of a crate are two names.
        let letters = version.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
        let asked = Table::from_iter([
            ("package".to_owned(), name.into()),
            ("version".to_owned(), version.into()),
            ("default-features".to_owned(), wish.default_features.into()),
            ("features".to_owned(), Value::Array(wish.features)),
        ]);
        below(of_target, table)?.insert(format!("{name}-{letters}"), asked.into());
    }
    Ok(manifest)
}

/// The table `key` of `table`, which is made if there is none.
fn below<'a>(table: &'a mut Table, key: &str) -> Result<&'a mut Table> {
    let entry = table.entry(key).or_insert_with(|| Table::new().into());
    entry.as_table_mut().with_context(|| format!("{key} is no table"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn it_asks_for_what_the_archives_lack() {
        let ask = |name: &str, kind: Option<&str>, features: &[&str]| {
            json!({ "name": name, "req": "^1.2", "kind": kind, "features": features, "optional": false,
                "uses_default_features": false, "target": null, "path": null })
        };
        let mut ours = ask("packed", None, &["fast"]);
        ours["path"] = "crates/packed".into();
        let mut windows = ask("window", None, &[]);
        windows["target"] = "cfg(windows)".into();
        windows["uses_default_features"] = true.into();
        let mut rare = ask("rare", None, &[]);
        rare["optional"] = true.into();
        let told = json!({ "packages": [
            { "name": "packed", "dependencies": [ask("there", None, &[]), ask("of-tests", Some("dev"), &["a"])] },
            { "name": "tool", "dependencies": [ours, windows, rare, ask("of-tests", None, &["b"])] },
            { "name": "apart", "dependencies": [ask("engine", None, &[])] },
        ] });
        let made = manifest("stand-in", &told, &["packed"], &["apart"]).unwrap();
        let expected: Table = "[package]\nname = 'stand-in'\nversion = '0.0.0'\nedition = '2024'\n\
             [dependencies]\n\
             of-tests-12 = { package = 'of-tests', version = '^1.2', default-features = false, features = ['a', 'b'] }\n\
             packed- = { package = 'packed', version = '*', default-features = false, features = ['fast'] }\n\
             [target.'cfg(windows)'.dependencies]\n\
             window-12 = { package = 'window', version = '^1.2', default-features = true, features = [] }"
            .parse()
            .unwrap();
        assert_eq!(made, expected);
    }
}
