//! Text maps of a world, with one character per cell, for tests, examples and scene files.

use super::cell::{Cell, FULL, Liquid};
use crate::blocks::params::Params;
use crate::blocks::world::{Blocks, check_size};
use crate::error::{InputError, InputPosition};
use crate::field::Field;

/// Explanation of the characters in a text map, for error messages.
pub const LEGEND: &str = "`#` wall, `.` air, `~` water, `1` to `7` that many eighths of a cell of \
                          water, `o` oil, `L` lava";

impl Blocks {
    /// Creates a world from a map with one line per row and one character per cell (see
    /// [`LEGEND`]). Blank lines and white space at both ends of a line are ignored.
    ///
    /// ```
    /// use headwater::blocks::{Blocks, Params};
    /// let error = Blocks::from_text("#~#\n#x#", Params::default()).unwrap_err();
    /// let message = error.to_string();
    /// assert!(message.starts_with("the map in row 2, column 2: found `x`, allowed is `#` wall"));
    /// ```
    ///
    /// # Errors
    /// Returns [`InputError`] with the position in the map if a character is unknown, or if a row
    /// is not as long as the first row. Also returns [`InputError`] for the same reasons as
    /// [`Blocks::new`].
    pub fn from_text(map: &str, params: Params) -> Result<Self, InputError> {
        let lines: Vec<&str> = map.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let expected = lines.first().map_or(0, |line| line.chars().count());
        let mut cells = Vec::with_capacity(expected * lines.len());
        for (y, line) in lines.iter().enumerate() {
            for (x, found) in line.chars().enumerate() {
                let place = InputPosition::Text(y + 1, x + 1);
                let wrong =
                    || InputError::new("the map", format!("`{found}`"), LEGEND).at_position(place);
                cells.push(cell_from_char(found).ok_or_else(wrong)?);
            }
            let found = line.chars().count();
            if found != expected {
                let what = format!("the length of row {} of the map", y + 1);
                return Err(InputError::new(what, found, format!("{expected}, as in row 1")));
            }
        }
        check_size(expected, lines.len())?;
        let cells = Field::from_vec(expected, lines.len(), cells)
            .map_err(|error| InputError::new("the map", error, "rows of one length"))?;
        Blocks::new(&cells, params)
    }

    /// Returns the world as a text map (see [`LEGEND`]). Water is rounded to eighths of a cell, but
    /// any water shows as at least one eighth. Oil and lava are shown by one character each,
    /// regardless of the fill.
    pub fn to_text(&self) -> String {
        let mut text = String::with_capacity((self.nx() + 1) * self.ny());
        for y in 0..self.ny() {
            text.extend((0..self.nx()).map(|x| char_from_cell(self.grid.cell_at(x, y).into())));
            text.push('\n');
        }
        text
    }
}

const EIGHTH: u16 = FULL / 8;

fn cell_from_char(character: char) -> Option<Cell> {
    Some(match character {
        '#' => Cell::Wall,
        '.' => Cell::Air,
        '~' => Cell::WATER,
        'o' => Cell::Liquid(Liquid::Oil, FULL),
        'L' => Cell::Liquid(Liquid::Lava, FULL),
        '1'..='7' => Cell::Liquid(Liquid::Water, character.to_digit(10)? as u16 * EIGHTH),
        _ => return None,
    })
}

fn char_from_cell(cell: Cell) -> char {
    match cell {
        Cell::Wall => '#',
        Cell::Air => '.',
        Cell::Liquid(Liquid::Oil, _) => 'o',
        Cell::Liquid(Liquid::Lava, _) => 'L',
        Cell::Liquid(Liquid::Water, fill) => match ((fill + EIGHTH / 2) / EIGHTH).max(1) {
            8 => '~',
            eighths => char::from_digit(eighths.into(), 10).unwrap_or('~'),
        },
    }
}
