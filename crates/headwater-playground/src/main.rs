//! Entry point of the desktop program. Browsers run `headwater-page` instead.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    headwater_playground::window::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {}
