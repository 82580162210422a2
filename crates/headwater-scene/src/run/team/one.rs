//! [`One`]: a team of one process, which holds all rows of a world, though not all of them in memory.

use super::Team;
use super::holding::Holding;
use super::order::{Answer, Order, Start};
use crate::run::outcome::ModelError;
use headwater::part::Alone;
use std::sync::{Mutex, PoisonError};

/// A process by itself.
#[derive(Debug)]
pub(crate) struct One(Mutex<Box<dyn Holding>>);

impl One {
    pub(crate) fn new(holding: Box<dyn Holding>) -> Self {
        Self(Mutex::new(holding))
    }
}

impl Team for One {
    fn name(&self) -> String {
        "cpu".into()
    }

    fn parts(&self) -> usize {
        1
    }

    fn start(&self, _: Vec<Start>) -> Result<(), ModelError> {
        Err("it has all rows already".into())
    }

    fn tell(&self, order: &Order) -> Result<Vec<Answer>, ModelError> {
        Ok(vec![self.tell_one(0, order)?])
    }

    fn tell_one(&self, _: usize, order: &Order) -> Result<Answer, ModelError> {
        let Order::Held(errand) = order else {
            return Err("it was told to do what is done with parts alone".into());
        };
        let mut holding = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Answer::Held(holding.obey(errand, &mut Alone)))
    }
}
