//! Names of the files that a run writes.

/// File name of the checkpoint that an unfinished run has written.
pub const CHECKPOINT_FILE: &str = "checkpoint.headwater";
/// Folder name of the checkpoint of an unfinished distributed run. The folder contains one file per
/// process, and a manifest.
pub const CHECKPOINT_PARTS_FOLDER: &str = "checkpoint-parts.headwater";
/// File name of the summary that a finished run has written.
pub const SUMMARY_FILE: &str = "summary.json";
/// Name of the file with the water balance over time.
pub(crate) const LEDGER_FILE: &str = "ledger.csv";
/// Name of the marker file that exists while a run is unfinished. The file lists the output files
/// of the run.
pub(crate) const RUN_MARKER: &str = ".headwater-run";

/// Name of the temporary folder for rows of the world that do not fit in memory.
pub(crate) const SCRATCH_FOLDER: &str = ".headwater-scratch";

/// File name of the mesh of the final state.
pub(crate) const MESH_FILE: &str = "final.glb";
/// File name of the picture that shows the ground as carved by erosion before simulated time
/// starts.
pub(crate) const CARVED_PICTURE_FILE: &str = "carved.png";

/// File name of the picture that shows the maximum water depth of the run.
pub(crate) const FLOOD_PICTURE_FILE: &str = "flood.png";

/// Separator between the layer name and the time stamp in file names.
const TIME_STAMP_SEPARATOR: &str = "-at-";

/// One of the times at which a run writes layers, together with the list of all these times.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "zarr"), expect(dead_code, reason = "files of one layer have one time"))]
pub struct OutputTime<'a> {
    /// All output times of layers (s), in ascending order. The last one is the end of the run.
    pub(crate) times: &'a [f64],
    /// Index of this output time in `times`.
    pub(crate) number: usize,
    /// Time as it appears in file names. `None` at the end of the run, because final files have no
    /// time stamp.
    pub(crate) stamp: Option<String>,
}

impl<'a> OutputTime<'a> {
    /// Creates the output time at the end of the run. `times` contains all output times (s).
    pub(crate) fn at_end(times: &'a [f64]) -> Self {
        Self { times, number: times.len().saturating_sub(1), stamp: None }
    }

    /// Creates the output time for `time` (s), which is before the end of the run. `times` contains
    /// all output times (s), and `stamp` is the format of times in file names.
    pub(crate) fn before_end(times: &'a [f64], time: f64, stamp: TimeFormat) -> Self {
        let number = times.partition_point(|&other| other < time);
        Self { times, number, stamp: Some(stamp.format(time)) }
    }
}

/// Format of times in file names. The number of digits is fixed, so that the files sort by time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeFormat {
    integer_digits: usize,
    decimals: usize,
}

impl TimeFormat {
    /// Creates a format with enough digits to distinguish the output times `times` (s). `until` (s)
    /// is the end of the run.
    pub(crate) fn for_times(times: &[f64], until: f64) -> Self {
        let decimals = times.iter().map(|&time| {
            let text = round_time(time).to_string();
            text.split_once('.').map_or(0, |(_, decimals)| decimals.len())
        });
        Self {
            integer_digits: until.trunc().to_string().len(),
            decimals: decimals.max().unwrap_or(0),
        }
    }

    /// Formats a time (s) with the fixed number of digits of this format.
    pub(crate) fn format(self, time: f64) -> String {
        let Self { integer_digits, decimals } = self;
        let width = integer_digits + if decimals > 0 { decimals + 1 } else { 0 };
        format!("{:0width$.decimals$}", round_time(time))
    }
}

/// Rounds a time to 13 significant digits, which removes the rounding errors of sums.
fn round_time(time: f64) -> f64 {
    format!("{time:.12e}").parse().unwrap_or(time)
}

/// Inserts a time stamp into the file name of a layer: converts the name `file` for the end of the
/// run to the name for an intermediate time.
pub(crate) fn intermediate_file_name(file: &str, stamp: &str) -> String {
    match file.rsplit_once('.') {
        Some((layer, format)) => format!("{layer}{TIME_STAMP_SEPARATOR}{stamp}.{format}"),
        None => format!("{file}{TIME_STAMP_SEPARATOR}{stamp}"),
    }
}

/// Removes the time stamp from the file name of a layer: converts the name for an intermediate time
/// to the name for the end of the run. Returns `None` if `name` has no time stamp.
pub(crate) fn final_file_name(name: &str) -> Option<String> {
    let (rest, format) = name.rsplit_once('.')?;
    let (layer, stamp) = rest.rsplit_once(TIME_STAMP_SEPARATOR)?;
    let is_time = !stamp.is_empty() && stamp.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    is_time.then(|| format!("{layer}.{format}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_of_intermediate_layers_sort_by_time() {
        let times = [0.0, 0.1 + 0.2, 9.5, 90.0, 3600.0];
        let stamp = TimeFormat::for_times(&times, 3600.0);
        let names = times.map(|time| intermediate_file_name("depth.npy", &stamp.format(time)));
        let expected = ["0000.0", "0000.3", "0009.5", "0090.0", "3600.0"];
        assert_eq!(names, expected.map(|time| format!("depth-at-{time}.npy")));
        assert!(names.is_sorted());
        assert_eq!(TimeFormat::for_times(&[0.0, 90.0], 100.0).format(90.0), "090");
        for name in &names {
            assert_eq!(final_file_name(name).as_deref(), Some("depth.npy"));
        }
        for other in ["depth.npy", "depth-at-.npy", "depth-at-noon.npy", "at-3"] {
            assert_eq!(final_file_name(other), None, "{other}");
        }
    }
}
