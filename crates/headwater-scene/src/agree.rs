//! [`agreed`]: collective check for errors, so that no process waits for one that has failed.

use headwater::distributed::Communicator;

/// Returns the result of a collective operation if it succeeded on all processes.
///
/// # Errors
/// The error of this process, or `None` if another process failed.
pub(crate) fn agreed<T, E>(
    found: Result<T, E>,
    peers: &mut dyn Communicator,
) -> Result<T, Option<E>> {
    let mut failed = [f64::from(u8::from(found.is_err()))];
    peers.allreduce_max(&mut failed);
    match found {
        Ok(_) if failed[0] > 0.0 => Err(None),
        found => found.map_err(Some),
    }
}
