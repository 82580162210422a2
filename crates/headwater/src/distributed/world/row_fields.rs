//! [`RowFields`] and [`BlockView`]: input and output of a distributed world by rows.

use crate::field::Field;
use crate::flow::layers::View;
use crate::flow::state::State;
use crate::flow::world::Flow;
use std::ops::Range;

/// Initial fields of a range of rows, from which a row block is built.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RowFields {
    /// Bed elevation (m).
    pub bed: Field<f32>,
    /// Water depth (m), 0 or above.
    pub depth: Field<f32>,
    /// Mask of cells that no water enters or leaves; `None` if all are open.
    pub closed: Option<Field<bool>>,
    /// Manning's roughness of each cell (s/m^⅓), set for all row blocks or for none.
    pub roughness: Option<Field<f32>>,
    /// Factor of the rain in each cell, if the rain of the
    /// [`WorldSpec`](crate::distributed::WorldSpec) has a map.
    pub rain: Option<Field<f32>>,
    /// Index of the soil in each cell as in a [`SoilMap`](crate::flow::SoilMap), if the
    /// [`WorldSpec`](crate::distributed::WorldSpec) has a list of soils.
    pub soil: Option<Field<u16>>,
    /// Velocity of the water (m/s, to the east and to the south).
    pub velocity: Option<[Field<f32>; 2]>,
    /// Unit discharge of the water (m²/s, to the east and to the south), instead of its velocity.
    pub unit_discharge: Option<[Field<f32>; 2]>,
}

impl RowFields {
    /// Creates fields with water at rest, uniform roughness and no closed cells.
    pub fn new(bed: Field<f32>, depth: Field<f32>) -> Self {
        let (closed, roughness, rain, soil) = Default::default();
        let (velocity, unit_discharge) = Default::default();
        Self { bed, depth, closed, roughness, rain, soil, velocity, unit_discharge }
    }
}

/// Read access to a row block and its halo.
#[derive(Clone, Copy, Debug)]
pub struct BlockView<'a> {
    pub(in crate::distributed) flow: &'a Flow,
    pub(in crate::distributed) rows: &'a Range<usize>,
    pub(in crate::distributed) own: &'a Range<usize>,
}

impl BlockView<'_> {
    /// Returns the rows of the world that the block owns.
    pub fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// Returns a layer in the owned rows. Foam on hexagons may differ from an undivided world in
    /// the last digits, because it is computed from distances between cells.
    pub fn layer(&self, view: View) -> Field<f32> {
        let all = self.flow.view(view);
        let own: Vec<usize> = self.own.clone().collect();
        all.select_rows(&own)
    }

    /// Returns the state of the block with its halo. Row `y` of the world is row
    /// [`local_row`](Self::local_row)`(y)` of it.
    pub fn state(&self) -> &State {
        &self.flow.state
    }

    /// Returns the row of the block's [state](Self::state) that holds row `y` of the world.
    pub fn local_row(&self, y: usize) -> usize {
        y - self.rows.start + self.own.start
    }
}
