//! What a world on a GPU answers while it stays there: gauges that are due, and what is at a place.

use super::answer::Found;
use super::live::Live;
use crate::run::{ProbeValue, Query, QueryResult};

impl Live {
    /// What is at a place (m from the top-left corner; of blocks, cells), as [`probe`](Self::probe), but of a world on a GPU as it is
    /// there, a few frames ago: some cells of it are asked for, and nothing waits.
    pub fn look_at(&mut self, place: [f64; 2]) -> Vec<ProbeValue> {
        if self.backend.is_device() {
            self.take_answers();
            if !self.found.is_asked {
                self.found.is_asked = self.ask(Query::Place(place));
            }
            if let Some((at, values)) = &self.found.last
                && *at == place
            {
                return values.clone();
            }
        }
        self.probe(place)
    }

    /// Asks the world on a GPU; false if it cannot be asked.
    pub(super) fn ask(&mut self, query: Query) -> bool {
        let asked = self.simulation.query(query);
        self.unless_it_fails(asked)
    }

    /// Takes what has been answered.
    pub(super) fn take_answers(&mut self) {
        for QueryResult { query, time, values } in self.simulation.query_results() {
            match query {
                Query::Gauge(number) => {
                    let values = values.into_iter().map(|value| value.value).collect();
                    self.gauges.take_answer(number, time, values);
                }
                Query::Place(place) => {
                    self.found.last = Some((place, values));
                    self.found.is_asked = false;
                }
            }
        }
    }

    /// The world is here, or elsewhere: what was found is out of date.
    pub(super) fn forget_found(&mut self) {
        self.found = Found::default();
    }
}
