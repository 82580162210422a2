//! What a scene of the library hashes to after so many steps. `cargo xtask hashes` asks this of the program built for
//! this machine and of the module built for browsers, and compares.

use headwater_scene::library;
use headwater_scene::live::Live;
use headwater_scene::run::RunError;
use serde::{Deserialize, Serialize};
use web_time::Instant;

/// What a scene came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The scene's name.
    pub scene: String,
    /// Steps done.
    pub steps: u64,
    /// The world's time, in the scene's unit.
    pub time: f64,
    /// The state's hash as sixteen hexadecimal digits.
    pub hash: String,
    /// Wall time that it took (s), which is nobody's state.
    pub seconds: f64,
}

/// Does `steps` steps of the library's scene `name`.
///
/// # Errors
/// Says in words that there is no such scene, or why it cannot be run.
pub fn find(name: &str, steps: u64) -> Result<Found, String> {
    let known = library::scene(name).ok_or_else(|| format!("no scene `{name}` in the library"))?;
    let begun = Instant::now();
    let live = walk(name, known.text, steps).map_err(|error| error.to_string())?;
    Ok(Found {
        scene: name.to_owned(),
        steps: live.simulation().steps(),
        time: live.simulation().time(),
        hash: format!("{:016x}", live.state_hash()),
        seconds: begun.elapsed().as_secs_f64(),
    })
}

fn walk(name: &str, text: &str, steps: u64) -> Result<Live, RunError> {
    let mut live = Live::new(name, text)?;
    live.steps(steps)?;
    Ok(live)
}

/// For JavaScript: [`find`] as JSON.
///
/// # Errors
/// As [`find`], as an exception.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn find_json(name: &str, steps: u32) -> Result<String, wasm_bindgen::JsError> {
    let found = find(name, u64::from(steps)).map_err(|error| wasm_bindgen::JsError::new(&error))?;
    Ok(serde_json::to_string(&found)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_of_the_library_is_found_and_another_is_not() {
        let found = find("u-tube", 3).unwrap();
        assert!(found.steps >= 3 && found.hash.len() == 16);
        assert_ne!(found.hash, find("u-tube", 30).unwrap().hash);
        assert_eq!(find("no-such", 3).unwrap_err(), "no scene `no-such` in the library");
    }
}
