//! Steps on the device: batches of them, what each is told, and how far they came.

use super::batch::{Batch, Moment, Planned};
use super::gpu_flow::GpuFlow;
use super::limit::{self, Allowed, NOTE, SLACK};
use super::records::{Entry, Step};
use super::schedule::{entries, push_record};
use crate::buffer::Pending;
use crate::error::GpuError;
use headwater::InputError;
use headwater::flow::Physics;
#[cfg(not(target_arch = "wasm32"))]
use std::time::{Duration, Instant};

impl GpuFlow {
    /// Simulated time (s) of the world on the device, as far as that is known: with physics whose step depends on
    /// the water, it is when the last batch has been asked for.
    pub fn time(&self) -> f64 {
        self.now.time
    }

    /// Steps of the world on the device, as far as that is known.
    pub fn steps_done(&self) -> u64 {
        self.now.steps
    }

    /// Whether it is known how far the last batch of steps came and what the water allows now, so that the next calls need
    /// not wait. With pipes it always is.
    pub fn is_ready(&self) -> bool {
        self.surveyed.as_ref().is_none_or(Pending::has_arrived)
            && self.batch.as_ref().is_none_or(|batch| batch.notes.has_arrived())
    }

    /// A step of `dt` seconds.
    ///
    /// # Errors
    /// As [`steps`](Self::steps).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn step(&mut self, dt: f64) -> Result<(), GpuError> {
        self.steps(1, dt)
    }

    /// `count` steps of `dt` seconds each. It does not wait for the last batch of them.
    ///
    /// # Errors
    /// [`InputError`] if that is above the stability limit. With pipes that is known before any step is
    /// done. With other physics it depends on the water: the world then stands at the last step that was
    /// stable, and the error comes with the next call that learns of it, at the latest
    /// [`sync`](Self::sync). Else the device's first fault.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn steps(&mut self, count: usize, dt: f64) -> Result<(), GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(self.steps_async(count, dt))
    }

    /// As [`steps`](Self::steps); the same errors.
    pub async fn steps_async(&mut self, count: usize, dt: f64) -> Result<(), GpuError> {
        InputError::check("a step", dt, dt > 0.0, "a number of seconds above 0")?;
        let mut left = count;
        while left > 0 {
            self.finish_batch().await?;
            self.check_step(dt).await?;
            let many = left.min(self.options.batch.max(1));
            let mut start = self.now.time;
            let plan: Vec<Planned> = (0..many)
                .map(|_| {
                    let planned = Planned { start, dt, end: start + dt };
                    start = planned.end;
                    planned
                })
                .collect();
            self.submit(&plan, true)?;
            left -= many;
        }
        Ok(())
    }

    /// Advances by `seconds`, in steps within the stability limit and
    /// [`max_dt`](headwater::flow::Params::max_dt). It does not wait for the last batch of them with pipes.
    ///
    /// # Errors
    /// As of [`Params::check_advance`](headwater::flow::Params::check_advance), or the device's first fault.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn advance(&mut self, seconds: f64) -> Result<(), GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(self.advance_async(seconds))
    }

    /// As [`advance`](Self::advance); the same errors.
    pub async fn advance_async(&mut self, seconds: f64) -> Result<(), GpuError> {
        self.flow.params().check_advance(seconds)?;
        self.finish_batch().await?;
        let stop = self.now.time + seconds;
        while self.step_toward(stop).await? {}
        Ok(())
    }

    /// Submits one batch of steps on the way to the time `stop` (s); false if there was nothing left to do. With
    /// pipes the steps are those of [`Flow::step_toward`](headwater::flow::Flow::step_toward). With other
    /// physics a batch has one length of steps, a little below what the limit allows at its beginning.
    ///
    /// # Errors
    /// [`InputError`] if `stop` is no finite number, or the device's first fault.
    pub async fn step_toward(&mut self, stop: f64) -> Result<bool, GpuError> {
        self.walk_toward(stop, usize::MAX).await
    }

    /// As [`step_toward`](Self::step_toward), a batch of at most `most` steps. It waits for nothing if the world
    /// [is ready](Self::is_ready).
    ///
    /// # Errors
    /// As [`step_toward`](Self::step_toward).
    pub async fn walk_toward(&mut self, stop: f64, most: usize) -> Result<bool, GpuError> {
        InputError::check("a time to advance to", stop, true, "a finite number of seconds")?;
        self.finish_batch().await?;
        let params = self.flow.params();
        let slack = if params.level == Physics::Pipes { 1.0 } else { SLACK };
        let longest = (slack * self.limit()).min(params.max_dt.unwrap_or(f64::INFINITY));
        let mut plan = Vec::new();
        let mut start = self.now.time;
        while plan.len() < self.options.batch.clamp(1, most.max(1)) && start < stop {
            let left = stop - start;
            let steps = (left / longest).ceil().min(f64::MAX);
            let dt = (left / steps).min(longest);
            // Time adds up with rounding; arriving means arriving.
            let end = if steps <= 1.0 { stop } else { start + dt };
            plan.push(Planned { start, dt, end });
            start = end;
        }
        if plan.is_empty() {
            return Ok(false);
        }
        self.submit(&plan, false)?;
        Ok(true)
    }

    /// At most `most` steps on the way to the time `stop` (s), as [`step_toward`](Self::step_toward) takes them, and how many
    /// they were; 0 if there was nothing left to do. With physics whose step depends on the water, it waits to learn how
    /// far they came, so [`time`](Self::time) and [`steps_done`](Self::steps_done) are those of the world.
    ///
    /// # Errors
    /// As [`step_toward`](Self::step_toward).
    pub async fn steps_toward(&mut self, stop: f64, most: usize) -> Result<usize, GpuError> {
        self.finish_batch().await?;
        let before = self.now.steps;
        self.walk_toward(stop, most).await?;
        self.finish_batch().await?;
        Ok((self.now.steps - before) as usize)
    }

    /// The largest stable step (s) of the world on the device, as far as that is known.
    pub fn limit(&self) -> f64 {
        limit::limit(&self.flow, &self.note, self.now.time)
    }

    /// How long `count` steps of `dt` seconds take, from submitting them to their end.
    ///
    /// # Errors
    /// As [`steps`](Self::steps).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn time_steps(&mut self, count: usize, dt: f64) -> Result<Duration, GpuError> {
        self.gpu.wait()?;
        let start = Instant::now();
        self.steps(count, dt)?;
        let gpu = self.gpu.clone();
        gpu.block_on(self.finish_batch())?;
        gpu.wait()?;
        Ok(start.elapsed())
    }

    fn submit(&mut self, plan: &[Planned], asked: bool) -> Result<(), GpuError> {
        self.gpu.check()?;
        let Self { gpu, flow, on_device, now, .. } = self;
        let elsewhere = flow.device_view();
        let noted = on_device.buffers.notes.as_ref();
        let steady = limit::is_steady(elsewhere);
        let mut schedule = Vec::new();
        let mut moments = Vec::new();
        let mut moment = *now;
        let mut known: Option<(f64, Step, Vec<Entry>)> = None;
        for (slot, &Planned { start, dt, end }) in plan.iter().enumerate() {
            let (_, step, entries) = match &mut known {
                Some(known) if steady && known.0 == dt => known,
                known => {
                    let mut step = Step::new(flow, start, dt);
                    if noted.is_some() {
                        // What it leaves is held against what then stands outside.
                        let outside = elsewhere.exterior_extremes(end).depth;
                        Allowed::new(flow, start, dt).set(&mut step, outside);
                    }
                    known.insert((dt, step, entries(elsewhere, start, dt)))
                }
            };
            (step.side_h, step.side_q, step.slot) = (moment.side_h, moment.side_q, slot as u32);
            push_record(&mut schedule, *step, entries, on_device.buffers.window);
            moment = Moment {
                time: end,
                steps: moment.steps + 1,
                last_dt: dt as f32,
                side_h: 1 - moment.side_h,
                side_q: 1 - moment.side_q,
            };
            moments.push(moment);
        }
        on_device.buffers.schedule.write(gpu, 0, &schedule);
        if let Some(noted) = noted {
            let mut notes = vec![0; NOTE * (plan.len() + 1)];
            notes[..NOTE].copy_from_slice(&self.note);
            noted.write(gpu, 0, &notes);
        }
        gpu.submit(|pass| (0..plan.len()).for_each(|slot| on_device.record(pass, slot)));
        match noted {
            None => *now = moment,
            Some(noted) => {
                let notes = noted.read(gpu, NOTE, NOTE * plan.len())?;
                self.batch = Some(Batch { notes, plan: plan.to_vec(), moments, asked });
            }
        }
        Ok(())
    }

    /// Learns how far the last batch came. Steps that were asked for and not done for being too long, as it seemed
    /// to the device, are looked at again.
    pub(super) async fn finish_batch(&mut self) -> Result<(), GpuError> {
        if let Some(surveyed) = self.surveyed.take() {
            self.note.copy_from_slice(&surveyed.await?);
        }
        while let Some(Batch { notes, plan, moments, asked }) = self.batch.take() {
            let notes = notes.await?;
            let done = notes.chunks_exact(NOTE).take_while(|note| note[2] == 1).count();
            if let Some(last) = done.checked_sub(1) {
                self.now = moments[last];
                self.note.copy_from_slice(&notes[last * NOTE..(last + 1) * NOTE]);
            }
            if done == 0 {
                // Its first step was held against this very note: that it was refused cannot be.
                return Err(GpuError::Refused(
                    "a step that is within its limit was not done".into(),
                ));
            }
            if asked && let Some(next) = plan.get(done) {
                self.check_step(next.dt).await?;
                self.submit(&plan[done..], true)?;
            }
        }
        Ok(())
    }

    /// Fails if a step is too long. The device takes the cells that count as shallow from the depths of a step
    /// before, so where its notes say so, the water itself is brought back and asked.
    async fn check_step(&mut self, dt: f64) -> Result<(), GpuError> {
        if dt > self.limit() && self.on_device.buffers.notes.is_some() {
            self.fetch().await?;
            self.note = limit::note(&self.flow);
        }
        let limit = self.limit();
        let allowed = format!("above 0 up to {limit} s, the stability limit");
        Ok(InputError::check("a step", dt, dt <= limit, allowed)?)
    }
}
