//! Asynchronous queries of a world on a GPU. They measure gauges and sample points. Each query
//! reads only a few cells and does not block.

use super::device_probe::DeviceProbe;
use super::live::Live;
use crate::run::{ProbeValue, Query, QueryResult};

impl Live {
    /// Returns the values at a point, as [`probe`](Self::probe) does, but never blocks. For a world
    /// on a GPU, the values may be a few frames old. `position` is the position from the top-left
    /// corner (m; in the model `blocks`, cells).
    pub fn probe_latest(&mut self, position: [f64; 2]) -> Vec<ProbeValue> {
        if self.backend.is_device() {
            self.handle_query_results();
            if !self.device_probe.is_pending {
                self.device_probe.is_pending = self.submit_query(Query::Point(position));
            }
            if let Some((at, values)) = &self.device_probe.last_values
                && *at == position
            {
                return values.clone();
            }
        }
        self.probe(position)
    }

    /// Submits a query to a world on a GPU. Returns false if the query cannot be submitted.
    pub(super) fn submit_query(&mut self, query: Query) -> bool {
        let submitted = self.simulation.query(query);
        self.unwrap_or_fall_back(submitted)
    }

    /// Takes the results of finished queries. Appends gauge values to their time series, and stores
    /// the values at the last sampled point.
    pub(super) fn handle_query_results(&mut self) {
        for QueryResult { query, time, values } in self.simulation.query_results() {
            match query {
                Query::Gauge(number) => {
                    let values = values.into_iter().map(|value| value.value).collect();
                    self.gauges.append_query_result(number, time, values);
                }
                Query::Point(place) => {
                    self.device_probe.last_values = Some((place, values));
                    self.device_probe.is_pending = false;
                }
            }
        }
    }

    /// Discards the values of the last sampled point. Called when the world moves to another
    /// backend.
    pub(super) fn clear_device_probe(&mut self) {
        self.device_probe = DeviceProbe::default();
    }
}
