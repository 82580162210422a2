//! Support for tests of scenes that the parser must reject.

use headwater_scene::{Scene, scene};

/// Parses the TOML source of a scene. The error is the message with all problems of the scene.
pub(crate) fn parse(text: &str) -> Result<Scene, String> {
    scene::parse("test.toml", text, &[]).map_err(|error| error.to_string())
}

/// Parses the test cases in `table`, which has one line `from => to => message` for each. The
/// escapes `\n` and `\t` are supported.
pub(crate) fn parse_cases(table: &str) -> impl Iterator<Item = [String; 3]> {
    table.trim().lines().map(|line| {
        let parts = line.trim_start().splitn(3, " => ");
        let texts = parts.map(|text| text.replace("\\n", "\n").replace("\\t", "\t"));
        texts.collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!("no case: {line}"))
    })
}

/// Asserts, for each test case `from => to => message` in `table`, that the scene `text` with
/// `from` replaced by `to` is rejected with an error that contains `message`.
pub(crate) fn assert_rejected(text: &str, table: &str) {
    for [from, to, expected] in parse_cases(table) {
        assert!(text.contains(&from), "{from}");
        let error = parse(&text.replacen(&from, &to, 1)).unwrap_err();
        assert!(error.contains(&expected), "{to}:\n  {error}\n  {expected}");
    }
}
