//! Tests that the type stubs declare every method of the extension module.

#[test]
fn stubs_contain_every_method() {
    let read = |path: &str| {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(root.join(path)).expect(path)
    };
    let stubs = read("python/headwater/_headwater.pyi");
    for (file, methods) in [("src/world.rs", 40), ("src/place.rs", 5), ("src/raster.rs", 0)] {
        let source = read(file);
        let methods_block = source.split("#[pymethods]").nth(1).unwrap_or_default();
        let names = methods_block.split("\n    fn ").skip(1);
        let names = names.map(|rest| rest.split(['(', '<']).next().unwrap_or_default());
        let public: Vec<_> =
            names.filter(|name| !name.starts_with('_') && *name != "new").collect();
        assert!(public.len() >= methods, "{file}: {public:?}");
        for name in public {
            let name = if name == "add_entry" { "add" } else { name };
            assert!(
                stubs.contains(&format!("def {name}(")),
                "{name} of {file} is missing in the stubs"
            );
        }
    }
}
