//! Tests of the model `hydrology`.

mod brushes;
mod changes;
mod input;
mod lakes;
mod land;
mod ledger;
mod sea;
mod stream_power;
mod stream_power_ledger;
