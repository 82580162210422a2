//! The shaders' texts. Files of WGSL know no imports: what a shader needs stands before it.

/// A shader's name and its files, in order.
const PARTS: [(&str, &[&str]); 6] = [
    ("land maps", &[COMMON, include_str!("shaders/maps.wgsl")]),
    (
        "land surface",
        &[COMMON, LIGHT, include_str!("shaders/land.wgsl"), include_str!("shaders/surface.wgsl")],
    ),
    ("land objects", &[COMMON, LIGHT, include_str!("shaders/objects.wgsl")]),
    ("land streaks", &[COMMON, LIGHT, include_str!("shaders/streaks.wgsl")]),
    ("land marks", &[COMMON, include_str!("shaders/marks.wgsl")]),
    ("land blit", &[include_str!("shaders/blit.wgsl")]),
];
const COMMON: &str = include_str!("shaders/common.wgsl");
const LIGHT: &str = include_str!("shaders/light.wgsl");

/// Every shader: its name and its text.
pub fn shaders() -> Vec<(&'static str, String)> {
    PARTS.iter().map(|(name, parts)| (*name, parts.concat())).collect()
}

/// The shader of that name on a device.
pub(super) fn module(device: &wgpu::Device, name: &str) -> wgpu::ShaderModule {
    let text = PARTS.iter().find(|part| part.0 == name).map(|part| part.1.concat());
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(name),
        source: wgpu::ShaderSource::Wgsl(text.unwrap_or_default().into()),
    })
}
