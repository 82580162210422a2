//! Output to stdout and stderr.

use std::borrow::Cow;
use std::io::{self, Write as _};
use std::sync::OnceLock;

/// Prints a line to stdout. A closed pipe is not an error; [`unprinted`] returns any other one.
pub(crate) fn print_line(line: &str) {
    let mut out = io::stdout().lock();
    match writeln!(out, "{}", plain(line)).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            UNPRINTED.get_or_init(|| error.to_string());
        }
        _ => {}
    }
}

/// First error of printing to stdout.
static UNPRINTED: OnceLock<String> = OnceLock::new();

/// Returns the first error of printing to stdout, except for a closed pipe.
pub(crate) fn unprinted() -> Option<&'static str> {
    UNPRINTED.get().map(String::as_str)
}

/// Prints a line to stderr and ignores errors.
pub(crate) fn print_error_line(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", plain(line));
}

/// Escapes control characters, because file names and keys can contain terminal sequences.
fn plain(text: &str) -> Cow<'_, str> {
    let acts = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(acts) {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if acts(c) { plain.extend(c.escape_default()) } else { plain.push(c) }
    }
    plain.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(plain("ä → 2 m\n\tb"), "ä → 2 m\n\tb");
        assert_eq!(plain("a\x1b[2J\r\u{9b}b"), "a\\u{1b}[2J\\r\\u{9b}b");
    }
}
