//! Worlds as text maps with one character per grid cell.

use super::anchor::{Anchor, AnchorKind};
use crate::columns::params::Params;
use crate::columns::world::{Columns, grid_size_error};
use crate::error::{InputError, InputPosition};
use crate::field::Field;

/// Explanation of the characters in a text map, for error messages and documentation.
pub const LEGEND: &str = "`#` wall, `.` air, `~` a level anchor at the top of the cell, `o` a bubble \
                          anchor at its bottom";

/// Distance (in cells) between an anchor and the border of its cell, so that the anchor lies inside
/// the cell.
const INSET: f64 = 1e-9;

/// Reads walls and anchors from a text map with one line per row and one character per cell (see
/// [`LEGEND`]). `cell` is the side length of a cell (m). White space at both ends of a line and
/// empty lines are ignored.
///
/// # Errors
/// Returns [`InputError`] with the position in the map if a character is unknown, if the rows
/// differ in length, or if the map has no cells.
pub fn read_map(map: &str, cell: f64) -> Result<(Field<bool>, Vec<Anchor>), InputError> {
    let lines: Vec<&str> = map.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let expected = lines.first().map_or(0, |line| line.chars().count());
    let mut walls = Vec::with_capacity(expected * lines.len());
    let mut anchors = Vec::new();
    for (y, line) in lines.iter().enumerate() {
        for (x, found) in line.chars().enumerate() {
            match found {
                '#' | '.' => {}
                '~' => anchors.push(Anchor::from_cell(AnchorKind::Level, x, y, cell)),
                'o' => anchors.push(Anchor::from_cell(AnchorKind::Bubble, x, y, cell)),
                _ => {
                    let error = InputError::new("a map", format!("`{found}`"), LEGEND);
                    return Err(error.at_position(InputPosition::Text(y + 1, x + 1)));
                }
            }
            walls.push(found == '#');
        }
        let found = line.chars().count();
        if found != expected {
            let allowed = format!("{expected}, as many as in row 1");
            let error = InputError::new("a map", format!("{found} characters"), allowed);
            return Err(error.at_position(InputPosition::Text(y + 1, found)));
        }
    }
    if lines.is_empty() {
        return Err(InputError::new("a map", "no cells", LEGEND));
    }
    let size = [expected, lines.len()];
    let walls = Field::from_vec(size[0], size[1], walls).map_err(|_| grid_size_error(size))?;
    Ok((walls, anchors))
}

impl Anchor {
    /// Creates an anchor in the cell with the given column and row: a level anchor at the top of
    /// the cell, or a bubble anchor at its bottom. `cell` is the side length of a cell (m).
    pub fn from_cell(kind: AnchorKind, x: usize, y: usize, cell: f64) -> Self {
        let down = match kind {
            AnchorKind::Level => INSET,
            AnchorKind::Bubble => 1.0 - INSET,
        };
        Self { kind, at: [(x as f64 + 0.5) * cell, (y as f64 + down) * cell] }
    }
}

impl Columns {
    /// Creates a world from a text map (see [`read_map`]). `cell` is the side length of a cell (m).
    ///
    /// # Errors
    /// Returns [`InputError`] for the same reasons as [`read_map`] and [`Columns::new`].
    pub fn from_text(map: &str, cell: f64, params: Params) -> Result<Self, InputError> {
        let (walls, anchors) = read_map(map, cell)?;
        Columns::new(&walls, cell, &anchors, params)
    }
}
