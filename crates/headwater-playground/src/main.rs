//! The playground's program: a window. What a browser runs is `headwater-page`.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    headwater_playground::window::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {}
