//! Parameters of the hydrology model, with their defaults, units and ranges.

use super::ground::forest::Niche;
use super::state::fixed::MAX_HEIGHT;
use super::stream_power::{Method, StreamPower};
use crate::error::InputError;
use crate::parameter::{Parameters, Range, choices, parameters};
use serde::{Deserialize, Serialize};

choices! {
    /// Boundary condition on one side of the map.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum EdgeKind {
        /// The land continues beyond this side. Water and sediment leave the map at the height of
        /// the edge cell.
        #[default]
        Open = "open",
        /// This side borders on a sea whose surface is at the height `sea`.
        Sea = "sea",
        /// A closed wall, which neither water nor sediment can cross.
        Wall = "wall",
    }
}

parameters! {
    /// Boundary conditions of the four sides of the map.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Edges {
        /// Boundary condition of the western (left) side.
        west: EdgeKind = EdgeKind::Open; Fixed, "west";
        /// Boundary condition of the eastern (right) side.
        east: EdgeKind = EdgeKind::Open; Fixed, "east";
        /// Boundary condition of the northern (top) side.
        north: EdgeKind = EdgeKind::Open; Fixed, "north";
        /// Boundary condition of the southern (bottom) side.
        south: EdgeKind = EdgeKind::Open; Fixed, "south";
    }
}

impl Edges {
    /// Creates boundary conditions that are the same on all four sides.
    pub fn uniform(kind: EdgeKind) -> Self {
        Self { west: kind, east: kind, north: kind, south: kind }
    }

    pub(super) fn has_sea(&self) -> bool {
        [self.west, self.east, self.north, self.south].contains(&EdgeKind::Sea)
    }

    /// Returns the boundary conditions that apply to the cell in column `x` and row `y` of a map
    /// with `nx` × `ny` cells. The entries are for the western, eastern, northern and southern
    /// sides. An entry is `None` if the cell does not lie on that side.
    pub(super) fn kinds_at_cell(
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
    /// Rock that consists of alternating hard and soft layers.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Strata {
        /// Combined thickness of one hard and one soft layer.
        thickness: f64 = 10.0; Live, "thickness", "m", |_| Range::new(1e-3, 1e6), [1.0, 100.0];
        /// Thickness of the hard layer divided by the combined thickness of a hard and a soft
        /// layer.
        hard_part: f64 = 0.4; Live, "hard fraction", "1", |_| Range::new(0.0, 1.0), [0.0, 1.0];
        /// Erodibility of hard layers relative to soil. It is used instead of `rock`.
        hard: f64 = 0.05; Live, "erodibility of hard rock", "1", |_| Range::new(0.0, 1.0), [0.0, 1.0];
        /// Erodibility of soft layers relative to soil. It is used instead of `rock`.
        soft: f64 = 0.6; Live, "erodibility of soft rock", "1", |_| Range::new(0.0, 1.0), [0.0, 1.0];
        /// Steepest stable slope of hard layers. A value of 0 selects `rock_repose`.
        hard_repose: f64 = 0.0; Live, "steepest slope of hard rock", "m per m", |_| Range::new(0.0, 100.0), [0.0, 5.0];
        /// Steepest stable slope of soft layers. A value of 0 selects `rock_repose`.
        soft_repose: f64 = 0.0; Live, "steepest slope of soft rock", "m per m", |_| Range::new(0.0, 100.0), [0.0, 5.0];
        /// Rise of the layers per unit of distance toward the east and toward the south.
        dip: [f64; 2] = [0.0, 0.0]; Live, "dip", "m per m", |_| Range::new(-10.0, 10.0), [-1.0, 1.0];
    }
}

pub(super) const INTENSITY_RANGE: Range = Range::new(0.0, 100.0);

/// Largest seed, 2⁵³ − 1. Larger integers are not exact in file formats that store all numbers as
/// `f64`.
const MAX_SEED: f64 = ((1_u64 << 53) - 1) as f64;

parameters! {
    /// Parameters of a [`Hydrology`](super::Hydrology) world. They are checked when a world is
    /// created.
    ///
    /// Time is measured as depth of rain: the mean depth over the map since the start, in drops per
    /// cell.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Params {
        /// Unit of length, in which several other parameters are given. A value of 0 selects the
        /// cell size. A map with smaller cells and the same unit of length gives the same land in
        /// more detail.
        unit: f64 = 0.0; Fixed, "unit of length", "m", |_| Range::new(0.0, 1e6), [0.0, 100.0];
        /// Seed of all random numbers of the world.
        seed: u64 = 0; Fixed, "seed", "", |_| Range::new(0.0, MAX_SEED), [0.0, 100.0];
        /// Erosion method: simulation of single drops, or the stream-power law.
        method: Method = Method::Drops; Live, "method";
        /// Height of the sea surface. It has an effect only if a side of the map is of the kind
        /// `sea`.
        sea: f64 = 0.0; Live, "sea level", "m", |_| Range::new(-MAX_HEIGHT, MAX_HEIGHT), [-200.0, 200.0];
        /// Volume of a drop, given as the depth of water (in units of length) when the drop is
        /// spread over one cell. It determines how fast lakes fill, but not how fast rivers erode.
        drop: f64 = 0.25; Live, "volume of a drop", "units", |_| Range::new(1.0 / 1024.0, 64.0), [0.01, 4.0];
        /// Fraction of a drop that evaporates per unit of length travelled. The default is half of
        /// the value in McDonald 2020, because drops travel several times as far in this model.
        drying: f64 = 0.0005; Live, "evaporation of drops", "1", |_| Range::new(0.0, 0.1), [0.0, 0.01];
        /// Ratio of the evaporation from open water to the rain on the same area.
        evaporation: f64 = 0.3; Live, "evaporation of lakes", "1", |_| Range::new(0.0, 100.0), [0.0, 3.0];
        /// Transport capacity of a drop on a slope of 1 with an upstream area of one cell: the
        /// thickness (in cell sizes) of the sediment if it is spread over one cell. The capacity is
        /// proportional to the slope and to the square root of the discharge. Because the channel
        /// width is also proportional to this square root (L. Leopold, T. Maddock, 1953), the
        /// capacity is proportional to stream power per unit of width.
        capacity: f64 = 0.15; Live, "transport capacity", "cells", |_| Range::new(0.0, 10.0), [0.0, 1.0];
        /// Erosion intensity: a factor for the transport capacity of drops and for the erodibility
        /// in the stream-power law. Storms (event `storm`) raise it temporarily.
        intensity: f64 = 1.0; Live, "erosion intensity", "1", |_| INTENSITY_RANGE, [0.0, 5.0];
        /// Fraction of the difference between sediment load and transport capacity that a drop
        /// exchanges with the bed per unit of length travelled. The default is approximately the
        /// deposition rate of 0.08 in McDonald 2020 multiplied by the time step of 1.2.
        exchange: f64 = 0.1; Live, "sediment exchange", "1", |_| Range::new(0.0, 1.0), [0.0, 0.5];
        /// Fraction of its speed that a drop loses per unit of length travelled. The default is the
        /// friction of 0.1 in McDonald 2020 multiplied by the time step of 1.2.
        friction: f64 = 0.12; Live, "friction", "1", |_| Range::new(0.01, 1.0), [0.01, 0.5];
        /// Acceleration of a drop in the direction of the stream that it follows. Values above 0
        /// make rivers keep their course and meander.
        momentum: f64 = 0.03; Live, "drift along streams", "1", |_| Range::new(0.0, 1.0), [0.0, 1.0];
        /// Acceleration of a drop toward a larger stream beside it. Values above 0 make water
        /// collect in fewer streams.
        attraction: f64 = 0.5; Live, "attraction by streams", "1", |_| Range::new(0.0, 10.0), [0.0, 2.0];
        /// River width divided by the square root of the upstream area (L. Leopold, T. Maddock,
        /// 1953). A river that is wider than one cell erodes its bed over the whole width.
        width: f64 = 0.03; Live, "river width", "m per root of m²", |_| Range::new(0.0, 1.0), [0.0, 0.05];
        /// Material that banks lose to the adjacent channel, as a multiple of the channel's
        /// incision. Banks on the outside of bends lose twice as much as banks of straight
        /// channels.
        undercutting: f64 = 1.0; Live, "undercutting of banks", "1", |_| Range::new(0.0, 4.0), [0.0, 2.0];
        /// Averaging time of discharge and momentum, measured as depth of rain.
        memory: f64 = 0.5; Live, "averaging time", "drops per cell", |_| Range::new(0.01, 100.0), [0.05, 5.0];
        /// Upstream area at which the strength of a stream, on a scale from 0 to 1, is ½. Strong
        /// streams slow down drops less than weak ones, and no plants grow in them.
        stream: f64 = 100.0; Live, "area of a stream of half strength", "square units", |_| Range::new(1e-3, 1e9), [10.0, 1000.0];
        /// Thickness of the soil everywhere when the world is created.
        soil: f64 = 0.0; Fixed, "initial soil", "m", |_| Range::new(0.0, MAX_HEIGHT), [0.0, 10.0];
        /// Erodibility of rock relative to soil.
        rock: f64 = 0.4; Live, "erodibility of rock", "1", |_| Range::new(0.0, 1.0), [0.0, 1.0];
        /// Steepest stable slope of soil. Steeper soil slides. 0.7 corresponds to 35°.
        repose: f64 = 0.7; Live, "steepest slope of soil", "m per m", |_| Range::new(0.0, 10.0), [0.1, 2.0];
        /// Steepest stable slope of rock. Steeper banks and cliffs collapse and turn into soil. 1
        /// corresponds to 45°.
        rock_repose: f64 = 1.0; Live, "steepest slope of rock", "m per m", |_| Range::new(0.0, 100.0), [0.2, 5.0];
        /// Relative spatial variation of two properties of rock: its erodibility and its steepest
        /// stable slope. Values above 0 make uniformly steep slopes rough.
        variation: f64 = 0.0; Live, "variation of rock", "1", |_| Range::new(0.0, 0.9), [0.0, 0.8];
        /// Creep rate of soil: the fraction by which creep reduces a height difference per unit
        /// depth of rain, over a distance of one unit of length.
        creep: f64 = 0.05; Live, "creep", "1", |_| Range::new(0.0, 10.0), [0.0, 1.0];
        /// Weathering rate of bare rock: the soil thickness (in units of length) that forms per
        /// unit depth of rain. Soil cover slows weathering: each 0.5 units of soil thickness halves
        /// the rate.
        weathering: f64 = 0.02; Live, "weathering", "units", |_| Range::new(0.0, 1.0), [0.0, 0.2];
        /// Fraction of the erosion that the roots of a dense plant cover prevent.
        roots: f64 = 0.7; Live, "protection by roots", "1", |_| Range::new(0.0, 1.0), [0.0, 1.0];
    }
    and {
        /// Boundary conditions of the four sides of the map.
        edges: Edges = Edges::default();
        /// Parameters of the erosion method `stream-power`.
        stream_power: StreamPower = StreamPower::default();
        /// Hard and soft layers of the rock. `None` selects uniform rock.
        strata: Option<Strata> = None;
        /// Kinds of plants, at most 8. The default has three kinds. With an empty list, the land
        /// stays bare.
        plants: Vec<Niche> = Niche::default_niches();
    }
}

/// Largest number of kinds of plants in a world.
pub(super) const MAX_KINDS: usize = 8;

impl Params {
    /// Checks that all parameters are in their ranges.
    ///
    /// # Errors
    /// Returns an [`InputError`] that names the first parameter out of range. The name of a nested
    /// parameter contains a dot, as in `edges.west`.
    pub fn validate(&self) -> Result<(), InputError> {
        self.check()?;
        self.stream_power.check().map_err(|error| error.with_table_prefix("stream_power"))?;
        if let Some(strata) = &self.strata {
            strata.check().map_err(|error| error.with_table_prefix("strata"))?;
        }
        let count = self.plants.len();
        if count > MAX_KINDS {
            return Err(InputError::new("plants", count, format!("at most {MAX_KINDS} kinds")));
        }
        let check = |(i, niche): (usize, &Niche)| {
            niche.check().map_err(|error| error.with_table_prefix(&format!("plants[{i}]")))
        };
        self.plants.iter().enumerate().try_for_each(check)
    }
}
