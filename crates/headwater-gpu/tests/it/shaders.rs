//! Every shader is valid WGSL. That needs no device.

use crate::wgsl::fault;

#[test]
fn every_shader_is_valid() {
    let shaders = headwater_gpu::shaders();
    assert!(!shaders.is_empty());
    for (name, text) in shaders {
        if let Some(fault) = fault(&text) {
            panic!("{name}: {fault}");
        }
    }
}
