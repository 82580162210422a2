//! Ripples on a water surface with a given mean level, for ponds, pools and fountains.
//!
//! A [`Waves`] world is a water surface over square cells with boundary conditions and forcing. It
//! solves the damped wave equation `∂²z/∂t² = c²·∇²z − μ·∂z/∂t` (E. Lengyel, *Mathematics for 3D
//! Game Programming and Computer Graphics*, ch. 15) with a fixed time step. Only open edges and
//! [`Waves::set_surface`] add or remove water, and the sum of all heights is exact. A current can
//! advect the surface ([`Waves::set_current`]). Waves do not break, and the shoreline moves only
//! when the land mask changes, for example in [`coupling`](crate::coupling).
//!
//! ```
//! use headwater::waves::{Body, Edit, EdgeKind, Edges, Params, Shape, Waves};
//! use headwater::{Brush, Region, Square};
//!
//! // A pond of 12 m × 8 m, open to the east.
//! let lattice = Square::new(120, 80, 0.1, 0.1)?;
//! let edges = Edges { east: EdgeKind::Absorbing, ..Edges::default() };
//! let mut waves = Waves::new(lattice, Params { speed: 1.5, edges, ..Params::default() })?;
//!
//! // An island, a drop beside it, and a boat under way.
//! waves.edit(&Brush::with_flat_falloff(Region::disc([6.0, 4.0], 1.0)), Edit::Land)?;
//! waves.add_drop([3.0, 4.0], 0.4, 0.05)?;
//! let shape = Shape::Rect { half: [0.4, 0.2] };
//! let boat = Body { shape, position: [2.0, 6.5], velocity: [1.2, 0.0], draft: 0.05 };
//! waves.add_body(boat)?;
//!
//! // Frames of any length: whole steps are taken, and the rest gives the interpolation factor.
//! for _ in 0..36 {
//!     let frame = waves.advance(1.0 / 36.0)?;
//!     let _surface = waves.interpolate_heights(frame.alpha);
//! }
//! assert_eq!(waves.steps(), 60);
//! assert!(waves.surface_at([4.2, 4.0]).is_some_and(|z| z != 0.0), "the ring has arrived");
//!
//! // Light gathers below crests; none is lost.
//! let light = waves.caustics(1.0);
//! assert!((light.sum() / 9600.0 - 1.0).abs() < 1e-6);
//! // Volume is lost only through the open edge.
//! assert!(waves.balance().residual.abs() < 1e-12);
//!
//! // A step that is too long is rejected, and the error contains the longest stable step.
//! let hasty = Params { speed: 1.5, step: 0.1, ..Params::default() };
//! assert!(Waves::new(lattice, hasty).unwrap_err().to_string().contains("steps up to 0.0471"));
//! # Ok::<(), headwater::InputError>(())
//! ```

mod context;
mod current;
mod dispersion;
mod disturb;
mod forcing;
mod model;
mod observe;
mod params;
mod solver;
mod state;
mod step;
mod world;

pub use disturb::Edit;
pub use forcing::body::{Body, Shape};
pub use forcing::maker::WaveMaker;
pub use forcing::weather::{Rain, Wind};
pub use observe::energy::Energy;
pub use observe::layers::{LAYERS, View, refracted_direction};
pub use observe::stencil::{PointStencil, SurfaceSample};
pub use params::{EdgeKind, Edges, Params};
pub use state::State;
pub use state::device::{AbsorbingProfile, Coefficients, DeviceState, DeviceView, Forcing};
pub use state::snapshot::Snapshot;
pub use world::Waves;
