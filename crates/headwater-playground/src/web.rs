//! The playground in a browser: a canvas with the id `playground`.

use crate::App;
use crate::told::Probe;
use wasm_bindgen::JsCast as _;

/// Puts the playground on its canvas.
pub fn start() {
    wasm_bindgen_futures::spawn_local(async {
        let canvas = web_sys::window()
            .and_then(|window| window.document())
            .and_then(|document| document.get_element_by_id("playground"))
            .and_then(|element| element.dyn_into::<web_sys::HtmlCanvasElement>().ok());
        let Some(canvas) = canvas else { return };
        let options = eframe::WebOptions::default();
        let probe = Probe::default();
        let app = Box::new(|_: &eframe::CreationContext<'_>| Ok(Box::new(App::new(probe)?) as _));
        if let Err(error) = eframe::WebRunner::new().start(canvas, options, app).await {
            web_sys::console::error_1(&error);
        }
    });
}
