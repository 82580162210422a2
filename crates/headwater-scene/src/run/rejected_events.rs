//! [`RejectedEvents`]: events that the world has rejected. The run continues without them, and its
//! summary lists them.

use super::types::round_time;
use serde::{Deserialize, Serialize};

/// Rejected events, in the order of their first rejection.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RejectedEvents(Vec<RejectedEvent>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct RejectedEvent {
    event: usize,
    /// Simulated time of the first rejection (s). A recurring event may be rejected several times.
    time: f64,
    times: u64,
    reason: String,
}

impl RejectedEvents {
    /// Records that an event was rejected at the simulated time `time` (s). `event` is the index of
    /// the event.
    pub(crate) fn record(&mut self, event: usize, time: f64, reason: &str) {
        match self.0.iter_mut().find(|known| known.event == event) {
            Some(known) => known.times += 1,
            None => self.0.push(RejectedEvent { event, time, times: 1, reason: reason.into() }),
        }
    }

    /// Returns a message for the user about each rejected event. `unit` is the unit of time that
    /// follows a number in these messages; it starts with a space.
    pub(crate) fn notices(&self, unit: &str) -> impl Iterator<Item = String> {
        self.0.iter().map(move |RejectedEvent { event, time, times, reason }| {
            let skipped = match times {
                1 => "at".to_owned(),
                _ => format!("{times} times, first at"),
            };
            format!("event[{event}] was skipped {skipped} {}{unit}: {reason}", round_time(*time))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_has_one_notice_even_if_it_is_rejected_repeatedly() {
        let mut rejected_events = RejectedEvents::default();
        for (event, time) in [(3, 1.5), (0, 38.800000000000004), (3, 2.5)] {
            rejected_events.record(event, time, "no water");
        }
        let notices: Vec<_> = rejected_events.notices(" s").collect();
        let first = "event[3] was skipped 2 times, first at 1.5 s: no water";
        assert_eq!(notices, [first, "event[0] was skipped at 38.8 s: no water"]);
    }
}
