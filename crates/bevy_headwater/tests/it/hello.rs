//! Test of the smallest example.

#[test]
fn hello_water_has_25_lines_and_is_shown_in_the_documents() {
    let file =
        |path: &str| std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR")));
    let example = file("examples/hello_water.rs").unwrap();
    assert!(example.lines().count() <= 25);
    // The README shows the example without its title and the code that takes its picture.
    let (_, shown) = example.split_once('\n').unwrap();
    let shown = shown.replace("mod common;\n", "").replace(", common::ScreenshotPlugin)", ")");
    assert!(file("README.md").unwrap().contains(&shown), "{shown}");
    // The guide is absent when the crate stands alone.
    if let Ok(guide) = file("../../docs/bevy.md") {
        assert!(guide.contains(&shown), "{shown}");
    }
}
