//! Threads for work whose speed or outcome is measured by how many there are.

use anyhow::Result;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// So many threads; as many as there are cores, of 0.
pub(crate) fn pool(threads: usize) -> Result<ThreadPool> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?)
}
