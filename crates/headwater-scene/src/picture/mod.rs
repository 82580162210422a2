//! Pictures of a water world seen from above: shaded relief, water, particles; PNG frames
//! and animated GIFs.
//!
//! A [`View`] is what there is to see, a [`Style`] how it shall look, and a [`Painter`] draws one
//! picture after another with the colour scales of the first, so that the frames of a run fit
//! together. Same view and style: same bytes, for every number of threads.
//!
//! This is not a renderer for the screen (the playground has its own), and nothing here changes or
//! measures the world.
//!
//! ```
//! use headwater::{Field, lattice::Square};
//! use headwater_scene::picture::{Painter, Style, View};
//! let lattice = Square::new(40, 30, 5.0, 5.0)?;
//! let bed = Field::from_fn(40, 30, |x, y| ((x as f32 - 20.0).powi(2) + y as f32) * 0.02);
//! let depth = bed.map(|&z| (1.0 - z).max(0.0));
//! let view = View::new(lattice, &bed, &depth);
//! let mut painter = Painter::new(Style { width: 200, ..Style::default() }, &view)?;
//! let picture = painter.paint(&view);
//! assert_eq!((picture.nx(), picture.ny()), (200, 150));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body_kinds;
mod body_sprite;
mod buildings;
mod color;
mod file;
mod gif;
mod grid;
mod ground;
mod hexes;
mod label;
mod labels;
mod light;
mod liquid;
mod overlay;
mod painter;
mod palette;
mod panels;
mod pixels;
mod pool;
mod relief;
mod ribbons;
mod scales;
mod scenery;
mod shore;
mod spline;
mod strokes;
mod style;
mod text;
mod trees;
mod typeface;
mod view;
mod water_map;
mod write;

pub use body_kinds::BodyKinds;
pub use body_sprite::{BodySprite, hull};
pub use color::{color_at, random};
pub(crate) use file::encode;
pub use file::{Picture, from_png, to_png};
pub use gif::write_gif;
pub use light::sun_direction;
pub use painter::Painter;
pub use palette::paint;
pub(crate) use panels::arrange;
pub use pixels::{
    ColumnsPainter, ColumnsShown, PixelPainter, PixelStyle, PoolBodyKind, Shown, Walls,
};
pub use pool::{Floor, PoolGround, PoolLiquid, PoolPainter, PoolStyle, PoolView};
pub use scales::{contour_interval, deep_depth, fast_speed, height_range};
pub use scenery::{Building, Crown, River, RiverPoint, Scenery, Tree, TreeKind, buildings};
pub use shore::{BANK_RATIO, FLATTEST_BANK, STEEPEST_BANK};
pub use style::{Cells, Liquid, Palette, Style};
pub use typeface::{Letter, Typeface};
pub use view::{Particle, View};
pub use water_map::water_map;
pub use write::{WriteError, write_png};
