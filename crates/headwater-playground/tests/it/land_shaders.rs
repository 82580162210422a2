//! Validation of the land renderer's shaders, without a device.

use crate::wgsl::validation_error;

#[test]
fn every_shader_is_valid() {
    let shaders = headwater_playground::land::shaders();
    assert!(shaders.len() > 3);
    for (name, text) in shaders {
        if let Some(validation_error) = validation_error(&text) {
            panic!("{name}: {validation_error}");
        }
    }
}
