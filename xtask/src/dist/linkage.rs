//! What a program needs of the machine that it runs on.

use anyhow::{Result, bail};
use object::read::{File, Object as _};
use std::collections::BTreeSet;

/// Sees that a program brings all that it needs, but what the system always has: nothing on Linux; on Windows its own
/// libraries, which unlike those of the compiler have no names that begin with `lib`.
pub(crate) fn check_alone(program: &[u8]) -> Result<()> {
    let mut wanted = BTreeSet::new();
    for import in File::parse(program)?.imports()? {
        let library = String::from_utf8_lossy(import.library()).to_lowercase();
        if library.is_empty() {
            wanted.insert(String::from_utf8_lossy(import.name()).into_owned());
        } else if library.starts_with("lib") {
            wanted.insert(library);
        }
    }
    if !wanted.is_empty() {
        let some: Vec<String> = wanted.into_iter().take(5).collect();
        bail!("the program is not static, it wants {}", some.join(", "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    // The program of the tests is linked as programs usually are.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn a_program_that_wants_libraries_is_refused() {
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let said = check_alone(&program).unwrap_err().to_string();
        assert!(said.starts_with("the program is not static, it wants "), "{said}");
        assert!(said.contains("libc.so"), "{said}");
    }

    #[test]
    fn what_is_no_program_is_refused() {
        assert!(check_alone(b"#!/bin/sh\n").is_err());
    }
}
