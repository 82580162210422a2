//! Methods of [`Flow`] that add, change and remove hydraulic structures.

use super::types::{Gate, Structure, StructureKind, Weir};
use crate::error::InputError;
use crate::flow::world::Flow;
use crate::ids::Id;
use crate::ledger::Cause;
use crate::parameter::Parameters;
use crate::series::Series;

impl Flow {
    /// Adds a culvert, gate or weir.
    ///
    /// ```
    /// use headwater::flow::{Flow, Gate, Params, Structure, StructureKind};
    /// use headwater::{Field, Region, Square};
    ///
    /// // A lake, 2 m deep, behind a wall of 4 m.
    /// let bed = Field::from_fn(40, 20, |x, _| if x == 20 { 4.0 } else { 0.0 });
    /// let lake = Field::from_fn(40, 20, |x, _| if x < 20 { 2.0 } else { 0.0 });
    /// let lattice = Square::new(40, 20, 1.0, 1.0)?;
    /// let mut flow = Flow::new(lattice, Params::default(), bed, lake)?;
    /// let [west, east] = [[18.5, 10.5], [22.5, 10.5]].map(|at| Region::disc(at, 1.2));
    /// let shut = Gate::new(2.0, 0.0, 0.0);
    /// let gate = flow.add_structure(Structure::new(west, east, StructureKind::Gate(shut)))?;
    /// flow.advance(5.0)?;
    /// assert!(!flow.is_flooded([25.0, 10.0]), "the gate is shut");
    ///
    /// flow.set_gate_opening(gate, 0.5.into())?;
    /// flow.advance(5.0)?;
    /// assert!(flow.structure_discharge(gate) > Some(2.0));
    /// assert!(flow.is_flooded([25.0, 10.0]));
    /// # Ok::<(), headwater::InputError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`InputError`] if a region or value is invalid, a mouth covers no cell, or both
    /// mouths share a cell.
    pub fn add_structure(&mut self, structure: Structure) -> Result<Id, InputError> {
        structure.validate()?;
        self.structures.add(structure, &self.lattice)
    }

    /// Returns all culverts, gates and weirs with their identifiers.
    pub fn structures(&self) -> impl ExactSizeIterator<Item = (Id, &Structure)> {
        self.structures.entries()
    }

    /// Returns the discharge (m³/s) through a structure in the last step, or `None` if no structure
    /// has this identifier. The discharge is positive from the first mouth of the structure, one of
    /// the two regions that it connects, to the second.
    pub fn structure_discharge(&self, id: Id) -> Option<f64> {
        self.structures.last_discharge(id)
    }

    /// Removes a structure and returns it. Rounding remainders of water inside the structure are
    /// lost; the ledger records the loss as an edit.
    ///
    /// # Errors
    /// Returns [`InputError`] if there is no such structure.
    pub fn remove_structure(&mut self, id: Id) -> Result<Structure, InputError> {
        let (structure, held) = self.structures.remove(id)?;
        self.ledger.total.record(Cause::Edit, -held * self.lattice.cell_area());
        Ok(structure)
    }

    /// Sets the opening (m) of a gate as a time series.
    ///
    /// # Errors
    /// Returns [`InputError`] if there is no such gate, or the opening is negative.
    pub fn set_gate_opening(&mut self, id: Id, height: Series) -> Result<(), InputError> {
        let Some(StructureKind::Gate(gate)) = self.structures.kind_mut(id) else {
            return Err(InputError::new("a gate", format_args!("the id {id}"), "the id of a gate"));
        };
        let changed = Gate { opening: height, ..gate.clone() };
        changed.check().map_err(|error| error.with_table_prefix("gate"))?;
        *gate = changed;
        Ok(())
    }

    /// Sets the crest elevation (m) of a weir as a time series.
    ///
    /// # Errors
    /// Returns [`InputError`] if there is no such weir, or the elevation is invalid.
    pub fn set_weir_crest(&mut self, id: Id, height: Series) -> Result<(), InputError> {
        let Some(StructureKind::Weir(weir)) = self.structures.kind_mut(id) else {
            return Err(InputError::new("a weir", format_args!("the id {id}"), "the id of a weir"));
        };
        let changed = Weir { crest: height, ..weir.clone() };
        changed.check().map_err(|error| error.with_table_prefix("weir"))?;
        *weir = changed;
        Ok(())
    }
}
