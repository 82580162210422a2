//! Pictures of a water world seen from above: shaded relief, water, arrows, particles; PNG frames
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
//! assert_eq!(painter.paint(&view).dimensions(), (200, 150));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod buildings;
mod color;
mod float;
mod gif;
mod grid;
mod ground;
mod hexes;
mod label;
mod liquid;
mod overlay;
mod painter;
mod palette;
mod pixels;
mod pool;
mod relief;
mod scale_bar;
mod scenery;
mod shore;
mod spline;
mod style;
mod text;
mod wall;
mod water_map;
mod write;

pub use float::Float;
pub use gif::write_gif;
pub use painter::Painter;
pub use pixels::{
    ColumnsPainter, ColumnsShown, FloaterLook, PixelPainter, PixelStyle, Shown, Walls,
};
pub use pool::{Floor, PoolGround, PoolLiquid, PoolPainter, PoolStyle, PoolView};
pub use scenery::{River, Scenery, Tree};
pub use style::{Cells, Liquid, Palette, Style, StyleError};
pub use wall::Wall;
pub use water_map::water_map;
pub use write::{WriteError, write_png};

use headwater::{Field, Lattice};

/// What there is to see at one moment. All fields have the lattice's shape; cells that a field
/// does not have count as no data (bed) or as dry.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The grid: it gives the picture its proportions and its metres.
    pub lattice: Lattice,
    /// Height of the ground (m, above `datum`). A height that is no number counts as no data.
    pub bed: &'a Field<f32>,
    /// Depth of the liquid (m). What is below zero or no number counts as dry.
    pub depth: &'a Field<f32>,
    /// Obstacles, drawn as buildings.
    pub closed: Option<&'a Field<bool>>,
    /// Cells of which nothing is known, drawn as a quiet hatched ground.
    pub no_data: Option<&'a Field<bool>>,
    /// Velocity in the cells' centres, to the east and to the south (m/s).
    pub velocity: Option<(&'a Field<f32>, &'a Field<f32>)>,
    /// What drifts on the water.
    pub particles: &'a [Particle],
    /// Culverts, gates and weirs, each by the middles of its mouths (m, to the east and to the south).
    pub structures: &'a [[[f64; 2]; 2]],
    /// What floats on the water.
    pub bodies: &'a [Float],
    /// Rivers, plants and the colours of the ground.
    pub scenery: Option<&'a Scenery>,
    /// Simulated time (s), for the time label.
    pub time: f64,
    /// What the time label says, where it is not a time.
    pub label: Option<&'a str>,
    /// The height above sea level that a bed of zero stands for (m). Contours lie at round heights
    /// above the sea, and the palette `island` puts its beaches there.
    pub datum: f64,
}

impl<'a> View<'a> {
    /// A view of ground and water alone, at time zero and with heights above the sea.
    pub fn new(lattice: impl Into<Lattice>, bed: &'a Field<f32>, depth: &'a Field<f32>) -> Self {
        Self {
            lattice: lattice.into(),
            bed,
            depth,
            closed: None,
            no_data: None,
            velocity: None,
            particles: &[],
            structures: &[],
            bodies: &[],
            scenery: None,
            time: 0.0,
            label: None,
            datum: 0.0,
        }
    }
}

/// A speck that drifts on the water, drawn as a bright streak.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    /// From the top-left corner to the east and to the south (m).
    pub position: [f64; 2],
    /// To the east and to the south (m/s).
    pub velocity: [f64; 2],
    /// From 0, just born, to 1, about to die.
    pub age: f32,
}
