//! What a part of a world would have booked: terms of sums, by step, to be added up in the order of the whole grid.

use crate::error::InputError;
use crate::flow::books::Books;
use crate::lattice::Edge;
use crate::ledger::Cause;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What came and went in the rows of a part, step by step, since its log was last taken.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::distributed) struct Log {
    steps: Vec<StepLog>,
}

/// What came and went in a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct StepLog {
    /// All sums of a step, in its order.
    sums: Vec<Sum>,
    /// For each edge, the depths (m, into the grid) that crossed its faces, in their order, but for those that were nothing.
    crossed: [Vec<f32>; 4],
}

/// The part of a sum that some rows have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Sum {
    cause: Cause,
    factor: f64,
    /// Whether the terms are those of rows, or of cells.
    by_row: bool,
    #[serde(with = "crate::numbers")]
    terms: Vec<f64>,
}

impl Log {}

/// Takes down what the own rows of a part have of each sum.
pub(in crate::distributed) struct Writer<'a> {
    pub(in crate::distributed) log: &'a mut Log,
    /// The part's own rows, among those that it steps.
    pub(in crate::distributed) own: Range<usize>,
}

impl Writer<'_> {
    fn now(&mut self) -> &mut StepLog {
        if self.log.steps.is_empty() {
            self.log.steps.push(StepLog::default());
        }
        let last = self.log.steps.len() - 1;
        &mut self.log.steps[last]
    }
}

impl Books for Writer<'_> {
    fn next_step(&mut self) {
        self.log.steps.push(StepLog::default());
    }

    fn book_cells(&mut self, cause: Cause, factor: f64, cells: &[f64]) {
        let terms = cells.to_vec();
        self.now().sums.push(Sum { cause, factor, by_row: false, terms });
    }

    fn book_rows(&mut self, cause: Cause, factor: f64, rows: &[f64]) {
        let terms = rows[self.own.clone()].to_vec();
        self.now().sums.push(Sum { cause, factor, by_row: true, terms });
    }

    fn book_crossed(&mut self, _: f64, crossed: impl Iterator<Item = (Edge, usize, f32)>) {
        let own = self.own.clone();
        let step = self.now();
        // Terms that are 0 change no sum.
        for (edge, face, into) in crossed.filter(|(_, _, into)| *into != 0.0) {
            if !edge.is_x() || own.contains(&face) {
                step.crossed[edge as usize].push(into);
            }
        }
    }
}

/// Books what the logs of all parts have taken down, from north to south, on cells of an area (m²).
///
/// # Errors
/// [`InputError`] if they are not of the same steps.
pub(in crate::distributed) fn book(
    logs: &[Log],
    area: f64,
    books: &mut impl Books,
) -> Result<(), InputError> {
    let Some((first, others)) = logs.split_first() else { return Ok(()) };
    let alike = others.iter().all(|log| {
        let of_one = |(a, b): (&StepLog, &StepLog)| {
            let kind = |sum: &Sum| (sum.cause, sum.factor.to_bits(), sum.by_row);
            a.sums.iter().map(kind).eq(b.sums.iter().map(kind))
        };
        log.steps.len() == first.steps.len() && log.steps.iter().zip(&first.steps).all(of_one)
    });
    if !alike {
        let allowed = "logs of the same steps";
        return Err(InputError::new("the logs of parts", "logs of other steps", allowed));
    }
    let mut terms = Vec::new();
    for i in 0..first.steps.len() {
        let steps = || logs.iter().map(|log| &log.steps[i]);
        for (number, sum) in first.steps[i].sums.iter().enumerate() {
            terms.clear();
            steps().for_each(|step| terms.extend_from_slice(&step.sums[number].terms));
            if sum.by_row {
                books.book_rows(sum.cause, sum.factor, &terms);
            } else {
                books.book_cells(sum.cause, sum.factor, &terms);
            }
        }
        let over = |edge: Edge| {
            let all = steps().flat_map(move |step| &step.crossed[edge as usize]);
            all.enumerate().map(move |(face, into)| (edge, face, *into))
        };
        books.book_crossed(area, Edge::ALL.into_iter().flat_map(over));
    }
    Ok(())
}
