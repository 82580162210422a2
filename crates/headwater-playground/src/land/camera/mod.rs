//! [`Camera`]: position and projection of the view of a world, with its basic motions.

pub(super) mod motion;
pub(super) mod pick;

use glam::{Mat4, Vec3, Vec4};
use serde::{Deserialize, Serialize};

/// Half of the vertical field of view (rad).
const HALF_FIELD_OF_VIEW: f32 = 0.36;
/// Smallest and largest elevation of the camera above the horizon (rad).
const PITCH_RANGE: (f32, f32) = (0.06, 1.52);

/// Size and height range of a world, as needed to fit it into a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Width (west to east) and height (north to south) of the world (m).
    pub size: [f64; 2],
    /// Lowest and highest ground height (m).
    pub heights: [f32; 2],
    /// Vertical exaggeration (dimensionless).
    pub exaggeration: f32,
}

/// A camera that views a world. Screen positions are in points, to the right and down from the
/// view's top-left corner.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Camera {
    /// Orthographic view of the world from above.
    Map {
        /// World position at the centre of the view: east and south coordinates (m).
        center: [f64; 2],
        /// Screen points per metre.
        zoom: f64,
    },
    /// Perspective view of the world; the camera orbits a target point.
    Orbit {
        /// Target point: east and south coordinates (m from the world's north-west corner), and
        /// exaggerated height (m).
        target: [f32; 3],
        /// Viewing direction (rad, clockwise): 0 is north, π/2 is east.
        yaw: f32,
        /// Elevation angle (rad) of the camera above the horizontal, as seen from the target.
        pitch: f32,
        /// Distance of the camera from the target (m).
        distance: f32,
    },
}

/// Position and axes of a perspective camera, derived from a [`Camera::Orbit`].
#[derive(Clone, Copy, Debug)]
pub(super) struct CameraBasis {
    pub(super) at: Vec3,
    pub(super) right: Vec3,
    pub(super) up: Vec3,
    pub(super) ahead: Vec3,
    /// Half of the visible width and height per unit of distance from the camera (dimensionless).
    pub(super) half: [f32; 2],
}

impl Camera {
    /// Creates a map view that shows the whole world in a view of the given size (points).
    pub fn map(extent: &Extent, view: [f32; 2]) -> Self {
        let zoom = |i: usize| f64::from(view[i]) / extent.size[i].max(1e-9);
        let center = extent.size.map(|size| 0.5 * size);
        Self::Map { center, zoom: 0.96 * zoom(0).min(zoom(1)) }
    }

    /// Creates a perspective view that shows the whole world from the south, in a view of the given
    /// size (points).
    pub fn orbit(extent: &Extent, view: [f32; 2]) -> Self {
        let [wide, high] = extent.size.map(|size| size as f32);
        let middle = 0.5 * (extent.heights[0] + extent.heights[1]) * extent.exaggeration;
        let mut camera = Self::Orbit {
            target: [0.5 * wide, 0.5 * high, middle],
            yaw: -0.42,
            pitch: 0.62,
            distance: 1.0,
        };
        camera.fit(extent, view);
        camera
    }

    /// Moves the camera so that the whole world fits into a view of the given size (points). The
    /// viewing direction stays the same.
    pub fn fit(&mut self, extent: &Extent, view: [f32; 2]) {
        let fresh = match self {
            Self::Map { .. } => Self::map(extent, view),
            Self::Orbit { yaw, pitch, .. } => fit_orbit(extent, view, *yaw, *pitch),
        };
        *self = fresh;
    }

    /// Handles a pointer drag with the main button: pans a map, rotates a perspective view. `by` is
    /// the pointer motion and `view` the size of the view (points).
    pub fn drag(&mut self, by: [f32; 2], view: [f32; 2]) {
        match self {
            Self::Map { .. } => self.pan(by, view),
            Self::Orbit { yaw, pitch, .. } => {
                let turn = std::f32::consts::PI / view[0].max(view[1]).max(1.0);
                *yaw -= by[0] * turn;
                *pitch = (*pitch + by[1] * turn).clamp(PITCH_RANGE.0, PITCH_RANGE.1);
            }
        }
    }

    /// Pans the camera so that the world follows the pointer. `by` is the pointer motion and `view`
    /// the size of the view (points).
    pub fn pan(&mut self, by: [f32; 2], view: [f32; 2]) {
        match self {
            Self::Map { center, zoom } => {
                for i in 0..2 {
                    center[i] -= f64::from(by[i]) / *zoom;
                }
            }
            Self::Orbit { target, yaw, pitch, distance } => {
                let metres = 2.0 * *distance * HALF_FIELD_OF_VIEW.tan() / view[1].max(1.0);
                let (sin, cos) = yaw.sin_cos();
                let away = by[1] * metres / pitch.sin().max(0.25);
                let aside = -by[0] * metres;
                target[0] += aside * cos + away * sin;
                target[1] += aside * sin - away * cos;
            }
        }
    }

    /// Zooms by a factor, keeping the world position under the screen position `at` fixed. `view`
    /// is the size of the view (points).
    pub fn zoom_at(&mut self, factor: f32, at: [f32; 2], view: [f32; 2]) {
        if !(factor.is_finite() && factor > 0.0) {
            return;
        }
        match self {
            Self::Map { center, zoom } => {
                let before = *zoom;
                *zoom = (*zoom * f64::from(factor)).clamp(1e-6, 1e6);
                for i in 0..2 {
                    let off = f64::from(at[i] - 0.5 * view[i]);
                    center[i] += off / before - off / *zoom;
                }
            }
            Self::Orbit { distance, .. } => {
                let before = *distance;
                *distance = (*distance / factor).clamp(1e-3, 1e7);
                let fraction = 1.0 - *distance / before;
                let off = [0, 1].map(|i| -(at[i] - 0.5 * view[i]) * fraction);
                self.pan(off, view);
            }
        }
    }

    /// Returns the position and axes of a perspective camera in a view of the given size (points);
    /// `None` for a map.
    pub(super) fn basis(&self, view: [f32; 2]) -> Option<CameraBasis> {
        let Self::Orbit { target, yaw, pitch, distance } = *self else { return None };
        let (sin_y, cos_y) = yaw.sin_cos();
        let (sin_p, cos_p) = pitch.sin_cos();
        let ahead = Vec3::new(sin_y * cos_p, -cos_y * cos_p, -sin_p);
        let right = Vec3::new(cos_y, sin_y, 0.0);
        let up = Vec3::new(sin_y * sin_p, -cos_y * sin_p, cos_p);
        let high = HALF_FIELD_OF_VIEW.tan();
        let wide = high * view[0].max(1.0) / view[1].max(1.0);
        let at = Vec3::from(target) - ahead * distance;
        Some(CameraBasis { at, right, up, ahead, half: [wide, high] })
    }

    /// Returns the matrix that transforms world coordinates to clip space. World coordinates are
    /// east, south and exaggerated height (m). `view` is the size of the view (points).
    pub(super) fn clip_matrix(&self, extent: &Extent, view: [f32; 2]) -> Mat4 {
        let heights = extent.heights.map(|height| height * extent.exaggeration);
        match (*self, self.basis(view)) {
            (Self::Map { center, zoom }, _) => {
                let [x, y] = [2.0 / f64::from(view[0]), -2.0 / f64::from(view[1])];
                let size = extent.size.map(|size| size as f32);
                // Higher points are nearer to the camera; trees and houses rise above the highest
                // ground.
                let span = 2.0 * (heights[1] - heights[0]) + size[0].max(size[1]);
                matrix_from_rows([
                    Vec4::new((x * zoom) as f32, 0.0, 0.0, (-center[0] * x * zoom) as f32),
                    Vec4::new(0.0, (y * zoom) as f32, 0.0, (-center[1] * y * zoom) as f32),
                    Vec4::new(0.0, 0.0, -0.9 / span, 0.5 + 0.9 * heights[0] / span),
                    Vec4::W,
                ])
            }
            (Self::Orbit { target, distance, .. }, Some(basis)) => {
                let size = extent.size.map(|size| size as f32);
                let reach = size[0].hypot(size[1]) + heights[1] - heights[0];
                let off = Vec3::from(target) - Vec3::new(0.5 * size[0], 0.5 * size[1], heights[0]);
                let far = distance + off.length() + 2.0 * reach;
                let near = (distance * 0.02).max(far * 2e-5);
                let deep = far / (far - near);
                let row =
                    |axis: Vec3, scale: f32| (axis / scale).extend(-axis.dot(basis.at) / scale);
                let ahead = row(basis.ahead, 1.0);
                matrix_from_rows([
                    row(basis.right, basis.half[0]),
                    row(basis.up, basis.half[1]),
                    ahead * deep - Vec4::W * (near * deep),
                    ahead,
                ])
            }
            // Unreachable: an orbit always has a basis.
            (Self::Orbit { .. }, None) => Mat4::IDENTITY,
        }
    }

    /// Returns the screen position (points) of the world position `place` at a height (m); `None`
    /// if it is behind the camera.
    pub fn project(
        &self,
        extent: &Extent,
        view: [f32; 2],
        place: [f64; 2],
        height: f32,
    ) -> Option<[f32; 2]> {
        let world = Vec4::new(place[0] as f32, place[1] as f32, height * extent.exaggeration, 1.0);
        let seen = self.clip_matrix(extent, view) * world;
        let inside = seen.w > 1e-6;
        inside.then(|| {
            let (x, y) = (seen.x / seen.w, seen.y / seen.w);
            [(0.5 + 0.5 * x) * view[0], (0.5 - 0.5 * y) * view[1]]
        })
    }

    /// Returns the origin and the direction (unit vector) of the ray through a screen position, in
    /// coordinates with exaggerated heights; `None` for a map.
    pub(super) fn ray(&self, at: [f32; 2], view: [f32; 2]) -> Option<(Vec3, Vec3)> {
        let basis = self.basis(view)?;
        let x = (2.0 * at[0] / view[0].max(1.0) - 1.0) * basis.half[0];
        let y = (1.0 - 2.0 * at[1] / view[1].max(1.0)) * basis.half[1];
        Some((basis.at, (basis.ahead + basis.right * x + basis.up * y).normalize()))
    }
}

fn matrix_from_rows([x, y, z, w]: [Vec4; 4]) -> Mat4 {
    Mat4::from_cols(x, y, z, w).transpose()
}

/// Returns the perspective camera with the given direction whose view contains all eight corners of
/// the world's bounding box.
fn fit_orbit(extent: &Extent, view: [f32; 2], yaw: f32, pitch: f32) -> Camera {
    let [wide, high] = extent.size.map(|size| size as f32);
    let [low, top] = extent.heights.map(|height| height * extent.exaggeration);
    let foot = low - 0.05 * wide.max(high);
    let mut target = [0.5 * wide, 0.5 * high, 0.5 * (foot + top)];
    let mut distance = wide.max(high);
    for _ in 0..12 {
        let camera = Camera::Orbit { target, yaw, pitch, distance };
        let Some(basis) = camera.basis(view) else { return camera };
        let (mut left, mut right, mut bottom, mut above) = (0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32);
        for k in 0..8 {
            let pick = |bit: usize, a: f32, b: f32| if k >> bit & 1 == 0 { a } else { b };
            let corner = Vec3::new(pick(0, 0.0, wide), pick(1, 0.0, high), pick(2, foot, top));
            let off = corner - basis.at;
            let deep = off.dot(basis.ahead).max(1e-3 * distance);
            let (x, y) = (
                off.dot(basis.right) / deep / basis.half[0],
                off.dot(basis.up) / deep / basis.half[1],
            );
            left = left.min(x);
            right = right.max(x);
            bottom = bottom.min(y);
            above = above.max(y);
        }
        // Centre the box, then move as close to it as a small margin allows.
        let lift = 0.5 * (above + bottom) * basis.half[1] * distance;
        let aside = 0.5 * (left + right) * basis.half[0] * distance;
        let moved = Vec3::from(target) + basis.up * lift + basis.right * aside;
        target = moved.to_array();
        distance *= (0.5 * (right - left)).max(0.5 * (above - bottom)) / 0.96;
    }
    Camera::Orbit { target, yaw, pitch, distance }
}
