//! Anchors: points that place the initial water. A level anchor fills all space connected to it up
//! to its height; a bubble anchor keeps air below a ceiling that would otherwise be flooded.

use super::rects::Rects;
use crate::region::Point;
use serde::{Deserialize, Serialize};

/// Kind of an [`Anchor`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum AnchorKind {
    /// Water stands at this height here, and in all space that it reaches without rising above it.
    /// If several anchors reach the same water, the highest one applies.
    Level,
    /// Air stays here: below this ceiling the water stands no higher than the anchor.
    Bubble,
}

/// Point that places water or air at the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    /// Kind of the anchor.
    pub kind: AnchorKind,
    /// Position: metres to the east and down from the board's top-left corner.
    pub at: Point,
}

impl Anchor {
    /// Creates a level anchor.
    pub fn level(at: Point) -> Self {
        Self { kind: AnchorKind::Level, at }
    }

    /// Creates a bubble anchor.
    pub fn bubble(at: Point) -> Self {
        Self { kind: AnchorKind::Bubble, at }
    }
}

/// Reason why an anchor was ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum IgnoreReason {
    /// Position off the board, or not finite.
    #[error("it lies off the board")]
    OffBoard,
    /// Position in a wall.
    #[error("it lies in a wall")]
    InWall,
    /// Already covered by the water of an anchor of the same or greater height.
    #[error("the water of a higher anchor is there")]
    Covered,
    /// A level anchor at the height of the floor, or a bubble anchor where there is no water.
    #[error("there would be no water")]
    NoWater,
    /// Bubble anchor whose air would escape to the sky.
    #[error("the air would escape to the sky")]
    Open,
}

/// Anchor that was ignored.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ignored {
    /// Index in the given list, from 0.
    pub index: usize,
    /// The anchor.
    pub anchor: Anchor,
    /// Reason why it was ignored.
    pub reason: IgnoreReason,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct AirPocket {
    pub(super) rects: Vec<u32>,
    /// Level of the water below it (cells above the bottom).
    pub(super) level: f64,
    /// Level that the water would have without it.
    pub(super) outside: f64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct InitialFill {
    /// Level of the water in each rectangle (cells above the bottom); `None` where it is dry.
    pub(super) level: Vec<Option<f64>>,
    pub(super) pockets: Vec<AirPocket>,
    pub(super) ignored: Vec<Ignored>,
}

impl InitialFill {
    /// Fills a board of `ny` rows of cells of `cell` m: first the level anchors from the highest
    /// down, then the bubbles.
    pub(super) fn new(rects: &Rects, anchors: &[Anchor], nx: usize, ny: usize, cell: f64) -> Self {
        let mut fill = Self { level: vec![None; rects.all.len()], ..Self::default() };
        for kind in [AnchorKind::Level, AnchorKind::Bubble] {
            let mut order: Vec<usize> =
                (0..anchors.len()).filter(|&i| anchors[i].kind == kind).collect();
            order.sort_by(|&a, &b| anchors[a].at[1].total_cmp(&anchors[b].at[1]));
            for index in order {
                let anchor = anchors[index];
                let [x, height] = [anchor.at[0] / cell, ny as f64 - anchor.at[1] / cell];
                let on_board = (0.0..nx as f64).contains(&x) && (0.0..=ny as f64).contains(&height);
                let outcome = if !on_board {
                    Err(IgnoreReason::OffBoard)
                } else {
                    rects.at(x as u32, height).ok_or(IgnoreReason::InWall).and_then(|rect| {
                        match kind {
                            AnchorKind::Level => fill.fill_from(rects, rect, height),
                            AnchorKind::Bubble => fill.trap_air(rects, rect, height),
                        }
                    })
                };
                if let Err(reason) = outcome {
                    fill.ignored.push(Ignored { index, anchor, reason });
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
                // The sill is the higher of the two floors, and the floor of `rect` is below the
                // level.
                let drowned = f64::from(rects.all[next as usize].floor) < level;
                if drowned && self.level[next as usize].is_none() {
                    self.level[next as usize] = Some(level);
                    waiting.push(next);
                }
            }
        }
        Ok(())
    }

    /// Lowers the water below the ceilings that the air of a bubble reaches.
    fn trap_air(&mut self, rects: &Rects, from: u32, level: f64) -> Result<(), IgnoreReason> {
        let outside = self.level[from as usize].filter(|&outside| outside > level);
        let outside = outside.ok_or(IgnoreReason::NoWater)?;
        let mut found = vec![from];
        let mut seen = vec![false; rects.all.len()];
        seen[from as usize] = true;
        let mut done = 0;
        while let Some(&rect) = found.get(done) {
            done += 1;
            if rects.all[rect as usize].ceiling.is_none() {
                return Err(IgnoreReason::Open);
            }
            for next in rects.neighbours(rect) {
                let (a, b) = (&rects.all[rect as usize], &rects.all[next as usize]);
                // Air passes where the opening reaches above the water.
                let lintel = a.ceiling.into_iter().chain(b.ceiling).min();
                let passes = lintel.is_none_or(|lintel| f64::from(lintel) > level);
                if passes && !seen[next as usize] {
                    seen[next as usize] = true;
                    found.push(next);
                }
            }
        }
        for &rect in &found {
            let dry = f64::from(rects.all[rect as usize].floor) >= level;
            let own = &mut self.level[rect as usize];
            *own = own.map(|own| own.min(level)).filter(|_| !dry);
        }
        found.sort_unstable();
        self.pockets.push(AirPocket { rects: found, level, outside });
        Ok(())
    }
}
