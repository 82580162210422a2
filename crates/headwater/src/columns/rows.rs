//! The rows of a step's heads: full columns, narrow vessels, and what is beside full ones; and the system that they are
//! one of.
//!
//! In a full column nothing can pile up, so its head is what makes the discharges over its edges even out. In
//! a narrow vessel that feeds a full section the water goes up and down as a whole, and the head at its foot
//! is the surface plus what it takes to move the water above: `p = η + m/g·∂²η/∂t²`. With
//! `u⁺ = a − k·(p_right − p_left)` on the edges, both are rows of one symmetric system,
//!
//! ```text
//! full:    s·(p − ceiling) + Σ A·(p − p_nb) = (Σ±A·a − gap·dx/dt)/k
//! vessel:  (p − η)/((α + β)·k) + Σ A·(p − p_nb) = (Σ±A·a − α/(α + β)·Σ±A·u)/k
//! ```
//!
//! with `k = g·dt/dx`, `α = m/(g·dx·dt)`, `β = θ·dt/dx` and `s = height·dx²/(c·dt)²`. c is the speed of sound: a full
//! column holds as much more water as it is pressed together, so that one without any way out has a head too. θ, 0 where a step is short enough, is as much of
//! implicitness as the stiffest column needs (Casulli & Cattani 1994).

use super::line::{Coupling, System};
use super::pressure::{Heads, NONE, SOUND, Step};
use super::state::{Edge, Rule, State};
use super::vessel::{Run, are_connected};

/// The part of a cell's height by which a depth may be wrong for one step.
const INVISIBLE: f64 = 1e-9;

impl Heads {
    /// Says which columns are rows of the system: full ones, narrow vessels, and what is beside full ones.
    pub(super) fn hold(&mut self, step: &Step, state: &State) {
        let layout = step.layout;
        let mut runs = step.spare.vec();
        for index in 0..self.pools.len() {
            let columns = layout.pools[self.pools[index] as usize].columns.clone();
            let mut from = columns.start;
            while from < columns.end {
                let full = self.full[from];
                let mut to = from + 1;
                while to < columns.end
                    && self.full[to] == full
                    && (full || are_connected(layout, state, to - 1, to))
                {
                    to += 1;
                }
                self.held[from..to].fill(full);
                self.mass[from..to].fill(0.0);
                if !full && state.depth[from] > 0 {
                    runs.push(Run { columns: from..to, pool: columns.clone() });
                }
                from = to;
            }
        }
        let widths = self.widths(step, state, &runs);
        for (run, &width) in runs.iter().zip(widths.iter()) {
            self.hold_vessel(layout, state, run, width);
        }
        // Beside a full column the opening may be too stiff for an explicit step.
        for index in 0..self.pools.len() {
            let columns = layout.pools[self.pools[index] as usize].columns.clone();
            for c in columns.clone() {
                let beside = |other: usize| {
                    columns.contains(&other) && self.full[other] && state.depth[c] > 0
                };
                let is_row = self.held[c] || beside(c + 1) || c > 0 && beside(c - 1);
                self.row[c] = if is_row { 0 } else { NONE };
            }
        }
        for (joint, &open) in layout.joints.iter().zip(step.open) {
            if open && (self.full[joint.left] || self.full[joint.right]) {
                for (c, pool) in [(joint.left, joint.left_pool), (joint.right, joint.right_pool)] {
                    if self.pressed[pool as usize] && state.depth[c] > 0 {
                        self.row[c] = 0;
                    }
                }
            }
        }
        let mut rows = 0;
        for index in 0..self.pools.len() {
            for c in layout.pools[self.pools[index] as usize].columns.clone() {
                if self.row[c] != NONE {
                    self.row[c] = rows;
                    rows += 1;
                }
            }
        }
    }

    /// The system of all rows.
    pub(super) fn system<'s>(&self, step: &Step<'s>, state: &State) -> System<'s> {
        let Step { layout, rule, gravity, step: dt, open, spare, .. } = *step;
        let rows = self.pools.iter().flat_map(|&pool| layout.pools[pool as usize].columns.clone());
        let columns = spare.collect(rows.filter(|&c| self.row[c] != NONE));
        let n = columns.len();
        let k = gravity * dt / layout.width;
        // An error of a column's depth as small as this does not show, and the next step mends it.
        let small = INVISIBLE * layout.cell * layout.width / (k * dt);
        let mut system = System::new(n, small, spare);
        let mut sums = spare.filled(n, Sums::default());
        let sums: &mut [Sums] = &mut sums;
        let mut enter = |edge: &Edge, [i, j]: [usize; 2], speed: f32| {
            let conductance = conductance(edge, speed, rule) * layout.quantum;
            if conductance <= 0.0 {
                return None;
            }
            let a = f64::from(rule.kept(speed, edge));
            let wets = [0, 1].map(|side| edge.surface[side] > edge.sill);
            let [left, right] = [self.row[i], self.row[j]];
            for (side, (row, sign)) in [(left, -1.0), (right, 1.0)].into_iter().enumerate() {
                if row == NONE {
                    continue;
                }
                let sums = &mut sums[row as usize];
                sums.came += sign * conductance * a;
                sums.come += sign * conductance * f64::from(speed);
                if !wets[side] {
                    // What falls into a column does not feel its head.
                    continue;
                }
                sums.conductance += conductance;
                let other = 1 - side;
                if !wets[other] || [left, right][other] == NONE {
                    let known = if [left, right][other] == NONE { edge.excess[other] } else { 0 };
                    let head = (edge.surface[other] + known).max(edge.sill);
                    sums.fixed += conductance * layout.metres(head);
                }
            }
            let coupled = left != NONE && right != NONE && wets == [true; 2];
            coupled.then_some(conductance)
        };
        for &c in columns.iter() {
            let pool = &layout.pools[layout.pool_of(c)].columns;
            if c > pool.start && self.row[c - 1] == NONE {
                enter(&self.edge(layout, &state.depth, c - 1, c), [c - 1, c], state.speed[c - 1]);
            }
            if c + 1 < pool.end {
                let edge = self.edge(layout, &state.depth, c, c + 1);
                if let Some(conductance) = enter(&edge, [c, c + 1], state.speed[c]) {
                    system.along[self.row[c] as usize] = -conductance;
                }
            }
        }
        for (number, joint) in layout.joints.iter().enumerate() {
            let [i, j] = [joint.left, joint.right];
            if !open[number] || self.row[i] == NONE && self.row[j] == NONE {
                continue;
            }
            let edge = self.opening(layout, &state.depth, [i, j], joint.sill, joint.lintel);
            if let Some(conductance) = enter(&edge, [i, j], state.joint_speed[number]) {
                let (a, b) = (self.row[i] as usize, self.row[j] as usize);
                system.across.push(Coupling { a, b, conductance });
            }
        }
        for (row, &c) in columns.iter().enumerate() {
            let sums = &sums[row];
            let surface = layout.metres(layout.floor[c] + state.depth[c] + self.air[c]);
            let mut diagonal = sums.conductance;
            let mut right = sums.fixed;
            if self.full[c] {
                let gap = layout.metres(layout.ceiling[c] - layout.floor[c] - state.depth[c]);
                right += (sums.came - gap * layout.width / dt) / k;
                let ceiling = layout.metres(layout.ceiling[c]);
                let height = ceiling - layout.metres(layout.floor[c]);
                let far = layout.width / (SOUND * dt);
                diagonal += height * far * far;
                right += height * far * far * ceiling;
            } else {
                let mass = f64::from(self.mass[c]);
                let stiff = dt * dt * gravity * 2.0 * sums.conductance
                    / (layout.width * layout.width + mass * sums.conductance);
                let theta = (0.5 - 1.0 / stiff).max(0.0);
                let alpha = mass / (gravity * layout.width * dt);
                let beta = theta * dt / layout.width;
                let total = (alpha + beta).max(1e-9 / k);
                diagonal += 1.0 / (total * k);
                right += surface / (total * k) + (sums.came - alpha / total * sums.come) / k;
            }
            system.diagonal[row] = diagonal;
            system.right[row] = right;
            system.heads[row] = surface + layout.metres(self.guess[c]);
        }
        system
    }
}

#[derive(Clone, Copy, Default)]
struct Sums {
    conductance: f64,
    /// `Σ A·p` over neighbours whose heads are known.
    fixed: f64,
    /// `Σ±A·a` and `Σ±A·u`: what comes in before heads act, and what came in in the last step.
    came: f64,
    come: f64,
}

/// The height (quanta) through which an opening carries: that of the water on the side it comes from.
fn conductance(edge: &Edge, speed: f32, rule: &Rule) -> f64 {
    let [left, right] = edge.surface;
    let up = match speed.total_cmp(&0.0) {
        _ if left.min(right) <= edge.sill || speed == 0.0 => left.max(right),
        std::cmp::Ordering::Greater => left,
        _ => right,
    };
    let up = up.min(edge.lintel);
    let height = (up - edge.sill).max(0);
    f64::from(if edge.is_held() { height } else { height.min(rule.wave_depth) })
}
