//! Wave makers: bands that press on the surface up and down, as a paddle does, for swell that comes in from
//! open water. They make no water.

use super::bodies::Press;
use super::error::number;
use super::{Waves, WavesError};
use crate::region::Point;
use serde::{Deserialize, Serialize};

/// A band along a straight line that presses `head·sin(2π·time/period)`. Waves go out on both its sides;
/// those that are not wished for are left to an absorbing edge behind it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Maker {
    /// One end of the line (m).
    pub from: Point,
    /// The other end (m).
    pub to: Point,
    /// Width of the band (m), above 0; the pressure falls smoothly to 0 at its rim. Half a wavelength makes
    /// high waves.
    pub width: f64,
    /// Greatest pressure, as a height of water (m), 0 to [`Params::highest`](super::Params::highest).
    pub head: f64,
    /// From crest to crest (s), above 0.
    pub period: f64,
}

impl Maker {
    fn check(&self, highest: f64) -> Result<(), WavesError> {
        for value in [self.from, self.to].concat() {
            number("an end of a wave maker", value, true, "a finite number of metres")?;
        }
        number("a wave maker's width", self.width, self.width > 0.0, "a number of metres above 0")?;
        let in_range = (0.0..=highest).contains(&self.head);
        number("a wave maker's head", self.head, in_range, format!("from 0 to {highest} m"))?;
        let in_range = self.period > 0.0;
        number("a wave maker's period", self.period, in_range, "a number of seconds above 0")
    }

    /// How much of the pressure acts at a point: 1 on the line, 0 from half the width on.
    fn share(&self, [x, y]: Point) -> f64 {
        let along = [self.to[0] - self.from[0], self.to[1] - self.from[1]];
        let off = [x - self.from[0], y - self.from[1]];
        let length2 = along[0] * along[0] + along[1] * along[1];
        let dot = off[0] * along[0] + off[1] * along[1];
        let t = if length2 > 0.0 { (dot / length2).clamp(0.0, 1.0) } else { 0.0 };
        let aside = [off[0] - t * along[0], off[1] - t * along[1]];
        let way2 = 4.0 * (aside[0] * aside[0] + aside[1] * aside[1]) / (self.width * self.width);
        let left = (1.0 - way2).max(0.0);
        left * left * left
    }
}

impl Waves {
    /// Puts wave makers to work, in place of those that were there.
    ///
    /// # Errors
    /// [`WavesError::Number`] if a number of one makes no sense.
    pub fn set_makers(&mut self, makers: Vec<Maker>) -> Result<(), WavesError> {
        makers.iter().try_for_each(|maker| maker.check(self.params.highest))?;
        self.makers = makers;
        self.tiles.wake_all();
        Ok(())
    }

    /// The wave makers at work.
    pub fn makers(&self) -> &[Maker] {
        &self.makers
    }

    /// True if all wave makers make sense.
    pub(super) fn makers_fit(&self) -> bool {
        self.makers.iter().all(|maker| maker.check(self.params.highest).is_ok())
    }

    /// Lets the wave makers press.
    pub(super) fn press_makers(&self, press: &mut Press) -> Vec<[std::ops::Range<usize>; 2]> {
        let time = self.time();
        let rule = self.rule;
        let pressed = self.makers.iter().map(|maker| {
            let now =
                maker.head * libm::sin(core::f64::consts::TAU * (time / maker.period).fract());
            let middle = [0, 1].map(|i| 0.5 * (maker.from[i] + maker.to[i]));
            let reach = [0, 1].map(|i| 0.5 * ((maker.to[i] - maker.from[i]).abs() + maker.width));
            let head = |at: Point| now * maker.share(at);
            let (columns, rows) =
                press.add(&self.lattice, middle, reach, head, |head| rule.whole(head));
            [columns, rows]
        });
        pressed.collect()
    }
}
