//! What can build for WebAssembly on this machine: rustup's toolchain with the target, a compiler with the target
//! from elsewhere, or one with the sources of the standard library, which is then built along (Debian's `rustc-web`,
//! `cargo-web` and `rust-web-src`).

use crate::place;
use crate::process::{find, printed, run};
use anyhow::{Result, bail};
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The target of browsers.
const TARGET: &str = "wasm32-unknown-unknown";

/// What to install, for whom there is nothing.
const ADVICE: &str = "nothing here can build for WebAssembly. With rustup: \
    `rustup target add wasm32-unknown-unknown`. On Debian: \
    `apt-get install rustc-web cargo-web rust-web-src lld-22`";

/// What the page is built with.
const PROFILE: &str = "web";

/// A compiler, its cargo, and what they need to be told.
#[derive(Debug)]
struct Toolchain {
    cargo: PathBuf,
    rustc: PathBuf,
    /// Whether the standard library is built along.
    with_std: bool,
    /// The linker, if the compiler brings none.
    linker: Option<PathBuf>,
}

/// Builds a package for browsers, and gives the module's file.
///
/// # Errors
/// Says what to install if there is nothing to build with; else what cargo says.
pub(crate) fn build(package: &str) -> Result<PathBuf> {
    let toolchain = look()?;
    eprintln!("building {package} with {}", toolchain.name());
    let mut command = Command::new(&toolchain.cargo);
    command.current_dir(place::root());
    // What the cargo that runs this has set for itself is of another toolchain, perhaps.
    for variable in
        ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTC_WRAPPER", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"]
    {
        command.env_remove(variable);
    }
    command.env("RUSTC", &toolchain.rustc).env("CARGO_TARGET_DIR", place::target());
    command.args(["build", "--locked", "--profile", PROFILE, "--target", TARGET]);
    command.args(["--package", package]);
    if toolchain.with_std {
        command.env("RUSTC_BOOTSTRAP", "1").args(["-Z", "build-std=std,panic_abort"]);
    }
    if let Some(linker) = &toolchain.linker {
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    }
    run(&mut command)?;
    Ok(place::target().join(TARGET).join(PROFILE).join(format!("{package}.wasm")))
}

impl Toolchain {
    fn name(&self) -> String {
        let library = if self.with_std { ", the standard library from its sources" } else { "" };
        format!("{}{library}", self.rustc.display())
    }
}

/// The first toolchain that can: one with the target before one with sources, the workspace's own before the system's.
fn look() -> Result<Toolchain> {
    let own = env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from);
    let beside = own.with_file_name(format!("rustc{}", env::consts::EXE_SUFFIX));
    let rustc = if beside.is_file() { beside } else { "rustc".into() };
    let system = (PathBuf::from("/usr/bin/cargo"), PathBuf::from("/usr/bin/rustc"));
    let pairs = [(own, rustc), system];
    for with_std in [false, true] {
        for (cargo, rustc) in &pairs {
            let has = if with_std { has_sources(rustc) } else { has_target(rustc) };
            if has {
                let (cargo, rustc) = (cargo.clone(), rustc.clone());
                let linker = linker(&rustc)?;
                return Ok(Toolchain { cargo, rustc, with_std, linker });
            }
        }
    }
    bail!(ADVICE)
}

/// What a compiler prints if asked for it; nothing if there is no such compiler.
fn asked(rustc: &Path, question: &[&str]) -> Option<PathBuf> {
    let mut command = Command::new(rustc);
    command.args(question).stderr(Stdio::null());
    let answer = printed(&mut command).ok()?;
    Some(answer.trim_end().into())
}

fn has_target(rustc: &Path) -> bool {
    let folder = asked(rustc, &["--print", "target-libdir", "--target", TARGET]);
    let entries = folder.and_then(|folder| folder.read_dir().ok());
    entries.into_iter().flatten().flatten().any(|entry| {
        let name = entry.file_name();
        name.to_string_lossy().starts_with("libstd-")
    })
}

fn has_sources(rustc: &Path) -> bool {
    let sysroot = asked(rustc, &["--print", "sysroot"]);
    sysroot.is_some_and(|root| root.join("lib/rustlib/src/rust/library/std/Cargo.toml").is_file())
}

/// The linker to name; none if the compiler brings its own, as rustup's do.
fn linker(rustc: &Path) -> Result<Option<PathBuf>> {
    let sysroot = asked(rustc, &["--print", "sysroot"]).unwrap_or_default();
    let host = asked(rustc, &["--print", "host-tuple"]).unwrap_or_default();
    let bundled = sysroot.join("lib/rustlib").join(host).join("bin/rust-lld");
    if bundled.is_file() || bundled.with_extension("exe").is_file() {
        return Ok(None);
    }
    let versions = (14..40).rev().map(|version| format!("wasm-ld-{version}"));
    let names: Vec<String> = std::iter::once("wasm-ld".to_owned()).chain(versions).collect();
    match find(&names) {
        Some(linker) => Ok(Some(linker)),
        None => bail!("there is no linker for WebAssembly. On Debian: `apt-get install lld-22`"),
    }
}
