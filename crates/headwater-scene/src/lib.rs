//! Library for running Headwater simulations from scene files. The library reads scenes and
//! elevation rasters, builds and runs the worlds that the scenes describe, and writes pictures,
//! layers and checkpoints.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod blocks;
#[cfg(not(target_family = "wasm"))]
mod collective;
pub mod columns;
pub mod facade;
pub mod flow;
pub mod hydrology;
pub mod library;
pub mod live;
pub mod pixmap;
mod registry;
pub mod run;
pub mod scene;
#[cfg(feature = "schema")]
pub mod schema;
pub mod terrain;
pub mod waves;

pub(crate) use headwater_io::parallel;
pub use headwater_io::{atomic, mesh, raster};
pub use headwater_render as picture;
pub use registry::{BLOCKS, COLUMNS, FLOW, HYDROLOGY, MODELS, Model, WAVES};
pub use run::{World, WorldMut};
pub use scene::Scene;

/// README of the package. Its code example is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
