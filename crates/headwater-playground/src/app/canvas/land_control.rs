//! Camera control of a [`LandView`]: pointer, keys, gamepad and camera animations.

use super::land_view::LandView;
use super::pointer::Gesture;
use super::view::{CameraPath, LandCameraState, PointerPosition};
use crate::land::{Camera, Extent, Terrain};
use eframe::egui::{self, Pos2, Rect, vec2};

/// Zoom factor of a double click.
const DOUBLE_CLICK_ZOOM: f32 = 2.2;

/// Duration of camera animations (s of wall time).
const ANIMATION_TIME: f32 = 0.35;

impl LandView {
    /// Switches the view to another world and restores its saved camera. If `camera_state` is
    /// `None`, sets the default camera.
    pub(super) fn switch_world(&mut self, camera_state: Option<LandCameraState>) {
        (self.camera, self.inactive_camera, self.camera_path) = (None, None, None);
        self.is_fitted = camera_state.is_none();
        if let Some(LandCameraState { camera, inactive_camera, is_map }) = camera_state {
            (self.camera, self.inactive_camera, self.is_map) =
                (Some(camera), inactive_camera, is_map);
        }
        self.refresh();
    }

    pub(super) fn camera_state(&self) -> Option<LandCameraState> {
        let (inactive_camera, is_map) = (self.inactive_camera, self.is_map);
        self.camera.map(|camera| LandCameraState { camera, inactive_camera, is_map })
    }

    /// Sets the camera without animation.
    pub(super) fn set_camera(&mut self, camera_state: LandCameraState) {
        (self.camera, self.inactive_camera, self.is_map) =
            (Some(camera_state.camera), camera_state.inactive_camera, camera_state.is_map);
        (self.camera_path, self.is_fitted) = (None, false);
    }

    pub(super) fn copy_camera(&mut self, other: &Self) {
        (self.camera, self.inactive_camera, self.is_map) =
            (other.camera, other.inactive_camera, other.is_map);
        (self.camera_path, self.is_fitted, self.fitted_view_size) =
            (None, other.is_fitted, other.fitted_view_size);
    }

    pub(super) fn is_animating(&self) -> bool {
        self.camera_path.is_some()
    }

    /// Starts a camera animation. The closure `to` maps the current camera to the final one.
    fn animate_to(&mut self, to: impl FnOnce(Camera, &Terrain<'_>) -> Camera) {
        let (Some(from), Some(terrain)) = (self.camera, self.terrain()) else { return };
        let to = to(from, &terrain);
        (self.camera_path, self.is_fitted) = (Some(CameraPath { from, to, part: 0.0 }), false);
    }

    /// Moves the camera with the closure `update`, without animation.
    fn update_camera(&mut self, update: impl FnOnce(&mut Camera, &Terrain<'_>)) {
        let (Some(mut camera), Some(terrain)) = (self.camera, self.terrain()) else { return };
        update(&mut camera, &terrain);
        (self.camera, self.camera_path, self.is_fitted) = (Some(camera), None, false);
    }

    fn middle(&self) -> [f32; 2] {
        self.view.map(|side| 0.5 * side)
    }

    pub(super) fn fit_world(&mut self) {
        if let (Some(extent), Some(from)) = (self.extent(), self.camera) {
            let mut to = from;
            to.fit(&extent, self.view);
            self.camera_path = Some(CameraPath { from, to, part: 0.0 });
            (self.is_fitted, self.fitted_view_size) = (true, self.view);
        }
    }

    /// Animates the camera to the world position under `screen_position`, and zooms in.
    pub(super) fn focus_on(&mut self, rect: Rect, screen_position: Pos2) {
        let Some(place) = self.pick(rect, screen_position) else { return };
        let view = self.view;
        self.animate_to(|camera, terrain| {
            camera.centred_on(place.position, DOUBLE_CLICK_ZOOM, view, terrain)
        });
    }

    /// Moves the camera to ground level at the position `place` (m), or at the centre of the view
    /// if `place` is `None`.
    pub(super) fn move_to_ground_level(&mut self, place: Option<[f64; 2]>) {
        if self.is_map {
            self.toggle_map();
        }
        let view = self.view;
        self.animate_to(|camera, terrain| camera.at_ground_level(place, view, terrain));
    }

    /// Returns true if the camera is at ground level, or will be after the current animation.
    pub(super) fn is_at_ground_level(&self) -> bool {
        let camera = self.camera_path.map(|camera_path| camera_path.to).or(self.camera);
        camera
            .zip(self.terrain())
            .is_some_and(|(camera, terrain)| camera.is_at_ground_level(&terrain))
    }

    pub(super) fn move_by(&mut self, direction: [f32; 2], seconds: f32) {
        let view = self.view;
        self.update_camera(|camera, terrain| camera.move_by(direction, seconds, view, terrain));
    }

    /// Zooms by a factor at the centre of the view, with an animation.
    pub(super) fn zoom_animated(&mut self, factor: f32) {
        let (view, middle, camera_path) = (self.view, self.middle(), self.camera_path);
        self.animate_to(|camera, terrain| {
            let mut to = camera_path.map_or(camera, |camera_path| camera_path.to);
            to.zoom(factor, middle, view, terrain);
            to
        });
    }

    /// Rotates the camera by the angle that corresponds to a pointer motion of `offset` (points).
    pub(super) fn turn(&mut self, offset: egui::Vec2) {
        let view = self.view;
        self.update_camera(|camera, terrain| {
            camera.drag(offset.into(), view);
            camera.constrain(view, terrain);
        });
    }

    /// Zooms by a factor at the centre of the view, without animation.
    pub(super) fn zoom(&mut self, factor: f32) {
        let (view, middle) = (self.view, self.middle());
        self.update_camera(|camera, terrain| camera.zoom(factor, middle, view, terrain));
    }

    pub(super) fn advance_animation(&mut self, ui: &egui::Ui) {
        let Some(camera_path) = &mut self.camera_path else { return };
        let seconds = ui.input(|input| input.stable_dt).min(0.1);
        camera_path.part = (camera_path.part + seconds / ANIMATION_TIME).min(1.0);
        let eased = camera_path.part * camera_path.part * (3.0 - 2.0 * camera_path.part);
        self.camera = Some(camera_path.from.interpolate(&camera_path.to, eased));
        if camera_path.part >= 1.0 {
            self.camera_path = None;
        }
        ui.ctx().request_repaint();
    }

    pub(super) fn terrain(&self) -> Option<Terrain<'_>> {
        let (draw_data, scales) = (self.draw_data.as_ref()?, self.scales?);
        let exaggeration = self.style.exaggeration(&scales);
        Some(Terrain { cells: draw_data.cells(), exaggeration })
    }

    pub(super) fn toggle_map(&mut self) {
        self.is_map = !self.is_map;
        self.camera_path = None;
        std::mem::swap(&mut self.camera, &mut self.inactive_camera);
    }

    pub(super) fn is_map(&self) -> bool {
        self.is_map
    }

    pub(super) fn apply_gesture(&mut self, rect: Rect, gesture: &Gesture) {
        let view = self.view;
        self.update_camera(|camera, terrain| {
            camera.pan(gesture.drag.into(), view);
            camera.drag(gesture.turn.into(), view);
            if let Camera::Orbit { yaw, .. } = camera {
                *yaw += gesture.twist;
            }
            camera.zoom(
                gesture.zoom_factor,
                (gesture.zoom_center - rect.min).into(),
                view,
                terrain,
            );
            camera.constrain(view, terrain);
        });
    }

    pub(super) fn pick(&self, rect: Rect, at: Pos2) -> Option<PointerPosition> {
        let (camera, draw_data, scales) = (self.camera?, self.draw_data.as_ref()?, self.scales?);
        let cells = draw_data.cells();
        let exaggeration = self.style.exaggeration(&scales);
        let at = (at - rect.min).into();
        let position = camera.pick(at, self.view, &cells, exaggeration)?;
        Some(PointerPosition { position, scale: 1.0 })
    }

    pub(super) fn project(&self, rect: Rect, place: [f64; 2]) -> Option<Pos2> {
        let (camera, draw_data) = (self.camera?, self.draw_data.as_ref()?);
        let height = draw_data.height_at(place)?;
        let [x, y] = camera.project(&self.extent()?, self.view, place, height)?;
        Some(rect.min + vec2(x, y))
    }

    pub(super) fn extent(&self) -> Option<Extent> {
        let (draw_data, scales) = (self.draw_data.as_ref()?, self.scales?);
        let (low, high) = draw_data.bed.min_max()?;
        let exaggeration = self.style.exaggeration(&scales);
        Some(Extent { size: draw_data.size(), heights: [low, high], exaggeration })
    }
}
