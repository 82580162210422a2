//! Check of the size of the web page after compression.

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// Maximum size of the page (bytes), compressed with gzip, which every server supports.
pub(crate) const LIMIT: usize = 4_000_000;

/// Total size of several files: uncompressed, and compressed with gzip and Brotli (bytes).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileSizes {
    plain: usize,
    gzip: usize,
    brotli: usize,
}

/// Compresses every file of the page to a `.gz` and a `.br` file in the same folder, and prints the
/// total sizes.
///
/// # Errors
/// Returns an error if the total size after compression with gzip exceeds [`LIMIT`].
pub(crate) fn compress_and_measure(page: &Path) -> Result<()> {
    let mut sum = FileSizes::default();
    let mut files: Vec<_> = fs::read_dir(page)?.collect::<Result<Vec<_>, _>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    println!("{:46} {:>10} {:>10} {:>10}", "bytes", "plain", "gzip", "brotli");
    for file in files {
        let path = file.path();
        let content = fs::read(&path).with_context(|| path.display().to_string())?;
        let (gzip, brotli) = (compress_gzip(&content)?, compress_brotli(&content)?);
        let weight = FileSizes { plain: content.len(), gzip: gzip.len(), brotli: brotli.len() };
        let name = file.file_name().to_string_lossy().into_owned();
        print_sizes(&name, weight);
        sum.plain += weight.plain;
        sum.gzip += weight.gzip;
        sum.brotli += weight.brotli;
        fs::write(page.join(format!("{name}.gz")), gzip)?;
        fs::write(page.join(format!("{name}.br")), brotli)?;
    }
    print_sizes("the page", sum);
    check_limit(sum)
}

fn print_sizes(name: &str, FileSizes { plain, gzip, brotli }: FileSizes) {
    println!("{name:46} {plain:>10} {gzip:>10} {brotli:>10}");
}

fn check_limit(sum: FileSizes) -> Result<()> {
    if sum.gzip > LIMIT {
        bail!("the page has {} bytes with gzip; the limit is {LIMIT}", sum.gzip);
    }
    Ok(())
}

pub(crate) fn compress_gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    Ok(encoder.finish()?)
}

fn compress_brotli(content: &[u8]) -> Result<Vec<u8>> {
    // Quality 9 of 11: the last two levels take ten times as long and save a few per cent.
    let mut encoder = brotli::CompressorWriter::new(Vec::new(), 1 << 16, 9, 22);
    encoder.write_all(content)?;
    encoder.flush()?;
    Ok(encoder.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_above_the_limit_fails() {
        let weight = |gzip| FileSizes { plain: 2 * LIMIT, gzip, brotli: 1 };
        assert!(check_limit(weight(LIMIT)).is_ok());
        let said = check_limit(weight(LIMIT + 1)).unwrap_err().to_string();
        assert_eq!(said, "the page has 4000001 bytes with gzip; the limit is 4000000");
    }

    #[test]
    fn compressed_files_are_written_beside_the_originals() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.js"), "let a = 1;\n".repeat(1000)).unwrap();
        compress_and_measure(folder.path()).unwrap();
        let length = |name: &str| fs::metadata(folder.path().join(name)).unwrap().len();
        assert!(length("a.js.gz") < 200 && length("a.js.br") < 200);
    }
}
