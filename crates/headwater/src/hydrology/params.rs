//! The numbers that say how drops carve the land.

use super::fixed::HIGHEST;
use super::forest::Niche;
use super::stream_power::{Method, StreamPower};
use crate::error::InputError;
use crate::parameter::{Parameters, Range, choices, parameters};
use serde::{Deserialize, Serialize};

choices! {
    /// What lies beyond a side of the map.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum EdgeKind {
        /// The land goes on: what comes to the edge leaves, at the height of the edge's cell.
        #[default]
        Open = "open",
        /// The sea, at [`Params::sea`].
        Sea = "sea",
        /// A wall: nothing leaves.
        Wall = "wall",
    }
}

parameters! {
    /// The four sides of the map.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Edges {
        /// What lies beyond the left side.
        west: EdgeKind = EdgeKind::Open; Fixed, "west";
        /// What lies beyond the right side.
        east: EdgeKind = EdgeKind::Open; Fixed, "east";
        /// What lies beyond the top side.
        north: EdgeKind = EdgeKind::Open; Fixed, "north";
        /// What lies beyond the bottom side.
        south: EdgeKind = EdgeKind::Open; Fixed, "south";
    }
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

parameters! {
    /// Layers of rock that are hard and soft by turns.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Strata {
        /// Thickness of a hard layer and the soft one on it.
        thickness: f64 = 10.0; Live, "thickness", "m", |_| Range::new(1e-3, 1e6), [1.0, 100.0];
        /// The part of it that is hard.
        hard_part: f64 = 0.4; Live, "hard part", "1", |_| Range::new(0.0, 1.0), [0.0, 1.0];
        /// Erodibility of hard rock, in place of [`Params::rock`].
        hard: f64 = 0.05; Live, "softness of hard rock", "1", |_| Range::new(0.0, 1.0), [0.0, 1.0];
        /// Erodibility of soft rock.
        soft: f64 = 0.6; Live, "softness of soft rock", "1", |_| Range::new(0.0, 1.0), [0.0, 1.0];
        /// The steepest slope that hard rock bears, in place of [`Params::rock_repose`]; 0 for that.
        hard_repose: f64 = 0.0; Live, "slope of hard rock", "m per m", |_| Range::new(0.0, 100.0), [0.0, 5.0];
        /// The steepest slope that soft rock bears; 0 for [`Params::rock_repose`].
        soft_repose: f64 = 0.0; Live, "slope of soft rock", "m per m", |_| Range::new(0.0, 100.0), [0.0, 5.0];
        /// How far the layers rise to the east and to the south.
        dip: [f64; 2] = [0.0, 0.0]; Live, "dip", "m per m", |_| Range::new(-10.0, 10.0), [-1.0, 1.0];
    }
}

pub(super) const INTENSITY: Range = Range::new(0.0, 100.0);

/// The greatest seed: 2⁵³ − 1, so that every one is exact in files and programs that know one kind of number.
const MOST_SEED: f64 = ((1_u64 << 53) - 1) as f64;

parameters! {
    /// Parameters of a [`Hydrology`](super::Hydrology). Checked when a world is made. "Rain" is the mean depth
    /// of rain over the map since the start, in drops per cell: it stands for time.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Params {
        /// The length that the numbers below are counted in, where they speak of units; 0 for the size of a cell. Finer cells
        /// with the same unit make the same land, in more detail.
        unit: f64 = 0.0; Fixed, "unit of length", "m", |_| Range::new(0.0, 1e6), [0.0, 100.0];
        /// Seed of all that is random.
        seed: u64 = 0; Fixed, "seed", "", |_| Range::new(0.0, MOST_SEED), [0.0, 100.0];
        /// How the land is carved.
        method: Method = Method::Drops; Live, "method";
        /// Height of the sea. Only [`EdgeKind::Sea`] reads it.
        sea: f64 = 0.0; Live, "height of the sea", "m", |_| Range::new(-HIGHEST, HIGHEST), [-200.0, 200.0];
        /// The water of a drop: its depth on one cell, in units. It says how soon lakes fill, not how strongly
        /// rivers carve.
        drop: f64 = 0.25; Live, "water of a drop", "units", |_| Range::new(1.0 / 1024.0, 64.0), [0.01, 4.0];
        /// What a drop loses to the air on a way of one unit. The default is half of the article's, on ways that here are
        /// several times as long.
        drying: f64 = 0.0005; Live, "drying on the way", "1", |_| Range::new(0.0, 0.1), [0.0, 0.01];
        /// What open water loses to the air, as a part of the rain that falls on as large an area.
        evaporation: f64 = 0.3; Live, "drying of lakes", "1", |_| Range::new(0.0, 100.0), [0.0, 3.0];
        /// What a drop can carry: on a slope of 1 with one cell above it, a depth on one cell, in sizes of a cell, whatever the
        /// unit. It grows with the slope and with the root of the discharge: channels widen with the root of the discharge (L. Leopold, T.
        /// Maddock, 1953), so that the stream power over a width does.
        capacity: f64 = 0.15; Live, "load", "cells", |_| Range::new(0.0, 10.0), [0.0, 1.0];
        /// How hard the rain carves: what drops can carry is multiplied by it, and the erodibility of stream power. Storms
        /// ([`Hydrology::storm`](super::Hydrology::storm)) raise it for a while.
        intensity: f64 = 1.0; Live, "intensity of the rain", "1", |_| INTENSITY, [0.0, 5.0];
        /// How fast a drop takes and leaves sediment, on a way of one unit. The default is the article's deposition 0.08 times its step
        /// 1.2.
        exchange: f64 = 0.1; Live, "exchange", "1", |_| Range::new(0.0, 1.0), [0.0, 0.5];
        /// Friction of a drop, on a way of one unit. The default is the article's 0.1 times its step 1.2.
        friction: f64 = 0.12; Live, "friction", "1", |_| Range::new(0.01, 1.0), [0.01, 0.5];
        /// How strongly a drop is drawn along with the stream it is in. Above 0, rivers hold their course and meander.
        momentum: f64 = 0.03; Live, "drift", "1", |_| Range::new(0.0, 1.0), [0.0, 1.0];
        /// How strongly a drop is drawn towards a large stream beside it. Above 0, water gathers in fewer streams.
        attraction: f64 = 0.5; Live, "attraction of streams", "1", |_| Range::new(0.0, 10.0), [0.0, 2.0];
        /// How wide a river is, to the root of the area that drains to it (L. Leopold, T. Maddock, 1953). Where that is more
        /// than a cell, it carves its bed over its whole width.
        width: f64 = 0.03; Live, "width of rivers", "m per root of m²", |_| Range::new(0.0, 1.0), [0.0, 0.05];
        /// How much of what a channel is cut its banks give, which fall into it: those at the outside of bends twice as much as
        /// others.
        undercutting: f64 = 1.0; Live, "undercutting of banks", "1", |_| Range::new(0.0, 4.0), [0.0, 2.0];
        /// The rain over which discharge and momentum are averaged.
        memory: f64 = 0.5; Live, "memory", "drops per cell", |_| Range::new(0.01, 100.0), [0.05, 5.0];
        /// How many square units must drain to a stream for it to be half as strong as streams get. Strong streams slow their
        /// drops less, and no tree stands in them.
        stream: f64 = 100.0; Live, "half of a stream's strength", "square units", |_| Range::new(1e-3, 1e9), [10.0, 1000.0];
        /// Thickness of the soil at the start.
        soil: f64 = 0.0; Fixed, "soil at the start", "m", |_| Range::new(0.0, HIGHEST), [0.0, 10.0];
        /// Erodibility of rock, that of soil being 1.
        rock: f64 = 0.4; Live, "softness of rock", "1", |_| Range::new(0.0, 1.0), [0.0, 1.0];
        /// The steepest slope that soil bears; 0.7 is 35°. Above it, soil slides.
        repose: f64 = 0.7; Live, "slope of soil", "m per m", |_| Range::new(0.0, 10.0), [0.1, 2.0];
        /// The steepest slope that rock bears; 1 is 45°. Above it, banks and cliffs fall, and lie below as soil.
        rock_repose: f64 = 1.0; Live, "slope of rock", "m per m", |_| Range::new(0.0, 100.0), [0.2, 5.0];
        /// How much rock differs from place to place: its softness and the slope that it bears are up to this part more or less.
        /// Even slopes as steep as rock bears are rough then.
        variation: f64 = 0.0; Live, "variation of rock", "1", |_| Range::new(0.0, 0.9), [0.0, 0.8];
        /// How much of a difference in height creeping soil evens out between places one unit apart, for each depth of rain.
        creep: f64 = 0.05; Live, "creep", "1", |_| Range::new(0.0, 10.0), [0.0, 1.0];
        /// How much bare rock turns to soil for each depth of rain, in units. It is half as much for every half unit of
        /// soil on it.
        weathering: f64 = 0.02; Live, "weathering", "units", |_| Range::new(0.0, 1.0), [0.0, 0.2];
        /// How much of the erosion a dense cover of plants holds back.
        roots: f64 = 0.7; Live, "roots", "1", |_| Range::new(0.0, 1.0), [0.0, 1.0];
    }
    and {
        /// What lies beyond the sides of the map.
        edges: Edges = Edges::default();
        /// The law of [`Method::StreamPower`].
        stream_power: StreamPower = StreamPower::default();
        /// Layers of rock; none by default.
        strata: Option<Strata> = None;
        /// The kinds of plants, at most 8; three by default. None for a bare land.
        plants: Vec<Niche> = Niche::three();
    }
}

/// The most kinds of plants.
pub(super) const MAX_KINDS: usize = 8;

impl Params {
    /// Checks every range.
    ///
    /// # Errors
    /// [`InputError`] names the first parameter that is out of its range, with a dot before one of a part.
    pub fn validate(&self) -> Result<(), InputError> {
        self.check()?;
        self.stream_power.check().map_err(|error| error.under("stream_power"))?;
        if let Some(strata) = &self.strata {
            strata.check().map_err(|error| error.under("strata"))?;
        }
        let count = self.plants.len();
        if count > MAX_KINDS {
            return Err(InputError::new("plants", count, format!("at most {MAX_KINDS} kinds")));
        }
        let check = |(i, niche): (usize, &Niche)| {
            niche.check().map_err(|error| error.under(&format!("plants[{i}]")))
        };
        self.plants.iter().enumerate().try_for_each(check)
    }
}
