//! Check that a program does not need libraries other than those of the operating system.

use anyhow::{Result, bail};
use object::read::{File, Object as _};
use std::collections::BTreeSet;

/// Checks that a program imports only libraries of the operating system. On Linux it must not
/// import any library. On Windows it must not import libraries whose names start with `lib`,
/// because these belong to the compiler. `program` contains the bytes of the executable file.
///
/// # Errors
/// Returns an error that lists some of the invalid imports.
pub(crate) fn check_imports(program: &[u8]) -> Result<()> {
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
        bail!("the program is not static, it imports {}", some.join(", "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    // The running test program itself is linked dynamically.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn a_dynamically_linked_program_is_refused() {
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let said = check_imports(&program).unwrap_err().to_string();
        assert!(said.starts_with("the program is not static, it imports "), "{said}");
        assert!(said.contains("libc.so"), "{said}");
    }

    #[test]
    fn a_file_that_is_not_a_program_is_refused() {
        assert!(check_imports(b"#!/bin/sh\n").is_err());
    }
}
