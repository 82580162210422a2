//! [`Banded`]: a world of which nobody has all rows: one process has only some of them in memory at a time, or several have some rows each.
//!
//! It is a world in [parts](crate::part). Whoever has some of them ([`Bands`]) steps them one after the other. Parts that are not stepped just now can be
//! put on a [`PageStore`](crate::distributed::PageStore), as bytes; one of which all tiles sleep, and whose neighbours leave its halo as it is, is not looked at until that changes. What the step's
//! length depends on is kept of each part. Such a world never was in one piece: it is made window by window from an
//! [`Outline`], and whoever drives it asks its [`Keepers`] piece by piece: one process that has all of its bands, or others, by whatever way words
//! get to them and back.
//!
//! ```
//! use headwater::flow::{Banded, Flow, Outline, Params, Window};
//! use headwater::distributed::MemoryStore;
//! use headwater::{Field, InputError, Square};
//!
//! let lattice = Square::new(20, 300, 1.0, 1.0)?;
//! let bed = |y: usize| 0.01 * y as f32;
//! let outline = Outline::new(lattice, Params::default())?;
//! // Three bands and their halos have room in memory at once.
//! let mut world = Banded::new(outline, 100_000, MemoryStore::default(), |rows| {
//!     let (first, ny) = (rows.start, rows.len());
//!     let bed = Field::from_fn(20, ny, |_, y| bed(first + y));
//!     let depth = bed.map(|&z| (2.0 - z).max(0.0));
//!     Ok::<_, std::io::Error>(Window::new(bed, depth))
//! })?;
//! while world.steps_toward(5.0, 100)? > 0 {}
//!
//! let bed = Field::from_fn(20, 300, |_, y| bed(y));
//! let depth = bed.map(|&z| (2.0 - z).max(0.0));
//! let mut flow = Flow::new(lattice, Params::default(), bed, depth)?;
//! flow.advance(5.0)?;
//! assert_eq!(world.state_hash()?, flow.state_hash());
//! assert_eq!(world.ledger(), flow.ledger());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answering;
mod archive;
mod ask;
mod asking;
mod band;
mod bands;
mod besides;
mod edits;
mod kept;
mod moving;
mod outlets;
mod outline;
mod pack;
mod reading;
mod rounds;
mod shares;
mod stored;
mod sum;
mod telling;
mod whole;
mod window;

pub use archive::Archive;
pub use ask::{Ask, Keepers, Told};
pub use asking::There;
pub use bands::{Bands, Room};
pub use outline::Outline;
pub use shares::Handover;
pub use whole::Banded;
pub use window::{BandView, Window};
