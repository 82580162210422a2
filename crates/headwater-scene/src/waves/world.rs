//! From a scene of the model `waves` to a surface that can be stepped.

use super::{Swimmer, WavesAction, WavesEvent, WavesScene};
use crate::flow::BodyKind;
use crate::picture::Float;
use crate::scene::{SceneError, Tables, resolve};
use headwater::waves::{Body, Edit, Maker, Rain, Shape, Waves, Wind};
use headwater::{Brush, Falloff, InputError, Lattice, Point, Region};

/// A rippling surface, and what its scene says of it.
#[derive(Clone, Debug)]
pub struct WavesWorld {
    /// The model.
    pub waves: Waves,
    lattice: Lattice,
    /// The scene's bodies, for where they go and how they look.
    bodies: Vec<Swimmer>,
    /// What bodies are that events added, after those of the scene.
    pub(crate) added: Vec<BodyKind>,
    seed: u32,
}

/// How fast a body may go (m/s).
const FASTEST: f64 = 1000.0;

/// How a surface is disturbed.
#[derive(Clone, Debug, PartialEq)]
pub struct Disturbance {
    /// Where.
    pub brush: Brush,
    /// How high the surface goes (m) at the brush's full strength, below 0 to go down.
    pub height: f64,
}

impl WavesWorld {
    /// The world of `scene` as it is at its start.
    ///
    /// # Errors
    /// [`SceneError`] if the model refuses something, which no checked scene gives it.
    pub fn build(scene: &WavesScene) -> Result<Self, SceneError> {
        let refuse = |key: &str| {
            let key = key.to_owned();
            move |error: InputError| scene.error(&key, error.to_string())
        };
        let Some(square) = scene.square() else {
            return Err(scene.error("grid", "there is no such grid"));
        };
        let lattice = Lattice::from(square);
        let params = scene.physics.params(scene.edges);
        let waves = Waves::new(square, params).map_err(refuse("physics"))?;
        let (bodies, seed) = (scene.bodies.clone(), scene.seed);
        let mut world = Self { waves, lattice, bodies, added: Vec::new(), seed };
        for (i, land) in scene.land.iter().enumerate() {
            let edit = if land.water { Edit::Water } else { Edit::Land };
            let brush = Brush::flat(land.area().region(&lattice));
            world.waves.edit(&brush, edit).map_err(refuse(&format!("land[{i}]")))?;
        }
        for (i, start) in scene.starts.iter().enumerate() {
            let action = match (start.at, start.radius, &start.stroke) {
                (Some(at), Some(radius), _) => WavesAction::Drop { at, radius, depth: start.depth },
                (_, _, Some(line)) => {
                    WavesAction::Stroke { line: line.clone(), depth: start.depth }
                }
                _ => continue,
            };
            world.act_on(&action).map_err(refuse(&format!("start[{i}]")))?;
        }
        let bodies = scene.bodies.iter().map(|body| swimmer(body, &lattice)).collect();
        world.waves.set_bodies(bodies).map_err(refuse("body"))?;
        let makers = scene.makers.iter().map(|one| maker(one, &lattice));
        world.waves.set_makers(makers.collect()).map_err(refuse("maker"))?;
        world.waves.set_rain(rain(scene)).map_err(refuse("rain"))?;
        world.waves.set_wind(wind(scene)).map_err(refuse("wind"))?;
        Ok(world)
    }

    /// Takes on the values of another version of its scene.
    ///
    /// # Errors
    /// [`InputError`] if the model refuses one.
    pub(crate) fn tune(&mut self, old: &WavesScene, new: &WavesScene) -> Result<(), InputError> {
        if old.physics != new.physics {
            self.waves.set_params(new.physics.params(new.edges))?;
        }
        if old.rain != new.rain {
            self.waves.set_rain(rain(new))?;
        }
        if old.wind != new.wind {
            self.waves.set_wind(wind(new))?;
        }
        Ok(())
    }

    /// True if there are bodies that go along paths.
    pub(crate) fn steers(&self) -> bool {
        !self.bodies.is_empty()
    }

    /// Does `count` steps, as [`step`](Self::step) does them; faster where nothing stirs the surface.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn step_many(&mut self, count: u64) -> Result<(), InputError> {
        if self.bodies.is_empty() {
            self.waves.step_many(count);
            return Ok(());
        }
        (0..count).try_for_each(|_| self.step())
    }

    /// Does a step; bodies on paths go where their paths say.
    ///
    /// # Errors
    /// [`InputError`] if a body cannot be steered, which no checked scene has.
    pub fn step(&mut self) -> Result<(), InputError> {
        let (time, step) = (self.waves.time(), self.waves.params().step);
        for (i, body) in self.bodies.iter().enumerate() {
            let Some(next) = body.on_path(time + step, &self.lattice) else { continue };
            let Some(now) = self.waves.bodies().get(i).map(|body| body.position) else { continue };
            // On a path as fast as may be, rounding must not make it faster.
            let velocity: Point =
                [0, 1].map(|axis| ((next[axis] - now[axis]) / step).clamp(-FASTEST, FASTEST));
            // What is less than a rounding is rest.
            let moves = velocity.iter().any(|v| v.abs() > 1e-9);
            self.waves.steer(i, if moves { velocity } else { [0.0; 2] })?;
        }
        self.waves.step();
        Ok(())
    }

    /// Does what an event says.
    ///
    /// # Errors
    /// [`InputError`] if the model refuses, which no checked scene makes it do.
    pub fn act(&mut self, event: &WavesEvent) -> Result<(), InputError> {
        event.action().map_or(Ok(()), |action| self.act_on(&action))
    }

    /// How an event disturbs the surface, if that is what it does.
    pub fn only_disturbance(&self, event: &WavesEvent) -> Option<Disturbance> {
        self.disturbance(&event.action()?)
    }

    fn disturbance(&self, action: &WavesAction) -> Option<Disturbance> {
        let lattice = &self.lattice;
        let (brush, depth) = match action {
            WavesAction::Drop { at, radius, depth } => {
                (Brush::soft(resolve(*at, lattice), *radius), depth)
            }
            WavesAction::Stroke { line, depth } => {
                let points: Vec<Point> = line.points.iter().map(|&p| resolve(p, lattice)).collect();
                let region = Region::line(points, line.width);
                (Brush { region, falloff: Falloff::Smooth }, depth)
            }
            _ => return None,
        };
        Some(Disturbance { brush, height: -depth })
    }

    fn act_on(&mut self, action: &WavesAction) -> Result<(), InputError> {
        let lattice = &self.lattice;
        match action {
            WavesAction::Drop { .. } | WavesAction::Stroke { .. } => {
                self.disturbance(action).map_or(Ok(()), |disturbance| {
                    let Disturbance { brush, height } = disturbance;
                    self.waves.edit(&brush, Edit::Disturb { height })
                })
            }
            WavesAction::Land(area) => {
                self.waves.edit(&Brush::flat(area.region(lattice)), Edit::Land)
            }
            WavesAction::Water(area) => {
                let region: Region = area.region(lattice);
                self.waves.edit(&Brush::flat(region), Edit::Water)
            }
            WavesAction::Body(body) => {
                self.waves.add_body(swimmer(body, lattice))?;
                self.added.push(body.looks());
                Ok(())
            }
            WavesAction::Maker(one) => {
                self.waves.add_maker(maker(one, lattice))?;
                Ok(())
            }
            WavesAction::Rain(rate) => {
                let rain = self.waves.rain().map(|rain| Rain { rate: *rate, ..*rain });
                self.waves.set_rain(rain)
            }
            WavesAction::Wind(velocity, head) => {
                let side = lattice.width().min(lattice.height());
                let now = self.waves.wind().copied();
                let mut wind = now.unwrap_or_else(|| gusts(side, self.seed));
                wind.velocity = velocity.unwrap_or(wind.velocity);
                wind.head = head.unwrap_or(wind.head);
                self.waves.set_wind(Some(wind))
            }
        }
    }

    /// The bodies as pictures show them.
    pub fn floats(&self) -> Vec<Float> {
        let kinds = self.bodies.iter().map(Swimmer::looks).chain(self.added.iter().copied());
        let both = self.waves.bodies().iter().zip(kinds);
        both.map(|(body, kind)| {
            let (size, heading) = match body.shape {
                Shape::Disc { radius } => ([2.0 * radius; 2], 0.0),
                Shape::Rect { half } => (half.map(|half| 2.0 * half), 0.0),
                Shape::Oval { half, heading } => (half.map(|half| 2.0 * half), heading),
            };
            let height = 0.4 * size[1];
            Float { kind, position: body.position, heading, size, height }
        })
        .collect()
    }
}

fn rain(scene: &WavesScene) -> Option<Rain> {
    let seed = u64::from(scene.seed);
    scene.rain.map(|rain| {
        let super::Shower { rate, radius, depth } = rain;
        Rain { rate, radius, depth, seed }
    })
}

fn wind(scene: &WavesScene) -> Option<Wind> {
    let seed = seed_of_gusts(scene.seed);
    scene.wind.map(|wind| {
        let super::Gusts { velocity, gusts, radius, head, lifetime } = wind;
        Wind { velocity, gusts, radius, head, lifetime, seed }
    })
}

/// Another seed than the rain's, or gusts would begin where drops fall.
fn seed_of_gusts(seed: u32) -> u64 {
    u64::from(seed) ^ 0x57_49_4e_44
}

/// The gusts of a wind that begins to blow over a surface whose shorter side is so long (m).
fn gusts(side: f64, seed: u32) -> Wind {
    let (velocity, head, seed) = ([3.0, 0.0], 0.0, seed_of_gusts(seed));
    Wind { velocity, gusts: 12, radius: side / 12.0, head, lifetime: 4.0, seed }
}

fn maker(maker: &super::Maker, lattice: &Lattice) -> Maker {
    Maker {
        from: resolve(maker.from, lattice),
        to: resolve(maker.to, lattice),
        width: maker.width,
        head: maker.head,
        period: maker.period,
    }
}

fn swimmer(body: &Swimmer, lattice: &Lattice) -> Body {
    let half = body.size.map(|size| size.map(|size| 0.5 * size));
    let velocity = body.velocity.unwrap_or_default();
    let heading = match velocity {
        [0.0, 0.0] => body.heading.to_radians(),
        [east, south] => south.atan2(east),
    };
    let shape = match (body.radius, half) {
        (Some(radius), _) => Shape::Disc { radius },
        (None, half) => Shape::Oval { half: half.unwrap_or([1.0; 2]), heading },
    };
    Body { shape, position: resolve(body.at, lattice), velocity, draft: body.draft }
}
