//! C interface of Headwater, with opaque handles, status codes, and buffers that the caller
//! provides. It is a thin layer over [`headwater_scene::facade`], with one function for each method
//! of the facade.
//!
//! cbindgen generates the header `include/headwater.h` from these files, and a test checks that the
//! header is up to date. The header begins with the conventions that apply to all functions; their
//! text is in `cbindgen.toml`.

mod body;
mod create;
mod edit;
mod info;
mod last_error;
mod ledger;
mod place;
mod pointer;
mod snapshot;
mod springs;
mod status;
mod text;
mod time;
mod view;
mod worlds;

pub use body::*;
pub use create::*;
pub use edit::*;
pub use info::*;
pub use last_error::*;
pub use ledger::*;
pub use place::*;
pub use snapshot::*;
pub use springs::*;
pub use status::*;
pub use time::*;
pub use view::*;
pub use worlds::*;
