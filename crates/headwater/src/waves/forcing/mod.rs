//! Forcing of the surface in each step, by bodies, wave makers, rain and wind.

pub(super) mod body;
pub(super) mod maker;
pub(super) mod pressure;
pub(super) mod weather;

use super::world::Waves;
use crate::brush::Brush;
use crate::error::InputError;
use crate::ids::{Id, IdList};
use crate::region::Point;
use crate::scratch::ScratchPool;
use body::{Body, Shape};
use maker::WaveMaker;
use pressure::PressureHeads;
use weather::{Rain, RainState, Wind, WindState};

impl Waves {
    /// Adds a floating body. Returns the identifier of the body.
    ///
    /// # Errors
    /// Returns [`InputError`] if a size, the position, the velocity or the draft is out of range.
    pub fn add_body(&mut self, body: Body) -> Result<Id, InputError> {
        self.check_body(&body)?;
        self.tiles.wake_all();
        Ok(self.bodies.add(body))
    }

    /// Returns the list of floating bodies, with their identifiers and current positions.
    pub fn bodies(&self) -> &IdList<Body> {
        &self.bodies
    }

    /// Replaces the body that has the given identifier, for example to change its position or
    /// velocity.
    ///
    /// # Errors
    /// Returns [`InputError`] if no body has this identifier, and in the cases listed for
    /// [`add_body`](Self::add_body).
    pub fn set_body(&mut self, id: Id, body: Body) -> Result<(), InputError> {
        let i = self.bodies.find_index("a body", id)?;
        self.check_body(&body)?;
        // A body that stops leaves a hollow, which the water still has to fill.
        if body != self.bodies[i] {
            self.tiles.wake_all();
        }
        self.bodies[i] = body;
        Ok(())
    }

    /// Changes the velocity of a body (m/s; east, south). If the shape of the body is an oval, it
    /// turns to the new direction.
    ///
    /// # Errors
    /// Returns [`InputError`] if no body has this identifier, or if the velocity is out of range.
    pub fn set_body_velocity(&mut self, id: Id, velocity: Point) -> Result<(), InputError> {
        let mut steered = Body { velocity, ..self.bodies[self.bodies.find_index("a body", id)?] };
        if let Shape::Oval { heading, .. } = &mut steered.shape
            && velocity != [0.0; 2]
        {
            *heading = libm::atan2(velocity[1], velocity[0]);
        }
        self.set_body(id, steered)
    }

    /// Removes the body that has the given identifier and returns it. Water then fills the hollow
    /// that the body leaves.
    ///
    /// # Errors
    /// Returns [`InputError`] if no body has this identifier.
    pub fn remove_body(&mut self, id: Id) -> Result<Body, InputError> {
        let body = self.bodies.remove("a body", id)?;
        self.tiles.wake_all();
        Ok(body)
    }

    fn check_body(&self, body: &Body) -> Result<(), InputError> {
        body.check_with_height_limit(self.params.highest)
            .map_err(|error| error.with_table_prefix("body"))
    }

    /// Adds a wave maker. Returns the identifier of the wave maker.
    ///
    /// # Errors
    /// Returns [`InputError`] if a value in `maker` is out of range.
    pub fn add_maker(&mut self, maker: WaveMaker) -> Result<Id, InputError> {
        self.check_maker(&maker)?;
        self.tiles.wake_all();
        Ok(self.makers.add(maker))
    }

    /// Returns the list of wave makers, with their identifiers.
    pub fn makers(&self) -> &IdList<WaveMaker> {
        &self.makers
    }

    /// Removes the wave maker that has the given identifier and returns it.
    ///
    /// # Errors
    /// Returns [`InputError`] if no wave maker has this identifier.
    pub fn remove_maker(&mut self, id: Id) -> Result<WaveMaker, InputError> {
        let maker = self.makers.remove("a wave maker", id)?;
        self.tiles.wake_all();
        Ok(maker)
    }

    fn check_maker(&self, maker: &WaveMaker) -> Result<(), InputError> {
        maker
            .check_with_height_limit(self.params.highest)
            .map_err(|error| error.with_table_prefix("maker"))
    }

    /// Sets the rain, starting with the next step. `None` stops the rain. If the new rain has the
    /// same seed as the current rain, the sequence of random drops continues.
    ///
    /// # Errors
    /// Returns [`InputError`] if a value in `rain` is out of range.
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

    /// Returns the current rain, or `None` if there is no rain.
    pub fn rain(&self) -> Option<&Rain> {
        self.shower.as_ref().map(|shower| &shower.rain)
    }

    pub(super) fn check_rain(&self, rain: &Rain) -> Result<(), InputError> {
        rain.check_with_height_limit(self.params.highest)
            .map_err(|error| error.with_table_prefix("rain"))
    }

    /// Sets the wind, starting with the next step. `None` stops the wind. If the new wind has the
    /// same seed and the same number of gusts as the current wind, the current gusts continue.
    ///
    /// # Errors
    /// Returns [`InputError`] if a value in `wind` is out of range.
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

    /// Returns the current wind, or `None` if there is no wind.
    pub fn wind(&self) -> Option<&Wind> {
        self.gusts.as_ref().map(|gusts| &gusts.wind)
    }

    pub(super) fn check_wind(&self, wind: &Wind) -> Result<(), InputError> {
        wind.check_with_height_limit(self.params.highest)
            .map_err(|error| error.with_table_prefix("wind"))
    }

    /// Applies the rain drops of one step.
    ///
    /// # Errors
    /// Returns [`InputError`] if the rain is invalid, which cannot occur after
    /// [`set_rain`](Self::set_rain) has checked it.
    pub(super) fn apply_rain(&mut self, scratch: &ScratchPool) -> Result<(), InputError> {
        let mut places = scratch.take_vec();
        let Some(rain) = self.draw_drop_positions(&mut places) else { return Ok(()) };
        places.iter().try_for_each(|&place| {
            self.disturb_surface(&Brush::smooth_disc(place, rain.radius), -rain.depth, scratch)
        })
    }

    pub(super) fn draw_drop_positions(&mut self, positions: &mut Vec<Point>) -> Option<Rain> {
        let shower = self.shower.as_mut()?;
        let rain = shower.rain;
        positions.extend(shower.draw_drop_positions(&self.lattice, self.params.step));
        Some(rain)
    }

    /// Collects the pressure heads of bodies, gusts and wave makers for the next step. Moves bodies
    /// and gusts. Marks the tiles below moving bodies, gusts and wave makers as awake.
    pub(super) fn collect_pressure(&mut self, pressure: &mut PressureHeads) {
        let time = self.time();
        let Self { bodies, makers, gusts, lattice, rule, tiles, params, .. } = self;
        pressure.cells.clear();
        for body in bodies {
            for axis in 0..2 {
                body.position[axis] += body.velocity[axis] * params.step;
            }
            let reach = body.half_extent().map(|r| r + lattice.dx());
            let head = |at| body.draft * body.coverage(at, lattice.dx());
            let [columns, rows] =
                pressure.add_head(lattice, body.position, reach, head, |head| rule.quantize(head));
            if body.velocity != [0.0; 2] {
                tiles.wake(columns, rows);
            }
        }
        if let Some(gusts) = gusts {
            let wake = |[columns, rows]: [_; 2]| tiles.wake(columns, rows);
            gusts.add_pressure(pressure, lattice, rule, params.step, wake);
        }
        for maker in makers {
            let now =
                maker.head * libm::sin(core::f64::consts::TAU * (time / maker.period).fract());
            let middle = [0, 1].map(|i| 0.5 * (maker.from[i] + maker.to[i]));
            let reach = [0, 1].map(|i| 0.5 * ((maker.to[i] - maker.from[i]).abs() + maker.width));
            let head = |at: Point| now * maker.pressure_factor(at);
            let [columns, rows] =
                pressure.add_head(lattice, middle, reach, head, |head| rule.quantize(head));
            tiles.wake(columns, rows);
        }
    }
}
