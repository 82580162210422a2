//! Selection of the models in this module: all models, or the single model for which the module was
//! built.

use headwater_scene::scene::Reader;

/// Returns a parser for scenes of those models that are in this module.
pub(crate) fn reader() -> Reader {
    Reader::for_models(&[
        #[cfg(feature = "flow")]
        headwater_scene::FLOW,
        #[cfg(feature = "waves")]
        headwater_scene::WAVES,
        #[cfg(feature = "blocks")]
        headwater_scene::BLOCKS,
        #[cfg(feature = "columns")]
        headwater_scene::COLUMNS,
        #[cfg(feature = "hydrology")]
        headwater_scene::HYDROLOGY,
    ])
}

/// Returns whether this module contains the model of a scene. `text` is the TOML source of the
/// scene.
pub(crate) fn contains_model_of(reader: &Reader, text: &str) -> bool {
    let value = text.lines().find_map(|line| line.strip_prefix("model = "));
    let name = value.and_then(|value| value.split('"').nth(1));
    name.is_some_and(|name| reader.models().iter().any(|model| model.name == name))
}
