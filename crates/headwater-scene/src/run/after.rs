//! [`after`]: a scene's world after so many steps, for comparing machines. Nothing is drawn, measured or written.

use super::schedule::{Due, Schedule};
use super::{RunError, simulation};
use crate::schema::Scene;

/// How far a world has come, and what it is then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct After {
    /// Steps done, those of settling included. Models that take several together may do a few more than asked.
    pub steps: u64,
    /// The world's time, in the scene's unit.
    pub time: f64,
    /// What the world's state hashes to.
    pub hash: u64,
}

/// Does `steps` steps of a scene with all events that are due in between, beyond the scene's end if need be, and
/// hashes the world. Every machine gets the same: with or without threads, on 64 bits and on 32. Less than `steps`
/// steps are done if a world has none left to do.
///
/// # Errors
/// [`RunError`] if the scene's files cannot be used, or the model fails.
pub fn after(scene: &Scene, steps: u64) -> Result<After, RunError> {
    let mut world = simulation(scene)?;
    let unit = scene.clock().unit;
    let failed = |time, source| RunError::Model { time, unit, source };
    let schedule = Schedule::new(scene);
    let mut done = schedule.start();
    let mut clock = world.time();
    let mut prepared = 0;
    while prepared < steps && world.prepare_step().map_err(|source| failed(clock, source))? {
        prepared += 1;
    }
    let begun = world.steps();
    loop {
        while let Some(due) = schedule.take(&mut done, clock) {
            if let Due::Event(i) = due {
                world.act(i).map_err(|source| failed(clock, source))?;
            }
        }
        let over = clock >= scene.until();
        let stop = if over { clock + scene.until() } else { schedule.next_stop(&done, clock) };
        let before = world.steps();
        let mut walks = true;
        while walks && prepared + world.steps() - begun < steps {
            walks = world.step_toward(stop).map_err(|source| failed(world.time(), source))?;
        }
        let count = prepared + world.steps() - begun;
        if count >= steps || over && world.steps() == before {
            return Ok(After { steps: count, time: world.time(), hash: world.state_hash() });
        }
        clock = stop;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    fn scene(keys: &str) -> Scene {
        let text = format!(
            "model = 'flow'\n[grid]\nnx = 24\nny = 18\ncell = 1\n[time]\nuntil = 2\n\
             [terrain]\nnoise = {{ height = 5 }}\n[[source]]\nat = ['50%', '50%']\nrate = 3\n{keys}"
        );
        schema::parse("test.toml", &text, &[]).unwrap()
    }

    #[test]
    fn steps_go_on_beyond_the_end() {
        let few = after(&scene(""), 1).unwrap();
        let many = after(&scene(""), 200).unwrap();
        assert!(few.time < 2.0 && many.time > 2.0, "{} {}", few.time, many.time);
        assert!(many.steps >= 200 && few.hash != many.hash);
    }

    #[test]
    fn events_happen() {
        let pour = "[[event]]\ntime = 0.5\ndo = 'pour'\namount = 1\neverywhere = true";
        assert_ne!(after(&scene(pour), 100).unwrap().hash, after(&scene(""), 100).unwrap().hash);
    }
}
