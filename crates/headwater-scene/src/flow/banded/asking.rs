//! [`Asking`]: the workers of a distributed world as the coordinator sees them.

use crate::run::{Begin, Brought, Errand, Input, Made, ModelError, PartFile, Strip, Team};
use crate::scene::SceneError;
use headwater::distributed::{RebalancePolicy, Request, Response, Workers};
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Team whose processes own the rows of a world.
#[derive(Clone, Debug)]
pub(super) struct Asking {
    team: Arc<dyn Team>,
    /// Number of processes that own rows.
    count: usize,
    /// Whether rows may be distributed over several processes.
    is_spread: bool,
}

/// Returns the error for a reply of the wrong kind.
fn astray() -> ModelError {
    "another errand was done".into()
}

impl Asking {
    /// Creates it for a team that owns all rows already.
    pub(super) fn new(team: Arc<dyn Team>) -> Self {
        Self { count: team.parts(), team, is_spread: false }
    }

    /// Assigns rows to the processes of a team.
    ///
    /// # Errors
    /// The reason why a process cannot own its rows.
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

    /// Returns the policy for moving row blocks between processes.
    pub(super) fn handover(&self) -> Option<RebalancePolicy> {
        self.team.sharing().handover
    }

    /// Returns whether rows were assigned to a team, even to a team of one process.
    pub(super) fn is_spread(&self) -> bool {
        self.is_spread
    }

    /// Returns the number of processes that own rows.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Sends a command to all processes at once.
    ///
    /// # Errors
    /// The reason why one of them fails.
    fn all(&self, errand: Errand) -> Result<Vec<Brought>, ModelError> {
        self.team.tell(&errand)?.into_iter().map(brought).collect()
    }

    fn one(&self, number: usize, errand: Errand) -> Result<Brought, ModelError> {
        brought(self.team.tell_one(number, &errand)?)
    }

    /// Builds the rows on all processes.
    ///
    /// # Errors
    /// [`SceneError`] if a process finds the scene invalid, or the reason why it cannot build its
    /// rows.
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

    /// Samples every `step`th cell where anything has changed, or the greatest depths.
    ///
    /// # Errors
    /// The reason why a process fails.
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

    /// Returns the cells (column, row) without data in some rows.
    ///
    /// # Errors
    /// The reason why a process does not reply.
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

    /// Sends a command without a result to all processes.
    ///
    /// # Errors
    /// The reason why one of them fails.
    pub(super) fn have_done(&self, errand: Errand) -> Result<(), ModelError> {
        let all = self.all(errand)?;
        let are_done = all.iter().all(|brought| matches!(brought, Brought::Done));
        if are_done { Ok(()) } else { Err(astray()) }
    }

    /// Stores the rows of each process in a file of its own.
    ///
    /// # Errors
    /// The reason why a process fails.
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

    /// Returns a layer in some rows that one process owns.
    ///
    /// # Errors
    /// The reason why the process fails.
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
