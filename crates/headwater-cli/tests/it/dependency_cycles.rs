//! Tests that the files of a crate do not depend on each other in cycles, so that a reader of one
//! file does not need all others.
//!
//! A file depends on every file that defines a name used in it, even if the name is re-exported. A
//! `mod.rs` does not depend on children that it only declares or re-exports. Test code is ignored.
//! The parser expects rustfmt's layout: items start at the left margin, and paths contain no
//! spaces.

use crate::documents::repository_root;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Name that a file imports: its path, its local name, and whether the file re-exports the name.
struct Import {
    path: Vec<String>,
    name: String,
    public: bool,
}

/// Contents of one file, which is one module.
struct Module {
    file: String,
    defines: BTreeSet<String>,
    imports: Vec<Import>,
    /// Identifiers and paths that occur in the code of the file.
    code: BTreeSet<String>,
}

/// Modules of a crate by module path.
type Modules = BTreeMap<Vec<String>, Module>;

/// For each file, the names of the files that it depends on.
type Dependencies = BTreeMap<String, BTreeSet<String>>;

/// Item to which a path resolves: a module, or a name that a file defines.
enum ResolvedItem {
    Module(Vec<String>),
    File(String),
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn path_segments(path: &str) -> Vec<String> {
    path.split("::").map(str::to_owned).collect()
}

/// Returns the paths in a `use` tree. For a renamed import, the path is followed by `as` and the
/// new name.
fn expand_use_tree(tree: &str) -> Vec<String> {
    let Some((before, inside)) = tree.split_once('{') else { return vec![tree.trim().into()] };
    let inside = inside.trim_end().strip_suffix('}').unwrap();
    let (mut depth, mut branches) = (0, vec![String::new()]);
    for c in inside.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            ',' if depth == 0 => branches.push(String::new()),
            c => branches.last_mut().unwrap().push(c),
        }
    }
    let branches = branches.iter().filter(|branch| !branch.trim().is_empty());
    let full = |leaf: String| format!("{}{leaf}", before.trim());
    branches.flat_map(|branch| expand_use_tree(branch)).map(full).collect()
}

fn parse_import(leaf: &str, public: bool) -> Import {
    let (path, name) = leaf.split_once(" as ").unwrap_or((leaf, ""));
    let path = path_segments(path.strip_suffix("::self").unwrap_or(path));
    let name = if name.is_empty() { path.last().unwrap() } else { name };
    Import { name: name.into(), path, public }
}

/// Parses the source of a file, which is one module.
fn parse_module(file: String, text: &str) -> Module {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let lines = text.lines().map(|line| line.split("//").next().unwrap());
    let (mut defines, mut imports, mut code) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
    let mut open: Option<String> = None;
    for line in lines {
        let statement = line.trim_start();
        let tree = ["use ", "pub use ", "pub(crate) use ", "pub(super) use "];
        if open.is_none() && tree.iter().any(|start| statement.starts_with(start)) {
            open = Some(String::new());
        }
        if let Some(statement) = &mut open {
            *statement += line;
            if line.ends_with(';') {
                let (start, tree) = statement.trim_end_matches(';').split_once("use ").unwrap();
                let public = start.contains("pub");
                imports.extend(expand_use_tree(tree).iter().map(|leaf| parse_import(leaf, public)));
                open = None;
            }
            continue;
        }
        let kinds = ["fn", "struct", "enum", "trait", "type", "const", "static", "macro_rules"];
        let mut words = line.split(|c| !is_word(c)).filter(|word| !word.is_empty());
        if line.starts_with(is_word) && words.by_ref().any(|word| kinds.contains(&word)) {
            // In `const fn name`, take the name.
            defines.extend(words.find(|word| *word != "fn").map(str::to_owned));
        }
        let paths = line.split(|c| !is_word(c) && c != ':').map(|path| path.trim_end_matches(':'));
        code.extend(paths.map(str::to_owned));
    }
    Module { file, defines, imports, code }
}

/// Parses all modules in a folder and its subfolders, and adds them to `into`. `module_path` is the
/// module path of the folder.
fn read_modules(folder: &Path, source: &Path, module_path: &[String], into: &mut Modules) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut name = module_path.to_vec();
        // Next to a library, `main.rs` is a separate crate.
        if stem == "main" && path.with_file_name("lib.rs").exists() {
            continue;
        }
        if !["mod", "lib", "main"].contains(&stem.as_str()) {
            name.push(stem);
        }
        if path.is_dir() {
            read_modules(&path, source, &name, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let file = path.strip_prefix(source).unwrap().to_string_lossy().into_owned();
            into.insert(name, parse_module(file, &std::fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Finds the item that the name `name` denotes in the module with the path `at`. Follows at most
/// `max_depth` imports. Returns `None` if there is no such item.
fn find_item(
    modules: &Modules,
    at: &[String],
    name: &str,
    max_depth: usize,
) -> Option<ResolvedItem> {
    let child = [at, &[name.to_owned()]].concat();
    let module = modules.get(at)?;
    if modules.contains_key(&child) {
        return Some(ResolvedItem::Module(child));
    } else if module.defines.contains(name) {
        return Some(ResolvedItem::File(module.file.clone()));
    }
    let max_depth = max_depth.checked_sub(1)?;
    module.imports.iter().find_map(|import| match import.path.split_last()? {
        (last, path) if last == "*" => match resolve(modules, at, path, max_depth)? {
            ResolvedItem::Module(other) if other != at => {
                find_item(modules, &other, name, max_depth)
            }
            _ => None,
        },
        _ if import.name == name => resolve(modules, at, &import.path, max_depth),
        _ => None,
    })
}

/// Resolves a path that is used in the module `at`. Returns `None` if the path leads outside the
/// crate. Names without a visible definition come from macros; they are attributed to the last
/// module on the path.
fn resolve(
    modules: &Modules,
    at: &[String],
    path: &[String],
    max_depth: usize,
) -> Option<ResolvedItem> {
    let mut here = at.to_vec();
    for (i, part) in path.iter().enumerate() {
        match part.as_str() {
            "self" => {}
            "crate" => here.clear(),
            "super" => drop(here.pop()?),
            name => match find_item(modules, &here, name, max_depth) {
                Some(ResolvedItem::Module(module)) => here = module,
                None if i > 0 => return Some(ResolvedItem::File(modules.get(&here)?.file.clone())),
                other => return other,
            },
        }
    }
    Some(ResolvedItem::Module(here))
}

fn dependencies(modules: &Modules) -> Dependencies {
    let of = |(at, module): (&Vec<String>, &Module)| {
        let lead = |path: &[String]| resolve(modules, at, path, 6);
        let paths = module.code.iter().filter(|path| path.contains("::"));
        let mut targets: Vec<ResolvedItem> =
            paths.filter_map(|path| lead(&path_segments(path))).collect();
        for import in &module.imports {
            if let Some((_, path)) = import.path.split_last().filter(|(last, _)| *last == "*") {
                let Some(ResolvedItem::Module(other)) = lead(path) else { continue };
                let words = module.code.iter().map(|path| path.split("::").next().unwrap());
                targets.extend(words.filter_map(|word| find_item(modules, &other, word, 6)));
            } else if !import.public || module.code.contains(&import.name) {
                targets.extend(lead(&import.path));
            }
        }
        let file = |target| if let ResolvedItem::File(file) = target { Some(file) } else { None };
        let files = targets.into_iter().filter_map(file).filter(|file| *file != module.file);
        (module.file.clone(), files.collect())
    };
    modules.iter().map(of).collect()
}

/// Returns all direct and indirect dependencies of a file.
fn transitive_dependencies<'a>(dependencies: &'a Dependencies, file: &'a str) -> BTreeSet<&'a str> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![file]);
    while let Some(next) = open.pop() {
        open.extend(
            dependencies[next].iter().filter(|to| reached.insert(to.as_str())).map(String::as_str),
        );
    }
    reached
}

/// Returns the dependency cycles. Each cycle is a string with the names of its files, separated by
/// spaces.
fn dependency_cycles(dependencies: &Dependencies) -> BTreeSet<String> {
    let reached: BTreeMap<&str, _> = dependencies
        .keys()
        .map(|file| (file.as_str(), transitive_dependencies(dependencies, file)))
        .collect();
    let circle = |file: &&str| -> Option<String> {
        let circle = reached[file].iter().filter(|other| reached[**other].contains(file));
        let circle: Vec<&str> = circle.copied().collect();
        (circle.len() > 1).then(|| circle.join(" "))
    };
    reached.keys().filter_map(circle).collect()
}

#[test]
fn no_crate_has_cyclic_file_dependencies() {
    let crates = std::fs::read_dir(repository_root().join("crates")).unwrap();
    let mut folders: Vec<_> = crates.map(|entry| entry.unwrap().path()).collect();
    folders.push(repository_root().join("xtask"));
    let mut found = Vec::new();
    for folder in folders {
        let (name, source) = (folder.file_name().unwrap().to_string_lossy(), folder.join("src"));
        let mut modules = Modules::new();
        read_modules(&source, &source, &[], &mut modules);
        found.extend(
            dependency_cycles(&dependencies(&modules))
                .iter()
                .map(|circle| format!("{name}: {circle}")),
        );
    }
    assert!(found.is_empty(), "cyclic dependencies between files:\n{}", found.join("\n"));
}

#[test]
fn declarations_are_not_dependencies() {
    let of = |parent: &str, one: &str, other: &str| {
        let texts = [("", parent), ("one", one), ("other", other)];
        let modules = texts.map(|(name, text)| {
            let at = if name.is_empty() { vec![] } else { vec![name.to_owned()] };
            (at, parse_module(format!("{name}.rs"), text))
        });
        dependency_cycles(&dependencies(&modules.into_iter().collect()))
            .into_iter()
            .collect::<Vec<_>>()
    };
    let none: [String; 0] = [];
    let declares =
        "mod one;\nmod other;\npub use one::One;\nuse other::{self, Other as Another};\n";
    let (one, other) = ("use super::Another;\npub struct One;\n", "pub(crate) struct Other;\n");
    assert_eq!(of(declares, one, other), none);
    assert_eq!(of(declares, one, "fn f(_: super::One) {}\nstruct Other;\n"), ["one.rs other.rs"]);
    assert_eq!(
        of(
            "mod one;\npub fn f() {}\nfn g() { one::h() }\n",
            "use super::*;\npub fn h() { f() }\n",
            ""
        ),
        [".rs one.rs"]
    );
    assert_eq!(
        of(
            "pub fn f() {}\n",
            "#[cfg(test)]\nmod tests {\n    use super::super::f;\n}\n",
            "// super::f\n"
        ),
        none
    );
}
