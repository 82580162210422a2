//! Waves on the GPU: the step of [`headwater::waves`] in WGSL, one dispatch each, from one set of buffers into the
//! other. Heights and fluxes are those of the CPU to the last bit: heights are whole quanta, and what is not whole is
//! reckoned in the same order.
//!
//! A cell works out the fluxes over all four of its faces, its neighbours theirs: twice the sums, but no cell waits for
//! another, and memory is read once. What stirs the surface does not depend on it, so the CPU works that out (where
//! drops fall, what bodies press on) and sends lists of cells.

mod draw;
mod fields;
mod shader;

use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Binding, Bound, Kernel, WINDOW};
use fields::{Fields, Layout};
use headwater::waves::{Edit, Progress, Stirred, Waves};
use headwater::{Brush, InputError, Region};
use shader::{ENTRIES, GROUP, Variant};

pub(crate) use shader::all as shaders;

/// Steps that are submitted at once.
const BATCH: u64 = 64;

/// Numbers of a window into the records of a batch.
const RECORD: usize = WINDOW as usize / size_of::<u32>();

/// A [`Waves`] that is stepped on the GPU.
///
/// Nothing comes back unless asked: [`waves`](Self::waves) is the world as it was last brought back, by
/// [`sync`](Self::sync). If the device is lost, it can go on from there on the CPU or on another device.
///
/// ```no_run
/// use headwater::Square;
/// use headwater::waves::{Params, Waves};
/// use headwater_gpu::{Gpu, waves::GpuWaves};
///
/// let pond = Waves::new(Square::new(1024, 1024, 0.1, 0.1)?, Params::default())?;
/// let mut pond = GpuWaves::new(&Gpu::new()?, pond)?;
/// pond.drop([51.2, 40.0], 0.4, 0.05)?;
/// pond.step_many(600)?;
/// let surface = &pond.sync()?.state().height;
/// # let _ = surface;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GpuWaves {
    gpu: Gpu,
    /// The world as it was last brought back.
    waves: Waves,
    /// The same with all that has stirred it since: bodies and drops are ahead of the surface.
    ahead: Option<Waves>,
    /// Steps done.
    steps: u64,
    on_device: OnDevice,
}

/// What lies on the device.
#[derive(Debug)]
struct OnDevice {
    fields: Fields,
    step: Kernel,
    /// From the first set of buffers into the second, and back.
    bound: [Bound; 2],
    stir: Kernel,
    groups: [u32; 2],
    /// Which set holds the world now.
    side: usize,
    /// What draws it, once somebody has asked for that.
    drawing: Option<draw::Drawing>,
}

impl OnDevice {
    fn new(gpu: &Gpu, waves: &Waves) -> Result<Self, GpuError> {
        let elsewhere = waves.device_view();
        let absorbs = elsewhere.fading().is_some();
        let variant = Variant {
            map: elsewhere.gains().is_some(),
            press: elsewhere.is_stirred(),
            layers: absorbs,
            ledger: absorbs || elsewhere.pinned().contains(&true),
        };
        let layout = Layout::new(waves.lattice().nx(), waves.lattice().ny());
        let groups = layout.groups();
        let limit = u64::from(gpu.limits().max_compute_workgroups_per_dimension);
        let most = u64::from(groups[0].max(groups[1]));
        gpu.within("a grid", (most, limit), "workgroups", "max_compute_workgroups_per_dimension")?;
        let fields = Fields::new(gpu, waves, variant)?;
        let bindings: Vec<Binding> = variant.buffers().into_iter().map(|(kind, _)| kind).collect();
        let step = Kernel::new(gpu, &variant.text(), "step", &bindings)?;
        let bound = [0, 1].map(|side| step.bind(gpu, &fields.of_step(side, variant)));
        let of_stir = [Binding::Window(WINDOW), Binding::Read, Binding::Write];
        let stir = Kernel::new(gpu, &shader::stir(), "stir", &of_stir)?;
        Ok(Self { fields, step, bound, stir, groups, side: 0, drawing: None })
    }

    /// Submits steps, each stirred as the list says; without one, nothing stirs them.
    fn run(&mut self, gpu: &Gpu, count: u64, stirred: &[Stirred]) -> Result<(), GpuError> {
        let lists = Lists::new(gpu, self.fields.layout, self.fields.per_quantum, stirred)?;
        let bind = |cells: &Buffer<i32>| {
            self.stir.bind(gpu, &[&lists.records.raw, &lists.entries.raw, &cells.raw])
        };
        let to_height = [0, 1].map(|side| bind(&self.fields.sides[side].height));
        let to_head = bind(&self.fields.head);
        let mut side = self.side;
        gpu.submit(|pass| {
            let stir = |pass: &mut wgpu::ComputePass, bound: &Bound, record: usize| {
                let entries = lists.lengths[record];
                if entries > 0 {
                    let groups = [entries.div_ceil(ENTRIES), 1];
                    self.stir.run(pass, bound, &[(record as u64 * WINDOW) as u32], groups);
                }
            };
            for i in 0..count as usize {
                let record = 3 * i;
                let stirs = i < stirred.len();
                if stirs {
                    stir(pass, &to_height[side], record);
                    stir(pass, &to_head, record + 1);
                }
                self.step.run(pass, &self.bound[side], &[], self.groups);
                if stirs {
                    stir(pass, &to_head, record + 2);
                }
                side = 1 - side;
            }
        });
        self.side = side;
        gpu.check()
    }

    /// Adds a list to the heights.
    fn raise(&self, gpu: &Gpu, rises: Vec<(usize, f32)>) -> Result<(), GpuError> {
        let stirred = [Stirred { rises, heads: Vec::new() }];
        let lists = Lists::new(gpu, self.fields.layout, self.fields.per_quantum, &stirred)?;
        let height = &self.fields.sides[self.side].height;
        let buffers = [&lists.records.raw, &lists.entries.raw, &height.raw];
        let bound = self.stir.bind(gpu, &buffers);
        let groups = [lists.lengths[0].div_ceil(ENTRIES), 1];
        gpu.submit(|pass| self.stir.run(pass, &bound, &[0], groups));
        gpu.check()
    }
}

/// What stirs a batch of steps, on the device.
struct Lists {
    /// Three of [`RECORD`] numbers for each step: rises, heads, and heads to be taken off again.
    records: Buffer<u32>,
    entries: Buffer<[i32; 2]>,
    /// How many entries each record has.
    lengths: Vec<u32>,
}

impl Lists {
    fn new(
        gpu: &Gpu,
        layout: Layout,
        per_quantum: f32,
        stirred: &[Stirred],
    ) -> Result<Self, GpuError> {
        let mut entries: Vec<[i32; 2]> = Vec::new();
        let mut records: Vec<u32> = Vec::new();
        let mut lengths = Vec::new();
        let put = |list: &[(usize, f32)], entries: &mut Vec<[i32; 2]>| {
            let start = entries.len() as u32;
            let entry =
                |&(cell, by): &(usize, f32)| [layout.place(cell) as i32, (by * per_quantum) as i32];
            entries.extend(list.iter().map(entry));
            [start, list.len() as u32]
        };
        let mut record = |[start, length]: [u32; 2], off: bool| {
            let at = records.len();
            records.extend([start, length, u32::from(off)]);
            records.resize(at + RECORD, 0);
            lengths.push(length);
        };
        for Stirred { rises, heads } in stirred {
            record(put(rises, &mut entries), false);
            let heads = put(heads, &mut entries);
            record(heads, false);
            record(heads, true);
        }
        records.resize(records.len().max(RECORD), 0);
        Ok(Self {
            records: Buffer::of(gpu, "what stirs the surface", &records)?,
            entries: Buffer::of(gpu, "the cells that are stirred", &entries)?,
            lengths,
        })
    }
}

impl GpuWaves {
    /// Takes a world to the device.
    ///
    /// # Errors
    /// [`GpuError::NotDone`] if a current carries the surface or it has dispersion, [`GpuError`] if the device has
    /// no room for it.
    pub fn new(gpu: &Gpu, waves: Waves) -> Result<Self, GpuError> {
        check(&waves)?;
        let on_device = OnDevice::new(gpu, &waves)?;
        let ahead = waves.device_view().is_stirred().then(|| waves.clone());
        Ok(Self { gpu: gpu.clone(), steps: waves.steps(), waves, ahead, on_device })
    }

    /// The device it is on.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The world as it was when it was last brought back.
    pub fn waves(&self) -> &Waves {
        &self.waves
    }

    /// The same, to go on on the CPU.
    pub fn into_waves(self) -> Waves {
        self.waves
    }

    /// Steps submitted since the start of the world.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Simulated time of the steps submitted since the start (s).
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.waves.params().step
    }

    /// Submits `count` steps, as [`Waves::step_many`] takes them; it does not wait.
    ///
    /// # Errors
    /// [`GpuError`] if the device is lost or full.
    pub fn step_many(&mut self, count: u64) -> Result<(), GpuError> {
        let mut left = count;
        while left > 0 {
            let batch = left.min(BATCH);
            let stirred = match &mut self.ahead {
                None => Vec::new(),
                Some(ahead) => (0..batch).map(|_| ahead.stir()).collect::<Result<_, _>>()?,
            };
            self.on_device.run(&self.gpu, batch, &stirred)?;
            self.steps += batch;
            left -= batch;
        }
        Ok(())
    }

    /// Works on the world with a brush, as [`Waves::edit`]. What disturbs the surface is sent to the device; for the
    /// rest, the world is brought back and handed over again.
    ///
    /// # Errors
    /// [`GpuError::Input`] if the brush or a number of `edit` makes no sense, otherwise as
    /// [`sync`](Self::sync).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn edit(&mut self, brush: &Brush, edit: Edit) -> Result<(), GpuError> {
        match edit {
            Edit::Disturb { height } => self.disturb(brush, height),
            Edit::Land | Edit::Water => self.change(|waves| waves.edit(brush, edit)),
        }
    }

    /// Disturbs the surface, as [`Edit::Disturb`] does; it does not wait.
    ///
    /// # Errors
    /// [`GpuError::Input`] if the numbers make no sense, [`GpuError`] if the device is lost or full.
    pub fn disturb(&mut self, brush: &Brush, height: f64) -> Result<(), GpuError> {
        let rises = self.waves.rises_of(brush, height)?;
        if rises.is_empty() { Ok(()) } else { self.on_device.raise(&self.gpu, rises) }
    }

    /// A drop falls, as [`Waves::drop`]; it does not wait.
    ///
    /// # Errors
    /// As [`disturb`](Self::disturb).
    pub fn drop(&mut self, center: [f64; 2], radius: f64, depth: f64) -> Result<(), GpuError> {
        self.disturb(&Brush::soft(center, radius), -depth)
    }

    /// A finger or an oar drawn along `points`, as [`Waves::stroke`]; it does not wait.
    ///
    /// # Errors
    /// As [`disturb`](Self::disturb).
    pub fn stroke(
        &mut self,
        points: impl Into<Vec<[f64; 2]>>,
        width: f64,
        depth: f64,
    ) -> Result<(), GpuError> {
        let region = Region::line(points, width);
        let brush = Brush { region, falloff: headwater::Falloff::Smooth };
        self.disturb(&brush, -depth)
    }

    /// Brings the world back as it is when all steps so far are done. From then on [`waves`](Self::waves) is that.
    ///
    /// # Errors
    /// [`GpuError::Lost`] if the device is gone, or its first fault; [`GpuError::Input`] if what came back cannot
    /// be. The world then is as it was when it was last brought back.
    pub async fn bring_back(&mut self) -> Result<&Waves, GpuError> {
        let Self { gpu, waves, ahead, on_device, steps } = self;
        let arriving = on_device.fields.bring_back(gpu, on_device.side)?;
        let arrived = arriving.arrived(on_device.fields.layout, waves).await?;
        waves.read_back(Progress {
            height: arrived.height,
            flux_x: arrived.flux_x,
            flux_y: arrived.flux_y,
            parts: arrived.parts,
            came: arrived.came,
            steps: *steps,
            stirred: ahead.as_ref(),
        })?;
        on_device.fields.clear_books(gpu);
        Ok(&self.waves)
    }

    /// As [`bring_back`](Self::bring_back), and waits for it.
    ///
    /// # Errors
    /// As [`bring_back`](Self::bring_back).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn sync(&mut self) -> Result<&Waves, GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(async { self.bring_back().await.map(|_| ()) })?;
        Ok(&self.waves)
    }

    /// Changes the world by what can be done to a [`Waves`]: it is brought back, changed there, and what it has become
    /// is handed over again.
    ///
    /// # Errors
    /// As [`bring_back`](Self::bring_back) and [`new`](Self::new), and whatever `change` says.
    pub async fn change_async(
        &mut self,
        change: impl FnOnce(&mut Waves) -> Result<(), InputError>,
    ) -> Result<(), GpuError> {
        self.bring_back().await?;
        change(&mut self.waves)?;
        check(&self.waves)?;
        self.on_device = OnDevice::new(&self.gpu, &self.waves)?;
        self.ahead = self.waves.device_view().is_stirred().then(|| self.waves.clone());
        self.steps = self.waves.steps();
        Ok(())
    }

    /// As [`change_async`](Self::change_async), and waits for it.
    ///
    /// # Errors
    /// As [`change_async`](Self::change_async).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn change(
        &mut self,
        change: impl FnOnce(&mut Waves) -> Result<(), InputError>,
    ) -> Result<(), GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(self.change_async(change))
    }
}

/// Refuses what is not done on the GPU.
fn check(waves: &Waves) -> Result<(), GpuError> {
    if waves.device_view().has_current() {
        return Err(GpuError::NotDone("currents that carry waves are"));
    }
    if waves.params().dispersion {
        return Err(GpuError::NotDone("waves with dispersion are"));
    }
    Ok(())
}

impl Layout {
    /// Workgroups of a step, which cover all faces.
    fn groups(self) -> [u32; 2] {
        let [wide, tall] = GROUP;
        [(self.nx as u32 + 1).div_ceil(wide), (self.ny as u32 + 1).div_ceil(tall)]
    }
}
