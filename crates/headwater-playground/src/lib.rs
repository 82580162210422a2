//! The playground: Headwater's models live under the mouse. One program, as a window and as a page.

mod app;
#[cfg(target_arch = "wasm32")]
mod host;
pub mod land;
pub mod status;
#[cfg(target_arch = "wasm32")]
mod tree;
#[cfg(target_arch = "wasm32")]
pub mod web;
#[cfg(not(target_arch = "wasm32"))]
pub mod window;

pub use app::{App, ask_for_compute, dress};
