//! A model of ink that diffuses in still water.

mod ink;
mod model;
mod run;
mod scene;

pub use ink::Ink;
pub use scene::DiffusionScene;
