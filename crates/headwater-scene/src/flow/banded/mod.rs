//! Worlds of flow of which only some rows are in memory at a time (`headwater run SCENE --memory 4GiB`), to the same bits as
//! any other.
//!
//! The ground is made some rows at a time ([`world`](self::world)), what is not in memory lies in a folder ([`shelf`](self::shelf)), layers are written
//! band by band, and pictures show one of so many cells ([`overview`](self::overview)). What is not done so is refused by name ([`refused`](self::refused)).

mod bits;
mod lakes;
mod overview;
mod refused;
mod run;
mod shelf;
mod world;
mod write;

pub(super) use run::BandedRun;
