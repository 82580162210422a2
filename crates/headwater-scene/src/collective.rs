//! [`collective_result`]: an error check in which all processes take part, so that no process waits
//! for one that has failed.

use crate::scene::SceneError;
use headwater::distributed::Communicator;

/// Returns the result of this process if all processes succeeded. Collective: every process must
/// call this function.
///
/// # Errors
/// Returns the error of the first process that failed, in every process.
pub(crate) fn collective_result<T>(
    found: Result<T, SceneError>,
    comm: &dyn Communicator,
) -> Result<T, SceneError> {
    let all = comm.allgather_values(Ok(found.as_ref().err().cloned())).unwrap_or_default();
    let failed = all.into_iter().flatten().next();
    failed.map_or(found, Err)
}
