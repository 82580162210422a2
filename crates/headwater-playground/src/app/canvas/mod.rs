//! [`Canvas`]: the view of a world in the middle of the window, and the pointer input on it.

mod draw_data;
mod land_control;
mod land_view;
mod pointer;
mod rain;
mod side_camera;
mod side_view;
mod skyline;
mod surroundings;
mod view;

use super::input::tool_selection::ToolSelection;
use super::world::world_view::WorldView;
use crate::land::CanvasHalf;
use crate::status::Probe;
use eframe::egui::{self, Color32, Pos2, Rect, Stroke as Ink};
use eframe::egui_wgpu::RenderState;
use headwater_scene::Scene;
use land_view::LandView;
use pointer::{Gesture, PointerState};
use rain::Rain;
use side_camera::SideCamera;
use side_view::SideView;
pub(super) use view::{CameraState, CanvasInput, CanvasMarkers};
use view::{PointerPosition, View};

enum ActiveView {
    Side(Box<SideView>),
    Land(Box<LandView>),
}

#[derive(Default)]
pub(super) struct Canvas {
    /// Half of the screen area that this canvas occupies in a comparison of two worlds.
    half: CanvasHalf,
    active_view: Option<ActiveView>,
    view: View,
    pointer_state: PointerState,
    rain: Rain,
    /// Camera with which the next world is shown; `None` for the default camera.
    initial_camera: Option<CameraState>,
    fault: Option<String>,
}

impl Canvas {
    /// Creates the canvas for the second world of a comparison.
    pub(super) fn for_comparison() -> Self {
        Self { half: CanvasHalf::Second, ..Self::default() }
    }

    /// Frees the GPU resources of the canvas.
    pub(super) fn close(&mut self) {
        if let Some(ActiveView::Land(land)) = &self.active_view {
            land.free_device_resources();
        }
        self.active_view = None;
    }

    /// Copies the camera of another canvas, so that both show the same part of the world.
    pub(super) fn copy_camera(&mut self, other: &Self) {
        match (&mut self.active_view, &other.active_view) {
            (Some(ActiveView::Side(side)), Some(ActiveView::Side(other))) => {
                side.copy_camera(other);
            }
            (Some(ActiveView::Land(land)), Some(ActiveView::Land(other))) => {
                land.copy_camera(other);
            }
            _ => {}
        }
    }

    /// Copies the view mode and style of another canvas.
    pub(super) fn copy_style(&mut self, other: &Self) {
        self.view = other.view;
        if let (Some(ActiveView::Land(land)), Some(ActiveView::Land(other))) =
            (&mut self.active_view, &other.active_view)
        {
            land.copy_style(other);
        }
    }

    pub(super) fn set_camera(&mut self, camera_state: CameraState) {
        match (&mut self.active_view, camera_state) {
            (Some(ActiveView::Side(side)), CameraState::Side(camera)) => side.camera = camera,
            (Some(ActiveView::Land(land)), CameraState::Land(camera_state)) => {
                land.set_camera(camera_state);
            }
            _ => {}
        }
    }

    /// Switches the canvas to another world and restores its saved camera. If `camera_state` is
    /// `None`, shows the whole world.
    pub(super) fn switch_world(&mut self, camera_state: Option<CameraState>) {
        // Keep the renderer, because the next world may need it too.
        if let Some(ActiveView::Land(land)) = &mut self.active_view {
            let camera_state = match camera_state {
                Some(CameraState::Land(camera_state)) => Some(camera_state),
                _ => None,
            };
            land.switch_world(camera_state);
        } else {
            self.active_view = None;
        }
        (self.view, self.fault, self.initial_camera) = (View::World, None, camera_state);
    }

    pub(super) fn camera_state(&self) -> Option<CameraState> {
        match self.active_view.as_ref()? {
            ActiveView::Side(side) => Some(CameraState::Side(side.camera)),
            ActiveView::Land(land) => land.camera_state().map(CameraState::Land),
        }
    }

    /// Zooms by a factor at the centre of the view, with an animation.
    pub(super) fn zoom_animated(&mut self, factor: f32) {
        match &mut self.active_view {
            Some(ActiveView::Side(side)) => side.zoom_animated(factor),
            Some(ActiveView::Land(land)) => land.zoom_animated(factor),
            None => {}
        }
    }

    /// Returns whether the world is shown as a map (true) or in 3-D (false); `None` for side views.
    pub(super) fn is_map(&self) -> Option<bool> {
        match &self.active_view {
            Some(ActiveView::Land(land)) => Some(land.is_map()),
            _ => None,
        }
    }

    /// Redraws the world after a restart, with the same camera.
    pub(super) fn refresh(&mut self) {
        match &mut self.active_view {
            Some(ActiveView::Land(land)) => land.refresh(),
            Some(ActiveView::Side(side)) => side.is_stale = true,
            None => {}
        }
    }

    pub(super) fn views(scene: &Scene) -> &'static [View] {
        side_view::views(scene).unwrap_or(land_view::VIEWS)
    }

    pub(super) fn select_next_view(&mut self, scene: &Scene) {
        let views = Self::views(scene);
        let now = views.iter().position(|&view| view == self.view).unwrap_or(0);
        self.view = views[(now + 1) % views.len()];
    }

    pub(super) fn fit_world(&mut self) {
        match &mut self.active_view {
            Some(ActiveView::Side(side)) => side.fit_world(),
            Some(ActiveView::Land(land)) => land.fit_world(),
            None => {}
        }
    }

    pub(super) fn toggle_map(&mut self) {
        if let Some(ActiveView::Land(land)) = &mut self.active_view {
            land.toggle_map();
        }
    }

    /// Moves the camera to ground level at the position `place` (m), or at the centre of the view
    /// if `place` is `None`.
    pub(super) fn move_to_ground_level(&mut self, place: Option<[f64; 2]>) {
        if let Some(ActiveView::Land(land)) = &mut self.active_view {
            land.move_to_ground_level(place);
        }
    }

    pub(super) fn is_at_ground_level(&self) -> bool {
        matches!(&self.active_view, Some(ActiveView::Land(land)) if land.is_at_ground_level())
    }

    pub(super) fn move_by(&mut self, direction: [f32; 2], seconds: f32) {
        match &mut self.active_view {
            Some(ActiveView::Side(side)) => side.move_by(direction, seconds),
            Some(ActiveView::Land(land)) => land.move_by(direction, seconds),
            None => {}
        }
    }

    /// Rotates the view by the angle that corresponds to a pointer motion of `offset` (points).
    /// Side views cannot rotate and are panned instead.
    pub(super) fn turn(&mut self, offset: egui::Vec2) {
        match &mut self.active_view {
            Some(ActiveView::Side(side)) => side.pan_next_frame(offset),
            Some(ActiveView::Land(land)) => land.turn(offset),
            None => {}
        }
    }

    /// Zooms by a factor at the centre of the view, without animation.
    pub(super) fn zoom(&mut self, factor: f32) {
        match &mut self.active_view {
            Some(ActiveView::Side(side)) => side.zoom_animated(factor),
            Some(ActiveView::Land(land)) => land.zoom(factor),
            None => {}
        }
    }

    /// Returns the canvas input for a tool that is used with a gamepad. The tool acts at the centre
    /// of the canvas. `is_tool_in_use` states whether the tool is in use, and `ends` whether its
    /// stroke ends in this frame.
    pub(super) fn gamepad_input(
        &self,
        rect: Rect,
        world_view: &WorldView,
        is_tool_in_use: bool,
        ends: bool,
    ) -> CanvasInput {
        let active_view = self.active_view.as_ref();
        let pointed = active_view
            .and_then(|active_view| active_view.pick(rect, rect.center(), world_view.size()));
        let place = pointed.filter(|_| is_tool_in_use || ends).map(|pointed| pointed.position);
        let seconds = world_view.pace.frame.min(0.1);
        let canvas_input = CanvasInput::from_tool_path(place.into_iter().collect(), ends, seconds);
        CanvasInput { is_tool_in_use, pointed, ..canvas_input }
    }

    /// Makes the camera follow the floating body nearest to the position `place` (m), or to the
    /// centre of the view if `place` is `None`. If the camera already follows a body, stops
    /// following it instead.
    pub(super) fn toggle_follow(&mut self, world_view: &WorldView, place: Option<[f64; 2]>) {
        if let Some(ActiveView::Side(side)) = &mut self.active_view {
            side.toggle_follow(&world_view.live, place);
        }
    }

    pub(super) fn show_settings(
        &mut self,
        ui: &mut egui::Ui,
        world_view: &WorldView,
        probe: &Probe,
    ) {
        ui.horizontal_wrapped(|ui| {
            for &view in Self::views(world_view.live.scene()) {
                let entry = ui.selectable_value(&mut self.view, view, view.label());
                probe.record_widget(format!("view.{}", view.name()), entry);
            }
        });
        if let Some(ActiveView::Land(land)) = &mut self.active_view {
            land.show_settings(ui, probe);
        }
    }

    /// Returns the screen position of a world position; `None` if the position is not visible.
    pub(super) fn project(
        &self,
        rect: Rect,
        place: [f64; 2],
        world_view: &WorldView,
    ) -> Option<Pos2> {
        self.active_view.as_ref()?.project(rect, place, world_view.size())
    }

    fn prepare(&mut self, world_view: &WorldView, render: Option<&RenderState>) {
        let is_side = side_view::views(world_view.live.scene()).is_some();
        match &self.active_view {
            Some(ActiveView::Side(side))
                if is_side && side.view() == self.view && !side.is_stale =>
            {
                return;
            }
            Some(ActiveView::Land(_)) if !is_side => return,
            _ => {}
        }
        let active_view = if is_side {
            let camera = match (self.initial_camera.take(), &self.active_view) {
                (Some(CameraState::Side(camera)), _) => camera,
                (_, Some(ActiveView::Side(side))) => side.camera,
                _ => SideCamera::default(),
            };
            let side = SideView::new(&world_view.live, self.view, camera).transpose();
            side.map(|side| side.map(|side| ActiveView::Side(Box::new(side))))
                .map_err(|error| error.to_string())
        } else {
            let camera_state = match self.initial_camera.take() {
                Some(CameraState::Land(camera_state)) => Some(camera_state),
                _ => None,
            };
            let land = |render| {
                let mut land = LandView::new(render, self.half);
                land.switch_world(camera_state);
                Some(ActiveView::Land(Box::new(land)))
            };
            render.map(land).ok_or_else(|| "there is no device to draw with".into())
        };
        match active_view {
            Ok(active_view) => self.active_view = active_view,
            Err(fault) => (self.active_view, self.fault) = (None, Some(fault)),
        }
    }

    /// Prepares the view in the rectangle `rect`, moves the camera according to the user's input,
    /// and returns the remaining input.
    pub(super) fn handle_input(
        &mut self,
        ui: &mut egui::Ui,
        rect: Rect,
        world_view: &WorldView,
        selection: &mut ToolSelection,
        render: Option<&RenderState>,
    ) -> CanvasInput {
        self.prepare(world_view, render);
        let response = ui.allocate_rect(rect, egui::Sense::click_and_drag());
        let Some(active_view) = &mut self.active_view else {
            let fault = self.fault.as_deref().unwrap_or("nothing to show");
            ui.put(rect, egui::Label::new(fault));
            return CanvasInput::default();
        };
        let size = world_view.size();
        let tool = selection.tool(world_view.live.tools());
        let gesture = self.pointer_state.read_gesture(ui, &response, tool.is_some());
        let moved = active_view.move_view(rect, &gesture);
        if gesture.focuses {
            active_view.focus_on(rect, gesture.zoom_center);
        }
        let pointed = response.hover_pos().or(response.interact_pointer_pos());
        let pointed = pointed.and_then(|at| active_view.pick(rect, at, size));
        if let (Some(tool), Some(by)) = (tool, gesture.brush_scale) {
            selection.scale_radius(tool, by);
        }
        let places = gesture.path.iter().filter_map(|&at| active_view.pick(rect, at, size));
        CanvasInput {
            path: places.map(|pointed| pointed.position).collect(),
            is_tool_in_use: !gesture.path.is_empty(),
            ends: gesture.ends,
            cancels: gesture.cancels,
            seconds: gesture.seconds,
            clicked: gesture.inspects.then_some(pointed).flatten().map(|pointed| pointed.position),
            pointed,
            moves_view: moved || gesture.focuses || active_view.is_animating(),
        }
    }

    pub(super) fn paint(
        &mut self,
        ui: &egui::Ui,
        rect: Rect,
        world_view: &mut WorldView,
        marks: CanvasMarkers,
    ) {
        let Some(active_view) = &mut self.active_view else { return };
        active_view.paint(ui, rect, world_view, self.view, marks.ring);
        if self.view == View::World
            && !matches!(active_view, ActiveView::Land(land) if land.is_map())
        {
            let (strength, seconds) = (world_view.rain_intensity(), world_view.play_seconds);
            match active_view {
                ActiveView::Side(side) if strength > 0.0 => {
                    let (above, end) = side.sky_region(rect, &world_view.live);
                    self.rain.draw_frame(ui, above, end, strength, seconds);
                }
                _ => self.rain.draw_frame(ui, rect, |_| rect.bottom(), strength, seconds),
            }
        }
        if let Some(at) =
            marks.pinned.and_then(|place| active_view.project(rect, place, world_view.size()))
        {
            draw_marker(ui, rect, at);
        }
    }
}

fn draw_marker(ui: &egui::Ui, rect: Rect, at: Pos2) {
    let painter = ui.painter().with_clip_rect(rect);
    draw_outlined_circle(&painter, at, 5.0, 1.5, 160);
}

/// Draws a white circle on top of a wider dark one, so that it is visible on any background.
/// `line_width` is the line width of the white circle (points), and `shadow_opacity` is the opacity
/// of the dark one (0 to 255).
fn draw_outlined_circle(
    painter: &egui::Painter,
    at: Pos2,
    radius: f32,
    line_width: f32,
    shadow_opacity: u8,
) {
    painter.circle_stroke(at, radius, Ink::new(3.0, Color32::from_black_alpha(shadow_opacity)));
    painter.circle_stroke(at, radius, Ink::new(line_width, Color32::WHITE));
}

impl ActiveView {
    fn move_view(&mut self, rect: Rect, gesture: &Gesture) -> bool {
        let still = gesture.drag == egui::Vec2::ZERO && gesture.turn == egui::Vec2::ZERO;
        if still && gesture.zoom_factor == 1.0 && gesture.twist == 0.0 {
            return false;
        }
        match self {
            // Side views cannot rotate, so rotation pans them.
            Self::Side(side) => {
                side.pan_and_zoom(
                    rect,
                    gesture.drag + gesture.turn,
                    gesture.zoom_factor,
                    gesture.zoom_center,
                );
            }
            Self::Land(land) => land.apply_gesture(rect, gesture),
        }
        true
    }

    fn is_animating(&self) -> bool {
        matches!(self, Self::Land(land) if land.is_animating())
    }

    fn focus_on(&mut self, rect: Rect, at: Pos2) {
        match self {
            Self::Side(side) => side.pan_and_zoom(rect, egui::Vec2::ZERO, 2.0, at),
            Self::Land(land) => land.focus_on(rect, at),
        }
    }

    fn pick(&self, rect: Rect, at: Pos2, size: [f64; 2]) -> Option<PointerPosition> {
        match self {
            Self::Side(side) => side.pick(rect, at, size),
            Self::Land(land) => land.pick(rect, at),
        }
    }

    fn project(&self, rect: Rect, place: [f64; 2], size: [f64; 2]) -> Option<Pos2> {
        match self {
            Self::Side(side) => side.project(rect, place, size),
            Self::Land(land) => land.project(rect, place),
        }
    }

    fn paint(
        &mut self,
        ui: &egui::Ui,
        rect: Rect,
        world_view: &mut WorldView,
        view: View,
        ring: Option<(PointerPosition, f64)>,
    ) {
        match self {
            Self::Side(side) => {
                side.paint(ui, rect, &world_view.live, world_view.edits);
                let place = ring.map(|(pointed, _)| pointed.position);
                let at = place.and_then(|place| side.project(rect, place, world_view.size()));
                if let (Some(at), Some((pointed, radius))) = (at, ring) {
                    let radius = (radius * pointed.scale) as f32;
                    let painter = ui.painter().with_clip_rect(rect);
                    draw_outlined_circle(&painter, at, radius, 1.2, 120);
                }
            }
            Self::Land(land) => land.paint(ui, rect, world_view, view, ring),
        }
    }
}
