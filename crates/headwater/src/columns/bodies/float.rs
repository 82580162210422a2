//! Floating bodies: buoyancy, drag, and the forces of the bodies on the water.
//!
//! A body acts on the water under it as a pressure head that equals its draft below the surrounding
//! water level (Archimedes). It displaces its weight, makes waves and a wake, and does not change
//! the volume of the water. A floating body follows the level of the water next to it, because its
//! own pressure head does not change this level. If the body followed the level of the water under
//! it, body and water would amplify each other's motion. Drag acts on both body and water.
//!
//! The model does not include pitch and roll, or contact between bodies.

use super::body::{Body, FloatState, MAX_DISTANCE, MAX_SPEED, ReferenceLevel, Shape};
use crate::columns::heat::HeatState;
use crate::columns::layout::{Layout, NO_CEILING};
use crate::columns::params::Params;
use crate::columns::solver::pressure::Heads;
use crate::columns::state::State;
use crate::columns::world::Columns;
use crate::error::{InputError, InputPosition};
use crate::ids::{Id, IdList};
use crate::parameter::Range;
use crate::scratch::{PooledVec, ScratchPool};

const WATER_DENSITY: f64 = 1000.0;

/// Added-mass coefficient of a disc: the ratio of added mass to displaced mass (dimensionless).
const ADDED_MASS: f64 = 1.0;

/// Damping ratio of vertical oscillations due to radiated waves (fraction of critical damping).
const WAVE_DAMPING: f64 = 0.3;

/// Largest height above the ground (in height quanta, the integer units of height) at which a body
/// counts as resting on the ground. The tolerance is needed because positions are rounded.
const GROUND_TOLERANCE: i32 = 16;

/// Strength of the bow wave (1/s) with [`Motion::Springs`](super::Motion::Springs). The upward
/// acceleration of the water surface at the bow (m/s²) is this value times the draft times the
/// speed, divided by the column width.
const BOW_PUSH_RATE: f64 = 1.0;

/// Speed (m/s) below which a body does not keep its pool awake.
const REST_SPEED: f64 = 1e-3;

impl Columns {
    /// Adds a floating body to the world and returns its identifier. The centre of the body may lie
    /// above the grid.
    ///
    /// # Errors
    /// Returns [`InputError`] if a value in `body` is out of range, if the body is larger than the
    /// grid, or if its centre lies in a wall or beyond the sides or the bottom of the grid.
    pub fn add_body(&mut self, body: Body) -> Result<Id, InputError> {
        self.check_body(&body)?;
        let id = self.bodies.add(body);
        self.rides.push(FloatState::default());
        self.wake_pools_under_body(self.bodies.len() - 1);
        Ok(id)
    }

    /// Returns the floating bodies with their current positions and velocities.
    pub fn bodies(&self) -> &IdList<Body> {
        &self.bodies
    }

    /// Replaces a floating body, for example to change its position or velocity.
    ///
    /// # Errors
    /// Returns [`InputError`] if no body has this identifier, and for the same reasons as
    /// [`add_body`](Self::add_body).
    pub fn set_body(&mut self, id: Id, body: Body) -> Result<(), InputError> {
        let index = self.bodies.find_index("a body", id)?;
        self.check_body(&body)?;
        self.wake_pools_under_body(index);
        self.bodies[index] = body;
        self.rides[index] = FloatState::default();
        self.wake_pools_under_body(index);
        Ok(())
    }

    fn check_body(&self, body: &Body) -> Result<(), InputError> {
        body.check()?;
        let [width, height] = self.size();
        let (center, half) = body.shape.center_and_half();
        let places = Range::new(-MAX_DISTANCE, MAX_DISTANCE);
        center.into_iter().try_for_each(|place| places.check("a body's place", place, "m"))?;
        let diagonal = Range::new(0.0, width.hypot(height))
            .depends_on("from one corner of the grid to another");
        half.into_iter().try_for_each(|half| diagonal.check("a body's size", 2.0 * half, "m"))?;
        if self.water_view().is_outside_walls(center) {
            return Ok(());
        }
        let allowed = format!("in the open, on the grid of {width} × {height} m or above it");
        Err(InputError::new("a body", "its centre at this point", allowed)
            .at_position(InputPosition::Point(center)))
    }

    /// Removes the floating body with the given identifier and returns it.
    ///
    /// # Errors
    /// Returns [`InputError`] if no body has this identifier.
    pub fn remove_body(&mut self, id: Id) -> Result<Body, InputError> {
        let index = self.bodies.find_index("a body", id)?;
        self.wake_pools_under_body(index);
        self.rides.remove(index);
        Ok(self.bodies.remove_at(index))
    }

    fn wake_pools_under_body(&mut self, index: usize) {
        let ColumnSpan { first, last, .. } =
            ColumnSpan::from_shape(&self.layout, &self.bodies[index].shape);
        let Self { layout, sleep, changes, .. } = self;
        changes.next_tick();
        for c in (first..last).flat_map(|x| layout.columns_at_x(x)) {
            let pool = layout.pool_of(c);
            sleep.wake(pool);
            changes.mark_index(pool);
        }
    }

    pub(in crate::columns) fn move_bodies<'s>(
        &mut self,
        scratch: &'s ScratchPool,
    ) -> PooledVec<'s, (usize, i32)> {
        let mut loads = scratch.take_vec();
        let mut drafts = scratch.take_vec();
        if self.bodies.len() > 1 {
            for (index, body) in self.bodies.iter().enumerate() {
                let immersion = self.water_view().immersion(body, scratch);
                drafts.extend(immersion.drafts.iter().map(|&(c, deep)| (c, index, deep)));
            }
            drafts.sort_unstable_by_key(|&(c, index, _)| (c, index));
        }
        for index in 0..self.bodies.len() {
            let mut body = self.bodies[index];
            let water = WaterView { drafts: &drafts, body_index: index, ..self.water_view() };
            let mut ride = self.rides[index];
            let immersion = water.follow_water_level(&mut body, &mut ride, scratch);
            let awake = |c: usize| self.sleep.is_awake(self.layout.pool_of(c));
            let force = water.advance(&mut body, &mut ride, &immersion, awake, scratch);
            let head = force.map_or(0.0, |force| force.head);
            let load = |&(c, height): &(usize, f64)| (c, self.layout.to_quanta(height + head));
            loads.extend(immersion.drafts.iter().map(load));
            // A body sleeps together with the water around it.
            let Some(force) = force else { continue };
            let is_moving = body.velocity.iter().any(|speed| speed.abs() > REST_SPEED);
            (self.bodies[index], self.rides[index]) = (body, ride);
            if is_moving {
                self.wake_pools_under_body(index);
            }
            self.drag_water(&immersion, force);
            self.press_springs(&immersion, head, body.velocity[0]);
        }
        loads.sort_unstable();
        loads.dedup_by(|next, load| {
            let same = next.0 == load.0;
            if same {
                load.1 = load.1.saturating_add(next.1).min(NO_CEILING / 4);
            }
            same
        });
        loads
    }

    fn drag_water(&mut self, immersion: &Immersion, force: WaterForce) {
        let layout = &self.layout;
        let weight = |&(c, _): &(usize, f64)| layout.to_metres(self.state.depth[c]) * layout.width;
        let mass = WATER_DENSITY * immersion.drafts.iter().map(weight).sum::<f64>();
        if mass <= 0.0 || force.impulse == 0.0 {
            return;
        }
        let gain = (force.impulse / mass).clamp(-1.0, 1.0) as f32;
        self.changes.next_tick();
        for &(c, _) in immersion.drafts.iter() {
            let pool = layout.pool_of(c);
            self.changes.mark_index(pool);
            let last = layout.pools[pool].columns.end - 1;
            if self.state.rate.is_empty() && c < last && self.state.depth[c + 1] > 0 {
                self.state.speed[c] += gain;
            }
        }
    }

    /// Applies the motion of a body to the water surface, if the world uses
    /// [`Motion::Springs`](super::Motion::Springs). Vertical motion presses the surface down or
    /// lets it rise. Horizontal motion raises the surface at the bow and lowers it at the stern.
    fn press_springs(&mut self, immersion: &Immersion, head: f64, east: f64) {
        if self.state.rate.is_empty() {
            return;
        }
        let pull = self.params.tension * self.params.step;
        let last = immersion.drafts.len().saturating_sub(1);
        for (i, &(c, deep)) in immersion.drafts.iter().enumerate() {
            let bow = f64::from(u8::from(i == last)) - f64::from(u8::from(i == 0));
            let pushed = BOW_PUSH_RATE * bow * deep * east / self.layout.width * self.params.step;
            self.state.rate[c] += (pushed - pull * head) as f32;
        }
    }
}

pub(in crate::columns) struct ColumnSpan {
    pub(in crate::columns) first: usize,
    pub(in crate::columns) last: usize,
    pub(in crate::columns) columns: usize,
}

impl ColumnSpan {
    pub(in crate::columns) fn from_shape(layout: &Layout, shape: &Shape) -> Self {
        let (center, half) = shape.center_and_half();
        let columns = layout.grid.nx() * layout.per_cell;
        let reach = |x: f64| (x / layout.width).clamp(0.0, columns as f64);
        let first = reach(center[0] - half[0]).floor() as usize;
        let last = reach(center[0] + half[0]).ceil() as usize;
        Self { first, last: last.max(first), columns }
    }
}

struct Immersion<'s> {
    /// Columns under the body, each with the body's draft in that column (m). The draft is scaled
    /// by the fraction of the column's width that the body covers.
    drafts: PooledVec<'s, (usize, f64)>,
    /// Submerged cross-sectional area of the body (m²).
    area: f64,
    width: f64,
    slope: f64,
    level: Option<ReferenceLevel>,
    current: f64,
    is_fast: bool,
}

impl<'s> Immersion<'s> {
    fn new(scratch: &'s ScratchPool) -> Self {
        Self {
            drafts: scratch.take_vec(),
            area: 0.0,
            width: 0.0,
            slope: 0.0,
            level: None,
            current: 0.0,
            is_fast: false,
        }
    }
}

#[derive(Clone, Copy, Default)]
struct WaterForce {
    /// Vertical drag of the body on the water, as a pressure head (m).
    head: f64,
    impulse: f64,
}

pub(in crate::columns) struct WaterView<'a> {
    pub(in crate::columns) layout: &'a Layout,
    pub(in crate::columns) state: &'a State,
    pub(in crate::columns) heads: &'a Heads,
    pub(in crate::columns) warmth: Option<&'a HeatState>,
    pub(in crate::columns) params: &'a Params,
    /// Drafts of all bodies in the columns that they cover. Each element contains the index of the
    /// column, the index of the body, and the draft (m). The elements are sorted by column, then by
    /// body. The list is empty if there is only one body.
    pub(in crate::columns) drafts: &'a [(usize, usize, f64)],
    pub(in crate::columns) body_index: usize,
}

impl WaterView<'_> {
    /// Returns the index of the water column that contains `height` (m above the bottom of the
    /// grid), among the columns that lie above each other at the horizontal index `x`. If none
    /// contains this height, returns the highest column below it.
    pub(in crate::columns) fn column_at_height(&self, x: usize, height: f64) -> Option<usize> {
        self.layout
            .columns_at_x(x)
            .take_while(|&c| self.layout.to_metres(self.layout.floor[c]) <= height)
            .last()
    }

    /// Returns the height (m above the bottom of the grid) of a column's free surface. Returns
    /// `None` if the column is dry or full to its ceiling.
    pub(in crate::columns) fn surface_height(&self, c: usize) -> Option<f64> {
        let surface = self.layout.floor[c] + self.state.depth[c];
        let open = self.state.depth[c] > 0 && surface < self.layout.ceiling[c];
        let wave = self.state.offset.get(c).map_or(0.0, |&offset| f64::from(offset));
        open.then(|| self.layout.to_metres(surface) + wave)
    }

    /// Moves a floating body vertically with the water level next to it, and returns how the body
    /// is immersed afterwards.
    fn follow_water_level<'s>(
        &self,
        body: &mut Body,
        float_state: &mut FloatState,
        scratch: &'s ScratchPool,
    ) -> Immersion<'s> {
        let immersion = self.immersion(body, scratch);
        let (center, half) = body.shape.center_and_half();
        let top = self.layout.height() - center[1] + half[1];
        let (Some(before), Some(now)) = (float_state.level, immersion.level) else {
            return immersion;
        };
        let same = before.of == now.of && before.height != now.height;
        if float_state.aground || immersion.is_fast || !same || top <= before.height {
            return immersion;
        }
        // Limit the speed to that of a long wave, because a sudden jump of the surface is not a
        // wave.
        let depth = |&(c, _): &(usize, f64)| self.layout.to_metres(self.state.depth[c]);
        let depth = immersion.drafts.iter().map(depth).fold(0.0, f64::max);
        let max_change = (self.params.gravity * depth).sqrt() * self.params.step;
        let mut lifted = body.shape;
        lifted.translate([0.0, (before.height - now.height).clamp(-max_change, max_change)]);
        if !self.is_unobstructed(&lifted) {
            return immersion;
        }
        body.shape = lifted;
        self.immersion(body, scratch)
    }

    fn immersion<'s>(&self, body: &Body, scratch: &'s ScratchPool) -> Immersion<'s> {
        let layout = self.layout;
        let (center, half) = body.shape.center_and_half();
        let ColumnSpan { first, last, .. } = ColumnSpan::from_shape(layout, &body.shape);
        let mut immersion = Immersion::new(scratch);
        let middle = layout.height() - center[1];
        let [lowest, highest] = [middle - half[1], middle + half[1]];
        let levels = self.side_levels(&body.shape);
        immersion.slope = levels.slope(layout.width);
        let mut full = 0.0;
        for x in first..last {
            let Some(c) = self.column_at_height(x, highest) else { continue };
            let (from, to) = (x as f64 * layout.width, (x + 1) as f64 * layout.width);
            let west = from.max(center[0] - half[0]);
            let east = to.min(center[0] + half[0]);
            let tall = body.shape.half_height_at(0.5 * (west + east) - center[0]);
            // There is no water below a body on the ground, but the water next to it still exerts
            // pressure.
            let lies = middle - tall <= layout.to_metres(layout.floor[c] + GROUND_TOLERANCE);
            let is_wet = self.state.depth[c] > 0 || lies && !levels.is_dry();
            if east <= west || !is_wet {
                continue;
            }
            let level = self.level_around_body(&levels, c);
            let deep = (level.min(middle + tall) - (middle - tall)).max(0.0);
            immersion.is_fast |= self.heads.ice[c] > 0 && level >= lowest;
            if deep <= 0.0 {
                continue;
            }
            let part = (east - west) / layout.width;
            immersion.drafts.push((c, deep * part));
            immersion.area += deep * (east - west);
            immersion.width += east - west;
            let first = layout.pools[layout.pool_of(c)].columns.start == c;
            let west_speed = if first { 0.0 } else { self.state.speed[c - 1] };
            immersion.current += deep * 0.5 * f64::from(west_speed + self.state.speed[c]);
            full += deep;
        }
        if full > 0.0 {
            immersion.current /= full;
            immersion.level = match (levels.level_at_middle(), immersion.drafts.first()) {
                (Some(height), _) => Some(ReferenceLevel { height, of: levels.columns() }),
                (None, Some(&(c, _))) => {
                    let height = self.level_around_body(&levels, c);
                    Some(ReferenceLevel { height, of: [Some(c), None] })
                }
                (None, None) => None,
            };
            if let (true, Some(level)) = (self.state.rate.is_empty(), levels.level_at_middle())
                && immersion.slope != 0.0
            {
                immersion.slope = self.head_slope(body, &immersion.drafts, level, immersion.area);
            }
        }
        immersion
    }

    /// Returns the mean slope of the pressure heads under a body, positive to the east. Each
    /// difference between two neighbouring columns is weighted by the draft. The water levels next
    /// to the body are not used, because they would respond later, so that body and water would
    /// amplify each other's motion.
    fn head_slope(&self, body: &Body, drafts: &[(usize, f64)], level: f64, area: f64) -> f64 {
        let layout = self.layout;
        let head = |(c, deep): (usize, f64)| {
            let from = self.drafts.partition_point(|&(column, ..)| column < c);
            let here = self.drafts[from..].iter().take_while(|&&(column, ..)| column == c);
            let others =
                here.filter(|&&(_, index, _)| index != self.body_index).map(|&(.., deep)| deep);
            let water = layout.to_metres(layout.floor[c] + self.state.depth[c]);
            water + deep + others.sum::<f64>()
        };
        let (center, _) = body.shape.center_and_half();
        let middle = layout.height() - center[1];
        let steps = drafts.windows(2).map(|pair| {
            let between = layout.column_x(pair[1].0) as f64 * layout.width;
            let tall = body.shape.half_height_at(between - center[0]);
            let deep = (level.min(middle + tall) - (middle - tall)).max(0.0);
            deep * (head(pair[1]) - head(pair[0]))
        });
        steps.sum::<f64>() / area
    }

    /// Advances a body by one time step under gravity, buoyancy, drag and contact forces. Returns
    /// the forces of the body on the water, or `None` if the body rests in sleeping water.
    fn advance(
        &self,
        body: &mut Body,
        float_state: &mut FloatState,
        immersion: &Immersion,
        is_awake: impl Fn(usize) -> bool,
        scratch: &ScratchPool,
    ) -> Option<WaterForce> {
        let still = body.velocity.iter().all(|speed| speed.abs() <= REST_SPEED);
        if still
            && !immersion.drafts.is_empty()
            && !immersion.drafts.iter().any(|&(c, _)| is_awake(c))
        {
            return None;
        }
        if immersion.is_fast {
            float_state.level = immersion.level;
            body.velocity = [0.0; 2];
            return Some(WaterForce::default());
        }
        let (dt, g) = (self.params.step, self.params.gravity);
        let (_, half) = body.shape.center_and_half();
        let thrust = WATER_DENSITY * g * immersion.area;
        let moving = body.mass + ADDED_MASS * WATER_DENSITY * immersion.area;
        let wet =
            (immersion.area / (immersion.width * 2.0 * half[1]).max(f64::MIN_POSITIVE)).min(1.0);
        // The change of draft is treated implicitly, so that light bodies do not bounce with
        // growing amplitude.
        let stiff = WATER_DENSITY * g * immersion.width * dt * dt / moving;
        let [east, down] = body.velocity;
        let down = (down + dt * (body.mass * g - thrust) / moving) / (1.0 + stiff);
        let east = east - dt * thrust * immersion.slope / moving;
        let drag = |speed: f64, area: f64| {
            let rate = 0.5 * WATER_DENSITY * body.drag * area * speed.abs() * dt / moving;
            speed / (1.0 + rate)
        };
        let radiated =
            2.0 * WAVE_DAMPING * (WATER_DENSITY * g * immersion.width / moving).sqrt() * dt;
        let slow = drag(down, immersion.width) / (1.0 + radiated);
        let relative = east - immersion.current;
        let along = drag(relative, 2.0 * half[1] * wet);
        let head = (down - slow) * moving / (dt * WATER_DENSITY * g * immersion.width.max(half[0]));
        let impulse = (relative - along) * moving;
        body.velocity = [along + immersion.current, slow].map(|v| v.clamp(-MAX_SPEED, MAX_SPEED));
        float_state.aground = self.move_until_contact(body);
        // The level at the new position is the reference of the next step.
        float_state.level = self.immersion(body, scratch).level;
        let highest = self.layout.height();
        // A force on the ground does not act on the water.
        let head = if float_state.aground { 0.0 } else { head.clamp(-0.5 * highest, highest) };
        Some(WaterForce { head, impulse })
    }
}
