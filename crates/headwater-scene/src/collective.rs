//! [`collective_result`]: an exchange of errors between all processes, so that no process waits for
//! another one that has failed.

use crate::scene::SceneError;
use headwater::distributed::Communicator;

/// Returns the result of this process if all processes have succeeded. Every process must call this
/// function, because it exchanges messages with all of them.
///
/// # Errors
/// Returns, in every process, the error of the first process that failed.
pub(crate) fn collective_result<T>(
    found: Result<T, SceneError>,
    comm: &dyn Communicator,
) -> Result<T, SceneError> {
    let all = comm.allgather_values(Ok(found.as_ref().err().cloned())).unwrap_or_default();
    let failed = all.into_iter().flatten().next();
    failed.map_or(found, Err)
}
