//! The module of the package for JavaScript. It is a package of its own for the reason that `headwater-page` is one: what is linked as
//! one is optimised at the level of the last package, which is to be 3, and the binding itself is to be small.

// JavaScript calls it; named here, it is not left out.
#[cfg(target_arch = "wasm32")]
use headwater_js as _;
