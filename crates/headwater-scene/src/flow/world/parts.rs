//! A world of flow whose parts are stepped elsewhere.

use super::FlowWorld;
use crate::run::{Answer, ModelError, Start};
use headwater::part::bands;

impl FlowWorld {
    /// Shares it out into as many parts as are wished, or as there is room for.
    ///
    /// # Errors
    /// What of it cannot be stepped in parts, by name.
    pub(in crate::flow) fn share(&self, parts: usize) -> Result<Vec<Start>, ModelError> {
        if self.has_radar() {
            return Err("rain by rasters (`rain.raster`) is not stepped in parts".into());
        }
        let shares = self.flow.share(&bands(self.flow.lattice().ny(), parts));
        let shares = shares.map_err(|error| match error.what.as_ref() {
            "floating bodies" => format!("{error} (`body`)"),
            "tracer particles" => format!("{error} (`particles.count=0` leaves them out)"),
            "a sub-grid" => format!("{error} (`terrain.subgrid`)"),
            _ => error.to_string(),
        })?;
        Ok(shares.into_iter().map(|share| Start::Flow(Box::new(share))).collect())
    }

    /// Takes down what came and went in its parts; says what time (s) and how many steps they have come to.
    ///
    /// # Errors
    /// That they are not of one world.
    pub(in crate::flow) fn note(&mut self, answers: Vec<Answer>) -> Result<(f64, u64), ModelError> {
        let mut reached = None;
        let mut logs = Vec::with_capacity(answers.len());
        for answer in answers {
            let Answer::Flow { time, steps, log } = answer else { return Err(NOT_ONE.into()) };
            if *reached.get_or_insert((time, steps)) != (time, steps) {
                return Err(NOT_ONE.into());
            }
            logs.push(log);
        }
        let ledger = self.ahead.get_or_insert_with(|| self.flow.ledger().clone());
        self.flow.book(&logs, ledger)?;
        reached.ok_or_else(|| NOT_ONE.into())
    }

    /// Takes the rows of all parts back.
    ///
    /// # Errors
    /// That they are not of this world.
    pub(in crate::flow) fn take_back(&mut self, answers: Vec<Answer>) -> Result<(), ModelError> {
        let rows = answers.into_iter().map(|answer| match answer {
            Answer::FlowRows(rows) => Some(*rows),
            _ => None,
        });
        let rows = rows.collect::<Option<Vec<_>>>().ok_or(NOT_ONE)?;
        let ledger = self.ahead.take().unwrap_or_else(|| self.flow.ledger().clone());
        Ok(self.flow.take_back(&rows, ledger)?)
    }
}

/// What answers that do not belong together are called.
const NOT_ONE: &str = "the parts of this world do not say the same";
