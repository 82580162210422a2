//! The command line, which is that of `headwater run` as far as it goes.

use anyhow::{Result, bail};
use clap::{Parser, Subcommand, ValueEnum};
use headwater::flow::Handover;
use headwater_scene::run::Sharing;
use headwater_scene::{Scene, library, scene};
use std::path::{Path, PathBuf};

/// Water scenes on many processes: start it by `mpirun -n N headwater-mpi run SCENE`.
#[derive(Parser)]
#[command(name = "headwater-mpi", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run a scene of the models `flow`, `waves` or `hydrology` (by stream power), in parts, to the same bits as `headwater run`.
    Run(Run),
}

/// Where a world is while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Place {
    /// Spread, if nothing in the scene is against it; else at home.
    Auto,
    /// Each rank makes some of its rows, and keeps them: none has the whole. A checkpoint is the folder checkpoint-parts.headwater, which all write at once.
    Spread,
    /// The first rank has the whole, and hands parts out from one stop to the next. A checkpoint is the file checkpoint.headwater, as that of `headwater run`.
    Home,
}

#[derive(Clone, clap::Args)]
pub(crate) struct Run {
    /// A scene file, or the name of a scene of the library.
    scene: String,
    /// Change a key of the scene, as in `--set time.until=60`.
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value)]
    set: Vec<(String, String)>,
    /// Folder to write into; out/SCENE by default.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// End of the run, in simulated seconds; short for --set time.until=TIME.
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    until: Option<String>,
    /// Where the world is.
    #[arg(long, value_enum, value_name = "PLACE", default_value_t = Place::Auto)]
    pub(crate) world: Place,
    /// Of a world that is spread: how much of the work of the busiest rank has to be saved (a share from 0 to 1, or `off`) for bands of rows to go to
    /// ranks with less to do. The outcome is the same.
    #[arg(long, value_name = "SHARE", default_value = "0.2", value_parser = share)]
    hand_over: Gain,
    /// Of a world that is spread: the steps from one time at which bands may go on to the next, at least.
    #[arg(long, value_name = "STEPS", default_value_t = Handover::default().steps, value_parser = clap::value_parser!(u64).range(1..))]
    hand_over_every: u64,
    /// Of a world that is spread: the most rows of a band; by default an eighth of those that a rank begins with, but no fewer than 256 nor more than 512 (of pipes 512).
    /// The outcome is the same.
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u32).range(1..))]
    band_rows: Option<u32>,
    /// Threads of each rank. The outcome is the same.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    /// Layers to write as numbers, as in `--layers depth,surface`.
    #[arg(long, value_name = "LAYERS", value_delimiter = ',')]
    layers: Vec<String>,
    /// How layers are written.
    #[arg(long, value_name = "FORMAT", value_parser = ["npy", "geotiff", "png", "zarr"])]
    layer_format: Option<String>,
    /// Go on with a run that has not ended, of `headwater` or of any number of ranks, from either kind of checkpoint.
    #[arg(long)]
    pub(crate) resume: bool,
    /// Begin anew over a run that has not ended, and over files that no run's summary lists.
    #[arg(long, conflicts_with = "resume")]
    pub(crate) force: bool,
    /// Print the summary as JSON, and nothing else.
    #[arg(long)]
    pub(crate) json: bool,
    /// Say on stderr, as JSON, how long each rank has waited for others.
    #[arg(long)]
    pub(crate) waits: bool,
}

fn key_and_value(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("found no `=`, needs KEY=VALUE")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

/// A share of work, or nothing where none is to be saved.
#[derive(Clone, Copy, Debug)]
struct Gain(Option<f64>);

fn share(text: &str) -> Result<Gain, String> {
    if text == "off" {
        return Ok(Gain(None));
    }
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.map(|share| Gain(Some(share))).ok_or_else(|| "needs `off` or a share from 0 to 1".into())
}

impl Run {
    /// How a world that is spread lies on the ranks.
    pub(crate) fn sharing(&self) -> Sharing {
        let handover = self.hand_over.0.map(|gain| Handover::new(gain, self.hand_over_every));
        Sharing::new(handover, self.band_rows.map(|rows| rows as usize))
    }

    /// The name of the scene, for its folder and its summary.
    pub(crate) fn name(&self) -> String {
        let stem = Path::new(&self.scene).file_stem();
        stem.map_or_else(|| "scene".into(), |stem| stem.to_string_lossy().into_owned())
    }

    /// Reads and checks the scene.
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
        match library::scene(&self.scene) {
            Some(known) if !path.is_file() => Ok(scene::parse(&self.scene, known.text, &set)?),
            _ if path.exists() => Ok(scene::load(path, &set)?),
            _ => bail!("there is no file or scene `{}`", self.scene),
        }
    }
}
