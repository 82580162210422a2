//! The tables that the scenes of all models have: time and output; and what a run needs of the others.

use schemars::JsonSchema;
use serde::Deserialize;
use std::time::Duration;

/// `[time]`
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Time {
    /// When the run ends (s), above 0 to 10¹⁰.
    pub until: f64,
    /// Length of a step (s), above 0. Default: as long as is stable. Only for
    /// models whose steps may have any length.
    pub dt: Option<f64>,
}

/// `[output]`: what a run writes, of a model whose layers are `L`. May be left out.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, bound(deserialize = "L: Deserialize<'de>"))]
pub struct Output<L> {
    /// Pictures over the run, besides the one of its start; 0 (none at all) to 10000. Default 120, unless `frame_every` is given.
    #[schemars(range(min = 0, max = 10000))]
    pub frames: Option<u32>,
    /// Time between two pictures (s); instead of `frames`.
    pub frame_every: Option<f64>,
    /// Whether the pictures also become `animation.gif`. Default `true`.
    pub gif: bool,
    /// Pictures per second of the animation, 1 to 50. Default 20.
    #[schemars(range(min = 1, max = 50))]
    pub fps: u32,
    /// What is written as numbers at the end, and at `layers_at` or `layers_every`. Default: nothing.
    pub layers: Vec<L>,
    /// Times (s) at which `layers` are written too, each from 0 to the end of the run; up to 1000. `depth` at 90 s of a run of an hour is
    /// `depth-at-0090.npy`. Default: none.
    pub layers_at: Vec<f64>,
    /// Time between two such times (s), from the start on, for up to 10000 of them; instead of `layers_at`.
    pub layers_every: Option<f64>,
    /// How layers are written: `"npy"` (default), `"geotiff"`, or `"png"`: 16-bit grey from the lowest value (0) to
    /// the highest (65535), whose text chunks `Scale` and `Offset` say how grey becomes values again; where a layer has cells without data,
    /// such as those that water never reached, these are 65535, as the text chunk `NoData` says, and the highest value is 65534; `Cell` says the width and height of a
    /// cell (m). Hexagons are an NPY array of `ny` rows
    /// and `nx` columns like squares, of which every other row, the second first, lies half a cell
    /// farther east; for a GeoTIFF and Zarr they are resampled to squares of about their area. `"zarr"` writes all layers at all times to one Zarr store
    /// (version 3), the folder `layers.zarr`, in chunks and compressed, with coordinates and units as of the CF conventions, as xarray reads them;
    /// the program has to be built with it (`--features zarr`). A GeoTIFF and Zarr lie on the map where the terrain's file lies, if that
    /// says so.
    pub layer_format: LayerFormat,
    /// The last state's ground and water as triangles: `"glb"` (binary glTF) writes `final.glb`. Default: none.
    pub mesh: Option<MeshFormat>,
    /// Time of a clock on the wall between two checkpoints (s), by which a run that is killed can be resumed; 0 to 10⁶, 0 for none
    /// but when the run is stopped or fails. The state is the same with them and without. Default 300.
    pub checkpoint_every: f64,
    /// Whether the last state is drawn to `final.png`. Default `true`.
    #[serde(rename = "final")]
    pub final_picture: bool,
}

impl<L> Default for Output<L> {
    fn default() -> Self {
        Self {
            frames: None,
            frame_every: None,
            gif: true,
            fps: 20,
            layers: Vec::new(),
            layers_at: Vec::new(),
            layers_every: None,
            layer_format: LayerFormat::Npy,
            mesh: None,
            checkpoint_every: 300.0,
            final_picture: true,
        }
    }
}

impl<L> Output<L> {
    /// When layers are written on the way; never, if there are none.
    pub(crate) fn layer_times(&self) -> LayerTimes {
        match self.layers.is_empty() {
            true => LayerTimes::default(),
            false => LayerTimes { at: self.layers_at.clone(), every: self.layers_every },
        }
    }

    /// What a run records, whichever model it is of.
    pub(crate) fn recording(&self, time: &Time) -> Recording {
        let from_count = || match self.frames.unwrap_or(120) {
            0 => None,
            frames => Some(time.until / f64::from(frames)),
        };
        Recording {
            frame_every: self.frame_every.or_else(from_count),
            gif: self.gif,
            fps: self.fps,
            final_picture: self.final_picture,
            checkpoint_every: (self.checkpoint_every > 0.0)
                .then(|| Duration::from_secs_f64(self.checkpoint_every)),
        }
    }
}

/// When layers are written on the way.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LayerTimes {
    /// At these times (s).
    pub(crate) at: Vec<f64>,
    /// From the start on, with so much time between (s).
    pub(crate) every: Option<f64>,
}

/// Which pictures a run makes, and how often it is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recording {
    /// Time between two pictures (s), or `None` for no pictures on the way.
    pub frame_every: Option<f64>,
    /// Whether they also become an animation.
    pub gif: bool,
    /// Pictures per second of the animation.
    pub fps: u32,
    /// Whether the last state is drawn.
    pub final_picture: bool,
    /// Time of a clock on the wall between two checkpoints, or `None` for none on the way.
    pub checkpoint_every: Option<Duration>,
}

/// The folder of all layers as a Zarr store.
pub(crate) const ZARR: &str = "layers.zarr";

/// How layers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum LayerFormat {
    /// NumPy arrays.
    #[default]
    Npy,
    /// GeoTIFF.
    Geotiff,
    /// 16-bit grey PNG.
    Png,
    /// One Zarr store of all layers at all times.
    Zarr,
}

impl LayerFormat {
    /// The name of the file of a layer.
    pub fn file(self, layer: &str) -> String {
        match self {
            LayerFormat::Npy => format!("{layer}.npy"),
            LayerFormat::Geotiff => format!("{layer}.tif"),
            LayerFormat::Png => format!("{layer}.png"),
            LayerFormat::Zarr => ZARR.to_owned(),
        }
    }
}

/// How a mesh is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum MeshFormat {
    /// Binary glTF 2.0.
    Glb,
}

/// When something is done: once, or again and again.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Times {
    /// The first time (s), from 0.
    pub time: f64,
    /// Again and again, with so much time between (s). Default: once.
    pub every: Option<f64>,
    /// With `every`: the last time it may be done (s). Default: the end of the run.
    pub until: Option<f64>,
    /// Whether the run makes no stop for it: it is done after the step that comes to its time or beyond. What was
    /// done by hand in a live world is written so, and comes out the same. Not with `every`. Default `false`.
    #[serde(default)]
    pub in_passing: bool,
}

/// A gauge as a run knows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaugeHead<'a> {
    /// Its name and its file's.
    pub name: &'a str,
    /// Time between two measurements (s).
    pub every: f64,
}

/// What a gauge is from a time on, as a run knows it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GaugeForm {
    /// Its name and its file's.
    pub(crate) name: String,
    /// Time between two measurements (s).
    pub(crate) every: f64,
    /// The number by which its world knows what it measures.
    pub(crate) number: usize,
}
