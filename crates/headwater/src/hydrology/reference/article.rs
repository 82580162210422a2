//! Reference implementation of the erosion model in N. McDonald, "Procedural hydrology" (2020),
//! with the article's data structures. Drops move one after another.

use crate::field::Field;
use crate::hydrology::state::random::RandomRound;

const DT: f32 = 1.2;
const FRICTION: f32 = 0.1;
const DEPOSITION: f32 = 0.08;
const EVAPORATION: f32 = 0.001;
const MIN_VOLUME: f32 = 0.01;
/// Volume of a full drop (m³) on cells of 1 m², from the volume factor in McDonald 2020.
const VOLUME: f32 = 40.0 / 100.0;
/// Largest number of descents of one drop. A drop starts a new descent after it has passed through
/// a pool.
const MAX_DESCENTS: usize = 5;
/// Largest number of steps in a descent. The limit stops drops that move in circles.
const MAX_STEPS: usize = 4096;

/// World of McDonald 2020 with terrain, streams and pools of standing water. Trees are omitted to
/// save run time.
#[derive(Clone, Debug)]
pub struct McDonaldModel {
    /// Height of the bed (in cell sizes).
    pub bed: Field<f32>,
    /// Time-averaged density of drop paths, from 0 to 1.
    pub stream: Field<f32>,
    /// Depth of standing water in pools (in cell sizes).
    pub pool: Field<f32>,
    track: Vec<bool>,
    /// For each cell, the number of the latest attempt to fill a pool that visited the cell.
    last_trial: Vec<u32>,
    trials: u32,
    seed: u64,
    drops: u64,
}

struct Raindrop {
    at: [f32; 2],
    speed: [f32; 2],
    volume: f32,
    sediment: f32,
}

impl McDonaldModel {
    /// Creates a world without water. `bed` holds the height of each cell (in cell sizes), and
    /// `seed` is the seed of the random numbers.
    pub fn new(bed: Field<f32>, seed: u64) -> Self {
        let (nx, ny) = (bed.nx(), bed.ny());
        let empty = Field::new(nx, ny, 0.0);
        let (track, last_trial) = (vec![false; nx * ny], vec![0; nx * ny]);
        Self {
            bed,
            stream: empty.clone(),
            pool: empty,
            track,
            last_trial,
            trials: 0,
            seed,
            drops: 0,
        }
    }

    /// Moves the given number of drops one after another, then updates the stream density.
    pub fn simulate_drops(&mut self, drops: u32) {
        self.track.fill(false);
        let (nx, ny) = (self.bed.nx(), self.bed.ny());
        for _ in 0..drops {
            let mut random = RandomRound::new(self.seed, self.drops).stream(0);
            self.drops += 1;
            let at = [random.next_below(nx) as f32 + 0.5, random.next_below(ny) as f32 + 0.5];
            let mut drop = Raindrop { at, speed: [0.0; 2], volume: 1.0, sediment: 0.0 };
            for _ in 0..MAX_DESCENTS {
                self.descend(&mut drop);
                if drop.volume <= MIN_VOLUME {
                    break;
                }
                self.fill_pool(&mut drop);
                if drop.volume <= MIN_VOLUME {
                    break;
                }
            }
        }
        for (stream, &track) in self.stream.as_mut_slice().iter_mut().zip(&self.track) {
            *stream = 0.99 * *stream + if track { 0.01 } else { 0.0 };
        }
    }

    fn cell_at(&self, position: [f32; 2]) -> Option<usize> {
        let inside = position[0] >= 0.0 && position[1] >= 0.0;
        let (x, y) = (position[0] as usize, position[1] as usize);
        (inside && x < self.bed.nx() && y < self.bed.ny()).then(|| y * self.bed.nx() + x)
    }

    /// Returns the eastward and the southward component of the unit normal at a cell, averaged over
    /// the eight triangles around the cell.
    fn unit_normal(&self, cell: usize) -> [f32; 2] {
        let (nx, ny) = (self.bed.nx(), self.bed.ny());
        let (x, y) = (cell % nx, cell / nx);
        let (w, e) = (x.saturating_sub(1), (x + 1).min(nx - 1));
        let (n, s) = (y.saturating_sub(1), (y + 1).min(ny - 1));
        let z = &self.bed;
        let east = z[(w, n)] - z[(e, n)] + 2.0 * (z[(w, y)] - z[(e, y)]) + z[(w, s)] - z[(e, s)];
        let south = z[(w, n)] - z[(w, s)] + 2.0 * (z[(x, n)] - z[(x, s)]) + z[(e, n)] - z[(e, s)];
        let (east, south) = (east / 8.0, south / 8.0);
        let length = (1.0 + east * east + south * south).sqrt();
        [east / length, south / length]
    }

    fn descend(&mut self, drop: &mut Raindrop) {
        for _ in 0..MAX_STEPS {
            let Some(i) = self.cell_at(drop.at) else { break };
            if drop.volume <= MIN_VOLUME {
                return;
            }
            self.track[i] = true;
            let stream = self.stream.as_slice()[i];
            let friction = FRICTION * (1.0 - 0.5 * stream);
            let drying = EVAPORATION * (1.0 - 0.2 * stream);
            let acceleration = self.unit_normal(i).map(|n| n / drop.volume);
            let axes = drop.speed.iter_mut().zip(&mut drop.at);
            for ((speed, at), acceleration) in axes.zip(acceleration) {
                *speed += DT * acceleration;
                *at += DT * *speed;
                *speed *= 1.0 - DT * friction;
            }
            let Some(next) = self.cell_at(drop.at) else { break };
            let force = acceleration[0].hypot(acceleration[1]);
            if self.stream.as_slice()[next] > 0.5 && force < 0.01 {
                return;
            }
            if self.pool.as_slice()[next] > 0.0 {
                return;
            }
            let bed = self.bed.as_mut_slice();
            let speed = drop.speed[0].hypot(drop.speed[1]);
            let capacity = (speed * (bed[i] - bed[next])).max(0.0);
            let change = DT * DEPOSITION * (capacity - drop.sediment);
            drop.sediment += change;
            bed[i] -= drop.volume * change;
            drop.sediment /= 1.0 - DT * drying;
            drop.volume *= 1.0 - DT * drying;
        }
        drop.volume = 0.0;
    }

    fn start_trial(&mut self) {
        if self.trials == u32::MAX {
            self.last_trial.fill(0);
            self.trials = 0;
        }
        self.trials += 1;
    }

    /// Fills a pool around the drop's position. Raises the water level over all cells that the
    /// water reaches, until the drop's water is used up or an outlet is found.
    fn fill_pool(&mut self, drop: &mut Raindrop) {
        let Some(start) = self.cell_at(drop.at) else { return };
        let (nx, ny) = (self.bed.nx(), self.bed.ny());
        let grid = crate::hydrology::state::grid::Grid { nx, ny };
        let surface = |world: &Self, i: usize| world.bed.as_slice()[i] + world.pool.as_slice()[i];
        let mut level = surface(self, start);
        let mut list = Vec::new();
        while drop.volume > MIN_VOLUME {
            // Collect the cells below the water level, and find the lowest cell next to them.
            self.start_trial();
            self.last_trial[start] = self.trials;
            list.clear();
            list.push(start);
            let mut border = f32::INFINITY;
            let mut out: Option<usize> = None;
            let mut i = 0;
            while i < list.len() {
                for neighbour in grid.neighbours(list[i]) {
                    if std::mem::replace(&mut self.last_trial[neighbour], self.trials)
                        == self.trials
                    {
                        continue;
                    }
                    let height = surface(self, neighbour);
                    if height < level - 1e-4 {
                        if out.is_none_or(|lowest| height < surface(self, lowest)) {
                            out = Some(neighbour);
                        }
                    } else if height <= level {
                        list.push(neighbour);
                    } else {
                        border = border.min(height);
                    }
                }
                i += 1;
            }
            if let Some(out) = out {
                let (x, y) = grid.column_and_row(out);
                drop.at = [x as f32 + 0.5, y as f32 + 0.5];
                drop.sediment *= 0.1;
                return;
            }
            // Raise the level by the drop's volume, but at most to the next cell.
            let filled = level + VOLUME * drop.volume / list.len() as f32;
            let plane = filled.min(border);
            drop.volume -= (plane - level) * list.len() as f32 / VOLUME;
            for &cell in &list {
                let bed = self.bed.as_slice()[cell];
                self.pool.as_mut_slice()[cell] = plane - bed;
            }
            level = plane;
        }
        drop.volume = 0.0;
    }
}
