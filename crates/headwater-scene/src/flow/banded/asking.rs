//! [`Asking`]: those who hold the rows of a world, as whoever runs it sees them.

use crate::run::{Begin, Brought, Errand, Input, Made, ModelError, PartFile, Strip, Team};
use crate::scene::SceneError;
use headwater::distributed::{RebalancePolicy, Request, Response, Workers};
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A team whose parts hold rows of a world.
#[derive(Clone, Debug)]
pub(super) struct Asking {
    team: Arc<dyn Team>,
    /// How many do.
    count: usize,
    /// Whether they are several, or may be.
    is_spread: bool,
}

/// What is said of an answer to another question.
fn astray() -> ModelError {
    "another errand was done".into()
}

impl Asking {
    /// A team that has all rows already.
    pub(super) fn new(team: Arc<dyn Team>) -> Self {
        Self { count: team.parts(), team, is_spread: false }
    }

    /// Shares rows out to a team.
    ///
    /// # Errors
    /// Why one of them cannot hold its rows.
    pub(super) fn begin(
        team: &Arc<dyn Team>,
        fingerprint: u64,
        inputs: &[Input],
        spans: Vec<Range<usize>>,
    ) -> Result<Self, ModelError> {
        let count = spans.len();
        let band_rows = team.sharing().band_rows;
        let begin = |rows| Begin { fingerprint, inputs: inputs.to_vec(), rows, band_rows };
        team.start(spans.into_iter().map(begin).collect())?;
        Ok(Self { team: Arc::clone(team), count, is_spread: true })
    }

    /// When bands go from one to the next.
    pub(super) fn handover(&self) -> Option<RebalancePolicy> {
        self.team.sharing().handover
    }

    /// Whether the rows were shared out, be it to one.
    pub(super) fn is_spread(&self) -> bool {
        self.is_spread
    }

    /// How many hold rows.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Has all do something, at once.
    ///
    /// # Errors
    /// Why one of them does not.
    fn all(&self, errand: Errand) -> Result<Vec<Brought>, ModelError> {
        self.team.tell(&errand)?.into_iter().map(brought).collect()
    }

    fn one(&self, number: usize, errand: Errand) -> Result<Brought, ModelError> {
        brought(self.team.tell_one(number, &errand)?)
    }

    /// Has all make their rows.
    ///
    /// # Errors
    /// [`SceneError`] if one of them finds that the scene cannot be used, or else why it cannot make them.
    pub(super) fn make(&self) -> Result<Result<Vec<Made>, SceneError>, ModelError> {
        let mut all = Vec::new();
        let mut refused = false;
        for brought in self.all(Errand::Make)? {
            match brought {
                Brought::Made(made) => all.push(made),
                Brought::Refused(Some(error)) => return Ok(Err(error)),
                Brought::Refused(None) => refused = true,
                _ => return Err(astray()),
            }
        }
        if refused { Err("one of them cannot make its rows".into()) } else { Ok(Ok(all)) }
    }

    /// Has all look at each so-manieth cell, where anything has changed, or at the greatest depths.
    ///
    /// # Errors
    /// Why one of them cannot.
    pub(super) fn look(&self, step: usize, deepest: bool) -> Result<Vec<Strip>, ModelError> {
        let mut all = Vec::new();
        for brought in self.all(Errand::Look { step, deepest })? {
            match brought {
                Brought::Seen(strips) => all.extend(strips),
                _ => return Err(astray()),
            }
        }
        Ok(all)
    }

    /// The cells (column, row) of some rows that have no data.
    ///
    /// # Errors
    /// Why one of them does not reply.
    pub(super) fn no_data(&self, rows: Range<usize>) -> Result<Vec<(usize, usize)>, ModelError> {
        let mut cells = Vec::new();
        for brought in self.all(Errand::NoData { rows })? {
            match brought {
                Brought::NoData(own) => cells.extend(own),
                _ => return Err(astray()),
            }
        }
        Ok(cells)
    }

    /// Has all do something of which nothing comes back.
    ///
    /// # Errors
    /// Why one of them cannot.
    pub(super) fn have_done(&self, errand: Errand) -> Result<(), ModelError> {
        let all = self.all(errand)?;
        let are_done = all.iter().all(|brought| matches!(brought, Brought::Done));
        if are_done { Ok(()) } else { Err(astray()) }
    }

    /// Has all write what they hold into files of their own.
    ///
    /// # Errors
    /// Why one of them cannot.
    pub(super) fn keep(
        &self,
        folder: &Path,
        generation: &str,
    ) -> Result<Vec<PartFile>, ModelError> {
        let (folder, generation) = (folder.to_owned(), generation.to_owned());
        let all = self.all(Errand::Keep { folder, generation })?.into_iter();
        let kept = all.map(|brought| match brought {
            Brought::Kept(part) => Ok(part),
            _ => Err(astray()),
        });
        kept.collect()
    }

    /// A layer in some rows that one of them holds.
    ///
    /// # Errors
    /// Why it cannot be had.
    #[cfg(feature = "zarr")]
    pub(super) fn rows(
        &self,
        number: usize,
        layer: &str,
        rows: Range<usize>,
    ) -> Result<Vec<f32>, ModelError> {
        match self.one(number, Errand::Rows { layer: layer.into(), rows })? {
            Brought::Rows(values) => Ok(values),
            _ => Err(astray()),
        }
    }
}

/// Turns the reply of a process that failed into an error.
fn brought(brought: Brought) -> Result<Brought, ModelError> {
    match brought {
        Brought::Failed(reason) => Err(reason.into()),
        brought => Ok(brought),
    }
}

fn told(brought: Brought) -> io::Result<Response> {
    match brought {
        Brought::Response(told) => Ok(told),
        _ => Err(io::Error::other(astray())),
    }
}

impl Workers for Asking {
    fn count(&self) -> usize {
        self.count
    }

    fn all(&mut self, ask: &Request) -> io::Result<Vec<Response>> {
        let all = Self::all(self, Errand::Request(ask.clone())).map_err(io::Error::other)?;
        all.into_iter().map(told).collect()
    }

    fn one(&mut self, number: usize, ask: &Request) -> io::Result<Response> {
        told(Self::one(self, number, Errand::Request(ask.clone())).map_err(io::Error::other)?)
    }
}
