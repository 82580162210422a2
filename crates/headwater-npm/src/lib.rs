//! The WebAssembly module of the JavaScript package. It is a separate crate because link-time
//! optimization uses the optimization level of the final crate. The level is 3 here, whereas the
//! binding is optimized for size.

// JavaScript calls it; the import keeps it from being dropped.
#[cfg(target_arch = "wasm32")]
use headwater_js as _;
