//! Exports what the JavaScript glue needs of the module.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|target| target == "wasm32") {
        // An exception leaves the stack pointer unchanged; the glue resets it.
        println!("cargo::rustc-link-arg-cdylib=--export=__stack_pointer");
    }
}
