//! The targets that programs are handed out for, and what is true of each whatever it is built with.

use anyhow::{Result, bail};
use std::env;

/// A target of programs that need nothing but the system's kernel, or what every Windows has.
#[derive(Debug)]
pub(crate) struct Target {
    /// Rust's name of it.
    pub(crate) triple: &'static str,
    pub(crate) system: System,
    /// Programs that run its programs on other machines, the first that is there; and Debian's package of one.
    pub(crate) runners: (&'static [&'static str], &'static str),
}

/// What a program runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum System {
    Linux,
    Windows,
}

/// All that there are; the first is built if none is named.
pub(crate) const TARGETS: [Target; 3] = [
    Target {
        triple: "x86_64-unknown-linux-musl",
        system: System::Linux,
        runners: (&["qemu-x86_64-static", "qemu-x86_64"], "qemu-user-static"),
    },
    Target {
        triple: "aarch64-unknown-linux-musl",
        system: System::Linux,
        runners: (&["qemu-aarch64-static", "qemu-aarch64"], "qemu-user-static"),
    },
    Target {
        triple: "x86_64-pc-windows-gnu",
        system: System::Windows,
        runners: (&["wine", "wine64", "wine64-stable"], "wine64"),
    },
];

impl Target {
    /// The targets of these names, each once and in the order of the table; the first one if there are no names.
    pub(crate) fn named(names: &[String]) -> Result<Vec<&'static Self>> {
        if let Some(unknown) = names.iter().find(|&name| TARGETS.iter().all(|t| t.triple != name)) {
            let known: Vec<&str> = TARGETS.iter().map(|target| target.triple).collect();
            bail!("found target {unknown:?}, allowed are {}", known.join(", "));
        }
        let named = |target: &&Self| names.iter().any(|name| name == target.triple);
        let default = if names.is_empty() { Some(&TARGETS[0]) } else { None };
        Ok(default.into_iter().chain(TARGETS.iter().filter(named)).collect())
    }

    /// The variable by which cargo is told something of this target.
    pub(crate) fn variable(&self, what: &str) -> String {
        format!("CARGO_TARGET_{}_{what}", self.triple.to_uppercase().replace('-', "_"))
    }

    /// What of this target stands before the first `-`.
    pub(crate) fn processor(&self) -> &'static str {
        self.triple.split('-').next().unwrap_or_default()
    }

    /// Whether this machine runs its programs by itself.
    pub(crate) fn is_here(&self) -> bool {
        let system = if self.system == System::Windows { "windows" } else { "linux" };
        env::consts::OS == system && env::consts::ARCH == self.processor()
    }

    /// The program's file.
    pub(crate) fn program(&self) -> &'static str {
        if self.system == System::Windows { "headwater.exe" } else { "headwater" }
    }

    /// The folder in the archive.
    pub(crate) fn folder(&self, version: &str) -> String {
        format!("headwater-{version}-{}", self.triple)
    }

    /// The archive's file.
    pub(crate) fn archive(&self, version: &str) -> String {
        let ending = if self.system == System::Windows { "zip" } else { "tar.gz" };
        format!("{}.{ending}", self.folder(version))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_have_the_names_of_their_archives() {
        let names: Vec<String> = TARGETS.iter().map(|target| target.archive("1.2.3")).collect();
        assert_eq!(
            names,
            [
                "headwater-1.2.3-x86_64-unknown-linux-musl.tar.gz",
                "headwater-1.2.3-aarch64-unknown-linux-musl.tar.gz",
                "headwater-1.2.3-x86_64-pc-windows-gnu.zip",
            ]
        );
        let variable = TARGETS[0].variable("LINKER");
        assert_eq!(variable, "CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER");
    }

    #[test]
    fn a_target_is_taken_once_and_only_if_it_is_known() {
        let named = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            let targets = Target::named(&names).map_err(|error| error.to_string())?;
            Ok::<_, String>(targets.iter().map(|target| target.triple).collect::<Vec<_>>())
        };
        let [linux, arm, windows] = TARGETS.map(|target| target.triple);
        assert_eq!(named(&[]), Ok(vec![linux]));
        assert_eq!(named(&[windows, arm, windows]), Ok(vec![arm, windows]));
        let said = named(&[arm, "sparc"]).unwrap_err();
        assert_eq!(said, format!("found target \"sparc\", allowed are {linux}, {arm}, {windows}"));
    }
}
