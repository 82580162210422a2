//! [`LandView`]: the view of a world from above or in 3-D.

use super::draw_data::{DrawData, Tint};
use super::view::{CameraPath, PointerPosition, View};
use crate::app::panels::widgets::Tip as _;
use crate::app::world::world_view::WorldView;
use crate::land::{
    self, Camera, CanvasHalf, Cursor, FrameDescription, LandStyle, Layer, Quality, Scales,
};
use crate::status::Probe;
use eframe::egui::{self, Color32, Rect};
use eframe::egui_wgpu::RenderState;
use headwater::changes::{Changes, Stamp};
use headwater::flow::Flow;
use headwater_scene::Scene;
use headwater_scene::live::Live;
use headwater_scene::picture::{Liquid, PoolLiquid};
use headwater_scene::waves::WavesWorld;
use std::sync::Arc;
use web_time::Instant;

/// View modes of worlds seen from above.
pub(super) const VIEWS: &[View] =
    &[View::World, View::Depth, View::Velocity, View::Surface, View::Ground];

/// Minimum interval (s) between updates of the picture. It applies to worlds that are expensive to
/// draw or must be read back from the GPU.
const REFRESH_INTERVAL: f64 = 0.4;

/// Colour of the brush ring (red, green, blue, opacity; 0 to 1).
const RING: [f32; 4] = [1.0, 1.0, 1.0, 0.9];

pub(super) struct LandView {
    render: RenderState,
    /// Half of the canvas that this view occupies. In a comparison, each of the two worlds has one
    /// half.
    half: CanvasHalf,
    quality: Quality,
    pub(super) style: LandStyle,
    pub(super) camera: Option<Camera>,
    /// Camera of the display mode (map or 3-D) that is not active.
    pub(super) inactive_camera: Option<Camera>,
    pub(super) is_map: bool,
    pub(super) camera_path: Option<CameraPath>,
    /// Whether the camera keeps the whole world in view. True until the user moves the camera. If
    /// true, the camera is refitted when the view is resized.
    pub(super) is_fitted: bool,
    /// Size of the view when the camera was last fitted (points).
    pub(super) fitted_view_size: [f32; 2],
    pub(super) draw_data: Option<DrawData>,
    /// Ground colours that were last uploaded to the renderer.
    tint: Option<Arc<Tint>>,
    /// Step count and edit count of the uploaded state, and the wall time of its upload.
    uploaded_state: Option<(u64, u64, Instant)>,
    /// Tiles of the world that may have changed since the last upload.
    changes: Changes,
    /// Step count and edit count of the state that was last drawn on the GPU.
    drawn_on_gpu: Option<(u64, u64)>,
    pub(super) scales: Option<Scales>,
    pub(super) view: [f32; 2],
    /// Animation time of ripples (s). It does not advance while the world is paused.
    clock: f64,
    fault: Option<String>,
}

impl LandView {
    pub(super) fn new(render: &RenderState, half: CanvasHalf) -> Self {
        let quality = Quality::for_adapter(&render.adapter.get_info());
        land::install_renderer(render, half, Some(quality));
        Self {
            render: render.clone(),
            half,
            quality,
            style: LandStyle::default(),
            camera: None,
            inactive_camera: None,
            is_map: false,
            camera_path: None,
            is_fitted: true,
            fitted_view_size: [1.0, 1.0],
            draw_data: None,
            tint: None,
            uploaded_state: None,
            changes: Changes::default(),
            drawn_on_gpu: None,
            scales: None,
            view: [1.0, 1.0],
            clock: 0.0,
            fault: None,
        }
    }

    /// Discards all drawn data. Called after a switch to another world or a restart.
    pub(super) fn refresh(&mut self) {
        (self.draw_data, self.uploaded_state, self.scales) = (None, None, None);
        self.drawn_on_gpu = None;
    }

    pub(super) fn show_settings(&mut self, ui: &mut egui::Ui, probe: &Probe) {
        ui.horizontal(|ui| {
            let both = [
                (false, ("3-D", "In three dimensions (M)"), "view.orbit"),
                (true, ("Map", "From straight above (M)"), "view.map"),
            ];
            for (is_map, (label, tip), name) in both {
                let entry = ui.selectable_label(self.is_map == is_map, label);
                if probe.record_widget(name, entry).tip(tip).clicked() && self.is_map != is_map {
                    self.toggle_map();
                }
            }
        });
        let style = &mut self.style;
        let mut refine = None;
        ui.horizontal_wrapped(|ui| {
            ui.checkbox(&mut style.contours, "Contours");
            ui.checkbox(&mut style.arrows, "Arrows");
            ui.checkbox(&mut style.particles, "Tracers");
            ui.checkbox(&mut style.trees, "Trees");
            let mut fine = self.quality == Quality::High;
            let switch = ui.checkbox(&mut fine, "Fine");
            let switch = probe
                .record_widget("view.fine", switch)
                .tip("More triangles, samples and detail. Disable this on machines without a GPU");
            refine = switch.changed().then_some(fine);
        });
        if let Some(scales) = &self.scales {
            let mut exaggeration = style.exaggeration(scales);
            ui.label("Heights");
            let slider = egui::Slider::new(&mut exaggeration, 0.2..=20.0)
                .logarithmic(true)
                .suffix("×")
                .max_decimals(2);
            if ui.add(slider).changed() {
                style.exaggeration = Some(exaggeration);
            }
            let quantity = match style.layer {
                Layer::Depth => Some("depth"),
                Layer::Speed => Some("speed"),
                Layer::Surface => Some("surface"),
                Layer::Ground => Some("ground"),
                Layer::Natural => None,
            };
            if let Some(quantity) = quantity {
                let [low, high] = style.range(scales);
                ui.weak(format!("{quantity} from {low:.2} to {high:.2} {}", style.layer.unit()));
            }
        }
        ui.label("Sun");
        ui.add(egui::Slider::new(&mut style.sun_azimuth, 0.0..=360.0).suffix("°"))
            .tip("Azimuth, clockwise from north");
        ui.add(egui::Slider::new(&mut style.sun_altitude, 5.0..=90.0).suffix("°"))
            .tip("Altitude above the horizon");
        if let Some(fine) = refine {
            self.set_quality(if fine { Quality::High } else { Quality::Low });
        }
    }

    fn set_quality(&mut self, quality: Quality) {
        self.quality = quality;
        land::install_renderer(&self.render, self.half, Some(quality));
        self.refresh();
    }

    pub(super) fn free_device_resources(&self) {
        land::remove_renderer(&self.render, self.half);
    }

    /// Copies the style and colour scales of another view, for a comparison.
    pub(super) fn copy_style(&mut self, other: &Self) {
        if self.quality != other.quality {
            self.set_quality(other.quality);
        }
        self.style.clone_from(&other.style);
        if self.scales.is_some() && self.scales != other.scales {
            let mut renderer = self.render.renderer.write();
            let land = land::installed_renderer(&mut renderer.callback_resources, self.half);
            if let (Some(land), Some(scales)) = (land, other.scales) {
                land.set_scales(scales);
                self.scales = Some(scales);
            }
        }
    }

    pub(super) fn paint(
        &mut self,
        ui: &egui::Ui,
        rect: Rect,
        world_view: &mut WorldView,
        view: View,
        ring: Option<(PointerPosition, f64)>,
    ) {
        self.view = rect.size().into();
        self.upload(world_view);
        self.draw_on_gpu(world_view);
        self.style.dark = ui.visuals().dark_mode;
        self.style.layer = match view {
            View::Depth => Layer::Depth,
            View::Velocity => Layer::Speed,
            View::Surface => Layer::Surface,
            View::Ground => Layer::Ground,
            _ => Layer::Natural,
        };
        if let Some(extent) = self.extent() {
            let (map, orbit) = (Camera::map(&extent, self.view), Camera::orbit(&extent, self.view));
            let (now, inactive_camera) = if self.is_map { (map, orbit) } else { (orbit, map) };
            match &mut self.camera {
                None => {
                    (self.camera, self.inactive_camera) = (Some(now), Some(inactive_camera));
                    self.fitted_view_size = self.view;
                }
                Some(camera) if self.is_fitted && self.fitted_view_size != self.view => {
                    camera.fit(&extent, self.view);
                    self.fitted_view_size = self.view;
                }
                Some(_) => {}
            }
            self.inactive_camera.get_or_insert(inactive_camera);
        }
        self.advance_animation(ui);
        // An edit may have raised the ground above the camera.
        if let (Some(mut camera), Some(terrain)) = (self.camera, self.terrain()) {
            camera.constrain(self.view, &terrain);
            self.camera = Some(camera);
        }
        let painter = ui.painter().with_clip_rect(rect);
        if let Some(fault) = &self.fault {
            let (font, middle) = (egui::FontId::proportional(15.0), egui::Align2::CENTER_CENTER);
            painter.text(rect.center(), middle, fault, font, Color32::GRAY);
            return;
        }
        let Some(camera) = self.camera else { return };
        self.clock += world_view.play_seconds;
        let cursor =
            ring.map(|(pointed, radius)| Cursor { at: pointed.position, radius, color: RING });
        self.style.rain = world_view.rain_intensity();
        let (time, clock) = (self.clock, world_view.live.clock());
        let description = FrameDescription {
            camera,
            style: self.style.clone(),
            cursor,
            time,
            clock,
            size: self.view,
        };
        painter.add(land::paint_callback(rect, self.half, description));
    }

    /// Uploads the state of the world to the renderer if it has changed.
    fn upload(&mut self, world_view: &WorldView) {
        let (steps, edits) = (cpu_step_count(&world_view.live), world_view.edits);
        let slow =
            world_view.live.scene().hydrology().is_some() || world_view.live.backend().is_device();
        if let Some((old_steps, old_edits, when)) = self.uploaded_state {
            let same = (old_steps, old_edits) == (steps, edits);
            let soon =
                slow && old_edits == edits && when.elapsed().as_secs_f64() < REFRESH_INTERVAL;
            if same || soon {
                return;
            }
        }
        let Some(draw_data) = DrawData::collect(&world_view.live, self.draw_data.take()) else {
            return;
        };
        let mut renderer = self.render.renderer.write();
        let land = land::installed_renderer(&mut renderer.callback_resources, self.half);
        let Some(land) = land else { return };
        let fresh = self.uploaded_state.is_none();
        // After drawing on the GPU, all uploaded cells are outdated. In the wave model, an edit of
        // the land can also move distant banks.
        let edited = self.uploaded_state.is_some_and(|(_, edits, _)| edits != world_view.edits);
        let banks = edited && world_view.live.scene().waves().is_some();
        let whole = fresh || banks || self.drawn_on_gpu.is_some();
        if whole {
            self.changes.stamp = Stamp::NEVER;
        }
        update_changes(&mut self.changes, &world_view.live, &draw_data.cells());
        let uploaded = land.upload_tiles(&draw_data.cells(), &self.changes.tiles);
        self.fault = uploaded.err().map(|error| error.to_string());
        if fresh {
            land.set_scales(Scales::from_cells(&draw_data.cells()));
            self.style = scene_style(world_view.live.scene(), &self.style);
        }
        let same_tint = match (&self.tint, &draw_data.tint) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            (old, new) => old.is_none() && new.is_none(),
        };
        if fresh || !same_tint {
            let tint = draw_data.tint.as_deref();
            let tint =
                tint.map(|Tint { colors, size }| (&colors[..], size[0] as u32, size[1] as u32));
            land.set_tint(tint);
            self.tint = draw_data.tint.clone();
        }
        land.set_particles(&draw_data.particles);
        land.set_body_sprites(&draw_data.floats);
        if fresh || slow {
            land.set_trees(&draw_data.trees);
            land.set_rivers(&draw_data.rivers);
        }
        self.scales = land.scales();
        self.draw_data = Some(draw_data);
        self.uploaded_state = Some((steps, edits, Instant::now()));
        self.drawn_on_gpu = None;
    }

    /// Draws a world that is stepped on the GPU: writes its cells to the renderer's buffer on the
    /// device, without read-back. Obstacles, foam and bodies are not updated until the next upload.
    fn draw_on_gpu(&mut self, world_view: &mut WorldView) {
        let now = Some((world_view.live.simulation().steps(), world_view.edits));
        if !world_view.live.backend().is_device() || self.drawn_on_gpu == now {
            return;
        }
        let mut renderer = self.render.renderer.write();
        let land = land::installed_renderer(&mut renderer.callback_resources, self.half);
        let Some(land) = land else { return };
        let (Some(view), Some(draw_data)) = (land.cells_view().cloned(), &self.draw_data) else {
            return;
        };
        if world_view.live.draw_into(&view, draw_data.ground()) {
            land.mark_cells_written();
            let count = self.draw_data.as_ref().map_or(0, |draw_data| draw_data.max_tracers);
            if let Some(buffer) = land.tracers_buffer(count)
                && !world_view.live.write_tracers(buffer)
            {
                land.set_particles(&[]);
            }
            self.drawn_on_gpu = now;
        }
    }
}

/// Adds the tiles of the world that have changed to `changes`. For hydrology worlds, marks all
/// tiles.
fn update_changes(changes: &mut Changes, live: &Live, cells: &land::Cells<'_>) {
    let world = live.world();
    if let Some(flow) = world.flow() {
        flow.update_changes(changes);
    } else if let Some(world) = world.get::<WavesWorld>() {
        world.waves.update_changes(changes);
    } else {
        *changes = Changes::all(cells.nx, cells.ny);
    }
}

/// Returns the number of steps that the copy of the world on the CPU has performed. A world on the
/// GPU may be ahead of this copy.
fn cpu_step_count(live: &Live) -> u64 {
    let world = live.world();
    let waves = || world.get::<WavesWorld>().map(|world| world.waves.steps());
    let here = world.flow().map(Flow::steps).or_else(waves);
    here.unwrap_or_else(|| live.simulation().steps())
}

/// Returns the picture style of a scene, with the options that the user has chosen.
fn scene_style(scene: &Scene, chosen: &LandStyle) -> LandStyle {
    let mut style = LandStyle { exaggeration: None, acid: false, ..chosen.clone() };
    if let Some(scene) = scene.flow() {
        (style.palette, style.liquid) = (scene.picture.palette, scene.picture.liquid);
    } else if let Some(scene) = scene.waves() {
        (style.palette, style.liquid) = (scene.picture.palette, Liquid::Water);
        style.acid = scene.picture.liquid == PoolLiquid::Acid;
    } else if let Some(scene) = scene.hydrology() {
        (style.palette, style.liquid) = (scene.picture.palette, Liquid::Water);
    }
    style
}
