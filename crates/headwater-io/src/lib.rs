//! File access of Headwater: reads and writes elevation rasters, exports meshes, and writes files
//! atomically. Contains no simulation models and no scenes.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod atomic;
mod encode_png;
mod files;
pub mod mesh;
#[doc(hidden)]
pub mod parallel;
pub mod raster;

pub use encode_png::encode_png;
pub use files::{Files, open_file};

/// README of the package. Its code example is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
