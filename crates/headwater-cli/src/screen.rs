//! Output to stdout and stderr. Control characters are escaped, and write errors do not cause a
//! panic.

use std::borrow::Cow;
use std::io::{self, Write as _};
use std::sync::OnceLock;

/// Prints a line to stdout. Ignores a closed pipe. Other errors are returned by [`stdout_error`].
pub fn print_line(line: &str) {
    let mut out = io::stdout().lock();
    match writeln!(out, "{}", escape_control(line)).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            STDOUT_ERROR.get_or_init(|| error.to_string());
        }
        _ => {}
    }
}

/// First error that occurred while printing to stdout.
static STDOUT_ERROR: OnceLock<String> = OnceLock::new();

/// Returns the first error that occurred while printing to stdout. A closed pipe is not an error.
pub fn stdout_error() -> Option<&'static str> {
    STDOUT_ERROR.get().map(String::as_str)
}

/// Prints a line to stderr. Ignores errors.
pub fn print_error_line(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", escape_control(line));
}

/// Formats a number with about four significant digits.
pub fn figure(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        size if (0.01..1e6).contains(&size) => {
            let digits = (3.0 - size.log10().floor()).clamp(0.0, 4.0) as usize;
            format!("{value:.digits$}")
        }
        _ => format!("{value:.2e}"),
    }
}

/// Escapes control characters in a string. File names and keys in messages can contain control
/// characters that change the state of the terminal.
fn escape_control(text: &str) -> Cow<'_, str> {
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
        assert_eq!(escape_control("ä → 2 m\n\tb"), "ä → 2 m\n\tb");
        assert_eq!(escape_control("a\x1b[2J\r\u{9b}b"), "a\\u{1b}[2J\\r\\u{9b}b");
    }

    #[test]
    fn numbers_have_few_digits() {
        assert_eq!(figure(0.0), "0");
        assert_eq!(figure(1.23456e-9), "1.23e-9");
        assert_eq!(figure(204.66), "204.7");
        assert_eq!(figure(2.0), "2.000");
    }
}
