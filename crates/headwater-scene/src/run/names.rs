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

/// The name of the file of meshes.
pub(crate) fn mesh_name(format: MeshFormat) -> &'static str {
    match format {
        MeshFormat::Glb => "final.glb",
        MeshFormat::Obj => "final.obj",
    }
}
