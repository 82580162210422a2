//! The WebAssembly program of the web page. It is a separate crate because link-time optimization
//! uses the optimization level of the final crate. The level is 3 here, for vectorized loops,
//! whereas the playground is optimized for size.

// The page calls `play` when it is ready; the import keeps it from being dropped.
#[cfg(target_arch = "wasm32")]
use headwater_playground as _;

fn main() {}
