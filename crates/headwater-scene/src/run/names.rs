//! Names of the files that runs write.

use crate::scene::MeshFormat;

/// Name of the file that a stopped run leaves.
pub const CHECKPOINT: &str = "checkpoint.headwater";
/// Name of the file that a finished run leaves.
pub const SUMMARY: &str = "summary.json";
/// Name of the file that is there from a run's first step to its end, and says which files are its own.
pub(crate) const BEGUN: &str = ".headwater-run";

pub(crate) const FLOW_MAP: &str = "flow-map.png";
/// The land as it was carved before the run.
pub(crate) const CARVED: &str = "carved.png";

/// The land under the greatest depth that each place had.
pub(crate) const FLOOD: &str = "flood.png";

/// What stands between the name of a layer and the time at which it was written.
const AT: &str = "-at-";

/// A time of a run that lasts until another, as it stands in the names of files: these sort by it.
pub(crate) fn stamp(time: f64, until: f64) -> String {
    // What a sum has rounded is nobody's concern.
    let time: f64 = format!("{time:.12e}").parse().unwrap_or(time);
    let digits = format!("{}", until.trunc()).len();
    let whole = format!("{}", time.trunc()).len();
    format!("{}{time}", "0".repeat(digits.saturating_sub(whole)))
}

/// The name of the file of a layer as it is at a time on the way, from that of its file at the end.
pub(crate) fn at_time(file: &str, stamp: &str) -> String {
    match file.rsplit_once('.') {
        Some((layer, format)) => format!("{layer}{AT}{stamp}.{format}"),
        None => format!("{file}{AT}{stamp}"),
    }
}

/// The name of the layer's file at the end, from that of its file at a time on the way; `None` of all other names.
pub(crate) fn of_time(name: &str) -> Option<String> {
    let (rest, format) = name.rsplit_once('.')?;
    let (layer, stamp) = rest.rsplit_once(AT)?;
    let is_time = !stamp.is_empty() && stamp.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    is_time.then(|| format!("{layer}.{format}"))
}

/// The name of the file of meshes.
pub(crate) fn mesh_name(format: MeshFormat) -> &'static str {
    match format {
        MeshFormat::Glb => "final.glb",
        MeshFormat::Obj => "final.obj",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_layers_on_the_way_sort_by_time() {
        let name = |time: f64| at_time("depth.npy", &stamp(time, 3600.0));
        let names = [0.0, 0.1 + 0.2, 9.5, 90.0, 3600.0].map(name);
        let expected = ["0000", "0000.3", "0009.5", "0090", "3600"];
        assert_eq!(names, expected.map(|time| format!("depth-at-{time}.npy")));
        for name in &names {
            assert_eq!(of_time(name).as_deref(), Some("depth.npy"));
        }
        for other in ["depth.npy", "depth-at-.npy", "depth-at-noon.npy", "at-3"] {
            assert_eq!(of_time(other), None, "{other}");
        }
    }
}
