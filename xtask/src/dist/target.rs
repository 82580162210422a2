//! Table of the target platforms for which release archives are built.

use anyhow::{Result, bail};
use std::env;

/// Platform of a release archive. Programs for this platform require only the kernel (Linux), or
/// only libraries that are part of every Windows system.
#[derive(Debug)]
pub(crate) struct Target {
    /// Target triple by which the Rust compiler identifies the platform.
    pub(crate) triple: &'static str,
    pub(crate) system: OperatingSystem,
    /// Emulators that can run programs of the target, in order of preference, and the name of a
    /// Debian package that contains one of them.
    pub(crate) runners: (&'static [&'static str], &'static str),
}

/// Operating system of a target platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperatingSystem {
    Linux,
    Windows,
}

/// All supported targets. The first target is the default.
pub(crate) const TARGETS: [Target; 3] = [
    Target {
        triple: "x86_64-unknown-linux-musl",
        system: OperatingSystem::Linux,
        runners: (&["qemu-x86_64-static", "qemu-x86_64"], "qemu-user-static"),
    },
    Target {
        triple: "aarch64-unknown-linux-musl",
        system: OperatingSystem::Linux,
        runners: (&["qemu-aarch64-static", "qemu-aarch64"], "qemu-user-static"),
    },
    Target {
        triple: "x86_64-pc-windows-gnu",
        system: OperatingSystem::Windows,
        runners: (&["wine", "wine64", "wine64-stable"], "wine64"),
    },
];

impl Target {
    /// Returns the targets with the given triples, in the order of the table and without
    /// duplicates. Returns the first target of the table if `names` is empty.
    ///
    /// # Errors
    /// Returns an error if a triple is not in the table.
    pub(crate) fn find_by_names(names: &[String]) -> Result<Vec<&'static Self>> {
        if let Some(unknown) = names.iter().find(|&name| TARGETS.iter().all(|t| t.triple != name)) {
            let known: Vec<&str> = TARGETS.iter().map(|target| target.triple).collect();
            bail!("unknown target {unknown:?}; allowed: {}", known.join(", "));
        }
        let named = |target: &&Self| names.iter().any(|name| name == target.triple);
        let default = if names.is_empty() { Some(&TARGETS[0]) } else { None };
        Ok(default.into_iter().chain(TARGETS.iter().filter(named)).collect())
    }

    /// Returns the name of Cargo's environment variable `CARGO_TARGET_…_{setting}` that configures
    /// this target. `setting` is the name of the setting.
    pub(crate) fn cargo_variable(&self, setting: &str) -> String {
        format!("CARGO_TARGET_{}_{setting}", self.triple.to_uppercase().replace('-', "_"))
    }

    /// Returns the name of the processor architecture, which is the part of the triple before the
    /// first `-`.
    pub(crate) fn processor(&self) -> &'static str {
        self.triple.split('-').next().unwrap_or_default()
    }

    /// Returns whether this machine can run programs of the target without an emulator.
    pub(crate) fn runs_natively(&self) -> bool {
        let system = if self.system == OperatingSystem::Windows { "windows" } else { "linux" };
        env::consts::OS == system && env::consts::ARCH == self.processor()
    }

    /// Returns the file name of the released program on this target.
    pub(crate) fn program(&self) -> &'static str {
        if self.system == OperatingSystem::Windows { "headwater.exe" } else { "headwater" }
    }

    /// Returns the name of the archive's top-level folder.
    pub(crate) fn folder(&self, version: &str) -> String {
        format!("headwater-{version}-{}", self.triple)
    }

    /// Returns the file name of the archive.
    pub(crate) fn archive(&self, version: &str) -> String {
        let ending = if self.system == OperatingSystem::Windows { "zip" } else { "tar.gz" };
        format!("{}.{ending}", self.folder(version))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_named_after_their_targets() {
        let names: Vec<String> = TARGETS.iter().map(|target| target.archive("1.2.3")).collect();
        assert_eq!(
            names,
            [
                "headwater-1.2.3-x86_64-unknown-linux-musl.tar.gz",
                "headwater-1.2.3-aarch64-unknown-linux-musl.tar.gz",
                "headwater-1.2.3-x86_64-pc-windows-gnu.zip",
            ]
        );
        let variable = TARGETS[0].cargo_variable("LINKER");
        assert_eq!(variable, "CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER");
    }

    #[test]
    fn targets_are_distinct_and_unknown_ones_are_refused() {
        let named = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            let targets = Target::find_by_names(&names).map_err(|error| error.to_string())?;
            Ok::<_, String>(targets.iter().map(|target| target.triple).collect::<Vec<_>>())
        };
        let [linux, arm, windows] = TARGETS.map(|target| target.triple);
        assert_eq!(named(&[]), Ok(vec![linux]));
        assert_eq!(named(&[windows, arm, windows]), Ok(vec![arm, windows]));
        let said = named(&[arm, "sparc"]).unwrap_err();
        assert_eq!(said, format!("unknown target \"sparc\"; allowed: {linux}, {arm}, {windows}"));
    }
}
