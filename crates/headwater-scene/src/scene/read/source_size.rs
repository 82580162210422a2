//! Limits on the size of a scene's TOML source. They are checked before the source is parsed,
//! because the TOML parser has no limit on its memory.

use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// Maximum size of a scene's TOML source (bytes), sufficient for the maximum number of events.
pub(super) const MAX_TEXT_BYTES: usize = 32 << 20;

/// Maximum total number of lines, keys and list entries in a scene's TOML source. The limit
/// suffices for the maximum number of events. Each element needs about 150 bytes while the scene is
/// read.
const MAX_VALUES: usize = 2_000_000;

/// Maximum number of tables in a scene's TOML source. Each needs about 3 kB while the scene is
/// read.
const MAX_TABLES: usize = 210_000;

/// Checks that a TOML source is small enough to be parsed.
///
/// # Errors
/// Returns a message if the source is too large.
pub(super) fn check_source_size(text: &str) -> Result<(), String> {
    if text.len() > MAX_TEXT_BYTES {
        return Err("longer than 32 MiB, the maximum size of a scene".into());
    }
    let size = SourceSize::new(text);
    if size.values > MAX_VALUES {
        let message = format!("has more than {MAX_VALUES} lines, keys and list entries");
        return Err(message + ", the maximum");
    }
    if size.tables > MAX_TABLES {
        return Err(format!(
            "has more than {MAX_TABLES} tables, the maximum; each dot in a key counts as a table"
        ));
    }
    Ok(())
}

/// Numbers of elements in a TOML source, which need not be valid. The numbers are at least those of
/// the parsed document.
#[derive(Default)]
struct SourceSize {
    /// Number of lines, keys and list entries.
    values: usize,
    /// Number of headers, inline tables and dots in keys and headers.
    tables: usize,
}

impl SourceSize {
    fn new(text: &str) -> Self {
        let mut size = Self::default();
        let (mut is_header, mut is_line_start) = (false, true);
        // Number of dots since the start of the last key, header or number.
        let mut dots = 0;
        let mut depth = 0_usize;
        for token in Source::new(text).lex() {
            match token.kind() {
                TokenKind::Whitespace => continue,
                TokenKind::Dot => dots += 1,
                TokenKind::Equals => {
                    size.values += 1;
                    size.tables += dots;
                    dots = 0;
                }
                TokenKind::Comma => {
                    size.values += 1;
                    dots = 0;
                }
                TokenKind::LeftSquareBracket => {
                    size.values += 1;
                    is_header |= is_line_start && depth == 0;
                    depth += 1;
                }
                TokenKind::LeftCurlyBracket => {
                    size.tables += 1;
                    depth += 1;
                    dots = 0;
                }
                TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => {
                    depth = depth.saturating_sub(1);
                }
                TokenKind::Newline | TokenKind::Eof => {
                    size.values += 1;
                    if is_header {
                        size.tables += 1 + dots;
                        // An unclosed bracket must not hide the headers of the lines that follow.
                        depth = 0;
                    }
                    (is_header, is_line_start, dots) = (false, true, 0);
                    continue;
                }
                _ => (),
            }
            is_line_start = false;
        }
        size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_in_keys_and_headers_count_as_tables() {
        for (text, tables) in [
            ("a = 1.5\nb = [1.5, 2.5]\nc = { d = 1.5, e = -2.5e3 }\n", 1),
            ("a.b.c = 1\n1.2 = 3.4\n'a.b'.\"c.d\" = 'e.f'\n", 4),
            ("# a.b = 1\n[a.b] # c.d = 2\n[[c.d.e]]\n", 5),
            ("a = [\n  [1.5, 2],\n  [3, { b.c = 1.5 }],\n]\n[d]\n  [e]", 4),
            ("a = '''\nb.c = 1\n[d.e]\n'''\n", 0),
            ("[a\n[b.c\n[[d]", 4),
        ] {
            assert_eq!(SourceSize::new(text).tables, tables, "{text}");
        }
    }

    #[test]
    fn lines_keys_and_list_entries_count_as_values() {
        for (text, values) in [
            ("", 1),
            ("\n\n# a = [1, 2]\n", 4),
            ("a = 'b = [c, d]'", 2),
            ("a = [1, 2, 3]", 5),
            ("[[a]]\nb = { c = 1, d = 2 }", 8),
        ] {
            assert_eq!(SourceSize::new(text).values, values, "{text}");
        }
    }
}
