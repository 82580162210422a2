//! Bodies that float in the surface and press it down, at rest or on their way. A body presses as the
//! water does that it displaces, so it makes none and takes none: what is under it goes aside, and
//! where it leaves, the water comes back. That is its wake. Waves pass beneath a body; what they
//! shall not pass is land.

use super::error::number;
use super::{Waves, WavesError};
use crate::lattice::Square;
use crate::region::Point;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The outline of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A disc.
    Disc {
        /// Its radius (m), above 0.
        radius: f64,
    },
    /// A rectangle along the axes.
    Rect {
        /// Half its size to the east and to the south (m), above 0.
        half: [f64; 2],
    },
    /// An ellipse, turned: a hull.
    Oval {
        /// Half its length and half its width (m), above 0.
        half: [f64; 2],
        /// Where its length points (rad), from the east to the south.
        heading: f64,
    },
}

/// A body in the surface.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Its outline.
    pub shape: Shape,
    /// Where its middle is (m).
    pub position: Point,
    /// How it moves (m/s, to the east and to the south).
    pub velocity: Point,
    /// How deep it lies in the water (m), 0 to [`Params::highest`](super::Params::highest).
    pub draft: f64,
}

impl Body {
    fn check(&self, highest: f64) -> Result<(), WavesError> {
        let sizes = match self.shape {
            Shape::Disc { radius } => [radius; 2],
            Shape::Rect { half } | Shape::Oval { half, .. } => half,
        };
        if let Shape::Oval { heading, .. } = self.shape {
            number("a body's heading", heading, true, "a finite number")?;
        }
        for size in sizes {
            number("a body's radius or half size", size, size > 0.0, "a number of metres above 0")?;
        }
        for value in [self.position, self.velocity].concat() {
            number("a body's position or velocity", value, true, "a finite number")?;
        }
        let in_range = (0.0..=highest).contains(&self.draft);
        number("a body's draft", self.draft, in_range, format!("from 0 to {highest} m"))
    }

    fn reach(&self) -> [f64; 2] {
        match self.shape {
            Shape::Disc { radius } => [radius; 2],
            Shape::Rect { half } => half,
            Shape::Oval { half, .. } => [half[0].max(half[1]); 2],
        }
    }

    /// The part of a cell of `size` (m) around a point that it covers: 1 inside, falling to 0 over one
    /// cell at the rim, so that it moves smoothly.
    fn cover(&self, point: Point, size: f64) -> f64 {
        let [x, y] = [point[0] - self.position[0], point[1] - self.position[1]];
        let inside = match self.shape {
            Shape::Disc { radius } => radius - (x * x + y * y).sqrt(),
            Shape::Rect { half } => (half[0] - x.abs()).min(half[1] - y.abs()),
            Shape::Oval { half: [length, width], heading } => {
                let (sin, cos) = (libm::sin(heading), libm::cos(heading));
                let (u, v) = ((x * cos + y * sin) / length, (y * cos - x * sin) / width);
                (1.0 - (u * u + v * v).sqrt()) * length.min(width)
            }
        };
        (inside / size + 0.5).clamp(0.0, 1.0)
    }
}

/// Pressure on cells, as the height of water (m) that presses as much.
#[derive(Clone, Debug, Default)]
pub(super) struct Press {
    pub(super) cells: Vec<(usize, f32)>,
}

impl Press {
    /// Adds `head(center)` on the cells within `reach` (m, along both axes) of `middle`, in whole quanta
    /// by `whole`; returns the columns and rows.
    pub(super) fn add(
        &mut self,
        lattice: &Square,
        middle: Point,
        reach: [f64; 2],
        head: impl Fn(Point) -> f64,
        whole: impl Fn(f32) -> f32,
    ) -> (Range<usize>, Range<usize>) {
        let span = |axis: usize, n: usize| {
            let cell = |at: f64| (at / lattice.dx()).clamp(0.0, n as f64);
            let first = cell(middle[axis] - reach[axis]).floor() as usize;
            let last = cell(middle[axis] + reach[axis]).ceil() as usize;
            first.saturating_sub(1)..(last + 1).min(n)
        };
        let (columns, rows) = (span(0, lattice.nx()), span(1, lattice.ny()));
        for y in rows.clone() {
            for x in columns.clone() {
                let head = whole(head(lattice.center(x, y)) as f32);
                if head != 0.0 {
                    self.cells.push((y * lattice.nx() + x, head));
                }
            }
        }
        (columns, rows)
    }

    /// Raises the heights by the pressure, or with `sign` −1 lowers them again: exact, as all are whole
    /// quanta.
    pub(super) fn apply(&self, heights: &mut [f32], sign: f32) {
        for &(cell, head) in &self.cells {
            heights[cell] += sign * head;
        }
    }
}

impl Waves {
    /// Puts bodies into the surface, in place of those that were there.
    ///
    /// # Errors
    /// [`WavesError::Number`] if a size, position, velocity or draft makes no sense.
    pub fn set_bodies(&mut self, bodies: Vec<Body>) -> Result<(), WavesError> {
        bodies.iter().try_for_each(|body| body.check(self.params.highest))?;
        self.bodies = bodies;
        self.tiles.wake_all();
        Ok(())
    }

    /// Gives the body of that number another velocity (m/s, to the east and to the south), and an oval one
    /// the heading that goes with it. There may be no such body; then nothing happens.
    ///
    /// # Errors
    /// [`WavesError::Number`] if a velocity is not finite.
    pub fn steer(&mut self, number: usize, velocity: Point) -> Result<(), WavesError> {
        let highest = self.params.highest;
        let Some(body) = self.bodies.get_mut(number) else { return Ok(()) };
        let mut steered = Body { velocity, ..*body };
        if let Shape::Oval { heading, .. } = &mut steered.shape
            && velocity != [0.0; 2]
        {
            *heading = libm::atan2(velocity[1], velocity[0]);
        }
        steered.check(highest)?;
        // What comes to a stop leaves a hollow that no longer moves.
        if steered != *body {
            self.tiles.wake_all();
        }
        *body = steered;
        Ok(())
    }

    /// The bodies in the surface, where they are now.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// True if all bodies make sense.
    pub(super) fn bodies_fit(&self) -> bool {
        self.bodies.iter().all(|body| body.check(self.params.highest).is_ok())
    }

    /// Moves the bodies by a step and lets them press.
    pub(super) fn press_bodies(&mut self, press: &mut Press) {
        let Self { bodies, lattice, rule, tiles, params, .. } = self;
        for body in bodies {
            for axis in 0..2 {
                body.position[axis] += body.velocity[axis] * params.step;
            }
            let reach = body.reach().map(|r| r + lattice.dx());
            let head = |at| body.draft * body.cover(at, lattice.dx());
            let (columns, rows) =
                press.add(lattice, body.position, reach, head, |head| rule.whole(head));
            if body.velocity != [0.0; 2] {
                tiles.wake(columns, rows);
            }
        }
    }
}
