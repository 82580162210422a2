//! The header is the one that cbindgen makes of the sources.

use std::path::Path;

#[test]
fn the_header_is_that_of_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml");
    let sources = std::fs::read_dir(root.join("src")).expect("sources");
    let mut sources: Vec<_> = sources.map(|entry| entry.expect("a source").path()).collect();
    sources.sort();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in sources {
        builder = builder.with_src(source);
    }
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
