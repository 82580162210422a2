//! [`LandView`]: worlds seen from above and in 3-D.

use super::drawn::{Drawn, Tint};
use super::pointer::Doing;
use super::view::{Pointed, View};
use crate::app::stage::Stage;
use crate::land::{self, Camera, Cursor, Extent, Land, LandStyle, Layer, Scales, Shot};
use crate::status::Probe;
use eframe::egui::{self, Color32, Pos2, Rect, vec2};
use eframe::egui_wgpu::RenderState;
use headwater::changes::{Changes, Stamp};
use headwater::flow::Flow;
use headwater_scene::Scene;
use headwater_scene::live::Live;
use headwater_scene::waves::WavesWorld;
use std::sync::Arc;
use web_time::Instant;

/// What can be shown of a world from above.
pub(super) const VIEWS: &[View] =
    &[View::World, View::Depth, View::Velocity, View::Surface, View::Ground];

/// Worlds whose look takes long to find out, or that have to be brought back for it, are looked at again after so many
/// seconds.
const REFRESH: f64 = 0.4;

/// The brush's ring (red, green, blue, opacity).
const RING: [f32; 4] = [1.0, 1.0, 1.0, 0.9];

/// A world seen from above.
pub(super) struct LandView {
    render: RenderState,
    style: LandStyle,
    camera: Option<Camera>,
    /// The camera that is not used now, as it was left: map and orbit.
    other: Option<Camera>,
    is_map: bool,
    drawn: Option<Drawn>,
    /// The colours of the ground that the renderer has.
    tint: Option<Arc<Tint>>,
    /// The state that was handed over: steps and edits; and when.
    shown: Option<(u64, u64, Instant)>,
    /// The moment of the world that the renderer has.
    changes: Changes,
    /// The state that a GPU has drawn by itself: steps and edits.
    #[cfg_attr(
        target_arch = "wasm32",
        allow(dead_code, reason = "worlds are stepped by the CPU there")
    )]
    drawn_there: Option<(u64, u64)>,
    scales: Option<Scales>,
    view: [f32; 2],
    /// Time that ripples run by (s): it stands while the world does.
    clock: f64,
    fault: Option<String>,
}

impl LandView {
    /// Gets ready to draw with the window's device.
    pub(super) fn new(render: &RenderState) -> Self {
        land::install(render, None);
        Self {
            render: render.clone(),
            style: LandStyle::default(),
            camera: None,
            other: None,
            is_map: false,
            drawn: None,
            tint: None,
            shown: None,
            changes: Changes::default(),
            drawn_there: None,
            scales: None,
            view: [1.0, 1.0],
            clock: 0.0,
            fault: None,
        }
    }

    /// Another world: the view begins anew.
    pub(super) fn change(&mut self) {
        (self.camera, self.other) = (None, None);
        self.refresh();
    }

    /// The world is another than a moment ago.
    pub(super) fn refresh(&mut self) {
        (self.drawn, self.shown, self.scales) = (None, None, None);
        self.drawn_there = None;
    }

    /// Shows all of the world.
    pub(super) fn fit(&mut self) {
        if let (Some(extent), Some(camera)) = (self.extent(), &mut self.camera) {
            camera.fit(&extent, self.view);
        }
    }

    /// From above, or in 3-D.
    pub(super) fn tilt(&mut self) {
        self.is_map = !self.is_map;
        std::mem::swap(&mut self.camera, &mut self.other);
    }

    /// What can be chosen about how it looks.
    pub(super) fn settings(&mut self, ui: &mut egui::Ui, probe: &Probe) {
        ui.horizontal(|ui| {
            for (is_map, label, name) in [(false, "3-D", "view.orbit"), (true, "Map", "view.map")] {
                let entry = probe.named(name, ui.selectable_label(self.is_map == is_map, label));
                if entry.on_hover_text("M").clicked() && self.is_map != is_map {
                    self.tilt();
                }
            }
        });
        let style = &mut self.style;
        ui.horizontal_wrapped(|ui| {
            ui.checkbox(&mut style.contours, "Contours");
            ui.checkbox(&mut style.arrows, "Arrows");
            ui.checkbox(&mut style.particles, "Tracers");
            ui.checkbox(&mut style.trees, "Trees");
        });
        if let Some(scales) = &self.scales {
            let mut exaggeration = style.exaggeration(scales);
            ui.label("Heights");
            let slider =
                egui::Slider::new(&mut exaggeration, 0.2..=20.0).logarithmic(true).suffix("×");
            if ui.add(slider).changed() {
                style.exaggeration = Some(exaggeration);
            }
            if style.layer != Layer::Natural {
                let [low, high] = style.range(scales);
                let (name, unit) = (style.layer.name(), style.layer.unit());
                ui.weak(format!("{name} from {low:.2} to {high:.2} {unit}"));
            }
        }
        ui.label("Sun");
        ui.add(egui::Slider::new(&mut style.sun_azimuth, 0.0..=360.0).suffix("°"))
            .on_hover_text("Where it stands, clockwise from north");
        ui.add(egui::Slider::new(&mut style.sun_altitude, 5.0..=90.0).suffix("°"))
            .on_hover_text("How high it stands");
    }

    /// Moves the view as the hand does.
    pub(super) fn travel(&mut self, rect: Rect, doing: &Doing) {
        let Some(camera) = &mut self.camera else { return };
        let at = (doing.around - rect.min).into();
        camera.pan(doing.drag.into(), self.view);
        camera.drag(doing.turn.into(), self.view);
        camera.pinch(doing.nearer, at, self.view);
        if let Camera::Orbit { yaw, .. } = camera {
            *yaw += doing.twist;
        }
    }

    /// The place under a point of the screen.
    pub(super) fn pick(&self, rect: Rect, at: Pos2) -> Option<Pointed> {
        let (camera, drawn, scales) = (self.camera?, self.drawn.as_ref()?, self.scales?);
        let cells = drawn.cells();
        let exaggeration = self.style.exaggeration(&scales);
        let at = (at - rect.min).into();
        let position = camera.pick(at, self.view, &cells, exaggeration)?;
        Some(Pointed { position, scale: 1.0 })
    }

    /// Where a place is on the screen.
    pub(super) fn project(&self, rect: Rect, place: [f64; 2]) -> Option<Pos2> {
        let (camera, drawn) = (self.camera?, self.drawn.as_ref()?);
        let height = drawn.height_at(place)?;
        let [x, y] = camera.project(&self.extent()?, self.view, place, height)?;
        Some(rect.min + vec2(x, y))
    }

    fn extent(&self) -> Option<Extent> {
        let (drawn, scales) = (self.drawn.as_ref()?, self.scales?);
        let (low, high) = drawn.bed.min_max()?;
        let exaggeration = self.style.exaggeration(&scales);
        Some(Extent { size: drawn.size(), heights: [low, high], exaggeration })
    }

    /// Draws the world as it is.
    pub(super) fn paint(
        &mut self,
        ui: &egui::Ui,
        rect: Rect,
        stage: &mut Stage,
        view: View,
        ring: Option<(Pointed, f64)>,
    ) {
        self.view = rect.size().into();
        self.hand_over(stage);
        #[cfg(not(target_arch = "wasm32"))]
        self.draw_there(stage);
        self.style.dark = ui.visuals().dark_mode;
        self.style.layer = match view {
            View::Depth => Layer::Depth,
            View::Velocity => Layer::Speed,
            View::Surface => Layer::Surface,
            View::Ground => Layer::Ground,
            _ => Layer::Natural,
        };
        if self.camera.is_none()
            && let Some(extent) = self.extent()
        {
            let (map, orbit) = (Camera::map(&extent, self.view), Camera::orbit(&extent, self.view));
            let (now, other) = if self.is_map { (map, orbit) } else { (orbit, map) };
            (self.camera, self.other) = (Some(now), Some(other));
        }
        let painter = ui.painter().with_clip_rect(rect);
        if let Some(fault) = &self.fault {
            let (font, middle) = (egui::FontId::proportional(15.0), egui::Align2::CENTER_CENTER);
            painter.text(rect.center(), middle, fault, font, Color32::GRAY);
            return;
        }
        let Some(camera) = self.camera else { return };
        if stage.playing {
            self.clock += f64::from(ui.input(|input| input.stable_dt));
        }
        let cursor =
            ring.map(|(pointed, radius)| Cursor { at: pointed.position, radius, color: RING });
        let shot =
            Shot { camera, style: self.style.clone(), cursor, time: self.clock, size: self.view };
        painter.add(land::paint_callback(rect, shot));
    }

    /// Hands the world over to the renderer, if it is another than the one that it has.
    fn hand_over(&mut self, stage: &Stage) {
        let (steps, edits) = (steps_here(&stage.live), stage.edits);
        let slow = stage.live.scene().hydrology().is_some() || stage.live.backend().is_device();
        if let Some((old_steps, old_edits, when)) = self.shown {
            let same = (old_steps, old_edits) == (steps, edits);
            let soon = slow && old_edits == edits && when.elapsed().as_secs_f64() < REFRESH;
            if same || soon {
                return;
            }
        }
        let Some(drawn) = Drawn::of(&stage.live, self.drawn.take()) else { return };
        let mut renderer = self.render.renderer.write();
        let Some(land) = renderer.callback_resources.get_mut::<Land>() else { return };
        let fresh = self.shown.is_none();
        // What a GPU has drawn by itself is not what was handed over; and where land is in waves, its banks reach far.
        let edited = self.shown.is_some_and(|(_, edits, _)| edits != stage.edits);
        let banks = edited && stage.live.scene().waves().is_some();
        let whole = fresh || banks || self.drawn_there.is_some();
        if whole {
            self.changes.stamp = Stamp::NEVER;
        }
        update(&mut self.changes, &stage.live, &drawn.cells());
        let uploaded = land.upload_tiles(&drawn.cells(), &self.changes.tiles);
        self.fault = uploaded.err().map(|error| error.to_string());
        if fresh {
            land.set_scales(Scales::of(&drawn.cells()));
            self.style = style_of(stage.live.scene(), &self.style);
        }
        let same_tint = match (&self.tint, &drawn.tint) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            (old, new) => old.is_none() && new.is_none(),
        };
        if fresh || !same_tint {
            let tint = drawn.tint.as_deref();
            let tint =
                tint.map(|Tint { colors, size }| (&colors[..], size[0] as u32, size[1] as u32));
            land.set_tint(tint);
            self.tint = drawn.tint.clone();
        }
        land.set_particles(&drawn.particles);
        land.set_floats(&drawn.floats);
        if fresh || slow {
            land.set_trees(&drawn.trees);
            land.set_rivers(&drawn.rivers);
        }
        self.scales = land.scales();
        self.drawn = Some(drawn);
        self.shown = Some((steps, edits, Instant::now()));
        self.drawn_there = None;
    }

    /// Has a world that is stepped on the GPU drawn there into the renderer's cells, over what was handed over last: obstacles,
    /// foam, and what floats are as they were then.
    #[cfg(not(target_arch = "wasm32"))]
    fn draw_there(&mut self, stage: &mut Stage) {
        let now = Some((stage.live.simulation().steps(), stage.edits));
        if !stage.live.backend().is_device() || self.drawn_there == now {
            return;
        }
        let mut renderer = self.render.renderer.write();
        let Some(land) = renderer.callback_resources.get_mut::<Land>() else { return };
        let (Some(view), Some(drawn)) = (land.cells_view().cloned(), &self.drawn) else { return };
        if stage.live.draw_into(&view, drawn.ground()) {
            land.cells_written(false);
            self.drawn_there = now;
        }
    }
}

/// Brings up to date where a world looks different: of a land that water carves, everywhere.
fn update(changes: &mut Changes, live: &Live, cells: &land::Cells<'_>) {
    let world = live.world();
    if let Some(flow) = world.flow() {
        flow.update_changes(changes);
    } else if let Some(world) = world.get::<WavesWorld>() {
        world.waves.update_changes(changes);
    } else {
        *changes = Changes::all(cells.nx, cells.ny);
    }
}

/// Steps of the world as it is here; one that is stepped elsewhere may be ahead.
fn steps_here(live: &Live) -> u64 {
    let world = live.world();
    let waves = || world.get::<WavesWorld>().map(|world| world.waves.steps());
    let here = world.flow().map(Flow::steps).or_else(waves);
    here.unwrap_or_else(|| live.simulation().steps())
}

/// How a scene's pictures look, with what the hand chose.
fn style_of(scene: &Scene, chosen: &LandStyle) -> LandStyle {
    let chosen = LandStyle { exaggeration: None, ..chosen.clone() };
    if let Some(scene) = scene.flow() {
        let (palette, liquid) = (scene.picture.palette, scene.picture.liquid);
        return LandStyle { palette, liquid, ..chosen };
    }
    match scene.hydrology() {
        Some(scene) => LandStyle { palette: scene.picture.palette, ..chosen },
        None => chosen,
    }
}
