//! LocalBlocks on a [`PageStore`], to go on from by whoever has their rows then: each without its halo, packed as one that is not in memory.

use crate::distributed::PageStore;
use crate::distributed::local::LocalBlocks;
use crate::distributed::storage::page::{Raw, damaged, slot};
use crate::lattice::Lattice;
use std::io;
use std::ops::Range;

/// The rows that a band has of a field: of faces that lie between rows, those to the north of each, and of the last band the last ones.
pub(in crate::distributed) fn rows_of(
    lattice: &Lattice,
    band: &Range<usize>,
    which: usize,
) -> Range<usize> {
    let is_last = band.end == lattice.ny();
    band.start..band.end + usize::from(is_last && slot::is_between(lattice, which))
}

/// What was kept of a field of a band.
///
/// # Errors
/// Those of the shelf, and that it is something else.
pub(in crate::distributed) fn kept(
    lattice: &Lattice,
    band: &Range<usize>,
    which: usize,
    shelf: &mut dyn PageStore,
) -> io::Result<Raw> {
    let raw = Raw::read(&shelf.get([band.start, which])?).ok_or_else(damaged)?;
    let [width, height] = [slot::shape(lattice, which)[0], rows_of(lattice, band, which).len()];
    raw.is_of(width, height, slot::lists(which)).then_some(raw).ok_or_else(damaged)
}

impl LocalBlocks {
    /// Puts all fields of all bands on a shelf, from north to south, each by the first row of its band and its own number. Returns the rows of
    /// each band, by which the same bands, or those of other rows, [go on](Self::go_on_from) from there.
    ///
    /// # Errors
    /// Those of either shelf.
    pub fn keep_on(&mut self, shelf: &mut dyn PageStore) -> io::Result<Vec<Range<usize>>> {
        let mut all = Vec::with_capacity(self.bands.len());
        let mut bytes = Vec::new();
        for band in &mut self.bands {
            let first = band.part.rows.start;
            for which in band.fields()? {
                let raw = band.numbers(which, band.own_rows(which), &mut *self.shelf)?;
                bytes.clear();
                raw.write(&mut bytes);
                shelf.put([first, which], &bytes)?;
            }
            all.push(band.part.rows.clone());
        }
        Ok(all)
    }

    /// Takes their fields, halos and all, from a shelf on which bands of those rows were [kept](Self::keep_on): no more of it than they need. What
    /// the world has besides its fields comes [after](crate::distributed::DistributedFlow::set_metadata).
    ///
    /// # Errors
    /// Those of either shelf, and that what lies there are no bands of this world, or not all that these need.
    pub fn go_on_from(
        &mut self,
        bands: &[Range<usize>],
        shelf: &mut dyn PageStore,
    ) -> io::Result<()> {
        let lattice = self.world.lattice;
        if !follow_one_another(bands, lattice.ny()) {
            return Err(damaged());
        }
        let Some(first) = self.bands.first_mut() else { return Ok(()) };
        let fields = first.fields()?;
        for kept_band in bands {
            for &which in &fields {
                let there = rows_of(&lattice, kept_band, which);
                let common = |i: usize| {
                    let window = self.bands[i].window_rows(which);
                    window.start.max(there.start)..window.end.min(there.end)
                };
                let needed = (0..self.bands.len()).map(|i| (i, common(i)));
                let needed: Vec<_> = needed.filter(|(_, rows)| !rows.is_empty()).collect();
                if needed.is_empty() {
                    continue;
                }
                let raw = kept(&lattice, kept_band, which, shelf)?;
                for (i, rows) in needed {
                    // On the shelf a field lies as a whole.
                    self.load(i)?;
                    let place = rows.start - self.bands[i].window_rows(which).start;
                    let own = rows.start - there.start..rows.end - there.start;
                    let own = raw.copy(own).ok_or_else(damaged)?;
                    self.bands[i].put(which, place, &own, &mut *self.shelf)?;
                }
            }
        }
        Ok(())
    }
}

/// Whether bands follow one another over all of so many rows.
pub(in crate::distributed) fn follow_one_another(bands: &[Range<usize>], rows: usize) -> bool {
    let starts = bands.iter().map(|band| band.start).chain([rows]);
    let are_some = bands.iter().all(|band| !band.is_empty());
    are_some && starts.eq([0].into_iter().chain(bands.iter().map(|band| band.end)))
}
