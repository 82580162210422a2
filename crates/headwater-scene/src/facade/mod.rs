//! [`Facade`]: a world of any model, accessed through names and numbers, for bindings to other
//! languages. The bindings for C, Python and JavaScript are thin wrappers, because the facade
//! checks all arguments and formats all error messages.
//!
//! The facade adds no simulation of its own: [`scene`](crate::scene) reads scenes,
//! [`live`](crate::live) runs them, and the model's capabilities come from
//! [`Model`](headwater::Model). A test checks that every binding has every public method of
//! `Facade`.
//!
//! ```
//! use headwater_scene::facade::{Facade, Place, Source};
//! let set = [("seed".to_owned(), "7".to_owned())];
//! let mut world = Facade::create(&Source::Library("dam-breach"), &set)?;
//! world.advance(2.0, &mut |_| true)?;
//! world.edit("lower", &Place::disc([200.0, 150.0], 12.0), 3.0)?;
//! let spring = world.add_spring(&Place::disc([100.0, 100.0], 4.0), 2.0)?;
//! world.advance(2.0, &mut |_| true)?;
//! world.remove_spring(spring)?;
//! let depth = world.layer("depth")?;
//! assert_eq!([depth.nx(), depth.ny()], [world.grid().nx, world.grid().ny]);
//! let error = world.edit("lover", &Place::everywhere(), 1.0).unwrap_err();
//! assert!(error.found.is_some_and(|found| found == "\"lover\""));
//! # Ok::<(), headwater_scene::facade::FacadeError>(())
//! ```

mod advance;
mod edit;
mod error;
#[expect(clippy::module_inception, reason = "the facade is what it is about")]
mod facade;
mod gauges;
mod objects;
mod place;
mod source;
mod state;
mod view;

pub use advance::{AdvanceOutcome, Progress};
pub use error::{ErrorKind, FacadeError};
pub use facade::{Facade, Grid};
pub use place::Place;
pub use source::Source;
