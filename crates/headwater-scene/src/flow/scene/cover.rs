//! Tables `[[cover]]`: maps of classes with the ground properties of each class.

use crate::scene::Keys;
use crate::scene::schema::keys_of_some;
use headwater::flow::Soil;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// `[[cover]]`: map of classes, such as land cover or soil types, with the ground properties of
/// each class. If several maps give a property of a cell, the last applies.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cover {
    /// Raster of class numbers. The most frequent class in a cell of the grid applies. Cells
    /// without data use `[physics]` and `[infiltration]`. The path is relative to the scene file;
    /// in `--set`, to the current directory.
    pub file: PathBuf,
    /// `[[cover.class]]`: 1 to 1000 classes. Every number in the file must belong to one.
    #[serde(rename = "class")]
    pub classes: Vec<CoverClass>,
}

/// `[[cover.class]]`: ground properties of a class. A property that is not given has the value from
/// an earlier map, or else from `[physics]` or `[infiltration]`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoverClass {
    /// Numbers that denote this class in the file, 1 to 1000 integers from −10⁶ to 10⁶.
    pub numbers: Vec<i64>,
    /// Name for readers. Default: empty.
    #[serde(default)]
    pub name: String,
    /// Manning's roughness (s/m^⅓), in place of `physics.manning` and `manning_map`. Not for pipes.
    pub manning: Option<f64>,
    /// Soil with keys of `[infiltration]`. Missing keys have the values there.
    #[serde(default)]
    #[schemars(schema_with = "keys_of_some::<Soil>")]
    pub infiltration: Option<Keys<Soil>>,
}
