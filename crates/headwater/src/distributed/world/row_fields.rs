//! [`RowFields`] and [`BlockView`]: input and output of a distributed world, each for a range of
//! rows.

use crate::field::Field;
use crate::flow::observe::layers::View;
use crate::flow::state::State;
use crate::flow::world::Flow;
use std::ops::Range;

/// Initial fields for a range of grid rows. A row block is built from them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RowFields {
    /// Elevation of the bed in each cell (m).
    pub bed: Field<f32>,
    /// Water depth in each cell (m), 0 or above.
    pub depth: Field<f32>,
    /// Mask of closed cells (true if closed); `None` if all cells are open. Water neither enters
    /// nor leaves closed cells.
    pub closed: Option<Field<bool>>,
    /// Manning's roughness of each cell (s/m^⅓). Provide the roughness for all row blocks or for
    /// none.
    pub roughness: Option<Field<f32>>,
    /// Factor that multiplies the rain rate in each cell (dimensionless). Required if the rain of
    /// the [`WorldSpec`](crate::distributed::WorldSpec) has a map.
    pub rain_factor: Option<Field<f32>>,
    /// Number of the soil in each cell, as in a [`SoilMap`](crate::flow::SoilMap). Required if the
    /// [`WorldSpec`](crate::distributed::WorldSpec) has a list of soils.
    pub soil: Option<Field<u16>>,
    /// Initial eastward (index 0) and southward (index 1) velocity of the water, in m/s.
    pub velocity: Option<[Field<f32>; 2]>,
    /// Initial eastward (index 0) and southward (index 1) unit discharge of the water, in m²/s. It
    /// is an alternative to `velocity`.
    pub unit_discharge: Option<[Field<f32>; 2]>,
}

impl RowFields {
    /// Creates fields from the bed elevation (m) and the water depth (m), with water at rest,
    /// uniform roughness and no closed cells.
    pub fn new(bed: Field<f32>, depth: Field<f32>) -> Self {
        let (closed, roughness, rain_factor, soil) = Default::default();
        let (velocity, unit_discharge) = Default::default();
        Self { bed, depth, closed, roughness, rain_factor, soil, velocity, unit_discharge }
    }
}

/// Read access to the state of a row block, including its halo.
#[derive(Clone, Copy, Debug)]
pub struct BlockView<'a> {
    pub(in crate::distributed) flow: &'a Flow,
    pub(in crate::distributed) rows: &'a Range<usize>,
    pub(in crate::distributed) own_rows: &'a Range<usize>,
}

impl BlockView<'_> {
    /// Returns the range of grid rows that the block owns.
    pub fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// Returns the values of a layer in the rows that the block owns. On hexagonal grids, the last
    /// digits of the foam may differ from those of an undivided world. Foam is computed from cell
    /// positions, and these are rounded differently in the coordinates of a block.
    pub fn layer(&self, view: View) -> Field<f32> {
        let all = self.flow.view(view);
        let own: Vec<usize> = self.own_rows.clone().collect();
        all.select_rows(&own)
    }

    /// Returns the state of the block with its halo. Row `y` of the grid is row
    /// [`local_row`](Self::local_row)`(y)` of the returned state.
    pub fn state(&self) -> &State {
        &self.flow.state
    }

    /// Converts row `y` of the grid to the row of the block's [state](Self::state).
    pub fn local_row(&self, y: usize) -> usize {
        y - self.rows.start + self.own_rows.start
    }
}
