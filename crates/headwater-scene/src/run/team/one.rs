//! [`One`]: a team of one process, which owns all rows of a world but may keep some of them in
//! storage.

use super::Team;
use super::errand::{Begin, Brought, Errand};
use super::holding::Holding;
use crate::run::outcome::ModelError;
use headwater::distributed::SingleProcess;
use std::sync::{Mutex, PoisonError};

/// Team of a single process.
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

    fn start(&self, _: Vec<Begin>) -> Result<(), ModelError> {
        Err("this process owns all rows already".into())
    }

    fn tell(&self, errand: &Errand) -> Result<Vec<Brought>, ModelError> {
        Ok(vec![self.tell_one(0, errand)?])
    }

    fn tell_one(&self, _: usize, errand: &Errand) -> Result<Brought, ModelError> {
        let mut holding = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(holding.obey(errand, &mut SingleProcess))
    }
}
