//! [`SideCamera`]: the visible part of a world in side view, with panning and zooming.

use eframe::egui::{Pos2, Rect, Vec2};
use headwater::Id;
use serde::{Deserialize, Serialize};

/// Smallest zoom, relative to the zoom at which the world fits the view.
const MIN_ZOOM: f32 = 1.0;
/// Largest size of a cell, as a fraction of the view's shorter side.
const MAX_CELL_FRACTION: f32 = 0.5;
/// Exponent that is applied to zoom factors while the zoom is beyond its limits. It is below 1, so
/// that further zooming in that direction is slower.
const OVERSHOOT_POWER: f32 = 0.25;
/// Rate (1/s) at which the camera returns to the allowed positions or follows a body.
const RETURN_RATE: f32 = 9.0;
/// Tolerance at which a camera animation ends (fraction of the world's size, or of the zoom).
const REST_TOLERANCE: f32 = 1e-4;

/// Screen rectangle of the view, and number of cells of the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct ViewFrame {
    /// Rectangle of the view on the screen (points).
    pub(super) view: Rect,
    /// Number of columns and rows of the world.
    pub(super) cells: Vec2,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::app) struct SideCamera {
    /// Zoom, relative to the zoom at which the world fits the view.
    zoom: f32,
    /// World position at the centre of the view, as fractions of the world's size.
    middle: [f32; 2],
    /// Floating body that the camera follows, if any.
    #[serde(skip)]
    pub(super) follows: Option<Id>,
}

impl Default for SideCamera {
    fn default() -> Self {
        Self { zoom: 1.0, middle: [0.5, 0.5], follows: None }
    }
}

impl SideCamera {
    /// Returns the world position at the centre of the view, as fractions of the world's size.
    pub(super) fn middle(&self) -> Vec2 {
        self.middle.into()
    }

    /// Returns the rectangle that the whole world occupies on the screen (points).
    pub(super) fn world_rect(&self, frame: ViewFrame) -> Rect {
        let size = frame.cells * frame.fitted_cell_size() * self.zoom;
        Rect::from_min_size(frame.view.center() - self.middle() * size, size)
    }

    /// Pans by `offset` (points) and zooms by the factor `zoom_factor`. The world position under
    /// `zoom_center` stays fixed while zooming.
    pub(super) fn pan_and_zoom(
        &mut self,
        frame: ViewFrame,
        offset: Vec2,
        zoom_factor: f32,
        zoom_center: Pos2,
    ) {
        if !(offset.is_finite() && zoom_center.is_finite()) {
            return;
        }
        if offset != Vec2::ZERO {
            self.follows = None;
        }
        let zoom_center = if self.follows.is_some() { frame.view.center() } else { zoom_center };
        let before = self.world_rect(frame);
        let at = (zoom_center - before.min) / before.size();
        if zoom_factor.is_finite() && zoom_factor > 0.0 {
            let wanted = self.zoom * zoom_factor;
            // Damp zooming beyond the limits, but not on the way back.
            let stop = wanted.clamp(MIN_ZOOM, frame.max_settled_zoom());
            let is_back = (wanted - stop).abs() < (self.zoom - stop).abs();
            self.zoom = if is_back || wanted == stop {
                wanted
            } else {
                self.zoom * zoom_factor.powf(OVERSHOOT_POWER)
            };
            self.zoom = self.zoom.clamp(0.5 * MIN_ZOOM, 2.0 * frame.max_settled_zoom());
        }
        let size = self.world_rect(frame).size();
        let middle = at - (zoom_center - frame.view.center()) / size - offset / size;
        self.middle = middle.clamp(Vec2::ZERO, Vec2::splat(1.0)).into();
    }

    /// Advances the camera animation by `seconds`. The animation moves the camera back to the
    /// allowed positions and zooms. If the camera follows a body, it moves toward the position
    /// `body` (fractions of the world's size). Returns true while the camera moves.
    pub(super) fn animate_to_rest(
        &mut self,
        frame: ViewFrame,
        body: Option<Vec2>,
        seconds: f32,
    ) -> bool {
        let part = 1.0 - (-RETURN_RATE * seconds).exp();
        let stop = self.zoom.clamp(MIN_ZOOM, frame.max_settled_zoom());
        self.zoom *= (stop / self.zoom).powf(part);
        if (self.zoom / stop - 1.0).abs() < REST_TOLERANCE {
            self.zoom = stop;
        }
        let half = 0.5 * frame.view.size() / self.world_rect(frame).size();
        // A world smaller than the view is centred; otherwise the view stays inside the world.
        let low = half.min(Vec2::splat(0.5));
        let mut middle = self.middle();
        let wanted = body.unwrap_or(middle).clamp(low, Vec2::splat(1.0) - low);
        middle += (wanted - middle) * part;
        if (wanted - middle).abs().max_elem() < REST_TOLERANCE {
            middle = wanted;
        }
        self.middle = middle.into();
        self.zoom != stop || middle != wanted
    }
}

impl ViewFrame {
    /// Returns the size of a cell (points) when the world fits the view.
    fn fitted_cell_size(self) -> f32 {
        (self.view.size() / self.cells).min_elem()
    }

    /// Returns the largest zoom at which the camera may rest. From a larger zoom, the camera
    /// returns to this one when the user stops moving it.
    fn max_settled_zoom(self) -> f32 {
        (MAX_CELL_FRACTION * self.view.size().min_elem() / self.fitted_cell_size()).max(MIN_ZOOM)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{pos2, vec2};

    fn frame() -> ViewFrame {
        let view = Rect::from_min_size(pos2(100.0, 50.0), vec2(800.0, 600.0));
        ViewFrame { view, cells: vec2(200.0, 100.0) }
    }

    fn animate_until_rest(camera: &mut SideCamera, body: Option<Vec2>) {
        for _ in 0..400 {
            if !camera.animate_to_rest(frame(), body, 1.0 / 60.0) {
                return;
            }
        }
        panic!("{camera:?} does not come to rest");
    }

    #[test]
    fn zooming_keeps_the_cell_under_the_pointer() {
        let (mut camera, at) = (SideCamera::default(), pos2(700.0, 400.0));
        let share = |camera: &SideCamera| {
            let place = camera.world_rect(frame());
            (at - place.min) / place.size()
        };
        let before = share(&camera);
        for _ in 0..30 {
            camera.pan_and_zoom(frame(), Vec2::ZERO, 1.1, at);
        }
        assert!((share(&camera) - before).length() < 1e-3, "{camera:?}");
        for _ in 0..100 {
            camera.pan_and_zoom(frame(), Vec2::ZERO, 1.3, at);
        }
        let cell = |camera: &SideCamera| camera.world_rect(frame()).width() / 200.0;
        assert!(cell(&camera) > 301.0, "zooming beyond the limit is damped");
        animate_until_rest(&mut camera, None);
        assert!((cell(&camera) - 300.0).abs() < 0.1, "a cell fills half of the view: {camera:?}");
    }

    #[test]
    fn the_world_stays_in_view() {
        let mut camera = SideCamera::default();
        for (by, zoom_factor) in
            [(vec2(9000.0, 0.0), 1.0), (vec2(0.0, -9000.0), 9.0), (Vec2::ZERO, 1e-9)]
        {
            camera.pan_and_zoom(frame(), by, zoom_factor, pos2(100.0, 50.0));
            assert!(camera.world_rect(frame()).intersects(frame().view), "{camera:?}");
            animate_until_rest(&mut camera, None);
            let place = camera.world_rect(frame());
            let seen = place.intersect(frame().view);
            assert!((seen.width() - 800.0).abs() < 0.5, "its width fills the view: {place:?}");
            camera.pan_and_zoom(frame(), vec2(f32::NAN, 0.0), f32::NAN, pos2(0.0, 0.0));
        }
    }

    #[test]
    fn a_followed_body_stays_centred_until_the_user_pans() {
        let mut camera = SideCamera { follows: Some(Id::new(3)), ..SideCamera::default() };
        camera.pan_and_zoom(frame(), Vec2::ZERO, 4.0, pos2(150.0, 60.0));
        animate_until_rest(&mut camera, Some(vec2(0.3, 0.4)));
        let place = camera.world_rect(frame());
        let seen = place.min + vec2(0.3, 0.4) * place.size();
        assert!((seen - frame().view.center()).length() < 1.0, "{seen:?}");
        animate_until_rest(&mut camera, Some(vec2(0.0, 0.0)));
        assert!(
            camera.world_rect(frame()).min.x <= 100.5,
            "at the border the view stays inside the world"
        );
        camera.pan_and_zoom(frame(), vec2(5.0, 0.0), 1.0, pos2(150.0, 60.0));
        assert_eq!(camera.follows, None);
    }
}
