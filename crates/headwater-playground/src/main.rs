//! The playground's program: a window here, a canvas in a browser.

#[cfg(not(target_arch = "wasm32"))]
mod window;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    window::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {
    headwater_playground::web::start();
}
