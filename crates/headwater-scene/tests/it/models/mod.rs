//! Scenes of each model.

mod blocks;
mod columns;
mod hydrology;
mod waves;
