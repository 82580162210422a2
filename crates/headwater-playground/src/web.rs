//! The playground in a browser: on a canvas with the id `playground`. What it tells of itself stands in the page's
//! `window.headwaterProbe`, of which the page makes `window.headwater`.

use crate::status::Probe;
use crate::{App, ask_for_compute, dress};
use headwater_scene::library;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};
use web_sys::{HtmlCanvasElement, js_sys};

/// Puts the playground on its canvas: with a scene of the library, or the world of a link (the fragment of an address), or a world
/// that was kept; with its first scene, if there is none of these. `lost` are words on why the page had to begin again.
///
/// # Errors
/// Rejects with why that cannot be done.
#[wasm_bindgen]
pub async fn play(
    scene: Option<String>,
    link: Option<String>,
    kept: Option<Vec<u8>>,
    lost: Option<String>,
) -> Result<(), JsValue> {
    let window = web_sys::window().ok_or("there is no window")?;
    let document = window.document().ok_or("there is no document")?;
    let canvas = document.get_element_by_id("playground").ok_or("there is no canvas")?;
    let canvas: HtmlCanvasElement = canvas.dyn_into()?;
    // Errors are of browsers without such questions.
    let coarse = window.match_media("(pointer: coarse)").ok().flatten();
    let has_finger = coarse.is_some_and(|query| query.matches());
    let probe = Probe::default();
    let told = JsValue::from(Teller { probe: probe.clone() });
    js_sys::Reflect::set(&window, &"headwaterProbe".into(), &told)?;
    let create = Box::new(move |made: &eframe::CreationContext<'_>| {
        dress(&made.egui_ctx);
        crate::tree::tell(&made.egui_ctx);
        let mut app = match &scene {
            Some(name) => App::with_known(probe, name)?,
            None => App::new(probe)?,
        };
        if has_finger {
            app.expect_finger();
        }
        if let Some(link) = &link {
            app.open_link(link);
        } else if let Some(kept) = &kept {
            app.go_on(kept);
        }
        if let Some(words) = lost {
            app.go_on_after_loss(words);
        }
        Ok(Box::new(app) as _)
    });
    let mut options = eframe::WebOptions::default();
    ask_for_compute(&mut options.wgpu_options.wgpu_setup);
    eframe::WebRunner::new().start(canvas, options, create).await
}

/// Presses a widget that assistive technology was told of, by its id.
#[wasm_bindgen]
pub fn press(id: &str) {
    crate::tree::press(id);
}

/// For comparing machines: what a scene of the library comes to after so many steps
/// ([`Reached`](headwater_scene::live::Reached)), as JSON.
///
/// # Errors
/// Says in words that there is no such scene, or why it cannot be run.
#[wasm_bindgen]
pub fn reach(scene: &str, steps: u32) -> Result<String, JsError> {
    let known = library::scene(scene)
        .ok_or_else(|| JsError::new(&format!("no scene `{scene}` in the library")))?;
    let reached = headwater_scene::live::reach(known.name, known.text, None, u64::from(steps))?;
    Ok(serde_json::to_string(&reached)?)
}

/// The names of the library's scenes.
#[wasm_bindgen]
#[must_use]
pub fn scenes() -> Vec<String> {
    library::SCENES.iter().map(|known| known.name.to_owned()).collect()
}

/// A [`Probe`] for JavaScript.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Teller {
    probe: Probe,
}

#[wasm_bindgen]
impl Teller {
    /// All that the last frame told, as JSON.
    #[must_use]
    pub fn json(&self) -> String {
        self.probe.json()
    }

    /// Has hashes told from the next frame on.
    #[wasm_bindgen(js_name = wantHash)]
    pub fn want_hash(&self) {
        self.probe.want_hash();
    }
}
