//! Tests of couplings between models.

mod blocks_and_columns;
mod land;
mod waves;
