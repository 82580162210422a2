//! [`agreed`]: whether something went well on all of those who do it together, so that none waits for one that has given up.

use headwater::distributed::Communicator;

/// What came of something that all peers do at the same point, if it went well everywhere.
///
/// # Errors
/// What went wrong here, or nothing if it did elsewhere.
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
