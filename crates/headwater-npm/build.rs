//! Build script that exports those symbols of the WebAssembly module that the JavaScript glue code
//! needs.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|target| target == "wasm32") {
        // An exception leaves the stack pointer unchanged; the glue resets it.
        println!("cargo::rustc-link-arg-cdylib=--export=__stack_pointer");
    }
}
