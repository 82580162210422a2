//! Reference implementations of lakes, drops and stream power as plain loops, after N. McDonald,
//! "Procedural hydrology" (2020). They serve as test oracles and as baselines of benchmarks.
//!
//! [`FloodModel`] is a corrected version of the flood in the article. It raises a water level until
//! the water is used up or the lowest outlet is found. It merges pools of equal level and lets
//! excess water flow on. Its cost is proportional to the area of a lake. [`McDonaldModel`]
//! implements the complete article. [`stream_power_step`] gives bit for bit the same result as a
//! stream-power step of the optimised model.

mod article;
mod flood;
mod stream_power;

pub use article::McDonaldModel;
pub use flood::FloodModel;
pub use stream_power::stream_power_step;
