//! [`Notice`]: a message over the world. News disappears after some time; a warning stays until the
//! user closes it.

/// Display time of a news message (s), without the time for its length.
const BASE_TIME: f32 = 5.0;
/// Additional display time of a news message per character (s).
const TIME_PER_CHARACTER: f32 = 0.06;

pub(in crate::app) struct Notice {
    pub(in crate::app) words: String,
    /// Remaining display time (s); `None` if the message stays until closed.
    pub(in crate::app) left: Option<f32>,
}

impl Notice {
    /// Creates a message that disappears after some seconds.
    pub(in crate::app) fn news(words: String) -> Self {
        let left = Some(BASE_TIME + TIME_PER_CHARACTER * words.chars().count() as f32);
        Self { words, left }
    }

    /// Creates a message that stays until the user closes it.
    pub(in crate::app) fn warning(words: String) -> Self {
        Self { words, left: None }
    }
}
