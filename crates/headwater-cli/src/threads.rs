//! Creation of the thread pool on which the program executes its command.

use anyhow::Result;
use headwater_cli::screen::print_error_line;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Creates a pool of `threads` threads; 0 means one per core. If the system refuses to create them,
/// the pool consists of the current thread only.
pub(crate) fn create_pool(threads: usize) -> Result<ThreadPool> {
    if threads == 1 {
        return Ok(single_thread_builder().build()?);
    }
    match ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => Ok(pool),
        Err(error) => {
            print_thread_pool_error(&error);
            Ok(single_thread_builder().build()?)
        }
    }
}

/// Builds a pool that consists of the current thread.
fn single_thread_builder() -> ThreadPoolBuilder {
    ThreadPoolBuilder::new().num_threads(1).use_current_thread()
}

fn print_thread_pool_error(error: &rayon::ThreadPoolBuildError) {
    print_error_line(&format!(
        "note: the system allows no more threads ({error}); the program works on one"
    ));
}
