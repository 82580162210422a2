//! Every shader is valid WGSL. That needs no device.

use crate::wgsl::fault;

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
