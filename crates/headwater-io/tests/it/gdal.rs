//! Runs the commands that error messages suggest, if the programs of GDAL are installed.

use headwater_io::raster::{self, ReadOptions};
use std::path::Path;
use std::process::Command;

/// Name of the file that a command writes.
const CONVERTED: &str = "converted.tif";

/// Runs, in `folder`, the GDAL command that the error message for `file` suggests. Returns false if
/// GDAL is not installed.
fn run_suggested_command(folder: &Path, file: &str) -> bool {
    let message = raster::read(folder.join(file), &ReadOptions::default()).unwrap_err().to_string();
    let start = message.find("gdal").expect("a command of GDAL");
    let command = message[start..].split(['`', ';', '(']).next().unwrap();
    let command = command.replace("in.tif", file).replace("out.tif", CONVERTED);
    let command = command.replace("OUT.tif", CONVERTED).replace("VARIABLE", "Band1");
    let outcome = Command::new("sh").args(["-c", &command]).current_dir(folder).output().unwrap();
    if outcome.status.code() == Some(127) {
        println!("skipped: GDAL is not installed");
        return false;
    }
    assert!(outcome.status.success(), "{command}: {outcome:?}");
    true
}

#[test]
fn suggested_commands_convert_refused_files() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data");
    let header = "ncols 3\nnrows 2\nxllcorner 500\nyllcorner 900\ncellsize 10\n";
    for (file, made_by) in [
        ("lerc.tif", None),
        ("lzma.tif", None),
        ("grid.img", Some("HFA")),
        ("grid.grd", Some("GSBG")),
        ("grid.nc", Some("netCDF")),
        ("grid.kea", Some("KEA")),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(file);
        match made_by {
            None => _ = std::fs::copy(data.join(file), &path).unwrap(),
            Some(format) => {
                let plain = folder.path().join("plain.asc");
                std::fs::write(&plain, format!("{header}7 8 9\n4 5 6\n")).unwrap();
                let mut command = Command::new("gdal_translate");
                let made = command.args(["-q", "-of", format]).args([&plain, &path]).output();
                // Not every build of GDAL has every format.
                if !made.is_ok_and(|outcome| outcome.status.success()) {
                    println!("skipped: no GDAL that writes {format}");
                    continue;
                }
            }
        }
        if !run_suggested_command(folder.path(), file) {
            continue;
        }
        let raster = raster::read(folder.path().join(CONVERTED), &ReadOptions::default()).unwrap();
        if made_by.is_some() {
            assert_eq!(raster.heights.as_slice(), [7.0, 8.0, 9.0, 4.0, 5.0, 6.0], "{file}");
        } else {
            assert_eq!(raster.heights.nx(), 16, "{file}");
        }
    }
}
