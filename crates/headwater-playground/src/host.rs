//! Functions that the web page provides in `page/host.js`: file upload and download, and storage in
//! the browser.

use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::js_sys::{JsString, Reflect, Uint8Array};

#[wasm_bindgen]
extern "C" {
    /// Downloads a file with the given name and contents.
    #[wasm_bindgen(js_namespace = headwaterHost)]
    pub(crate) fn download(name: &str, bytes: &[u8]);

    /// Opens a file dialog for the file types in `accept`. Returns `null` if the user cancels the
    /// dialog.
    #[wasm_bindgen(js_namespace = headwaterHost, catch, js_name = pick)]
    async fn pick_js(accept: &str) -> Result<JsValue, JsValue>;

    /// Records the canvas for `seconds` s, downloads the animation, and returns its file name.
    #[wasm_bindgen(js_namespace = headwaterHost, catch, js_name = record)]
    async fn record_js(name: &str, seconds: f64) -> Result<JsValue, JsValue>;

    /// Stores the saved state of a world in the browser under a name.
    #[wasm_bindgen(js_namespace = headwaterHost, js_name = keep)]
    pub(crate) fn save_world(name: &str, bytes: &[u8]);

    /// Stores the saved state of a world, then reloads the page, which continues with this world
    /// and shows the message `words`.
    #[wasm_bindgen(js_namespace = headwaterHost)]
    pub(crate) fn restart(bytes: &[u8], words: &str);

    /// Sets the fragment of the page's address (the part after `#`) and returns the full address.
    #[wasm_bindgen(js_namespace = headwaterHost)]
    pub(crate) fn address(fragment: &str) -> String;

    /// Returns the values of the axes and buttons of the first gamepad with the standard layout;
    /// `None` if no such gamepad is connected.
    #[wasm_bindgen(js_namespace = headwaterHost, js_name = pad)]
    pub(crate) fn gamepad() -> Option<Vec<f32>>;

    /// Publishes a JSON description of the visible widgets for assistive technology.
    #[wasm_bindgen(js_namespace = headwaterHost)]
    pub(crate) fn describe(widgets: &str);
}

/// Opens a file dialog and returns the name and contents of the chosen file; `None` if the user
/// cancels the dialog. `extensions` contains the file name extensions that the dialog offers.
pub(crate) async fn pick_file(extensions: &[&str]) -> Result<Option<(String, Vec<u8>)>, String> {
    let accept: Vec<String> = extensions.iter().map(|extension| format!(".{extension}")).collect();
    let file = pick_js(&accept.join(",")).await.map_err(describe_error)?;
    if file.is_null() || file.is_undefined() {
        return Ok(None);
    }
    let part = |name: &str| Reflect::get(&file, &name.into()).map_err(describe_error);
    let name = part("name")?.as_string().unwrap_or_default();
    Ok(Some((name, Uint8Array::new(&part("bytes")?).to_vec())))
}

pub(crate) async fn record(name: &str, seconds: f64) -> Result<String, String> {
    record_js(name, seconds)
        .await
        .map(|file| file.as_string().unwrap_or_default())
        .map_err(describe_error)
}

fn describe_error(value: JsValue) -> String {
    value.dyn_ref::<JsString>().map_or_else(|| format!("{value:?}"), String::from)
}
