//! Tables that the scenes of all models have, such as `[time]` and `[output]`, and the settings of
//! a run that result from them.

use super::layer::LayerName;
use serde::Deserialize;
use std::time::Duration;

/// Table `[time]`: the end of the run and the step length.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Time {
    /// Time at which the run ends (s), above 0 and at most 10¹⁰. With steps of fixed length (models
    /// `waves`, `blocks`, `columns`), the run ends with the last whole step up to this time.
    pub until: f64,
    /// Length of a time step (s), above 0. Default: the longest stable step. Only for models with
    /// variable steps.
    pub dt: Option<f64>,
}

/// Table `[output]`: the files that a run writes. Optional.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default, bound(deserialize = "L: Deserialize<'de>"))]
pub struct Output<L> {
    /// Number of pictures in the run, in addition to the one at its start, 0 to 10000. With 0, no
    /// pictures are drawn. Default 120, unless `frame_every` is given.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 10000)))]
    pub frames: Option<u32>,
    /// Time between two pictures (s). Cannot be combined with `frames`.
    pub frame_every: Option<f64>,
    /// Whether to also write the pictures as an animation, `animation.gif`. Default `true`.
    pub gif: bool,
    /// Frames per second of the animation, 1 to 50. Default 20.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 50)))]
    pub fps: u32,
    /// Layers to write at the end of the run, and also at the times that `layers_at` or
    /// `layers_every` gives. Default: none.
    pub layers: Vec<L>,
    /// Additional times (s) at which to write `layers`, each from 0 to the end of the run, up to
    /// 1000 times. For example, `depth` at 90 s of a one-hour run is written to
    /// `depth-at-0090.npy`. Default: none.
    pub layers_at: Vec<f64>,
    /// Time between two outputs of `layers` (s). The first output is at the start of the run.
    /// Allows up to 10000 outputs. Cannot be combined with `layers_at`.
    pub layers_every: Option<f64>,
    /// File format of layers: `"npy"` (default), `"geotiff"`, `"png"` or `"zarr"`. `"png"` is a
    /// 16-bit grayscale image: the lowest value of the layer has gray level 0, and the highest
    /// has 65535. Its text chunks `Scale` and `Offset` convert gray levels back to values, and
    /// `Cell` contains the width and height of a cell (m). If a layer has cells without data, these
    /// cells have gray level 65535, as the text chunk `NoData` states, and the highest value
    /// has 65534. `"zarr"` writes all layers at all times to one Zarr store (version 3), the folder
    /// `layers.zarr`. The store is chunked and compressed, and has coordinates and units that
    /// follow the CF conventions, for example for xarray. The program must be built with
    /// `--features zarr`. Layers of hexagonal grids are NPY arrays of `ny` rows and `nx` columns,
    /// in which every other row, starting with the second, is shifted east by half a cell. For
    /// GeoTIFF and Zarr, they are resampled to squares of about equal area. GeoTIFF and Zarr output
    /// contains the map position of the terrain file, if it is known.
    pub layer_format: LayerFormat,
    /// Time between two rows of the water balance (s). The first row is for the start of the run
    /// and the last for its end. Writes `ledger.csv` with cumulative volumes: by cause, and in the
    /// model `flow` also for each boundary, source, drain and structure. Allows up to 10⁶ rows.
    /// Default: no such file.
    pub ledger_every: Option<f64>,
    /// Mesh of the ground and the water to write at the end of the run. `"glb"` (binary glTF)
    /// writes `final.glb`. Default: none.
    pub mesh: Option<MeshFormat>,
    /// Wall-clock time between two checkpoints (s), 0 to 10⁶. A killed run can be resumed from its
    /// last checkpoint. With 0, checkpoints are written only when the run is stopped or fails.
    /// Checkpoints do not change the results. Default 300.
    pub checkpoint_every: f64,
    /// Whether to draw the final state to `final.png`. Default `true`.
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
            ledger_every: None,
            layer_format: LayerFormat::Npy,
            mesh: None,
            checkpoint_every: 300.0,
            final_picture: true,
        }
    }
}

impl<M> Output<LayerName<M>> {
    /// Returns the settings of a run for pictures, layers and checkpoints.
    pub(crate) fn recording_settings(&self, time: &Time) -> RecordingSettings {
        // All layers may be in the same store.
        let mut layer_files: Vec<String> =
            self.layers.iter().map(|layer| self.layer_format.file_name(layer.name())).collect();
        layer_files.dedup();
        let layer_times = match self.layers.is_empty() {
            true => LayerTimes::default(),
            false => LayerTimes { at: self.layers_at.clone(), every: self.layers_every },
        };
        let from_count = || match self.frames.unwrap_or(120) {
            0 => None,
            frames => Some(time.until / f64::from(frames)),
        };
        RecordingSettings {
            frame_every: self.frame_every.or_else(from_count),
            gif: self.gif,
            fps: self.fps,
            final_picture: self.final_picture,
            checkpoint_every: (self.checkpoint_every > 0.0)
                .then(|| Duration::from_secs_f64(self.checkpoint_every)),
            layer_files,
            layer_times,
            ledger_every: self.ledger_every,
        }
    }
}

/// Output times of layers before the end of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LayerTimes {
    /// Output times (s) that the scene lists in `output.layers_at`.
    pub(crate) at: Vec<f64>,
    /// Time between two outputs (s). The first output is at the start of the run. `None` if the
    /// scene gives no output interval.
    pub(crate) every: Option<f64>,
}

/// Settings of a run for pictures, layers and checkpoints.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RecordingSettings {
    /// Time between two frames of the animation (s); `None` if no frames are drawn.
    pub frame_every: Option<f64>,
    /// Whether an animation of the frames is written.
    pub gif: bool,
    /// Frame rate of the animation (frames per second).
    pub fps: u32,
    /// Whether a picture of the final state is drawn.
    pub final_picture: bool,
    /// Wall-clock time between two periodic checkpoints; `None` if there are none.
    pub checkpoint_every: Option<Duration>,
    /// Names of the files to which layers are written at the end of the run.
    pub layer_files: Vec<String>,
    /// Output times of layers before the end of the run. There are none if no layers are requested.
    pub layer_times: LayerTimes,
    /// Time between two rows of the water balance (s); `None` if the scene requests none.
    pub ledger_every: Option<f64>,
}

/// Name of the folder of the Zarr store with all layers.
pub(crate) const ZARR_FOLDER: &str = "layers.zarr";

/// File format in which a run writes layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum LayerFormat {
    /// NumPy array (NPY).
    #[default]
    Npy,
    /// GeoTIFF raster.
    Geotiff,
    /// 16-bit grayscale PNG image.
    Png,
    /// Zarr store with all layers at all times.
    Zarr,
}

impl LayerFormat {
    /// Returns the name of the file to which a layer is written in this format.
    pub fn file_name(self, layer: &str) -> String {
        match self {
            LayerFormat::Npy => format!("{layer}.npy"),
            LayerFormat::Geotiff => format!("{layer}.tif"),
            LayerFormat::Png => format!("{layer}.png"),
            LayerFormat::Zarr => ZARR_FOLDER.to_owned(),
        }
    }
}

/// File format in which a run writes meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum MeshFormat {
    /// Binary glTF 2.0.
    Glb,
}

/// Times at which an event is applied, once or repeatedly.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Times {
    /// Time at which the event is first applied (s), from 0.
    pub time: f64,
    /// Time between two applications of a recurring event (s). Default: the event is applied once.
    pub every: Option<f64>,
    /// Last possible time of a recurring event (s). Allowed only with `every`. Default: the end of
    /// the run.
    pub until: Option<f64>,
    /// Whether the event leaves time steps unchanged. If `true`, the event is applied after the
    /// first whole time step that reaches its time, and no time step is shortened. If `false`
    /// (default), time steps are shortened so that one of them ends exactly at the time of the
    /// event. Interactive edits are saved with `true`, so that a run reproduces them exactly.
    /// `true` cannot be combined with `every`.
    #[serde(default)]
    pub in_passing: bool,
}

/// Name and reading interval of a gauge that exists at the start of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaugeInfo<'a> {
    /// Name of the gauge and, without extension, of its file.
    pub name: &'a str,
    /// Time between two readings of the gauge (s).
    pub every: f64,
}

/// Name, reading interval and number of a gauge that an event adds or changes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GaugeDefinition {
    /// Name of the gauge and, without extension, of its file.
    pub(crate) name: String,
    /// Time between two readings of the gauge (s).
    pub(crate) every: f64,
    /// Index of the gauge's definition in the world's list of definitions.
    pub(crate) number: usize,
}
