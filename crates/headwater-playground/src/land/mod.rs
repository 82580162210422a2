//! Renderer of worlds seen from above and in 3-D. It draws terrain with shadows, water, and the
//! objects on land and water.
//!
//! [`LandRenderer`] holds the GPU resources. A world is uploaded as [`Cells`]; a frame is described
//! by a [`FrameDescription`] with a [`Camera`], a [`LandStyle`] and a [`Cursor`]. Frames are drawn
//! into an offscreen picture, which [`LandRenderer::paint`] copies to the window;
//! [`paint_callback`] does both within egui. Positions are metres to the east and south of the
//! world's top-left corner, heights are metres above the world's datum.
//!
//! Vertex and fragment shaders read all data from textures, so that the renderer works on every
//! wgpu backend, including WebGL2. The renderer does not modify the world, and does not draw side
//! views.

mod callback;
mod camera;
mod cells;
mod flow_marks;
mod frame;
mod frame_description;
mod gpu;
mod maps;
mod noise;
mod objects;
mod patches;
mod pipelines;
mod ramps;
mod renderer;
mod shaders;
mod style;
mod target;

pub use callback::{
    CanvasHalf, install_renderer, installed_renderer, paint_callback, remove_renderer,
};
pub use camera::motion::Terrain;
pub use camera::{Camera, Extent};
pub use cells::{Cells, CellsError};
pub use frame_description::FrameDescription;
pub use renderer::LandRenderer;
pub use shaders::shaders;
pub use style::{Cursor, LandStyle, Layer, Quality, Scales};
