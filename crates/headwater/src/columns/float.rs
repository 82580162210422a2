//! Floating bodies: buoyancy, drag, and their action on the water.
//!
//! A body acts as a head on the water under it, equal to its draft below the surrounding level
//! (Archimedes). It displaces its weight, makes waves and a wake, and conserves volume. A floating
//! body follows the level next to it, which its own head does not change: with the difference of
//! two heights near it, body and water would amplify each other. Drag acts on both.
//!
//! Not modelled: pitch and roll, and contact between bodies.

use super::body::{Body, FAR, Level, MOST, Ride, Shape};
use super::heat::Warmth;
use super::layout::{Layout, SKY};
use super::params::Params;
use super::pressure::Heads;
use super::state::State;
use super::world::Columns;
use crate::error::{InputError, Place};
use crate::ids::{Id, IdList};
use crate::parameter::Range;
use crate::scratch::{PooledVec, ScratchPool};

const WATER: f64 = 1000.0;

/// Added mass coefficient, relative to the displaced mass: that of a disc.
const ADDED: f64 = 1.0;

/// Damping of heave by radiated waves, as a fraction of critical damping.
const RADIATED: f64 = 0.3;

/// Height above the ground (quanta) up to which a body rests on it; positions are rounded.
const TOUCHES: i32 = 16;

/// With springs: rate at which a body pushes the water ahead of it (1/s).
const BOW: f64 = 1.0;

/// Speed (m/s) below which a body does not keep its pool awake.
const STILL: f64 = 1e-3;

impl Columns {
    /// Adds a floating body.
    ///
    /// # Errors
    /// [`InputError`] if one of its numbers is out of its range, it is larger than the board, or
    /// its centre lies outside the board (other than above it) or in a wall.
    pub fn add_body(&mut self, body: Body) -> Result<Id, InputError> {
        self.check_body(&body)?;
        let id = self.bodies.add(body);
        self.rides.push(Ride::default());
        self.wake_under(self.bodies.len() - 1);
        Ok(id)
    }

    /// Returns the floating bodies in their current state.
    pub fn bodies(&self) -> &IdList<Body> {
        &self.bodies
    }

    /// Replaces a body, for example to change its position or velocity.
    ///
    /// # Errors
    /// [`InputError`] if there is no such body, or as for [`add_body`](Self::add_body).
    pub fn set_body(&mut self, id: Id, body: Body) -> Result<(), InputError> {
        let index = self.bodies.find("a body", id)?;
        self.check_body(&body)?;
        self.wake_under(index);
        self.bodies[index] = body;
        self.rides[index] = Ride::default();
        self.wake_under(index);
        Ok(())
    }

    fn check_body(&self, body: &Body) -> Result<(), InputError> {
        body.check()?;
        let [width, height] = self.size();
        let (center, half) = body.shape.frame();
        let places = Range::new(-FAR, FAR);
        center.into_iter().try_for_each(|place| places.check("a body's place", place, "m"))?;
        let diagonal = Range::new(0.0, width.hypot(height))
            .depends_on("from one corner of the board to another");
        half.into_iter().try_for_each(|half| diagonal.check("a body's size", 2.0 * half, "m"))?;
        if self.water().is_open(center) {
            return Ok(());
        }
        let allowed = format!("in the open, on the board of {width} × {height} m or above it");
        Err(InputError::new("a body", "its middle there", allowed).at(Place::Point(center)))
    }

    /// Removes a body.
    ///
    /// # Errors
    /// [`InputError`] if there is no such body.
    pub fn remove_body(&mut self, id: Id) -> Result<Body, InputError> {
        let index = self.bodies.find("a body", id)?;
        self.wake_under(index);
        self.rides.remove(index);
        Ok(self.bodies.remove_at(index))
    }

    fn wake_under(&mut self, index: usize) {
        let Span { first, last, .. } = Span::of(&self.layout, &self.bodies[index].shape);
        let Self { layout, sleep, changes, .. } = self;
        changes.next_tick();
        for c in (first..last).flat_map(|x| layout.stack(x)) {
            let pool = layout.pool_of(c);
            sleep.wake(pool);
            changes.mark_index(pool);
        }
    }

    pub(super) fn float<'s>(&mut self, scratch: &'s ScratchPool) -> PooledVec<'s, (usize, i32)> {
        let mut loads = scratch.vec();
        let mut weights = scratch.vec();
        if self.bodies.len() > 1 {
            for (index, body) in self.bodies.iter().enumerate() {
                let pressed = self.water().pressed(body, scratch);
                weights.extend(pressed.under.iter().map(|&(c, deep)| (c, index, deep)));
            }
            weights.sort_unstable_by_key(|&(c, index, _)| (c, index));
        }
        for index in 0..self.bodies.len() {
            let mut body = self.bodies[index];
            let water = Water { weights: &weights, own: index, ..self.water() };
            let mut ride = self.rides[index];
            let pressed = water.ride(&mut body, &mut ride, scratch);
            let awake = |c: usize| self.sleep.is_awake(self.layout.pool_of(c));
            let moved = water.advance(&mut body, &mut ride, &pressed, awake, scratch);
            let head = moved.map_or(0.0, |moved| moved.head);
            let load = |&(c, height): &(usize, f64)| (c, self.layout.quanta(height + head));
            loads.extend(pressed.under.iter().map(load));
            // A body sleeps together with the water around it.
            let Some(moved) = moved else { continue };
            let lively = body.velocity.iter().any(|speed| speed.abs() > STILL);
            (self.bodies[index], self.rides[index]) = (body, ride);
            if lively {
                self.wake_under(index);
            }
            self.drag_along(&pressed, moved);
            self.press_springs(&pressed, head, body.velocity[0]);
        }
        loads.sort_unstable();
        loads.dedup_by(|next, load| {
            let same = next.0 == load.0;
            if same {
                load.1 = load.1.saturating_add(next.1).min(SKY / 4);
            }
            same
        });
        loads
    }

    fn drag_along(&mut self, pressed: &Pressed, moved: Moved) {
        let layout = &self.layout;
        let weight = |&(c, _): &(usize, f64)| layout.metres(self.state.depth[c]) * layout.width;
        let mass = WATER * pressed.under.iter().map(weight).sum::<f64>();
        if mass <= 0.0 || moved.impulse == 0.0 {
            return;
        }
        let gain = (moved.impulse / mass).clamp(-1.0, 1.0) as f32;
        self.changes.next_tick();
        for &(c, _) in pressed.under.iter() {
            let pool = layout.pool_of(c);
            self.changes.mark_index(pool);
            let last = layout.pools[pool].columns.end - 1;
            if self.state.rate.is_empty() && c < last && self.state.depth[c + 1] > 0 {
                self.state.speed[c] += gain;
            }
        }
    }

    /// With springs, which move no volume: vertical motion presses and pulls the surface, and
    /// forward motion raises it at the bow and lowers it at the stern.
    fn press_springs(&mut self, pressed: &Pressed, head: f64, east: f64) {
        if self.state.rate.is_empty() {
            return;
        }
        let pull = self.params.tension * self.params.step;
        let last = pressed.under.len().saturating_sub(1);
        for (i, &(c, deep)) in pressed.under.iter().enumerate() {
            let bow = f64::from(u8::from(i == last)) - f64::from(u8::from(i == 0));
            let pushed = BOW * bow * deep * east / self.layout.width * self.params.step;
            self.state.rate[c] += (pushed - pull * head) as f32;
        }
    }
}

pub(super) struct Span {
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) columns: usize,
}

impl Span {
    pub(super) fn of(layout: &Layout, shape: &Shape) -> Self {
        let (center, half) = shape.frame();
        let columns = layout.board.nx() * layout.per_cell;
        let reach = |x: f64| (x / layout.width).clamp(0.0, columns as f64);
        let first = reach(center[0] - half[0]).floor() as usize;
        let last = reach(center[0] + half[0]).ceil() as usize;
        Self { first, last: last.max(first), columns }
    }
}

struct Pressed<'s> {
    /// Columns under it, and its draft in each (m, scaled by the covered part of the column's
    /// width).
    under: PooledVec<'s, (usize, f64)>,
    /// Area (m²) below the level, width (m) of the wetted part, and slope of the level to the east.
    area: f64,
    wide: f64,
    slope: f64,
    level: Option<Level>,
    current: f64,
    fast: bool,
}

impl<'s> Pressed<'s> {
    fn new(scratch: &'s ScratchPool) -> Self {
        Self {
            under: scratch.vec(),
            area: 0.0,
            wide: 0.0,
            slope: 0.0,
            level: None,
            current: 0.0,
            fast: false,
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Moved {
    /// Head (m) of its vertical drag.
    head: f64,
    impulse: f64,
}

pub(super) struct Water<'a> {
    pub(super) layout: &'a Layout,
    pub(super) state: &'a State,
    pub(super) heads: &'a Heads,
    pub(super) warmth: Option<&'a Warmth>,
    pub(super) params: &'a Params,
    /// Draft of all bodies in each column: column, index of the body, draft (m); ascending. Empty
    /// if there is only one body.
    pub(super) weights: &'a [(usize, usize, f64)],
    pub(super) own: usize,
}

impl Water<'_> {
    /// Returns the column of a stack that contains a height (m), or else the highest one below it.
    pub(super) fn column(&self, x: usize, height: f64) -> Option<usize> {
        self.layout
            .stack(x)
            .take_while(|&c| self.layout.metres(self.layout.floor[c]) <= height)
            .last()
    }

    /// Returns the height of a column's open surface (m); `None` if it is dry or full to its
    /// ceiling.
    pub(super) fn surface(&self, c: usize) -> Option<f64> {
        let surface = self.layout.floor[c] + self.state.depth[c];
        let open = self.state.depth[c] > 0 && surface < self.layout.ceiling[c];
        let wave = self.state.offset.get(c).map_or(0.0, |&offset| f64::from(offset));
        open.then(|| self.layout.metres(surface) + wave)
    }

    /// Moves a floating body with the level of the columns beside it; returns its immersion.
    fn ride<'s>(&self, body: &mut Body, ride: &mut Ride, scratch: &'s ScratchPool) -> Pressed<'s> {
        let pressed = self.pressed(body, scratch);
        let (center, half) = body.shape.frame();
        let top = self.layout.height() - center[1] + half[1];
        let (Some(before), Some(now)) = (ride.level, pressed.level) else { return pressed };
        let same = before.of == now.of && before.height != now.height;
        if ride.aground || pressed.fast || !same || top <= before.height {
            return pressed;
        }
        // At most as fast as a long wave: a jump of the surface is not a wave.
        let depth = |&(c, _): &(usize, f64)| self.layout.metres(self.state.depth[c]);
        let depth = pressed.under.iter().map(depth).fold(0.0, f64::max);
        let most = (self.params.gravity * depth).sqrt() * self.params.step;
        let mut lifted = body.shape;
        lifted.shift([0.0, (before.height - now.height).clamp(-most, most)]);
        if !self.fits(&lifted) {
            return pressed;
        }
        body.shape = lifted;
        self.pressed(body, scratch)
    }

    fn pressed<'s>(&self, body: &Body, scratch: &'s ScratchPool) -> Pressed<'s> {
        let layout = self.layout;
        let (center, half) = body.shape.frame();
        let Span { first, last, .. } = Span::of(layout, &body.shape);
        let mut pressed = Pressed::new(scratch);
        let middle = layout.height() - center[1];
        let [lowest, highest] = [middle - half[1], middle + half[1]];
        let beside = self.beside(&body.shape);
        pressed.slope = beside.slope(layout.width);
        let mut full = 0.0;
        for x in first..last {
            let Some(c) = self.column(x, highest) else { continue };
            let (from, to) = (x as f64 * layout.width, (x + 1) as f64 * layout.width);
            let west = from.max(center[0] - half[0]);
            let east = to.min(center[0] + half[0]);
            let tall = body.shape.half_at(0.5 * (west + east) - center[0]);
            // No water is below a body on the ground, but the water next to it still presses on it.
            let lies = middle - tall <= layout.metres(layout.floor[c] + TOUCHES);
            let is_wet = self.state.depth[c] > 0 || lies && !beside.is_dry();
            if east <= west || !is_wet {
                continue;
            }
            let level = self.level(&beside, c);
            let deep = (level.min(middle + tall) - (middle - tall)).max(0.0);
            pressed.fast |= self.heads.ice[c] > 0 && level >= lowest;
            if deep <= 0.0 {
                continue;
            }
            let part = (east - west) / layout.width;
            pressed.under.push((c, deep * part));
            pressed.area += deep * (east - west);
            pressed.wide += east - west;
            let first = layout.pools[layout.pool_of(c)].columns.start == c;
            let west_speed = if first { 0.0 } else { self.state.speed[c - 1] };
            pressed.current += deep * 0.5 * f64::from(west_speed + self.state.speed[c]);
            full += deep;
        }
        if full > 0.0 {
            pressed.current /= full;
            pressed.level = match (beside.height(), pressed.under.first()) {
                (Some(height), _) => Some(Level { height, of: beside.columns() }),
                (None, Some(&(c, _))) => {
                    let height = self.level(&beside, c);
                    Some(Level { height, of: [Some(c), None] })
                }
                (None, None) => None,
            };
            if let (true, Some(level)) = (self.state.rate.is_empty(), beside.height())
                && pressed.slope != 0.0
            {
                pressed.slope = self.rise(body, &pressed.under, level, pressed.area);
            }
        }
        pressed
    }

    /// Returns the slope of the heads under a body, positive to the east, with each step between
    /// columns weighted by the draft there. The levels beside the body respond later; with those,
    /// body and water would amplify each other.
    fn rise(&self, body: &Body, under: &[(usize, f64)], level: f64, area: f64) -> f64 {
        let layout = self.layout;
        let head = |(c, deep): (usize, f64)| {
            let from = self.weights.partition_point(|&(column, ..)| column < c);
            let here = self.weights[from..].iter().take_while(|&&(column, ..)| column == c);
            let others = here.filter(|&&(_, index, _)| index != self.own).map(|&(.., deep)| deep);
            let water = layout.metres(layout.floor[c] + self.state.depth[c]);
            water + deep + others.sum::<f64>()
        };
        let (center, _) = body.shape.frame();
        let middle = layout.height() - center[1];
        let steps = under.windows(2).map(|pair| {
            let between = layout.x_of(pair[1].0) as f64 * layout.width;
            let tall = body.shape.half_at(between - center[0]);
            let deep = (level.min(middle + tall) - (middle - tall)).max(0.0);
            deep * (head(pair[1]) - head(pair[0]))
        });
        steps.sum::<f64>() / area
    }

    /// Moves a body by one step: gravity, buoyancy, drag, collisions. `None` if it rests in
    /// sleeping water.
    fn advance(
        &self,
        body: &mut Body,
        ride: &mut Ride,
        pressed: &Pressed,
        awake: impl Fn(usize) -> bool,
        scratch: &ScratchPool,
    ) -> Option<Moved> {
        let still = body.velocity.iter().all(|speed| speed.abs() <= STILL);
        if still && !pressed.under.is_empty() && !pressed.under.iter().any(|&(c, _)| awake(c)) {
            return None;
        }
        if pressed.fast {
            ride.level = pressed.level;
            body.velocity = [0.0; 2];
            return Some(Moved::default());
        }
        let (dt, g) = (self.params.step, self.params.gravity);
        let (_, half) = body.shape.frame();
        let thrust = WATER * g * pressed.area;
        let moving = body.mass + ADDED * WATER * pressed.area;
        let wet = (pressed.area / (pressed.wide * 2.0 * half[1]).max(f64::MIN_POSITIVE)).min(1.0);
        // Implicit in the change of draft, so that light bodies do not bounce with growing
        // amplitude.
        let stiff = WATER * g * pressed.wide * dt * dt / moving;
        let [east, down] = body.velocity;
        let down = (down + dt * (body.mass * g - thrust) / moving) / (1.0 + stiff);
        let east = east - dt * thrust * pressed.slope / moving;
        let drag = |speed: f64, area: f64| {
            let rate = 0.5 * WATER * body.drag * area * speed.abs() * dt / moving;
            speed / (1.0 + rate)
        };
        let radiated = 2.0 * RADIATED * (WATER * g * pressed.wide / moving).sqrt() * dt;
        let slow = drag(down, pressed.wide) / (1.0 + radiated);
        let relative = east - pressed.current;
        let along = drag(relative, 2.0 * half[1] * wet);
        let head = (down - slow) * moving / (dt * WATER * g * pressed.wide.max(half[0]));
        let impulse = (relative - along) * moving;
        body.velocity = [along + pressed.current, slow].map(|v| v.clamp(-MOST, MOST));
        ride.aground = self.go(body);
        // The level at the new position is the reference of the next step.
        ride.level = self.pressed(body, scratch).level;
        let highest = self.layout.height();
        // Force on the ground does not act on the water.
        let head = if ride.aground { 0.0 } else { head.clamp(-0.5 * highest, highest) };
        Some(Moved { head, impulse })
    }
}
