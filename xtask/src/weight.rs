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
/// and says what they weigh. A browser fetches the files of one of `programs`, and what all need.
///
/// # Errors
/// If a file cannot be read or written, or the page is heavier than [`MOST`] with any program.
pub(crate) fn weigh(page: &Path, programs: &[[String; 2]]) -> Result<()> {
    let mut shared = Weight::default();
    let mut of_programs = vec![Weight::default(); programs.len()];
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
        let owner = programs.iter().position(|files| files.contains(&name));
        owner.map_or(&mut shared, |owner| &mut of_programs[owner]).add(weight);
        fs::write(page.join(format!("{name}.gz")), gzip)?;
        fs::write(page.join(format!("{name}.br")), brotli)?;
    }
    of_programs.iter().zip(programs).try_for_each(|(&weight, [program, _])| {
        let mut sum = shared;
        sum.add(weight);
        print(&format!("the page with {program}"), sum);
        check(sum)
    })
}

impl Weight {
    fn add(&mut self, other: Weight) {
        self.plain += other.plain;
        self.gzip += other.gzip;
        self.brotli += other.brotli;
    }
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

fn gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    Ok(encoder.finish()?)
}

fn brotli(content: &[u8]) -> Result<Vec<u8>> {
    // Quality 9 of 11: the last two take ten times as long for a few percent.
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
        weigh(folder.path(), &[["a.js".into(), "a.wasm".into()]]).unwrap();
        let length = |name: &str| fs::metadata(folder.path().join(name)).unwrap().len();
        assert!(length("a.js.gz") < 200 && length("a.js.br") < 200);
    }

    #[test]
    fn every_program_is_weighed_alone() {
        let program = |name: &str| [format!("{name}.js"), format!("{name}.wasm")];
        let noise = |mut state: u32| -> Vec<u8> {
            let byte = |_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            };
            (0..MOST * 2 / 3).map(byte).collect()
        };
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.wasm"), noise(1)).unwrap();
        fs::write(folder.path().join("b.wasm"), noise(2)).unwrap();
        assert!(weigh(folder.path(), &[program("a"), program("b")]).is_ok());
        assert!(weigh(folder.path(), &[program("a")]).is_err());
    }
}
