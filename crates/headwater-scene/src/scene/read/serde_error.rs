//! [`SerdeError`]: an error of serde, rewritten for the authors of scenes.
//!
//! An error of serde contains only a message, which is parsed here. Messages that are not
//! recognised are reported unchanged.

use crate::scene::key::{KeyPath, Segment};

/// Error of serde, parsed from its message.
#[derive(Debug, PartialEq)]
pub(in crate::scene) enum SerdeError<'a> {
    /// The key is not one of the allowed keys.
    UnknownKey {
        allowed: Vec<&'a str>,
    },
    /// The string is not one of the allowed words.
    UnknownChoice {
        found: &'a str,
        allowed: Vec<&'a str>,
    },
    /// A required key is missing from the table.
    MissingKey {
        key: &'a str,
    },
    /// The value has the wrong type or is out of range.
    Mismatch {
        found: &'a str,
        expected: &'a str,
    },
    Other {
        message: &'a str,
    },
}

impl<'a> SerdeError<'a> {
    pub(in crate::scene) fn new(message: &'a str) -> Self {
        let parts = |start: &str| {
            let rest = message.strip_prefix(start)?;
            // The found value may contain any text, so the last separator is used.
            rest.rfind(", expected ").map(|at| (&rest[..at], &rest[at + ", expected ".len()..]))
        };
        if let Some((_, expected)) = parts("unknown field ") {
            return SerdeError::UnknownKey { allowed: backticked_names(expected) };
        }
        if let Some((found, expected)) = parts("unknown variant ") {
            return SerdeError::UnknownChoice {
                found: found.trim_matches('`'),
                allowed: backticked_names(expected),
            };
        }
        if let Some(key) = message.strip_prefix("missing field ") {
            return SerdeError::MissingKey { key: key.trim_matches('`') };
        }
        for start in ["invalid type: ", "invalid value: ", "invalid "] {
            if let Some((found, expected)) = parts(start) {
                return SerdeError::Mismatch { found, expected };
            }
        }
        SerdeError::Other { message }
    }

    /// Returns the key and the rewritten message of this error. `path` is the path of the value at
    /// which the error occurred.
    pub(in crate::scene) fn message_at(&self, path: &KeyPath) -> (String, String) {
        match self {
            SerdeError::UnknownKey { allowed } => {
                let found = match path.0.last() {
                    Some(Segment::Key(key)) => key,
                    _ => "",
                };
                let hint = spelling_hint(found, allowed, '`');
                let message = match allowed.is_empty() {
                    true => "no such key".to_owned(),
                    false => format!("no such key;{hint} allowed are {}", allowed.join(", ")),
                };
                (path.to_string(), message)
            }
            SerdeError::UnknownChoice { found, allowed } => {
                let hint = spelling_hint(found, allowed, '"');
                let choices: Vec<_> =
                    allowed.iter().map(|choice| format!("\"{choice}\"")).collect();
                let message = format!("found \"{found}\";{hint} allowed is {}", choices.join(", "));
                (path.to_string(), message)
            }
            SerdeError::MissingKey { key } => {
                let path = path.join(Segment::Key((*key).to_owned()));
                (path.to_string(), "is missing".to_owned())
            }
            SerdeError::Mismatch { found, expected } => (
                path.to_string(),
                format!(
                    "found {}, needs {}",
                    translate_type_name(found),
                    translate_type_name(expected)
                ),
            ),
            SerdeError::Other { message } => {
                (path.to_string(), message.replacen("expected ", "needs ", 1))
            }
        }
    }
}

/// Returns all names in `text` that are enclosed in backticks.
fn backticked_names(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Returns the hint `` did you mean `x`?`` with the allowed name that is most similar to `found`,
/// or an empty string if no name is similar. `quote` is the character with which the name is
/// quoted.
pub(crate) fn spelling_hint(found: &str, allowed: &[&str], quote: char) -> String {
    // A longer string is not a name, and computing its edit distance is slow.
    if found.len() > 64 {
        return String::new();
    }
    let nearest = allowed
        .iter()
        .map(|name| (strsim::damerau_levenshtein(found, name), *name))
        // Prefers names with the same first letter, which is seldom mistyped.
        .min_by_key(|(distance, name)| (*distance, name.chars().next() != found.chars().next()));
    match nearest {
        Some((distance, name)) if 3 * distance <= found.len() + 1 => {
            format!(" did you mean {quote}{name}{quote}?")
        }
        _ => String::new(),
    }
}

/// Replaces the names of Rust types in a serde message with terms that the authors of scenes know.
fn translate_type_name(text: &str) -> String {
    let known = [
        ("f64", "a number"),
        ("usize", "a whole number from 0 up"),
        ("u16", "a whole number from 0 to 65535"),
        ("u64", "a whole number from 0 up"),
        ("i64", "a whole number"),
        ("i32", "a whole number from -2147483648 to 2147483647"),
        ("u8", "a whole number from 0 to 255"),
        ("f32", "a number"),
        ("variant identifier", "a word in quotes"),
        ("u32", "a whole number from 0 to 4294967295"),
        ("a sequence", "a list"),
        ("sequence", "a list"),
        ("a map", "a table"),
        ("map", "a table"),
        ("a string", "a text in quotes"),
        ("path string", "a path in quotes"),
        ("a boolean", "true or false"),
        ("an array of length 2", "a list of two"),
    ];
    if let Some((_, words)) = known.iter().find(|(rust, _)| *rust == text) {
        return (*words).to_owned();
    }
    if text.starts_with("struct ") {
        return "a table".to_owned();
    }
    let starts = [
        ("integer ", ""),
        ("floating point ", ""),
        ("boolean ", ""),
        ("string ", ""),
        ("length ", "a list of length "),
        ("an array of length ", "a list of "),
        ("a tuple of size ", "a list of "),
    ];
    for (rust, words) in starts {
        if let Some(rest) = text.strip_prefix(rust) {
            return words.to_owned() + rest.trim_matches('`');
        }
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated_message(message: &str, path: &str) -> (String, String) {
        SerdeError::new(message).message_at(&KeyPath::parse(path).unwrap())
    }

    #[test]
    fn unknown_names_get_a_similar_suggestion() {
        let message = "unknown field `raet`, expected one of `at`, `radius`, `rate`";
        let expected = "no such key; did you mean `rate`? allowed are at, radius, rate";
        assert_eq!(translated_message(message, "source[0].raet").1, expected);
        let message = "unknown variant `pips`, expected `pipes` or `waves`";
        let expected = "found \"pips\"; did you mean \"pipes\"? allowed is \"pipes\", \"waves\"";
        assert_eq!(translated_message(message, "physics.level").1, expected);
        let message = "unknown field `zzzzzz`, expected `at` or `rate`";
        assert_eq!(translated_message(message, "zzzzzz").1, "no such key; allowed are at, rate");
    }

    #[test]
    fn rust_type_names_are_translated() {
        let message = "invalid type: string \"x, expected y\", expected f64";
        assert_eq!(
            translated_message(message, "grid.cell").1,
            "found \"x, expected y\", needs a number"
        );
        let message = "invalid length 3, expected an array of length 2";
        assert_eq!(
            translated_message(message, "at").1,
            "found a list of length 3, needs a list of two"
        );
        let message = "invalid type: floating point `1.5`, expected i64";
        assert_eq!(translated_message(message, "numbers[0]").1, "found 1.5, needs a whole number");
        assert_eq!(
            translated_message("missing field `until`", "time"),
            ("time.until".into(), "is missing".into())
        );
    }
}
