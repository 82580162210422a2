//! [`Pace`]: how fast the world's time goes beside ours, and whether the machine keeps up.

use web_time::{Duration, Instant};

/// The longest that stepping may take of a frame (s), so that the program goes on answering.
const PATIENCE: f64 = 0.014;

/// What the CPU may take of a frame (s), if 60 a second are within reach: then stepping has what all else leaves of it.
const WORK: f64 = 0.0155;

/// The least that stepping should have of it (s).
const LEAST: f64 = 0.004;

/// The longest frame whose time is made up for (s).
const LONGEST_FRAME: f64 = 0.25;

/// The longest that a hand is taken to have been where it was seen (s): on a slow machine a frame may take so long.
pub(super) const LONGEST_HOLD: f64 = 0.5;

/// How long a scene takes to watch at the speed it opens with (s).
const SHOWING: f64 = 40.0;

/// How much an average heeds the latest value.
const HEED: f64 = 0.08;

#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Simulated time in a second, in the scene's own unit.
    pub(super) speed: f64,
    /// The clock that the world should have.
    goal: f64,
    /// The share of the speed that was reached lately, 0 to 1.
    pub(super) reached: f64,
    /// Time that stepping took of a frame lately (s).
    pub(super) stepping: f64,
    /// Time between two frames lately (s).
    pub(super) frame: f64,
    /// Time that stepping took of this frame (s).
    stepped: f64,
    /// Time that the CPU took of a frame lately for all else (s).
    rest: f64,
    /// How many worlds share the time of a frame.
    pub(super) sharers: u32,
}

impl Pace {
    /// The pace at which a scene of that length is opened; not slower than `least`, such as the world's own pace.
    pub(super) fn of_scene(until: f64, least: f64) -> Self {
        let speed = round_speed(until / SHOWING).max(least);
        let (reached, frame) = (1.0, 1.0 / 60.0);
        let (stepping, stepped, rest) = (0.0, 0.0, 0.0);
        Self { speed, goal: 0.0, reached, stepping, frame, stepped, rest, sharers: 1 }
    }

    /// Counts from this clock on.
    pub(super) fn restart(&mut self, clock: f64) {
        self.goal = clock;
        self.reached = 1.0;
    }

    /// Takes note of a frame that took so long (s).
    pub(super) fn note_frame(&mut self, seconds: f64) {
        self.frame += HEED * (seconds - self.frame);
    }

    /// Takes note of what the CPU has worked on a frame (s), steps and all.
    pub(super) fn note_work(&mut self, seconds: f64) {
        self.rest += HEED * ((seconds - self.stepped).max(0.0) - self.rest);
        self.stepped = 0.0;
    }

    /// How long stepping one world may take of a frame (s).
    pub(super) fn patience(&self) -> f64 {
        let left = WORK - self.rest;
        // Frames that are late anyway are not made sooner by a world that stands.
        let all = if left >= LEAST { left.min(PATIENCE) } else { PATIENCE };
        all / f64::from(self.sharers.max(1))
    }

    /// Takes note of a frame in which the world waits for another.
    pub(super) fn note_wait(&mut self) {
        self.reached -= HEED * self.reached;
    }

    /// Takes note of time that stepping another world took of this frame (s).
    pub(super) fn note_sharer(&mut self, seconds: f64) {
        self.stepped += seconds;
    }

    /// Goes on for one frame of `seconds`: `advance` steps to a time, or until it is told that it is enough, and says
    /// what the clock is then.
    pub(super) fn go<E>(
        &mut self,
        clock: f64,
        seconds: f64,
        advance: impl FnOnce(f64, &mut dyn FnMut() -> bool) -> Result<f64, E>,
    ) -> Result<(), E> {
        let (begun, patience) = (Instant::now(), Duration::from_secs_f64(self.patience()));
        let wanted = self.speed * seconds.min(LONGEST_FRAME);
        // What could not be done in time is let go: the world is late then, not hurried later.
        self.goal = (self.goal + wanted).min(clock + 2.0 * wanted.max(self.speed * self.frame));
        let mut late = false;
        let now = advance(self.goal, &mut || {
            late = begun.elapsed() > patience;
            late
        })?;
        // Of all the time that has gone by, also of what is not made up for.
        let due = self.speed * seconds;
        let behind = late || seconds > LONGEST_FRAME;
        let reached = if behind && due > 0.0 { ((now - clock) / due).min(1.0) } else { 1.0 };
        self.reached += HEED * (reached - self.reached);
        self.stepped = begun.elapsed().as_secs_f64();
        self.stepping += HEED * (self.stepped - self.stepping);
        Ok(())
    }
}

/// The number of 1, 2 and 5 times a power of ten that is next to a speed from below.
fn round_speed(speed: f64) -> f64 {
    let power = 10_f64.powf(speed.max(1e-3).log10().floor());
    let lead = [5.0, 2.0].into_iter().find(|lead| speed / power >= *lead);
    power * lead.unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_round() {
        assert_eq!(round_speed(12.0), 10.0);
        assert_eq!(round_speed(0.3), 0.2);
        assert_eq!(round_speed(7.0), 5.0);
        assert_eq!(Pace::of_scene(8.0, 1.0).speed, 1.0);
    }

    #[test]
    fn a_world_goes_as_far_as_its_pace() {
        let mut pace = Pace { speed: 10.0, ..Pace::of_scene(400.0, 1.0) };
        let mut clock = 0.0;
        for _ in 0..100 {
            let gone = pace.go(clock, 0.02, |goal, _| -> Result<f64, ()> {
                // Steps are whole: it may be a little more than was asked for.
                while clock < goal {
                    clock += 0.03;
                }
                Ok(clock)
            });
            assert_eq!(gone, Ok(()));
        }
        assert!((clock - 20.0).abs() < 0.1, "{clock}");
    }

    #[test]
    fn stepping_has_what_all_else_leaves_of_a_frame() {
        let mut pace = Pace::of_scene(400.0, 1.0);
        assert_eq!(pace.patience(), PATIENCE);
        let work = |pace: &mut Pace, seconds| (0..200).for_each(|_| pace.note_work(seconds));
        work(&mut pace, 0.008);
        assert!((pace.patience() - (WORK - 0.008)).abs() < 1e-4, "{}", pace.patience());
        // A program in place of a GPU.
        work(&mut pace, 0.5);
        assert_eq!(pace.patience(), PATIENCE);
    }

    #[test]
    fn what_is_said_to_be_reached_is_what_was_reached() {
        let mut pace = Pace { speed: 10.0, ..Pace::of_scene(400.0, 1.0) };
        let mut clock = 0.0;
        // Frames of two seconds, in which all is done that is asked for.
        for _ in 0..100 {
            let gone = pace.go(clock, 2.0, |goal, _| -> Result<f64, ()> {
                clock = goal;
                Ok(clock)
            });
            assert_eq!(gone, Ok(()));
        }
        assert!((pace.reached - clock / (10.0 * 200.0)).abs() < 0.01, "{}", pace.reached);
    }

    #[test]
    fn what_came_too_late_is_not_made_up_for() {
        let mut pace = Pace { speed: 10.0, ..Pace::of_scene(400.0, 1.0) };
        for _ in 0..10 {
            let stands = pace.go(0.0, 0.02, |_, _| -> Result<f64, ()> { Ok(0.0) });
            assert_eq!(stands, Ok(()));
        }
        assert!(pace.goal <= 2.0 * 10.0 / 30.0, "{}", pace.goal);
    }
}
