//! Checksums of archives, in a file that `sha256sum --check` reads.

use anyhow::{Context, Result, bail};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The file of the sums.
pub(crate) const FILE: &str = "SHA256SUMS";

/// The sums of files, by their names.
pub(crate) fn text(folder: &Path, mut names: Vec<String>) -> Result<String> {
    names.sort();
    let mut text = String::new();
    for name in names {
        writeln!(text, "{}  {name}", sum(&folder.join(&name))?)?;
    }
    Ok(text)
}

/// Compares the files of a folder with their sums, and says how many there are.
///
/// # Errors
/// If there are no sums, or one is not that of its file.
pub(crate) fn check(folder: &Path) -> Result<usize> {
    let path = folder.join(FILE);
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    for line in text.lines() {
        let parts = line.split_once("  ");
        let (said, name) = parts.with_context(|| format!("{}: {line:?}", path.display()))?;
        let found = sum(&folder.join(name))?;
        if found != said {
            bail!("{name}: found the sum {found}, expected {said}");
        }
    }
    Ok(text.lines().count())
}

fn sum(path: &Path) -> Result<String> {
    let content = fs::read(path).with_context(|| path.display().to_string())?;
    let mut sum = String::new();
    for byte in Sha256::digest(content) {
        write!(sum, "{byte:02x}")?;
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_sha256sum() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("b"), "abc").unwrap();
        fs::write(folder.path().join("a"), "").unwrap();
        let text = text(folder.path(), vec!["b".into(), "a".into()]).unwrap();
        // The two examples of FIPS 180-4 that everybody knows.
        let expected = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n\
                        ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b\n";
        assert_eq!(text, expected);
        fs::write(folder.path().join(FILE), text).unwrap();
        assert_eq!(check(folder.path()).unwrap(), 2);
        fs::write(folder.path().join("b"), "abd").unwrap();
        let said = check(folder.path()).unwrap_err().to_string();
        assert!(said.starts_with("b: found the sum ") && said.contains("ba7816bf"), "{said}");
    }
}
