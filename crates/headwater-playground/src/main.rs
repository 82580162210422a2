//! The playground's program: a window here, a canvas in a browser.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    headwater_playground::window::main()
}

// A page calls `play` when all is ready; named here, what it calls is not left out.
#[cfg(target_arch = "wasm32")]
use headwater_playground as _;
#[cfg(target_arch = "wasm32")]
fn main() {}
