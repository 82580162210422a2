//! Pictures as files: PNG, animated GIF, and composites of several pictures.

pub(super) mod file;
pub(super) mod gif;
pub(super) mod panels;
pub(super) mod write;
