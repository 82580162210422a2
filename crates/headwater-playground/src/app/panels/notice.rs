//! [`Notice`]: a message over the world. A temporary message disappears after some time, whereas a
//! warning stays until the user closes it.

/// Base display time of a temporary message (s). The time per character is added to it.
const BASE_TIME: f32 = 5.0;
/// Additional display time of a temporary message per character (s).
const TIME_PER_CHARACTER: f32 = 0.06;

pub(in crate::app) struct Notice {
    pub(in crate::app) words: String,
    /// Remaining display time (s); `None` if the message stays until closed.
    pub(in crate::app) remaining_seconds: Option<f32>,
}

impl Notice {
    /// Creates a temporary message, which disappears after some seconds.
    pub(in crate::app) fn temporary(words: String) -> Self {
        let remaining_seconds = Some(BASE_TIME + TIME_PER_CHARACTER * words.chars().count() as f32);
        Self { words, remaining_seconds }
    }

    /// Creates a warning, which stays until the user closes it.
    pub(in crate::app) fn warning(words: String) -> Self {
        Self { words, remaining_seconds: None }
    }
}
