//! Time: one tick, and walks of many.

use super::params::Rule;
use super::{Blocks, BlocksError, exchange, fall, float, level, plain, stone, whole};

/// A little more than rounding makes of a number of ticks.
const ROUNDING: f64 = 1e-9;

impl Blocks {
    /// Does one tick.
    ///
    /// With [`Rule::Fill`]:
    ///
    /// 1. **Exchange.** Springs give, drains take, films dry up.
    /// 2. **Stone.** Lava beside water turns to wall.
    /// 3. **Level.** For every body, liquid that stands and hangs together, and that something has
    ///    happened to: the tops of its columns and the openings beside it say how high they are, and how
    ///    much they can give and take. One level is found for them all, the highest at which no more is
    ///    taken than can be given. What is above it gives and what is below it takes, a column no more
    ///    than [`flow`](super::Params::flow), so that a body's pace depends on its height and not on its
    ///    width.
    /// 4. **Float.** Where a lighter liquid lies deeper beside a heavier body than that body's top, the
    ///    two change places.
    /// 5. **Fall.** What nothing holds up falls by a cell.
    /// 6. **Label.** What has changed is labelled afresh: what stands, what hangs together, where its
    ///    surfaces are.
    ///
    /// Whatever moves in 3 to 5 goes down, so that a world without springs comes to rest. What rests is
    /// not looked at: a world at rest costs nothing.
    ///
    /// [`Rule::WholeBlocks`] is told in `whole.rs`; its springs and drains act in the same way.
    pub fn step(&mut self) {
        self.exchange();
        match self.params.rule {
            Rule::WholeBlocks => self.step_whole(),
            Rule::Fill => {
                let lava_moves = self.lava_moves();
                stone::turn(&mut self.grid, &mut self.books);
                let restless =
                    level::level(&mut self.grid, &mut self.work, &self.params, lava_moves);
                float::float(&mut self.grid, &restless, lava_moves);
                fall::fall(&mut self.grid, lava_moves);
                self.grid.refresh();
            }
        }
        self.ticks += 1;
    }

    /// The same tick by plain loops over the whole world: slower, and equal to [`step`](Self::step) in
    /// every bit. It is there to check against and to measure against. The rule of whole blocks has but
    /// one way.
    pub fn step_plain(&mut self) {
        if self.params.rule == Rule::WholeBlocks {
            return self.step();
        }
        self.exchange();
        let cells =
            plain::tick(self.grid.cells(), &self.params, self.lava_moves(), &mut self.books);
        for y in 0..cells.ny() {
            for (x, &cell) in cells.row(y).iter().enumerate() {
                self.grid.set(x, y, cell);
            }
        }
        self.grid.refresh();
        self.grid.wake_all();
        self.ticks += 1;
    }

    /// Advances by `seconds`, in whole ticks: the time that is not enough for one is kept for the next
    /// call.
    ///
    /// # Errors
    /// [`BlocksError::Time`] if `seconds` is below 0 or no finite number.
    pub fn advance(&mut self, seconds: f64) -> Result<(), BlocksError> {
        if !(seconds.is_finite() && seconds >= 0.0) {
            return Err(BlocksError::Time(seconds));
        }
        self.owed += seconds / self.params.tick;
        while self.owed >= 1.0 - ROUNDING {
            self.step();
            self.owed = (self.owed - 1.0).max(0.0);
        }
        Ok(())
    }

    /// Whether lava moves in the tick to come.
    fn lava_moves(&self) -> bool {
        self.ticks.is_multiple_of(self.params.lava_period.into())
    }

    /// Springs, drains and drying, and what they mean for the labels.
    fn exchange(&mut self) {
        exchange::apply(&mut self.grid, &self.exchange, &self.params, self.ticks, &mut self.books);
        self.refresh();
    }

    fn step_whole(&mut self) {
        let moves = whole::tick(&mut self.whole, &self.grid, &self.params);
        for (from, to) in moves {
            let cell = self.grid.at(from.0, from.1);
            self.grid.set(from.0, from.1, super::cell::Packed::AIR);
            self.grid.set(to.0, to.1, cell);
        }
    }
}
