//! What the page does for the playground: files go out and come in, worlds are kept. The functions are in `page/host.js`.

use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::js_sys::{JsString, Reflect, Uint8Array};

#[wasm_bindgen]
extern "C" {
    /// Hands a file to the browser, which puts it where it puts downloads.
    #[wasm_bindgen(js_namespace = headwaterHost)]
    pub(crate) fn download(name: &str, bytes: &[u8]);

    /// Asks for a file; `null` if none was chosen.
    #[wasm_bindgen(js_namespace = headwaterHost, catch, js_name = pick)]
    async fn picked(accept: &str) -> Result<JsValue, JsValue>;

    /// Makes an animation of the canvas for some seconds and downloads it; gives its file's name.
    #[wasm_bindgen(js_namespace = headwaterHost, catch, js_name = record)]
    async fn recorded(name: &str, seconds: f64) -> Result<JsValue, JsValue>;

    /// Keeps a world in the browser, under a name.
    #[wasm_bindgen(js_namespace = headwaterHost)]
    pub(crate) fn keep(name: &str, bytes: &[u8]);

    /// Keeps a world and opens the page anew with it, which then says these words.
    #[wasm_bindgen(js_namespace = headwaterHost)]
    pub(crate) fn restart(bytes: &[u8], words: &str);

    /// Puts a fragment behind the page's address, and gives the whole address.
    #[wasm_bindgen(js_namespace = headwaterHost)]
    pub(crate) fn address(fragment: &str) -> String;

    /// The axes and buttons of the first gamepad of the standard layout, if there is one.
    #[wasm_bindgen(js_namespace = headwaterHost)]
    pub(crate) fn pad() -> Option<Vec<f32>>;

    /// Tells what can be read and clicked, as JSON, to assistive technology.
    #[wasm_bindgen(js_namespace = headwaterHost)]
    pub(crate) fn describe(widgets: &str);
}

/// A file that somebody chose: its name and all of it.
pub(crate) async fn pick(endings: &[&str]) -> Result<Option<(String, Vec<u8>)>, String> {
    let accept: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
    let file = picked(&accept.join(",")).await.map_err(problem)?;
    if file.is_null() || file.is_undefined() {
        return Ok(None);
    }
    let part = |name: &str| Reflect::get(&file, &name.into()).map_err(problem);
    let name = part("name")?.as_string().unwrap_or_default();
    Ok(Some((name, Uint8Array::new(&part("bytes")?).to_vec())))
}

pub(crate) async fn record(name: &str, seconds: f64) -> Result<String, String> {
    recorded(name, seconds).await.map(|file| file.as_string().unwrap_or_default()).map_err(problem)
}

fn problem(value: JsValue) -> String {
    value.dyn_ref::<JsString>().map_or_else(|| format!("{value:?}"), String::from)
}
