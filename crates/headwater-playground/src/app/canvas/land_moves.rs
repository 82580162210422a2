//! Camera control of a [`LandView`].

use super::land_view::LandView;
use super::pointer::Doing;
use super::view::{Flight, LandEye, Pointed};
use crate::land::{Camera, Extent, Terrain};
use eframe::egui::{self, Pos2, Rect, vec2};

/// Zoom factor of a double click.
const NEARER: f32 = 2.2;

/// Duration of camera animations (s).
const FLIGHT: f32 = 0.35;

impl LandView {
    /// Switches to another world, with its saved camera or the default one.
    pub(super) fn change(&mut self, eye: Option<LandEye>) {
        (self.camera, self.other, self.flight) = (None, None, None);
        self.is_fitted = eye.is_none();
        if let Some(LandEye { camera, other, is_map }) = eye {
            (self.camera, self.other, self.is_map) = (Some(camera), other, is_map);
        }
        self.refresh();
    }

    pub(super) fn eye(&self) -> Option<LandEye> {
        let (other, is_map) = (self.other, self.is_map);
        self.camera.map(|camera| LandEye { camera, other, is_map })
    }

    /// Sets the camera at once.
    pub(super) fn look_from(&mut self, eye: LandEye) {
        (self.camera, self.other, self.is_map) = (Some(eye.camera), eye.other, eye.is_map);
        (self.flight, self.is_fitted) = (None, false);
    }

    pub(super) fn look_as(&mut self, other: &Self) {
        (self.camera, self.other, self.is_map) = (other.camera, other.other, other.is_map);
        (self.flight, self.is_fitted, self.fitted) = (None, other.is_fitted, other.fitted);
    }

    pub(super) fn flies(&self) -> bool {
        self.flight.is_some()
    }

    /// Animates the camera to the position returned by `to`.
    fn fly_to(&mut self, to: impl FnOnce(Camera, &Terrain<'_>) -> Camera) {
        let (Some(from), Some(terrain)) = (self.camera, self.terrain()) else { return };
        let to = to(from, &terrain);
        (self.flight, self.is_fitted) = (Some(Flight { from, to, part: 0.0 }), false);
    }

    /// Moves the camera at once.
    fn shift(&mut self, moves: impl FnOnce(&mut Camera, &Terrain<'_>)) {
        let (Some(mut camera), Some(terrain)) = (self.camera, self.terrain()) else { return };
        moves(&mut camera, &terrain);
        (self.camera, self.flight, self.is_fitted) = (Some(camera), None, false);
    }

    fn middle(&self) -> [f32; 2] {
        self.view.map(|side| 0.5 * side)
    }

    pub(super) fn fit(&mut self) {
        if let (Some(extent), Some(from)) = (self.extent(), self.camera) {
            let mut to = from;
            to.fit(&extent, self.view);
            self.flight = Some(Flight { from, to, part: 0.0 });
            (self.is_fitted, self.fitted) = (true, self.view);
        }
    }

    /// Animates the camera to the place under a screen point, and zooms in.
    pub(super) fn go_to(&mut self, rect: Rect, at: Pos2) {
        let Some(place) = self.pick(rect, at) else { return };
        let view = self.view;
        self.fly_to(|camera, terrain| camera.towards(place.position, NEARER, view, terrain));
    }

    /// Moves the camera to ground level, at a place or at the centre of the view.
    pub(super) fn walk(&mut self, place: Option<[f64; 2]>) {
        if self.is_map {
            self.tilt();
        }
        let view = self.view;
        self.fly_to(|camera, terrain| camera.standing(place, view, terrain));
    }

    /// Returns true if the camera is at ground level, or will be after the animation.
    pub(super) fn is_walking(&self) -> bool {
        let camera = self.flight.map(|flight| flight.to).or(self.camera);
        camera.zip(self.terrain()).is_some_and(|(camera, terrain)| camera.is_down(&terrain))
    }

    pub(super) fn stroll(&mut self, way: [f32; 2], seconds: f32) {
        let view = self.view;
        self.shift(|camera, terrain| camera.stroll(way, seconds, view, terrain));
    }

    /// Zooms at the centre of the view by a factor, animated.
    pub(super) fn come_nearer(&mut self, factor: f32) {
        let (view, middle, flight) = (self.view, self.middle(), self.flight);
        self.fly_to(|camera, terrain| {
            let mut to = flight.map_or(camera, |flight| flight.to);
            to.zoom(factor, middle, view, terrain);
            to
        });
    }

    /// Rotates for a pointer motion in points.
    pub(super) fn turn(&mut self, by: egui::Vec2) {
        let view = self.view;
        self.shift(|camera, terrain| {
            camera.drag(by.into(), view);
            camera.stay(view, terrain);
        });
    }

    /// Zooms at the centre of the view by a factor, at once.
    pub(super) fn zoom(&mut self, factor: f32) {
        let (view, middle) = (self.view, self.middle());
        self.shift(|camera, terrain| camera.zoom(factor, middle, view, terrain));
    }

    pub(super) fn fly(&mut self, ui: &egui::Ui) {
        let Some(flight) = &mut self.flight else { return };
        let seconds = ui.input(|input| input.stable_dt).min(0.1);
        flight.part = (flight.part + seconds / FLIGHT).min(1.0);
        let eased = flight.part * flight.part * (3.0 - 2.0 * flight.part);
        self.camera = Some(flight.from.between(&flight.to, eased));
        if flight.part >= 1.0 {
            self.flight = None;
        }
        ui.ctx().request_repaint();
    }

    pub(super) fn terrain(&self) -> Option<Terrain<'_>> {
        let (drawn, scales) = (self.drawn.as_ref()?, self.scales?);
        let exaggeration = self.style.exaggeration(&scales);
        Some(Terrain { cells: drawn.cells(), exaggeration })
    }

    pub(super) fn tilt(&mut self) {
        self.is_map = !self.is_map;
        self.flight = None;
        std::mem::swap(&mut self.camera, &mut self.other);
    }

    pub(super) fn is_map(&self) -> bool {
        self.is_map
    }

    pub(super) fn travel(&mut self, rect: Rect, doing: &Doing) {
        let view = self.view;
        self.shift(|camera, terrain| {
            camera.pan(doing.drag.into(), view);
            camera.drag(doing.turn.into(), view);
            if let Camera::Orbit { yaw, .. } = camera {
                *yaw += doing.twist;
            }
            camera.zoom(doing.nearer, (doing.around - rect.min).into(), view, terrain);
            camera.stay(view, terrain);
        });
    }

    pub(super) fn pick(&self, rect: Rect, at: Pos2) -> Option<Pointed> {
        let (camera, drawn, scales) = (self.camera?, self.drawn.as_ref()?, self.scales?);
        let cells = drawn.cells();
        let exaggeration = self.style.exaggeration(&scales);
        let at = (at - rect.min).into();
        let position = camera.pick(at, self.view, &cells, exaggeration)?;
        Some(Pointed { position, scale: 1.0 })
    }

    pub(super) fn project(&self, rect: Rect, place: [f64; 2]) -> Option<Pos2> {
        let (camera, drawn) = (self.camera?, self.drawn.as_ref()?);
        let height = drawn.height_at(place)?;
        let [x, y] = camera.project(&self.extent()?, self.view, place, height)?;
        Some(rect.min + vec2(x, y))
    }

    pub(super) fn extent(&self) -> Option<Extent> {
        let (drawn, scales) = (self.drawn.as_ref()?, self.scales?);
        let (low, high) = drawn.bed.min_max()?;
        let exaggeration = self.style.exaggeration(&scales);
        Some(Extent { size: drawn.size(), heights: [low, high], exaggeration })
    }
}
