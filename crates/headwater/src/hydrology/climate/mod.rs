//! Water from the sky: rain, storms, and orographic rain from the wind.

pub(super) mod rain;
pub(super) mod storm;
pub(super) mod winds;
