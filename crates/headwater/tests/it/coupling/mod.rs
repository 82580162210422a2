//! From one model to another.

mod blocks_and_columns;
mod land;
mod waves;
