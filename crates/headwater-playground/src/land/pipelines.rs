//! Bind group layouts, samplers and render pipelines of the renderer, created once per device.

use super::gpu::{
    ColorTarget, Gpu, PipelineDesc, SAMPLER, UNIFORM, VertexLayout, color_target, texture_binding,
};
use super::style::Quality;
use super::{shaders, target};
use wgpu::TextureFormat;

/// Texture format of maps. All backends can filter this format and draw to it.
pub(super) const MAP_FORMAT: TextureFormat = TextureFormat::Rgba16Float;
pub(super) const BOOLEAN_LAYERS: TextureFormat = TextureFormat::Rgba8Unorm;

#[derive(Debug)]
pub(super) struct Pipelines {
    pub(super) maps_layout: wgpu::BindGroupLayout,
    pub(super) view_layout: wgpu::BindGroupLayout,
    pub(super) clamp_sampler: wgpu::Sampler,
    pub(super) repeat_sampler: wgpu::Sampler,
    pub(super) ground_map: wgpu::RenderPipeline,
    pub(super) water_map: wgpu::RenderPipeline,
    pub(super) trace_layout: wgpu::BindGroupLayout,
    pub(super) trace: wgpu::RenderPipeline,
    pub(super) spray: wgpu::RenderPipeline,
    pub(super) shade: wgpu::RenderPipeline,
    pub(super) river: wgpu::RenderPipeline,
    pub(super) backdrop: wgpu::RenderPipeline,
    pub(super) map: wgpu::RenderPipeline,
    pub(super) patch: wgpu::RenderPipeline,
    pub(super) side: wgpu::RenderPipeline,
    pub(super) object: wgpu::RenderPipeline,
    pub(super) tracer: wgpu::RenderPipeline,
    pub(super) arrow: wgpu::RenderPipeline,
}

fn vertex_buffer_layout(
    array_stride: u64,
    step_mode: wgpu::VertexStepMode,
    attributes: &[wgpu::VertexAttribute],
) -> VertexLayout<'_> {
    Some(wgpu::VertexBufferLayout { array_stride, step_mode, attributes })
}

const STRIP: wgpu::PrimitiveTopology = wgpu::PrimitiveTopology::TriangleStrip;
const OPAQUE: &[ColorTarget] = &[color_target(target::COLOR_FORMAT, None)];
const BLENDED: &[ColorTarget] =
    &[color_target(target::COLOR_FORMAT, Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING))];
/// Blending that keeps the maximum where drawn marks (rivers, shadows) overlap.
const MAX_BLEND: wgpu::BlendComponent = wgpu::BlendComponent {
    src_factor: wgpu::BlendFactor::One,
    dst_factor: wgpu::BlendFactor::One,
    operation: wgpu::BlendOperation::Max,
};
const MARK_TARGETS: &[ColorTarget] =
    &[color_target(BOOLEAN_LAYERS, Some(wgpu::BlendState { color: MAX_BLEND, alpha: MAX_BLEND }))];
const PER_INSTANCE: wgpu::VertexStepMode = wgpu::VertexStepMode::Instance;
const PER_VERTEX: wgpu::VertexStepMode = wgpu::VertexStepMode::Vertex;

/// Returns the number of spray puffs (drawn particles of foam) along each side of the world.
pub(super) fn spray_puffs_per_side(quality: Quality) -> u32 {
    match quality {
        Quality::Low => 40,
        Quality::High => 96,
    }
}

impl Pipelines {
    pub(super) fn new(gpu: &Gpu, quality: Quality) -> Self {
        let mut bindings = vec![UNIFORM, texture_binding(false), texture_binding(true)];
        let maps_layout = gpu.create_bind_group_layout(&bindings);
        let trace_layout = gpu.create_bind_group_layout(&[
            UNIFORM,
            texture_binding(false),
            texture_binding(false),
            texture_binding(true),
            texture_binding(true),
            SAMPLER,
        ]);
        bindings.extend([texture_binding(true); 7]);
        bindings.extend([SAMPLER; 2]);
        bindings.push(texture_binding(true));
        let view_layout = gpu.create_bind_group_layout(&bindings);
        let names = ["maps", "trace", "surface", "objects", "streaks", "marks"];
        let [maps, traces, surface, objects, streaks, marks] =
            &names.map(|name| shaders::create_module(&gpu.device, &format!("land {name}")));
        let fine = quality == Quality::High;
        let steps = if fine { [48.0, 4.0] } else { [28.0, 3.0] };
        let map_constants = [("REACH", steps[0]), ("RINGS", steps[1])];
        let constants = [("FINE", f64::from(u8::from(fine)))];
        let many = [constants[0], ("SPRAY", f64::from(spray_puffs_per_side(quality)))];
        let samples = target::samples(quality);
        let mapped = |desc| {
            gpu.create_pipeline(&maps_layout, &PipelineDesc { constants: &map_constants, ..desc })
        };
        let marked =
            |desc| gpu.create_pipeline(&maps_layout, &PipelineDesc { topology: STRIP, ..desc });
        let in_view = |desc, topology, depth| {
            let depth = Some(depth);
            let desc = PipelineDesc { depth, samples, constants: &constants, topology, ..desc };
            gpu.create_pipeline(&view_layout, &desc)
        };
        let seen = |desc, topology| in_view(desc, topology, [true, true]);
        let over = |desc, topology, test| in_view(desc, topology, [false, test]);
        let list = wgpu::PrimitiveTopology::TriangleList;
        let attributes = super::objects::meshes::attributes();
        let shade = wgpu::vertex_attr_array![0 => Float32x4];
        let river = wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x2, 2 => Float32x2];
        let tracer = wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32];
        let arrow = wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32];
        let grid = wgpu::vertex_attr_array![0 => Float32x2];
        let place = wgpu::vertex_attr_array![1 => Float32x4];
        let buffers = [
            vertex_buffer_layout(8, PER_VERTEX, &grid),
            vertex_buffer_layout(16, PER_INSTANCE, &place),
        ];
        let patch =
            PipelineDesc::opaque_triangles(surface, ["vs_patch", "fs_patch"], &buffers, OPAQUE);
        let buffers = [
            vertex_buffer_layout(28, PER_VERTEX, &attributes.0),
            vertex_buffer_layout(48, PER_INSTANCE, &attributes.1),
        ];
        let object =
            PipelineDesc::opaque_triangles(objects, ["vs_object", "fs_object"], &buffers, OPAQUE);
        let buffers = [vertex_buffer_layout(20, PER_INSTANCE, &tracer)];
        let tracer =
            PipelineDesc::opaque_triangles(streaks, ["vs_tracer", "fs_tracer"], &buffers, BLENDED);
        let buffers = [vertex_buffer_layout(12, PER_INSTANCE, &arrow)];
        let arrow =
            PipelineDesc::opaque_triangles(streaks, ["vs_arrow", "fs_arrow"], &buffers, BLENDED);
        let buffers = [vertex_buffer_layout(16, PER_INSTANCE, &shade)];
        let shade =
            PipelineDesc::opaque_triangles(marks, ["vs_shade", "fs_shade"], &buffers, MARK_TARGETS);
        let buffers = [vertex_buffer_layout(32, PER_INSTANCE, &river)];
        let river =
            PipelineDesc::opaque_triangles(marks, ["vs_river", "fs_river"], &buffers, MARK_TARGETS);
        let two = [color_target(MAP_FORMAT, None), color_target(MAP_FORMAT, None)];
        let from_cells = |entry, targets| {
            PipelineDesc::opaque_triangles(maps, ["vs_cover", entry], &[], targets)
        };
        let from_maps = |entries| PipelineDesc::opaque_triangles(surface, entries, &[], OPAQUE);
        Self {
            ground_map: mapped(from_cells("fs_ground", &two[..1])),
            water_map: mapped(from_cells("fs_water", &two)),
            trace: gpu.create_pipeline(
                &trace_layout,
                &PipelineDesc::opaque_triangles(traces, ["vs_cover", "fs_trace"], &[], &two[..1]),
            ),
            trace_layout,
            spray: gpu.create_pipeline(
                &view_layout,
                &PipelineDesc {
                    depth: Some([false, true]),
                    samples,
                    constants: &many,
                    topology: STRIP,
                    ..PipelineDesc::opaque_triangles(
                        streaks,
                        ["vs_spray", "fs_spray"],
                        &[],
                        BLENDED,
                    )
                },
            ),
            shade: marked(shade),
            river: marked(river),
            backdrop: over(from_maps(["vs_backdrop", "fs_backdrop"]), list, false),
            map: seen(from_maps(["vs_map", "fs_map"]), list),
            patch: seen(patch, list),
            side: seen(from_maps(["vs_side", "fs_side"]), STRIP),
            object: seen(object, list),
            tracer: over(tracer, STRIP, true),
            arrow: over(arrow, list, true),
            clamp_sampler: gpu.create_sampler(wgpu::AddressMode::ClampToEdge),
            repeat_sampler: gpu.create_sampler(wgpu::AddressMode::Repeat),
            maps_layout,
            view_layout,
        }
    }
}
