//! How a world of waves is shared out, and what whoever steps a part has to be handed.

use crate::clock::FixedStep;
use crate::error::InputError;
use crate::field::Field;
use crate::ids::IdList;
use crate::lattice::{Edge, Square};
use crate::ledger::Ledger;
use crate::part::{are_bands, rows_of};
use crate::spare::Spare;
use crate::waves::absorbing::{AbsorbingLayers, Parts};
use crate::waves::current;
use crate::waves::medium::Medium;
use crate::waves::params::{EdgeKind, Params};
use crate::waves::snapshot::Snapshot;
use crate::waves::state::State;
use crate::waves::tiles::Tiles;
use crate::waves::world::Waves;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Rows of a halo, as many as the most steps of a pass.
pub(super) const HALO: usize = 8;

/// What is handed to whoever steps a part of a world of waves; it serializes with serde.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Share {
    /// A world over the part's rows and its halo.
    pub(super) world: Snapshot,
    /// Which rows of the grid are the part's own.
    pub(super) rows: Range<usize>,
    /// Which those are among the rows that it steps.
    pub(super) own: Range<usize>,
    /// How many rows the grid has.
    pub(super) of: usize,
    /// Whether there are other parts to the north and south.
    pub(super) beside: [bool; 2],
    pub(super) absorbing: AbsorbingLayers,
}

impl Waves {
    /// Shares a world out for others to step, in [`bands`](crate::part::bands) of rows. The world stays as it is, until their rows are
    /// [taken back](Self::take_back).
    ///
    /// # Errors
    /// [`InputError`] if the bands are not those of [`bands`](crate::part::bands), or there is something in the world that is not
    /// stepped in parts: dispersion, or a current.
    pub fn share(&self, bands: &[Range<usize>]) -> Result<Vec<Share>, InputError> {
        let none = "none in a world that is stepped in parts";
        if self.params.dispersion {
            return Err(InputError::new("dispersion", "true", none));
        }
        if self.current.is_some() {
            return Err(InputError::new("a current", "one", none));
        }
        let ny = self.lattice.ny();
        if !are_bands(bands, ny) {
            let found = format!("{bands:?}");
            return Err(InputError::new("bands", found, format!("`bands` of {ny} rows")));
        }
        bands.iter().map(|band| self.share_of(band, bands.len() > 1)).collect()
    }

    fn share_of(&self, band: &Range<usize>, has_others: bool) -> Result<Share, InputError> {
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        let joined = self.params.edges.kind(Edge::North) == EdgeKind::Periodic;
        let around = joined && has_others;
        let beside = [around || band.start > 0, around || band.end < ny];
        let (rows, own) = rows_of(band, ny, HALO, beside);
        let last = rows.last().map(|y| y + 1);
        let faces: Vec<usize> = rows.iter().copied().chain(last).collect();
        let mut params: Params = self.params.clone();
        let edges = &mut params.edges;
        for (cut, kind) in beside.into_iter().zip([&mut edges.north, &mut edges.south]) {
            if cut {
                *kind = EdgeKind::Reflecting;
            }
        }
        let lattice = Square::new(nx, rows.len(), self.lattice.dx(), self.lattice.dy())?;
        let of = &self.state;
        let world = Waves {
            lattice,
            params,
            state: State {
                height: of.height.of_rows(&rows),
                flux_x: of.flux_x.of_rows(&rows),
                flux_y: of.flux_y.of_rows(&faces),
                carried: None,
                quantum: of.quantum,
            },
            parts: self
                .parts
                .as_ref()
                .map(|parts| Parts { x: parts.x.of_rows(&rows), y: parts.y.of_rows(&rows) }),
            land: self.land.as_ref().map(|land| land.of_rows(&rows)),
            speed: self.speed.as_ref().map(|speed| speed.of_rows(&rows)),
            current: None,
            bodies: IdList::default(),
            makers: IdList::default(),
            shower: None,
            gusts: None,
            ledger: Ledger::default(),
            steps: self.steps,
            clock: FixedStep::default(),
            rule: self.rule,
            medium: Medium::default(),
            absorbing: AbsorbingLayers::default(),
            stream: None,
            drift: current::Workspace::default(),
            filter: None,
            tiles: Tiles::new(nx, rows.len()),
            spare: Spare::default(),
        };
        Ok(Share {
            world: world.into_snapshot(),
            rows: band.clone(),
            own,
            of: ny,
            beside,
            absorbing: self.absorbing.of_rows(&rows, &faces),
        })
    }
}

/// The values of some rows of a field.
pub(super) fn part_of(field: &Field<f32>, rows: Range<usize>) -> &[f32] {
    &field.as_slice()[rows.start * field.nx()..rows.end * field.nx()]
}
