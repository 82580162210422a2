//! A world of waves whose parts are stepped elsewhere, and how it takes them back.

use super::stepping::{Log, PartRows, fields_mut};
use crate::error::InputError;
use crate::ledger::{Cause, Ledger};
use crate::waves::world::Waves;

impl Waves {
    /// Books what the [logs](super::Part::take_log) of all its parts say, in a ledger that began as its own. That is then as if the world
    /// had done these steps itself.
    ///
    /// # Errors
    /// [`InputError`] if they are not of the same steps.
    pub fn book(&self, logs: &[Log], ledger: &mut Ledger) -> Result<(), InputError> {
        let steps = logs.first().map_or(0, |log| log.steps.len());
        if logs.iter().any(|log| log.steps.len() != steps) {
            let allowed = "logs of the same steps";
            return Err(InputError::new("the logs of parts", "logs of other steps", allowed));
        }
        let area = self.lattice.cell_area();
        for i in 0..steps {
            for which in 0..2 {
                // Whole quanta: the sum has no rounding.
                let came: f64 = logs.iter().map(|log| log.steps[i][which]).sum();
                if came != 0.0 {
                    ledger.book(Cause::Boundary, came * area);
                }
            }
        }
        Ok(())
    }

    /// Takes the [rows](super::Part::rows) of all its parts back, from north to south, and the ledger in which all that came is
    /// [booked](Self::book). Who had the world itself [stirred](Self::stir) for these steps has it at the same step already.
    ///
    /// # Errors
    /// [`InputError`] if they are not the rows of this world at one moment. The world is of no use then.
    pub fn take_back(&mut self, parts: &[PartRows], ledger: Ledger) -> Result<(), InputError> {
        let wrong =
            || InputError::new("rows of parts", "others", "all rows of this world at one time");
        let ny = self.lattice.ny();
        let mut next = 0;
        for part in parts {
            let rows = part.rows.clone();
            if rows.start != next || part.steps != parts[0].steps {
                return Err(wrong());
            }
            next = rows.end;
            let is_last = rows.end == ny;
            let mut given = part.fields.iter();
            let (fields, _) = fields_mut(self);
            for (field, between) in fields {
                let values = &given.next().ok_or_else(wrong)?.0;
                let (width, more) = (field.nx(), usize::from(is_last && between));
                let place = rows.start * width..(rows.end + more) * width;
                let place = field.as_mut_slice().get_mut(place).ok_or_else(wrong)?;
                if place.len() != values.len() {
                    return Err(wrong());
                }
                place.copy_from_slice(values);
            }
            if given.next().is_some() {
                return Err(wrong());
            }
        }
        if next != ny {
            return Err(wrong());
        }
        self.ledger = ledger;
        self.steps = parts[0].steps;
        self.tiles.wake_all();
        Ok(())
    }
}
