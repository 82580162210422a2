//! Pictures of a rippling pool seen from above. The surface reflects sky and sun, and the bed below
//! shows refraction and caustics.
//!
//! Pictures are made as with [`Painter`](super::Painter): a [`PoolView`] references the data to
//! draw, a [`PoolStyle`] sets the appearance, and a [`PoolPainter`] draws. The same view and style
//! give the same bytes for any number of threads.
//!
//! ```
//! use headwater::{Square, waves::{Params, Waves}};
//! use headwater_render::{PoolPainter, PoolStyle, PoolView};
//! let mut waves = Waves::new(Square::new(60, 40, 0.05, 0.05)?, Params { speed: 1.0, ..Params::default() })?;
//! waves.add_drop([1.5, 1.0], 0.4, 0.03)?;
//! waves.advance(0.5)?;
//! let view = PoolView::from_waves(&waves, &[]);
//! let style = PoolStyle { width: 240, ..PoolStyle::default() };
//! let mut painter = PoolPainter::new(style, &view)?;
//! let picture = painter.paint(&view);
//! assert_eq!((picture.nx(), picture.ny()), (240, 160));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod banks;
mod floor;
mod ground;
mod liquid;
mod optics;
mod painter;
mod style;
mod view;

pub use ground::PoolGround;
pub use painter::PoolPainter;
pub use style::{Floor, PoolLiquid, PoolStyle};
pub use view::PoolView;
