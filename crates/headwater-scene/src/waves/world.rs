//! Creation of worlds of the model `waves` from scenes, and application of events.

use super::{
    Added, Disturbance, InitialDisturbance, MakerEnds, SteeredBody, WavesAction, WavesScene,
};
use crate::picture::BodyKind;
use crate::picture::{BodyKinds, BodySprite};
use crate::scene::{
    ExtendedKeys, NonAreaAction, SceneError, SceneModel, entry_id, resolve_position,
};
use headwater::waves::{Body, Edit, Rain, Shape, WaveMaker, Waves, Wind};
use headwater::{Brush, InputError, Lattice, Point};

/// World of a waves scene: the waves model, and the data from the scene that are needed for
/// stepping and drawing.
#[derive(Clone, Debug)]
pub struct WavesWorld {
    /// Model of the water surface.
    pub waves: Waves,
    lattice: Lattice,
    /// Bodies of the scene, with their paths and their appearance in pictures.
    bodies: Vec<SteeredBody>,
    /// Kinds of the bodies that events have added, for their appearance in pictures.
    pub(crate) added_kinds: BodyKinds<BodyKind>,
    seed: u32,
}

/// Maximum speed of a body on a path (m/s).
const MAX_BODY_SPEED: f64 = 1000.0;

impl WavesWorld {
    /// Creates the world of a scene in its initial state.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the model rejects a value of the scene.
    pub fn build(scene: &WavesScene) -> Result<Self, SceneError> {
        let Some(square) = scene.square_grid() else {
            return Err(scene.error("grid", "there is no such grid"));
        };
        let lattice = Lattice::from(square);
        let waves = Waves::new(square, scene.params()).map_err(scene.error_at("physics"))?;
        let bodies = scene.bodies.iter().map(|body| body.extra.clone()).collect();
        let seed = scene.seed;
        let mut world = Self { waves, lattice, bodies, added_kinds: BodyKinds::default(), seed };
        scene.add_each("land", &scene.land, |land| {
            let edit = if land.value.water { Edit::Water } else { Edit::Land };
            world.waves.edit(&Brush::with_flat_falloff(land.extent.region(&lattice)), edit)
        })?;
        scene.add_each("start", &scene.starts, |start| {
            world.apply_disturbance(&match start {
                InitialDisturbance::Drop(drop) => drop.disturbance(&lattice),
                InitialDisturbance::Stroke(line, depth) => {
                    Disturbance::from_stroke(line, *depth, &lattice)
                }
            })
        })?;
        let waves = &mut world.waves;
        scene.add_each("body", &scene.bodies, |body| waves.add_body(to_body(body, &lattice)))?;
        scene.add_each("maker", &scene.makers, |one| waves.add_maker(to_maker(one, &lattice)))?;
        world.waves.set_rain(scene_rain(scene)).map_err(scene.error_at("rain"))?;
        world.waves.set_wind(scene_wind(scene)).map_err(scene.error_at("wind"))?;
        Ok(world)
    }

    /// Returns whether bodies may move on paths. This is assumed for every scene that contains
    /// bodies.
    #[cfg(feature = "gpu")]
    pub(crate) fn has_bodies(&self) -> bool {
        !self.bodies.is_empty()
    }

    /// Takes `count` steps. The result is the same as that of `count` calls of
    /// [`step`](Self::step), but the steps are faster if the scene contains no bodies.
    ///
    /// # Errors
    /// Returns [`InputError`] if the model rejects the velocity of a body on a path.
    pub fn step_many(&mut self, count: u64) -> Result<(), InputError> {
        if self.bodies.is_empty() {
            self.waves.step_many(count);
            return Ok(());
        }
        (0..count).try_for_each(|_| self.step())
    }

    /// Takes one step, in which bodies on paths also move.
    ///
    /// # Errors
    /// Returns [`InputError`] if the model rejects the velocity of a body on a path.
    pub fn step(&mut self) -> Result<(), InputError> {
        self.steer_bodies()?;
        self.waves.step();
        Ok(())
    }

    /// Sets the velocity of each body with a path, so that the next step moves the body to its
    /// position on the path.
    fn steer_bodies(&mut self) -> Result<(), InputError> {
        let (time, step) = (self.waves.time(), self.waves.params().step);
        for (i, body) in self.bodies.iter().enumerate() {
            let Some(next) = body.position_on_path(time + step, &self.lattice) else { continue };
            let Some(now) = self.waves.bodies().get(entry_id(i)).map(|body| body.position) else {
                continue;
            };
            // Rounding could exceed the limit on a path at the maximum speed.
            let velocity: Point = [0, 1].map(|axis| {
                ((next[axis] - now[axis]) / step).clamp(-MAX_BODY_SPEED, MAX_BODY_SPEED)
            });
            // Velocities of the size of rounding errors count as rest.
            let moves = velocity.iter().any(|v| v.abs() > 1e-9);
            self.waves.set_body_velocity(entry_id(i), if moves { velocity } else { [0.0; 2] })?;
        }
        Ok(())
    }

    /// Returns the disturbance of the surface that an action causes. Returns `None` if the action
    /// does not disturb the surface.
    pub fn disturbance(&self, action: &WavesAction) -> Option<Disturbance> {
        action.disturbance(&self.lattice)
    }

    fn apply_disturbance(&mut self, disturbance: &Disturbance) -> Result<(), InputError> {
        let Disturbance { brush, height } = disturbance;
        self.waves.edit(brush, Edit::Disturb { height: *height })
    }

    /// Applies the action of an event to the world.
    ///
    /// # Errors
    /// Returns [`InputError`] if the model rejects the action.
    pub fn apply_action(&mut self, action: &WavesAction) -> Result<(), InputError> {
        let lattice = &self.lattice;
        match action {
            WavesAction::Drop(_) | WavesAction::Stroke(_) => self
                .disturbance(action)
                .map_or(Ok(()), |disturbance| self.apply_disturbance(&disturbance)),
            WavesAction::Land(on) => {
                self.waves.edit(&Brush::with_flat_falloff(on.extent.region(lattice)), Edit::Land)
            }
            WavesAction::Water(on) => {
                self.waves.edit(&Brush::with_flat_falloff(on.extent.region(lattice)), Edit::Water)
            }
            WavesAction::Add(NonAreaAction(Added::Body(body))) => {
                let id = self.waves.add_body(to_body(body, lattice))?;
                self.added_kinds.set(id, body.body_kind());
                Ok(())
            }
            WavesAction::Add(NonAreaAction(Added::Maker(one))) => {
                self.waves.add_maker(to_maker(one, lattice))?;
                Ok(())
            }
            WavesAction::Rain(NonAreaAction(new)) => {
                let rain = self.waves.rain().map(|rain| Rain { rate: new.rate, ..*rain });
                self.waves.set_rain(rain)
            }
            WavesAction::Wind(NonAreaAction(new)) => {
                let side = lattice.width().min(lattice.height());
                let now = self.waves.wind().copied();
                let mut wind = now.unwrap_or_else(|| default_wind(side, self.seed));
                wind.velocity = new.velocity.unwrap_or(wind.velocity);
                wind.head = new.head.unwrap_or(wind.head);
                self.waves.set_wind(Some(wind))
            }
        }
    }

    /// Returns the positions, sizes and kinds of the bodies, for pictures.
    pub fn body_sprites(&self) -> Vec<BodySprite> {
        let bodies = self.waves.bodies().entries();
        bodies
            .map(|(id, body)| {
                let of_scene = self.bodies.get(id.number() as usize).map(SteeredBody::body_kind);
                let kind = of_scene.unwrap_or_else(|| self.added_kinds.get(id));
                let (size, heading) = match body.shape {
                    Shape::Disc { radius } => ([2.0 * radius; 2], 0.0),
                    Shape::Rect { half } => (half.map(|half| 2.0 * half), 0.0),
                    Shape::Oval { half, heading } => (half.map(|half| 2.0 * half), heading),
                };
                let height = 0.4 * size[1];
                BodySprite { kind, position: body.position, heading, size, height }
            })
            .collect()
    }
}

pub(super) fn scene_rain(scene: &WavesScene) -> Option<Rain> {
    scene.rain.as_ref().map(|rain| Rain { seed: scene.seed.into(), ..**rain })
}

pub(super) fn scene_wind(scene: &WavesScene) -> Option<Wind> {
    scene.wind.as_ref().map(|wind| Wind { seed: gust_seed(scene.seed), ..**wind })
}

/// Returns the seed for the random gusts of the wind. This seed differs from the seed for rain, so
/// that gusts do not start where drops fall.
fn gust_seed(seed: u32) -> u64 {
    u64::from(seed) ^ 0x57_49_4e_44
}

/// Returns the wind with default gusts, for a scene without a table `[wind]`. `shorter_side` is the
/// length of the surface's shorter side (m).
fn default_wind(shorter_side: f64, seed: u32) -> Wind {
    Wind { radius: shorter_side / 12.0, seed: gust_seed(seed), ..Wind::default() }
}

fn to_maker(maker: &ExtendedKeys<WaveMaker, MakerEnds>, lattice: &Lattice) -> WaveMaker {
    let [from, to] = [maker.from, maker.to].map(|end| resolve_position(end, lattice));
    WaveMaker { from, to, ..*maker.keys }
}

fn to_body(body: &ExtendedKeys<Body, SteeredBody>, lattice: &Lattice) -> Body {
    let half = body.size.map(|size| size.map(|size| 0.5 * size));
    let heading = match body.keys.velocity {
        [0.0, 0.0] => body.heading.to_radians(),
        [east, south] => south.atan2(east),
    };
    let shape = match (body.radius, half) {
        (Some(radius), _) => Shape::Disc { radius },
        (None, half) => Shape::Oval { half: half.unwrap_or([1.0; 2]), heading },
    };
    Body { shape, position: resolve_position(body.at, lattice), ..*body.keys }
}
