//! A land in parts, each of which somebody else carves by stream power: see [`crate::part`].
//!
//! A part is a land of fewer rows with a halo, and its soil creeps and its plants grow by the loops of any land, between which rows are swapped. What
//! water does takes no regard of borders, and is put together from what each part knows of its own rows:
//!
//! - **Basins** end at the part's borders, and are joined there in rounds ([`basins`]).
//! - **The hierarchy of depressions** is built by every part alike, of the few saddles that each part finds to join the basins of its rows ([`joints`]): the
//!   merging of spill graphs (R. Barnes, "Parallel priority-flood depression filling for trillion cell digital elevation models", Computers & Geosciences 96:56,
//!   2016), but that graphs are of basins instead of watersheds of tiles' rims, and are put together to the hierarchy of the whole map.
//! - **Lakes** are the same in all parts. Of their floors each part has its own cells; what counts and sums of these say, as the level of a volume, is found together ([`levels`], [`silt`]).
//! - **Rivers** are trees that borders cut to pieces. Areas and sediment go down from piece to piece, heights up, each piece as soon as it knows what it needs ([`rivers`]).
//! - **Hills** that creep along columns are eliminated from part to part, by strips of columns, so that all parts have some to do ([`hills`]).
//!
//! Heights, areas and volumes are whole numbers, whose sums do not depend on their order, and what has rounding is reckoned for each cell or lake by itself: so the outcome is
//! that of one land, bit for bit. Drops are not carved so: see [`Hydrology::share`](super::Hydrology::share).

mod basins;
mod hills;
mod home;
mod joints;
mod levels;
mod log;
mod rivers;
mod share;
mod silt;
mod stepping;
mod strip;
mod talk;
mod trees;
mod waters;
mod ways;

pub use home::PartRows;
pub use log::Log;
pub use share::Share;
pub use stepping::Part;
