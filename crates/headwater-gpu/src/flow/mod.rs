//! `flow` on the GPU: a [`headwater::flow::Flow`] with all that was set up on it is handed over, stepped there, and
//! brought back when it is asked for.
//!
//! ```no_run
//! use headwater::flow::{Flow, Params};
//! use headwater::{Field, Square};
//! use headwater_gpu::{Gpu, flow::{GpuFlow, Options}};
//!
//! let gpu = Gpu::new()?;
//! let lattice = Square::new(1024, 1024, 1.0, 1.0).unwrap();
//! let flow = Flow::new(lattice, Params::default(), Field::new(1024, 1024, 0.0), Field::new(1024, 1024, 1.0))?;
//! let mut flow = GpuFlow::new(&gpu, flow, Options::default())?;
//! flow.advance(10.0)?;
//! println!("{} m³", flow.sync()?.volume());
//! # Ok::<(), headwater_gpu::GpuError>(())
//! ```
//!
//! A step is one dispatch: a workgroup loads a tile with two cells around it and does all five stages in its own
//! memory (tile.wgsl). Many steps go into one submission, and nothing is read back but, for physics whose step
//! depends on the water, a few numbers for each batch.
//!
//! Structures and floating bodies are refused: they are not done here.

mod books;
mod draw;
mod edit;
mod exchange;
mod fields;
mod guard;
mod on_device;
mod query;
mod records;
mod run;
mod shaders;
mod tracers;

pub use query::{Answers, Asked, Reading};
pub use shaders::Tile;

use crate::device::Gpu;
use crate::error::GpuError;
use headwater::flow::{Flow, Physics, Progress};
use on_device::OnDevice;
use run::Batch;
use shaders::Variant;

/// The text of every shader of a flow, by name.
pub(crate) fn shaders() -> Vec<(String, String)> {
    shaders::all()
}

/// How a step is laid out. What comes out is the same, to the last bit on one device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sweep {
    /// One dispatch, tile by tile: what it is made for. Tiles have 32 × 16 cells, or fewer where the device has not the
    /// workgroup memory for that, or where the world has but few rows.
    #[default]
    Tile,
    /// One dispatch, with tiles of a chosen size.
    TileOf(Tile),
    /// Three dispatches over whole fields, as it is usually done, with pipes: the yardstick.
    ThreePass,
}

/// How a world is stepped on the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How a step is laid out.
    pub sweep: Sweep,
    /// Steps that are submitted at once, 1 or above; 64 by default. More cost memory for what changes in time, and
    /// make the device answer later.
    pub batch: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { sweep: Sweep::Tile, batch: 64 }
    }
}

/// Bytes of workgroup memory that every device has.
pub(crate) const LEAST_MEMORY: u64 = 16 << 10;

impl Sweep {
    /// The tile that fits so much workgroup memory (bytes), for a world of so many rows. One that is higher than the
    /// world would be worked on for nothing.
    pub(crate) fn default_tile(variant: Variant, memory: u64, rows: usize) -> Tile {
        // As many invocations go together.
        let tile = |x, y| Tile { x, y, threads: (x * y / 64).max(1) * 32 };
        let sizes = match rows {
            0..=8 => [32, 24, 16, 8].map(|x| tile(x, rows.max(2).next_multiple_of(2) as u32)),
            _ => [tile(32, 16), tile(32, 8), tile(16, 8), tile(16, 4)],
        };
        let fits = |tile: &Tile| variant.tile_bytes(*tile) <= memory;
        sizes.into_iter().find(fits).unwrap_or(tile(8, 4))
    }

    /// The tile that fits the device, or an error that names the limit.
    fn tile(self, gpu: &Gpu, variant: Variant, rows: usize) -> Result<Tile, GpuError> {
        let limits = gpu.limits();
        let memory = u64::from(limits.max_compute_workgroup_storage_size);
        let tile = match self {
            Sweep::TileOf(tile) => tile,
            Sweep::Tile | Sweep::ThreePass => Self::default_tile(variant, memory, rows),
        };
        let name = "max_compute_workgroup_storage_size";
        gpu.within("a tile", (variant.tile_bytes(tile), memory), "bytes", name)?;
        let most =
            limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x);
        let name = "max_compute_invocations_per_workgroup";
        let threads = (u64::from(tile.threads), u64::from(most));
        gpu.within("a tile", threads, "invocations", name)?;
        if tile.x < 1 || tile.y < 1 || tile.y % 2 == 1 || tile.threads < 8 {
            return Err(GpuError::Refused(format!(
                "a tile must have 1 or more columns, an even number of rows and 8 or more invocations, \
                 found {} × {} and {}",
                tile.x, tile.y, tile.threads
            )));
        }
        Ok(tile)
    }
}

/// A world of water over terrain that is stepped on a GPU.
///
/// It keeps the [`Flow`] as it was when it was last brought back, on the ground as it is now: if the device is lost,
/// that one can go on.
#[derive(Debug)]
pub struct GpuFlow {
    gpu: Gpu,
    flow: Flow,
    options: Options,
    on_device: OnDevice,
    /// Where the world on the device is in time; see [`Batch`] for what is still on its way.
    now: Moment,
    batch: Option<Batch>,
    /// What the water asks of a step now, where that counts.
    note: [u32; guard::NOTE],
    /// The same, on its way after an edit.
    surveyed: Option<edit::Surveyed>,
    /// Whether the water was edited since it was brought back.
    edited: bool,
}

/// A moment of the world on the device.
#[derive(Clone, Copy, Debug)]
struct Moment {
    time: f64,
    steps: u64,
    last_dt: f32,
    side_h: u32,
    side_q: u32,
}

impl Moment {
    fn of(flow: &Flow) -> Self {
        let last_dt = flow.device_view().last_dt();
        Self { time: flow.time(), steps: flow.steps(), last_dt, side_h: 0, side_q: 0 }
    }
}

impl GpuFlow {
    /// Hands a world over to a GPU, with all that was set up on it.
    ///
    /// # Errors
    /// [`GpuError::NotDone`] if there is something in it that is not done there, [`GpuError::Limit`] and
    /// [`GpuError::OutOfMemory`] if it is too large for the device.
    pub fn new(gpu: &Gpu, flow: Flow, options: Options) -> Result<Self, GpuError> {
        check(&flow, options)?;
        let on_device = OnDevice::new(gpu, &flow, options)?;
        let (now, note) = (Moment::of(&flow), guard::note(&flow));
        let gpu = gpu.clone();
        let (batch, surveyed, edited) = (None, None, false);
        Ok(Self { gpu, flow, options, on_device, now, batch, note, surveyed, edited })
    }

    /// The device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The world as it was when it was last brought back, but for what was edited since: of that it has the ground.
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// As [`flow`](Self::flow), to go on on the CPU.
    pub fn into_flow(self) -> Flow {
        self.flow
    }

    /// Brings the world back as it is when all steps so far are done. From then on [`flow`](Self::flow) is that.
    ///
    /// # Errors
    /// [`GpuError::Lost`] if the device is gone, or its first fault; [`GpuError::Input`] if a step was too long,
    /// see [`steps`](Self::steps), once the world is back, or if what came back cannot be.
    pub async fn bring_back(&mut self) -> Result<&Flow, GpuError> {
        let settled = self.settle().await;
        if matches!(settled, Err(GpuError::Input(_)) | Ok(())) {
            self.fetch().await?;
        }
        settled?;
        Ok(&self.flow)
    }

    /// Brings back what is not back yet.
    async fn fetch(&mut self) -> Result<(), GpuError> {
        if self.now.steps == self.flow.steps() && !self.edited {
            return self.gpu.check();
        }
        let Self { gpu, on_device, now, .. } = self;
        let returning = on_device.fields.bring_back(gpu, now.side_h, now.side_q)?;
        let words = on_device.books.read(gpu, 0, books::LEN)?;
        let owed = on_device.exchange.bring_back(gpu, &self.flow).await?;
        let tracers = match &on_device.tracers {
            None => None,
            Some(tracers) => Some(tracers.bring_back(gpu).await?),
        };
        let returned = returning.arrived().await?;
        let booked = books::booked(&words.await?, self.flow.lattice().cell_area());
        self.flow.read_back(Progress {
            depth: returned.depth,
            discharge_x: returned.x,
            discharge_y: returned.y,
            discharge_z: returned.z,
            momentum: returned.momentum,
            remainders: owed,
            tracers,
            booked,
            time: now.time,
            last_dt: now.last_dt,
            steps: now.steps,
        })?;
        on_device.books.write(gpu, 0, &[0; books::LEN]);
        self.edited = false;
        Ok(())
    }

    /// As [`bring_back`](Self::bring_back), and waits for it.
    ///
    /// # Errors
    /// As [`bring_back`](Self::bring_back).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn sync(&mut self) -> Result<&Flow, GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(async { self.bring_back().await.map(|_| ()) })?;
        Ok(&self.flow)
    }

    /// Changes the world by what can be done to a [`Flow`]: it is brought back, changed there, and what it has
    /// become is handed over again, with its kernels.
    ///
    /// # Errors
    /// As [`bring_back`](Self::bring_back) and [`new`](Self::new), and whatever `change` says.
    pub async fn change_async<E: Into<GpuError>>(
        &mut self,
        change: impl FnOnce(&mut Flow) -> Result<(), E>,
    ) -> Result<(), GpuError> {
        self.bring_back().await?;
        change(&mut self.flow).map_err(Into::into)?;
        check(&self.flow, self.options)?;
        self.on_device = OnDevice::new(&self.gpu, &self.flow, self.options)?;
        (self.now, self.note) = (Moment::of(&self.flow), guard::note(&self.flow));
        Ok(())
    }

    /// As [`change_async`](Self::change_async), and waits for it.
    ///
    /// # Errors
    /// As [`change_async`](Self::change_async).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn change<E: Into<GpuError>>(
        &mut self,
        change: impl FnOnce(&mut Flow) -> Result<(), E>,
    ) -> Result<(), GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(self.change_async(change))
    }
}

/// Heights of the ground from here on (m) are none: they mark closed cells.
const HIGHEST: f32 = 1e30;

/// Refuses what is not done on the GPU.
fn check(flow: &Flow, options: Options) -> Result<(), GpuError> {
    let elsewhere = flow.device_view();
    let three_pass = options.sweep == Sweep::ThreePass;
    let too_high = || flow.state().bed.as_slice().iter().any(|z| z.abs() >= HIGHEST);
    let not_done = [
        (elsewhere.has_structures(), "culverts, gates and weirs are"),
        (elsewhere.has_bodies(), "floating bodies are"),
        (elsewhere.is_settling(), "walks to a steady state are"),
        (
            three_pass && flow.params().level != Physics::Pipes,
            "three passes of other physics than pipes are",
        ),
        (too_high(), "heights of 1e30 m or more are"),
    ];
    match not_done.into_iter().find(|(is_there, _)| *is_there) {
        Some((_, what)) => Err(GpuError::NotDone(what)),
        None => Ok(()),
    }
}
