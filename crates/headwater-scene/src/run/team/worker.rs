//! [`Worker`]: who steps a part and does as told.

use super::order::{Answer, Order, Start};
use headwater::part::Peers;
use headwater::{flow, waves};

/// Steps a part of a world; one that has none does nothing.
#[derive(Debug, Default)]
pub struct Worker(Option<Own>);

/// A part of a world.
#[derive(Debug)]
enum Own {
    Flow(Box<flow::Part>),
    Waves(Box<waves::Part>),
}

impl Worker {
    /// Takes a part over, or none.
    ///
    /// # Errors
    /// Says in words what is wrong with it.
    pub fn begin(&mut self, start: Option<Start>) -> Result<(), String> {
        let part = |start| match start {
            Start::Flow(share) => flow::Part::new(*share).map(|part| Own::Flow(Box::new(part))),
            Start::Waves(share) => waves::Part::new(*share).map(|part| Own::Waves(Box::new(part))),
        };
        self.0 = start.map(part).transpose().map_err(|error| error.to_string())?;
        Ok(())
    }

    /// Whether it has a part.
    pub fn has_part(&self) -> bool {
        self.0.is_some()
    }

    /// Does as told, together with its peers, who are all told the same; nothing if it has no part.
    pub fn obey(&mut self, order: &Order, peers: &mut dyn Peers) -> Option<Answer> {
        Some(match (self.0.as_mut()?, order) {
            (Own::Flow(part), Order::StepToward { stop, most }) => {
                let most = usize::try_from(*most).unwrap_or(usize::MAX);
                match part.steps_toward(*stop, most, peers) {
                    Ok(_) => {
                        let log = part.take_log();
                        Answer::Flow { time: part.time(), steps: part.steps(), log }
                    }
                    Err(error) => Answer::Refused(error.to_string()),
                }
            }
            (Own::Flow(part), Order::Rows) => Answer::FlowRows(Box::new(part.rows())),
            (Own::Waves(part), Order::Steps { count, stirred }) => {
                part.step_many(*count, stirred, peers);
                Answer::Waves { steps: part.steps(), log: part.take_log() }
            }
            (Own::Waves(part), Order::Rows) => Answer::WavesRows(Box::new(part.rows())),
            _ => Answer::Refused("it was told to do what its model does not".into()),
        })
    }
}
