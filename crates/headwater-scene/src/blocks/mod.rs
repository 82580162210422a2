//! Scenes, runs and pictures of the model `blocks`, which simulates liquids in a grid of cells in
//! side view.

mod caves;
pub(crate) mod check;
mod colors;
mod event;
mod model;
mod run;
mod scene;
pub(crate) mod tools;
pub(crate) mod world;

pub use caves::Caves;
pub use colors::PALETTE;
pub use event::{Added, BlocksAction, Pour, Remove};
pub use scene::{
    BlocksDrain, BlocksGauge, BlocksScene, BlocksSource, BlocksTarget, BlocksWorldTable,
    cell_lattice,
};
pub use world::{apply_action, build_world};
