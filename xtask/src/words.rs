//! Checks of the language in comments and messages: line lengths, banned phrases, and the first
//! words of doc comments. The module also lists function names that are used with several meanings.

use crate::{place, process};
use anyhow::{Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

/// Maximum length of a line with a comment (columns).
const WIDTH: usize = 100;

/// Phrases that technical prose should avoid, in lower case letters. They are matched as whole
/// words.
const BANNED: [&str; 23] = [
    "as far as",
    "at home",
    "by itself",
    "for all that",
    "has heard",
    "heed",
    "heeds",
    "knows",
    "likewise",
    "nobody",
    "no more than that",
    "of whom",
    "reckon",
    "reckoned",
    "so many",
    "so much as",
    "tell",
    "tells",
    "that of which",
    "thereby",
    "told",
    "whichever",
    "whoever",
];

/// Words that introduce a clause. A doc comment should not start with one of them, but with a noun
/// phrase or a third-person verb.
const CLAUSES: [&str; 13] = [
    "As", "From", "How", "If", "Than", "That", "What", "When", "Where", "Whether", "Which", "Who",
    "Whose",
];

/// Function names that have the same meaning in all modules by convention.
const CONVENTIONAL: [&str; 40] = [
    "add",
    "advance",
    "apply",
    "build",
    "cell",
    "cells",
    "check",
    "clear",
    "default",
    "depth",
    "deserialize",
    "draw",
    "drop",
    "edit",
    "extent",
    "fill",
    "fmt",
    "from",
    "get",
    "hash",
    "insert",
    "layer",
    "ledger",
    "len",
    "level",
    "load",
    "main",
    "name",
    "new",
    "next",
    "push",
    "read",
    "remove",
    "restore",
    "row",
    "run",
    "set",
    "size",
    "step",
    "write",
];

/// Extensions of the files to check, each with the characters that start a line comment.
const KINDS: [(&str, &str); 12] = [
    ("rs", "//"),
    ("wgsl", "//"),
    ("js", "//"),
    ("mjs", "//"),
    ("ts", "//"),
    ("c", "//"),
    ("hpp", "//"),
    ("cs", "//"),
    ("py", "#"),
    ("toml", "#"),
    ("sh", "#"),
    ("run", "#"),
];

/// Checks all tracked files and prints the violations. If `names` is true, also lists the function
/// names that several modules define with different signatures.
///
/// # Errors
/// Returns an error if there are violations.
pub(crate) fn check(names: bool) -> Result<()> {
    let listed = process::command_output(
        Command::new("git").current_dir(place::repository_root()).args(["ls-files"]),
    )?;
    let (mut faults, mut functions) = (0, BTreeMap::new());
    for path in listed.lines() {
        let extension = path.rsplit(['.', '/']).next().unwrap_or_default();
        let Some((_, mark)) = KINDS.iter().find(|(kind, _)| *kind == extension) else { continue };
        // Deleted files stay in the Git index until the next commit.
        let Ok(text) = fs::read_to_string(place::repository_root().join(path)) else { continue };
        // The lists above contain every banned phrase.
        if path == "xtask/src/words.rs" {
            continue;
        }
        for (line, fault) in find_violations(&text, mark) {
            println!("{path}:{line}: {fault}");
            faults += 1;
        }
        if extension == "rs" {
            collect_functions(path, &text, &mut functions);
        }
    }
    if names {
        print_names(&functions);
    }
    ensure!(faults == 0, "{faults} places violate the rules in CONTRIBUTING.md");
    Ok(())
}

/// Returns the violations in the contents `text` of a file, each with its line number, counted from
/// 1. `mark` is the sequence of characters that starts a line comment.
fn find_violations(text: &str, mark: &str) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    let (mut above, mut in_example) = ("", false);
    let lines: Vec<&str> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let trimmed = line.trim_start();
        // Text maps in scenes have lines that start with several `#`.
        let comment =
            trimmed.strip_prefix(mark).filter(|rest| mark == "//" || rest.starts_with(' '));
        in_example ^=
            comment.is_some_and(|text| text.trim_start_matches(['/', '!', ' ']).starts_with("```"));
        if comment.is_some() && !in_example && line.chars().count() > WIDTH {
            faults.push((index + 1, format!("a comment line over {WIDTH} columns")));
        }
        // In code, only string literals are checked.
        let prose = match comment {
            Some(comment) => comment.to_lowercase(),
            None => {
                trimmed.split('"').skip(1).step_by(2).collect::<Vec<_>>().join(" ").to_lowercase()
            }
        };
        let words: Vec<&str> = prose
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty())
            .collect();
        let spaced = format!(" {} ", words.join(" "));
        if let Some(banned) = BANNED.iter().find(|banned| spaced.contains(&format!(" {banned} "))) {
            faults.push((index + 1, format!("the phrase \"{banned}\"")));
        }
        if let Some(kind) = ["///", "//!"].into_iter().find(|kind| trimmed.starts_with(kind))
            && !above.starts_with(kind)
            && let Some(first) = trimmed[3..].split_whitespace().next()
            && CLAUSES.contains(&first)
            && (first != "Whether" || documents_function(&lines[index..]))
        {
            faults.push((index + 1, format!("a doc comment that starts with \"{first}\"")));
        }
        above = trimmed;
    }
    faults
}

/// Returns whether the item after a doc comment is a function. The word "Whether" may begin the
/// description of a field, but not that of a function.
fn documents_function(lines: &[&str]) -> bool {
    let item = lines.iter().map(|line| line.trim_start());
    let mut item = item.skip_while(|line| line.starts_with("//") || line.starts_with("#["));
    item.next().is_some_and(|item| item.split('(').next().unwrap_or_default().contains("fn "))
}

/// For each function name, its signatures, each with the files that define a function with this
/// name and signature.
type FunctionSignatures = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// Finds the functions that the contents `text` of the file `path` define, and adds them to
/// `functions`.
fn collect_functions(path: &str, text: &str, functions: &mut FunctionSignatures) {
    for found in text.split("fn ").skip(1) {
        let Some((head, rest)) = found.split_once('(') else { continue };
        let name = head.split('<').next().unwrap_or_default();
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let signature = rest.split(['{', ';']).next().unwrap_or_default();
        let signature = signature.split_whitespace().collect::<Vec<_>>().join(" ");
        let signatures = functions.entry(name.to_owned()).or_default();
        signatures.entry(signature).or_default().insert(path.to_owned());
    }
}

/// Prints the function names that at least three files define with at least three different
/// signatures.
fn print_names(functions: &FunctionSignatures) {
    let mut rows = Vec::new();
    for (name, signatures) in functions {
        let files: BTreeSet<&String> = signatures.values().flatten().collect();
        if signatures.len() >= 3 && files.len() >= 3 && !CONVENTIONAL.contains(&name.as_str()) {
            rows.push((files.len(), signatures.len(), name));
        }
    }
    rows.sort_unstable_by(|a, b| b.cmp(a));
    for (files, signatures, name) in rows {
        println!("{name}: {signatures} signatures in {files} files");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_finds_its_violation() {
        let long = format!("// {}", "a".repeat(WIDTH));
        let cases = [
            (long.as_str(), 1),
            ("/// Whether it rains.\npub fn rains() -> bool {", 1),
            ("/// Whether it rains.\npub rains: bool,", 0),
            ("/// Returns the depth.\n/// What follows is text.", 0),
            ("let x = \"a rank is told\";", 1),
            ("let told = 1;", 0),
            ("// Whoever reads this.", 1),
            ("// Rows untold.", 0),
        ];
        for (text, expected) in cases {
            assert_eq!(find_violations(text, "//").len(), expected, "{text}");
        }
    }

    #[test]
    fn functions_are_counted_by_signature() {
        let mut functions = FunctionSignatures::new();
        for (path, text) in
            [("a", "fn f(x: u8) {}"), ("b", "fn f<T>(x: u8) {}"), ("c", "fn f() {}")]
        {
            collect_functions(path, text, &mut functions);
        }
        assert_eq!(functions["f"].len(), 2);
    }
}
