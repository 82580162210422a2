//! Validation of WGSL source code with naga.

use naga::valid::{Capabilities, ValidationFlags, Validator};

/// Returns the first error in WGSL source code. Returns `None` if the code is valid.
pub(crate) fn validation_error(text: &str) -> Option<String> {
    let module = match naga::front::wgsl::parse_str(text) {
        Ok(module) => module,
        Err(error) => return Some(error.emit_to_string(text)),
    };
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    validator.validate(&module).err().map(|error| error.emit_to_string(text))
}

#[test]
fn invalid_shaders_are_detected() {
    assert!(validation_error("fn f() -> f32 { return 1u; }").is_some());
    assert!(validation_error("fn f( {").is_some());
}
