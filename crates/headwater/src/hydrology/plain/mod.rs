//! Lakes and drops by plain loops, after N. McDonald, "Procedural hydrology" (2020): oracle and
//! yardstick.
//!
//! [`Flood`] is the article's flood, corrected: it raises a plane until the water is used up or it
//! finds the lowest way out, merges level pools, hands on the excess, and respects edges. Its time
//! grows with a lake's area. [`Article`] is the whole article; [`stream_power_step`] equals a step
//! of stream power in every bit.

mod article;
mod flood;
mod stream_power;

pub use article::Article;
pub use flood::Flood;
pub use stream_power::stream_power_step;
