//! [`Part`]: some rows of a land, carved with the help of its peers.

use super::levels::Curves;
use super::log::{Log, Step};
use super::share::{Share, halo};
use super::strip::Strip;
use super::talk::Talk;
use super::{hills, home::PartRows, rivers, silt, waters, ways};
use crate::changes::Tracker;
use crate::error::InputError;
use crate::field::Field;
use crate::hydrology::fabric;
use crate::hydrology::forest::{self, Plant};
use crate::hydrology::held::Holding;
use crate::hydrology::ledger::Ledgers;
use crate::hydrology::params::Edges;
use crate::hydrology::rock::Rock;
use crate::hydrology::stream_power::catchment::Catchments;
use crate::hydrology::stream_power::links::Drainage;
use crate::hydrology::stream_power::rise::Rise;
use crate::hydrology::stream_power::stage::{law, note_ways, raise};
use crate::hydrology::stream_power::trees::{self, Basin, Found};
use crate::hydrology::water::Waters;
use crate::hydrology::workspace::Workspace;
use crate::hydrology::world::Hydrology;
use crate::part::Peers;
use crate::spare::Spare;
use std::sync::atomic::AtomicU32;

/// Some rows of a land: see [`Hydrology::share`].
#[derive(Debug)]
pub struct Part {
    /// A land of the part's rows and its halo. What its waters know of nodes and leaves is that of the map.
    world: Hydrology,
    strip: Strip,
    /// What bounds the map.
    edges: Edges,
    /// What 1 stands for in a map of the rain.
    most: f64,
    /// What lakes hold on the part's own cells, which have their numbers on the map.
    held: Vec<Holding>,
    /// Whether it has been poured into the depressions of the land yet.
    is_poured: bool,
    curves: Curves,
    log: Log,
}

impl Part {
    /// The part that a share is of.
    ///
    /// # Errors
    /// [`InputError`] if its parts do not fit one another.
    pub fn new(share: Share) -> Result<Self, InputError> {
        share.check()?;
        let Share { land, strip, edges, most, held } = share;
        let grid = land.grid();
        let mut heights = Field::new(grid.nx, grid.ny, 0.0);
        land.read_heights(&mut heights);
        let mut cover = Field::new(grid.nx, grid.ny, 0.0);
        if !land.plants.is_empty() {
            forest::shade_all(grid, &land.plants, cover.as_mut_slice());
        }
        let world = Hydrology {
            fabric: fabric::of(&land, strip.rows.start),
            land: *land,
            ledgers: Ledgers::new(0),
            waters: Waters::default(),
            heights,
            cover,
            workspace: Workspace::default(),
            spare: Spare::default(),
            changes: Tracker::new(grid.nx, grid.ny),
        };
        let (curves, log) = (Curves::default(), Log::default());
        Ok(Self { world, strip, edges, most, held, is_poured: false, curves, log })
    }

    /// Steps done since the start.
    pub fn steps(&self) -> u64 {
        self.world.land.steps
    }

    /// Time since the start (drops per cell), as [`Hydrology::time`].
    pub fn time(&self) -> f64 {
        self.world.land.time
    }

    /// Does so many steps as [`Hydrology::step_many`] does them.
    pub fn step_many(&mut self, count: u64, peers: &mut dyn Peers) {
        let strip = self.strip.clone();
        let mut talk = Talk::new(&strip, peers);
        if count > 0 && !self.is_poured {
            // Nothing leaves: it is what was there when the land was shared out.
            waters::refill(&mut self.world, &strip, &self.held, &mut self.curves, &mut talk);
            self.is_poured = true;
        }
        for _ in 0..count {
            self.step(&strip, &mut talk);
        }
    }

    /// A step of stream power, stage by stage as in one land. What the halo has to be for a stage is told there.
    fn step(&mut self, strip: &Strip, talk: &mut Talk) {
        let Self { world, edges, most, curves, .. } = self;
        let rain = world.land.params.stream_power.step;
        let intensity = world.land.intensity(rain);
        world.land.time += rain;
        let mut step = waters::rain(world, (strip, *most), rain, curves, talk);
        ways::find(world, strip, talk);
        let dry = world.land.dry(rain);
        let (mut held, dried) = waters::hold(world, strip, dry, talk);
        step.dried = dried;
        // Of ground and soil the row beyond is that of the end of the last step; a round leaves it wrong.
        world.creep_from(strip.rows.start, rain, 0.0, |[bed, soil]| {
            let mut fields = [bytemuck::cast_slice_mut(bed), bytemuck::cast_slice_mut(soil)];
            talk.swap_rows(strip, 1, &mut fields);
        });
        step.crept = hills::creep(world, (strip, edges), rain, talk);
        self.wear([rain, intensity], &mut held, &mut step, talk);
        self.level(held, &mut step, talk);
        self.grow(rain as f32, talk);
        self.world.land.steps += 1;
        self.log.steps.push(step);
    }

    /// 5. The land rises, and rivers cut down. Notes what is suspended in lakes.
    fn wear(
        &mut self,
        [rain, intensity]: [f64; 2],
        held: &mut Vec<Holding>,
        step: &mut Step,
        talk: &mut Talk,
    ) {
        let Self { world, strip, most, .. } = self;
        let Hydrology { land, fabric, waters, cover, workspace, spare, .. } = world;
        let (grid, size) = (land.grid(), land.lattice.dx());
        let params = &land.params;
        let law = law(params, [rain, intensity], size);
        let uplift = land.uplift.as_ref().map(Field::as_slice);
        let rise = Rise::new(params.stream_power.uplift * rain, uplift);
        let rows = strip.rows.clone();
        let catchments = Catchments::of_rows(&land.rain, (strip.map(), size), *most, rows, spare);
        let Workspace { links, visits, worn, .. } = workspace;
        visits.resize_with(grid.cells(), AtomicU32::default);
        worn.resize_with(grid.cells(), AtomicU32::default);
        let basin = Basin {
            drainage: Drainage { terrain: land.terrain(), waters },
            law: &law,
            rise,
            catchments: &catchments,
            rock: Rock { north: strip.rows.start, ..Rock::of(land, fabric) },
            soil: &land.soil,
            cover: cover.as_slice(),
            roots: params.roots as f32,
        };
        let donors = trees::donors(grid, links, spare);
        let found = Found { area: visits, worn };
        let rivers::Washed { gone, kept } =
            rivers::wear(basin, (strip, links, &donors), found, talk);
        step.washed = gone;
        let mut of_nodes = vec![[0]; waters.suspended.len()];
        for (node, sediment) in kept {
            of_nodes[node as usize][0] += sediment;
        }
        let of_nodes = talk.sums(of_nodes.len(), of_nodes.iter().copied().enumerate());
        for (suspended, [sediment]) in waters.suspended.iter_mut().zip(of_nodes) {
            *suspended += sediment;
        }
        let silt::Settled { laid, gone } = silt::sink(waters, strip, &land.bed, talk);
        if talk.is_first() {
            step.silted = gone;
        }
        let ground = [&mut land.bed[..], &mut land.soil[..]];
        step.risen = raise((grid, &params.edges), ground, rise, worn, strip.own_rows());
        for (cell, laid) in laid {
            land.bed[cell] += laid;
            land.soil[cell] += laid;
        }
        held.extend(waters.suspensions().filter(|held| strip.own_cell(held.cell).is_some()));
        drop(catchments);
        note_ways(land, visits, links);
    }

    /// 6. The hierarchy of depressions of the new land is built, and takes the lakes in.
    fn level(&mut self, held: Vec<Holding>, step: &mut Step, talk: &mut Talk) {
        let Self { world, strip, curves, .. } = self;
        let (bed, soil) = (&mut world.land.bed, &mut world.land.soil);
        let mut fields = [bytemuck::cast_slice_mut(bed), bytemuck::cast_slice_mut(soil)];
        talk.swap_rows(strip, 1, &mut fields);
        world.land.read_heights(&mut world.heights);
        let gone = waters::refill(world, strip, &held, curves, talk);
        if talk.is_first() {
            (step.water, step.sediment) = (gone.water, gone.sediment);
        }
        self.held = held;
    }

    /// 7. A round of plants. They look one cell far for water, and as far as seeds fly for other plants.
    fn grow(&mut self, rain: f32, talk: &mut Talk) {
        let Self { world, strip, edges, .. } = self;
        if world.land.plants.is_empty() {
            return;
        }
        let own = &world.land.bed[strip.own_cells()];
        let least = own.iter().min().copied().unwrap_or(0);
        let most = own.iter().max().copied().unwrap_or(0);
        let [minus_low, high] = talk.greatest([-least, most]);
        let area = &mut world.land.area;
        talk.swap_rows(strip, 1, &mut [bytemuck::cast_slice_mut(area)]);
        world.grow_from(strip.rows.start, rain, [-minus_low, high], edges.has_sea());
        let land = &mut world.land;
        let reach = halo(land);
        let words =
            |plant: &Plant| [u32::from(plant.kind) << 16 | u32::from(plant.size), plant.age];
        let mut plants: Vec<[u32; 2]> = land.plants.iter().map(words).collect();
        talk.swap_rows(strip, reach, &mut [bytemuck::cast_slice_mut(&mut plants)]);
        for (plant, [kind_and_size, age]) in land.plants.iter_mut().zip(plants) {
            let (kind, size) = ((kind_and_size >> 16) as u8, kind_and_size as u16);
            *plant = Plant { kind, size, age };
        }
        forest::shade_all(land.grid(), &land.plants, world.cover.as_mut_slice());
    }

    /// What has come and gone in its own rows since this was asked last, for [`Hydrology::take_back`].
    pub fn take_log(&mut self) -> Log {
        std::mem::take(&mut self.log)
    }

    /// Its own rows as they are now, for [`Hydrology::take_back`].
    pub fn rows(&self) -> PartRows {
        let (land, own) = (&self.world.land, self.strip.own_cells());
        let plants = if land.plants.is_empty() { 0..0 } else { own.clone() };
        PartRows {
            rows: self.strip.own.clone(),
            bed: land.bed[own.clone()].to_vec(),
            soil: land.soil[own.clone()].to_vec(),
            area: land.area[own.clone()].to_vec(),
            momentum: land.momentum[own].to_vec(),
            plants: land.plants[plants].to_vec(),
            held: self.held.clone(),
            steps: land.steps,
            drops: land.drops,
            time: land.time,
        }
    }
}
