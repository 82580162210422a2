//! [`KeyPath`]: the path of a value in a scene, such as `source[0].rate`.

use std::fmt;

/// Maximum number of segments of a path. The paths of valid scenes have at most half as many.
const MAX_DEPTH: usize = 16;

/// Segment of a key path: a key or an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    Key(String),
    /// Index of an entry in a list, counted from 0.
    Index(usize),
}

/// Path of a value in a scene, such as `source[0].rate`. The empty path stands for the whole scene.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeyPath(pub(crate) Vec<Segment>);

impl KeyPath {
    /// Parses a path such as `source[0].rate` or `source.0.rate`. Returns `None` if the string is
    /// not a valid path.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut segments = Vec::new();
        for part in text.split('.') {
            let (name, indices) = match part.find('[') {
                Some(at) => part.split_at(at),
                None => (part, ""),
            };
            if name.is_empty() || segments.len() >= MAX_DEPTH {
                return None;
            }
            segments.push(match name.parse() {
                Ok(index) if !segments.is_empty() => Segment::Index(index),
                _ => Segment::Key(name.trim().to_owned()),
            });
            if !indices.is_empty() {
                for index in indices.strip_prefix('[')?.strip_suffix(']')?.split("][") {
                    segments.push(Segment::Index(index.parse().ok()?));
                }
            }
        }
        (segments.len() <= MAX_DEPTH).then_some(Self(segments))
    }

    /// Returns whether `other` is the same path, or the path of a value inside the value at this
    /// path.
    pub(crate) fn contains(&self, other: &KeyPath) -> bool {
        other.0.starts_with(&self.0)
    }

    /// Returns this path with one segment added at its end.
    pub(crate) fn join(&self, segment: Segment) -> Self {
        let mut longer = self.clone();
        longer.0.push(segment);
        longer
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Key(name) if i > 0 => write!(f, ".{name}")?,
                Segment::Key(name) => f.write_str(name)?,
                Segment::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_notations_of_an_index_are_equivalent() {
        let path = KeyPath::parse("source[0].rate").unwrap();
        assert_eq!(KeyPath::parse("source.0.rate"), Some(path.clone()));
        assert_eq!(path.to_string(), "source[0].rate");
        assert_eq!(KeyPath::parse("points[2][1]").unwrap().to_string(), "points[2][1]");
    }

    #[test]
    fn invalid_paths_are_rejected() {
        for text in ["", ".", "a..b", "[0]", "a[", "a[x]", "a[0", "a[0]b", "a[-1]", "a[]"] {
            assert_eq!(KeyPath::parse(text), None, "{text}");
        }
        assert_eq!(KeyPath::parse(&"a.".repeat(100_000)), None);
    }

    #[test]
    fn a_table_contains_its_keys() {
        let table = KeyPath::parse("source[0]").unwrap();
        assert!(table.contains(&KeyPath::parse("source[0].rate").unwrap()));
        assert!(!table.contains(&KeyPath::parse("source[1].rate").unwrap()));
    }
}
