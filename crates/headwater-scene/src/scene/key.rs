//! [`KeyPath`]: the way to a value in a scene, such as `source[0].rate`.

use std::fmt;

/// The deepest way: no scene nests more than half as deep.
const DEEPEST: usize = 16;

/// One step on the way to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Key(String),
    /// Into a list, counted from 0.
    Index(usize),
}

/// The way to a value in a scene; the empty way leads to the whole of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeyPath(pub(crate) Vec<Step>);

impl KeyPath {
    /// Reads `source[0].rate` or `source.0.rate`; `None` where that is no way at all.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut steps = Vec::new();
        for part in text.split('.') {
            let (name, indices) = match part.find('[') {
                Some(at) => part.split_at(at),
                None => (part, ""),
            };
            if name.is_empty() || steps.len() >= DEEPEST {
                return None;
            }
            steps.push(match name.parse() {
                Ok(index) if !steps.is_empty() => Step::Index(index),
                _ => Step::Key(name.trim().to_owned()),
            });
            if !indices.is_empty() {
                for index in indices.strip_prefix('[')?.strip_suffix(']')?.split("][") {
                    steps.push(Step::Index(index.parse().ok()?));
                }
            }
        }
        (steps.len() <= DEEPEST).then_some(Self(steps))
    }

    /// True if `self` leads to the place `other` leads to, or to something that holds it.
    pub(crate) fn holds(&self, other: &KeyPath) -> bool {
        other.0.starts_with(&self.0)
    }

    /// The same way with one more step.
    pub(crate) fn then(&self, step: Step) -> Self {
        let mut longer = self.clone();
        longer.0.push(step);
        longer
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(name) if i > 0 => write!(f, ".{name}")?,
                Step::Key(name) => f.write_str(name)?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_write_an_index_lead_to_the_same_place() {
        let path = KeyPath::parse("source[0].rate").unwrap();
        assert_eq!(KeyPath::parse("source.0.rate"), Some(path.clone()));
        assert_eq!(path.to_string(), "source[0].rate");
        assert_eq!(KeyPath::parse("points[2][1]").unwrap().to_string(), "points[2][1]");
    }

    #[test]
    fn what_is_no_way_is_refused() {
        for text in ["", ".", "a..b", "[0]", "a[", "a[x]", "a[0", "a[0]b", "a[-1]", "a[]"] {
            assert_eq!(KeyPath::parse(text), None, "{text}");
        }
        assert_eq!(KeyPath::parse(&"a.".repeat(100_000)), None);
    }

    #[test]
    fn a_table_holds_its_keys() {
        let table = KeyPath::parse("source[0]").unwrap();
        assert!(table.holds(&KeyPath::parse("source[0].rate").unwrap()));
        assert!(!table.holds(&KeyPath::parse("source[1].rate").unwrap()));
    }
}
