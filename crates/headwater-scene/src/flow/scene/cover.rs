//! The tables `[[cover]]`: maps of classes, and what the ground of a class is like.

use crate::scene::Keys;
use crate::scene::schema::keys_of_some;
use headwater::flow::Soil;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// `[[cover]]`: a map of classes, of land cover, soils and the like, and what the ground of each is like. Where several say the same of
/// a cell, the last counts.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cover {
    /// A raster of the numbers of classes; of those in a cell of the grid, the one with most of it counts. Cells without data are as
    /// `[physics]` and `[infiltration]` say. Relative to the scene file; in `--set`, to the current directory.
    pub file: PathBuf,
    /// `[[cover.class]]`: 1 to 1000. Every number in the file must be one of a class.
    #[serde(rename = "class")]
    pub classes: Vec<CoverClass>,
}

/// `[[cover.class]]`: what the ground of a class is like. What is not given is as elsewhere.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoverClass {
    /// Its numbers in the file, 1 to 1000 whole ones from −10⁶ to 10⁶.
    pub numbers: Vec<i64>,
    /// What it is, for readers. Default: empty.
    #[serde(default)]
    pub name: String,
    /// Its roughness (s/m^⅓), as `physics.manning`, in place of that and of `manning_map`. Not for pipes.
    pub manning: Option<f64>,
    /// Its soil: keys of `[infiltration]`; those not given have the values there.
    #[serde(default)]
    #[schemars(schema_with = "keys_of_some::<Soil>")]
    pub infiltration: Option<Keys<Soil>>,
}
