//! Checks that the C header in the repository equals the header that cbindgen generates from the
//! sources.

use std::path::Path;

#[test]
fn header_matches_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml");
    // cbindgen follows the modules from lib.rs.
    let builder = cbindgen::Builder::new().with_config(config).with_src(root.join("src/lib.rs"));
    let mut generated = Vec::new();
    builder.generate().expect("a header").write(&mut generated);
    let (generated, path) =
        (String::from_utf8(generated).expect("a text"), root.join("include/headwater.h"));
    if std::env::var_os("HEADWATER_WRITE_HEADER").is_some() {
        std::fs::write(&path, &generated).expect("a header written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let advice = "HEADWATER_WRITE_HEADER=1 cargo test -p headwater-c --test it";
    assert!(generated == written, "{} does not match the sources; run: {advice}", path.display());
}
