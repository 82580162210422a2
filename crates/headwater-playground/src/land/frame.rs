//! [`Frame`]: uniform values of a frame, in the layout that `common.wgsl` declares.

use super::camera::{Camera, Extent};
use super::cells::CellTextures;
use super::frame_description::FrameDescription;
use super::style::{Layer, Scales};
use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3, Vec3Swizzles as _};
use headwater_scene::picture::{Palette, contour_interval};

#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Frame {
    pub(super) clip: [[f32; 4]; 4],
    pub(super) eye: [f32; 4],
    right: [f32; 4],
    up: [f32; 4],
    pub(super) ahead: [f32; 4],
    pub(super) sun: [f32; 4],
    pub(super) grid: [f32; 4],
    pub(super) size: [f32; 4],
    pub(super) heights: [f32; 4],
    water: [f32; 4],
    contour: [f32; 4],
    layer: [f32; 4],
    cursor: [f32; 4],
    cursor_color: [f32; 4],
    map: [f32; 4],
    ground: [f32; 4],
    rock: [f32; 4],
    view: [f32; 4],
    pub(super) elapsed: [f32; 4],
    air: [f32; 4],
}

/// Times that have elapsed since the previous frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElapsedTimes {
    /// Elapsed simulated time (s).
    pub(super) world: f32,
    /// Elapsed animation time (s).
    pub(super) play: f32,
    /// Whether the world has continued without a jump in time since the previous frame.
    pub(super) is_continuous: bool,
}

/// Optical depth (dimensionless) of the air along the world's diagonal: in clear weather, and in
/// the heaviest rain.
const HAZE: [f32; 2] = [0.16, 0.9];
/// Range of camera distances over which the open sky fades out, as fractions of the world's
/// diagonal. The distance is the larger of two values: the camera's height above the highest
/// ground, and its distance beyond the edge of the world.
const OPEN_SKY: [f32; 2] = [0.02, 0.16];

/// Smallest size of a cell on a map (points) at which cells are drawn without smoothing.
const EXACT_CELL_SIZE: f64 = 14.0;
/// Distance from the lowest ground down to the base of the drawn block of land, as a fraction of
/// the world's longer side.
const BASE_DEPTH: f32 = 0.045;
/// Clarity of the water in the shaders, from 0 to 1. At 0 the water is opaque enough that even
/// shallow water is visible, as in pictures of land. At 1 it is as clear as in a pool.
const CLARITY: f32 = 0.25;

impl Frame {
    pub(super) fn new(
        description: &FrameDescription,
        store: &CellTextures,
        scales: &Scales,
        pixels: [u32; 2],
        elapsed: ElapsedTimes,
    ) -> Self {
        let style = &description.style;
        let exaggeration = style.exaggeration(scales);
        let wide = store.extent();
        let extent = Extent { size: wide.map(f64::from), heights: store.range, exaggeration };
        let clip = description.camera.clip_matrix(&extent, description.size).to_cols_array_2d();
        let largest = wide[0].max(wide[1]);
        let foot = store.range[0] * exaggeration - BASE_DEPTH * largest;
        // Ripples are as large as cells, or a few pixels in small views.
        let cell = (store.cell[0] * store.cell[1]).sqrt();
        let ripple = (1.6 * cell).max(largest / 400.0);
        let sun = style.sun();
        let range = style.range(scales);
        let sea = (scales.sea_level - scales.min_ground) / (scales.max_ground - scales.min_ground);
        let interval = if style.contours {
            contour_interval(scales.max_ground - scales.min_ground) as f32
        } else {
            0.0
        };
        let mut frame = Self {
            clip,
            eye: [0.0, 0.0, 1.0, 0.0],
            right: [1.0, 0.0, 0.0, 1.0],
            up: [0.0, -1.0, 0.0, 1.0],
            ahead: [0.0, 0.0, -1.0, 1.0],
            sun: [sun[0], sun[1], sun[2], f32::from(style.dark)],
            grid: [store.nx as f32, store.ny as f32, store.cell[0], store.cell[1]],
            size: [wide[0], wide[1], foot, f32::from(store.hex)],
            heights: [scales.min_ground, scales.max_ground, scales.sea_level, exaggeration],
            // Wrap the time every hour: larger values would leave too few digits for fractions of a
            // second.
            water: [
                scales.min_depth,
                scales.max_depth,
                scales.max_speed,
                (description.time % 3600.0) as f32,
            ],
            contour: [
                interval,
                scales.sea_level,
                f32::from(style.palette != Palette::Island),
                style.ripples,
            ],
            layer: [
                f32::from(style.layer as u8),
                range[0],
                range[1],
                f32::from(style.layer == Layer::Ground),
            ],
            cursor: [0.0; 4],
            cursor_color: [0.0; 4],
            map: [0.0; 4],
            ground: [
                style.palette.land_ramp_fraction(scales.max_ground - scales.min_ground),
                style.palette.sea_level_within_scale(sea).unwrap_or(-1.0),
                (2.5 * cell).max(largest / 220.0),
                f32::from(style.liquid_code()),
            ],
            rock: linear_color(style.palette.rock_color(), CLARITY),
            view: [pixels[0] as f32, pixels[1] as f32, ripple, f32::from(store.has_tint)],
            elapsed: [elapsed.world, elapsed.play, f32::from(elapsed.is_continuous), 0.0],
            air: [style.rain.clamp(0.0, 1.0), 0.0, 0.0, 0.0],
        };
        if let Some(cursor) = description.cursor {
            let [x, y] = cursor.at.map(|v| v as f32);
            frame.cursor = [x, y, cursor.radius as f32, 0.0];
            frame.cursor_color = cursor.color;
        }
        match description.camera {
            Camera::Map { center, zoom } => {
                let metres = f64::from(description.size[0]) / zoom / f64::from(pixels[0].max(1));
                let corner = [0, 1]
                    .map(|i| (center[i] - 0.5 * f64::from(description.size[i]) / zoom) as f32);
                let exact = zoom * f64::from(store.cell[0]) >= EXACT_CELL_SIZE;
                frame.map = [corner[0], corner[1], metres as f32, f32::from(exact)];
                frame.ahead[3] = metres as f32;
            }
            Camera::Orbit { .. } => {
                if let Some(eye) = description.camera.basis(description.size) {
                    frame.eye = eye.at.extend(1.0).to_array();
                    frame.right = eye.right.extend(eye.half[0]).to_array();
                    frame.up = eye.up.extend(eye.half[1]).to_array();
                    let metres = 2.0 * eye.half[1] / pixels[1].max(1) as f32;
                    frame.ahead = eye.ahead.extend(metres).to_array();
                    let top = store.range[1] * exaggeration;
                    let foot = store.range[0] * exaggeration;
                    let middle = Vec3::new(0.5 * wide[0], 0.5 * wide[1], 0.5 * (top + foot));
                    let across = wide[0].hypot(wide[1]).max(1e-6);
                    // Only the air over the world absorbs light.
                    frame.air[2] = (eye.at.distance(middle) - 0.5 * across).max(0.0);
                    frame.air[1] = (HAZE[0] + (HAZE[1] - HAZE[0]) * frame.air[0]) / across;
                    let outside = Vec2::ZERO.max(-eye.at.xy()).max(eye.at.xy() - Vec2::from(wide));
                    let off = (eye.at.z - top).max(outside.max_element()) / across;
                    let part = ((off - OPEN_SKY[0]) / (OPEN_SKY[1] - OPEN_SKY[0])).clamp(0.0, 1.0);
                    frame.air[3] = 1.0 - part * part * (3.0 - 2.0 * part);
                }
            }
        }
        frame
    }

    /// Returns four values: the smallest drawn depth (m), the depth with the darkest colour (m),
    /// the flow speed of the longest arrows (m/s), and 0. If they differ from those of the last
    /// drawing, the water maps must be drawn again.
    pub(super) fn water_scales(&self) -> [f32; 4] {
        [self.water[0], self.water[1], self.water[2], 0.0]
    }

    /// Returns the lowest and highest exaggerated height (m) of the drawn volume: the base of the
    /// drawn block of land, and a height well above the highest ground.
    pub(super) fn bounds(&self) -> [f32; 2] {
        let top = self.heights[1].max(self.heights[2]) * self.heights[3];
        [self.size[2], top + 0.5 * (top - self.size[2])]
    }
}

/// Converts an sRGB colour (`0xRRGGBB`) to linear light. The fourth component of the result is
/// `last`.
fn linear_color(code: u32, last: f32) -> [f32; 4] {
    let part = |shift: u32| (((code >> shift) & 255) as f32 / 255.0).powf(2.2);
    [part(16), part(8), part(0), last]
}
