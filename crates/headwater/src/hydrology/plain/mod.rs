//! Lakes and drops by plain loops, after N. McDonald, "Procedural hydrology" (2020): the oracle that the
//! hierarchy of depressions is held against, and the yardstick for its speed.
//!
//! [`Flood`] is the article's flood with its faults mended: it raises a plane over the cells that it reaches
//! until the water is used up or it finds the lowest way out, takes in pools that are level with it,
//! hands on what is too much, and knows the edges of the map. It works on a list, and so does not
//! recurse; it takes time with the area of a lake, as the article's does.
//! [`Article`] is the whole of the article: drops, stream, pool, one after another. [`stream_power_step`] is a step of stream
//! power, which the quick one equals in every bit.

mod article;
mod flood;
mod stream_power;

pub use article::Article;
pub use flood::Flood;
pub use stream_power::stream_power_step;
