//! The renderer of worlds seen from above and in three dimensions: land with its shadows, water, and what
//! stands, floats and drifts there.
//!
//! [`Land`] holds what lies on the GPU. A world is handed over as [`Cells`]; a frame is a [`Shot`]: a
//! [`Camera`], a [`LandStyle`], a [`Cursor`]. It is drawn into a picture of its own, which [`Land::paint`] then
//! brings to the window; [`paint_callback`] does both within egui. Places are metres to the east and to the
//! south of the world's top-left corner, heights metres above its datum.
//!
//! Everything drawn is read from textures by vertex and fragment shaders, so that it works wherever wgpu does,
//! WebGL2 included. Nothing here changes or measures the world, and nothing here is a side view.

mod callback;
mod camera;
mod cells;
mod flight;
mod frame;
mod gpu;
mod maps;
mod meshes;
mod noise;
mod patches;
mod pick;
mod pipelines;
mod ramps;
mod renderer;
mod rivers;
mod shaders;
mod shot;
mod streaks;
mod style;
mod target;
mod things;

pub use callback::{Half, install, installed, paint_callback, remove};
pub use camera::{Camera, Extent};
pub use cells::{Cells, CellsError};
pub use flight::Terrain;
pub use renderer::Land;
pub use shaders::shaders;
pub use shot::Shot;
pub use style::{Cursor, LandStyle, Layer, Quality, Scales};
