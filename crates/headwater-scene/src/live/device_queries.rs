//! Asynchronous queries of a world on a GPU: gauges that are due and probes at a point.

use super::device_probe::DeviceProbe;
use super::live::Live;
use crate::run::{Answered, Probed, Question};

impl Live {
    /// Returns the values at a point, as [`probe`](Self::probe), without blocking. For a world on a
    /// GPU they are from a query of a few cells that is a few frames old. `place` is in metres from
    /// the top-left corner, or in cells with `blocks`.
    pub fn probe_latest(&mut self, place: [f64; 2]) -> Vec<Probed> {
        if self.backend.is_device() {
            self.handle_query_results();
            if !self.device_probe.is_pending {
                self.device_probe.is_pending = self.submit_query(Question::Place(place));
            }
            if let Some((at, values)) = &self.device_probe.last
                && *at == place
            {
                return values.clone();
            }
        }
        self.probe(place)
    }

    /// Submits a query to the world on a GPU. Returns false if it cannot be submitted.
    pub(super) fn submit_query(&mut self, question: Question) -> bool {
        let asked = self.simulation.ask(question);
        self.or_fall_back(asked)
    }

    /// Handles the results of finished queries.
    pub(super) fn handle_query_results(&mut self) {
        for Answered { question, time, values } in self.simulation.answers() {
            match question {
                Question::Gauge(number) => {
                    let values = values.into_iter().map(|value| value.value).collect();
                    self.gauges.append_query_result(number, time, values);
                }
                Question::Place(place) => {
                    self.device_probe.last = Some((place, values));
                    self.device_probe.is_pending = false;
                }
            }
        }
    }

    /// Drops the latest probe after the world has moved to another backend.
    pub(super) fn clear_device_probe(&mut self) {
        self.device_probe = DeviceProbe::default();
    }
}
