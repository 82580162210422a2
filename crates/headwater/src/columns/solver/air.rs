//! Bubbles of air trapped below ceilings. A bubble acts on the water as a spring, and its air
//! escapes where water no longer encloses it.

use crate::columns::layout::anchor::AirPocket;
use crate::columns::layout::{Layout, NO_CEILING};
use crate::columns::state::State;
use crate::scratch::{PooledVec, ScratchPool};
use serde::{Deserialize, Serialize};

/// Atmospheric pressure, expressed as a height of water (m): 101 325 Pa divided by ρ·g.
const ATMOSPHERIC_HEAD: f64 = 10.33;

/// Upper limit of the stiffness of an air pocket, as the ratio of the force of this air spring to
/// the weight of the water that it moves (dimensionless). A real small pocket can be stiffer, but
/// would require shorter time steps.
const MAX_STIFFNESS: f64 = 8.0;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::columns) struct Bubble {
    columns: Vec<usize>,
    /// Initial volume of the air (m³ for a world 1 m thick).
    volume: f64,
    /// Initial pressure of the air relative to the atmosphere, as a height of water (m).
    head: f64,
    /// Increase in the pressure head per decrease in the air volume (m/m³).
    stiffness: f64,
}

impl Bubble {
    pub(in crate::columns) fn new(pocket: &AirPocket, layout: &Layout, depth: &[i32]) -> Self {
        let rects = pocket.rects.iter().flat_map(|&r| layout.rect_columns[r as usize].clone());
        let mut columns: Vec<usize> = rects.collect();
        columns.sort_unstable();
        let head = (pocket.outer_level - pocket.inner_level) * layout.cell;
        let mut bubble = Self { columns, volume: 0.0, head, stiffness: 0.0 };
        bubble.volume = bubble.air_volume(layout, depth);
        let area = bubble.columns.len() as f64 * layout.width;
        // Isothermal gas: (head + atmospheric head) is proportional to 1/volume.
        let isothermal = (ATMOSPHERIC_HEAD + head) / bubble.volume.max(f64::MIN_POSITIVE);
        bubble.stiffness = isothermal.min(MAX_STIFFNESS / area);
        bubble
    }

    pub(in crate::columns) fn contains(&self, column: usize) -> bool {
        self.columns.binary_search(&column).is_ok()
    }

    fn air_volume(&self, layout: &Layout, depth: &[i32]) -> f64 {
        let air = |c: usize| layout.ceiling[c] - layout.floor[c] - depth[c];
        let quanta: i64 = self.columns.iter().map(|&c| i64::from(air(c).max(0))).sum();
        quanta as f64 * layout.quantum_volume()
    }

    fn pressure_head(&self, layout: &Layout, depth: &[i32]) -> i32 {
        let lost = self.volume - self.air_volume(layout, depth);
        layout.to_quanta((self.head + self.stiffness * lost).max(-ATMOSPHERIC_HEAD))
    }

    /// Returns each column of the bubble together with the initial pressure head of the air (in
    /// height quanta).
    pub(in crate::columns) fn initial_heads(
        &self,
        layout: &Layout,
    ) -> impl Iterator<Item = (usize, i32)> {
        let head = layout.to_quanta(self.head);
        self.columns.iter().map(move |&column| (column, head))
    }

    /// Returns whether air can escape above the water surface, through an opening to a column
    /// outside the bubble.
    fn can_air_escape(&self, layout: &Layout, depth: &[i32]) -> bool {
        let own = |c: usize| self.contains(c);
        let over = |i: usize, j: usize| {
            let lintel = layout.ceiling[i].min(layout.ceiling[j]);
            let surface = |c: usize| layout.floor[c] + depth[c];
            lintel > surface(i).max(surface(j)).max(layout.floor[i]).max(layout.floor[j])
        };
        self.columns.iter().any(|&c| {
            let pool = &layout.pools[layout.pool_of(c)];
            let west = c > pool.columns.start && !own(c - 1) && over(c - 1, c);
            let east = c + 1 < pool.columns.end && !own(c + 1) && over(c, c + 1);
            let at_end = c == pool.columns.start || c + 1 == pool.columns.end;
            west || east
                || at_end
                    && pool.joints.iter().any(|&number| {
                        let joint = &layout.joints[number as usize];
                        let other = match c {
                            _ if joint.left == c => joint.right,
                            _ if joint.right == c => joint.left,
                            _ => return false,
                        };
                        !own(other) && over(joint.left, joint.right)
                    })
        })
    }

    /// Transfers the bubble from the old column layout `before` to the new layout `after`, after
    /// walls have changed. `depth` holds the water depths of the old layout. Returns false if the
    /// bubble is lost, because its space no longer exists or is now open to the sky.
    pub(in crate::columns) fn transfer_to_layout(
        &mut self,
        before: &Layout,
        after: &Layout,
        depth: &[i32],
    ) -> bool {
        let mut columns = Vec::new();
        for &c in &self.columns {
            let (surface, ceiling) = (before.floor[c] + depth[c], before.ceiling[c]);
            let shares = |&n: &usize| after.floor[n] < ceiling && surface < after.ceiling[n];
            columns.extend(after.columns_at_x(before.column_x(c)).filter(shares));
        }
        columns.sort_unstable();
        columns.dedup();
        self.columns = columns;
        !self.columns.is_empty() && self.columns.iter().all(|&c| after.ceiling[c] < NO_CEILING)
    }

    pub(in crate::columns) fn fits(&self, columns: usize) -> bool {
        self.columns.is_sorted()
            && self.columns.iter().all(|&c| c < columns)
            && [self.volume, self.head, self.stiffness].iter().all(|v| v.is_finite())
    }
}

pub(in crate::columns) fn add_loads(pressed: &mut Vec<(usize, i32)>, loads: &[(usize, i32)]) {
    if loads.is_empty() {
        return;
    }
    pressed.extend(loads);
    pressed.sort_unstable();
    pressed.dedup_by(|next, first| {
        let same = next.0 == first.0;
        if same {
            first.1 = first.1.saturating_add(next.1);
        }
        same
    });
}

/// Removes bubbles whose air can escape. Returns the columns of the other bubbles that are in awake
/// pools, each with the pressure head of the air (in height quanta, the integer unit of height).
pub(in crate::columns) fn bubble_pressures<'s>(
    bubbles: &mut Vec<Bubble>,
    layout: &Layout,
    state: &State,
    awake: impl Fn(usize) -> bool,
    scratch: &'s ScratchPool,
) -> PooledVec<'s, (usize, i32)> {
    bubbles.retain(|bubble| !bubble.can_air_escape(layout, &state.depth));
    let mut pressed = scratch.take_vec();
    for bubble in bubbles {
        let head = bubble.pressure_head(layout, &state.depth);
        let columns = bubble.columns.iter().copied();
        let moving = columns.filter(|&c| awake(layout.pool_of(c)));
        pressed.extend(moving.map(|c| (c, head)));
    }
    pressed
}
