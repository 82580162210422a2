//! A world whose parts are stepped elsewhere, and how it takes them back.

use super::log::{self, Log};
use super::rows::{Lies, Numbers, PartRows, fields_mut};
use crate::error::InputError;
use crate::field::Field;
use crate::flow::exchange::Outlet;
use crate::flow::world::Flow;
use crate::ids::IdList;
use crate::ledger::Ledger;

impl Flow {
    /// Books what the [logs](super::Part::take_log) of all its parts have taken down, from north to south, in a ledger that began as
    /// its own. That is then as if the world had done these steps itself.
    ///
    /// # Errors
    /// [`InputError`] if they are not of the same steps.
    pub fn book(&self, logs: &[Log], ledger: &mut Ledger) -> Result<(), InputError> {
        log::book(logs, self.lattice.cell_area(), ledger)
    }

    /// Takes the [rows](super::Part::rows) of all its parts back, from north to south, with them time and what rounding holds back, and
    /// the ledger in which all that came and went is [booked](Self::book).
    ///
    /// # Errors
    /// [`InputError`] if they are not the rows of this world at one moment. The world is of no use then.
    pub fn take_back(&mut self, parts: &[PartRows], ledger: Ledger) -> Result<(), InputError> {
        let wrong =
            || InputError::new("rows of parts", "others", "all rows of this world at one time");
        let Some(first) = parts.first() else { return Err(wrong()) };
        let moment = |part: &PartRows| (part.time.to_bits(), part.last_dt.to_bits(), part.steps);
        let mut next = 0;
        for part in parts {
            if part.rows.start != next || moment(part) != moment(first) {
                return Err(wrong());
            }
            next = part.rows.end;
            self.take_rows(part).ok_or_else(wrong)?;
        }
        let lists = [&mut self.exchange.springs, &mut self.exchange.drains];
        for (i, list) in lists.into_iter().enumerate() {
            let held: Vec<_> = parts.iter().map(|part| &part.outlets[i][..]).collect();
            take_held(list, &held).ok_or_else(wrong)?;
        }
        let structures = first.structures.as_ref();
        let followed = structures.is_none_or(|structures| self.structures.follow(structures));
        if next != self.lattice.ny() || !followed {
            return Err(wrong());
        }
        self.ledger = ledger;
        (self.time, self.last_dt, self.steps) = (first.time, first.last_dt, first.steps);
        if let Some(tracers) = &mut self.tracers {
            tracers.fill_none();
        }
        self.touch_all();
        Ok(())
    }

    fn take_rows(&mut self, part: &PartRows) -> Option<()> {
        let rows = part.rows.clone();
        let put = |field: &mut Field<f32>, values: &Numbers| {
            let from = rows.start * field.nx();
            let place = field.as_mut_slice().get_mut(from..from + values.0.len())?;
            place.copy_from_slice(&values.0);
            Some(())
        };
        let is_last = rows.end == self.lattice.ny();
        let mut given = part.fields.iter();
        for (field, lies) in fields_mut(&mut self.state) {
            let values = given.next()?;
            let more = usize::from(is_last && lies == Lies::Between);
            if values.0.len() != (rows.len() + more) * field.nx() {
                return None;
            }
            put(field, values)?;
        }
        if given.next().is_some() {
            return None;
        }
        let exchange = &mut self.exchange;
        let rain = exchange.rain.as_mut().map(|(_, held)| held);
        let evaporation = exchange.evaporation.as_mut().map(|(_, held)| held);
        for (field, values) in [rain, evaporation].into_iter().zip(&part.held_back) {
            match (field, values) {
                (Some(field), Some(values)) => put(field, values)?,
                (None, None) => {}
                _ => return None,
            }
        }
        let from = rows.start * self.lattice.nx();
        match (&mut exchange.soil, &part.soil) {
            (Some(soil), Some(cells)) => {
                let place = soil.cells.as_mut_slice().get_mut(from..from + cells.len())?;
                place.copy_from_slice(cells);
            }
            (None, None) => {}
            _ => return None,
        }
        match (&mut self.flood, &part.flood) {
            (Some(record), Some((marks, begun)))
                if marks.len() == rows.len() * self.lattice.nx() =>
            {
                record.take_back(from, marks, *begun);
            }
            (None, None) => {}
            _ => return None,
        }
        Some(())
    }
}

/// Takes back what rounding holds back of springs or drains: their cells lie in order of their rows, so that those of one part come after
/// those of the part before.
fn take_held(list: &mut IdList<Outlet>, parts: &[&[Numbers]]) -> Option<()> {
    for (i, outlet) in list.iter_mut().enumerate() {
        let mut held = Vec::with_capacity(outlet.remainders.len());
        for part in parts {
            held.extend_from_slice(&part.get(i)?.0);
        }
        if held.len() != outlet.remainders.len() {
            return None;
        }
        outlet.remainders = held;
    }
    Some(())
}
