//! What of a scene of land is not stepped in parts.

use super::{HydrologyAction, HydrologyScene};
use crate::scene::{Alone, Tables};
use headwater::hydrology::Method;

/// What of a scene is not stepped in parts, by the key; `None` if all of it is.
pub(super) fn undivided(scene: &HydrologyScene) -> Option<String> {
    let drops = "drops are carved by one process alone, and `stream-power` in parts";
    if scene.ways().iter().any(|(_, params)| params.method == Method::Drops) {
        return Some(format!("hydrology.method: {drops}"));
    }
    let until = scene.common().time.until;
    let mut actions = scene.common().events.iter().enumerate();
    let to_drops = actions.find(|(_, event)| {
        let method = event.action().is_some_and(|action| {
            matches!(action, HydrologyAction::Method(Alone(to)) if to.method == Method::Drops)
        });
        method && event.times.time < until
    });
    if let Some((i, event)) = to_drops {
        let time = event.times.time;
        return Some(format!("event[{i}].method: {drops} (`time.until={time}` leaves it out)"));
    }
    if !scene.rain.winds.is_empty() {
        return Some("rain.wind: winds find where it rains over a land as a whole".into());
    }
    (!scene.ways.is_empty()).then(|| "way: several lands are carved by one process alone".into())
}
