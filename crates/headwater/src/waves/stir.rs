//! What stirs the surface in every step: bodies, wave makers, rain and wind.

use super::body::{Body, Shape};
use super::maker::Maker;
use super::press::Press;
use super::weather::{Rain, RainState, Wind, WindState};
use super::world::Waves;
use crate::brush::Brush;
use crate::error::InputError;
use crate::ids::{Id, IdList};
use crate::region::Point;
use crate::scratch::ScratchPool;

impl Waves {
    /// Puts a body into the surface.
    ///
    /// # Errors
    /// [`InputError`] if a size, position, velocity or draft makes no sense.
    pub fn add_body(&mut self, body: Body) -> Result<Id, InputError> {
        self.check_body(&body)?;
        self.tiles.wake_all();
        Ok(self.bodies.add(body))
    }

    /// The bodies in the surface, where they are now.
    pub fn bodies(&self) -> &IdList<Body> {
        &self.bodies
    }

    /// Puts another body in the place of one, or the same elsewhere or with another velocity.
    ///
    /// # Errors
    /// [`InputError`] if there is no such body, or as of [`add_body`](Self::add_body).
    pub fn set_body(&mut self, id: Id, body: Body) -> Result<(), InputError> {
        let i = self.bodies.find("a body", id)?;
        self.check_body(&body)?;
        // What comes to a stop leaves a hollow that no longer moves.
        if body != self.bodies[i] {
            self.tiles.wake_all();
        }
        self.bodies[i] = body;
        Ok(())
    }

    /// Gives a body another velocity (m/s, to the east and to the south), and an oval one the heading that goes with it.
    ///
    /// # Errors
    /// [`InputError`] if there is no such body, or the velocity is out of its range.
    pub fn steer(&mut self, id: Id, velocity: Point) -> Result<(), InputError> {
        let mut steered = Body { velocity, ..self.bodies[self.bodies.find("a body", id)?] };
        if let Shape::Oval { heading, .. } = &mut steered.shape
            && velocity != [0.0; 2]
        {
            *heading = libm::atan2(velocity[1], velocity[0]);
        }
        self.set_body(id, steered)
    }

    /// Takes a body out. The surface closes over where it was.
    ///
    /// # Errors
    /// [`InputError`] if there is no such body.
    pub fn remove_body(&mut self, id: Id) -> Result<Body, InputError> {
        let body = self.bodies.remove("a body", id)?;
        self.tiles.wake_all();
        Ok(body)
    }

    fn check_body(&self, body: &Body) -> Result<(), InputError> {
        body.check_in(self.params.highest).map_err(|error| error.under("body"))
    }

    /// Puts a wave maker to work.
    ///
    /// # Errors
    /// [`InputError`] if a number of it makes no sense.
    pub fn add_maker(&mut self, maker: Maker) -> Result<Id, InputError> {
        self.check_maker(&maker)?;
        self.tiles.wake_all();
        Ok(self.makers.add(maker))
    }

    /// The wave makers at work.
    pub fn makers(&self) -> &IdList<Maker> {
        &self.makers
    }

    /// Takes a wave maker out.
    ///
    /// # Errors
    /// [`InputError`] if there is no such maker.
    pub fn remove_maker(&mut self, id: Id) -> Result<Maker, InputError> {
        let maker = self.makers.remove("a wave maker", id)?;
        self.tiles.wake_all();
        Ok(maker)
    }

    fn check_maker(&self, maker: &Maker) -> Result<(), InputError> {
        maker.check_in(self.params.highest).map_err(|error| error.under("maker"))
    }

    /// Lets it rain so from now on, or with `None` lets it stop. Where rain of the same seed falls, its drops go on in
    /// their order.
    ///
    /// # Errors
    /// [`InputError`] if a number of `rain` is out of its range.
    pub fn set_rain(&mut self, rain: Option<Rain>) -> Result<(), InputError> {
        if let Some(rain) = &rain {
            self.check_rain(rain)?;
        }
        match (rain, &mut self.shower) {
            (Some(rain), Some(shower)) if shower.rain.seed == rain.seed => shower.rain = rain,
            (rain, shower) => *shower = rain.map(RainState::new),
        }
        Ok(())
    }

    /// The rain that falls, if any.
    pub fn rain(&self) -> Option<&Rain> {
        self.shower.as_ref().map(|shower| &shower.rain)
    }

    pub(super) fn check_rain(&self, rain: &Rain) -> Result<(), InputError> {
        rain.check_in(self.params.highest).map_err(|error| error.under("rain"))
    }

    /// Lets the wind blow so from now on, or with `None` lets it drop. Where a wind of the same seed and number of gusts
    /// has been blowing, its gusts go on from where they are.
    ///
    /// # Errors
    /// [`InputError`] if a number of `wind` is out of its range.
    pub fn set_wind(&mut self, wind: Option<Wind>) -> Result<(), InputError> {
        if let Some(wind) = &wind {
            self.check_wind(wind)?;
        }
        let begun = self.steps > 0;
        let same =
            |now: &Wind, wind: &Wind| begun && (now.seed, now.gusts) == (wind.seed, wind.gusts);
        match (wind, &mut self.gusts) {
            (Some(wind), Some(gusts)) if same(&gusts.wind, &wind) => gusts.wind = wind,
            (wind, gusts) => *gusts = wind.map(|wind| WindState::new(wind, &self.lattice)),
        }
        self.tiles.wake_all();
        Ok(())
    }

    /// The wind that blows, if any.
    pub fn wind(&self) -> Option<&Wind> {
        self.gusts.as_ref().map(|gusts| &gusts.wind)
    }

    pub(super) fn check_wind(&self, wind: &Wind) -> Result<(), InputError> {
        wind.check_in(self.params.highest).map_err(|error| error.under("wind"))
    }

    /// Lets the drops of a step fall. It cannot fail after [`set_rain`](Self::set_rain).
    pub(super) fn apply_rain(&mut self, scratch: &ScratchPool) -> Result<(), InputError> {
        let mut places = scratch.vec();
        let Some(rain) = self.drops_due(&mut places) else { return Ok(()) };
        places.iter().try_for_each(|&place| {
            self.disturb(&Brush::soft(place, rain.radius), -rain.depth, scratch)
        })
    }

    pub(super) fn drops_due(&mut self, places: &mut Vec<Point>) -> Option<Rain> {
        let shower = self.shower.as_mut()?;
        let rain = shower.rain;
        places.extend(shower.drops(&self.lattice, self.params.step));
        Some(rain)
    }

    /// Finds what presses on the surface in the next step. Bodies and gusts move by it, and what moves is awake.
    pub(super) fn press(&mut self, press: &mut Press) {
        let time = self.time();
        let Self { bodies, makers, gusts, lattice, rule, tiles, params, .. } = self;
        press.cells.clear();
        for body in bodies {
            for axis in 0..2 {
                body.position[axis] += body.velocity[axis] * params.step;
            }
            let reach = body.reach().map(|r| r + lattice.dx());
            let head = |at| body.draft * body.cover(at, lattice.dx());
            let [columns, rows] =
                press.add(lattice, body.position, reach, head, |head| rule.whole(head));
            if body.velocity != [0.0; 2] {
                tiles.wake(columns, rows);
            }
        }
        if let Some(gusts) = gusts {
            let wake = |[columns, rows]: [_; 2]| tiles.wake(columns, rows);
            gusts.press(press, lattice, rule, params.step, wake);
        }
        for maker in makers {
            let now =
                maker.head * libm::sin(core::f64::consts::TAU * (time / maker.period).fract());
            let middle = [0, 1].map(|i| 0.5 * (maker.from[i] + maker.to[i]));
            let reach = [0, 1].map(|i| 0.5 * ((maker.to[i] - maker.from[i]).abs() + maker.width));
            let head = |at: Point| now * maker.share(at);
            let [columns, rows] = press.add(lattice, middle, reach, head, |head| rule.whole(head));
            tiles.wake(columns, rows);
        }
    }
}
