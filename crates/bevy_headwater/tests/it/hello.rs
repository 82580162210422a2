//! The smallest example.

#[test]
fn hello_water_has_25_lines_and_is_what_the_readme_shows() {
    let file =
        |path: &str| std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR")));
    let example = file("examples/hello_water.rs").unwrap();
    assert!(example.lines().count() <= 25);
    // But for what it is, and how it takes its picture.
    let (_, shown) = example.split_once('\n').unwrap();
    let shown = shown.replace("mod common;\n", "").replace(", common::Shot)", ")");
    assert!(file("README.md").unwrap().contains(&shown), "{shown}");
    // Not there when the crate stands alone.
    if let Ok(readme) = file("../../README.md")
        && readme.contains("bevy_headwater")
    {
        assert!(readme.contains(&shown), "{shown}");
    }
}
