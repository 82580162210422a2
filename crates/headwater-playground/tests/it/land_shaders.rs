//! Every shader is valid WGSL. That needs no device.

use naga::valid::{Capabilities, ValidationFlags, Validator};

fn fault(text: &str) -> Option<String> {
    let module = match naga::front::wgsl::parse_str(text) {
        Ok(module) => module,
        Err(error) => return Some(error.emit_to_string(text)),
    };
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    validator.validate(&module).err().map(|error| error.emit_to_string(text))
}

#[test]
fn every_shader_is_valid() {
    let shaders = headwater_playground::land::shaders();
    assert!(shaders.len() > 3);
    for (name, text) in shaders {
        if let Some(fault) = fault(&text) {
            panic!("{name}: {fault}");
        }
    }
}

#[test]
fn a_wrong_shader_is_found_out() {
    assert!(fault("fn f() -> f32 { return 1u; }").is_some());
    assert!(fault("fn f( {").is_some());
}
