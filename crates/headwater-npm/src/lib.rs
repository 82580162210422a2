//! The module of the JavaScript package. It is a separate crate, like `headwater-page`, because
//! link-time optimisation uses the optimisation level of the final crate: 3 here, while the binding
//! itself is optimised for size.

// JavaScript calls it; the import keeps it from being dropped.
#[cfg(target_arch = "wasm32")]
use headwater_js as _;
