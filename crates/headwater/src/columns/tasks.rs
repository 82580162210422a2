//! Parallel loops over the columns of pools, divided by chunks.

use super::layout::{CHUNK, Chunk, Layout};
use crate::parallel;

pub(super) trait Columnar: Send + Sized {
    fn cut(self, at: usize) -> [Self; 2];
}

impl<T: Send> Columnar for &mut [T] {
    fn cut(self, at: usize) -> [Self; 2] {
        self.split_at_mut(at).into()
    }
}

impl<A: Columnar> Columnar for Option<A> {
    fn cut(self, at: usize) -> [Self; 2] {
        self.map_or([None, None], |values| values.cut(at).map(Some))
    }
}

impl<A: Columnar, B: Columnar> Columnar for (A, B) {
    fn cut(self, at: usize) -> [Self; 2] {
        let ([a, more_a], [b, more_b]) = (self.0.cut(at), self.1.cut(at));
        [(a, b), (more_a, more_b)]
    }
}

/// Calls `work(chunk, values)` for chunks in ascending order. `values` begins with the world's
/// first column; `work` receives those of its chunk.
pub(super) fn for_each_chunk<V: Columnar>(
    layout: &Layout,
    chunks: &[usize],
    values: V,
    work: &(impl Fn(&Chunk, V) + Sync),
) {
    share_out(&layout.chunks, chunks, 0, values, work);
}

/// Divides the chunks recursively; `first` is the column that `values` begins with. Few columns are
/// not divided.
fn share_out<V: Columnar>(
    all: &[Chunk],
    chunks: &[usize],
    first: usize,
    values: V,
    work: &(impl Fn(&Chunk, V) + Sync),
) {
    let columns = |i: usize| &all[chunks[i]].columns;
    let n = chunks.len();
    if n > 1 && columns(n - 1).end - columns(0).start > CHUNK {
        let (west, east) = chunks.split_at(n / 2);
        let from = columns(n / 2).start;
        let [values, rest] = values.cut(from - first);
        parallel::join(
            || share_out(all, west, first, values, work),
            || share_out(all, east, from, rest, work),
        );
        return;
    }
    let (mut first, mut values) = (first, values);
    for &number in chunks {
        let chunk = &all[number];
        let [_, rest] = values.cut(chunk.columns.start - first);
        let [own, rest] = rest.cut(chunk.columns.len());
        work(chunk, own);
        (first, values) = (chunk.columns.end, rest);
    }
}
