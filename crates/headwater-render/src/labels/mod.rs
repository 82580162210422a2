//! Text in pictures: scale bar, times and lengths.

pub(super) mod annotations;
pub(super) mod format;
pub(super) mod text;
pub(super) mod typeface;
