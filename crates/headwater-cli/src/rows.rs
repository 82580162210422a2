//! What `verify` and `bench` print: rows as a table that grows while the work goes on, or as one JSON
//! array at the end; and the choice of cases by name.

pub(crate) use crate::screen::print_line;
use crate::usage::Usage;
use anyhow::Result;
use serde::Serialize;
use std::io::{self, Write as _};

/// Which cases, and how to print them.
#[derive(clap::Args)]
pub(crate) struct Cases {
    /// Names as they are printed, or their beginnings as in `flow/*`; all by default.
    #[arg(value_name = "CASE")]
    pub(crate) cases: Vec<String>,
    /// Print one JSON array of rows.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The cases that `wanted` names, in their own order; all, if it names none. A name may end in `*`.
pub(crate) fn choose<C>(
    cases: Vec<C>,
    wanted: &[String],
    name: impl Fn(&C) -> &str,
) -> Result<Vec<C>> {
    let known: Vec<&str> = cases.iter().map(&name).collect();
    for pattern in wanted {
        if !known.iter().any(|name| matches(pattern, name)) {
            let known = known.join(", ");
            return Err(Usage(format!("there is no case `{pattern}`; there are: {known}")).into());
        }
    }
    let chosen = |case: &C| wanted.is_empty() || wanted.iter().any(|p| matches(p, name(case)));
    Ok(cases.into_iter().filter(chosen).collect())
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

/// A number in few digits.
pub(crate) fn figure(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        size if (0.01..1e6).contains(&size) => {
            let digits = (3.0 - size.log10().floor()).clamp(0.0, 4.0) as usize;
            format!("{value:.digits$}")
        }
        _ => format!("{value:.2e}"),
    }
}

/// A table for people on stdout, or nothing there until the JSON at the end.
pub(crate) struct Table {
    json: bool,
}

/// Width of the first two columns and of the others.
const WIDTHS: [usize; 2] = [42, 46];
const OTHERS: usize = 12;

impl Table {
    pub(crate) fn new(json: bool, heads: &[&str]) -> Self {
        let table = Self { json };
        table.row(heads);
        table
    }

    /// Tells on stderr, if someone is looking, what takes the time.
    pub(crate) fn working_on(&self, name: &str) {
        use std::io::IsTerminal as _;
        if std::io::stderr().is_terminal() {
            let _ = write!(io::stderr(), "\r{name} …\x1b[K\r");
        }
    }

    pub(crate) fn row(&self, cells: &[&str]) {
        if self.json {
            return;
        }
        let mut line = String::new();
        for (i, cell) in cells.iter().enumerate() {
            let width = WIDTHS.get(i).copied().unwrap_or(OTHERS);
            line.push_str(&format!("{cell:<width$} "));
        }
        print_line(line.trim_end());
    }

    /// Prints the JSON array, if that is what was asked for.
    pub(crate) fn finish(self, rows: &[impl Serialize]) -> Result<()> {
        if self.json {
            print_line(&serde_json::to_string_pretty(rows)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_chosen_by_name_or_by_their_beginning() {
        let cases = || vec!["flow/rest", "flow/resume", "waves/speed"];
        let choose = |wanted: &[&str]| {
            let wanted: Vec<String> = wanted.iter().map(ToString::to_string).collect();
            choose(cases(), &wanted, |name| name)
        };
        assert_eq!(choose(&[]).unwrap(), cases());
        assert_eq!(choose(&["flow/res*"]).unwrap(), ["flow/rest", "flow/resume"]);
        assert_eq!(choose(&["waves/speed", "flow/rest"]).unwrap(), ["flow/rest", "waves/speed"]);
        assert!(choose(&["flow"]).unwrap_err().to_string().contains("waves/speed"));
    }

    #[test]
    fn figures_are_short() {
        assert_eq!(figure(0.0), "0");
        assert_eq!(figure(1.23456e-9), "1.23e-9");
        assert_eq!(figure(204.66), "204.7");
        assert_eq!(figure(2.0), "2.000");
    }
}
