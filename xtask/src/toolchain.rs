//! Search for an installed Rust toolchain that can build for another target.
//!
//! Candidates are the toolchains of rustup and of the system. A toolchain is suitable if it has the
//! target's standard library, or the sources of the standard library, which are then built too
//! (Debian's `rustc-web`, `cargo-web` and `rust-web-src`).

use crate::place;
use crate::process::command_output;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Rust compiler, together with the Cargo program of the same toolchain.
#[derive(Debug)]
pub(crate) struct Toolchain {
    cargo: PathBuf,
    pub(crate) rustc: PathBuf,
    /// Whether the standard library must be built from its sources.
    pub(crate) builds_std: bool,
}

impl Toolchain {
    /// Returns the first toolchain that can build for a target; `None` if there is none. Toolchains
    /// that contain the target's standard library are preferred to those with its sources. Within
    /// each kind, the toolchain of the workspace is preferred to that of the system.
    pub(crate) fn find(target: &str) -> Option<Self> {
        let own = env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from);
        let beside = own.with_file_name(format!("rustc{}", env::consts::EXE_SUFFIX));
        let rustc = if beside.is_file() { beside } else { "rustc".into() };
        let system = (PathBuf::from("/usr/bin/cargo"), PathBuf::from("/usr/bin/rustc"));
        let pairs = [(own, rustc), system];
        for builds_std in [false, true] {
            for (cargo, rustc) in &pairs {
                let has = if builds_std { has_sources(rustc) } else { has_target(rustc, target) };
                if has {
                    return Some(Self { cargo: cargo.clone(), rustc: rustc.clone(), builds_std });
                }
            }
        }
        None
    }

    /// Returns a Cargo command that builds a package for a target, including the standard library
    /// if necessary.
    pub(crate) fn build_command(&self, package: &str, profile: &str, target: &str) -> Command {
        let mut command = Command::new(&self.cargo);
        command.current_dir(place::repository_root());
        // The environment variables of the running Cargo may belong to another toolchain.
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
        command.env("RUSTC", &self.rustc).env("CARGO_TARGET_DIR", place::target_folder());
        command.args(["build", "--locked", "--profile", profile, "--target", target]);
        command.args(["--package", package]);
        if self.builds_std {
            command.env("RUSTC_BOOTSTRAP", "1").args(["-Z", "build-std=std,panic_abort"]);
        }
        command
    }

    /// Returns a description of the toolchain, for messages.
    pub(crate) fn description(&self) -> String {
        let library = if self.builds_std { ", the standard library from its sources" } else { "" };
        format!("{}{library}", self.rustc.display())
    }

    /// Returns the path of the compiler's sysroot folder; an empty path if it is unknown.
    pub(crate) fn sysroot(&self) -> PathBuf {
        query_path(&self.rustc, &["--print", "sysroot"]).unwrap_or_default()
    }

    /// Returns the target triple of the machine on which the compiler runs; an empty string if it
    /// is unknown.
    pub(crate) fn host(&self) -> String {
        let host = query_path(&self.rustc, &["--print", "host-tuple"]).unwrap_or_default();
        host.to_string_lossy().into_owned()
    }

    /// Returns whether the toolchain contains LLVM's linker, as toolchains of rustup do.
    pub(crate) fn has_linker(&self) -> bool {
        let bundled = self.sysroot().join("lib/rustlib").join(self.host()).join("bin/rust-lld");
        bundled.is_file() || bundled.with_extension("exe").is_file()
    }
}

/// Runs the compiler `rustc` with `arguments` and returns the path that it prints; `None` if the
/// compiler cannot be run.
fn query_path(rustc: &Path, arguments: &[&str]) -> Option<PathBuf> {
    let mut command = Command::new(rustc);
    command.args(arguments).stderr(Stdio::null());
    let answer = command_output(&mut command).ok()?;
    Some(answer.trim_end().into())
}

fn has_target(rustc: &Path, target: &str) -> bool {
    let folder = query_path(rustc, &["--print", "target-libdir", "--target", target]);
    let entries = folder.and_then(|folder| folder.read_dir().ok());
    entries.into_iter().flatten().flatten().any(|entry| {
        let name = entry.file_name();
        name.to_string_lossy().starts_with("libstd-")
    })
}

fn has_sources(rustc: &Path) -> bool {
    let sysroot = query_path(rustc, &["--print", "sysroot"]);
    sysroot.is_some_and(|root| root.join("lib/rustlib/src/rust/library/std/Cargo.toml").is_file())
}
