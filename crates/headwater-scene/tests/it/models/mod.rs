//! Tests of scenes of each model.

mod blocks;
mod columns;
mod flow;
mod hydrology;
mod waves;
