//! Side-view pictures of block worlds and pools, drawn as pixel art at an integer scale or as
//! charts.
//!
//! At the start of a run, a [`PixelPainter`] fixes the picture size, the open sky, the background
//! of dug-out cells and the pressure scale. The same world and style give the same bytes for any
//! number of threads. The appearance of a cell depends only on the cell, its neighbours and its
//! position, so a resumed run continues with the same pictures. Only the colours of bodies of
//! liquid depend on earlier pictures; they are stored in checkpoints.
//!
//! ```
//! use headwater::blocks::{Blocks, Params};
//! use headwater_render::{PixelPainter, PixelStyle};
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

pub use columns::{ColumnsContent, ColumnsPainter, PoolBodyKind};
pub use painter::PixelPainter;
pub use style::{BlocksContent, PixelStyle, Walls};
