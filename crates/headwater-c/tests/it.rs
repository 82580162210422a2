//! The header is the one that cbindgen makes of the sources.

use std::path::Path;

#[test]
fn the_header_is_that_of_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml");
    // The other files of the crate are modules of it.
    let builder = cbindgen::Builder::new().with_config(config).with_src(root.join("src/lib.rs"));
    let mut made = Vec::new();
    builder.generate().expect("a header").write(&mut made);
    let (made, path) = (String::from_utf8(made).expect("a text"), root.join("include/headwater.h"));
    if std::env::var_os("HEADWATER_WRITE_HEADER").is_some() {
        std::fs::write(&path, &made).expect("a header written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let advice = "HEADWATER_WRITE_HEADER=1 cargo test -p headwater-c --test it";
    assert!(made == written, "{} is not that of the sources: {advice}", path.display());
}
