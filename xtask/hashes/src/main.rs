//! Prints what scenes hash to, a line of JSON each.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> anyhow::Result<()> {
    use clap::Parser;

    /// What scenes of the library hash to, a line of JSON each.
    #[derive(Parser)]
    struct Arguments {
        /// Steps to do.
        #[arg(long, default_value_t = 1000)]
        steps: u64,
        /// Prints the names of the library's scenes instead.
        #[arg(long)]
        list: bool,
        /// The scenes' names.
        scenes: Vec<String>,
    }

    let Arguments { steps, list, scenes } = Arguments::parse();
    if list {
        for known in headwater_scene::library::SCENES {
            println!("{}", known.name);
        }
        return Ok(());
    }
    for scene in scenes {
        let found = headwater_hashes::find(&scene, steps).map_err(anyhow::Error::msg)?;
        println!("{}", serde_json::to_string(&found)?);
    }
    Ok(())
}

/// In a browser there is no program, but the library.
#[cfg(target_arch = "wasm32")]
fn main() {}
