//! Names of the files that runs write.

/// Name of the file that a stopped run leaves.
pub const CHECKPOINT: &str = "checkpoint.headwater";
/// Name of the folder that a stopped run leaves whose world was spread: a file of each process that had rows of it, and a manifest.
pub const PARTS: &str = "checkpoint-parts.headwater";
/// Name of the file that a finished run leaves.
pub const SUMMARY: &str = "summary.json";
/// Name of the file that is there from a run's first step to its end, and says which files are its own.
pub(crate) const RUN_MARKER: &str = ".headwater-run";

/// Name of the folder in which what is not in memory of a world lies meanwhile; it goes when the run ends.
pub(crate) const SCRATCH: &str = ".headwater-scratch";

/// Name of the file of meshes.
pub(crate) const MESH: &str = "final.glb";
/// The land as it was carved before the run.
pub(crate) const CARVED: &str = "carved.png";

/// The land under the greatest depth that each place had.
pub(crate) const FLOOD: &str = "flood.png";

/// What stands between the name of a layer and the time at which it was written.
const TIME_MARK: &str = "-at-";

/// When layers are written.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "zarr"), expect(dead_code, reason = "files of one layer have one time"))]
pub struct OutputTime<'a> {
    /// All times of the run at which they are, ascending; the last is its end.
    pub(crate) times: &'a [f64],
    /// Which of them.
    pub(crate) number: usize,
    /// How it stands in the names of files, if it is on the way.
    pub(crate) stamp: Option<String>,
}

impl<'a> OutputTime<'a> {
    /// The end.
    pub(crate) fn end(times: &'a [f64]) -> Self {
        Self { times, number: times.len().saturating_sub(1), stamp: None }
    }

    /// A time on the way.
    pub(crate) fn intermediate(times: &'a [f64], time: f64, stamp: TimeFormat) -> Self {
        let number = times.partition_point(|&other| other < time);
        Self { times, number, stamp: Some(stamp.say(time)) }
    }
}

/// How times of a run stand in the names of files, which sort by them: all with as many digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeFormat {
    whole: usize,
    decimals: usize,
}

impl TimeFormat {
    /// For some times (s) of a run that lasts until another.
    pub(crate) fn of(times: &[f64], until: f64) -> Self {
        let decimals = times.iter().map(|&time| {
            let said = rounded(time).to_string();
            said.split_once('.').map_or(0, |(_, decimals)| decimals.len())
        });
        Self { whole: until.trunc().to_string().len(), decimals: decimals.max().unwrap_or(0) }
    }

    /// One of the times.
    pub(crate) fn say(self, time: f64) -> String {
        let Self { whole, decimals } = self;
        let width = whole + if decimals > 0 { decimals + 1 } else { 0 };
        format!("{:0width$.decimals$}", rounded(time))
    }
}

/// What a sum has rounded is nobody's concern.
fn rounded(time: f64) -> f64 {
    format!("{time:.12e}").parse().unwrap_or(time)
}

/// The name of the file of a layer as it is at a time on the way, from that of its file at the end.
pub(crate) fn file_name_at(file: &str, stamp: &str) -> String {
    match file.rsplit_once('.') {
        Some((layer, format)) => format!("{layer}{TIME_MARK}{stamp}.{format}"),
        None => format!("{file}{TIME_MARK}{stamp}"),
    }
}

/// The name of the layer's file at the end, from that of its file at a time on the way; `None` of all other names.
pub(crate) fn final_file_name(name: &str) -> Option<String> {
    let (rest, format) = name.rsplit_once('.')?;
    let (layer, stamp) = rest.rsplit_once(TIME_MARK)?;
    let is_time = !stamp.is_empty() && stamp.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    is_time.then(|| format!("{layer}.{format}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_layers_on_the_way_sort_by_time() {
        let times = [0.0, 0.1 + 0.2, 9.5, 90.0, 3600.0];
        let stamp = TimeFormat::of(&times, 3600.0);
        let names = times.map(|time| file_name_at("depth.npy", &stamp.say(time)));
        let expected = ["0000.0", "0000.3", "0009.5", "0090.0", "3600.0"];
        assert_eq!(names, expected.map(|time| format!("depth-at-{time}.npy")));
        assert!(names.is_sorted());
        assert_eq!(TimeFormat::of(&[0.0, 90.0], 100.0).say(90.0), "090");
        for name in &names {
            assert_eq!(final_file_name(name).as_deref(), Some("depth.npy"));
        }
        for other in ["depth.npy", "depth-at-.npy", "depth-at-noon.npy", "at-3"] {
            assert_eq!(final_file_name(other), None, "{other}");
        }
    }
}
