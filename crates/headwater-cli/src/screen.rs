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
pub fn format_number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        size if (0.01..1e6).contains(&size) => {
            let digits = (3.0 - size.log10().floor()).clamp(0.0, 4.0) as usize;
            format!("{value:.digits$}")
        }
        _ => format!("{value:.2e}"),
    }
}

/// Escapes control characters, invisible characters and bidirectional text marks in a string. File
/// names and keys in messages can contain such characters, which could change the state of the
/// terminal or alter the displayed text unnoticed. The escape sequences are valid in JSON.
fn escape_control(text: &str) -> Cow<'_, str> {
    let acts = |c: char| match c {
        '\n' | '\t' => false,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{feff}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' => true,
        '\u{e0000}'..='\u{e007f}' => true,
        _ => c.is_control(),
    };
    if !text.contains(acts) {
        return text.into();
    }
    let mut escaped = String::new();
    for c in text.chars() {
        if acts(c) {
            let mut buffer = [0; 2];
            let units = c.encode_utf16(&mut buffer).iter();
            escaped.extend(units.map(|unit| format!("\\u{unit:04x}")));
        } else {
            escaped.push(c);
        }
    }
    escaped.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(escape_control("ä → 2 m\n\tb"), "ä → 2 m\n\tb");
        assert_eq!(escape_control("a\x1b[2J\r\u{9b}b"), "a\\u001b[2J\\u000d\\u009bb");
        let note = serde_json::json!({ "note": "a\x1b[2J\r\u{9b}\u{202e}ä" });
        assert_eq!(serde_json::from_str(&escape_control(&note.to_string())).ok(), Some(note));
    }

    #[test]
    fn bidirectional_controls_are_escaped() {
        for mark in "\u{202a}\u{202e}\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}".chars() {
            let escaped = format!("a\\u{:04x}b", u32::from(mark));
            assert_eq!(escape_control(&format!("a{mark}b")), escaped);
        }
    }

    #[test]
    fn numbers_are_rounded_to_four_significant_digits() {
        assert_eq!(format_number(0.0), "0");
        assert_eq!(format_number(1.23456e-9), "1.23e-9");
        assert_eq!(format_number(204.66), "204.7");
        assert_eq!(format_number(2.0), "2.000");
    }
}
