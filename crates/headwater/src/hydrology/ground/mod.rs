//! Ground and plants: rock, slopes, banks of rivers, and the forest that protects the soil.

pub(super) mod banks;
pub(super) mod creep;
pub(super) mod forest;
pub(super) mod rock;
pub(super) mod rock_heterogeneity;
pub(super) mod undercut;
