//! Conversion between worlds of the `blocks` model and worlds of the `columns` model.

use crate::blocks::{self, Blocks, Cell, FULL, Liquid};
use crate::columns::{self, Columns};
use crate::error::{InputError, InputPosition};
use crate::field::Field;

/// Tolerance for rounding errors when a volume of water is converted to a whole number of units of
/// 1/256 of a cell. The tolerance is in the same units.
const ROUNDING: f64 = 1e-6;

/// Converts a world of the `blocks` model, whose cells have a side of `cell` metres, to a world of
/// the `columns` model. Falling water is placed on the floor below it. The volume is exact, because
/// the unit of volume of the `blocks` model, 1/256 of a cell, is a multiple of the [smallest
/// volume](Columns::quantum) of the `columns` model.
///
/// ```
/// use headwater::blocks::{self, Blocks, Liquid};
/// use headwater::columns::{Edit, Params};
/// use headwater::coupling::{blocks_from_columns, columns_from_blocks};
/// use headwater::Region;
///
/// // Blocks find the water level …
/// let map = "~~....\n......\n..#...\n..#...\n######";
/// let mut blocks = Blocks::from_text(map, blocks::Params::default())?;
/// assert!(blocks.run_to_rest(1000));
/// // … columns simulate the waves …
/// let mut pools = columns_from_blocks(&blocks, 0.5, Params::default())?;
/// assert_eq!(pools.volume(), blocks.volume(Liquid::Water) as f64 / 256.0 * 0.25);
/// pools.edit(&Region::disc([0.5, 1.8], 0.3), Edit::Splash(0.1))?;
/// (0..600).for_each(|_| pools.step());
/// // … and blocks take over again.
/// let (again, unplaced) = blocks_from_columns(&pools, blocks::Params::default())?;
/// let volume = again.volume(Liquid::Water) as f64 / 256.0 * 0.25 + unplaced;
/// assert!((volume - pools.volume()).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`InputError`] if the blocks contain oil or lava, and in the cases listed for
/// [`Columns::with_fill`].
pub fn columns_from_blocks(
    blocks: &Blocks,
    cell: f64,
    params: columns::Params,
) -> Result<Columns, InputError> {
    let cells = blocks.cells();
    for y in 0..cells.ny() {
        for x in 0..cells.nx() {
            if let Some(liquid) = cells[(x, y)].liquid().filter(|&liquid| liquid != Liquid::Water) {
                let error =
                    InputError::new("the liquid", liquid.name(), "water: pools hold no other");
                return Err(error.at_position(InputPosition::Cell(x, y)));
            }
        }
    }
    let walls = cells.map(|&cell| cell == Cell::Wall);
    let fill = cells.map(|&cell| f64::from(cell.fill()) / f64::from(FULL));
    Columns::with_fill(&walls, cell, &fill, params)
}

/// Converts a world of the `columns` model to a world of the `blocks` model. Each column is filled
/// from the floor upwards in units of 1/256 of a cell. A remaining fraction of a unit is added to
/// the next column of the same pool. Returns the new world and the volume of water that did not fit
/// (m³, for a world 1 m thick).
///
/// # Errors
/// Returns [`InputError`] in the cases listed for [`Blocks::new`].
pub fn blocks_from_columns(
    columns: &Columns,
    params: blocks::Params,
) -> Result<(Blocks, f64), InputError> {
    let mut cells: Field<Cell> =
        columns.walls().map(|&wall| if wall { Cell::Wall } else { Cell::Air });
    let mut unplaced = 0.0;
    let unit = columns.cell_size() * columns.cell_size() / f64::from(FULL);
    for pool in 0..columns.pool_count() {
        let mut remainder = 0.0;
        for run in columns.water_runs(pool) {
            let available = remainder + run.volume / unit;
            let capacity = (run.rows.len() * usize::from(FULL)) as f64;
            let whole = (available + ROUNDING).floor().min(capacity);
            remainder = available - whole;
            let mut units = whole as usize;
            for y in run.rows.rev() {
                let fill = units.min(FULL.into());
                if fill > 0 {
                    cells[(run.x, y)] = Cell::Liquid(Liquid::Water, fill as u16);
                }
                units -= fill;
            }
        }
        unplaced += remainder;
    }
    Ok((Blocks::new(&cells, params)?, unplaced * unit))
}
