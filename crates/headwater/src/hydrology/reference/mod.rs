//! Reference implementations of lakes, drops and stream power with plain loops, after N. McDonald,
//! "Procedural hydrology" (2020). They serve as test oracles and benchmark baselines.
//!
//! [`Flood`] is a corrected version of the article's flood: it raises a plane until the water is
//! used up or the lowest outlet is found, merges equal pools, passes excess on, and respects edges.
//! Its cost grows with a lake's area. [`Article`] is the whole article. [`stream_power_step`]
//! equals a step of stream power bit for bit.

mod article;
mod flood;
mod stream_power;

pub use article::Article;
pub use flood::Flood;
pub use stream_power::stream_power_step;
