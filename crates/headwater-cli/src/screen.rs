//! What is said on stdout and stderr.

use std::borrow::Cow;
use std::io::{self, Write as _};
use std::sync::OnceLock;

/// Prints a line on stdout. A reader that went away is no reason to fail; any other is [`unprinted`] then.
pub(crate) fn print_line(line: &str) {
    let mut out = io::stdout().lock();
    match writeln!(out, "{}", plain(line)).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            UNPRINTED.get_or_init(|| error.to_string());
        }
        _ => {}
    }
}

/// Why something was not printed on stdout.
static UNPRINTED: OnceLock<String> = OnceLock::new();

/// Why something was not printed on stdout, though somebody was to read it.
pub(crate) fn unprinted() -> Option<&'static str> {
    UNPRINTED.get().map(String::as_str)
}

/// Prints a line on stderr, if that can be done.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", plain(line));
}

/// A text without characters that make a terminal do something: names of files and keys come from anywhere.
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
    fn what_is_printed_makes_a_terminal_do_nothing() {
        assert_eq!(plain("ä → 2 m\n\tb"), "ä → 2 m\n\tb");
        assert_eq!(plain("a\x1b[2J\r\u{9b}b"), "a\\u{1b}[2J\\r\\u{9b}b");
    }
}
