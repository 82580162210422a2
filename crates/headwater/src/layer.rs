//! [`Layer`]: what every model says of the layers it can show, and how they are written to fields that callers keep.

use crate::changes::Tile;
use crate::error::InputError;
use crate::field::Field;

/// A layer's name, unit and meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Layer {
    /// The name to ask for it by.
    pub name: &'static str,
    /// The unit of its values.
    pub unit: &'static str,
    /// What it shows.
    pub meaning: &'static str,
    /// Where its values may change when something changes in a cell.
    pub reach: Reach,
}

/// Where the values of a layer may change when a cell changes, as [`Changes`](crate::changes::Changes) tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reach {
    /// In the tiles that are told.
    Cell,
    /// There, and in the cells around them.
    Neighbours,
    /// Anywhere, when anything is told, the world has been stepped or a parameter set: light, pressure, what is awake.
    Anywhere,
}

impl Layer {
    /// A layer whose values follow from their own cells.
    pub const fn new(name: &'static str, unit: &'static str, meaning: &'static str) -> Self {
        Self { name, unit, meaning, reach: Reach::Cell }
    }

    /// The same, with values that follow from cells further away.
    #[must_use]
    pub const fn with_reach(self, reach: Reach) -> Self {
        Self { reach, ..self }
    }
}

impl Reach {
    /// Where values may have changed when cells of a tile have, on a grid of `nx × ny` cells.
    pub fn expand(self, tile: Tile, [nx, ny]: [usize; 2]) -> Tile {
        match self {
            Self::Cell => tile.grown(0, [nx, ny]),
            Self::Neighbours => tile.grown(1, [nx, ny]),
            Self::Anywhere => Tile { x: 0, y: 0, nx, ny },
        }
    }
}

/// Defines a model's layers: an enum `View`, the table `LAYERS`, and the world's `layer` and
/// `view_into` by its methods `view`, which returns a `$field`, and `write`.
macro_rules! layers {
    ($world:ty, $field:ty; $($variant:ident: $name:literal, $unit:literal, $meaning:literal $(, $reach:ident)?;)*) => {
        /// What of a world can be seen as a field: one of its [`LAYERS`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum View {
            $(#[doc = concat!("`", $name, "`: ", $meaning, ".")] $variant,)*
        }

        /// Every layer of a world, in the order of [`View::ALL`].
        pub const LAYERS: [$crate::layer::Layer; [$($name),*].len()] = [$(
            $crate::layer::Layer::new($name, $unit, $meaning)
                $(.with_reach($crate::layer::Reach::$reach))?
        ),*];

        impl View {
            /// All of them.
            pub const ALL: [Self; LAYERS.len()] = [$(Self::$variant),*];

            /// Its name, unit and meaning.
            pub const fn layer(self) -> &'static $crate::layer::Layer {
                &LAYERS[self as usize]
            }

            /// The one of a layer's name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|view| view.layer().name == name)
            }
        }

        impl $world {
            /// The layer of that name, of the shape of the grid, or `None` if there is no such layer (see [`LAYERS`]).
            pub fn layer(&self, name: &str) -> Option<$field> {
                Some(self.view(View::from_name(name)?))
            }

            /// Writes to a field what of a layer may have changed with cells of these tiles: there,
            /// and within the layer's [`reach`](crate::Layer::reach). Later calls do not allocate.
            ///
            /// # Errors
            /// [`InputError`](crate::InputError) if the field has another shape than the grid.
            pub fn view_into(
                &self,
                view: View,
                tiles: &[$crate::changes::Tile],
                into: &mut $crate::field::Field<f32>,
            ) -> Result<(), $crate::error::InputError> {
                $crate::layer::check_layer_shape(into, self.grid())?;
                self.write(view, tiles, into);
                Ok(())
            }

            fn compute_layer(&self, view: View) -> $crate::field::Field<f32> {
                let [nx, ny] = self.grid();
                let mut field = $crate::field::Field::new(nx, ny, 0.0);
                self.write(view, &[$crate::changes::Tile::all([nx, ny])], &mut field);
                field
            }
        }
    };
}
pub(crate) use layers;

pub(crate) fn unknown_layer(name: &str, all: &[Layer]) -> InputError {
    let names: Vec<_> = all.iter().map(|layer| layer.name).collect();
    InputError::new("a layer", format_args!("\"{name}\""), names.join(", "))
}

pub(crate) fn check_layer_shape(into: &Field<f32>, grid: [usize; 2]) -> Result<(), InputError> {
    InputError::check_shape("a field to view into", [into.nx(), into.ny()], grid)
}

/// Writes the values of a layer that may have changed when cells of some tiles have.
pub(crate) fn write(
    layer: &Layer,
    tiles: &[Tile],
    into: &mut Field<f32>,
    value: impl Fn(usize, usize) -> f32,
) {
    let grid = [into.nx(), into.ny()];
    for tile in tiles.iter().map(|&tile| layer.reach.expand(tile, grid)) {
        for y in tile.y..tile.y + tile.ny {
            for (x, into) in (tile.x..).zip(&mut into.row_mut(y)[tile.x..tile.x + tile.nx]) {
                *into = value(x, y);
            }
        }
    }
}
