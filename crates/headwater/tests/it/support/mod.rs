//! Worlds and checks that several tests use.

pub(crate) mod allocations;
pub(crate) mod blocks;
pub(crate) mod changes;
pub(crate) mod columns;
pub(crate) mod flow;
pub(crate) mod hydrology;
pub(crate) mod open;
pub(crate) mod pools;
pub(crate) mod ranks;

use headwater::InputError;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub(crate) fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

pub(crate) fn round_trip_json<T: Serialize + DeserializeOwned>(value: &T) -> T {
    changed_json(value, |_| ()).unwrap()
}

/// Checks that a snapshot can be restored, and that it is rejected after each of the given changes
/// to its JSON.
pub(crate) fn check_damaged_snapshots<S: Serialize + DeserializeOwned, W>(
    snapshot: &S,
    restore: fn(S) -> Result<W, InputError>,
    damages: &[fn(&mut Value)],
) {
    let damaged = |change| {
        restore(changed_json(snapshot, change)?).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(damaged(|_| ()), Ok(()));
    for (i, &change) in damages.iter().enumerate() {
        assert!(damaged(change).is_err(), "damage {i} is not found");
    }
}

/// Serializes a value to JSON, applies `change`, and deserializes the result.
///
/// # Errors
/// Returns the error of the deserialization.
fn changed_json<T: Serialize + DeserializeOwned>(
    value: &T,
    change: fn(&mut Value),
) -> Result<T, String> {
    let mut json = serde_json::to_value(value).unwrap();
    change(&mut json);
    serde_json::from_value(json).map_err(|error| error.to_string())
}
