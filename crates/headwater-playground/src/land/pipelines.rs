//! Layouts, samplers and pipelines, created once per device.

use super::gpu::{Drawn, Gpu, Kind, SAMPLER, UNIFORM, Vertices, drawn, sampled};
use super::style::Quality;
use super::{shaders, target};
use wgpu::TextureFormat;

/// Format of maps, which all backends can filter and draw to.
pub(super) const MAP: TextureFormat = TextureFormat::Rgba16Float;
pub(super) const BOOLEAN_LAYERS: TextureFormat = TextureFormat::Rgba8Unorm;

#[derive(Debug)]
pub(super) struct Pipelines {
    pub(super) maps_layout: wgpu::BindGroupLayout,
    pub(super) view_layout: wgpu::BindGroupLayout,
    pub(super) even: wgpu::Sampler,
    pub(super) again: wgpu::Sampler,
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
    pub(super) thing: wgpu::RenderPipeline,
    pub(super) tracer: wgpu::RenderPipeline,
    pub(super) arrow: wgpu::RenderPipeline,
}

fn buffer(
    array_stride: u64,
    step_mode: wgpu::VertexStepMode,
    attributes: &[wgpu::VertexAttribute],
) -> Vertices<'_> {
    Some(wgpu::VertexBufferLayout { array_stride, step_mode, attributes })
}

const STRIP: wgpu::PrimitiveTopology = wgpu::PrimitiveTopology::TriangleStrip;
const OPAQUE: &[Drawn] = &[drawn(target::COLOR, None)];
const BLENDED: &[Drawn] =
    &[drawn(target::COLOR, Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING))];
/// Marks are combined by their maximum.
const MOST: wgpu::BlendComponent = wgpu::BlendComponent {
    src_factor: wgpu::BlendFactor::One,
    dst_factor: wgpu::BlendFactor::One,
    operation: wgpu::BlendOperation::Max,
};
const MARKED: &[Drawn] =
    &[drawn(BOOLEAN_LAYERS, Some(wgpu::BlendState { color: MOST, alpha: MOST }))];
const EACH: wgpu::VertexStepMode = wgpu::VertexStepMode::Instance;
const ONCE: wgpu::VertexStepMode = wgpu::VertexStepMode::Vertex;

/// Returns the number of spray puffs along each side of the world.
pub(super) fn spray(quality: Quality) -> u32 {
    match quality {
        Quality::Low => 40,
        Quality::High => 96,
    }
}

impl Pipelines {
    pub(super) fn new(gpu: &Gpu, quality: Quality) -> Self {
        let mut bindings = vec![UNIFORM, sampled(false), sampled(true)];
        let maps_layout = gpu.layout(&bindings);
        let trace_layout = gpu.layout(&[
            UNIFORM,
            sampled(false),
            sampled(false),
            sampled(true),
            sampled(true),
            SAMPLER,
        ]);
        bindings.extend([sampled(true); 7]);
        bindings.extend([SAMPLER; 2]);
        bindings.push(sampled(true));
        let view_layout = gpu.layout(&bindings);
        let names = ["maps", "trace", "surface", "objects", "streaks", "marks"];
        let [maps, traces, surface, objects, streaks, marks] =
            &names.map(|name| shaders::module(&gpu.device, &format!("land {name}")));
        let fine = quality == Quality::High;
        let steps = if fine { [48.0, 4.0] } else { [28.0, 3.0] };
        let map_constants = [("REACH", steps[0]), ("RINGS", steps[1])];
        let constants = [("FINE", f64::from(u8::from(fine)))];
        let many = [constants[0], ("SPRAY", f64::from(spray(quality)))];
        let samples = target::samples(quality);
        let mapped = |kind| gpu.pipeline(&maps_layout, &Kind { constants: &map_constants, ..kind });
        let marked = |kind| gpu.pipeline(&maps_layout, &Kind { topology: STRIP, ..kind });
        let in_view = |kind, topology, depth| {
            let depth = Some(depth);
            let kind = Kind { depth, samples, constants: &constants, topology, ..kind };
            gpu.pipeline(&view_layout, &kind)
        };
        let seen = |kind, topology| in_view(kind, topology, [true, true]);
        let over = |kind, topology, test| in_view(kind, topology, [false, test]);
        let list = wgpu::PrimitiveTopology::TriangleList;
        let attributes = super::meshes::attributes();
        let shade = wgpu::vertex_attr_array![0 => Float32x4];
        let river = wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x2, 2 => Float32x2];
        let tracer = wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32];
        let arrow = wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32];
        let grid = wgpu::vertex_attr_array![0 => Float32x2];
        let place = wgpu::vertex_attr_array![1 => Float32x4];
        let buffers = [buffer(8, ONCE, &grid), buffer(16, EACH, &place)];
        let patch = Kind::plain(surface, ["vs_patch", "fs_patch"], &buffers, OPAQUE);
        let buffers = [buffer(28, ONCE, &attributes.0), buffer(48, EACH, &attributes.1)];
        let thing = Kind::plain(objects, ["vs_thing", "fs_thing"], &buffers, OPAQUE);
        let buffers = [buffer(20, EACH, &tracer)];
        let tracer = Kind::plain(streaks, ["vs_tracer", "fs_tracer"], &buffers, BLENDED);
        let buffers = [buffer(12, EACH, &arrow)];
        let arrow = Kind::plain(streaks, ["vs_arrow", "fs_arrow"], &buffers, BLENDED);
        let buffers = [buffer(16, EACH, &shade)];
        let shade = Kind::plain(marks, ["vs_shade", "fs_shade"], &buffers, MARKED);
        let buffers = [buffer(32, EACH, &river)];
        let river = Kind::plain(marks, ["vs_river", "fs_river"], &buffers, MARKED);
        let two = [drawn(MAP, None), drawn(MAP, None)];
        let from_cells = |entry, targets| Kind::plain(maps, ["vs_cover", entry], &[], targets);
        let from_maps = |entries| Kind::plain(surface, entries, &[], OPAQUE);
        Self {
            ground_map: mapped(from_cells("fs_ground", &two[..1])),
            water_map: mapped(from_cells("fs_water", &two)),
            trace: gpu.pipeline(
                &trace_layout,
                &Kind::plain(traces, ["vs_cover", "fs_trace"], &[], &two[..1]),
            ),
            trace_layout,
            spray: gpu.pipeline(
                &view_layout,
                &Kind {
                    depth: Some([false, true]),
                    samples,
                    constants: &many,
                    topology: STRIP,
                    ..Kind::plain(streaks, ["vs_spray", "fs_spray"], &[], BLENDED)
                },
            ),
            shade: marked(shade),
            river: marked(river),
            backdrop: over(from_maps(["vs_backdrop", "fs_backdrop"]), list, false),
            map: seen(from_maps(["vs_map", "fs_map"]), list),
            patch: seen(patch, list),
            side: seen(from_maps(["vs_side", "fs_side"]), STRIP),
            thing: seen(thing, list),
            tracer: over(tracer, STRIP, true),
            arrow: over(arrow, list, true),
            even: gpu.sampler(wgpu::AddressMode::ClampToEdge),
            again: gpu.sampler(wgpu::AddressMode::Repeat),
            maps_layout,
            view_layout,
        }
    }
}
