//! [`Worker`]: who steps a part and does as told.

use super::errand::Begin;
use super::holding::{Held, Holding};
use super::order::{Answer, Order, Start};
use crate::run::inputs;
use crate::run::summary::Input;
use crate::scene::Scene;
use headwater::part::Peers;
use headwater::{InputError, flow, hydrology, waves};
use std::fmt;

/// How a process reads the scene of which it is to hold rows.
type Read = Box<dyn Fn() -> Result<Scene, String> + Send>;

/// Steps a part of a world; one that has none does nothing.
#[derive(Default)]
pub struct Worker {
    own: Option<Own>,
    read: Option<Read>,
}

/// A part of a world.
#[derive(Debug)]
enum Own {
    Flow(Box<flow::Part>),
    Waves(Box<waves::Part>),
    Hydrology(Box<hydrology::Part>),
    Held(Box<dyn Holding>),
}

impl fmt::Debug for Worker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Worker").field("own", &self.own).finish_non_exhaustive()
    }
}

impl Worker {
    /// One that can hold rows of the scene that it reads so, when it is told to.
    pub fn reading(read: impl Fn() -> Result<Scene, String> + Send + 'static) -> Self {
        Self { own: None, read: Some(Box::new(read)) }
    }

    /// Takes a part over, or none.
    ///
    /// # Errors
    /// Says in words what is wrong with it.
    pub fn begin(&mut self, start: Option<Start>) -> Result<(), String> {
        // What it had is gone, before there is room for more.
        self.own = None;
        let said = |error: InputError| error.to_string();
        self.own = match start {
            None => None,
            Some(Start::Flow(share)) => {
                Some(Own::Flow(Box::new(flow::Part::new(*share).map_err(said)?)))
            }
            Some(Start::Waves(share)) => {
                Some(Own::Waves(Box::new(waves::Part::new(*share).map_err(said)?)))
            }
            Some(Start::Hydrology(share)) => {
                Some(Own::Hydrology(Box::new(hydrology::Part::new(*share).map_err(said)?)))
            }
            Some(Start::Held(begin)) => Some(Own::Held(self.hold(&begin)?)),
        };
        Ok(())
    }

    fn hold(&self, begin: &Begin) -> Result<Box<dyn Holding>, String> {
        let read = self.read.as_ref().ok_or("this process knows of no scene")?;
        let scene = read()?;
        if scene.fingerprint() != begin.fingerprint {
            return Err("the scene that this process reads is another than the first one's".into());
        }
        let inputs = inputs::of(&scene).unwrap_or_default();
        if let Some(Input { key, file, .. }) = inputs::changed(&inputs, &begin.inputs) {
            return Err(format!("{key}, {file}, is another file here than for the first process"));
        }
        scene.holding(begin).map_err(|error| error.to_string())
    }

    /// Whether it has a part.
    pub fn has_part(&self) -> bool {
        self.own.is_some()
    }

    /// Which rows it has of a world that nobody has as a whole, if it has any.
    pub fn held(&self) -> Option<Held> {
        match &self.own {
            Some(Own::Held(holding)) => Some(holding.held()),
            _ => None,
        }
    }

    /// Does as told, together with its peers, who are all told the same; nothing if it has no part.
    pub fn obey(&mut self, order: &Order, peers: &mut dyn Peers) -> Option<Answer> {
        Some(match (self.own.as_mut()?, order) {
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
            (Own::Hydrology(part), Order::Steps { count, .. }) => {
                part.step_many(*count, peers);
                let (time, steps) = (part.time(), part.steps());
                Answer::Hydrology { time, steps, log: part.take_log() }
            }
            (Own::Hydrology(part), Order::Rows) => Answer::HydrologyRows(Box::new(part.rows())),
            (Own::Held(holding), Order::Held(errand)) => Answer::Held(holding.obey(errand, peers)),
            _ => Answer::Refused("it was told to do what its model does not".into()),
        })
    }
}
