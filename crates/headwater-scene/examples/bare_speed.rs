//! Baseline for `cargo xtask binding-speed`: measures the speed of the flow model without a
//! language binding. Usage: `bare_speed SCENE SECONDS`. For each line on standard input, advances
//! the `flow` scene by `SECONDS` of simulated time and prints the elapsed time (ms), the number of
//! steps, and the time to read a layer (ms).

use headwater::flow::View;
use headwater_scene::flow::FlowWorld;
use headwater_scene::live::Live;
use std::error::Error;
use std::io::{BufRead as _, Write as _};
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let [scene, seconds]: [String; 2] =
        std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "SCENE SECONDS")?;
    let live = Live::new("bare", &std::fs::read_to_string(scene)?)?;
    let world = live.world().get::<FlowWorld>().ok_or("a scene of another model")?;
    let (mut flow, seconds) = (world.flow.clone(), seconds.parse()?);
    let mut depth = flow.view(View::Depth).into_owned();
    for line in std::io::stdin().lock().lines() {
        line?;
        let begun = Instant::now();
        let steps = flow.advance(seconds)?.steps;
        let took = begun.elapsed().as_secs_f64() * 1e3;
        let begun = Instant::now();
        depth.as_mut_slice().copy_from_slice(flow.view(View::Depth).as_slice());
        let layer = begun.elapsed().as_secs_f64() * 1e3;
        println!("{{\"took\":{took},\"steps\":{steps},\"layer\":{layer}}}");
        std::io::stdout().flush()?;
    }
    Ok(())
}
