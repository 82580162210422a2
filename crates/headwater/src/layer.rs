//! [`Layer`]: description of a field that a model can output, such as the water depth. The module
//! also updates output fields incrementally from changed tiles.

use crate::changes::Tile;
use crate::error::InputError;
use crate::field::Field;

/// Name, unit and meaning of a field that a model can output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Layer {
    /// Name of the layer, by which queries select it.
    pub name: &'static str,
    /// Unit of the layer's values.
    pub unit: &'static str,
    /// Short description of the layer's values, for users.
    pub meaning: &'static str,
    /// Area around a changed cell in which the layer's values may change.
    pub reach: Reach,
}

/// Area around a changed tile in which the values of a layer may change. The changed tiles are
/// listed in [`Changes`](crate::changes::Changes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reach {
    /// Only the cells of the changed tile.
    Cell,
    /// The changed tile and the cells adjacent to it.
    Neighbours,
    /// The whole grid. Values of such a layer may change anywhere after any step, edit or parameter
    /// change. Examples are light, pressure and activity.
    Anywhere,
}

impl Layer {
    /// Creates a layer whose value in a cell depends only on that cell.
    pub const fn new(name: &'static str, unit: &'static str, meaning: &'static str) -> Self {
        Self { name, unit, meaning, reach: Reach::Cell }
    }

    /// Returns a copy of the layer with the given reach. Use this method for layers whose value in
    /// a cell depends on other cells.
    #[must_use]
    pub const fn with_reach(self, reach: Reach) -> Self {
        Self { reach, ..self }
    }
}

impl Reach {
    /// Returns the area in which values of a layer with this reach may have changed if the cells of
    /// `tile` have changed, on a grid of `nx × ny` cells.
    pub fn expand_tile(self, tile: Tile, [nx, ny]: [usize; 2]) -> Tile {
        match self {
            Self::Cell => tile.expanded(0, [nx, ny]),
            Self::Neighbours => tile.expanded(1, [nx, ny]),
            Self::Anywhere => Tile { x: 0, y: 0, nx, ny },
        }
    }
}

/// Defines the layers of a model: an enum `View`, the table `LAYERS`, and the methods `layer` and
/// `view_into`. The generated methods call the model's own methods `view`, which returns a
/// `$field`, and `write`.
macro_rules! layers {
    ($world:ty, $field:ty; $($variant:ident: $name:literal, $unit:literal, $meaning:literal $(, $reach:ident)?;)*) => {
        /// Layer that the model can output; [`LAYERS`] contains the descriptions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum View {
            $(#[doc = concat!("`", $name, "`: ", $meaning, ".")] $variant,)*
        }

        /// Descriptions of all layers of the model, in the order of [`View::ALL`].
        pub const LAYERS: [$crate::layer::Layer; [$($name),*].len()] = [$(
            $crate::layer::Layer::new($name, $unit, $meaning)
                $(.with_reach($crate::layer::Reach::$reach))?
        ),*];

        impl View {
            /// All variants of the enum, in the order of [`LAYERS`].
            pub const ALL: [Self; LAYERS.len()] = [$(Self::$variant),*];

            /// Returns the name, unit and meaning of this layer.
            pub const fn layer(self) -> &'static $crate::layer::Layer {
                &LAYERS[self as usize]
            }

            /// Returns the layer with the given name; `None` if the name is unknown.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|view| view.layer().name == name)
            }
        }

        impl $world {
            /// Returns the values of the layer with the given name, one per cell; `None` if the
            /// name is unknown (see [`LAYERS`]).
            pub fn layer(&self, name: &str) -> Option<$field> {
                Some(self.view(View::from_name(name)?))
            }

            /// Updates a copy of a layer's values in the field `into`. Recomputes those values that
            /// may have changed because the cells of `tiles` have changed, including values within
            /// the [`reach`](crate::Layer::reach) of the layer around the tiles. Repeated calls do
            /// not allocate.
            ///
            /// # Errors
            /// Returns [`InputError`](crate::InputError) if the shape of the field is not that of
            /// the grid.
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

            /// Computes the values of a layer in all cells and returns them in a new field.
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

/// Creates the error for an unknown layer name. The message lists the names of the layers in `all`.
pub(crate) fn unknown_layer(name: &str, all: &[Layer]) -> InputError {
    let names: Vec<_> = all.iter().map(|layer| layer.name).collect();
    InputError::new("a layer", format_args!("\"{name}\""), names.join(", "))
}

pub(crate) fn check_layer_shape(into: &Field<f32>, grid: [usize; 2]) -> Result<(), InputError> {
    InputError::check_shape("the shape of the output field", [into.nx(), into.ny()], grid)
}

/// Writes to a field those values of a layer that may have changed because the cells of `tiles`
/// have changed. `value` returns the value at a given column and row.
pub(crate) fn write(
    layer: &Layer,
    tiles: &[Tile],
    into: &mut Field<f32>,
    value: impl Fn(usize, usize) -> f32,
) {
    let grid = [into.nx(), into.ny()];
    for tile in tiles.iter().map(|&tile| layer.reach.expand_tile(tile, grid)) {
        for y in tile.y..tile.y + tile.ny {
            for (x, into) in (tile.x..).zip(&mut into.row_mut(y)[tile.x..tile.x + tile.nx]) {
                *into = value(x, y);
            }
        }
    }
}
