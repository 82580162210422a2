//! [`Notice`]: what is told to whoever looks, over the world. News goes by itself; what went wrong stays until it is closed.

/// How long news stays (s), and how much longer for each letter.
const STAYS: f32 = 5.0;
const LETTER: f32 = 0.06;

pub(super) struct Notice {
    pub(super) words: String,
    /// How long it is still to be seen (s), if it goes by itself.
    pub(super) left: Option<f32>,
}

impl Notice {
    /// What goes by itself, once there was time to read it.
    pub(super) fn news(words: String) -> Self {
        let left = Some(STAYS + LETTER * words.chars().count() as f32);
        Self { words, left }
    }

    /// What stays until it is closed.
    pub(super) fn warning(words: String) -> Self {
        Self { words, left: None }
    }
}
