//! The playground's program: a window here, a canvas in a browser.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> anyhow::Result<()> {
    let options = eframe::NativeOptions::default();
    eframe::run_native(
        "headwater",
        options,
        Box::new(|_| Ok(Box::new(headwater_playground::App::default()))),
    )
    .map_err(|error| anyhow::anyhow!("no window: {error}"))
}

#[cfg(target_arch = "wasm32")]
fn main() {
    headwater_playground::web::start();
}
