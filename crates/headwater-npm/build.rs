//! Tells the linker what JavaScript needs of the module.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|target| target == "wasm32") {
        // What throws through the module's functions leaves its stack as it is: the glue puts it back.
        println!("cargo::rustc-link-arg-cdylib=--export=__stack_pointer");
    }
}
