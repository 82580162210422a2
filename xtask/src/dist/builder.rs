//! Selection of the compiler and linker that build the program for a target, and the build itself.

use super::target::{OperatingSystem, Target};
use crate::process::{find_program, run_command};
use crate::{place, toolchain::Toolchain};
use anyhow::{Context, Result, bail};
use std::env;
use std::path::{Path, PathBuf};

/// Cargo package that contains the released program.
pub(crate) const PACKAGE: &str = "headwater-cli";

/// Cargo profile with which released programs are built.
const PROFILE: &str = "dist";

/// Toolchain and linker that build the program for a certain target.
#[derive(Debug)]
pub(crate) struct Builder {
    target: &'static Target,
    toolchain: Toolchain,
    linker: Linker,
}

/// Linker that links the program for a target.
#[derive(Debug)]
enum Linker {
    /// C compiler of the system. It links the C library that rustup installs for the target.
    Cc,
    /// LLVM's linker. It links the C library that rustup installs for the target.
    Lld,
    /// C compiler of MinGW-w64 for Windows targets, given by its path.
    MinGw(PathBuf),
}

impl Builder {
    /// Finds an installed toolchain and linker for a target.
    ///
    /// # Errors
    /// Returns an error if no suitable toolchain or linker is installed.
    pub(crate) fn find(target: &'static Target) -> Result<Self> {
        let triple = target.triple;
        let toolchain = Toolchain::find(triple).filter(|toolchain| !toolchain.builds_std);
        let advice = || format!("no compiler for {triple} was found: `rustup target add {triple}`");
        let toolchain = toolchain.with_context(advice)?;
        let linker = Linker::find(target, &toolchain)?;
        Ok(Self { target, toolchain, linker })
    }

    /// Returns a description of the toolchain and the linker, for messages.
    pub(crate) fn description(&self) -> String {
        let linker = match &self.linker {
            Linker::Cc => "cc".to_owned(),
            Linker::Lld => "rust-lld".to_owned(),
            Linker::MinGw(program) => program.display().to_string(),
        };
        format!("{}, linked by {linker}", self.toolchain.description())
    }

    /// Builds the program for the target and returns the path of the program.
    pub(crate) fn build(&self) -> Result<PathBuf> {
        let triple = self.target.triple;
        let mut command = self.toolchain.build_command(PACKAGE, PROFILE, triple);
        let mut flags = vec!["-Ctarget-feature=+crt-static".to_owned()];
        let variable = self.target.cargo_variable("LINKER");
        match &self.linker {
            Linker::Cc => drop(command.env(variable, "cc")),
            Linker::Lld => drop(command.env(variable, "rust-lld")),
            Linker::MinGw(program) => drop(command.env(variable, program)),
        }
        flags.extend(self.path_remapping_flags());
        run_command(command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")))?;
        Ok(place::target_folder().join(triple).join(PROFILE).join(self.target.program()))
    }

    /// Returns compiler flags that replace the paths of local folders by short names in the
    /// compiled program. Later flags take precedence over earlier ones.
    fn path_remapping_flags(&self) -> Vec<String> {
        let home = env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
        let library = self.toolchain.sysroot().join("lib/rustlib/src/rust");
        let folders = [
            (home, "cargo"),
            (Some(library), "rust"),
            (Some(place::repository_root()), "headwater"),
        ];
        let folders = folders.into_iter().chain([(Some(place::target_folder()), "target")]);
        let known = folders.filter_map(|(folder, name)| Some((folder?, name)));
        known.map(|(folder, name)| remapping_flag(&folder, name)).collect()
    }
}

fn remapping_flag(folder: &Path, name: &str) -> String {
    format!("--remap-path-prefix={}={name}", folder.display())
}

impl Linker {
    /// Finds an installed linker that can link programs for a target.
    ///
    /// # Errors
    /// Returns an error if no suitable linker is installed.
    fn find(target: &Target, toolchain: &Toolchain) -> Result<Self> {
        let triple = target.triple;
        if target.system == OperatingSystem::Windows {
            let gcc = format!("{}-w64-mingw32-gcc", target.processor());
            let names = [gcc.clone(), format!("{gcc}-posix"), format!("{gcc}-win32")];
            return find_program(&names).map(Self::MinGw).with_context(|| {
                format!(
                    "{triple} needs the linker {gcc}. On Debian: `apt-get install gcc-mingw-w64-x86-64`"
                )
            });
        }
        if target.runs_natively() && find_program(&["cc"]).is_some() {
            return Ok(Self::Cc);
        }
        if toolchain.has_linker() {
            return Ok(Self::Lld);
        }
        bail!(
            "{triple} needs a linker, `cc` or rustup's `rust-lld`. On Debian: `apt-get install gcc`"
        )
    }
}
