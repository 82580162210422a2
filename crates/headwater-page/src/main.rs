//! The program of the web page. It is a separate crate because link-time optimisation uses the
//! optimisation level of the final crate: 3 here, for vectorised loops, while the playground itself
//! is optimised for size.

// The page calls `play` when it is ready; the import keeps it from being dropped.
#[cfg(target_arch = "wasm32")]
use headwater_playground as _;

fn main() {}
