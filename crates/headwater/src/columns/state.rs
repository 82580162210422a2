//! What moves, and the formula of an edge that all loops enter.

use super::layout::Layout;
use super::network::Carried;
use super::params::{LARGEST_SUM, Params};
use crate::scratch::ScratchPool;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    /// Water in each column (quanta). Full ones may hold a little more, compressed until it is
    /// pushed out.
    #[serde(with = "crate::numbers")]
    pub(super) depth: Vec<i32>,
    /// Velocity (m/s, to the east) over the edge on the east of each column; 0 for the last of a pool.
    #[serde(with = "crate::numbers")]
    pub(super) speed: Vec<f32>,
    #[serde(with = "crate::numbers")]
    pub(super) joint_speed: Vec<f32>,
    #[serde(with = "crate::numbers")]
    pub(super) foam: Vec<f32>,
    /// With springs: how far each column is off its rest level (m), and how fast that grows (m/s).
    #[serde(with = "crate::numbers")]
    pub(super) offset: Vec<f32>,
    #[serde(with = "crate::numbers")]
    pub(super) rate: Vec<f32>,
    /// What networks remember of their last step.
    pub(super) network: Carried,
}

impl State {
    pub(super) fn new(depth: Vec<i32>, layout: &Layout, springs: bool) -> Self {
        let (n, joints) = (depth.len(), layout.joints.len());
        let of_springs = if springs { n } else { 0 };
        Self {
            depth,
            speed: vec![0.0; n],
            joint_speed: vec![0.0; joints],
            foam: vec![0.0; n],
            offset: vec![0.0; of_springs],
            rate: vec![0.0; of_springs],
            network: Carried::new(n, layout.pools.len(), joints),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) shallowest: i32,
    pub(super) deepest: i32,
    pub(super) steepest: i32,
    pub(super) fastest: f32,
}

#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) layout: &'a Layout,
    pub(super) rule: &'a Rule,
    pub(super) gravity: f64,
    pub(super) step: f64,
    pub(super) awake: &'a [u32],
    /// By joint: whether the pools on both its sides move.
    pub(super) open: &'a [bool],
    pub(super) scratch: &'a ScratchPool,
}

/// Largest part of its height that water may be swept on by in a step. Below one half, so that two
/// edges never take more than there is.
const SWEEP: f64 = 0.49;

/// The most of its height over a sill that a column gives over one edge in a step.
pub(super) const GIVES: f32 = 0.495;

/// The part by which too steep a surface levels out in a step where waves are slow; less where they
/// are fast, see [`LARGEST_SUM`].
const TUMBLE: f64 = 0.2;

/// How fast velocities die below ice (1/s): a sheet holds waves fast, and water comes to one level below it.
const HOLD: f64 = 1.0;

/// Critical flow over a broad crest, in units of √(g·H): (2/3)^(3/2).
pub(super) const CREST: f32 = 0.544_331_1;

#[inline(always)]
fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Cuts an amount (quanta, below 2³¹ either way) to a whole number that is no larger. Loops with
/// `as i32` would not be vectorised.
#[inline(always)]
fn cut(amount: f32) -> i32 {
    // Added to a number below 2²², this leaves the nearest whole number in the last bits.
    const MAGIC: f32 = 12_582_912.0;
    const BITS: i32 = MAGIC.to_bits() as i32;
    let size = greater(amount.abs() - 0.5, 0.0);
    let upper = size * (1.0 / 65536.0) + MAGIC;
    let lower = (size - (upper - MAGIC) * 65536.0) + MAGIC;
    let whole = ((upper.to_bits() as i32 - BITS) << 16) + (lower.to_bits() as i32 - BITS);
    if amount < 0.0 { -whole } else { whole }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rule {
    /// What is left of a velocity.
    pub(super) keep: f32,
    /// The same below ice.
    pub(super) keep_iced: f32,
    /// Gain of velocity for a quantum of head (m/s).
    pub(super) pull: f32,
    pub(super) most: f32,
    /// Columns that a velocity of 1 m/s crosses.
    pub(super) reach: f32,
    /// The part of a difference that levels out.
    pub(super) spread: f32,
    /// The part of what is too steep that levels out.
    pub(super) tumble: f32,
    /// The largest difference between two columns (quanta) that does not break.
    pub(super) steepest: f32,
    /// The depth that waves reach (quanta).
    pub(super) wave_depth: i32,
    /// Loss of an opening for a velocity of 1 m/s.
    pub(super) loss: f32,
    /// Square of the speed (m/s) of waves over one quantum.
    pub(super) celerity: f32,
}

impl Rule {
    pub(super) fn new(params: &Params, layout: &Layout) -> Self {
        let Params { step, gravity, .. } = *params;
        let Layout { width, quantum, .. } = *layout;
        let courant = params.courant(width);
        let spread = if params.spread < 1e-12 { 0.0 } else { params.spread };
        Self {
            keep: libm::exp(-params.damping * step) as f32,
            keep_iced: libm::exp(-(params.damping + HOLD) * step) as f32,
            pull: (gravity * step / width * quantum) as f32,
            most: ((SWEEP - spread) * width / step) as f32,
            reach: (step / width) as f32,
            spread: spread as f32,
            tumble: (0.5 * (LARGEST_SUM - courant * courant) - spread).clamp(0.0, TUMBLE) as f32,
            steepest: (params.breaking * width / quantum) as f32,
            wave_depth: layout.quanta(params.wave_depth).max(1),
            loss: (params.loss * step / (2.0 * width)) as f32,
            celerity: (gravity * quantum) as f32,
        }
    }

    /// Flow over an edge below the open air: new velocity, and quanta that go east. `left` and
    /// `right` are surfaces, `sill` the higher floor.
    #[inline(always)]
    pub(super) fn open(&self, speed: f32, left: i32, right: i32, sill: i32) -> (f32, i32) {
        let over = [left - sill, right - sill];
        let head = (over[1].max(0) - over[0].max(0)) as f32;
        let speed = self.keep * speed - self.pull * head;
        let (up, down) = if speed > 0.0 { (over[0], over[1]) } else { (over[1], over[0]) };
        let depth = up.max(0);
        let crest = if down <= 0 { CREST } else { 1.0 };
        let most = lesser(self.most, crest * (self.celerity * depth as f32).sqrt());
        let speed = greater(lesser(speed, most), -most);
        let carried = depth.min(self.wave_depth) as f32;
        let flux = speed * self.reach * carried - self.spread * head;
        (speed, cut(self.tumble(flux, over)))
    }

    /// Flow to the east with what tumbles down where the difference, of heights over the sill, is
    /// too steep. No more than a column can give.
    #[inline(always)]
    fn tumble(&self, flux: f32, over: [i32; 2]) -> f32 {
        let [left, right] = over.map(|over| over.max(0) as f32);
        let rise = right - left;
        let beyond = greater(rise.abs() - self.steepest, 0.0);
        let falls = self.tumble * lesser(beyond, lesser(left, right));
        let flux = if rise > 0.0 { flux - falls } else { flux + falls };
        greater(lesser(flux, GIVES * left), -GIVES * right)
    }

    /// The same between flat floors: `left` and `right` are depths.
    #[inline(always)]
    pub(super) fn flat(&self, speed: f32, left: i32, right: i32) -> (f32, i32) {
        let head = (right - left) as f32;
        let speed = self.keep * speed - self.pull * head;
        let (up, down) = if speed > 0.0 { (left, right) } else { (right, left) };
        let crest = if down <= 0 { CREST } else { 1.0 };
        let most = lesser(self.most, crest * (self.celerity * up as f32).sqrt());
        let speed = greater(lesser(speed, most), -most);
        let carried = up.min(self.wave_depth) as f32;
        let flux = speed * self.reach * carried - self.spread * head;
        (speed, cut(self.tumble(flux, [left, right])))
    }

    /// The same between flat floors where no limit is met, of which [`is_calm`](Self::is_calm) is sure.
    #[inline(always)]
    pub(super) fn calm(&self, speed: f32, left: i32, right: i32) -> (f32, i32) {
        let head = (right - left) as f32;
        let speed = self.keep * speed - self.pull * head;
        let up = if speed > 0.0 { left } else { right };
        let carried = up.min(self.wave_depth) as f32;
        (speed, cut(speed * self.reach * carried - self.spread * head))
    }

    /// Whether surely no edge in a range meets a limit of depth, velocity, steepness or supply.
    #[inline(always)]
    pub(super) fn is_calm(&self, range: &Extent) -> bool {
        // More than all that rounding comes to.
        const SURELY: f32 = 0.999;
        let Extent { shallowest, deepest, steepest, fastest } = *range;
        let [low, high, head] = [shallowest, deepest, steepest].map(|quanta| quanta as f32);
        let speed = self.keep * fastest + self.pull * head;
        let flux = speed * self.reach * deepest.min(self.wave_depth) as f32 + self.spread * head;
        shallowest > 0
            && speed <= SURELY * lesser(self.most, (self.celerity * low).sqrt())
            && head + high * 1e-6 <= SURELY * self.steepest
            && flux <= SURELY * GIVES * low
    }

    /// The same on an edge with a lintel, between columns whose heads may differ from their surfaces.
    #[inline(always)]
    pub(super) fn through(&self, speed: f32, edge: &Edge) -> (f32, i32) {
        let Edge { sill, lintel, .. } = *edge;
        let over = |i: usize| edge.surface[i] - sill;
        let above = |i: usize| (edge.surface[i] + edge.excess[i] - sill).max(0);
        let head = (above(1) - above(0)) as f32;
        let speed = self.kept(speed, edge) - self.pull * head;
        let up = usize::from(speed <= 0.0);
        let down = over(1 - up);
        let drowned = over(up) > lintel - sill || edge.ice[up] > 0;
        let depth = edge.opens(up);
        let crest = if down <= 0 { CREST } else { 1.0 };
        let critical = crest * (self.celerity * depth as f32).sqrt();
        let most = if drowned && depth > 0 { self.most } else { lesser(self.most, critical) };
        let speed = greater(lesser(speed, most), -most);
        let carried = depth.min(self.wave_depth) as f32;
        // By surfaces, not heads: those may differ by more than there is water.
        let shut = edge.is_shut();
        // What a body weighs on stands lower than what is beside it, at rest.
        let uneven = if drowned || shut || edge.is_iced() || edge.loaded[0] || edge.loaded[1] {
            0.0
        } else {
            (over(1).max(0) - over(0).max(0)) as f32
        };
        let flux = speed * self.reach * carried - self.spread * uneven;
        let flux = if uneven == 0.0 { flux } else { self.tumble(flux, [over(0), over(1)]) };
        (speed, cut(flux))
    }

    /// What is left of a velocity before the heads act on it.
    #[inline(always)]
    fn kept(&self, speed: f32, edge: &Edge) -> f32 {
        let narrow = edge.surface[0].max(edge.surface[1]) > edge.lintel;
        let lost = if narrow { 1.0 + self.loss * speed.abs() } else { 1.0 };
        let keep = if edge.is_iced() { self.keep_iced } else { self.keep };
        keep * speed / lost
    }

    /// The same of an edge of a network; `narrow` says whether water leaves an opening into what is wider.
    pub(super) fn kept_of(&self, speed: f64, [narrow, iced]: [bool; 2]) -> f64 {
        let lost = if narrow { 1.0 + f64::from(self.loss) * speed.abs() } else { 1.0 };
        f64::from(if iced { self.keep_iced } else { self.keep }) * speed / lost
    }
}

/// Two columns and the opening between them. Heights in quanta.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) sill: i32,
    pub(super) lintel: i32,
    pub(super) surface: [i32; 2],
    /// How much of what is below the surface is ice. It weighs as much as it displaces, so it is the uppermost.
    pub(super) ice: [i32; 2],
    /// Head above the surface.
    pub(super) excess: [i32; 2],
    /// Whether a body weighs on the column.
    pub(super) loaded: [bool; 2],
}

impl Edge {
    #[inline(always)]
    pub(super) fn is_shut(&self) -> bool {
        self.lintel <= self.sill || self.is_iced() && self.opens(0) == 0 && self.opens(1) == 0
    }

    #[inline(always)]
    pub(super) fn is_iced(&self) -> bool {
        self.ice != [0; 2]
    }

    /// The height (quanta) through which water may come from a side: below the lintel, and below its ice.
    #[inline(always)]
    pub(super) fn opens(&self, side: usize) -> i32 {
        ((self.surface[side] - self.ice[side]).min(self.lintel) - self.sill).max(0)
    }

    /// The height (quanta) that carries water of this velocity, no deeper than waves reach.
    pub(super) fn reached(&self, speed: f32, wave_depth: i32) -> i32 {
        self.opens(usize::from(speed <= 0.0)).min(wave_depth)
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn amounts_are_cut_towards_nothing() {
        for amount in [0.0, 0.4, 0.9, 1.2, 3.7, 65_535.9, 65_536.5, 98_304.3, 7e6, 1.1e9, 2.1e9_f32]
        {
            let whole = cut(amount);
            assert!(whole as f64 <= f64::from(amount) && whole as f64 > f64::from(amount) - 1.5);
            assert_eq!(cut(-amount), -whole);
        }
        assert_eq!([0.3, 1.6, 70_000.25].map(cut), [0, 1, 70_000]);
    }
}
