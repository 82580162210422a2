//! The playground in a browser, on the HTML canvas with the id `playground`. Its status is
//! published as `window.headwaterProbe`, from which the page builds `window.headwater`.

use crate::status::Probe;
use crate::{App, install_fonts, request_compute_limits};
use headwater_scene::library;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};
use web_sys::{HtmlCanvasElement, js_sys};

/// Starts the playground on its HTML canvas. It opens a library scene, the world of a link (the
/// fragment of an address), or a stored world; if none is given, the default scene. If the page was
/// reloaded after a device loss, `lost` is the reason.
///
/// # Errors
/// Rejects the promise with the reason if the playground cannot start.
#[wasm_bindgen]
pub async fn play(
    scene: Option<String>,
    link: Option<String>,
    saved_state: Option<Vec<u8>>,
    lost: Option<String>,
) -> Result<(), JsValue> {
    let window = web_sys::window().ok_or("there is no window")?;
    let document = window.document().ok_or("there is no document")?;
    let canvas = document.get_element_by_id("playground").ok_or("there is no canvas")?;
    let canvas: HtmlCanvasElement = canvas.dyn_into()?;
    // Browsers without media queries return an error.
    let coarse = window.match_media("(pointer: coarse)").ok().flatten();
    let expects_touch = coarse.is_some_and(|query| query.matches());
    let probe = Probe::default();
    let js_probe = JsValue::from(JsProbe { probe: probe.clone() });
    js_sys::Reflect::set(&window, &"headwaterProbe".into(), &js_probe)?;
    let create = Box::new(move |made: &eframe::CreationContext<'_>| {
        install_fonts(&made.egui_ctx);
        crate::tree::install(&made.egui_ctx);
        let mut app = match &scene {
            Some(name) => App::with_library_scene(probe, name)?,
            None => App::new(probe)?,
        };
        if expects_touch {
            app.assume_touch_input();
        }
        if let Some(link) = &link {
            app.open_link(link);
        } else if let Some(saved_state) = &saved_state {
            app.restore_world(saved_state);
        }
        if let Some(words) = lost {
            app.resume_after_device_loss(words);
        }
        Ok(Box::new(app) as _)
    });
    let mut options = eframe::WebOptions::default();
    request_compute_limits(&mut options.wgpu_options.wgpu_setup);
    eframe::WebRunner::new().start(canvas, options, create).await
}

/// Clicks the widget with the given accessibility id.
#[wasm_bindgen]
pub fn press(id: &str) {
    crate::tree::press(id);
}

/// Runs a library scene for `steps` steps and returns the hash of its final state as JSON
/// ([`StateHash`](headwater_scene::live::StateHash)), so that results can be compared between
/// machines.
///
/// # Errors
/// Returns an error if the scene is unknown or cannot be run.
#[wasm_bindgen]
pub fn reach(scene: &str, steps: u32) -> Result<String, JsError> {
    let known = library::find_scene(scene)
        .ok_or_else(|| JsError::new(&format!("no scene `{scene}` in the library")))?;
    let reached =
        headwater_scene::live::hash_after_steps(known.name, known.text, None, u64::from(steps))?;
    Ok(serde_json::to_string(&reached)?)
}

/// Returns the names of all library scenes.
#[wasm_bindgen]
#[must_use]
pub fn scenes() -> Vec<String> {
    library::SCENES.iter().map(|known| known.name.to_owned()).collect()
}

/// [`Probe`] for use from JavaScript.
#[wasm_bindgen]
#[derive(Debug)]
pub struct JsProbe {
    probe: Probe,
}

#[wasm_bindgen]
impl JsProbe {
    /// Returns the status of the last frame as JSON, like [`Probe::json`].
    #[must_use]
    pub fn json(&self) -> String {
        self.probe.json()
    }

    /// Requests state hashes in the published status from the next frame on.
    #[wasm_bindgen(js_name = wantHash)]
    pub fn want_hash(&self) {
        self.probe.request_hash();
    }
}
