//! Validation of all shaders of the crate. Needs no device.

use crate::wgsl::validation_error;

#[test]
fn every_shader_is_valid() {
    let shaders = headwater_gpu::shaders();
    assert!(!shaders.is_empty());
    for (name, text) in shaders {
        if let Some(validation_error) = validation_error(&text) {
            panic!("{name}: {validation_error}");
        }
    }
}
