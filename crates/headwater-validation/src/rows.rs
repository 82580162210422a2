//! Output of `verify` and `bench`: prints each row of a table or JSON array as soon as the row is
//! computed. This module also selects cases by name.

use anyhow::Result;
use headwater_cli::screen::print_line;
use headwater_cli::usage::UserError;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::{self, Write as _};

/// Selection of cases, and the output format.
#[derive(clap::Args)]
pub(crate) struct CaseSelection {
    /// Case names, with `*` as a wildcard, or a model such as `flow`; all by default.
    #[arg(value_name = "CASE")]
    pub(crate) cases: Vec<String>,
    /// Print one JSON array of rows.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Returns the cases whose names match at least one pattern in `patterns`, in their original order;
/// returns all cases if there are no patterns. See [`matches_pattern`] for the syntax. The closure
/// `name` returns the name of a case.
///
/// Returns an error if a pattern matches no case.
pub(crate) fn select_cases<C>(
    cases: Vec<C>,
    patterns: &[String],
    name: impl Fn(&C) -> &str,
) -> Result<Vec<C>> {
    let known: BTreeSet<&str> = cases.iter().map(&name).collect();
    for pattern in patterns {
        if !known.iter().any(|name| matches_pattern(pattern, name)) {
            return Err(UserError(no_match_message(pattern, &known)).into());
        }
    }
    let chosen =
        |case: &C| patterns.is_empty() || patterns.iter().any(|p| matches_pattern(p, name(case)));
    Ok(cases.into_iter().filter(chosen).collect())
}

/// Returns whether a pattern matches the name of a case. A pattern is a name with `*` as a
/// wildcard, or a group: the part of the name before `/`, with or without the slash.
fn matches_pattern(pattern: &str, name: &str) -> bool {
    let group = name.split_once('/').map(|(group, _)| group);
    if group.is_some() && group == Some(pattern.strip_suffix('/').unwrap_or(pattern)) {
        return true;
    }
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|start| name.strip_prefix(start)) else {
        return false;
    };
    let Some(end) = pieces.next_back() else { return rest.is_empty() };
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(end)
}

/// Returns the error message for a pattern that matches no case. The message lists the cases of the
/// group that the pattern names (the part before `/`), or all groups if this group is unknown.
fn no_match_message(pattern: &str, known: &BTreeSet<&str>) -> String {
    let groups: BTreeSet<&str> = known.iter().filter_map(|name| name.split('/').next()).collect();
    let near = pattern.split('/').next().filter(|group| groups.contains(group));
    let of_near = known.iter().copied().filter(|name| name.split('/').next() == near);
    let there: Vec<&str> = match near {
        Some(_) => of_near.collect(),
        None => groups.iter().copied().collect(),
    };
    let kind = if near.is_some() { "the cases are" } else { "the groups are" };
    format!("there is no case `{pattern}`; {kind}: {}", there.join(", "))
}

/// Prints rows to stdout as a table, or as a JSON array with one line per row. Rows printed before
/// an interruption are complete.
pub(crate) struct Table {
    json: bool,
    /// Whether no row of the JSON array has been printed yet.
    is_empty: bool,
}

/// Widths of the first two columns of the table (characters).
const WIDTHS: [usize; 2] = [42, 46];
const OTHER_WIDTH: usize = 12;

impl Table {
    pub(crate) fn new(json: bool, heads: &[&str]) -> Self {
        let table = Self { json, is_empty: true };
        if json {
            print_line("[");
        }
        table.print_table_row(heads);
        table
    }

    /// Prints the name of the running case to stderr, if stderr is a terminal.
    pub(crate) fn print_running_case(&self, name: &str) {
        use std::io::IsTerminal as _;
        if std::io::stderr().is_terminal() {
            let _ = write!(io::stderr(), "\r{name} …\x1b[K\r");
        }
    }

    /// Prints one row: as a table row that contains `cells`, or as a JSON object that contains
    /// `row`.
    pub(crate) fn print_row(&mut self, cells: &[&str], row: &impl Serialize) -> Result<()> {
        if self.json {
            let before = if self.is_empty { "  " } else { ", " };
            print_line(&format!("{before}{}", serde_json::to_string(row)?));
            self.is_empty = false;
        }
        self.print_table_row(cells);
        Ok(())
    }

    fn print_table_row(&self, cells: &[&str]) {
        if self.json {
            return;
        }
        let mut line = String::new();
        for (i, cell) in cells.iter().enumerate() {
            let width = WIDTHS.get(i).copied().unwrap_or(OTHER_WIDTH);
            line.push_str(&format!("{cell:<width$} "));
        }
        print_line(line.trim_end());
    }

    /// Prints the end of the JSON array. Must be called after the last row.
    pub(crate) fn finish(self) {
        if self.json {
            print_line("]");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_selected_by_name_group_or_wildcard() {
        let cases = || vec!["flow/rest", "flow/resume", "waves/speed"];
        let choose = |wanted: &[&str]| {
            let wanted: Vec<String> = wanted.iter().map(ToString::to_string).collect();
            select_cases(cases(), &wanted, |name| name)
        };
        assert_eq!(choose(&[]).unwrap(), cases());
        assert_eq!(choose(&["flow/res*"]).unwrap(), ["flow/rest", "flow/resume"]);
        assert_eq!(choose(&["waves/speed", "flow/rest"]).unwrap(), ["flow/rest", "waves/speed"]);
        for whole in ["flow", "flow/", "flow/*", "flow*", "*w/r*e*"] {
            assert_eq!(choose(&[whole]).unwrap(), ["flow/rest", "flow/resume"], "{whole}");
        }
        assert_eq!(choose(&["*/*st"]).unwrap(), ["flow/rest"]);
        let error = |wanted: &str| choose(&[wanted]).unwrap_err().to_string();
        assert!(error("flow/rust").ends_with("the cases are: flow/rest, flow/resume"));
        assert!(error("flo").ends_with("the groups are: flow, waves"));
        assert!(error("flow/rest*t").contains("flow/rest*t"), "no letter counts twice");
    }
}
