//! Maps that `maps.wgsl` derives from the cells (slopes, light, shore), and a map of marks that are
//! drawn on the ground, such as rivers and shadows. Each map is redrawn only where its inputs have
//! changed.

use super::cells::CellTextures;
use super::frame::Frame;
use super::gpu::{Gpu, Instances, RENDERED, RENDERED_AND_COPIED, UPLOADED, texture_descriptor};
use super::pipelines::{BOOLEAN_LAYERS, MAP_FORMAT, Pipelines};

/// Radius (cells) within which terrain is considered when ambient occlusion is computed for a
/// point.
const OCCLUSION_RADIUS: usize = 40;
/// Largest length of a shadow (cells).
const MAX_SHADOW: f32 = 400.0;
/// Largest number of texels per cell along each axis of the map of drawn marks (rivers, shadows).
const MARKS_PER_CELL: usize = 4;
/// Largest number of texels along each side of the map of drawn marks (rivers, shadows).
const MARKS_SIDE: usize = 2048;

/// Textures derived from a world: maps of the ground, of the water, of wet ground and foam, and of
/// marks that are drawn on the ground, such as rivers and shadows.
#[derive(Debug)]
pub(super) struct Maps {
    pub(super) ground: wgpu::TextureView,
    pub(super) depth: wgpu::TextureView,
    pub(super) surface: wgpu::TextureView,
    pub(super) marks: wgpu::TextureView,
    /// Map of wet ground and foam. Its next state is drawn to `next_trace`; then the result is
    /// copied back to this texture.
    pub(super) trace: wgpu::TextureView,
    next_trace: wgpu::TextureView,
    trace_group: wgpu::BindGroup,
    group: wgpu::BindGroup,
    size: [usize; 2],
    /// Bounding rectangle of the cells whose ground has changed since the last drawing: first
    /// column, first row, end column, end row (ends exclusive).
    ground_changed: Option<[usize; 4]>,
    water_changed: bool,
    marks_changed: bool,
    /// Unit vector toward the sun (three components) and vertical exaggeration when the ground map
    /// was last drawn.
    ground_drawn_for: Option<[f32; 4]>,
    /// Colour scales when the water maps were last drawn, as returned by `Frame::water_scales`.
    water_drawn_for: Option<[f32; 4]>,
}

impl Maps {
    pub(super) fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        uniforms: &wgpu::Buffer,
        store: &CellTextures,
    ) -> Self {
        let target = |label, format, size: [usize; 2]| {
            gpu.create_texture(&texture_descriptor(
                label,
                size.map(|side| side as u32),
                format,
                RENDERED,
            ))
        };
        let size = [store.nx, store.ny];
        let view = wgpu::BindingResource::TextureView;
        let resources = vec![uniforms.as_entire_binding(), view(&store.cells), view(&store.flags)];
        let group = gpu.bind(&pipelines.maps_layout, resources);
        let max_side = MARKS_SIDE.min(gpu.device.limits().max_texture_dimension_2d as usize);
        let fine = (max_side / store.nx.max(store.ny)).clamp(1, MARKS_PER_CELL);
        let depth = target("depth map", MAP_FORMAT, size);
        let copy = |label, usage| {
            gpu.create_texture(&texture_descriptor(
                label,
                size.map(|side| side as u32),
                MAP_FORMAT,
                usage,
            ))
        };
        let trace = copy("trace", UPLOADED);
        let resources = vec![
            uniforms.as_entire_binding(),
            view(&store.cells),
            view(&store.flags),
            view(&depth),
            view(&trace),
            wgpu::BindingResource::Sampler(&pipelines.clamp_sampler),
        ];
        Self {
            ground: target("ground map", MAP_FORMAT, size),
            trace_group: gpu.bind(&pipelines.trace_layout, resources),
            next_trace: copy("next trace", RENDERED_AND_COPIED),
            trace,
            depth,
            surface: target("surface map", MAP_FORMAT, size),
            marks: target("marks", BOOLEAN_LAYERS, size.map(|side| (fine * side).min(max_side))),
            group,
            size,
            ground_changed: Some([0, 0, size[0], size[1]]),
            water_changed: true,
            marks_changed: true,
            ground_drawn_for: None,
            water_drawn_for: None,
        }
    }

    /// Marks all water as changed, and also the rectangle `ground` of ground cells if given.
    pub(super) fn mark_cells_changed(&mut self, ground: Option<[usize; 4]>) {
        self.water_changed = true;
        let join = |a: [usize; 4], b: [usize; 4]| {
            [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
        };
        self.ground_changed = match (self.ground_changed, ground) {
            (Some(a), Some(b)) => Some(join(a, b)),
            (a, b) => a.or(b),
        };
    }

    /// Marks the objects on the land (such as rivers and trees) as changed.
    pub(super) fn mark_objects_changed(&mut self) {
        self.marks_changed = true;
    }

    pub(super) fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        pipelines: &Pipelines,
        frame: &Frame,
        shades: Option<&Instances>,
        rivers: &Instances,
    ) {
        let lit = [frame.sun[0], frame.sun[1], frame.sun[2], frame.heights[3]];
        if self.ground_drawn_for != Some(lit) {
            self.ground_changed = Some([0, 0, self.size[0], self.size[1]]);
            self.marks_changed = true;
            self.ground_drawn_for = Some(lit);
        }
        if self.water_drawn_for != Some(frame.water_scales()) {
            self.water_changed = true;
            self.water_drawn_for = Some(frame.water_scales());
        }
        if let Some(changed) = self.ground_changed.take() {
            let [x0, y0, x1, y1] = lit_rectangle(changed, self.size, lit);
            let mut pass = self.begin(encoder, "ground map", &[&self.ground], wgpu::LoadOp::Load);
            pass.set_scissor_rect(x0 as u32, y0 as u32, (x1 - x0) as u32, (y1 - y0) as u32);
            pass.set_pipeline(&pipelines.ground_map);
            pass.draw(0..3, 0..1);
        }
        let changed = std::mem::take(&mut self.water_changed);
        if changed {
            let targets = [&self.depth, &self.surface];
            let mut pass = self.begin(encoder, "water map", &targets, wgpu::LoadOp::Load);
            pass.set_pipeline(&pipelines.water_map);
            pass.draw(0..3, 0..1);
        }
        if changed || frame.elapsed[1] > 0.0 {
            let mut pass = self.begin(encoder, "trace", &[&self.next_trace], wgpu::LoadOp::Load);
            pass.set_bind_group(0, &self.trace_group, &[]);
            pass.set_pipeline(&pipelines.trace);
            pass.draw(0..3, 0..1);
            drop(pass);
            let [from, to] = [&self.next_trace, &self.trace].map(wgpu::TextureView::texture);
            encoder.copy_texture_to_texture(from.as_image_copy(), to.as_image_copy(), to.size());
        }
        if std::mem::take(&mut self.marks_changed) {
            let clear = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
            let mut pass = self.begin(encoder, "marks", &[&self.marks], clear);
            rivers.draw(&mut pass, &pipelines.river, 4);
            if let Some(shades) = shades {
                shades.draw(&mut pass, &pipelines.shade, 4);
            }
        }
    }

    /// Begins a render pass that draws maps from the cell textures.
    fn begin<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
        label: &str,
        targets: &[&wgpu::TextureView],
        load: wgpu::LoadOp<wgpu::Color>,
    ) -> wgpu::RenderPass<'a> {
        let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
        let attached = |view| wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops,
        };
        let attachments: Vec<_> = targets.iter().map(|&view| Some(attached(view))).collect();
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(label),
            color_attachments: &attachments,
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_bind_group(0, &self.group, &[]);
        pass
    }
}

/// Returns the rectangle of cells whose lighting depends on the ground in the rectangle `changed`,
/// because of shadows and ambient occlusion.
fn lit_rectangle(changed: [usize; 4], [nx, ny]: [usize; 2], sun: [f32; 4]) -> [usize; 4] {
    let level = sun[0].hypot(sun[1]).max(1e-6);
    let shade = [0, 1].map(|i| (-sun[i] / level * MAX_SHADOW) as isize);
    let low = |at: usize, shade: isize| {
        at.saturating_sub(OCCLUSION_RADIUS).saturating_sub(shade.min(0).unsigned_abs())
    };
    let high = |at: usize, shade: isize, n: usize| {
        (at + OCCLUSION_RADIUS + shade.max(0).unsigned_abs()).min(n)
    };
    [
        low(changed[0], shade[0]),
        low(changed[1], shade[1]),
        high(changed[2], shade[0], nx),
        high(changed[3], shade[1], ny),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_affect_light_away_from_the_sun() {
        // For example, with the sun in the west, digging changes shadows in the east.
        let [x0, _, x1, _] =
            lit_rectangle([500, 500, 510, 510], [1000, 1000], [-0.7, 0.0, 0.7, 1.0]);
        assert_eq!((x0, x1), (460, 950));
    }
}
