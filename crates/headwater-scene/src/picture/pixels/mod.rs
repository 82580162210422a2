//! Pictures of worlds in side view, blocks and pools: pixel art scaled by whole numbers, and charts.
//!
//! A [`PixelPainter`] fixes from the first moment of a run what does not change: the size, where the open
//! sky was, what lies behind dug-out cells, the scale of pressures. Same world and style: same bytes, for
//! every number of threads. What a cell looks like follows from the cell, its neighbours and its place, so
//! a run that is resumed goes on with the same pictures. Only the colours of bodies follow what was drawn
//! before; a run keeps them with its state.
//!
//! ```
//! use headwater::blocks::{Blocks, Params};
//! use headwater_scene::picture::{PixelPainter, PixelStyle};
//! let mut world = Blocks::from_text("#~#.#\n#~~~#\n#####", Params::default())?;
//! let mut painter = PixelPainter::new(PixelStyle { width: 80, ..PixelStyle::default() }, &world)?;
//! world.run_to_rest(10);
//! let picture = painter.paint(&world);
//! assert_eq!((picture.nx(), picture.ny()), (80, 48));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod backdrop;
mod canvas;
mod chart;
mod colors;
mod columns;
mod ground;
mod legend;
mod light;
mod lines;
mod liquid;
mod marks;
mod mirror;
mod painter;
mod rock;
mod scene;
mod stone;
mod style;
mod surface;

pub use columns::{ColumnsPainter, ColumnsShown, PoolBodyKind};
pub use painter::PixelPainter;
pub use style::{PixelStyle, Shown, Walls};
