//! [`Refusals`]: events that the world refused when their time came. The run goes on without them, and its summary says so.

use serde::{Deserialize, Serialize};

/// The events that were refused, in the order of their first refusals.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Refusals(Vec<Refusal>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Refusal {
    event: usize,
    /// When it was refused first, how often, and why the first time.
    time: f64,
    times: u64,
    reason: String,
}

impl Refusals {
    /// Notes that an event was refused.
    pub(super) fn note(&mut self, event: usize, time: f64, reason: &str) {
        match self.0.iter_mut().find(|refusal| refusal.event == event) {
            Some(refusal) => refusal.times += 1,
            None => self.0.push(Refusal { event, time, times: 1, reason: reason.into() }),
        }
    }

    /// What there is to say of them, where time is counted in `unit`.
    pub(super) fn notices(&self, unit: &str) -> impl Iterator<Item = String> {
        self.0.iter().map(move |Refusal { event, time, times, reason }| match times {
            1 => format!("event[{event}] was left out at {time}{unit}: {reason}"),
            _ => format!(
                "event[{event}] was left out {times} times, for the first time at {time}{unit}: {reason}"
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_told_once_however_often_it_is_refused() {
        let mut refusals = Refusals::default();
        for (event, time) in [(3, 1.5), (0, 2.0), (3, 2.5)] {
            refusals.note(event, time, "no water");
        }
        let told: Vec<_> = refusals.notices(" s").collect();
        let first = "event[3] was left out 2 times, for the first time at 1.5 s: no water";
        assert_eq!(told, [first, "event[0] was left out at 2 s: no water"]);
    }
}
