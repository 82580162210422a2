//! Pictures of worlds, from above and from the side, as PNG frames and animated GIFs.
//!
//! A [`View`] references the data to draw, a [`Style`] sets the appearance, and a [`Painter`] draws
//! a sequence of pictures with the colour scales of the first, so that the frames of a run match.
//! The same view and style give the same bytes for any number of threads.
//!
//! This is not an interactive renderer (the playground has its own). Drawing never changes the
//! world.
//!
//! ```
//! use headwater::{Field, lattice::Square};
//! use headwater_render::{Painter, Style, View};
//! let lattice = Square::new(40, 30, 5.0, 5.0)?;
//! let bed = Field::from_fn(40, 30, |x, y| ((x as f32 - 20.0).powi(2) + y as f32) * 0.02);
//! let depth = bed.map(|&z| (1.0 - z).max(0.0));
//! let view = View::new(lattice, &bed, &depth);
//! let mut painter = Painter::new(Style { width: 200, ..Style::default() }, &view)?;
//! let picture = painter.paint(&view);
//! assert_eq!((picture.nx(), picture.ny()), (200, 150));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod annotations;
mod body_kinds;
mod body_sprite;
mod buildings;
mod color;
mod components;
mod file;
mod format;
mod gif;
mod grid;
mod ground;
mod hex_resampling;
mod hexes;
mod light;
mod liquid;
mod overlay;
mod painter;
mod palette;
mod panels;
mod pixels;
mod pool;
mod relief;
mod river_pixels;
mod scales;
mod scenery;
mod segments;
mod shore;
mod spline;
mod style;
mod text;
mod trees;
mod typeface;
mod view;
mod water_map;
mod write;

pub use body_kinds::{BodyKind, BodyKinds};
pub use body_sprite::{BodySprite, hull};
pub use color::{color_at, random};
pub use components::connected_components;
pub use file::{Picture, from_png, to_png};
pub use gif::write_gif;
pub use hex_resampling::HexResampler;
pub use light::sun_direction;
pub use painter::Painter;
pub use palette::paint;
pub use panels::arrange;
pub use pixels::{
    ColumnsPainter, ColumnsShown, PixelPainter, PixelStyle, PoolBodyKind, Shown, Walls,
};
pub use pool::{Floor, PoolGround, PoolLiquid, PoolPainter, PoolStyle, PoolView};
pub use scales::{contour_interval, deep_depth, fast_speed, height_range};
pub use scenery::{Building, Crown, River, RiverPoint, Scenery, Tree, TreeKind, buildings};
pub use shore::{BANK_RATIO, FLATTEST_BANK, STEEPEST_BANK};
pub use style::{Cells, Liquid, Palette, Style};
pub use typeface::{Glyph, Typeface};
pub use view::{Particle, View};
pub use water_map::water_map;
pub use write::{WriteError, write_png};

/// README of the package. Its code example is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
