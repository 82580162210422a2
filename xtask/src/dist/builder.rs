//! What builds the program for a target on this machine: a compiler and a linker.

use super::target::{System, Target};
use crate::process::{find, run};
use crate::{place, toolchain::Toolchain};
use anyhow::{Context, Result, bail};
use std::env;
use std::path::{Path, PathBuf};

/// The package of the program.
pub(crate) const PACKAGE: &str = "headwater-cli";

/// What programs that are handed out are built with.
const PROFILE: &str = "dist";

/// What can build the program for a target.
#[derive(Debug)]
pub(crate) struct Builder {
    target: &'static Target,
    toolchain: Toolchain,
    linker: Linker,
}

/// What links a program.
#[derive(Debug)]
enum Linker {
    /// The compiler of C, with the C library that comes with rustup's target.
    Cc,
    /// LLVM's linker, with the same C library.
    Lld,
    /// The compiler of C for Windows.
    MinGw(PathBuf),
}

impl Builder {
    /// What can build for a target here.
    pub(crate) fn find(target: &'static Target) -> Result<Self> {
        let triple = target.triple;
        let toolchain = Toolchain::find(triple).filter(|toolchain| !toolchain.with_std);
        let advice = || format!("nothing compiles for {triple} here: `rustup target add {triple}`");
        let toolchain = toolchain.with_context(advice)?;
        let linker = Linker::find(target, &toolchain)?;
        Ok(Self { target, toolchain, linker })
    }

    /// For people.
    pub(crate) fn name(&self) -> String {
        let linker = match &self.linker {
            Linker::Cc => "cc".to_owned(),
            Linker::Lld => "rust-lld".to_owned(),
            Linker::MinGw(program) => program.display().to_string(),
        };
        format!("{}, linked by {linker}", self.toolchain.name())
    }

    /// Builds the program, and gives its file.
    pub(crate) fn build(&self) -> Result<PathBuf> {
        let triple = self.target.triple;
        let mut command = self.toolchain.build(PACKAGE, PROFILE, triple);
        let mut flags = vec!["-Ctarget-feature=+crt-static".to_owned()];
        let variable = self.target.variable("LINKER");
        match &self.linker {
            Linker::Cc => drop(command.env(variable, "cc")),
            Linker::Lld => drop(command.env(variable, "rust-lld")),
            Linker::MinGw(program) => drop(command.env(variable, program)),
        }
        flags.extend(self.same_everywhere());
        run(command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")))?;
        Ok(place::target().join(triple).join(PROFILE).join(self.target.program()))
    }

    /// Flags by which the folders of this machine do not stand in the program; a later one counts more.
    fn same_everywhere(&self) -> Vec<String> {
        let home = env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
        let library = self.toolchain.sysroot().join("lib/rustlib/src/rust");
        let folders =
            [(home, "cargo"), (Some(library), "rust"), (Some(place::root()), "headwater")];
        let folders = folders.into_iter().chain([(Some(place::target()), "target")]);
        let known = folders.filter_map(|(folder, name)| Some((folder?, name)));
        known.map(|(folder, name)| remapped(&folder, name)).collect()
    }
}

fn remapped(folder: &Path, name: &str) -> String {
    format!("--remap-path-prefix={}={name}", folder.display())
}

impl Linker {
    /// What links for a target here.
    fn find(target: &Target, toolchain: &Toolchain) -> Result<Self> {
        let triple = target.triple;
        if target.system == System::Windows {
            let gcc = format!("{}-w64-mingw32-gcc", target.processor());
            let names = [gcc.clone(), format!("{gcc}-posix"), format!("{gcc}-win32")];
            return find(&names).map(Self::MinGw).with_context(|| {
                format!(
                    "{triple} needs the linker {gcc}. On Debian: `apt-get install gcc-mingw-w64-x86-64`"
                )
            });
        }
        if target.is_here() && find(&["cc"]).is_some() {
            return Ok(Self::Cc);
        }
        if toolchain.brings_linker() {
            return Ok(Self::Lld);
        }
        bail!(
            "{triple} needs a linker, `cc` or rustup's `rust-lld`. On Debian: `apt-get install gcc`"
        )
    }
}
