//! The numbers that say how drops carve the land.

use super::forest::Niche;
use serde::{Deserialize, Serialize};

/// What lies beyond a side of the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeKind {
    /// The land goes on: what comes to the edge leaves, at the height of the edge's cell. The default.
    #[default]
    Open,
    /// The sea, at [`Params::sea`].
    Sea,
    /// A wall: nothing leaves.
    Wall,
}

/// The four sides of the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Edges {
    /// The left side.
    pub west: EdgeKind,
    /// The right side.
    pub east: EdgeKind,
    /// The top side.
    pub north: EdgeKind,
    /// The bottom side.
    pub south: EdgeKind,
}

impl Edges {
    /// The same on all four sides.
    pub fn all(kind: EdgeKind) -> Self {
        Self { west: kind, east: kind, north: kind, south: kind }
    }

    pub(super) fn has_sea(&self) -> bool {
        [self.west, self.east, self.north, self.south].contains(&EdgeKind::Sea)
    }

    /// The sides that a cell of a map lies at.
    pub(super) fn touching(
        &self,
        x: usize,
        y: usize,
        nx: usize,
        ny: usize,
    ) -> [Option<EdgeKind>; 4] {
        [
            (x == 0).then_some(self.west),
            (x + 1 == nx).then_some(self.east),
            (y == 0).then_some(self.north),
            (y + 1 == ny).then_some(self.south),
        ]
    }
}

/// Layers of rock that are hard and soft by turns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Strata {
    /// Thickness of a hard layer and the soft one on it (m), above 0.
    pub thickness: f64,
    /// The part of it that is hard, 0 to 1.
    pub hard_part: f64,
    /// Erodibility of hard rock, 0 to 1, in place of [`Params::rock`].
    pub hard: f64,
    /// Erodibility of soft rock, 0 to 1.
    pub soft: f64,
    /// How far the layers rise to the east and to the south (m per m).
    pub dip: [f64; 2],
}

impl Default for Strata {
    fn default() -> Self {
        Self { thickness: 10.0, hard_part: 0.4, hard: 0.05, soft: 0.6, dip: [0.0, 0.0] }
    }
}

/// Parameters of a [`Hydrology`](super::Hydrology). Checked when a world is made. "Rain" is the mean depth
/// of rain over the map since the start, in drops per cell: it stands for time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Params {
    /// Seed of all that is random; 0 by default.
    pub seed: u64,
    /// What lies beyond the sides of the map.
    pub edges: Edges,
    /// Height of the sea (m); 0 by default. Only [`EdgeKind::Sea`] reads it.
    pub sea: f64,
    /// The water of a drop: its depth on one cell, in sizes of a cell; 2⁻¹⁰ to 64, by default 0.25. It
    /// says how soon lakes fill, not how strongly rivers carve.
    pub drop: f64,
    /// What a drop loses to the air on its way, in a step, 0 to 0.1; 0.0005 by default. Half of
    /// the article's, on ways that here are several times as long.
    pub drying: f64,
    /// What open water loses to the air, as a part of the rain that falls on as large an area, 0 to 100;
    /// 0.3 by default.
    pub evaporation: f64,
    /// What a drop can carry: on a slope of 1 with one cell above it, a depth on one cell, in sizes of a
    /// cell; 0 to 10, by default 0.15. It grows with the slope and with the root of the
    /// discharge: channels widen with the root of the discharge (L. Leopold, T. Maddock, 1953), so that
    /// the stream power over a width does.
    pub capacity: f64,
    /// How fast a drop takes and leaves sediment, in a step, 0 to 1; 0.1 by default (the article's
    /// deposition 0.08 times its step 1.2).
    pub exchange: f64,
    /// Friction of a drop, in a step, 0.01 to 1; 0.12 by default (the article's 0.1 times its step 1.2).
    pub friction: f64,
    /// How strongly a drop is drawn along with the stream it is in, 0 to 1; 0.1 by default. Above
    /// 0, rivers hold their course and meander.
    pub momentum: f64,
    /// Drops per cell over which discharge and momentum are averaged, 0.01 to 100; 0.5 by default.
    pub memory: f64,
    /// How many cells must drain to a stream for it to be half as strong as streams get, above 0; 100 by
    /// default. Strong streams slow their drops less, and no tree stands in them.
    pub stream: f64,
    /// Thickness of the soil at the start (m), 0 or above; 0 by default.
    pub soil: f64,
    /// Erodibility of rock, 0 to 1, that of soil being 1; 0.4 by default.
    pub rock: f64,
    /// Layers of rock; none by default.
    pub strata: Option<Strata>,
    /// The steepest slope that soil bears, 0 to 10; 0.7 by default (35°). Above it, soil slides.
    pub repose: f64,
    /// How much of a difference in height creeping soil evens out between neighbours, for each depth of
    /// rain, 0 to 10; 0.05 by default.
    pub creep: f64,
    /// How much bare rock turns to soil for each depth of rain, in sizes of a cell, 0 to 1; 0.02 by
    /// default. It is half as much for every half cell's size of soil on it.
    pub weathering: f64,
    /// The kinds of plants, at most 8; three by default. None for a bare land.
    pub plants: Vec<Niche>,
    /// How much of the erosion a dense cover of plants holds back, 0 to 1; 0.7 by default.
    pub roots: f64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            seed: 0,
            edges: Edges::default(),
            sea: 0.0,
            drop: 0.25,
            drying: 0.0005,
            evaporation: 0.3,
            capacity: 0.15,
            exchange: 0.1,
            friction: 0.12,
            momentum: 0.1,
            memory: 0.5,
            stream: 100.0,
            soil: 0.0,
            rock: 0.4,
            strata: None,
            repose: 0.7,
            creep: 0.05,
            weathering: 0.02,
            plants: Niche::three(),
            roots: 0.7,
        }
    }
}

/// A parameter out of its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{name}` must be {allowed}, found {found}")]
pub struct ParamsError {
    /// Name of the field of [`Params`], with a dot before a field of its parts.
    pub name: String,
    /// What was found.
    pub found: f64,
    /// What is allowed.
    pub allowed: String,
}

/// Checks that a number lies between two others.
fn among(name: &str, found: f64, low: f64, high: f64) -> Result<(), ParamsError> {
    if (low..=high).contains(&found) {
        return Ok(());
    }
    let allowed = format!("from {low} to {high}");
    Err(ParamsError { name: name.into(), found, allowed })
}

/// The most kinds of plants.
pub(super) const MAX_KINDS: usize = 8;

impl Params {
    /// Checks every range.
    ///
    /// # Errors
    /// [`ParamsError`] names the first field that is out of its range.
    pub fn validate(&self) -> Result<(), ParamsError> {
        let highest = super::HIGHEST;
        among("sea", self.sea, -highest, highest)?;
        among("drop", self.drop, 1.0 / 1024.0, 64.0)?;
        among("drying", self.drying, 0.0, 0.1)?;
        among("evaporation", self.evaporation, 0.0, 100.0)?;
        among("capacity", self.capacity, 0.0, 10.0)?;
        among("exchange", self.exchange, 0.0, 1.0)?;
        among("friction", self.friction, 0.01, 1.0)?;
        among("momentum", self.momentum, 0.0, 1.0)?;
        among("memory", self.memory, 0.01, 100.0)?;
        among("stream", self.stream, 1e-3, 1e9)?;
        among("soil", self.soil, 0.0, highest)?;
        among("rock", self.rock, 0.0, 1.0)?;
        if let Some(strata) = &self.strata {
            among("strata.thickness", strata.thickness, 1e-3, 1e6)?;
            among("strata.hard_part", strata.hard_part, 0.0, 1.0)?;
            among("strata.hard", strata.hard, 0.0, 1.0)?;
            among("strata.soft", strata.soft, 0.0, 1.0)?;
            strata.dip.iter().try_for_each(|&dip| among("strata.dip", dip, -10.0, 10.0))?;
        }
        among("repose", self.repose, 0.0, 10.0)?;
        among("creep", self.creep, 0.0, 10.0)?;
        among("weathering", self.weathering, 0.0, 1.0)?;
        among("roots", self.roots, 0.0, 1.0)?;
        let count = self.plants.len();
        if count > MAX_KINDS {
            let (name, allowed) = ("plants".into(), format!("at most {MAX_KINDS} kinds"));
            return Err(ParamsError { name, found: count as f64, allowed });
        }
        self.plants.iter().enumerate().try_for_each(|(i, niche)| {
            let check = |name: &str, found, low, high| {
                among(&format!("plants[{i}].{name}"), found, low, high)
            };
            check("wettest", niche.wettest, 0.0, 1.0)?;
            check("driest", niche.driest, 0.0, niche.wettest)?;
            check("steepest", niche.steepest, 0.0, 10.0)?;
            check("highest", niche.highest, 0.0, 1.0)?;
            check("lowest", niche.lowest, 0.0, niche.highest)?;
            check("growth", niche.growth, 0.0, 100.0)?;
            check("lifetime", niche.lifetime, 0.01, 1e6)?;
            check("seeds", niche.seeds, 0.0, 1000.0)
        })
    }
}
