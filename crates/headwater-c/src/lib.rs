//! Headwater's worlds by a C interface: opaque handles, status codes, the caller's buffers. It is thin over
//! [`headwater_scene::facade`], whose every call has a function here.
//!
//! The header `include/headwater.h` is made of these files by cbindgen, and a test compares the two. What is true of all functions
//! stands at its head, in `cbindgen.toml`.

mod about;
mod body;
mod books;
mod create;
mod edit;
mod keep;
mod last_error;
mod place;
mod pointer;
mod springs;
mod status;
mod text;
mod time;
mod view;
mod worlds;

pub use about::*;
pub use body::*;
pub use books::*;
pub use create::*;
pub use edit::*;
pub use keep::*;
pub use last_error::*;
pub use place::*;
pub use springs::*;
pub use status::*;
pub use time::*;
pub use view::*;
pub use worlds::*;
