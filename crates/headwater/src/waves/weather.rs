//! Rain and wind: drops and gusts at random, from a generator that is part of the state.

use super::bodies::Press;
use super::error::number;
use super::{Waves, WavesError};
use crate::region::Point;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

/// Rain that ripples the surface. Its water is not added: the mean level is for other models.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rain {
    /// Drops per second and m², 0 or above; at most 10 000 drops fall in a step.
    pub rate: f64,
    /// Radius of a drop's crater with its rim (m), above 0.
    pub radius: f64,
    /// Depth of the crater (m), 0 to [`Params::highest`](super::Params::highest).
    pub depth: f64,
    /// Seed of their places.
    pub seed: u64,
}

/// Wind that presses on the surface in gusts. A gust is a round patch of pressure that goes with the
/// wind, swells and dies down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wind {
    /// How the gusts move (m/s, to the east and to the south).
    pub velocity: Point,
    /// How many gusts there are at once, 1 to 10 000.
    pub gusts: usize,
    /// Radius of a gust (m), above 0.
    pub radius: f64,
    /// Pressure in its middle, as a height of water (m), 0 to
    /// [`Params::highest`](super::Params::highest). A gust of 10 m/s has a few mm.
    pub head: f64,
    /// How long a gust lasts (s), above 0.
    pub lifetime: f64,
    /// Seed of their places and ages.
    pub seed: u64,
}

/// Rain on its way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Shower {
    rain: Rain,
    /// The part of a drop that is due.
    due: f64,
    random: Pcg32,
}

/// Wind that blows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Gusts {
    wind: Wind,
    gusts: Vec<Gust>,
    random: Pcg32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Gust {
    position: Point,
    age: f64,
}

/// The most drops that fall in a step.
const MOST_DROPS: f64 = 1e4;

impl Shower {
    pub(super) fn fits(&self) -> bool {
        self.due.is_finite() && self.due >= 0.0
    }

    pub(super) fn turn(&mut self, rain: Rain) {
        self.rain = rain;
    }

    pub(super) fn rain(&self) -> &Rain {
        &self.rain
    }

    pub(super) fn feed_hash(&self, feed: &mut impl FnMut(&[u8])) {
        feed(&self.rain.rate.to_le_bytes());
        feed(&self.due.to_le_bytes());
        feed(&self.random.clone().next_u64().to_le_bytes());
    }
}

impl Gusts {
    pub(super) fn fits(&self) -> bool {
        let finite = |gust: &Gust| [gust.position[0], gust.position[1], gust.age];
        self.gusts.len() == self.wind.gusts
            && self.gusts.iter().all(|gust| finite(gust).iter().all(|v| v.is_finite()))
    }

    /// False if it has another number of gusts.
    pub(super) fn turn(&mut self, wind: Wind) -> bool {
        let same = wind.gusts == self.wind.gusts;
        if same {
            self.wind = wind;
        }
        same
    }

    pub(super) fn wind(&self) -> &Wind {
        &self.wind
    }

    pub(super) fn feed_hash(&self, feed: &mut impl FnMut(&[u8])) {
        for value in [self.wind.velocity[0], self.wind.velocity[1], self.wind.head] {
            feed(&value.to_le_bytes());
        }
        for gust in &self.gusts {
            for value in [gust.position[0], gust.position[1], gust.age] {
                feed(&value.to_le_bytes());
            }
        }
        feed(&self.random.clone().next_u64().to_le_bytes());
    }
}

/// A number from 0 to 1, below 1.
fn part(random: &mut Pcg32) -> f64 {
    f64::from(random.next_u32()) / 4_294_967_296.0
}

impl Waves {
    /// Lets it rain, or with `None` lets it stop.
    ///
    /// # Errors
    /// [`WavesError::Number`] if a number of `rain` is out of its range.
    pub fn set_rain(&mut self, rain: Option<Rain>) -> Result<(), WavesError> {
        if let Some(rain) = &rain {
            self.check_rain(rain)?;
        }
        self.shower =
            rain.map(|rain| Shower { rain, due: 0.0, random: Pcg32::seed_from_u64(rain.seed) });
        Ok(())
    }

    /// Changes how dense the rain is (drops per second and m²), and leaves its drops as they are. Without
    /// rain, nothing happens.
    ///
    /// # Errors
    /// [`WavesError::Number`] if the rate is below 0 or no number.
    pub fn change_rain(&mut self, rate: f64) -> Result<(), WavesError> {
        let Some(rain) = self.shower.as_ref().map(|shower| Rain { rate, ..shower.rain }) else {
            return Ok(());
        };
        self.check_rain(&rain)?;
        if let Some(shower) = &mut self.shower {
            shower.rain = rain;
        }
        Ok(())
    }

    /// Changes where the wind blows (m/s, to the east and to the south) and how hard its gusts press (m).
    /// The gusts that are there go on. Without wind, nothing happens.
    ///
    /// # Errors
    /// [`WavesError::Number`] if a number is out of its range.
    pub fn change_wind(&mut self, velocity: Point, head: f64) -> Result<(), WavesError> {
        let Some(wind) = self.gusts.as_ref().map(|gusts| Wind { velocity, head, ..gusts.wind })
        else {
            return Ok(());
        };
        self.check_wind(&wind)?;
        if let Some(gusts) = &mut self.gusts {
            gusts.wind = wind;
        }
        Ok(())
    }

    /// The wind that blows, if any.
    pub fn wind(&self) -> Option<&Wind> {
        self.gusts.as_ref().map(Gusts::wind)
    }

    pub(super) fn check_rain(&self, rain: &Rain) -> Result<(), WavesError> {
        let Rain { rate, radius, depth, .. } = *rain;
        let most = self.params.highest;
        number("the rain's rate", rate, rate >= 0.0, "0 drops per s and m² or above")?;
        number("a drop's radius", radius, radius > 0.0, "a number of metres above 0")?;
        let in_range = (0.0..=most).contains(&depth);
        number("a drop's depth", depth, in_range, format!("from 0 to {most} m"))
    }

    /// Lets the wind blow, or with `None` lets it drop.
    ///
    /// # Errors
    /// [`WavesError::Number`] if a number of `wind` is out of its range.
    pub fn set_wind(&mut self, wind: Option<Wind>) -> Result<(), WavesError> {
        if let Some(wind) = &wind {
            self.check_wind(wind)?;
        }
        let size = [self.lattice.width(), self.lattice.height()];
        self.gusts = wind.map(|wind| {
            let mut random = Pcg32::seed_from_u64(wind.seed);
            let gust = |_| {
                let position = [part(&mut random) * size[0], part(&mut random) * size[1]];
                Gust { position, age: part(&mut random) * wind.lifetime }
            };
            let gusts = (0..wind.gusts).map(gust).collect();
            Gusts { wind, gusts, random }
        });
        self.tiles.wake_all();
        Ok(())
    }

    pub(super) fn check_wind(&self, wind: &Wind) -> Result<(), WavesError> {
        let Wind { velocity, gusts, radius, head, lifetime, .. } = *wind;
        let most = self.params.highest;
        for speed in velocity {
            number("the wind's velocity", speed, true, "a finite number of m/s")?;
        }
        let in_range = (1..=10_000).contains(&gusts);
        number("the number of gusts", gusts as f64, in_range, "from 1 to 10 000")?;
        number("a gust's radius", radius, radius > 0.0, "a number of metres above 0")?;
        let in_range = (0.0..=most).contains(&head);
        number("a gust's head", head, in_range, format!("from 0 to {most} m"))?;
        number("a gust's lifetime", lifetime, lifetime > 0.0, "a number of seconds above 0")
    }

    /// Lets the drops of a step fall.
    ///
    /// # Errors
    /// None that [`set_rain`](Self::set_rain) has not checked.
    pub(super) fn let_it_rain(&mut self) -> Result<(), WavesError> {
        let Some((rain, places)) = self.drops_due() else { return Ok(()) };
        places.into_iter().try_for_each(|place| self.drop(place, rain.radius, rain.depth))
    }

    /// Where the drops of a step fall, if it rains.
    pub(super) fn drops_due(&mut self) -> Option<(Rain, Vec<Point>)> {
        let size = [self.lattice.width(), self.lattice.height()];
        let shower = self.shower.as_mut()?;
        let rain = shower.rain;
        shower.due =
            (shower.due + rain.rate * size[0] * size[1] * self.params.step).min(MOST_DROPS);
        let count = shower.due.floor();
        shower.due -= count;
        let places = (0..count as usize)
            .map(|_| [part(&mut shower.random) * size[0], part(&mut shower.random) * size[1]])
            .collect();
        Some((rain, places))
    }

    /// Moves the gusts by a step and lets them press.
    pub(super) fn press_gusts(&mut self, press: &mut Press) {
        let Self { gusts, lattice, rule, tiles, params, .. } = self;
        let Some(Gusts { wind, gusts, random }) = gusts else { return };
        let size = [lattice.width(), lattice.height()];
        for gust in gusts {
            gust.age += params.step;
            for axis in 0..2 {
                gust.position[axis] += wind.velocity[axis] * params.step;
            }
            if gust.age >= wind.lifetime {
                gust.position = [part(random) * size[0], part(random) * size[1]];
                gust.age = 0.0;
            }
            // (1 − a²)², a from −1 to 1 over its life; the same over its radius.
            let round = |a: f64| if a < 1.0 { (1.0 - a) * (1.0 - a) } else { 0.0 };
            let a = 2.0 * gust.age / wind.lifetime - 1.0;
            let strength = wind.head * round(a * a);
            let middle = gust.position;
            let head = |at: Point| {
                let (x, y) = (at[0] - middle[0], at[1] - middle[1]);
                strength * round((x * x + y * y) / (wind.radius * wind.radius))
            };
            let reach = [wind.radius; 2];
            let (columns, rows) = press.add(lattice, middle, reach, head, |head| rule.whole(head));
            tiles.wake(columns, rows);
        }
    }
}
