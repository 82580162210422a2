//! [`Archive`]: row blocks in storage that are read but not stepped.

use crate::distributed::PageStore;
use crate::distributed::messages::{Facts, Question, Reply, Request, Response, Workers};
use crate::distributed::storage::checkpoint::{kept, rows_of};
use crate::distributed::storage::page::damaged;
use crate::distributed::world::outlets::Outlets;
use crate::lattice::Lattice;
use std::io;
use std::ops::Range;

/// Read-only workers over the stored row blocks of a
/// [`DistributedFlow`](crate::distributed::DistributedFlow), as
/// [stored](crate::distributed::LocalBlocks::keep_on) in a checkpoint.
#[derive(Debug)]
pub struct Archive {
    lattice: Lattice,
    bands: Vec<Range<usize>>,
    outlets: Outlets,
    is_rough: bool,
    is_begun: bool,
    shelf: Box<dyn PageStore>,
}

impl Archive {
    /// Creates an archive of blocks that cover all rows. `facts` are whether cells have their own
    /// roughness, and whether the flood record has covered the state before the first step.
    pub(in crate::distributed) fn new(
        lattice: Lattice,
        bands: Vec<Range<usize>>,
        outlets: Outlets,
        [is_rough, is_begun]: [bool; 2],
        shelf: Box<dyn PageStore>,
    ) -> Self {
        Self { lattice, bands, outlets, is_rough, is_begun, shelf }
    }

    fn answer(&mut self, ask: &Request) -> io::Result<Response> {
        let reply = match &ask.0 {
            Question::Facts => Reply::Facts(Facts {
                bands: self.bands.clone(),
                are_here: false,
                open: Default::default(),
                is_rough: self.is_rough,
                is_begun: self.is_begun,
            }),
            Question::HeldBack { kind, number } => {
                let outlet = (**self.outlets.list(*kind)).get(*number);
                Reply::HeldBack(outlet.ok_or(io::ErrorKind::InvalidInput)?.remainders.clone())
            }
            Question::Numbers { which, rows } => {
                let Self { lattice, bands, shelf, .. } = self;
                let of =
                    |band: &&Range<usize>| rows_of(lattice, band, *which).contains(&rows.start);
                let band = bands.iter().find(of).ok_or(io::ErrorKind::InvalidInput)?;
                let raw = kept(lattice, band, *which, &mut **shelf)?;
                let place = rows.start - band.start..rows.end.saturating_sub(band.start);
                Reply::Numbers(raw.cut(place).ok_or_else(damaged)?)
            }
            // The metadata has the structures already.
            Question::Structures => Reply::Structures(Default::default()),
            _ => return Err(io::Error::other("nobody steps these bands")),
        };
        Ok(Response(reply))
    }
}

impl Workers for Archive {
    fn count(&self) -> usize {
        1
    }

    fn all(&mut self, ask: &Request) -> io::Result<Vec<Response>> {
        Ok(vec![self.answer(ask)?])
    }

    fn one(&mut self, _: usize, ask: &Request) -> io::Result<Response> {
        self.answer(ask)
    }
}
