//! Two apps with the same inputs, whose state hashes are equal in every tick. The example has no
//! window and ends after 300 ticks.

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_headwater::headwater::flow::{Amount, Change, Edit, Flow, Params};
use bevy_headwater::headwater::{Brush, Field, InputError, Square};
use bevy_headwater::prelude::*;
use std::time::Duration;

const RATE: f64 = 60.0;

/// Returns the edit that a player makes in a tick, or `None` if the player makes none. It stands
/// for an input received over a network.
fn player_edit_in_tick(tick: u64) -> Option<(Brush, Edit)> {
    let at = |k: f64| 16.0 + 32.0 * (0.5 + 0.5 * (k * tick as f64).sin());
    let brush = Brush::smooth_disc([at(0.37), at(0.23)], 5.0);
    match tick % 20 {
        0 => Some((brush, Edit::Lower(Change::By(0.8)))),
        7 => Some((brush, Edit::Pour(Amount::Volume(30.0)))),
        13 => Some((brush, Edit::Raise(Change::By(0.4)))),
        _ => None,
    }
}

fn create_peer() -> Result<(App, Entity), InputError> {
    let bed = Field::from_fn(64, 64, |x, y| 2.0 + 0.05 * x as f32 + (0.3 * y as f32).sin());
    let depth = bed.map(|&z| (3.0 - z).max(0.0));
    let flow = Flow::new(Square::new(64, 64, 1.0, 1.0)?, Params::default(), bed, depth)?;
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, HeadwaterPlugin::in_schedule(FixedUpdate)))
        .insert_resource(Time::<Fixed>::from_hz(RATE))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / RATE)));
    let water = app.world_mut().spawn(Water(flow)).id();
    Ok((app, water))
}

fn main() -> Result<(), InputError> {
    let mut peers = [create_peer()?, create_peer()?];
    for tick in 0..300 {
        let hashes = peers.each_mut().map(|(app, water)| {
            if let Some((brush, edit)) = player_edit_in_tick(tick) {
                app.world_mut().write_message(WaterEdit::new(*water, brush, edit));
            }
            app.update();
            app.world().get::<Water>(*water).map(|water| water.state_hash())
        });
        assert_eq!(hashes[0], hashes[1], "the peers part in tick {tick}");
        if tick % 60 == 59 {
            println!("tick {tick}: {:016x} twice", hashes[0].unwrap_or(0));
        }
    }
    Ok(())
}
