//! Light maps of the water for renderers: caustics, refraction and reflection by surface waves.

use crate::columns::world::Columns;
use crate::error::InputError;
use crate::field::Field;
use crate::parameter::Range;

/// Refractive index of water (dimensionless).
const REFRACTIVE_INDEX: f64 = 1.333;

/// Fraction of the light that ice transmits.
const ICE_TRANSMISSION: f64 = 0.6;

/// Number of sample points per column for computing the shadows of walls.
const SHADOW_SAMPLES: usize = 4;

/// Tolerance (m) within which a ray along the face of a wall is not blocked by the wall.
const WALL_TOLERANCE: f64 = 1e-7;

/// Parallel sunlight from above, and the resolution of the light maps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sun {
    /// Angle between the light and the vertical (degrees), from −80 to 80. Positive angles mean
    /// that the light travels to the east.
    pub angle: f64,
    /// Number of light samples along each side of a grid cell, from 1 to 16.
    pub samples: usize,
}

impl Default for Sun {
    fn default() -> Self {
        Self { angle: 0.0, samples: 1 }
    }
}

/// Light maps of the water. Each field has [`Sun::samples`] values along each side of a grid cell.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Light {
    /// Irradiance on a horizontal surface, relative to that below a flat water surface
    /// (dimensionless). It is greater than 1 where rays converge, and 0 in shadow.
    pub brightness: Field<f32>,
    /// Mean horizontal displacement (m, positive to the east) of the light between the surface and
    /// the sample point. Seen from above, objects appear shifted in the opposite direction.
    pub refraction: Field<f32>,
    /// Offset (m, to the east and downward) from a point in the water to its mirror image above the
    /// water surface. A renderer draws the reflection of the mirror point at the point in the
    /// water.
    pub reflection: Field<[f32; 2]>,
}

#[derive(Clone, Copy)]
struct Ray {
    /// Point (m) where the ray enters the water.
    from: [f64; 2],
    slope_east: f64,
    is_alive: bool,
}

impl Ray {
    fn x_at(&self, y: f64) -> f64 {
        self.from[0] + (y - self.from[1]) * self.slope_east
    }
}

#[derive(Default)]
struct Beams {
    rays: Vec<(Ray, f64)>,
    ends: Vec<usize>,
}

impl Columns {
    /// Computes the light maps of the water in all pools. Rays are refracted at the surface
    /// (Snell's law) and end at walls. The light between two adjacent rays is spread evenly between
    /// them, so no light is lost.
    ///
    /// ```
    /// use headwater::columns::{Columns, Params, Sun};
    /// let mut pool = Columns::from_text("#..~..#\n#.....#\n#######", 1.0, Params::default())?;
    /// let light = pool.light(&Sun::default())?;
    /// assert_eq!(light.brightness[(3, 1)], 1.0);
    /// assert_eq!(light.reflection[(3, 1)], [0.0, -3.0], "a metre and a half above the surface");
    /// # Ok::<(), headwater::InputError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`InputError`] if a value in `sun` is out of range.
    pub fn light(&self, sun: &Sun) -> Result<Light, InputError> {
        let mut light = Light::default();
        self.light_into(sun, &mut light)?;
        Ok(light)
    }

    /// Computes the [`light`](Self::light) maps and writes them into existing fields, which can be
    /// reused from frame to frame. Allocates memory only if the shape of the fields changes.
    ///
    /// # Errors
    /// Returns [`InputError`] for the same reasons as [`light`](Self::light). In that case, the
    /// fields do not change.
    pub fn light_into(&self, sun: &Sun, light: &mut Light) -> Result<(), InputError> {
        let samples = sun.samples;
        Range::new(-80.0, 80.0).check("the sun's angle", sun.angle, "degrees")?;
        Range::new(1.0, 16.0).check("samples along a cell", samples as f64, "")?;
        let grid = &self.layout.grid;
        let (nx, ny) = (grid.nx() * samples, grid.ny() * samples);
        light.brightness.reset(nx, ny, 0.0);
        light.refraction.reset(nx, ny, 0.0);
        light.reflection.reset(nx, ny, [0.0; 2]);
        let size = self.layout.cell / samples as f64;
        // A ray along the face of a wall is not blocked.
        let is_wall = |x: f64, y: usize| {
            [x - WALL_TOLERANCE, x + WALL_TOLERANCE].iter().all(|x| {
                let column = (x / self.layout.cell).floor();
                let inside = column >= 0.0 && (column as usize) < grid.nx();
                !inside || grid.is_wall(column as usize, y / samples)
            })
        };
        let angle = sun.angle.to_radians();
        let mut beams = self.scratch.take::<Beams>();
        self.find_beams([libm::sin(angle), libm::cos(angle)], &mut beams);
        let Beams { rays, ends } = &mut *beams;
        let mut from = 0;
        for &end in &*ends {
            let rays = &mut rays[std::mem::replace(&mut from, end)..end];
            let top = rays.iter().map(|(ray, _)| ray.from[1]).fold(f64::INFINITY, f64::min);
            for y in (top / size).max(0.0) as usize..ny {
                let middle = (y as f64 + 0.5) * size;
                for (ray, _) in &mut *rays {
                    ray.is_alive &= ray.from[1] > middle || !is_wall(ray.x_at(middle), y);
                }
                if !rays.iter().any(|(ray, _)| ray.is_alive) {
                    break;
                }
                for pair in rays.windows(2) {
                    let ([a, b], amount) = ([pair[0].0, pair[1].0], pair[0].1);
                    let reaches = |ray: Ray| ray.is_alive && ray.from[1] <= middle;
                    if reaches(a) && reaches(b) {
                        let ends = [a.x_at(middle), b.x_at(middle)];
                        let shift = 0.5 * (ends[0] + ends[1] - a.from[0] - b.from[0]);
                        spread_light(light, y, size, ends, amount, shift);
                    }
                }
            }
        }
        for (lit, shift) in light.brightness.as_slice().iter().zip(light.refraction.as_mut_slice())
        {
            if *lit > 0.0 {
                *shift /= lit;
            }
        }
        self.add_reflection(light, size);
        Ok(())
    }

    /// Finds the refracted rays below every stretch of open water surface. `sun` is the direction
    /// of the light (to the east and down).
    fn find_beams(&self, sun: [f64; 2], Beams { rays, ends }: &mut Beams) {
        rays.clear();
        ends.clear();
        let layout = &self.layout;
        let down = |c: usize| layout.height() - self.surface_height(c);
        let is_open = |c: usize| {
            self.state.depth[c] > 0 && layout.floor[c] + self.state.depth[c] < layout.ceiling[c]
        };
        for pool in &layout.pools {
            let mut from = pool.columns.start;
            while from < pool.columns.end {
                if !is_open(from) {
                    from += 1;
                    continue;
                }
                let mut to = from + 1;
                while to < pool.columns.end && is_open(to) && self.are_connected(to - 1, to) {
                    to += 1;
                }
                let west = |c: usize| (pool.x0 + c - pool.columns.start) as f64 * layout.width;
                let first = rays.len();
                for c in from..=to {
                    let [a, b] = [c.max(from + 1) - 1, c.min(to - 1)].map(down);
                    let iced = self.ice_thickness(c.min(to - 1)) > 0.0;
                    let slope = if iced { 0.0 } else { (b - a) / layout.width };
                    let from = [west(c), 0.5 * (a + b)];
                    rays.push((
                        Ray { from, slope_east: ray_slope(sun, slope), is_alive: true },
                        0.0,
                    ));
                }
                for (i, c) in (first..).zip(from..to) {
                    let along = [0, 1].map(|k| rays[i + 1].0.from[k] - rays[i].0.from[k]);
                    let through = if self.ice_thickness(c) > 0.0 { ICE_TRANSMISSION } else { 1.0 };
                    let open = self.sky_visibility(sun, rays[i].0.from, along);
                    rays[i].1 = open * through * (along[0] - along[1] * sun[0] / sun[1]).max(0.0);
                }
                ends.push(rays.len());
                from = to;
            }
        }
    }

    fn sky_visibility(&self, sun: [f64; 2], start: [f64; 2], direction: [f64; 2]) -> f64 {
        let (grid, cell) = (&self.layout.grid, self.layout.cell);
        let slope_east = sun[0] / sun[1];
        let is_open = |part: f64| {
            let [x, y] = [0, 1].map(|k| (start[k] + part * direction[k]) / cell);
            (0..(y.ceil().max(0.0) as usize).min(grid.ny())).all(|row| {
                // Position of the ray at the middle of each row; in the first row, half way up from
                // the water.
                let middle = 0.5 * (row as f64 + (row as f64 + 1.0).min(y));
                let column = (x - (y - middle) * slope_east).floor();
                let inside = column >= 0.0 && (column as usize) < grid.nx();
                !inside || !grid.is_wall(column as usize, row)
            })
        };
        let open = (0..SHADOW_SAMPLES)
            .filter(|&k| is_open((k as f64 + 0.5) / SHADOW_SAMPLES as f64))
            .count();
        open as f64 / SHADOW_SAMPLES as f64
    }

    fn add_reflection(&self, light: &mut Light, size: f64) {
        for y in 0..light.brightness.ny() {
            for x in 0..light.brightness.nx() {
                let at = [(x as f64 + 0.5) * size, (y as f64 + 0.5) * size];
                let column = self.column_at(at).filter(|&c| {
                    let surface = self.layout.height() - self.surface_height(c);
                    self.state.depth[c] > 0 && at[1] >= surface
                });
                let Some(c) = column else {
                    light.brightness[(x, y)] = 0.0;
                    light.refraction[(x, y)] = 0.0;
                    continue;
                };
                let pool = &self.layout.pools[self.layout.pool_of(c)].columns;
                let [a, b] = [c.max(pool.start + 1) - 1, (c + 1).min(pool.end - 1)].map(|other| {
                    if self.state.depth[other] > 0 {
                        self.surface_height(other)
                    } else {
                        self.surface_height(c)
                    }
                });
                // The slope is positive where the surface falls to the east.
                let slope = (a - b) / (2.0 * self.layout.width);
                let deep = at[1] - (self.layout.height() - self.surface_height(c));
                let square = 1.0 + slope * slope;
                light.reflection[(x, y)] =
                    [deep * 2.0 * slope / square, -2.0 * deep / square].map(|v| v as f32);
            }
        }
    }
}

/// Adds an amount of light to one row of samples. The light is spread evenly between the two
/// horizontal positions `ends` (m). `y` is the row, `size` the spacing of the samples (m), and
/// `shift` the horizontal displacement of the light (m).
fn spread_light(light: &mut Light, y: usize, size: f64, ends: [f64; 2], amount: f64, shift: f64) {
    let (low, high) = (ends[0].min(ends[1]) / size, ends[0].max(ends[1]) / size);
    let wide = (high - low).max(1e-9);
    let nx = light.brightness.nx();
    let first = low.floor().max(0.0) as usize;
    let last = (high.floor().max(0.0) as usize).min(nx.saturating_sub(1));
    for x in first..=last {
        let part = (high.min(x as f64 + 1.0) - low.max(x as f64)).max(0.0) / wide;
        // The light of a beam without width goes to a single sample.
        let part = if high - low < 1e-9 { f64::from(u8::from(x == first)) } else { part };
        let bright = (amount * part / size) as f32;
        light.brightness[(x, y)] += bright;
        light.refraction[(x, y)] += bright * shift as f32;
    }
}

/// Returns the slope of a refracted ray below the water surface, as metres to the east per metre
/// downward (Snell's law). `sun` is the direction of the light (to the east and down). `slope` is
/// the slope of the surface (metres downward per metre to the east).
fn ray_slope(sun: [f64; 2], slope: f64) -> f64 {
    let long = (1.0 + slope * slope).sqrt();
    let normal = [slope / long, -1.0 / long];
    let cosine = -(normal[0] * sun[0] + normal[1] * sun[1]);
    if cosine <= 0.0 {
        // The surface faces away from the light, so no light enters.
        return sun[0] / sun[1];
    }
    let bent = (1.0 - (1.0 - cosine * cosine) / (REFRACTIVE_INDEX * REFRACTIVE_INDEX)).sqrt();
    let along = cosine / REFRACTIVE_INDEX - bent;
    let [x, y] = [0, 1].map(|i| sun[i] / REFRACTIVE_INDEX + along * normal[i]);
    // Limit grazing rays, so that they still go downward.
    x / y.max(0.05)
}
