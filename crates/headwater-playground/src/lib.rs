//! The playground, an interactive program for Headwater's models. It runs as a desktop window and
//! as a web page.

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

pub use app::{App, install_fonts, request_compute_limits};
