//! Ledgers of the liquids, in integer 256ths of a cell. Volumes are exact, so any difference
//! between a ledger and the volume of its liquid is a bug.

use super::cell::{Kind, Liquid};
use crate::ledger::{Cause, Ledger};

pub(in crate::blocks) type Ledgers = [Ledger<i128>; Liquid::ALL.len()];

pub(in crate::blocks) fn record(ledgers: &mut Ledgers, kind: Kind, cause: Cause, amount: i64) {
    ledgers[usize::from(kind) - 1].record(cause, amount.into());
}
