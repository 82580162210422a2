//! A world of water over terrain in parts, each of which somebody else steps: see [`crate::part`].
//!
//! What a step needs to know of the whole grid is the [greatest](crate::part::Peers::greatest) of a few numbers, which is the same in whatever order it is
//! looked for: how deep the water is, how fast waves are; and the depths in the mouths of structures, of which all parts work out by
//! themselves what passes. What the ledger adds up is kept term by term in a [`Log`] and added up by the world at home, in the order
//! of the rows. Nothing else goes from part to part.
//!
//! ```
//! use headwater::flow::{Flow, Params, Part};
//! use headwater::part::{Alone, bands};
//! use headwater::{Field, Square};
//!
//! let lattice = Square::new(20, 30, 1.0, 1.0)?;
//! let bed = Field::from_fn(20, 30, |x, _| 0.1 * x as f32);
//! let mut flow = Flow::new(lattice, Params::default(), bed.clone(), bed.map(|&z| 2.0 - z))?;
//! let mut there = flow.clone();
//! let shares = there.share(&bands(30, 1))?;
//! let mut parts = shares.into_iter().map(Part::new).collect::<Result<Vec<_>, _>>()?;
//! while parts[0].steps_toward(5.0, 100, &mut Alone)? > 0 {}
//! let mut ledger = there.ledger().clone();
//! there.book(&[parts[0].take_log()], &mut ledger)?;
//! there.take_back(&[parts[0].rows()], ledger)?;
//! flow.advance(5.0)?;
//! assert_eq!(there.state_hash(), flow.state_hash());
//! assert_eq!(there.ledger(), flow.ledger());
//! # Ok::<(), headwater::InputError>(())
//! ```

mod banded;
mod home;
mod length;
mod log;
mod mouths;
mod rows;
mod share;
mod stepping;

pub use banded::{
    Archive, Ask, BandView, Banded, Bands, Handover, Keepers, Outline, Room, There, Told, Window,
};
pub use log::Log;
pub use rows::PartRows;
pub use share::Share;
pub use stepping::Part;
