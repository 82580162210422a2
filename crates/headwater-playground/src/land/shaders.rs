//! Assembly of the renderer's shaders. WGSL has no imports, so each shader is a concatenation of
//! files.

use headwater_scene::picture::{BANK_RATIO, FLATTEST_BANK, STEEPEST_BANK, paint};

/// Name of each shader, and the files that it consists of, in order.
const PARTS: [(&str, &[&str]); 7] = [
    ("land maps", &[COMMON, include_str!("shaders/maps.wgsl")]),
    ("land trace", &[COMMON, include_str!("shaders/trace.wgsl")]),
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

/// Returns WGSL constants that the painters on the CPU also use: three depth ratios that define
/// banks (cells at the edge of much deeper water), and two water colours in linear light.
fn shared_constants() -> String {
    let light = |code: u32| {
        let [r, g, b] = [16, 8, 0].map(|shift| f64::from((code >> shift) & 255) / 255.0);
        let [r, g, b] = [r, g, b].map(|v| v.powf(2.2));
        format!("vec3({r:?}, {g:?}, {b:?})")
    };
    format!(
        "const BANK_RATIO: f32 = {BANK_RATIO:?};\nconst STEEPEST_BANK: f32 = {STEEPEST_BANK:?};\n\
         const FLATTEST_BANK: f32 = {FLATTEST_BANK:?};\nconst THIN: vec3<f32> = {};\n\
         const FOAM: vec3<f32> = {};\n",
        light(paint::THIN_WATER),
        light(paint::FOAM)
    )
}

/// Returns the name and WGSL source of every shader of the renderer.
pub fn shaders() -> Vec<(&'static str, String)> {
    PARTS.iter().map(|(name, parts)| (*name, shared_constants() + &parts.concat())).collect()
}

/// Creates the shader module with the given name.
pub(super) fn create_module(device: &wgpu::Device, name: &str) -> wgpu::ShaderModule {
    let text =
        PARTS.iter().find(|part| part.0 == name).map(|part| shared_constants() + &part.1.concat());
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(name),
        source: wgpu::ShaderSource::Wgsl(text.unwrap_or_default().into()),
    })
}
