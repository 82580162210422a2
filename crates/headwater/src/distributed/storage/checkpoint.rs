//! Checkpoints: row blocks in a [`PageStore`] without their halos, from which any partition of the
//! rows can resume.

use crate::distributed::PageStore;
use crate::distributed::local::LocalBlocks;
use crate::distributed::storage::page::{Raw, damaged, slot};
use crate::lattice::Lattice;
use std::io;
use std::ops::Range;

/// Returns the rows that a block owns of a field. Of faces between rows these are the faces north
/// of each row; the last block also owns the southernmost faces.
pub(in crate::distributed) fn rows_of(
    lattice: &Lattice,
    band: &Range<usize>,
    which: usize,
) -> Range<usize> {
    let is_last = band.end == lattice.ny();
    band.start..band.end + usize::from(is_last && slot::is_between(lattice, which))
}

/// Reads a stored field of a block.
///
/// # Errors
/// Those of the storage, and an error if the stored bytes are not this field.
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
    /// Stores all fields of all blocks from north to south, keyed by the first row of the block and
    /// the number of the field. Returns the rows of each block, from which the same or other blocks
    /// can [resume](Self::go_on_from).
    ///
    /// # Errors
    /// Those of either storage.
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

    /// Restores the fields, including halos, from blocks of the given rows that were
    /// [stored](Self::keep_on). Reads only the rows that it needs. The world's
    /// [metadata](crate::distributed::DistributedFlow::set_metadata) must be restored afterwards.
    ///
    /// # Errors
    /// Those of either storage, and an error if the stored blocks belong to another world or are
    /// incomplete.
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
                    // Storage replaces whole fields only.
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

/// Returns whether blocks cover `rows` rows without gaps.
pub(in crate::distributed) fn follow_one_another(bands: &[Range<usize>], rows: usize) -> bool {
    let starts = bands.iter().map(|band| band.start).chain([rows]);
    let are_some = bands.iter().all(|band| !band.is_empty());
    are_some && starts.eq([0].into_iter().chain(bands.iter().map(|band| band.end)))
}
