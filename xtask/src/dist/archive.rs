//! Reproducible archives: the same files always give the same bytes.

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;
use time::{OffsetDateTime, PrimitiveDateTime};
use zip::write::SimpleFileOptions;
use zip::{DateTime, ZipArchive, ZipWriter};

/// File that is packed into an archive.
#[derive(Debug)]
pub(crate) struct ArchiveEntry {
    pub(crate) name: String,
    pub(crate) content: Vec<u8>,
    /// Whether the file is marked as executable.
    pub(crate) program: bool,
}

impl ArchiveEntry {
    fn mode(&self) -> u32 {
        if self.program { 0o755 } else { 0o644 }
    }
}

/// Packs files into one folder of an archive, sorted by name. The file name extension of the
/// archive selects the format. All files get the modification time `seconds` (s since 1970).
pub(crate) fn pack(
    archive: &str,
    folder: &str,
    mut entries: Vec<ArchiveEntry>,
    seconds: u64,
) -> Result<Vec<u8>> {
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    if archive.ends_with(".zip") {
        write_zip(folder, &entries, seconds)
    } else {
        write_tar_gz(folder, &entries, seconds)
    }
}

fn write_tar_gz(folder: &str, entries: &[ArchiveEntry], modification_time: u64) -> Result<Vec<u8>> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    for entry in entries {
        let mut header = tar::Header::new_ustar();
        header.set_size(entry.content.len() as u64);
        header.set_mode(entry.mode());
        header.set_mtime(modification_time);
        header.set_uid(0);
        header.set_gid(0);
        let path = format!("{folder}/{}", entry.name);
        tar.append_data(&mut header, path, entry.content.as_slice())?;
    }
    Ok(tar.into_inner()?.finish()?)
}

fn write_zip(folder: &str, entries: &[ArchiveEntry], modification_time: u64) -> Result<Vec<u8>> {
    let time = OffsetDateTime::from_unix_timestamp(modification_time.try_into()?)?;
    let time = DateTime::try_from(PrimitiveDateTime::new(time.date(), time.time()))
        .context("zip archives cannot represent times before 1980")?;
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for entry in entries {
        let options = SimpleFileOptions::default().last_modified_time(time);
        let options = options.unix_permissions(entry.mode()).compression_level(Some(9));
        zip.start_file(format!("{folder}/{}", entry.name), options)?;
        zip.write_all(&entry.content)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// Unpacks the archive at the path `archive` into the folder `into`.
pub(crate) fn unpack(archive: &Path, into: &Path) -> Result<()> {
    let file = fs::File::open(archive).with_context(|| archive.display().to_string())?;
    if archive.extension().is_some_and(|ending| ending == "zip") {
        ZipArchive::new(file)?.extract(into)?;
    } else {
        tar::Archive::new(GzDecoder::new(file)).unpack(into)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Modification time for the tests: 18 November 2026 (s since 1970).
    const TIME: u64 = 1_795_000_000;

    fn entries() -> Vec<ArchiveEntry> {
        let entry = |name: &str, content: &str, program| ArchiveEntry {
            name: name.to_owned(),
            content: content.into(),
            program,
        };
        vec![entry("program", "run me\n", true), entry("README.md", "# Read me\n", false)]
    }

    #[test]
    fn unpacking_restores_what_was_packed() {
        for name in ["a.tar.gz", "a.zip"] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(name);
            fs::write(&path, pack(name, "a", entries(), TIME).unwrap()).unwrap();
            unpack(&path, folder.path()).unwrap();
            for entry in entries() {
                let path = folder.path().join("a").join(&entry.name);
                assert_eq!(fs::read(&path).unwrap(), entry.content, "{name}");
                #[cfg(unix)]
                {
                    use std::os::unix::fs::PermissionsExt as _;
                    let mode = fs::metadata(&path).unwrap().permissions().mode();
                    assert_eq!(mode & 0o777, entry.mode(), "{name}");
                }
            }
        }
    }

    #[test]
    fn bytes_depend_on_times_but_not_on_the_order_of_files() {
        for name in ["a.tar.gz", "a.zip"] {
            let packed = pack(name, "a", entries(), TIME).unwrap();
            let mut backwards = entries();
            backwards.reverse();
            assert!(packed == pack(name, "a", backwards, TIME).unwrap(), "{name}");
            assert!(packed != pack(name, "a", entries(), TIME + 60).unwrap(), "{name}");
        }
    }
}
