//! Questions to a world: what is where, how high it stands, whether it rests.

use super::bodies::NONE;
use super::cell::{AIR, Cell, FULL, Liquid};
use super::labelled::Labelled;
use super::level;
use super::params::Rule;
use super::whole;
use super::world::Blocks;
use crate::field::Field;

impl Blocks {
    /// What is in a cell, or `None` off the grid.
    pub fn cell(&self, x: usize, y: usize) -> Option<Cell> {
        (x < self.nx() && y < self.ny()).then(|| self.grid.at(x, y).into())
    }

    /// All cells.
    pub fn cells(&self) -> Field<Cell> {
        self.grid.cells().map(|&cell| cell.into())
    }

    /// How much of a cell is filled (256ths), or `None` off the grid.
    pub fn fill_at(&self, x: usize, y: usize) -> Option<u16> {
        self.cell(x, y).map(Cell::fill)
    }

    /// The volume of a liquid (256ths of a cell) in `nx × ny` cells from `(x, y)`; what lies off the grid
    /// does not count.
    pub fn volume_in(&self, liquid: Liquid, x: usize, y: usize, nx: usize, ny: usize) -> u64 {
        let (end_x, end_y) =
            (x.saturating_add(nx).min(self.nx()), y.saturating_add(ny).min(self.ny()));
        let mut sum = 0;
        for y in y..end_y {
            for x in x..end_x {
                let cell = self.grid.at(x, y);
                if cell.kind() == liquid as u16 + 1 {
                    sum += u64::from(cell.fill());
                }
            }
        }
        sum
    }

    /// The volume of a liquid (256ths of a cell). It looks at every cell.
    pub fn volume(&self, liquid: Liquid) -> u64 {
        self.grid.volumes()[liquid as usize]
    }

    /// How high the body at a cell stands (cells above the bottom of the world): the highest surface of
    /// what stands and is connected there. `None` where nothing stands.
    pub fn level(&self, x: usize, y: usize) -> Option<f64> {
        let cell = |x: usize, y: usize| self.grid.at(x, y);
        let height = |x, y: usize| {
            (self.ny() - 1 - y) as f64 + f64::from(cell(x, y).fill()) / f64::from(FULL)
        };
        let body = self.body_at(x, y)?;
        let mut highest = 0.0_f64;
        for (x, y) in self.cells_of_body(body) {
            highest = highest.max(height(x, y));
        }
        Some(highest)
    }

    /// The number of the body at a cell, from 0; `None` where nothing stands. Numbers hold until the
    /// next step or edit.
    pub fn body_at(&self, x: usize, y: usize) -> Option<u32> {
        self.cell(x, y)?;
        match self.params.rule {
            Rule::Fill => Some(self.grid.body(x as u32, y as u32)).filter(|body| *body != NONE),
            Rule::WholeBlocks => self.bodies()[(x, y)],
        }
    }

    /// The body of each cell.
    pub(super) fn bodies(&self) -> Field<Option<u32>> {
        let known = |body: u32| Some(body).filter(|body| *body != NONE);
        let (nx, ny) = (self.nx(), self.ny());
        match self.params.rule {
            Rule::Fill => Field::from_fn(nx, ny, |x, y| known(self.grid.body(x as u32, y as u32))),
            Rule::WholeBlocks => {
                let mut whole = self.whole.clone();
                whole.label(&self.grid);
                Field::from_fn(nx, ny, |x, y| known(whole.body[y * nx + x]))
            }
        }
    }

    /// The cells of a body. With [`Rule::Fill`] only its chunks are looked at.
    fn cells_of_body(&self, body: u32) -> Vec<(usize, usize)> {
        let (nx, ny) = (self.nx(), self.ny());
        match self.params.rule {
            Rule::WholeBlocks => {
                let bodies = self.bodies();
                let all = (0..ny).flat_map(|y| (0..nx).map(move |x| (x, y)));
                all.filter(|&at| bodies[at] == Some(body)).collect()
            }
            Rule::Fill => self.grid.cells_of_body(body),
        }
    }

    /// Whether the body at a cell is at rest: nothing in it asks to level out. True where nothing
    /// stands.
    pub fn is_level(&self, x: usize, y: usize) -> bool {
        match (self.params.rule, self.body_at(x, y)) {
            (Rule::Fill, Some(body)) => level::is_level(&self.grid, &self.params, body),
            (Rule::WholeBlocks, Some(_)) => self.is_asleep(),
            (_, None) => true,
        }
    }

    /// Whether the whole world is asleep: nothing will move until something is edited, apart from
    /// springs, drains and drying. With [`Rule::WholeBlocks`] this costs as much as a step.
    pub fn is_asleep(&self) -> bool {
        match self.params.rule {
            Rule::Fill => {
                self.grid.restless.is_empty()
                    && self.grid.loose.is_empty()
                    && !self.grid.has_changed()
            }
            Rule::WholeBlocks => {
                whole::step(&mut self.whole.clone(), &self.grid, &self.params).len() == 0
            }
        }
    }

    /// Does steps until the world is asleep, at most `steps`; true if it is.
    pub fn run_to_rest(&mut self, steps: u64) -> bool {
        for _ in 0..steps {
            if self.is_asleep() {
                return true;
            }
            self.step();
        }
        self.is_asleep()
    }

    /// How far below the top of its body each cell that stands lies (cells): the head over it. With
    /// [`Rule::WholeBlocks`] the Δh of the article. 0 elsewhere.
    pub fn pressure(&self) -> Field<f32> {
        let bodies = self.bodies();
        let count = bodies.as_slice().iter().flatten().max().map_or(0, |&last| last as usize + 1);
        let height = |x: usize, y: usize| {
            let rows = (self.ny() - 1 - y) as i32 * i32::from(FULL);
            let fill = self.grid.at(x, y);
            if fill.kind() == AIR { rows } else { rows + i32::from(fill.fill()) }
        };
        let mut highest = vec![0; count];
        for y in 0..self.ny() {
            for x in 0..self.nx() {
                if let Some(body) = bodies[(x, y)] {
                    let top = &mut highest[body as usize];
                    *top = height(x, y).max(*top);
                }
            }
        }
        Field::from_fn(self.nx(), self.ny(), |x, y| {
            bodies[(x, y)].map_or(0.0, |body| {
                (highest[body as usize] - height(x, y)) as f32 / f32::from(FULL)
            })
        })
    }

    /// With [`Rule::WholeBlocks`], the air cells that the bodies' largest pressures point at, from the
    /// top row down and from west to east within a body. With [`Rule::Fill`] there are none.
    pub fn targets(&self) -> Vec<(usize, usize)> {
        if self.params.rule == Rule::Fill {
            return Vec::new();
        }
        let mut whole = self.whole.clone();
        whole.label(&self.grid);
        let place = |i: u32| (i as usize % self.nx(), i as usize / self.nx());
        whole.all_targets(&self.params).into_iter().map(place).collect()
    }
}
