//! [`Layer`]: description of a field that a model can output, such as the water depth. The module
//! also updates output fields incrementally from changed tiles.

use crate::changes::Tile;
use crate::error::InputError;
use crate::field::Field;
use crate::parallel::for_each_band;
use crate::region::Point;
use std::ops::Range;

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

    /// Returns a copy of the layer with the given `reach`, the area around a changed tile in which
    /// the layer's values may change. Use this method for layers whose value in a cell depends on
    /// other cells.
    #[must_use]
    pub const fn with_reach(self, reach: Reach) -> Self {
        Self { reach, ..self }
    }
}

impl Reach {
    /// Returns the area in which values of a layer with this reach may change if the cells of
    /// `tile` change. The grid has `nx × ny` cells.
    pub fn expand_tile(self, tile: Tile, [nx, ny]: [usize; 2]) -> Tile {
        match self {
            Self::Cell => tile.expanded(0, [nx, ny]),
            Self::Neighbours => tile.expanded(1, [nx, ny]),
            Self::Anywhere => Tile { x: 0, y: 0, nx, ny },
        }
    }
}

/// Defines the layers of a model: an enum `View`, the table `LAYERS`, and the methods `layer`,
/// `view_into`, `read_layer` and `compute_layer`. The model itself must have two methods, which the
/// generated methods call: `view`, which returns a layer as a `$field`, and `write`, which writes a
/// layer to a [`LayerOutput`].
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
                $crate::layer::check_layer_shape(into, self.grid_size())?;
                self.write(view, $crate::layer::LayerOutput::new(view.layer().reach, tiles, into));
                Ok(())
            }

            /// Writes the values of a layer in the cells of `tiles` to `into`, a row-major array of
            /// `ny · nx` values. Computes only these values, except for layers with the reach
            /// `Anywhere`. Tiles are clipped to the grid.
            ///
            /// # Errors
            /// Returns [`InputError`](crate::InputError) if the array has another length.
            pub fn read_layer(
                &self,
                view: View,
                tiles: &[$crate::changes::Tile],
                into: &mut [f32],
            ) -> Result<(), $crate::error::InputError> {
                self.write(view, $crate::layer::LayerOutput::from_slice(tiles, into, self.grid_size())?);
                Ok(())
            }

            /// Computes the values of a layer in all cells and returns them in a new field.
            fn compute_layer(&self, view: View) -> $crate::field::Field<f32> {
                let [nx, ny] = self.grid_size();
                let mut field = $crate::field::Field::new(nx, ny, 0.0);
                let tiles = &[$crate::changes::Tile::all([nx, ny])];
                self.write(
                    view,
                    $crate::layer::LayerOutput::new($crate::layer::Reach::Cell, tiles, &mut field),
                );
                field
            }
        }
    };
}
pub(crate) use layers;

/// Creates the error for an unknown layer name. The message lists the names of the layers in
/// `layers`.
pub(crate) fn unknown_layer(name: &str, layers: &[Layer]) -> InputError {
    let names: Vec<_> = layers.iter().map(|layer| layer.name).collect();
    InputError::new("a layer", format_args!("\"{name}\""), names.join(", "))
}

pub(crate) fn check_layer_shape(into: &Field<f32>, grid: [usize; 2]) -> Result<(), InputError> {
    InputError::check_shape("the shape of the output field", [into.nx(), into.ny()], grid)
}

pub(crate) fn check_sample_count(points: &[Point], into: &[f32]) -> Result<(), InputError> {
    let fits = into.len() == points.len();
    InputError::check("the length of the output", into.len() as f64, fits, points.len())
}

/// Output array of a layer, and the cells whose values are to be written: the changed `tiles`,
/// extended by the `reach` of the layer.
pub(crate) struct LayerOutput<'a> {
    reach: Reach,
    tiles: &'a [Tile],
    /// Values of all cells of the grid, row by row.
    values: &'a mut [f32],
    grid: [usize; 2],
}

impl<'a> LayerOutput<'a> {
    /// Creates an output that writes to the field `into`. `reach` is the reach of the layer, or
    /// [`Reach::Cell`] to write only the cells of `tiles`.
    pub(crate) fn new(reach: Reach, tiles: &'a [Tile], into: &'a mut Field<f32>) -> Self {
        let grid = [into.nx(), into.ny()];
        Self { reach, tiles, values: into.as_mut_slice(), grid }
    }

    /// Creates an output for the cells of `tiles`. `values` has one element for each cell of the
    /// grid.
    ///
    /// # Errors
    /// Returns [`InputError`] if the number of values differs from the number of cells.
    pub(crate) fn from_slice(
        tiles: &'a [Tile],
        values: &'a mut [f32],
        grid: [usize; 2],
    ) -> Result<Self, InputError> {
        let (found, cells) = (values.len(), grid[0] * grid[1]);
        InputError::check("the length of the output", found as f64, found == cells, cells)?;
        Ok(Self { reach: Reach::Cell, tiles, values, grid })
    }
}

/// Part of an output field: the cells of `tile`, which the writer of a layer computes row by row.
pub(crate) struct OutputBlock<'a> {
    pub(crate) tile: Tile,
    /// Whole rows of the field. The first row is row `tile.y` of the grid.
    rows: &'a mut [f32],
    nx: usize,
}

impl OutputBlock<'_> {
    /// Returns the values in the tile's columns of row `y` of the grid.
    pub(crate) fn row(&mut self, y: usize) -> &mut [f32] {
        let Tile { x, y: first, nx, .. } = self.tile;
        &mut self.rows[(y - first) * self.nx..][x..x + nx]
    }

    /// Copies values from row `from` of the grid to row `to`. `columns` is the range of columns to
    /// copy, counted from the first column of the tile.
    pub(crate) fn copy_row(&mut self, from: usize, to: usize, columns: Range<usize>) {
        let start = |y: usize| (y - self.tile.y) * self.nx + self.tile.x;
        let (from, to) = (start(from), start(to) + columns.start);
        self.rows.copy_within(from + columns.start..from + columns.end, to);
    }

    /// Calls `work(y, row)` for each row of the tile from north to south, with the values in the
    /// tile's columns of row `y` of the grid.
    pub(crate) fn for_each_row(&mut self, mut work: impl FnMut(usize, &mut [f32])) {
        for y in self.tile.y..self.tile.y + self.tile.ny {
            work(y, self.row(y));
        }
    }
}

/// Smallest number of cells per task.
pub(crate) const CELLS_PER_TASK: usize = 8192;

/// Calls `work` in parallel for blocks of cells that cover an output. A cell that belongs to
/// several tiles may be part of several blocks, and is then written more than once.
pub(crate) fn write_blocks(output: LayerOutput<'_>, work: impl Fn(OutputBlock<'_>) + Sync) {
    let LayerOutput { reach, tiles, values, grid: [nx, ny] } = output;
    let blocks = || merge_tiles(reach, tiles, [nx, ny]);
    let (mut cells, mut first, mut end) = (0, ny, 0);
    for tile in blocks() {
        cells += tile.nx * tile.ny;
        (first, end) = (first.min(tile.y), end.max(tile.y + tile.ny));
    }
    if cells == 0 {
        return;
    }
    let rows_per_task = ((end - first) * CELLS_PER_TASK).div_ceil(cells);
    let rows = &mut values[first * nx..end * nx];
    for_each_band(rows, nx, rows_per_task, |band, rows| {
        let band = first + band.start..first + band.end;
        for tile in blocks() {
            let within = tile.y.max(band.start)..(tile.y + tile.ny).min(band.end);
            if tile.nx > 0 && !within.is_empty() {
                let rows =
                    &mut rows[(within.start - band.start) * nx..(within.end - band.start) * nx];
                let tile = Tile { y: within.start, ny: within.len(), ..tile };
                work(OutputBlock { tile, rows, nx });
            }
        }
    });
}

/// Returns the areas in which a layer with the given reach may have changed because the cells of
/// `tiles` changed. Merges consecutive areas that touch or overlap in the same rows, because long
/// rows are processed faster.
fn merge_tiles(reach: Reach, tiles: &[Tile], grid: [usize; 2]) -> impl Iterator<Item = Tile> {
    let mut areas = tiles.iter().map(move |&tile| reach.expand_tile(tile, grid)).peekable();
    std::iter::from_fn(move || {
        let mut area = areas.next()?;
        let extends = |area: Tile, next: &Tile| {
            let columns = area.x..=area.x + area.nx;
            (next.y, next.ny) == (area.y, area.ny) && columns.contains(&next.x)
        };
        while let Some(next) = areas.next_if(|next| extends(area, next)) {
            area.nx = area.nx.max(next.x + next.nx - area.x);
        }
        Some(area)
    })
}

/// Writes an output row by row. Calls `row(y, columns, into)` to write the values of the cells in
/// row `y` and in the range `columns` of the grid to `into`.
pub(crate) fn write_rows(
    output: LayerOutput<'_>,
    row: impl Fn(usize, Range<usize>, &mut [f32]) + Sync,
) {
    write_blocks(output, |mut block| {
        let columns = block.tile.x..block.tile.x + block.tile.nx;
        block.for_each_row(|y, into| row(y, columns.clone(), into));
    });
}

/// Writes a layer by copying the values of a field.
pub(crate) fn write_copy(output: LayerOutput<'_>, field: &Field<f32>) {
    write_rows(output, |y, columns, into| into.copy_from_slice(&field.row(y)[columns]));
}

/// Writes a layer cell by cell. `value` returns the value for a given column and row.
pub(crate) fn write_cells(output: LayerOutput<'_>, value: impl Fn(usize, usize) -> f32 + Sync) {
    write_rows(output, |y, columns, into| {
        columns.zip(into).for_each(|(x, into)| *into = value(x, y));
    });
}
