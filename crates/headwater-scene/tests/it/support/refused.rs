//! Scenes that are refused, and the words that say why.

use headwater_scene::{Scene, scene};

/// The scene of a text, or all that is wrong with it.
pub(crate) fn parse(text: &str) -> Result<Scene, String> {
    scene::parse("test.toml", text, &[]).map_err(|error| error.to_string())
}

/// The lines `from => to => message` of a table, in which `\n` and `\t` stand for those characters.
pub(crate) fn cases(table: &str) -> impl Iterator<Item = [String; 3]> {
    table.trim().lines().map(|line| {
        let parts = line.trim_start().splitn(3, " => ");
        let texts = parts.map(|text| text.replace("\\n", "\n").replace("\\t", "\t"));
        texts.collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!("no case: {line}"))
    })
}

/// Asserts of each case of a table that a scene is refused in which `from` is `to`, with the message.
pub(crate) fn assert_refused(text: &str, table: &str) {
    for [from, to, expected] in cases(table) {
        assert!(text.contains(&from), "{from}");
        let error = parse(&text.replacen(&from, &to, 1)).unwrap_err();
        assert!(error.contains(&expected), "{to}:\n  {error}\n  {expected}");
    }
}
