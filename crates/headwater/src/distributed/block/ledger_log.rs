//! Log of the inflows and outflows of a range of rows. For each step, the log keeps the individual
//! terms of every inflow and outflow. The terms of all logs are added later, in the row order of
//! the whole grid, so that rounding does not depend on the partition.

use crate::error::InputError;
use crate::flow::sources::ledger_sink::{Crossing, LedgerSink};
use crate::ids::Id;
use crate::lattice::Edge;
use crate::ledger::Cause;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Terms of all inflows and outflows in the owned rows of a subdomain, for each step since the log
/// was last taken.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::distributed) struct LedgerLog {
    steps: Vec<StepLog>,
}

/// Inflows and outflows during one time step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct StepLog {
    /// Sums of inflows or outflows that were recorded during the step, in the order of recording.
    sums: Vec<SumTerms>,
    /// For each grid edge, one pair per face that water has crossed, in the order of the faces: the
    /// index of the boundary condition, and the depth of water that crossed (m, positive into the
    /// grid). Zero depths are omitted.
    crossed: [Vec<(u32, f32)>; 4],
}

/// Contribution of a range of rows to a sum over the grid, as separate terms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SumTerms {
    cause: Cause,
    factor: f64,
    /// Spring or drain to which the sum belongs; `terms` then has one value per cell of it. `None`
    /// if `terms` has one value per row.
    outlet: Option<Id>,
    #[serde(with = "crate::numbers")]
    terms: Vec<f64>,
}

/// Ledger sink that appends the terms of a subdomain's owned rows to a log.
pub(in crate::distributed) struct LogWriter<'a> {
    pub(in crate::distributed) log: &'a mut LedgerLog,
    /// Owned rows, counted from the first row of the subdomain. That first row is a halo row if
    /// there is a neighbour to the north.
    pub(in crate::distributed) own_rows: Range<usize>,
}

impl LogWriter<'_> {
    fn current_step(&mut self) -> &mut StepLog {
        if self.log.steps.is_empty() {
            self.log.steps.push(StepLog::default());
        }
        let last = self.log.steps.len() - 1;
        &mut self.log.steps[last]
    }
}

impl LedgerSink for LogWriter<'_> {
    fn next_step(&mut self) {
        self.log.steps.push(StepLog::default());
    }

    fn record_outlet(&mut self, cause: Cause, id: Id, factor: f64, cells: &[f64]) {
        let (outlet, terms) = (Some(id), cells.to_vec());
        self.current_step().sums.push(SumTerms { cause, factor, outlet, terms });
    }

    fn record_rows(&mut self, cause: Cause, factor: f64, rows: &[f64]) {
        let terms = rows[self.own_rows.clone()].to_vec();
        self.current_step().sums.push(SumTerms { cause, factor, outlet: None, terms });
    }

    /// Does nothing: every process moves the water of all structures and records it in its ledger.
    fn record_structure(&mut self, _: Id, _: f64) {}

    fn record_crossings(&mut self, _: f64, crossed: impl Iterator<Item = Crossing>) {
        let own = self.own_rows.clone();
        let step = self.current_step();
        // Terms that are zero do not change a sum.
        for Crossing { edge, face, boundary, depth } in crossed.filter(|one| one.depth != 0.0) {
            if !edge.has_x_faces() || own.contains(&face) {
                step.crossed[edge as usize].push((boundary, depth));
            }
        }
    }
}

/// Evaluates the sums in the logs of all subdomains and records the results in `ledger`.
/// `logs` lists the logs from north to south. `area` is the area of a cell (m²).
///
/// # Errors
/// Returns [`InputError`] if the logs do not cover the same steps.
pub(in crate::distributed) fn record_sums(
    logs: &[LedgerLog],
    area: f64,
    ledger: &mut impl LedgerSink,
) -> Result<(), InputError> {
    let Some((first, others)) = logs.split_first() else { return Ok(()) };
    let is_consistent = others.iter().all(|log| {
        let same_sums = |(a, b): (&StepLog, &StepLog)| {
            let kind = |sum: &SumTerms| (sum.cause, sum.factor.to_bits(), sum.outlet);
            a.sums.iter().map(kind).eq(b.sums.iter().map(kind))
        };
        log.steps.len() == first.steps.len() && log.steps.iter().zip(&first.steps).all(same_sums)
    });
    if !is_consistent {
        let allowed = "logs of the same steps";
        return Err(InputError::new(
            "the ledger logs of subdomains",
            "logs of different steps",
            allowed,
        ));
    }
    let mut terms = Vec::new();
    for i in 0..first.steps.len() {
        let steps = || logs.iter().map(|log| &log.steps[i]);
        for (index, sum) in first.steps[i].sums.iter().enumerate() {
            terms.clear();
            steps().for_each(|step| terms.extend_from_slice(&step.sums[index].terms));
            match sum.outlet {
                None => ledger.record_rows(sum.cause, sum.factor, &terms),
                Some(id) => ledger.record_outlet(sum.cause, id, sum.factor, &terms),
            }
        }
        let crossed = |edge: Edge| {
            let all = steps().flat_map(move |step| &step.crossed[edge as usize]);
            let crossing =
                move |(face, &(boundary, depth))| Crossing { edge, face, boundary, depth };
            all.enumerate().map(crossing)
        };
        ledger.record_crossings(area, Edge::ALL.into_iter().flat_map(crossed));
    }
    Ok(())
}
