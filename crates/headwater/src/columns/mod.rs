//! Side-view (x–z) model of water in columns. Pools of columns lie between axis-aligned walls and
//! are connected by openings.
//!
//! A [`Columns`] world is built from a grid of wall and air cells. Vertical runs of air cells form
//! columns, neighbouring columns form pools, and openings connect the pools. [Anchors](Anchor)
//! define the initial water. The water makes waves, flows over sills and through openings, fills
//! spaces below ceilings, and conserves volume exactly. Each column stores its depth as an integer
//! number of quanta (the unit of height), and each edge between two columns stores a velocity. A
//! second numerical scheme, [`Motion::Springs`], moves only the surface. It follows "2D magic in
//! detail, part four: water" (2016).
//!
//! With [`Params::heat`], the model includes temperatures, floating ice, heaters and boiling. The
//! ledger of water counts steam as evaporation.
//!
//! The model has no eddies and no falling water. Water that flows over a sill reaches the water
//! below in the next step.
//!
//! ```
//! use headwater::Region;
//! use headwater::columns::{Columns, Edit, Params};
//!
//! // Two wells joined by a passage at the bottom, with cells of 0.5 m. `~` is an anchor: water
//! // fills everything that is connected to it, up to its level.
//! let mut world = Columns::from_text(
//!     "#.#####.#
//!      #.#####.#
//!      #~#####.#
//!      #.#####.#
//!      #.......#
//!      ##########",
//!     0.5,
//!     Params { damping: 0.5, ..Params::default() },
//! )?;
//! assert_eq!(world.surface_at([3.75, 1.9]), Some(1.0), "metres from the top of the grid");
//! assert!(world.ignored_anchors().is_empty());
//!
//! // Pour 0.25 m³ (per metre of thickness) into the right well.
//! world.edit(&Region::disc([3.75, 0.6], 0.1), Edit::Pour(0.25))?;
//! for _ in 0..1200 {
//!     world.advance(1.0 / 60.0)?;
//! }
//! let [left, right] = [0.75, 3.75].map(|x| world.surface_at([x, 1.9]).unwrap_or(0.0));
//! assert!((left - right).abs() < 0.05 && left < 0.8, "it rises in both: {left} {right}");
//! assert_eq!(world.balance().residual, 0.0, "not a drop is lost");
//!
//! // With heat, water freezes and boils. This lake freezes, at 10 000 times the natural rate.
//! use headwater::columns::Heat;
//! let heat = Heat { air: -10.0, water: Some(1.0), pace: 1e4, ..Heat::default() };
//! let params = Params { heat: Some(heat), ..Params::default() };
//! let mut lake = Columns::from_text("~........\n.........\n.........", 0.5, params)?;
//! for _ in 0..600 {
//!     lake.step();
//! }
//! let ice = lake.ice_thickness_at([2.0, 1.0]).unwrap_or(0.0);
//! assert!(ice > 0.03 && lake.temperature_at([2.0, 1.4]) > Some(0.0), "{ice} m of ice on water");
//! assert_eq!(lake.balance().residual, 0.0, "ice is water");
//! assert_eq!(lake.heat_balance().map(|heat| heat.residual), Some(0.0));
//! # Ok::<(), headwater::InputError>(())
//! ```

mod bodies;
mod edit;
mod heat;
mod layout;
mod model;
mod network;
mod observe;
pub mod open;
mod params;
mod solver;
mod sources;
mod state;
mod step;
mod walls;
mod world;

pub use bodies::body::{Body, Shape};
pub use edit::Edit;
pub use heat::{Heat, Heater, Stratum};
pub use layout::anchor::{Anchor, AnchorKind, IgnoreReason, IgnoredAnchor};
pub use layout::text::{LEGEND, read_map};
pub use observe::joints::{Opening, Waterfall};
pub use observe::layers::{LAYERS, View};
pub use observe::light::{Light, Sun};
pub use observe::outline::Outline;
pub use observe::query::{Bounds, Submersion};
pub use params::{Motion, Params};
pub use sources::source::{Source, Weather, Wind};
pub use state::energy::Energy;
pub use state::fill::WaterRun;
pub use state::snapshot::Snapshot;
pub use world::{Columns, MAX_SIDE};
