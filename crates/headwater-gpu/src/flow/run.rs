//! Stepping of a flow world on the device: planning, submission and completion of batches of steps.

use super::batch::{Batch, Clock, PlannedStep};
use super::buffers::records::{Entry, Step};
use super::buffers::schedule::{push_record, step_entries};
use super::gpu_flow::GpuFlow;
use super::limit::{self, STEP_SAFETY, SUMMARY_WORDS, StabilityBounds};
use crate::buffer::Pending;
use crate::error::GpuError;
use headwater::InputError;
use headwater::flow::{Physics, equal_steps};
#[cfg(not(target_arch = "wasm32"))]
use std::time::{Duration, Instant};

impl GpuFlow {
    /// Returns the simulated time (s) of the world on the device. If the stable time step depends
    /// on the water, the time does not include the last submitted batch until a later call has
    /// waited for its completion.
    pub fn time(&self) -> f64 {
        self.clock.time
    }

    /// Returns the number of steps that the world on the device has performed. If the stable time
    /// step depends on the water, the number does not include the last submitted batch until a
    /// later call has waited for its completion.
    pub fn steps_done(&self) -> u64 {
        self.clock.steps
    }

    /// Returns whether the last batch is complete. If it is, the next step does not have to wait.
    /// Always true with [`Physics::Pipes`](headwater::flow::Physics::Pipes).
    pub fn is_ready(&self) -> bool {
        self.pending_summary.as_ref().is_none_or(Pending::has_arrived)
            && self.batch.as_ref().is_none_or(|batch| batch.summaries.has_arrived())
    }

    /// Performs one step of `dt` seconds.
    ///
    /// # Errors
    /// Returns the same errors as [`steps`](Self::steps).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn step(&mut self, dt: f64) -> Result<(), GpuError> {
        self.steps(1, dt)
    }

    /// Performs `count` steps of `dt` seconds each. Does not wait for the completion of the last
    /// batch.
    ///
    /// # Errors
    /// Returns [`InputError`] if `dt` is above the stability limit. With
    /// [`Physics::Pipes`](headwater::flow::Physics::Pipes), this is checked before the first step.
    /// With other schemes the limit depends on the water: the world stops after the last stable
    /// step, and the next call that waits for the batch returns the error, at the latest
    /// [`sync`](Self::sync). Otherwise returns the first error of the device.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn steps(&mut self, count: usize, dt: f64) -> Result<(), GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(self.steps_async(count, dt))
    }

    /// Async version of [`steps`](Self::steps).
    ///
    /// # Errors
    /// Returns the same errors as [`steps`](Self::steps).
    pub async fn steps_async(&mut self, count: usize, dt: f64) -> Result<(), GpuError> {
        InputError::check("a step", dt, dt > 0.0, "a number of seconds above 0")?;
        let mut left = count;
        while left > 0 {
            self.finish_batch().await?;
            self.check_step(dt).await?;
            let many = left.min(self.options.max_batch_steps.max(1));
            let mut start = self.clock.time;
            let plan: Vec<PlannedStep> = (0..many)
                .map(|_| {
                    let planned = PlannedStep { start, dt, end: start + dt };
                    start = planned.end;
                    planned
                })
                .collect();
            self.submit(&plan, true)?;
            left -= many;
        }
        Ok(())
    }

    /// Advances the world by `seconds` in stable steps of at most
    /// [`max_dt`](headwater::flow::Params::max_dt). With
    /// [`Physics::Pipes`](headwater::flow::Physics::Pipes), the function does not wait for the
    /// completion of the last batch.
    ///
    /// # Errors
    /// Returns the errors of [`Params::check_duration`](headwater::flow::Params::check_duration),
    /// otherwise the first error of the device.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn advance(&mut self, seconds: f64) -> Result<(), GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(self.advance_async(seconds))
    }

    /// Async version of [`advance`](Self::advance).
    ///
    /// # Errors
    /// Returns the same errors as [`advance`](Self::advance).
    pub async fn advance_async(&mut self, seconds: f64) -> Result<(), GpuError> {
        self.flow.params().check_duration(seconds)?;
        self.finish_batch().await?;
        let stop = self.clock.time + seconds;
        while self.step_toward(stop).await? {}
        Ok(())
    }

    /// Submits one batch of steps toward the simulated time `stop` (s). Returns false if the world
    /// has already reached `stop`, otherwise true. With
    /// [`Physics::Pipes`](headwater::flow::Physics::Pipes), the step lengths are those of
    /// [`Flow::step_toward`](headwater::flow::Flow::step_toward). Other schemes use one step length
    /// for the batch, slightly below the stability limit at the start of the batch.
    ///
    /// # Errors
    /// Returns [`InputError`] if `stop` is not finite, otherwise the first error of the device.
    pub async fn step_toward(&mut self, stop: f64) -> Result<bool, GpuError> {
        self.step_batch_toward(stop, usize::MAX).await
    }

    /// Submits one batch of at most `max_steps` steps toward the simulated time `stop` (s), as
    /// [`step_toward`](Self::step_toward) does. Does not wait if the world [is
    /// ready](Self::is_ready).
    ///
    /// # Errors
    /// Returns the same errors as [`step_toward`](Self::step_toward).
    pub async fn step_batch_toward(
        &mut self,
        stop: f64,
        max_steps: usize,
    ) -> Result<bool, GpuError> {
        InputError::check("a time to advance to", stop, true, "a finite number of seconds")?;
        self.finish_batch().await?;
        let params = self.flow.params();
        let slack = if params.level == Physics::Pipes { 1.0 } else { STEP_SAFETY };
        let longest = (slack * self.stable_dt()).min(params.max_dt.unwrap_or(f64::INFINITY));
        let mut plan = Vec::new();
        let mut start = self.clock.time;
        while plan.len() < self.options.max_batch_steps.clamp(1, max_steps.max(1)) && start < stop {
            let left = stop - start;
            let (steps, dt) = equal_steps(left, longest);
            // The step ends exactly at `stop`, without accumulated rounding errors.
            let end = if steps <= 1.0 { stop } else { start + dt };
            plan.push(PlannedStep { start, dt, end });
            start = end;
        }
        if plan.is_empty() {
            return Ok(false);
        }
        self.submit(&plan, false)?;
        Ok(true)
    }

    /// Performs at most `max_steps` steps toward the simulated time `stop` (s), as
    /// [`step_toward`](Self::step_toward) does. Returns the number of steps, which is 0 if the
    /// world has already reached `stop`. If the stable time step depends on the water, waits for
    /// the completion of the steps, so that [`time`](Self::time) and
    /// [`steps_done`](Self::steps_done) include them.
    ///
    /// # Errors
    /// Returns the same errors as [`step_toward`](Self::step_toward).
    pub async fn steps_toward(&mut self, stop: f64, max_steps: usize) -> Result<usize, GpuError> {
        self.finish_batch().await?;
        let before = self.clock.steps;
        self.step_batch_toward(stop, max_steps).await?;
        self.finish_batch().await?;
        Ok((self.clock.steps - before) as usize)
    }

    /// Returns the longest stable time step (s) for the state of the world after the last completed
    /// batch.
    pub fn stable_dt(&self) -> f64 {
        limit::stable_dt(&self.flow, &self.summary, self.clock.time)
    }

    /// Returns the wall-clock time of `count` steps of `dt` seconds each, from submission to
    /// completion.
    ///
    /// # Errors
    /// Returns the same errors as [`steps`](Self::steps).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn benchmark_steps(&mut self, count: usize, dt: f64) -> Result<Duration, GpuError> {
        self.gpu.wait()?;
        let start = Instant::now();
        self.steps(count, dt)?;
        let gpu = self.gpu.clone();
        gpu.block_on(self.finish_batch())?;
        gpu.wait()?;
        Ok(start.elapsed())
    }

    fn submit(&mut self, plan: &[PlannedStep], fixed_step: bool) -> Result<(), GpuError> {
        self.gpu.check()?;
        let Self { gpu, flow, on_device, clock: now, .. } = self;
        let view = flow.device_view();
        let summary_buffer = on_device.buffers.summaries.as_ref();
        let steady = limit::is_steady(view);
        let mut schedule = Vec::new();
        let mut clocks = Vec::new();
        let mut clock = *now;
        let mut cached: Option<(f64, Step, Vec<Entry>)> = None;
        for (slot, &PlannedStep { start, dt, end }) in plan.iter().enumerate() {
            let (_, step, entries) = match &mut cached {
                Some(cached) if steady && cached.0 == dt => cached,
                cached => {
                    let mut step = Step::new(flow, start, dt);
                    if summary_buffer.is_some() {
                        // The device compares the state after the step with the water outside at
                        // the same time.
                        let outside = view.exterior_extremes(end).depth;
                        StabilityBounds::new(flow, start, dt).write_to(&mut step, outside);
                    }
                    cached.insert((dt, step, step_entries(view, start, dt)))
                }
            };
            (step.buffer_h, step.buffer_q, step.slot) =
                (clock.buffer_h, clock.buffer_q, slot as u32);
            push_record(&mut schedule, *step, entries, on_device.buffers.record_bytes);
            clock = Clock {
                time: end,
                steps: clock.steps + 1,
                last_dt: dt as f32,
                buffer_h: 1 - clock.buffer_h,
                buffer_q: 1 - clock.buffer_q,
            };
            clocks.push(clock);
        }
        on_device.buffers.schedule.write(gpu, 0, &schedule);
        if let Some(summary_buffer) = summary_buffer {
            let mut summaries = vec![0; SUMMARY_WORDS * (plan.len() + 1)];
            summaries[..SUMMARY_WORDS].copy_from_slice(&self.summary);
            summary_buffer.write(gpu, 0, &summaries);
        }
        gpu.submit(|pass| (0..plan.len()).for_each(|slot| on_device.record(pass, slot)));
        match summary_buffer {
            None => *now = clock,
            Some(summary_buffer) => {
                let summaries =
                    summary_buffer.read(gpu, SUMMARY_WORDS, SUMMARY_WORDS * plan.len())?;
                self.batch = Some(Batch { summaries, plan: plan.to_vec(), clocks, fixed_step });
            }
        }
        Ok(())
    }

    /// Waits for the completion of the last batch. The device skips unstable steps and all later
    /// steps of the batch. If the caller chose the step length, the CPU checks the first skipped
    /// step again with the exact stability limit. If that step is stable, the skipped steps are
    /// resubmitted.
    pub(super) async fn finish_batch(&mut self) -> Result<(), GpuError> {
        if let Some(pending_summary) = self.pending_summary.take() {
            self.summary.copy_from_slice(&pending_summary.await?);
        }
        while let Some(Batch { summaries, plan, clocks, fixed_step }) = self.batch.take() {
            let summaries = summaries.await?;
            let done =
                summaries.chunks_exact(SUMMARY_WORDS).take_while(|summary| summary[2] == 1).count();
            if let Some(last) = done.checked_sub(1) {
                self.clock = clocks[last];
                self.summary
                    .copy_from_slice(&summaries[last * SUMMARY_WORDS..(last + 1) * SUMMARY_WORDS]);
            }
            if done == 0 {
                // The first step has been checked with the same summary, so the device cannot have
                // skipped it.
                return Err(GpuError::Refused(
                    "a step within the stability limit was not executed".into(),
                ));
            }
            if fixed_step && let Some(next) = plan.get(done) {
                self.check_step(next.dt).await?;
                self.submit(&plan[done..], true)?;
            }
        }
        Ok(())
    }

    /// Checks that a step of `dt` seconds is stable. The check first uses the state summary of the
    /// device. This summary is approximate: it ignores cells that are shallow relative to the
    /// largest depth before the last step. If the step seems unstable, the function reads the water
    /// back and computes the limit exactly.
    ///
    /// # Errors
    /// Returns [`GpuError::Input`] if the step is unstable.
    async fn check_step(&mut self, dt: f64) -> Result<(), GpuError> {
        if dt > self.stable_dt() && self.on_device.buffers.summaries.is_some() {
            self.read_back_state().await?;
            self.summary = limit::summarize(&self.flow);
        }
        let limit = self.stable_dt();
        let allowed = format!("above 0 up to {limit} s, the stability limit");
        Ok(InputError::check("a step", dt, dt <= limit, allowed)?)
    }
}
