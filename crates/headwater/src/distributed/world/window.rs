//! What goes in and out of a world in bands, some rows at a time.

use crate::field::Field;
use crate::flow::layers::View;
use crate::flow::state::State;
use crate::flow::world::Flow;
use std::ops::Range;

/// Ground and water of some rows of a world, to make it of.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Window {
    /// Height of the ground (m).
    pub bed: Field<f32>,
    /// Depth of the water (m), 0 or above.
    pub depth: Field<f32>,
    /// Cells that no water enters or leaves; `None` for none.
    pub closed: Option<Field<bool>>,
    /// Manning's roughness of each cell (s/m^⅓), of all windows or of none.
    pub roughness: Option<Field<f32>>,
    /// Factor of the rain in each cell, if the outline's rain has a map.
    pub rain: Option<Field<f32>>,
    /// Number of the soil in each cell as in a [`SoilMap`](crate::flow::SoilMap), if the outline has a list of soils.
    pub soil: Option<Field<u16>>,
    /// Velocity of the water (m/s, to the east and to the south).
    pub velocity: Option<[Field<f32>; 2]>,
    /// Unit discharge of the water (m²/s, to the east and to the south), in place of its velocity.
    pub unit_discharge: Option<[Field<f32>; 2]>,
}

impl Window {
    /// Open ground under water at rest, of one roughness.
    pub fn new(bed: Field<f32>, depth: Field<f32>) -> Self {
        let (closed, roughness, rain, soil) = Default::default();
        let (velocity, unit_discharge) = Default::default();
        Self { bed, depth, closed, roughness, rain, soil, velocity, unit_discharge }
    }
}

/// A band of a world and a few rows around it, to look at.
#[derive(Clone, Copy, Debug)]
pub struct BlockView<'a> {
    pub(in crate::distributed) flow: &'a Flow,
    pub(in crate::distributed) rows: &'a Range<usize>,
    pub(in crate::distributed) own: &'a Range<usize>,
}

impl BlockView<'_> {
    /// Which rows of the world the band has.
    pub fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// A layer in the rows of the band. Foam on hexagons follows from distances between cells, and may differ from that of the world in one piece in
    /// its last digits.
    pub fn layer(&self, view: View) -> Field<f32> {
        let all = self.flow.view(view);
        let own: Vec<usize> = self.own.clone().collect();
        all.of_rows(&own)
    }

    /// The band's state, with rows around it; row `y` of the world is row [`place`](Self::place)`(y)` there.
    pub fn state(&self) -> &State {
        &self.flow.state
    }

    /// Where a row of the band is in its [state](Self::state).
    pub fn place(&self, y: usize) -> usize {
        y - self.rows.start + self.own.start
    }
}
