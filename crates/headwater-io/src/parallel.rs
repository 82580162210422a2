//! Parallel iterators for loops. With the feature `parallel`, they are those of Rayon. Otherwise,
//! they are serial iterators with the same method names, so that the code of a loop is the same in
//! both cases. The result of a loop must not depend on the order of its iterations.

#[cfg(feature = "parallel")]
pub use rayon::prelude::*;
#[cfg(not(feature = "parallel"))]
pub use serial::*;

/// Returns the number of threads that execute parallel loops (1 without the feature `parallel`).
pub fn thread_count() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Serial iterators of the standard library, under the method names that Rayon uses.
#[cfg(not(feature = "parallel"))]
mod serial {
    use std::slice::{Chunks, ChunksMut, IterMut};

    pub trait Slices<T> {
        fn par_chunks(&self, size: usize) -> Chunks<'_, T>;
        fn par_chunks_mut(&mut self, size: usize) -> ChunksMut<'_, T>;
        fn par_iter_mut(&mut self) -> IterMut<'_, T>;
    }

    impl<T> Slices<T> for [T] {
        fn par_chunks(&self, size: usize) -> Chunks<'_, T> {
            self.chunks(size)
        }

        fn par_chunks_mut(&mut self, size: usize) -> ChunksMut<'_, T> {
            self.chunks_mut(size)
        }

        fn par_iter_mut(&mut self) -> IterMut<'_, T> {
            self.iter_mut()
        }
    }

    pub trait ForEachInit: Iterator + Sized {
        fn for_each_init<S>(
            self,
            init: impl FnOnce() -> S,
            mut work: impl FnMut(&mut S, Self::Item),
        ) {
            let mut state = init();
            self.for_each(|item| work(&mut state, item));
        }
    }

    impl<I: Iterator> ForEachInit for I {}
}
