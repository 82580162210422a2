//! [`RowFields`] and [`BlockView`]: input and output of a distributed world by ranges of rows.

use crate::field::Field;
use crate::flow::observe::layers::View;
use crate::flow::state::State;
use crate::flow::world::Flow;
use std::ops::Range;

/// Initial fields of a range of rows, from which a row block is built.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RowFields {
    /// Elevation of the bed in each cell (m).
    pub bed: Field<f32>,
    /// Water depth in each cell (m), 0 or above.
    pub depth: Field<f32>,
    /// Mask of closed cells, which water neither enters nor leaves; `None` if all cells are open.
    pub closed: Option<Field<bool>>,
    /// Manning's roughness of each cell (s/m^⅓). Provide it for all row blocks or for none.
    pub roughness: Option<Field<f32>>,
    /// Factor of the rain in each cell (dimensionless), required if the rain of the
    /// [`WorldSpec`](crate::distributed::WorldSpec) has a map.
    pub rain: Option<Field<f32>>,
    /// Index of the soil in each cell, as in a [`SoilMap`](crate::flow::SoilMap). Required if the
    /// [`WorldSpec`](crate::distributed::WorldSpec) has a list of soils.
    pub soil: Option<Field<u16>>,
    /// Initial velocity of the water to the east and to the south (m/s).
    pub velocity: Option<[Field<f32>; 2]>,
    /// Initial unit discharge of the water to the east and to the south (m²/s), as an alternative
    /// to `velocity`.
    pub unit_discharge: Option<[Field<f32>; 2]>,
}

impl RowFields {
    /// Creates fields with water at rest, uniform roughness and no closed cells, from the bed
    /// elevation and the water depth (m).
    pub fn new(bed: Field<f32>, depth: Field<f32>) -> Self {
        let (closed, roughness, rain, soil) = Default::default();
        let (velocity, unit_discharge) = Default::default();
        Self { bed, depth, closed, roughness, rain, soil, velocity, unit_discharge }
    }
}

/// Read access to the state of a row block, including its halo.
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

    /// Returns the values of a layer in the rows that the block owns. Foam on hexagons may differ
    /// from an undivided world in the last digits, because it is computed from distances between
    /// cells.
    pub fn layer(&self, view: View) -> Field<f32> {
        let all = self.flow.view(view);
        let own: Vec<usize> = self.own.clone().collect();
        all.select_rows(&own)
    }

    /// Returns the state of the block with its halo. Row `y` of the world is row
    /// [`local_row`](Self::local_row)`(y)` of the returned state.
    pub fn state(&self) -> &State {
        &self.flow.state
    }

    /// Returns the row of the block's [state](Self::state) that corresponds to row `y` of the
    /// world.
    pub fn local_row(&self, y: usize) -> usize {
        y - self.rows.start + self.own.start
    }
}
