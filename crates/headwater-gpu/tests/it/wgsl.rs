//! Whether a shader is valid WGSL.

use naga::valid::{Capabilities, ValidationFlags, Validator};

/// What is wrong with a shader, if anything is.
pub(crate) fn fault(text: &str) -> Option<String> {
    let module = match naga::front::wgsl::parse_str(text) {
        Ok(module) => module,
        Err(error) => return Some(error.emit_to_string(text)),
    };
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    validator.validate(&module).err().map(|error| error.emit_to_string(text))
}

#[test]
fn a_wrong_shader_is_found_out() {
    assert!(fault("fn f() -> f32 { return 1u; }").is_some());
    assert!(fault("fn f( {").is_some());
}
