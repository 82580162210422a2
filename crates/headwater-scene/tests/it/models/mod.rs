//! Tests of the scenes of each model.

mod blocks;
mod columns;
mod flow;
mod hydrology;
mod waves;
