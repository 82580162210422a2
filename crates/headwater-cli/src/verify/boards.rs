//! Boards drawn in text files, so that they look like what they are.

/// The boards of a text: lines that stand together, with an empty line between two boards. Lines that begin with `//` say
/// what a board is for.
pub(super) fn boards(text: &str) -> Vec<String> {
    let drawn = text.lines().filter(|line| !line.starts_with("//"));
    let drawn = drawn.collect::<Vec<_>>().join("\n");
    drawn.split("\n\n").map(|board| board.trim().to_owned()).filter(|b| !b.is_empty()).collect()
}
