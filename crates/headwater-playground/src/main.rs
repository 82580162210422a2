//! The playground's program: a window. What a browser runs is `headwater-page`.

#[cfg(not(target_arch = "wasm32"))]
mod window;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    window::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {}
