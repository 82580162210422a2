//! Thread pools of a fixed size, for measurements that depend on the number of threads.

use anyhow::Result;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Creates a pool with `threads` threads; 0 means one thread per core.
pub(crate) fn create_pool(threads: usize) -> Result<ThreadPool> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?)
}
