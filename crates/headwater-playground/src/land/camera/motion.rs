//! Camera motion over a terrain: zooming to the point under the pointer, and constraints that keep
//! the camera above the ground and near the world.

use super::Camera;
use crate::land::cells::Cells;
use glam::Vec3;

/// Smallest distance of the camera from its target, as a multiple of the cell size.
const MIN_DISTANCE: f32 = 3.0;
/// Largest distance of the camera from its target, as a multiple of the world's diagonal. At this
/// distance the whole world fits even into a narrow view.
const MAX_DISTANCE: f32 = 6.0;
/// Smallest height of the camera above the ground, as a multiple of the cell size.
const MIN_CLEARANCE: f32 = 1.5;
/// Largest size of a cell on a map, as a fraction of the view's shorter side.
const MAX_CELL_SIZE: f64 = 0.25;
/// Smallest size of the world on a map, as a fraction of the view's shorter side.
const MIN_WORLD_SIZE: f64 = 0.25;
/// Distance of the camera from its target in the ground-level view, as a multiple of the cell size.
const GROUND_LEVEL_DISTANCE: f32 = 7.0;
/// Angle (rad) of the camera above the horizontal, as seen from its target, in the ground-level
/// view.
const GROUND_LEVEL_PITCH: f32 = 0.07;
/// Speed of continuous camera motion, in heights of the view per second.
const MOVE_SPEED: f32 = 0.55;
/// Width of the range of distances in which zooming in slows down, as a multiple of the smallest
/// allowed distance. The range begins at that smallest distance.
const SLOWDOWN: f32 = 2.0;

/// World over which a camera moves, together with the vertical exaggeration.
#[derive(Clone, Copy, Debug)]
pub struct Terrain<'a> {
    /// State of the world, including ground heights.
    pub cells: Cells<'a>,
    /// Vertical exaggeration (dimensionless).
    pub exaggeration: f32,
}

impl Terrain<'_> {
    fn cell(&self) -> f32 {
        self.cells.cell[0].max(self.cells.cell[1])
    }

    fn diagonal(&self) -> f32 {
        let [wide, high] = self.cells.extent();
        wide.hypot(high)
    }

    /// Returns the point on the ground or water surface at the position `[x, y]` (m), after moving
    /// the position to the nearest point in the world. The coordinates of the result are east,
    /// south and exaggerated height (m).
    fn surface_point(&self, [x, y]: [f32; 2]) -> Vec3 {
        let [wide, high] = self.cells.extent();
        let place = [x.clamp(0.0, wide), y.clamp(0.0, high)];
        Vec3::new(place[0], place[1], self.cells.height(place) * self.exaggeration)
    }
}

impl Camera {
    /// Zooms by a factor. The ground under the screen position `at` stays at this position. If `at`
    /// is outside the world, zooms toward the target of the camera instead. `view` is the size of
    /// the view (points). Zooming slows down near its limits.
    pub fn zoom(&mut self, factor: f32, at: [f32; 2], view: [f32; 2], terrain: &Terrain<'_>) {
        if !(factor.is_finite() && factor > 0.0) || factor == 1.0 {
            return;
        }
        match *self {
            Self::Map { zoom, .. } => {
                let side = f64::from(view[0].min(view[1]).max(1.0));
                let max_zoom = MAX_CELL_SIZE * side / f64::from(terrain.cell());
                let [wide, high] = terrain.cells.extent();
                let min_zoom = (MIN_WORLD_SIZE * side / f64::from(wide.max(high))).min(max_zoom);
                let requested = (zoom * f64::from(factor)).clamp(min_zoom, max_zoom);
                self.zoom_at((requested / zoom) as f32, at, view);
            }
            Self::Orbit { .. } => {
                let place = self.pick(at, view, &terrain.cells, terrain.exaggeration);
                let anchor =
                    place.map(|place| terrain.surface_point(place.map(|part| part as f32)));
                self.scale_distances_from(factor, anchor, view, terrain);
            }
        }
        self.constrain(view, terrain);
    }

    /// Moves the camera and its target toward or away from the point `anchor`: divides the
    /// distances of both from this point by `factor`, or by less near the limits.
    fn scale_distances_from(
        &mut self,
        factor: f32,
        anchor: Option<Vec3>,
        view: [f32; 2],
        terrain: &Terrain<'_>,
    ) {
        let Some(basis) = self.basis(view) else { return };
        let Self::Orbit { target, distance, .. } = self else { return };
        let anchor = anchor.unwrap_or(Vec3::from(*target));
        let way = basis.at.distance(anchor).max(1e-6);
        let nearest = MIN_DISTANCE * terrain.cell();
        let farthest = (MAX_DISTANCE * terrain.diagonal()).max(way);
        let requested = if factor > 1.0 {
            // Near the limit, zoom by less than the requested factor.
            let left = ((way - nearest) / (SLOWDOWN * nearest)).clamp(0.0, 1.0);
            way / (1.0 + (factor - 1.0) * left)
        } else {
            way / factor
        };
        let share = requested.clamp(nearest.min(way), farthest) / way;
        *target = (anchor + (Vec3::from(*target) - anchor) * share).to_array();
        *distance *= share;
    }

    /// Keeps the camera above the ground and near the world. `view` is the size of the view
    /// (points).
    pub fn constrain(&mut self, view: [f32; 2], terrain: &Terrain<'_>) {
        let [wide, high] = terrain.cells.extent();
        match self {
            Self::Map { center, .. } => {
                for (part, side) in center.iter_mut().zip([wide, high]) {
                    *part = part.clamp(0.0, f64::from(side));
                }
                return;
            }
            Self::Orbit { target, distance, .. } => {
                target[0] = target[0].clamp(0.0, wide);
                target[1] = target[1].clamp(0.0, high);
                *distance =
                    distance.clamp(0.1 * terrain.cell(), MAX_DISTANCE * terrain.diagonal() * 1.5);
            }
        }
        let Some(basis) = self.basis(view) else { return };
        // Slopes next to the camera count like the ground directly under it.
        let room = MIN_CLEARANCE * terrain.cell();
        let sample_offsets = [[0.0, 0.0], [-room, 0.0], [room, 0.0], [0.0, -room], [0.0, room]];
        let lowest = sample_offsets
            .map(|[x, y]| terrain.surface_point([basis.at.x + x, basis.at.y + y]).z)
            .into_iter()
            .fold(f32::NEG_INFINITY, f32::max)
            + room;
        if let Self::Orbit { target, .. } = self
            && basis.at.z < lowest
        {
            target[2] += lowest - basis.at.z;
        }
    }

    /// Returns a copy of the camera, centred on a position (m) and zoomed by a factor.
    pub fn centred_on(
        &self,
        place: [f64; 2],
        nearer: f32,
        view: [f32; 2],
        terrain: &Terrain<'_>,
    ) -> Self {
        let mut moved = *self;
        match &mut moved {
            Self::Map { center, .. } => *center = place,
            Self::Orbit { target, .. } => {
                *target = terrain.surface_point(place.map(|part| part as f32)).to_array();
            }
        }
        moved.zoom(nearer, view.map(|side| 0.5 * side), view, terrain);
        moved
    }

    /// Returns a copy of the camera at ground level, looking ahead. The copy stands at the position
    /// `place` (m), or at the target of this camera if `place` is `None`.
    pub fn at_ground_level(
        &self,
        place: Option<[f64; 2]>,
        view: [f32; 2],
        terrain: &Terrain<'_>,
    ) -> Self {
        let Self::Orbit { target, yaw, .. } = *self else { return *self };
        let place = place.map_or([target[0], target[1]], |place| place.map(|part| part as f32));
        let target = terrain.surface_point(place).to_array();
        let distance = GROUND_LEVEL_DISTANCE * terrain.cell();
        let mut moved = Self::Orbit { target, yaw, pitch: GROUND_LEVEL_PITCH, distance };
        moved.constrain(view, terrain);
        moved
    }

    /// Moves the camera for `seconds` s. `direction` contains the rightward and the forward
    /// component of the motion, each from −1 to 1. At ground level the camera follows the terrain.
    pub fn move_by(
        &mut self,
        direction: [f32; 2],
        seconds: f32,
        view: [f32; 2],
        terrain: &Terrain<'_>,
    ) {
        let shift = MOVE_SPEED * view[1] * seconds;
        self.pan([-direction[0] * shift, direction[1] * shift], view);
        if self.is_at_ground_level(terrain)
            && let Self::Orbit { target, .. } = self
        {
            *target = terrain.surface_point([target[0], target[1]]).to_array();
        }
        self.constrain(view, terrain);
    }

    /// Returns true if the camera is close enough to its target to count as standing at ground
    /// level. Always returns false for a map.
    pub fn is_at_ground_level(&self, terrain: &Terrain<'_>) -> bool {
        matches!(self, Self::Orbit { distance, .. } if *distance < 2.0 * GROUND_LEVEL_DISTANCE * terrain.cell())
    }

    /// Returns a camera interpolated between this camera and `other`, which must be of the same
    /// kind. `weight` is 0 for this camera and 1 for `other`.
    pub fn interpolate(&self, other: &Self, weight: f32) -> Self {
        if weight >= 1.0 {
            return *other;
        }
        let mix = |a: f32, b: f32| a + (b - a) * weight;
        match (*self, *other) {
            (Self::Map { center: a, zoom: b }, Self::Map { center: c, zoom: d }) => {
                let share = f64::from(weight);
                let center = [0, 1].map(|i| a[i] + (c[i] - a[i]) * share);
                Self::Map { center, zoom: b * (d / b).powf(share) }
            }
            (
                Self::Orbit { target: a, yaw, pitch, distance },
                Self::Orbit { target: b, yaw: to_yaw, pitch: to_pitch, distance: to_distance },
            ) => Self::Orbit {
                target: [0, 1, 2].map(|i| mix(a[i], b[i])),
                yaw: mix(yaw, to_yaw),
                pitch: mix(pitch, to_pitch),
                distance: distance * (to_distance / distance).powf(weight),
            },
            _ => *other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Extent;
    use super::*;

    const VIEW: [f32; 2] = [900.0, 700.0];
    const N: usize = 64;

    /// Returns bed heights and depths of a test terrain with a ridge and 4 m cells.
    fn test_terrain() -> (Vec<f32>, Vec<f32>) {
        let ridge = |x: usize| 60.0 - (x as f32 - 32.0).abs() * 3.0;
        let bed = (0..N * N).map(|i| ridge(i % N).max(0.0)).collect();
        (bed, vec![0.0; N * N])
    }

    fn terrain_over<'a>(bed: &'a [f32], depth: &'a [f32]) -> Terrain<'a> {
        let cells = Cells {
            nx: N,
            ny: N,
            cell: [4.0, 4.0],
            hex: false,
            bed,
            depth,
            velocity: None,
            foam: None,
            closed: None,
            no_data: None,
        };
        Terrain { cells, exaggeration: 1.5 }
    }

    fn test_extent() -> Extent {
        Extent { size: [256.0, 256.0], heights: [0.0, 60.0], exaggeration: 1.5 }
    }

    fn ground_clearance(camera: &Camera, terrain: &Terrain<'_>) -> f32 {
        let basis = camera.basis(VIEW).unwrap().at;
        basis.z - terrain.surface_point([basis.x, basis.y]).z
    }

    #[test]
    fn zooming_keeps_the_camera_above_the_ground_with_the_ground_in_view() {
        let (bed, depth) = test_terrain();
        let terrain = terrain_over(&bed, &depth);
        for at in [[450.0, 350.0], [450.0, 420.0], [200.0, 500.0], [700.0, 300.0]] {
            let mut camera = Camera::orbit(&test_extent(), VIEW);
            for _ in 0..60 {
                camera.zoom(1.5, at, VIEW, &terrain);
                assert!(ground_clearance(&camera, &terrain) > 0.5, "{at:?}: {camera:?}");
            }
            let middle = camera.pick([450.0, 400.0], VIEW, &terrain.cells, terrain.exaggeration);
            assert!(middle.is_some(), "{at:?}: the ground is in view: {camera:?}");
            for _ in 0..80 {
                camera.zoom(0.7, at, VIEW, &terrain);
            }
            let Camera::Orbit { distance, .. } = camera else { panic!("an orbit") };
            assert!(distance < 20.0 * terrain.diagonal(), "{camera:?}");
        }
    }

    #[test]
    fn zooming_keeps_the_place_under_the_pointer() {
        let (bed, depth) = test_terrain();
        let terrain = terrain_over(&bed, &depth);
        let at = [300.0, 450.0];
        for mut camera in [Camera::orbit(&test_extent(), VIEW), Camera::map(&test_extent(), VIEW)] {
            let place = |camera: &Camera| {
                camera.pick(at, VIEW, &terrain.cells, terrain.exaggeration).unwrap()
            };
            let before = place(&camera);
            for _ in 0..6 {
                camera.zoom(1.25, at, VIEW, &terrain);
            }
            let after = place(&camera);
            let off = (after[0] - before[0]).hypot(after[1] - before[1]);
            assert!(off < 2.0, "{before:?} {after:?}");
        }
    }

    #[test]
    fn rotating_and_panning_keep_the_world_in_reach() {
        let (bed, depth) = test_terrain();
        let terrain = terrain_over(&bed, &depth);
        for mut camera in [Camera::orbit(&test_extent(), VIEW), Camera::map(&test_extent(), VIEW)] {
            for i in 0..200 {
                camera.pan([300.0, if i % 3 == 0 { -500.0 } else { 90.0 }], VIEW);
                camera.drag([35.0, -60.0], VIEW);
                camera.zoom(if i % 2 == 0 { 1.3 } else { 0.9 }, [100.0, 100.0], VIEW, &terrain);
                camera.constrain(VIEW, &terrain);
                if let Camera::Orbit { target, .. } = camera {
                    assert!(ground_clearance(&camera, &terrain) > 0.5, "{i}: {camera:?}");
                    assert!((0.0..=256.0).contains(&target[0]), "{camera:?}");
                }
            }
        }
    }

    #[test]
    fn an_animation_ends_at_its_target() {
        let (bed, depth) = test_terrain();
        let terrain = terrain_over(&bed, &depth);
        for camera in [Camera::orbit(&test_extent(), VIEW), Camera::map(&test_extent(), VIEW)] {
            let moved = camera.centred_on([60.0, 200.0], 2.5, VIEW, &terrain);
            assert_eq!(camera.interpolate(&moved, 1.0), moved);
            let seen =
                moved.pick([450.0, 350.0], VIEW, &terrain.cells, terrain.exaggeration).unwrap();
            assert!((seen[0] - 60.0).hypot(seen[1] - 200.0) < 4.0, "{seen:?}");
        }
    }
}
