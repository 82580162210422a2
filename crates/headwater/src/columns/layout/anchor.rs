//! Anchors: points that define the initial water of a world. A level anchor fills all space
//! connected to it with water, up to the height of the anchor. A bubble anchor keeps air below a
//! ceiling that would otherwise be flooded.

use super::rects::Rects;
use crate::region::Point;
use serde::{Deserialize, Serialize};

/// Effect of an [`Anchor`] on the initial water.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum AnchorKind {
    /// Water fills all space that is connected to the anchor, up to the height of the anchor. If
    /// several anchors reach the same water, the highest one applies.
    Level,
    /// Air stays below the ceiling above the anchor. Under this ceiling, the water surface is no
    /// higher than the anchor.
    Bubble,
}

/// Point that defines where there is water, or trapped air, when a world is created.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    /// Effect of the anchor on the initial water.
    pub kind: AnchorKind,
    /// Position (m to the east and down from the grid's top-left corner).
    pub at: Point,
}

impl Anchor {
    /// Creates a level anchor at a position (m to the east and down from the grid's top-left
    /// corner).
    pub fn new_level(at: Point) -> Self {
        Self { kind: AnchorKind::Level, at }
    }

    /// Creates a bubble anchor at a position (m to the east and down from the grid's top-left
    /// corner).
    pub fn new_bubble(at: Point) -> Self {
        Self { kind: AnchorKind::Bubble, at }
    }
}

/// Reason why an anchor was ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum IgnoreReason {
    /// The position is off the grid or not finite.
    #[error("it lies off the grid")]
    OffBoard,
    /// The position is in a wall.
    #[error("it lies in a wall")]
    InWall,
    /// The water of another anchor of the same or greater height already covers the position.
    #[error("the water of a higher anchor is there")]
    Covered,
    /// A level anchor is no higher than the floor below it, or a bubble anchor is at a place
    /// without water.
    #[error("there would be no water")]
    NoWater,
    /// The air of a bubble anchor would escape to the sky.
    #[error("the air would escape to the sky")]
    Open,
}

/// Anchor that was ignored when a world was created, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct IgnoredAnchor {
    /// Index of the anchor in the list that was passed to the constructor, starting at 0.
    pub index: usize,
    /// The anchor that was ignored.
    pub anchor: Anchor,
    /// Reason why the anchor was ignored.
    pub reason: IgnoreReason,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::columns) struct AirPocket {
    pub(in crate::columns) rects: Vec<u32>,
    /// Water level below the trapped air (in cells above the bottom of the grid).
    pub(in crate::columns) inner_level: f64,
    /// Level that the water would have without the trapped air (in cells above the bottom of the
    /// grid).
    pub(in crate::columns) outer_level: f64,
}

#[derive(Clone, Debug, Default)]
pub(in crate::columns) struct InitialFill {
    /// Water level in each rectangle of air cells (in cells above the bottom of the grid). `None`
    /// if the rectangle is dry.
    pub(in crate::columns) level: Vec<Option<f64>>,
    pub(in crate::columns) pockets: Vec<AirPocket>,
    pub(in crate::columns) ignored: Vec<IgnoredAnchor>,
}

impl InitialFill {
    /// Computes the initial water of a grid of `nx` × `ny` cells whose side length is `cell` (m).
    /// Applies all level anchors first, from the highest down, and then the bubble anchors.
    pub(in crate::columns) fn new(
        rects: &Rects,
        anchors: &[Anchor],
        nx: usize,
        ny: usize,
        cell: f64,
    ) -> Self {
        let mut fill = Self { level: vec![None; rects.all.len()], ..Self::default() };
        for kind in [AnchorKind::Level, AnchorKind::Bubble] {
            let mut order: Vec<usize> =
                (0..anchors.len()).filter(|&i| anchors[i].kind == kind).collect();
            order.sort_by(|&a, &b| anchors[a].at[1].total_cmp(&anchors[b].at[1]));
            for index in order {
                let anchor = anchors[index];
                let [x, height] = [anchor.at[0] / cell, ny as f64 - anchor.at[1] / cell];
                let on_grid = (0.0..nx as f64).contains(&x) && (0.0..=ny as f64).contains(&height);
                let outcome = if !on_grid {
                    Err(IgnoreReason::OffBoard)
                } else {
                    rects.rect_at(x as u32, height).ok_or(IgnoreReason::InWall).and_then(|rect| {
                        match kind {
                            AnchorKind::Level => fill.fill_from(rects, rect, height),
                            AnchorKind::Bubble => fill.trap_air(rects, rect, height),
                        }
                    })
                };
                if let Err(reason) = outcome {
                    fill.ignored.push(IgnoredAnchor { index, anchor, reason });
                }
            }
        }
        fill.ignored.sort_by_key(|ignored| ignored.index);
        fill
    }

    fn fill_from(&mut self, rects: &Rects, from: u32, level: f64) -> Result<(), IgnoreReason> {
        if self.level[from as usize].is_some() {
            return Err(IgnoreReason::Covered);
        }
        if f64::from(rects.all[from as usize].floor) >= level {
            return Err(IgnoreReason::NoWater);
        }
        let mut waiting = vec![from];
        self.level[from as usize] = Some(level);
        while let Some(rect) = waiting.pop() {
            for next in rects.neighbours(rect) {
                // The sill is the higher of the two floors. The floor of `rect` is below the level.
                let drowned = f64::from(rects.all[next as usize].floor) < level;
                if drowned && self.level[next as usize].is_none() {
                    self.level[next as usize] = Some(level);
                    waiting.push(next);
                }
            }
        }
        Ok(())
    }

    /// Keeps the air of a bubble anchor in the rectangle `start_rect`. Below all ceilings that this
    /// air reaches, lowers the water to `inner_level` (in cells above the bottom of the grid).
    ///
    /// # Errors
    /// Returns the reason if the anchor must be ignored.
    fn trap_air(
        &mut self,
        rects: &Rects,
        start_rect: u32,
        inner_level: f64,
    ) -> Result<(), IgnoreReason> {
        let outer_level =
            self.level[start_rect as usize].filter(|&outer_level| outer_level > inner_level);
        let outer_level = outer_level.ok_or(IgnoreReason::NoWater)?;
        let mut found = vec![start_rect];
        let mut seen = vec![false; rects.all.len()];
        seen[start_rect as usize] = true;
        let mut done = 0;
        while let Some(&rect) = found.get(done) {
            done += 1;
            if rects.all[rect as usize].ceiling.is_none() {
                return Err(IgnoreReason::Open);
            }
            for next in rects.neighbours(rect) {
                let (a, b) = (&rects.all[rect as usize], &rects.all[next as usize]);
                // Air passes through an opening that reaches above the water.
                let lintel = a.ceiling.into_iter().chain(b.ceiling).min();
                let passes = lintel.is_none_or(|lintel| f64::from(lintel) > inner_level);
                if passes && !seen[next as usize] {
                    seen[next as usize] = true;
                    found.push(next);
                }
            }
        }
        for &rect in &found {
            let dry = f64::from(rects.all[rect as usize].floor) >= inner_level;
            let own = &mut self.level[rect as usize];
            *own = own.map(|own| own.min(inner_level)).filter(|_| !dry);
        }
        found.sort_unstable();
        self.pockets.push(AirPocket { rects: found, inner_level, outer_level });
        Ok(())
    }
}
