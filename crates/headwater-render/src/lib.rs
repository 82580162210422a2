//! Pictures of worlds, from above and from the side, as PNG frames and animated GIFs.
//!
//! A [`View`] references the data to draw, and a [`Style`] sets the appearance. A [`Painter`] draws
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

mod bodies;
mod color;
mod labels;
mod output;
mod overlay;
mod painter;
mod pixels;
mod pool;
mod scales;
mod scenery;
mod style;
mod terrain;
mod view;
mod water;

pub use bodies::body_kinds::{BodyKind, BodyKinds};
pub use bodies::body_sprite::{BodySprite, hull_half_width};
pub use color::light::sun_direction;
pub use color::palette::paint;
pub use color::{color_at, hash_to_unit_interval};
pub use labels::typeface::{Glyph, Typeface};
pub use output::file::{Picture, from_png, to_png};
pub use output::gif::write_gif;
pub use output::panels::arrange_panels;
pub use output::write::{WriteError, write_png};
pub use painter::Painter;
pub use pixels::{
    BlocksContent, ColumnsContent, ColumnsPainter, PixelPainter, PixelStyle, PoolBodyKind, Walls,
};
pub use pool::{Floor, PoolGround, PoolLiquid, PoolPainter, PoolStyle, PoolView};
pub use scales::{contour_interval, default_deep_depth, default_fast_speed, height_range};
pub use scenery::components::connected_components;
pub use scenery::{Building, Crown, River, RiverPoint, Scenery, Tree, TreeKind, find_buildings};
pub use style::{CellStyle, Liquid, Palette, Style};
pub use terrain::hex_resampling::HexResampler;
pub use view::{Particle, View};
pub use water::shore::{BANK_RATIO, FLATTEST_BANK, STEEPEST_BANK};
pub use water::water_map::draw_water_map;

/// README of the package. Its code example is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
