//! Boards drawn with one character for each cell.

use super::anchor::Anchor;
use super::{Columns, ColumnsError, Params};
use crate::field::Field;

/// What the characters of a map mean.
pub const LEGEND: &str = "`#` wall, `.` air, `~` a level anchor at the top of the cell, `o` a bubble \
                          anchor at its bottom";

/// How far (cells) an anchor lies within its cell, which it would else only touch.
const WITHIN: f64 = 1e-9;

impl Columns {
    /// The world that a map draws, one line for each row, one character for each cell of `cell` m (see
    /// [`LEGEND`]). White space at both ends of a line, and empty lines, do not count.
    ///
    /// # Errors
    /// [`ColumnsError`] names the row and the column of a character that means nothing, or the row that
    /// has another length than the first; or says what is wrong with the world, as [`Columns::new`] does.
    pub fn from_text(map: &str, cell: f64, params: Params) -> Result<Self, ColumnsError> {
        let lines: Vec<&str> = map.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let expected = lines.first().map_or(0, |line| line.chars().count());
        let mut walls = Vec::with_capacity(expected * lines.len());
        let mut anchors = Vec::new();
        for (y, line) in lines.iter().enumerate() {
            for (x, found) in line.chars().enumerate() {
                let at = |down: f64| [(x as f64 + 0.5) * cell, (y as f64 + down) * cell];
                match found {
                    '#' | '.' => {}
                    '~' => anchors.push(Anchor::level(at(WITHIN))),
                    'o' => anchors.push(Anchor::bubble(at(1.0 - WITHIN))),
                    _ => {
                        let (row, column, allowed) = (y + 1, x + 1, LEGEND);
                        return Err(ColumnsError::Character { row, column, found, allowed });
                    }
                }
                walls.push(found == '#');
            }
            let found = line.chars().count();
            if found != expected {
                return Err(ColumnsError::Ragged { row: y + 1, found, expected });
            }
        }
        let shape = ColumnsError::Size { nx: expected, ny: lines.len(), max: super::MAX_SIDE };
        let walls = Field::from_vec(expected, lines.len(), walls).map_err(|_| shape)?;
        Columns::new(&walls, cell, &anchors, params)
    }
}
