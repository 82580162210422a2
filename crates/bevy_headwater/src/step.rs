//! System that advances all water entities by the time step of its schedule.

use crate::any::AnyWater;
use crate::messages::{WaterRefused, WaterSettled, WaterSpilled};
use crate::water::{WaterClock, WaterState};
use bevy::ecs::prelude::*;
use bevy::prelude::Time;

pub(crate) fn step_waters(
    time: Res<Time>,
    mut waters: Query<(Entity, AnyWater, &WaterClock)>,
    mut states: Query<&mut WaterState>,
    mut settled: MessageWriter<WaterSettled>,
    mut spilled: MessageWriter<WaterSpilled>,
    mut refused: MessageWriter<WaterRefused>,
) {
    for (entity, mut water, clock) in &mut waters {
        if clock.paused {
            continue;
        }
        let Ok(mut state) = states.get_mut(entity) else { continue };
        let was = *state;
        let mut is = was;
        match water.advance(time.delta_secs_f64() * clock.speed, clock.max_steps.max(1)) {
            Some(Ok(done)) => is.lost_time += done.dropped,
            Some(Err(error)) => {
                refused.write(WaterRefused { water: entity, error });
                continue;
            }
            None => continue,
        }
        // The rest state is unknown for worlds on a GPU.
        let (rests, gone) = water.rest_and_spilled_volume().unwrap_or((false, was.spilled));
        is.resting = rests;
        if !is.resting || !was.resting {
            is.spilled = gone;
        }
        if is.resting != was.resting {
            settled.write(WaterSettled { water: entity, is_at_rest: is.resting });
        }
        if is.spilled > was.spilled {
            spilled.write(WaterSpilled { water: entity, volume: is.spilled - was.spilled });
        }
        state.set_if_neq(is);
    }
}
