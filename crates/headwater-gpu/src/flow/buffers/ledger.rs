//! Accounts of the water balance on the device. Each account sums the volumes exchanged for one
//! cause without rounding errors. The order and units of the accounts are those in ledger.wgsl.

use headwater::ledger::Cause;

/// Number of words (`u32`) of one account.
const WORDS_PER_ACCOUNT: usize = 4;

/// For each account, the cause of the exchange and its sign in the balance: 1 for inflow, −1 for
/// outflow.
const ACCOUNTS: [(Cause, f64); 10] = [
    (Cause::Boundary, 1.0),
    (Cause::Boundary, -1.0),
    (Cause::Source, 1.0),
    (Cause::Drain, -1.0),
    (Cause::Rain, 1.0),
    (Cause::Evaporation, -1.0),
    (Cause::Infiltration, -1.0),
    (Cause::Infiltration, 1.0),
    (Cause::Edit, 1.0),
    (Cause::Edit, -1.0),
];

pub(crate) const LEN: usize = WORDS_PER_ACCOUNT * ACCOUNTS.len();

/// Returns the cause and the exchanged volume (m³, positive for inflow, negative for outflow) of
/// each account that is not 0. `words` contains the words of all accounts, and `cell_area` is the
/// area of a cell (m²).
pub(crate) fn exchanged_volumes(words: &[u32], cell_area: f64) -> Vec<(Cause, f64)> {
    let account = |((cause, sign), words): (&(Cause, f64), &[u32])| {
        (*cause, sign * words_to_depth(words) * cell_area)
    };
    let all = ACCOUNTS.iter().zip(words.chunks_exact(WORDS_PER_ACCOUNT)).map(account);
    all.filter(|(_, volume)| *volume != 0.0).collect()
}

/// Converts an account, given as words, to a depth of water (m). The words form an integer in units
/// of 2⁻⁶⁴ m, least significant word first.
fn words_to_depth(words: &[u32]) -> f64 {
    let units = words.iter().rev().fold(0_u128, |sum, &word| sum << 32 | u128::from(word));
    units as f64 / 2.0_f64.powi(64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_read_exactly() {
        assert_eq!(words_to_depth(&[0, 0, 3, 0]), 3.0);
        assert_eq!(words_to_depth(&[0, 1 << 31, 0, 0]), 0.5);
        assert_eq!(words_to_depth(&[1, 0, 0, 0]), 2.0_f64.powi(-64));
        let mut words = [0; LEN];
        words[6] = 2;
        assert_eq!(exchanged_volumes(&words, 10.0), [(Cause::Boundary, -20.0)]);
    }
}
