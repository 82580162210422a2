//! Small worlds of cells that are drawn as text ("boards").

/// Splits a string into worlds drawn as text ("boards"), which are separated by empty lines. Lines
/// that begin with `//` are comments.
pub(super) fn split_boards(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with("//"));
    let lines = lines.collect::<Vec<_>>().join("\n");
    lines.split("\n\n").map(|board| board.trim().to_owned()).filter(|b| !b.is_empty()).collect()
}
