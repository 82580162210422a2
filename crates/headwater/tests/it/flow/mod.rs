//! Tests of the model `flow`.

mod bodies;
mod changes;
mod device_view;
mod distributed;
mod edges;
mod flood;
mod hex;
mod hex_shallow;
mod inertial;
mod layers;
mod motion;
mod physics;
mod rest;
mod same_bits;
mod settle;
mod shallow;
mod shallow_rest;
mod soil;
mod structures;
mod subgrid;
mod subgrid_edits;
mod volume;
