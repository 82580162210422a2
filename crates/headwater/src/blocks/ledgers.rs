//! The books of the liquids: whole numbers of 256ths of a cell, so that a residual of anything but 0 is a fault.

use super::cell::{Kind, Liquid};
use crate::ledger::{Cause, Ledger};

pub(super) type Ledgers = [Ledger<i128>; Liquid::ALL.len()];

pub(super) fn book(ledgers: &mut Ledgers, kind: Kind, cause: Cause, amount: i64) {
    ledgers[usize::from(kind) - 1].record(cause, amount.into());
}
