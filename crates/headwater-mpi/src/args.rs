//! Command-line arguments of `headwater-mpi`, which are a subset of those of `headwater run`.

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};
use headwater::distributed::{Communicator, RebalancePolicy};
use headwater_scene::run::Ranks;
use headwater_scene::{Scene, library, scene};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Runs water scenes on many processes: `mpirun -n N headwater-mpi run SCENE`.
#[derive(Parser)]
#[command(name = "headwater-mpi", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run a scene of the model `flow` distributed over the ranks, with results bit-identical to
    /// `headwater run`
    Run(Run),
}

#[derive(Clone, clap::Args)]
pub(crate) struct Run {
    /// A scene file, or the name of a built-in scene.
    scene: String,
    /// Change the value of a key in the scene, as in `--set time.until=60`.
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_key_and_value)]
    set: Vec<(String, String)>,
    /// Folder for the output; `out/SCENE` by default.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// End of the run, in simulated seconds; short for `--set time.until=TIME`.
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    until: Option<String>,
    /// Minimum reduction of the busiest rank's work (a fraction, 0 to 1) for which rows are moved
    /// to other ranks, or `off` to disable such moves. Does not affect results.
    #[arg(long, value_name = "SHARE", default_value = "0.2", value_parser = parse_gain)]
    hand_over: MinGain,
    /// Minimum number of steps between moves of rows to other ranks.
    #[arg(long, value_name = "STEPS", default_value_t = RebalancePolicy::default().steps, value_parser = clap::value_parser!(u64).range(1..))]
    hand_over_every: u64,
    /// Maximum number of rows of a row block, the unit of storage and load balancing. Default: an
    /// eighth of the rank's rows, within the limits 256 and 512; always 512 for the physics level
    /// `pipes`. Does not affect results.
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u32).range(1..))]
    block_rows: Option<u32>,
    /// Number of threads of each rank. Does not affect results.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    /// Layers to write as numeric data files, as in `--layers depth,surface`.
    #[arg(long, value_name = "LAYERS", value_delimiter = ',')]
    layers: Vec<String>,
    /// File format in which layers are written.
    #[arg(long, value_name = "FORMAT", value_parser = ["npy", "geotiff", "png", "zarr"])]
    layer_format: Option<String>,
    /// Resume an unfinished run from its checkpoint. The run may have been started by `headwater`,
    /// or by `headwater-mpi` with any number of ranks.
    #[arg(long)]
    pub(crate) resume: bool,
    /// Start the run from the beginning. Overwrite an unfinished run, and files in the output
    /// folder that the summary of an earlier run does not list.
    #[arg(long, conflicts_with = "resume")]
    pub(crate) force: bool,
    /// Print the summary as JSON, and nothing else.
    #[arg(long)]
    pub(crate) json: bool,
}

fn parse_key_and_value(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("found no `=`, needs KEY=VALUE")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

/// Smallest gain for which rows are moved to other ranks; `None` disables such moves. The gain is
/// the work that the move takes from the busiest rank, as a fraction (0 to 1) of this rank's work
/// before the move.
#[derive(Clone, Copy, Debug)]
struct MinGain(Option<f64>);

fn parse_gain(text: &str) -> Result<MinGain, String> {
    if text == "off" {
        return Ok(MinGain(None));
    }
    let gain = text.parse().ok().filter(|gain| (0.0..=1.0).contains(gain));
    gain.map(|gain| MinGain(Some(gain))).ok_or_else(|| "needs `off` or a number from 0 to 1".into())
}

impl Run {
    /// Returns the configuration of the ranks that execute the run. It contains the settings for
    /// load balancing and block size from the command line.
    pub(crate) fn ranks(&self, comm: Arc<dyn Communicator>) -> Ranks {
        let s = if comm.size() == 1 { "" } else { "s" };
        let name = format!("mpi: {} rank{s}", comm.size());
        let mut ranks = Ranks::new(comm, name);
        ranks.rebalance =
            self.hand_over.0.map(|gain| RebalancePolicy::new(gain, self.hand_over_every));
        ranks.block_rows = self.block_rows.map(|rows| rows as usize);
        ranks
    }

    /// Returns the name of the scene, which determines the output folder and appears in the
    /// summary.
    pub(crate) fn name(&self) -> String {
        let stem = Path::new(&self.scene).file_stem();
        stem.map_or_else(|| "scene".into(), |stem| stem.to_string_lossy().into_owned())
    }

    /// Reads the scene file, applies the options of the command line, and validates the resulting
    /// scene.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or if the scene is invalid.
    pub(crate) fn load(&self) -> Result<Scene> {
        let mut set = self.set.clone();
        if let Some(until) = &self.until {
            set.push(("time.until".into(), until.clone()));
        }
        if !self.layers.is_empty() {
            set.push(("output.layers".into(), format!("{:?}", self.layers)));
        }
        if let Some(format) = &self.layer_format {
            set.push(("output.layer_format".into(), format.clone()));
        }
        let path = Path::new(&self.scene);
        match library::find_scene(&self.scene) {
            Some(found) if !path.is_file() => Ok(scene::parse(&self.scene, found.text, &set)?),
            _ if path.exists() => Ok(scene::load(path, &set)?),
            _ => bail!("{}", library::unknown_scene_message(&self.scene)),
        }
    }
}
