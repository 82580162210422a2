//! Parallel loops over the columns of pools. Each pool is divided into chunks.

use crate::columns::layout::{CHUNK, Chunk, Layout};
use crate::parallel;

pub(in crate::columns) trait SplitColumns: Send + Sized {
    fn split_at(self, at: usize) -> [Self; 2];
}

impl<T: Send> SplitColumns for &mut [T] {
    fn split_at(self, at: usize) -> [Self; 2] {
        self.split_at_mut(at).into()
    }
}

impl<A: SplitColumns> SplitColumns for Option<A> {
    fn split_at(self, at: usize) -> [Self; 2] {
        self.map_or([None, None], |values| values.split_at(at).map(Some))
    }
}

impl<A: SplitColumns, B: SplitColumns> SplitColumns for (A, B) {
    fn split_at(self, at: usize) -> [Self; 2] {
        let ([a, more_a], [b, more_b]) = (self.0.split_at(at), self.1.split_at(at));
        [(a, b), (more_a, more_b)]
    }
}

/// Calls `work` for each given chunk (part of a pool), possibly in parallel. `chunks` holds the
/// indices of the chunks in ascending order. The first element of `values` belongs to the first
/// column of the world. The arguments of `work` are the chunk and the values of its columns.
pub(in crate::columns) fn for_each_chunk<V: SplitColumns>(
    layout: &Layout,
    chunks: &[usize],
    values: V,
    work: &(impl Fn(&Chunk, V) + Sync),
) {
    for_each_chunk_recursive(&layout.chunks, chunks, 0, values, work);
}

/// Implements [`for_each_chunk`] by recursively dividing the chunks (parts of pools) between
/// threads. `first` is the index of the column to which the first element of `values` belongs.
/// Chunks with few columns in total are not divided further.
fn for_each_chunk_recursive<V: SplitColumns>(
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
        let [values, rest] = values.split_at(from - first);
        parallel::join(
            || for_each_chunk_recursive(all, west, first, values, work),
            || for_each_chunk_recursive(all, east, from, rest, work),
        );
        return;
    }
    let (mut first, mut values) = (first, values);
    for &number in chunks {
        let chunk = &all[number];
        let [_, rest] = values.split_at(chunk.columns.start - first);
        let [own, rest] = rest.split_at(chunk.columns.len());
        work(chunk, own);
        (first, values) = (chunk.columns.end, rest);
    }
}
