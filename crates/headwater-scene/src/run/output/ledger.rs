//! [`RecordedLedger`]: records the water balance of a run over time and writes it to a CSV file.

use super::summary::{LedgerPart, LedgerSummary, PartColumns};
use crate::atomic::write_atomically;
use crate::run::executor::Executor;
use crate::run::types::ModelError;
use crate::scene::Clock;
use headwater::Cause;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// Number of values at the start of a row that describe the whole world. Values for individual
/// boundaries, sources, drains and structures follow.
const COMMON_COLUMNS: usize = 4 + 2 * Cause::ALL.len();

/// Recorded water balances of a run, in the order of time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RecordedLedger {
    /// One row per recording. A row contains the time (s), the current volume, the rounding (volume
    /// too small for the resolution of the depths, carried over to later steps), and the residual
    /// of the balance. Pairs of inflow and outflow follow: one pair for each cause, and then one
    /// for each boundary, source, drain and structure.
    rows: Vec<Vec<f64>>,
}

impl RecordedLedger {
    /// Appends a row with the current water balance and returns the balance. Appends no row if the
    /// last one already has the current time. With a fixed time step, several recording times can
    /// fall into the same step.
    pub(in crate::run) fn record(
        &mut self,
        executor: &mut dyn Executor,
    ) -> Result<LedgerSummary, ModelError> {
        let (time, ledger) = (executor.time(), executor.volume_balance()?);
        if self.rows.last().is_none_or(|row| row[0] < time) {
            let mut row = vec![time, ledger.now, ledger.rounding, ledger.residual];
            for cause in Cause::ALL {
                row.extend(
                    [&ledger.inflow, &ledger.outflow]
                        .map(|side| side.get(cause.name()).copied().unwrap_or(0.0)),
                );
            }
            row.extend(ledger.parts.iter().flat_map(|part| [part.inflow, part.outflow]));
            self.rows.push(row);
        }
        Ok(ledger)
    }

    /// Writes the recorded balances to a CSV file. The unit of the volumes and the names of the
    /// boundaries, sources, drains and structures are taken from `balance`, a balance of the same
    /// world. Causes that never moved water have no columns.
    pub(in crate::run) fn write_csv_file(
        &self,
        clock: &Clock,
        balance: &LedgerSummary,
        path: &Path,
    ) -> io::Result<()> {
        let unit = if balance.unit == "m³" { "m3" } else { balance.unit };
        let mut columns = vec![(clock.column.to_owned(), 0), (format!("volume_{unit}"), 1)];
        for (i, cause) in Cause::ALL.into_iter().enumerate() {
            for (j, side) in ["in", "out"].into_iter().enumerate() {
                let column = 4 + 2 * i + j;
                if self.rows.iter().any(|row| row.get(column).is_some_and(|v| *v != 0.0)) {
                    columns.push((format!("{}_{side}_{unit}", cause.name()), column));
                }
            }
        }
        for (i, LedgerPart { name, columns: kind, .. }) in balance.parts.iter().enumerate() {
            let sides: &[(&str, usize)] = match kind {
                PartColumns::In => &[("in", 0)],
                PartColumns::Out => &[("out", 1)],
                PartColumns::InAndOut => &[("in", 0), ("out", 1)],
                PartColumns::Through => &[("forward", 0), ("back", 1)],
            };
            columns.extend(
                sides
                    .iter()
                    .map(|(side, j)| (format!("{name} {side}_{unit}"), COMMON_COLUMNS + 2 * i + j)),
            );
        }
        columns.extend([(format!("rounding_{unit}"), 2), (format!("residual_{unit}"), 3)]);
        write_atomically(path, |sink| {
            let mut table = csv::Writer::from_writer(sink);
            table.write_record(columns.iter().map(|(head, _)| head))?;
            for row in &self.rows {
                // A number that is unknown gives an empty field.
                let field = |at: usize| row.get(at).filter(|value| value.is_finite());
                let text = |at: usize| field(at).map(ToString::to_string).unwrap_or_default();
                table.write_record(columns.iter().map(|(_, at)| text(*at)))?;
            }
            table.flush()
        })
    }
}
