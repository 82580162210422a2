//! Scene tables `[[cover]]`: maps of land cover or soil classes, with the ground properties of each
//! class.

use crate::scene::Keys;
use headwater::flow::Soil;
use serde::Deserialize;
use std::path::PathBuf;

/// `[[cover]]`: map of classes, such as land cover or soil types, with the ground properties of
/// each class. If several maps give the same property in a cell, the last of these maps applies.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Cover {
    /// Raster of class numbers. In each cell of the grid, the most frequent class applies. Cells
    /// without data use `[physics]` and `[infiltration]`. The path is relative to the scene file,
    /// or to the current directory if the key is set with `--set`.
    pub file: PathBuf,
    /// `[[cover.class]]`: 1 to 1000 classes. Every number in the raster must belong to a class.
    #[serde(rename = "class")]
    pub classes: Vec<CoverClass>,
}

/// `[[cover.class]]`: ground properties of a class. Properties that the class does not give come
/// from an earlier map, or else from `[physics]` or `[infiltration]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CoverClass {
    /// Numbers that denote this class in the raster: 1 to 1000 integers from −10⁶ to 10⁶.
    pub numbers: Vec<i64>,
    /// Name of the class, for human readers. It has no effect. Default: empty.
    #[serde(default)]
    pub name: String,
    /// Manning's roughness (s/m^⅓), in place of `physics.manning` and `physics.manning_map`. Not
    /// supported by the physics level `"pipes"`.
    pub manning: Option<f64>,
    /// Soil parameters, with the keys of `[infiltration]`. Keys that are missing here take their
    /// values from `[infiltration]`.
    #[serde(default)]
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "crate::scene::schema::optional_keys_schema::<Soil>")
    )]
    pub infiltration: Option<Keys<Soil>>,
}
