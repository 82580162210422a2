//! What the page weighs on its way to a browser.

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// The most that the page may weigh, compressed with gzip, which every server can do (bytes).
pub(crate) const MOST: usize = 4_000_000;

/// Bytes of some files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Weight {
    plain: usize,
    gzip: usize,
    brotli: usize,
}

/// Compresses every file of the page, laying the results beside it (`.gz`, `.br`) for servers that send such files,
/// says what they weigh, and fails if that is more than [`MOST`].
pub(crate) fn weigh(page: &Path) -> Result<()> {
    let mut sum = Weight::default();
    let mut files: Vec<_> = fs::read_dir(page)?.collect::<Result<Vec<_>, _>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    println!("{:46} {:>10} {:>10} {:>10}", "bytes", "plain", "gzip", "brotli");
    for file in files {
        let path = file.path();
        let content = fs::read(&path).with_context(|| path.display().to_string())?;
        let (gzip, brotli) = (gzip(&content)?, brotli(&content)?);
        let weight = Weight { plain: content.len(), gzip: gzip.len(), brotli: brotli.len() };
        let name = file.file_name().to_string_lossy().into_owned();
        print(&name, weight);
        sum.plain += weight.plain;
        sum.gzip += weight.gzip;
        sum.brotli += weight.brotli;
        fs::write(page.join(format!("{name}.gz")), gzip)?;
        fs::write(page.join(format!("{name}.br")), brotli)?;
    }
    print("the page", sum);
    check(sum)
}

fn print(name: &str, Weight { plain, gzip, brotli }: Weight) {
    println!("{name:46} {plain:>10} {gzip:>10} {brotli:>10}");
}

fn check(sum: Weight) -> Result<()> {
    if sum.gzip > MOST {
        bail!("the page weighs {} bytes with gzip, allowed are {MOST}", sum.gzip);
    }
    Ok(())
}

pub(crate) fn gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    Ok(encoder.finish()?)
}

fn brotli(content: &[u8]) -> Result<Vec<u8>> {
    // Of 11: the last two take ten times as long for a few percent.
    let mut encoder = brotli::CompressorWriter::new(Vec::new(), 1 << 16, 9, 22);
    encoder.write_all(content)?;
    encoder.flush()?;
    Ok(encoder.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_is_too_heavy_fails() {
        let weight = |gzip| Weight { plain: 2 * MOST, gzip, brotli: 1 };
        assert!(check(weight(MOST)).is_ok());
        let said = check(weight(MOST + 1)).unwrap_err().to_string();
        assert_eq!(said, "the page weighs 4000001 bytes with gzip, allowed are 4000000");
    }

    #[test]
    fn files_are_weighed_and_laid_beside() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.js"), "let a = 1;\n".repeat(1000)).unwrap();
        weigh(folder.path()).unwrap();
        let length = |name: &str| fs::metadata(folder.path().join(name)).unwrap().len();
        assert!(length("a.js.gz") < 200 && length("a.js.br") < 200);
    }
}
