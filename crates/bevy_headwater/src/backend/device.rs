//! [`DeviceHalf`]: the half of a world that is on a GPU.

use super::asks::{Asks, Coming};
use crate::any_edit::AnyEdit;
use crate::models::Place;
use crate::water::{Pond, Water};
use bevy::ecs::change_detection::Tick;
use bevy::ecs::prelude::*;
use headwater::flow::{self, Flow, Keep, Physics};
use headwater::waves::{self, Waves};
use headwater::{AdvanceSummary, Brush, InputError, Point};
use headwater_gpu::flow::{LentFlow, Options};
use headwater_gpu::waves::LentWaves;
use headwater_gpu::{Gpu, GpuError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Time (s of the model) that a world on the GPU may be behind its clock; more is left out.
const BEHIND: f64 = 1.0;

/// How near the end of a step a clock has to be for that to count as reached, in steps: as that of the library.
const NEARLY: f64 = 1e-6;

/// The half of a water that is on a GPU, if it is there. The other half is the component, which others see.
#[derive(Component, Debug, Default)]
pub(crate) struct DeviceHalf {
    pub(super) on: Option<OnDevice>,
    /// Whether its world was not taken, so that it is not tried again and again.
    pub(super) refused: bool,
}

#[derive(Debug)]
pub(super) struct OnDevice {
    pub(super) gpu: Gpu,
    pub(super) world: Lent,
    /// The time (s) that it has been asked to come to.
    due: f64,
    /// When the component was changed last as it was handed over.
    pub(super) seen: Tick,
    /// Whether a texture does not have all of it yet.
    pub(super) undrawn: bool,
    /// Whether closed cells may have changed since they were drawn.
    looks_changed: AtomicBool,
    asks: Mutex<Asks>,
}

#[derive(Debug)]
pub(super) enum Lent {
    Flow(Box<LentFlow>),
    Waves(Box<LentWaves>),
}

/// The component of a world, to be worked on without a word to those who look for changes.
pub(crate) enum Half<'a> {
    Flow(&'a mut Flow),
    Waves(&'a mut Waves),
}

impl<'a> Half<'a> {
    /// The component that an entity has; `None` if it has none that a GPU steps.
    pub(crate) fn of(
        flow: Option<&'a mut Mut<'_, Water>>,
        waves: Option<&'a mut Mut<'_, Pond>>,
    ) -> Option<Self> {
        match (flow, waves) {
            (Some(water), _) => Some(Self::Flow(&mut water.bypass_change_detection().0)),
            (None, Some(pond)) => Some(Self::Waves(&mut pond.bypass_change_detection().0)),
            (None, None) => None,
        }
    }
}

impl OnDevice {
    pub(super) fn new(gpu: &Gpu, half: &Half<'_>, seen: Tick) -> Result<Self, GpuError> {
        let handed = gpu.catch(|| {
            Ok(match half {
                Half::Flow(flow) => {
                    let lent = LentFlow::new(gpu, flow, Options::default())?;
                    (Lent::Flow(Box::new(lent)), flow.time())
                }
                Half::Waves(waves) => {
                    // Where bodies are is known to the half on the CPU alone.
                    if waves.bodies().iter().next().is_some() {
                        return Err(GpuError::NotDone("bodies of ponds are"));
                    }
                    let lent = LentWaves::new(gpu, waves)?;
                    (Lent::Waves(Box::new(lent)), waves.time())
                }
            })
        });
        let (world, due) = handed?;
        gpu.check()?;
        let gpu = gpu.clone();
        let asks = Mutex::default();
        Ok(Self {
            gpu,
            world,
            due,
            seen,
            undrawn: true,
            looks_changed: AtomicBool::new(true),
            asks,
        })
    }

    /// Submits steps up to a later time; none while it is not known how far the last ones came.
    pub(super) fn advance(
        &mut self,
        half: Half<'_>,
        time: f64,
        most: u32,
    ) -> Result<AdvanceSummary, GpuError> {
        InputError::check("an advance", time, (0.0..=1e9).contains(&time), "0 to 1e9 s")?;
        let Self { gpu, world, due, undrawn, .. } = self;
        *due += time;
        let (steps, behind) = match (world, half) {
            (Lent::Flow(lent), Half::Flow(flow)) => lent.with(flow, |world| {
                let before = world.steps_done();
                let known = world.flow().params().level == Physics::Pipes;
                let mut left = most;
                while left > 0 && world.is_ready() && world.time() < *due {
                    left -= 1;
                    if !gpu.block_on(world.step_toward(*due))? || !known {
                        break;
                    }
                }
                let behind = if world.is_ready() { *due - world.time() } else { 0.0 };
                Ok::<_, GpuError>((world.steps_done() - before, behind))
            })?,
            (Lent::Waves(lent), Half::Waves(waves)) => lent.with(waves, |world| {
                let step = world.waves().params().step;
                let left = ((*due - world.time()) / step + NEARLY).floor().max(0.0) as u64;
                let most = u64::from(world.waves().params().max_steps);
                world.step_many(left.min(most))?;
                Ok::<_, GpuError>((left.min(most), *due - world.time()))
            })?,
            _ => (0, 0.0),
        };
        *undrawn |= steps > 0 || behind > 0.0;
        let dropped = (behind - BEHIND).max(0.0);
        *due -= dropped;
        Ok(AdvanceSummary { steps, alpha: 0.0, dropped })
    }

    /// Does an edit there; false if it has to be done on the CPU.
    pub(super) fn edit(
        &mut self,
        half: Half<'_>,
        brush: &Brush,
        edit: &AnyEdit,
    ) -> Result<bool, GpuError> {
        self.undrawn = true;
        match (&mut self.world, half, edit) {
            (Lent::Flow(lent), Half::Flow(flow), AnyEdit::Flow(_) | AnyEdit::Named(..)) => {
                let edit = match edit {
                    AnyEdit::Named(name, amount) => flow::Edit::named(name, *amount)?,
                    AnyEdit::Flow(edit) => *edit,
                    _ => return Ok(false),
                };
                if matches!(edit, flow::Edit::Close | flow::Edit::Open) {
                    *self.looks_changed.get_mut() = true;
                }
                lent.with(flow, |world| world.edit(brush, edit, Keep::Depth))?;
                Ok(true)
            }
            (Lent::Waves(lent), Half::Waves(waves), AnyEdit::Waves(_) | AnyEdit::Named(..)) => {
                let edit = match edit {
                    AnyEdit::Named(name, amount) => waves::Edit::named(name, *amount)?,
                    AnyEdit::Waves(edit) => *edit,
                    _ => return Ok(false),
                };
                lent.with(waves, |world| world.edit(brush, edit))?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Brings the world back into its component, at the time of its clock. It waits.
    pub(super) fn bring_back(&mut self, half: Half<'_>) -> Result<(), GpuError> {
        match (&mut self.world, half) {
            (Lent::Flow(lent), Half::Flow(flow)) => lent.with(flow, |world| {
                let gpu = world.gpu().clone();
                while gpu.block_on(world.step_toward(self.due))? {}
                world.sync().map(|_| ())
            }),
            (Lent::Waves(lent), Half::Waves(waves)) => {
                lent.with(waves, |world| world.sync().map(|_| ()))
            }
            _ => Ok(()),
        }
    }

    /// What is in a place, as far as it is known; `told` is what the half on the CPU says.
    fn place(&self, at: Point, told: Place, cell: f64) -> Place {
        let mut asks = self.asks.lock().unwrap_or_else(PoisonError::into_inner);
        // The ground is known here as well as there.
        asks.place(at, cell).map_or(told, |found| Place { bed: told.bed, ..found })
    }

    /// Takes answers that have come, and asks for what is wanted.
    pub(super) fn keep_asking(&mut self, half: Half<'_>) -> Result<(), GpuError> {
        let asks = self.asks.get_mut().unwrap_or_else(PoisonError::into_inner);
        match (&mut self.world, half) {
            (Lent::Flow(lent), Half::Flow(flow)) => lent.with(flow, |world| {
                let gpu = world.gpu().clone();
                asks.keep_asking(world.is_ready(), |points| {
                    Ok(Coming::Flow(gpu.block_on(world.ask(points, &[]))?))
                })
            }),
            (Lent::Waves(lent), Half::Waves(waves)) => lent.with(waves, |world| {
                let depth = world.waves().params().depth;
                asks.keep_asking(true, |points| Ok(Coming::Waves(world.ask(points)?, depth)))
            }),
            _ => Ok(()),
        }
    }
}

impl DeviceHalf {
    pub(crate) fn is_on(&self) -> bool {
        self.on.is_some()
    }

    /// Whether closed cells may have changed since somebody asked last; `None` if the world is not there.
    pub(crate) fn looks_changed(&self) -> Option<bool> {
        self.on.as_ref().map(|on| on.looks_changed.swap(false, Ordering::Relaxed))
    }

    /// Does something with the world there; `None` if it is not there. A fault brings it to the CPU as it was brought back last, unless
    /// it is the input's.
    pub(super) fn with<R>(
        &mut self,
        work: impl FnOnce(&mut OnDevice) -> Result<R, GpuError>,
    ) -> Option<Result<R, GpuError>> {
        let on = self.on.as_mut()?;
        let gpu = on.gpu.clone();
        let done = gpu.catch(|| work(on));
        let done = match (done, gpu.check()) {
            (Ok(_), Err(fault)) => Err(fault),
            (done, _) => done,
        };
        if !matches!(done, Ok(_) | Err(GpuError::Input(_))) {
            self.on = None;
            self.refused = true;
        }
        Some(done)
    }

    /// Advances the world there; `None` if it is not there.
    pub(crate) fn advance(
        &mut self,
        half: Half<'_>,
        time: f64,
        most: u32,
    ) -> Option<Result<AdvanceSummary, String>> {
        self.with(|on| on.advance(half, time, most))
            .map(|done| done.map_err(|error| error.to_string()))
    }

    /// Does an edit there; `None` if it has to be done on the CPU, for which the world is to be brought back.
    pub(crate) fn edit(
        &mut self,
        half: Half<'_>,
        brush: &Brush,
        edit: &AnyEdit,
    ) -> Option<Result<(), String>> {
        match self.with(|on| on.edit(half, brush, edit))? {
            Ok(true) => Some(Ok(())),
            Ok(false) => None,
            Err(error) => Some(Err(error.to_string())),
        }
    }

    /// Brings the world back into its component, which is all of it from then on. If that fails, it is as it was brought back last.
    pub(crate) fn come_home(&mut self, half: Half<'_>) -> Result<(), GpuError> {
        let back = self.with(|on| on.bring_back(half)).unwrap_or(Ok(()));
        self.on = None;
        back
    }

    /// What is in a place of the world there; `told` is what the half on the CPU says.
    pub(crate) fn place(&self, at: Point, told: Place, cell: f64) -> Place {
        self.on.as_ref().map_or(told, |on| on.place(at, told, cell))
    }
}
