//! The playground: Headwater's models live under the mouse. One program, as a window and as a page.

mod app;
pub mod land;
pub mod status;
#[cfg(target_arch = "wasm32")]
pub mod web;

pub use app::App;
#[cfg(not(target_arch = "wasm32"))]
pub use app::ask_for_compute;
