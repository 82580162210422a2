//! Sun direction and hillshading.

/// Direction toward the sun, and vertical exaggeration of the terrain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sun {
    /// Unit vector toward the sun (east, south, up).
    pub(crate) direction: [f32; 3],
    /// Factor by which heights are multiplied before shading (dimensionless).
    pub(crate) exaggeration: f32,
}

impl Sun {
    /// Creates a sun at an azimuth (degrees clockwise from north) and an altitude (degrees above
    /// the horizon); heights are multiplied by `exaggeration`.
    pub(crate) fn new(azimuth: f32, altitude: f32, exaggeration: f32) -> Self {
        Self { direction: sun_direction(azimuth, altitude), exaggeration }
    }
}

/// Returns the unit vector (east, south, up) toward a sun at an azimuth (degrees clockwise from
/// north) and an altitude (degrees above the horizon).
pub fn sun_direction(azimuth: f32, altitude: f32) -> [f32; 3] {
    let (sin_a, cos_a) = azimuth.to_radians().sin_cos();
    let (sin_h, cos_h) = altitude.to_radians().sin_cos();
    [sin_a * cos_h, -cos_a * cos_h, sin_h]
}

/// Hillshading: computes the brightness of slopes relative to level ground, from 0 (dark) through 1
/// (as bright as level ground) to about 1.5.
#[derive(Clone, Debug)]
pub(crate) struct Hillshade {
    /// Three lights, each as a direction and a weight: the sun, and a weaker light on either side
    /// of it. The weaker lights show ridges that run along the sun's rays.
    lights: [([f32; 3], f32); 3],
    level: f32,
    exaggeration: f32,
}

impl Hillshade {
    pub(crate) fn new(azimuth: f32, altitude: f32, exaggeration: f32) -> Self {
        let lights = [
            (sun_direction(azimuth, altitude), 0.66),
            (sun_direction(azimuth - 65.0, altitude), 0.19),
            (sun_direction(azimuth + 65.0, altitude), 0.15),
        ];
        let level = lights.iter().map(|(direction, share)| direction[2] * share).sum();
        Self { lights, level, exaggeration }
    }

    /// Returns the brightness of ground relative to level ground. The arguments are the slopes of
    /// the ground toward the east and the south (m/m, positive uphill).
    pub(crate) fn relative_brightness(&self, east: f32, south: f32) -> f32 {
        let (gx, gy) = (east * self.exaggeration, south * self.exaggeration);
        let length = (1.0 + gx * gx + gy * gy).sqrt();
        let lit: f32 = self
            .lights
            .iter()
            .map(|(l, share)| share * (l[2] - gx * l[0] - gy * l[1]).max(0.0))
            .sum();
        lit / (length * self.level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_that_face_the_sun_are_brighter() {
        let light = Hillshade::new(315.0, 45.0, 1.0);
        // Ground that faces the sun in the northwest rises to the east and to the south.
        assert!(light.relative_brightness(0.5, 0.5) > 1.1);
        assert!((light.relative_brightness(0.0, 0.0) - 1.0).abs() < 1e-5);
        assert!(light.relative_brightness(-0.5, -0.5) < 0.8);
    }
}
