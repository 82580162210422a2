//! [`GpuWorldSlot`]: component that holds the GPU copy of a water entity's world. The CPU copy is
//! in the entity's `Water` or `Pond` component.

use super::queries::{PendingPoints, Queries};
use crate::any_edit::AnyEdit;
use crate::models::PointState;
use crate::water::{Pond, Water};
use bevy::ecs::change_detection::Tick;
use bevy::ecs::prelude::*;
use headwater::flow::{self, Flow, Physics, PreservedQuantity};
use headwater::waves::{self, Waves};
use headwater::{AdvanceSummary, Brush, InputError, Point};
use headwater_gpu::flow::{DetachedFlow, Options};
use headwater_gpu::waves::DetachedWaves;
use headwater_gpu::{Gpu, GpuError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Largest lag (s of model time) of a world on the GPU behind its clock. If the lag is larger, the
/// excess is dropped and never simulated.
const MAX_LAG: f64 = 1.0;

/// Tolerance for the end of a step, as a fraction of the step length. A clock that is this close to
/// the end of a step counts as having reached it. The `headwater` library uses the same value.
const STEP_TOLERANCE: f64 = 1e-6;

/// Component that holds the GPU copy of a water entity's world, if the GPU steps it. The CPU copy
/// is in the entity's `Water` or `Pond` component.
#[derive(Component, Debug, Default)]
pub(crate) struct GpuWorldSlot {
    pub(super) device_world: Option<DeviceWorld>,
    /// Whether the GPU refused the world. If so, no further attempt is made to upload it.
    pub(super) refused: bool,
}

#[derive(Debug)]
pub(super) struct DeviceWorld {
    pub(super) gpu: Gpu,
    pub(super) world: DetachedWorld,
    /// Model time (s) that the app has asked the world to reach.
    target_time: f64,
    /// Change tick of the component when the world was uploaded.
    pub(super) uploaded_tick: Tick,
    /// Whether the world has changed since its texture was last drawn.
    pub(super) is_outdated: bool,
    /// Whether closed cells (cells that water cannot enter) may have changed since they were last
    /// drawn.
    looks_changed: AtomicBool,
    queries: Mutex<Queries>,
}

#[derive(Debug)]
pub(super) enum DetachedWorld {
    Flow(Box<DetachedFlow>),
    Waves(Box<DetachedWaves>),
}

/// Reference to the CPU world in a water entity's component. Access through it does not mark the
/// component as changed.
pub(crate) enum HostComponent<'a> {
    Flow(&'a mut Flow),
    Waves(&'a mut Waves),
}

impl<'a> HostComponent<'a> {
    /// Returns the component that holds an entity's world; `None` unless a GPU can step that world.
    pub(crate) fn from_components(
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

impl DeviceWorld {
    pub(super) fn new(
        gpu: &Gpu,
        host: &HostComponent<'_>,
        uploaded_tick: Tick,
    ) -> Result<Self, GpuError> {
        let handed = gpu.capture_errors(|| {
            Ok(match host {
                HostComponent::Flow(flow) => {
                    let detached = DetachedFlow::new(gpu, flow, Options::default())?;
                    (DetachedWorld::Flow(Box::new(detached)), flow.time())
                }
                HostComponent::Waves(waves) => {
                    // Only the component on the CPU has the positions of bodies.
                    if waves.bodies().iter().next().is_some() {
                        return Err(GpuError::Unsupported("bodies of ponds are"));
                    }
                    let detached = DetachedWaves::new(gpu, waves)?;
                    (DetachedWorld::Waves(Box::new(detached)), waves.time())
                }
            })
        });
        let (world, target_time) = handed?;
        gpu.check()?;
        let gpu = gpu.clone();
        let queries = Mutex::default();
        Ok(Self {
            gpu,
            world,
            target_time,
            uploaded_tick,
            is_outdated: true,
            looks_changed: AtomicBool::new(true),
            queries,
        })
    }

    /// Extends the target time by `time` (s) and submits at most `max_steps` steps toward it.
    /// Submits no step while the GPU has not yet reported the progress of earlier steps.
    pub(super) fn advance(
        &mut self,
        host: HostComponent<'_>,
        time: f64,
        max_steps: u32,
    ) -> Result<AdvanceSummary, GpuError> {
        InputError::check("an advance", time, (0.0..=1e9).contains(&time), "0 to 1e9 s")?;
        let Self { gpu, world, target_time, is_outdated, .. } = self;
        *target_time += time;
        let (steps, behind) = match (world, host) {
            (DetachedWorld::Flow(detached), HostComponent::Flow(flow)) => {
                detached.with_flow(flow, |world| {
                    let before = world.steps_done();
                    let known = world.flow().params().level == Physics::Pipes;
                    let mut left = max_steps;
                    while left > 0 && world.is_ready() && world.time() < *target_time {
                        left -= 1;
                        if !gpu.block_on(world.step_toward(*target_time))? || !known {
                            break;
                        }
                    }
                    let behind = if world.is_ready() { *target_time - world.time() } else { 0.0 };
                    Ok::<_, GpuError>((world.steps_done() - before, behind))
                })?
            }
            (DetachedWorld::Waves(detached), HostComponent::Waves(waves)) => {
                detached.with_waves(waves, |world| {
                    let step = world.waves().params().step;
                    let left = ((*target_time - world.time()) / step + STEP_TOLERANCE)
                        .floor()
                        .max(0.0) as u64;
                    let max_steps = u64::from(world.waves().params().max_steps);
                    world.step_many(left.min(max_steps))?;
                    Ok::<_, GpuError>((left.min(max_steps), *target_time - world.time()))
                })?
            }
            _ => (0, 0.0),
        };
        *is_outdated |= steps > 0 || behind > 0.0;
        let dropped = (behind - MAX_LAG).max(0.0);
        *target_time -= dropped;
        Ok(AdvanceSummary { steps, alpha: 0.0, dropped })
    }

    /// Applies an edit on the GPU. Returns false if the CPU must apply the edit instead.
    pub(super) fn edit(
        &mut self,
        host: HostComponent<'_>,
        brush: &Brush,
        edit: &AnyEdit,
    ) -> Result<bool, GpuError> {
        self.is_outdated = true;
        match (&mut self.world, host, edit) {
            (
                DetachedWorld::Flow(detached),
                HostComponent::Flow(flow),
                AnyEdit::Flow(_) | AnyEdit::Named(..),
            ) => {
                let edit = match edit {
                    AnyEdit::Named(name, amount) => flow::Edit::from_name(name, *amount)?,
                    AnyEdit::Flow(edit) => *edit,
                    _ => return Ok(false),
                };
                if matches!(edit, flow::Edit::Close | flow::Edit::Open) {
                    *self.looks_changed.get_mut() = true;
                }
                detached
                    .with_flow(flow, |world| world.edit(brush, edit, PreservedQuantity::Depth))?;
                Ok(true)
            }
            (
                DetachedWorld::Waves(detached),
                HostComponent::Waves(waves),
                AnyEdit::Waves(_) | AnyEdit::Named(..),
            ) => {
                let edit = match edit {
                    AnyEdit::Named(name, amount) => {
                        waves::Edit::from_name_and_amount(name, *amount)?
                    }
                    AnyEdit::Waves(edit) => *edit,
                    _ => return Ok(false),
                };
                detached.with_waves(waves, |world| world.edit(brush, edit))?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Reads the world back into its component and blocks until the GPU has finished. A flow world
    /// is first stepped to the time of the component's clock.
    pub(super) fn read_back(&mut self, host: HostComponent<'_>) -> Result<(), GpuError> {
        match (&mut self.world, host) {
            (DetachedWorld::Flow(detached), HostComponent::Flow(flow)) => {
                detached.with_flow(flow, |world| {
                    let gpu = world.gpu().clone();
                    while gpu.block_on(world.step_toward(self.target_time))? {}
                    world.sync().map(|_| ())
                })
            }
            (DetachedWorld::Waves(detached), HostComponent::Waves(waves)) => {
                detached.with_waves(waves, |world| world.sync().map(|_| ()))
            }
            _ => Ok(()),
        }
    }

    /// Returns the latest known state of the water at the point `at`, taken from the latest query
    /// result nearby. Without such a result, returns `host`: the state at this point in the CPU
    /// component. `cell` is the cell size (m).
    fn state_at(&self, at: Point, host: PointState, cell: f64) -> PointState {
        let mut queries = self.queries.lock().unwrap_or_else(PoisonError::into_inner);
        // The component and the GPU always have the same ground.
        queries
            .request_and_get_latest(at, cell)
            .map_or(host, |found| PointState { bed: host.bed, ..found })
    }

    /// Collects query results that have arrived, and submits queued queries.
    pub(super) fn update_queries(&mut self, host: HostComponent<'_>) -> Result<(), GpuError> {
        let queries = self.queries.get_mut().unwrap_or_else(PoisonError::into_inner);
        match (&mut self.world, host) {
            (DetachedWorld::Flow(detached), HostComponent::Flow(flow)) => {
                detached.with_flow(flow, |world| {
                    let gpu = world.gpu().clone();
                    queries.update_queries(world.is_ready(), |points| {
                        Ok(PendingPoints::Flow(gpu.block_on(world.query(points, &[]))?))
                    })
                })
            }
            (DetachedWorld::Waves(detached), HostComponent::Waves(waves)) => {
                detached.with_waves(waves, |world| {
                    let depth = world.waves().params().depth;
                    queries.update_queries(true, |points| {
                        Ok(PendingPoints::Waves(world.query(points)?, depth))
                    })
                })
            }
            _ => Ok(()),
        }
    }
}

impl GpuWorldSlot {
    pub(crate) fn is_stepped_on_gpu(&self) -> bool {
        self.device_world.is_some()
    }

    /// Returns whether closed cells (cells that water cannot enter) may have changed since the last
    /// call; `None` if the GPU does not step the world.
    pub(crate) fn closed_cells_changed(&self) -> Option<bool> {
        self.device_world.as_ref().map(|on| on.looks_changed.swap(false, Ordering::Relaxed))
    }

    /// Calls a function with the GPU copy of the world and returns the function's result. Returns
    /// `None` if the GPU does not step the world. After a device error, the CPU continues the world
    /// from the last read-back.
    pub(super) fn with_device_world<R>(
        &mut self,
        work: impl FnOnce(&mut DeviceWorld) -> Result<R, GpuError>,
    ) -> Option<Result<R, GpuError>> {
        let on = self.device_world.as_mut()?;
        let gpu = on.gpu.clone();
        let done = gpu.capture_errors(|| work(on));
        let done = match (done, gpu.check()) {
            (Ok(_), Err(fault)) => Err(fault),
            (done, _) => done,
        };
        if !matches!(done, Ok(_) | Err(GpuError::Input(_))) {
            self.device_world = None;
            self.refused = true;
        }
        Some(done)
    }

    /// Advances the world on the GPU by `time` (model time, s) in at most `max_steps` steps;
    /// returns `None` if the GPU does not step the world.
    pub(crate) fn advance(
        &mut self,
        host: HostComponent<'_>,
        time: f64,
        max_steps: u32,
    ) -> Option<Result<AdvanceSummary, String>> {
        self.with_device_world(|on| on.advance(host, time, max_steps))
            .map(|done| done.map_err(|error| error.to_string()))
    }

    /// Applies an edit on the GPU. Returns `None` if the GPU cannot apply it, so that the caller
    /// must read the world back and apply the edit on the CPU.
    pub(crate) fn edit(
        &mut self,
        host: HostComponent<'_>,
        brush: &Brush,
        edit: &AnyEdit,
    ) -> Option<Result<(), String>> {
        match self.with_device_world(|on| on.edit(host, brush, edit))? {
            Ok(true) => Some(Ok(())),
            Ok(false) => None,
            Err(error) => Some(Err(error.to_string())),
        }
    }

    /// Reads the world back and removes it from the GPU. If reading fails, the component keeps the
    /// state of the last read-back.
    pub(crate) fn return_to_cpu(&mut self, host: HostComponent<'_>) -> Result<(), GpuError> {
        let back = self.with_device_world(|on| on.read_back(host)).unwrap_or(Ok(()));
        self.device_world = None;
        back
    }

    /// Returns the latest known state of the water at the point `at`, taken from the latest query
    /// result nearby. Without such a result, returns `host`: the state at this point in the CPU
    /// component. `cell` is the cell size (m).
    pub(crate) fn state_at(&self, at: Point, host: PointState, cell: f64) -> PointState {
        self.device_world.as_ref().map_or(host, |on| on.state_at(at, host, cell))
    }
}
