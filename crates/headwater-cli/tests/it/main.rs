//! Integration tests of the program `headwater`: its files, output and errors. The modules
//! `documents` and `dependency_cycles` test the whole repository.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod bad_input;
mod bindings;
mod block_scenes;
mod commands;
mod crashes;
mod dependency_cycles;
mod documents;
mod faults;
mod flood_study;
mod land_scenes;
mod leftovers;
mod library;
mod pool_scenes;
mod progress;
mod real_terrain;
mod resume;
mod same_bits;
mod sandbox;
mod scene_run;
mod wave_scenes;
