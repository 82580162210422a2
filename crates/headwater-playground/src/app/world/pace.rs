//! [`Pace`]: the speed at which simulated time advances, and measurements that show whether the
//! machine keeps up.

use web_time::{Duration, Instant};

/// Longest time spent on steps per frame (s), so that the program stays responsive.
const MAX_STEP_TIME: f64 = 0.014;

/// CPU time (s) available per frame at 60 frames per second. Simulation steps may use what all
/// other work leaves of this time.
const FRAME_BUDGET: f64 = 0.0155;

/// Smallest time (s) to which the simulation steps of a frame are limited. If other work leaves
/// less time than this, the frame is late in any case, so steps may take [`MAX_STEP_TIME`].
const MIN_STEP_TIME: f64 = 0.004;

/// Longest frame duration (s) that is simulated in full. If a frame takes longer, the excess is not
/// simulated.
const LONGEST_FRAME: f64 = 0.25;

/// Longest time (s) per frame for which a held tool acts. Only slow machines reach this limit.
pub(in crate::app) const LONGEST_HOLD: f64 = 0.5;

/// Wall time (s) that a scene takes from its start to its end at its initial speed.
const SHOW_DURATION: f64 = 40.0;

/// Weight of the latest value in the moving averages (dimensionless).
const SMOOTHING: f64 = 0.08;

#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct Pace {
    /// Requested speed: simulated time, in the scene's unit, per second of wall time.
    pub(in crate::app) speed: f64,
    /// Simulated time to which the world should advance.
    goal: f64,
    /// Moving average of the fraction of the requested speed that was reached, 0 to 1.
    pub(in crate::app) reached_fraction: f64,
    /// Moving average of the time spent on steps per frame (s).
    pub(in crate::app) stepping: f64,
    /// Moving average of the frame duration (s).
    pub(in crate::app) frame: f64,
    /// Time spent on steps in this frame (s).
    step_time: f64,
    /// Moving average of the CPU time per frame for everything except steps (s).
    other_time: f64,
    /// Number of worlds that share the time for steps in a frame.
    pub(in crate::app) world_count: u32,
}

impl Pace {
    /// Returns the initial pace of a scene that ends at the simulated time `until`. The speed is at
    /// least `min_speed` (simulated time per second of wall time).
    pub(in crate::app) fn for_scene(until: f64, min_speed: f64) -> Self {
        let speed = floor_to_round_speed(until / SHOW_DURATION).max(min_speed);
        let (reached_fraction, frame) = (1.0, 1.0 / 60.0);
        let (stepping, step_time, other_time) = (0.0, 0.0, 0.0);
        Self {
            speed,
            goal: 0.0,
            reached_fraction,
            stepping,
            frame,
            step_time,
            other_time,
            world_count: 1,
        }
    }

    /// Restarts the measurements when the world's clock is set to the simulated time `clock`, for
    /// example after a jump in time.
    pub(in crate::app) fn restart(&mut self, clock: f64) {
        self.goal = clock;
        self.reached_fraction = 1.0;
    }

    /// Records the duration of a frame (s) in the moving average.
    pub(in crate::app) fn record_frame(&mut self, seconds: f64) {
        self.frame += SMOOTHING * (seconds - self.frame);
    }

    /// Records the CPU time of a frame (s), including steps.
    pub(in crate::app) fn record_work(&mut self, seconds: f64) {
        self.other_time += SMOOTHING * ((seconds - self.step_time).max(0.0) - self.other_time);
        self.step_time = 0.0;
    }

    /// Returns the time that one world may spend on steps in a frame (s).
    pub(in crate::app) fn step_budget(&self) -> f64 {
        let left = FRAME_BUDGET - self.other_time;
        // If a frame is late anyway, fewer steps would not make it faster.
        let all = if left >= MIN_STEP_TIME { left.min(MAX_STEP_TIME) } else { MAX_STEP_TIME };
        all / f64::from(self.world_count.max(1))
    }

    /// Records a frame in which the world did not advance because it waited for the comparison
    /// world.
    pub(in crate::app) fn record_wait(&mut self) {
        self.reached_fraction -= SMOOTHING * self.reached_fraction;
    }

    /// Records the time (s) that the other world of a comparison has spent on steps in this frame.
    pub(in crate::app) fn record_other_world(&mut self, seconds: f64) {
        self.step_time += seconds;
    }

    /// Advances the world by one frame of `seconds` s. The closure `advance` performs the steps.
    /// Its arguments are the simulated time to reach and a callback. It stops at that time, or when
    /// the callback returns true, and returns the time reached.
    pub(in crate::app) fn advance<E>(
        &mut self,
        clock: f64,
        seconds: f64,
        advance: impl FnOnce(f64, &mut dyn FnMut() -> bool) -> Result<f64, E>,
    ) -> Result<(), E> {
        let (begun, step_budget) = (Instant::now(), Duration::from_secs_f64(self.step_budget()));
        let requested = self.speed * seconds.min(LONGEST_FRAME);
        // Drop time that was not simulated, instead of making up for it later.
        self.goal =
            (self.goal + requested).min(clock + 2.0 * requested.max(self.speed * self.frame));
        let mut out_of_time = false;
        let now = advance(self.goal, &mut || {
            out_of_time = begun.elapsed() > step_budget;
            out_of_time
        })?;
        // The reached fraction is relative to all elapsed time, including dropped time.
        let requested_total = self.speed * seconds;
        let behind = out_of_time || seconds > LONGEST_FRAME;
        let reached = if behind && requested_total > 0.0 {
            ((now - clock) / requested_total).min(1.0)
        } else {
            1.0
        };
        self.reached_fraction += SMOOTHING * (reached - self.reached_fraction);
        self.step_time = begun.elapsed().as_secs_f64();
        self.stepping += SMOOTHING * (self.step_time - self.stepping);
        Ok(())
    }
}

/// Returns the largest number of the form 1, 2 or 5 × 10ⁿ that does not exceed a speed.
fn floor_to_round_speed(speed: f64) -> f64 {
    let power = 10_f64.powf(speed.max(1e-3).log10().floor());
    let lead = [5.0, 2.0].into_iter().find(|lead| speed / power >= *lead);
    power * lead.unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initial_speeds_are_round_numbers() {
        assert_eq!(floor_to_round_speed(12.0), 10.0);
        assert_eq!(floor_to_round_speed(0.3), 0.2);
        assert_eq!(floor_to_round_speed(7.0), 5.0);
        assert_eq!(Pace::for_scene(8.0, 1.0).speed, 1.0);
    }

    #[test]
    fn a_world_advances_at_its_pace() {
        let mut pace = Pace { speed: 10.0, ..Pace::for_scene(400.0, 1.0) };
        let mut clock = 0.0;
        for _ in 0..100 {
            let result = pace.advance(clock, 0.02, |goal, _| -> Result<f64, ()> {
                // Steps are discrete, so the world may advance slightly beyond the goal.
                while clock < goal {
                    clock += 0.03;
                }
                Ok(clock)
            });
            assert_eq!(result, Ok(()));
        }
        assert!((clock - 20.0).abs() < 0.1, "{clock}");
    }

    #[test]
    fn stepping_gets_the_remaining_frame_budget() {
        let mut pace = Pace::for_scene(400.0, 1.0);
        assert_eq!(pace.step_budget(), MAX_STEP_TIME);
        let work = |pace: &mut Pace, seconds| (0..200).for_each(|_| pace.record_work(seconds));
        work(&mut pace, 0.008);
        assert!(
            (pace.step_budget() - (FRAME_BUDGET - 0.008)).abs() < 1e-4,
            "{}",
            pace.step_budget()
        );
        // Simulates frames on a slow software rasterizer.
        work(&mut pace, 0.5);
        assert_eq!(pace.step_budget(), MAX_STEP_TIME);
    }

    #[test]
    fn the_reported_speed_is_the_reached_speed() {
        let mut pace = Pace { speed: 10.0, ..Pace::for_scene(400.0, 1.0) };
        let mut clock = 0.0;
        // Frames of two seconds in which all requested time is simulated.
        for _ in 0..100 {
            let result = pace.advance(clock, 2.0, |goal, _| -> Result<f64, ()> {
                clock = goal;
                Ok(clock)
            });
            assert_eq!(result, Ok(()));
        }
        assert!(
            (pace.reached_fraction - clock / (10.0 * 200.0)).abs() < 0.01,
            "{}",
            pace.reached_fraction
        );
    }

    #[test]
    fn unsimulated_time_is_dropped() {
        let mut pace = Pace { speed: 10.0, ..Pace::for_scene(400.0, 1.0) };
        for _ in 0..10 {
            let stands = pace.advance(0.0, 0.02, |_, _| -> Result<f64, ()> { Ok(0.0) });
            assert_eq!(stands, Ok(()));
        }
        assert!(pace.goal <= 2.0 * 10.0 / 30.0, "{}", pace.goal);
    }
}
