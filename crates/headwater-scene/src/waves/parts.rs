//! A world of waves whose parts are stepped elsewhere.

use super::WavesWorld;
use crate::run::{Answer, ModelError, Start};
use headwater::part::bands;

impl WavesWorld {
    /// Shares it out into as many parts as are wished, or as there is room for.
    ///
    /// # Errors
    /// What of it cannot be stepped in parts, by name.
    pub(super) fn share(&self, parts: usize) -> Result<Vec<Start>, ModelError> {
        let shares = self.waves.share(&bands(self.waves.lattice().ny(), parts))?;
        Ok(shares.into_iter().map(|share| Start::Waves(Box::new(share))).collect())
    }

    /// Takes down what came over edges in its parts; says what time (s) and how many steps they have come to.
    ///
    /// # Errors
    /// That they are not of one world.
    pub(super) fn note(&mut self, answers: Vec<Answer>) -> Result<(f64, u64), ModelError> {
        let mut reached = None;
        let mut logs = Vec::with_capacity(answers.len());
        for answer in answers {
            let Answer::Waves { steps, log } = answer else { return Err(NOT_ONE.into()) };
            if *reached.get_or_insert(steps) != steps {
                return Err(NOT_ONE.into());
            }
            logs.push(log);
        }
        let ledger = self.ahead.get_or_insert_with(|| self.waves.ledger().clone());
        self.waves.book(&logs, ledger)?;
        let steps = reached.ok_or(NOT_ONE)?;
        Ok((steps as f64 * self.waves.params().step, steps))
    }

    /// Takes the rows of all parts back.
    ///
    /// # Errors
    /// That they are not of this world.
    pub(super) fn take_back(&mut self, answers: Vec<Answer>) -> Result<(), ModelError> {
        let rows = answers.into_iter().map(|answer| match answer {
            Answer::WavesRows(rows) => Some(*rows),
            _ => None,
        });
        let rows = rows.collect::<Option<Vec<_>>>().ok_or(NOT_ONE)?;
        let ledger = self.ahead.take().unwrap_or_else(|| self.waves.ledger().clone());
        Ok(self.waves.take_back(&rows, ledger)?)
    }
}

/// What answers that do not belong together are called.
const NOT_ONE: &str = "the parts of this world do not say the same";
