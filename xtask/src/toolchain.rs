//! Compilers that can build for another target: rustup's toolchain with the target, a compiler with the target from
//! elsewhere, or one with the sources of the standard library, which is then built along (Debian's `rustc-web`,
//! `cargo-web` and `rust-web-src`).

use crate::place;
use crate::process::printed;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A compiler and its cargo.
#[derive(Debug)]
pub(crate) struct Toolchain {
    cargo: PathBuf,
    pub(crate) rustc: PathBuf,
    /// Whether the standard library is built along.
    pub(crate) with_std: bool,
}

impl Toolchain {
    /// The first toolchain that can build for a target: one with the target before one with sources, the workspace's
    /// own before the system's.
    pub(crate) fn find(target: &str) -> Option<Self> {
        let own = env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from);
        let beside = own.with_file_name(format!("rustc{}", env::consts::EXE_SUFFIX));
        let rustc = if beside.is_file() { beside } else { "rustc".into() };
        let system = (PathBuf::from("/usr/bin/cargo"), PathBuf::from("/usr/bin/rustc"));
        let pairs = [(own, rustc), system];
        for with_std in [false, true] {
            for (cargo, rustc) in &pairs {
                let has = if with_std { has_sources(rustc) } else { has_target(rustc, target) };
                if has {
                    return Some(Self { cargo: cargo.clone(), rustc: rustc.clone(), with_std });
                }
            }
        }
        None
    }

    /// A call of cargo that builds a package, with the standard library where that is built along.
    pub(crate) fn build(&self, package: &str, profile: &str, target: &str) -> Command {
        let mut command = Command::new(&self.cargo);
        command.current_dir(place::root());
        // What the cargo that runs this has set for itself is of another toolchain, perhaps.
        for variable in [
            "CARGO",
            "CARGO_BUILD_RUSTFLAGS",
            "CARGO_ENCODED_RUSTFLAGS",
            "RUSTC_WORKSPACE_WRAPPER",
            "RUSTC_WRAPPER",
            "RUSTFLAGS",
            "RUSTUP_TOOLCHAIN",
        ] {
            command.env_remove(variable);
        }
        command.env("RUSTC", &self.rustc).env("CARGO_TARGET_DIR", place::target());
        command.args(["build", "--locked", "--profile", profile, "--target", target]);
        command.args(["--package", package]);
        if self.with_std {
            command.env("RUSTC_BOOTSTRAP", "1").args(["-Z", "build-std=std,panic_abort"]);
        }
        command
    }

    /// For people.
    pub(crate) fn name(&self) -> String {
        let library = if self.with_std { ", the standard library from its sources" } else { "" };
        format!("{}{library}", self.rustc.display())
    }

    /// The folder that the compiler has its libraries under; empty if it does not say.
    pub(crate) fn sysroot(&self) -> PathBuf {
        asked(&self.rustc, &["--print", "sysroot"]).unwrap_or_default()
    }

    /// The target of programs for this machine; empty if the compiler does not say.
    pub(crate) fn host(&self) -> String {
        let host = asked(&self.rustc, &["--print", "host-tuple"]).unwrap_or_default();
        host.to_string_lossy().into_owned()
    }

    /// Whether the compiler brings LLVM's linker, as rustup's do.
    pub(crate) fn brings_linker(&self) -> bool {
        let bundled = self.sysroot().join("lib/rustlib").join(self.host()).join("bin/rust-lld");
        bundled.is_file() || bundled.with_extension("exe").is_file()
    }
}

/// What a compiler prints if asked for it; nothing if there is no such compiler.
fn asked(rustc: &Path, question: &[&str]) -> Option<PathBuf> {
    let mut command = Command::new(rustc);
    command.args(question).stderr(Stdio::null());
    let answer = printed(&mut command).ok()?;
    Some(answer.trim_end().into())
}

fn has_target(rustc: &Path, target: &str) -> bool {
    let folder = asked(rustc, &["--print", "target-libdir", "--target", target]);
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
