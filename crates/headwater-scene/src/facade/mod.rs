//! [`Facade`]: a world as programs in other languages drive it, by names and numbers alone, whichever model moves it. The bindings of C,
//! Python and JavaScript are thin over it: what is checked, is checked here, and what is wrong is told here.
//!
//! It makes nothing up: scenes are read by [`scene`](crate::scene), lived by [`live`](crate::live), and what a world can do is the
//! model's [`Model`](headwater::Model). Every public method of `Facade` is in every binding, by a test.
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
mod keep;
mod place;
mod source;
mod things;
mod view;

pub use advance::{AdvanceOutcome, Progress};
pub use error::{ErrorKind, FacadeError};
pub use facade::{Facade, Grid};
pub use place::Place;
pub use source::Source;
