//! A land whose parts are carved elsewhere, by stream power.

use super::HydrologyWorld;
use crate::run::{Answer, ModelError, Order, Start};
use headwater::hydrology::PartRows;
use headwater::part::bands;

impl HydrologyWorld {
    /// Shares it out into as many parts as are wished, or as there is room for.
    ///
    /// # Errors
    /// What of it cannot be stepped in parts, by name.
    pub(super) fn share(&self, parts: usize) -> Result<Vec<Start>, ModelError> {
        if let Some(reason) = &self.undivided {
            return Err(reason.as_str().into());
        }
        let land = self.land();
        let bands = bands(land.lattice().ny(), parts.min(land.most_parts()));
        let shares = land.share(&bands)?;
        Ok(shares.into_iter().map(|share| Start::Hydrology(Box::new(share))).collect())
    }

    /// What its parts do next towards a time (drops per cell), at most so many steps; nothing where they have come to it.
    pub(super) fn order(&self, stop: f64, most: u64, (mut time, _): (f64, u64)) -> Option<Order> {
        let step = self.land().next_rain();
        let mut count = 0;
        // As a land's time adds up.
        while count < most && time < stop {
            time += step;
            count += 1;
        }
        (count > 0).then_some(Order::Steps { count, stirred: Vec::new() })
    }

    /// Takes down what came and went in its parts; says what time (drops per cell) and how many steps they have come to.
    ///
    /// # Errors
    /// That they are not of one land.
    pub(super) fn note(&mut self, answers: Vec<Answer>) -> Result<(f64, u64), ModelError> {
        let mut reached = None;
        self.ahead.resize_with(answers.len(), Default::default);
        for (answer, ahead) in answers.into_iter().zip(&mut self.ahead) {
            let Answer::Hydrology { time, steps, log } = answer else { return Err(NOT_ONE.into()) };
            if *reached.get_or_insert((time, steps)) != (time, steps) {
                return Err(NOT_ONE.into());
            }
            ahead.append(log);
        }
        reached.ok_or_else(|| NOT_ONE.into())
    }

    /// Takes the rows of all parts back.
    ///
    /// # Errors
    /// That they are not of this land.
    pub(super) fn take_back(&mut self, answers: Vec<Answer>) -> Result<(), ModelError> {
        let rows = answers.into_iter().map(|answer| match answer {
            Answer::HydrologyRows(rows) => Some(*rows),
            _ => None,
        });
        let rows: Vec<PartRows> = rows.collect::<Option<_>>().ok_or(NOT_ONE)?;
        let logs = std::mem::take(&mut self.ahead);
        Ok(self.land_mut().take_back(&rows, &logs)?)
    }
}

/// What answers that do not belong together are called.
const NOT_ONE: &str = "the parts of this land do not say the same";
