//! [`Notice`]: a message over the world. News disappears after some time; warnings stay until
//! closed.

/// Display time of news (s), and additional time per character.
const BASE_TIME: f32 = 5.0;
const TIME_PER_CHARACTER: f32 = 0.06;

pub(super) struct Notice {
    pub(super) words: String,
    /// Remaining display time (s), unless it stays.
    pub(super) left: Option<f32>,
}

impl Notice {
    /// Creates a message that disappears after some seconds.
    pub(super) fn news(words: String) -> Self {
        let left = Some(BASE_TIME + TIME_PER_CHARACTER * words.chars().count() as f32);
        Self { words, left }
    }

    /// Creates a message that stays until it is closed.
    pub(super) fn warning(words: String) -> Self {
        Self { words, left: None }
    }
}
