//! [`collective_result`]: shares errors among all processes, so that no process waits for one that
//! has failed.

use crate::scene::SceneError;
use headwater::distributed::Communicator;

/// Returns the result of this process if no process has failed. All processes must call this
/// function, because each call exchanges messages with all other processes.
///
/// # Errors
/// Returns, in every process, the error of the first process that failed.
pub(crate) fn collective_result<T>(
    local_result: Result<T, SceneError>,
    comm: &dyn Communicator,
) -> Result<T, SceneError> {
    let all = comm.allgather_values(Ok(local_result.as_ref().err().cloned())).unwrap_or_default();
    let failed = all.into_iter().flatten().next();
    failed.map_or(local_result, Err)
}
