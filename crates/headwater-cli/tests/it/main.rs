//! The program from the outside: what it writes, prints and answers, as a user or a script meets it. And the whole
//! house: `documents`, `circles`.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod bad_input;
mod bindings;
mod block_scenes;
mod circles;
mod commands;
mod crashes;
mod desk;
mod documents;
mod land_scenes;
mod leftovers;
mod library;
mod measures;
mod pool_scenes;
mod progress;
mod ran;
mod real_terrain;
mod resume;
mod same_bits;
mod schema;
mod wave_scenes;
