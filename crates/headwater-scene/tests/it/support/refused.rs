//! Scenes that are refused, and the words that say why.

use headwater_scene::{Scene, scene};

/// The scene of a text, or all that is wrong with it.
pub(crate) fn parse(text: &str) -> Result<Scene, String> {
    scene::parse("test.toml", text, &[]).map_err(|error| error.to_string())
}

/// Asserts of each case that a scene is refused in which `from` is `to`, and that the error holds the third text.
pub(crate) fn assert_refused(text: &str, cases: &[(&str, &str, &str)]) {
    for (from, to, expected) in cases {
        assert!(text.contains(from), "{from}");
        let error = parse(&text.replacen(from, to, 1)).unwrap_err();
        assert!(error.contains(expected), "{to}:\n  {error}\n  {expected}");
    }
}
