//! Tests of terrain files in scenes: resampling to other cells, byte order, encodings and large
//! files.

use crate::support::raster::{TagValues, Tiff};
use headwater_scene::run::build_simulation;
use headwater_scene::scene::{self, Files, Limits, Reader};
use headwater_scene::terrain::{self, Terrain};

/// Raster of 4 × 4 cells with sides of 10 m. It contains a hollow with a volume of 400 m³ below a
/// height of 1 m.
const DEM: &str = "ncols 4\nnrows 4\nxllcorner 500000\nyllcorner 5000000\ncellsize 10\n\
                   5 5 5 5\n5 0 0 5\n5 0 0 5\n5 5 5 5\n";

fn build(keys: &str, files: &Files) -> Result<Terrain, String> {
    let text = format!("model = 'flow'\n[time]\nuntil = 1\n{keys}");
    let scene = scene::parse_with_files("a.toml", &text, &[], files).map_err(|e| e.to_string())?;
    terrain::build_terrain(scene.flow().unwrap()).map_err(|error| error.to_string())
}

fn build_dem_terrain(grid: &str) -> Result<Terrain, String> {
    let files = Files::memory_only().with_file("dem.asc", DEM);
    build(&format!("[terrain]\nfile = 'dem.asc'\n[grid]\n{grid}"), &files)
}

#[test]
fn a_georeferenced_file_is_resampled_to_the_given_cell_size() {
    let terrain = build_dem_terrain("cell = 20").unwrap();
    let lattice = terrain.lattice;
    assert_eq!((lattice.nx(), lattice.ny(), lattice.dx(), lattice.dy()), (2, 2, 20.0, 20.0));
    assert_eq!(terrain.height((0, 0)), 3.75);
    assert_eq!(terrain.georeference.unwrap().cell_size([2, 2]), [20.0, 20.0]);
    assert_eq!(terrain.notices, [""; 0]);
    let fine = build_dem_terrain("cell = 5").unwrap();
    assert_eq!((fine.lattice.nx(), fine.lattice.dx()), (8, 5.0));
    assert_eq!(build_dem_terrain("cell = 10").unwrap().lattice.nx(), 4);
}

#[test]
fn cell_sizes_that_do_not_divide_the_map_extent_are_adjusted_or_rejected() {
    let terrain = build_dem_terrain("cell = 15").unwrap();
    assert_eq!((terrain.lattice.nx(), terrain.lattice.width()), (3, 40.0));
    assert!(terrain.notices[0].contains("whole number"), "{:?}", terrain.notices);
    let message = build_dem_terrain("nx = 4\ncell = 20").unwrap_err();
    assert!(message.contains("grid.cell: found 4 × 4 cells of 20 × 20 m"), "{message}");
    assert!(build_dem_terrain("nx = 2\nny = 2\ncell = 20").is_ok());
    assert!(build_dem_terrain("lattice = 'hex'\nnx = 4\nny = 4\ncell = 20").is_err());
    assert!(build_dem_terrain("lattice = 'hex'\ncell = 5").is_ok());
}

#[test]
fn a_file_without_a_georeference_is_stretched_with_a_notice() {
    let local = DEM.replace("500000", "0").replace("5000000", "0");
    let files =
        Files::memory_only().with_file("dem.asc", local.replace("xllcorner 00", "xllcorner 0"));
    let text = "[terrain]\nfile = 'dem.asc'\n[grid]\ncell = 20";
    let terrain = build(text, &files).unwrap();
    if terrain.georeference.is_none() {
        assert_eq!((terrain.lattice.nx(), terrain.lattice.dx()), (4, 20.0));
        assert!(terrain.notices[0].contains("2.0000 times as wide"), "{:?}", terrain.notices);
    }
}

#[test]
fn the_terrain_keys_byte_order_and_encoding_are_applied_and_checked() {
    let mac: Vec<u8> = (0..64_u16).flat_map(|i| (300 * (i % 8) + 7).to_be_bytes()).collect();
    let files = Files::memory_only().with_file("mac.raw", mac);
    let keys = "[grid]\ncell = 1\n[terrain]\nfile = 'mac.raw'";
    let terrain = build(&format!("{keys}\nbyte_order = 'big'"), &files).unwrap();
    assert_eq!([0, 1, 7].map(|x| terrain.height((x, 0))), [7.0, 307.0, 2107.0]);
    let wrong = build(keys, &files).unwrap();
    assert!(wrong.notices[0].contains("terrain.byte_order"), "{:?}", wrong.notices);
    assert!(build(&format!("{keys}\nbyte_order = 'middle'"), &files).is_err());
    let message = build(&format!("{keys}\nencoding = 'terrarium'"), &files).unwrap_err();
    assert!(message.contains("only for PNG files"), "{message}");
    let none = build("[terrain]\nplane = {}\nbyte_order = 'big'", &files).unwrap_err();
    assert!(none.contains("terrain.byte_order"), "{none}");
}

#[test]
fn a_file_with_too_many_cells_can_be_resampled() {
    // 900 × 900 cells of one byte, whose height is the row divided by 100. Each strip has 100
    // rows.
    let mut large = Tiff::from_hill(1, 8, false, |height| vec![height])
        .with_georeference([1.0, 1.0], [5.0, 905.0]);
    for (tag, value) in [(256, 900), (257, 900), (278, 100)] {
        large = large.with_tag(tag, TagValues::Shorts(vec![value]));
    }
    large.chunks = (0..9).map(|height| vec![height; 900 * 100]).collect();
    let files = Files::memory_only().with_file("large.tif", large.to_bytes());
    let limits = Limits { memory_bytes: 10 << 20, ..Limits::default() };
    let reader = Reader::default().with_files(&files).with_limits(limits);
    let build = |grid: &str| {
        let text = format!("model = 'flow'\ntime.until = 1\nterrain.file = 'large.tif'\n{grid}");
        let scene = reader.parse("a.toml", &text, &[]).unwrap();
        terrain::build_terrain(scene.flow().unwrap()).map_err(|error| error.to_string())
    };
    let terrain = build("grid.nx = 9").unwrap();
    assert_eq!((terrain.lattice.nx(), terrain.lattice.dx()), (9, 100.0));
    assert!((0..9).all(|y| terrain.height((4, y)) == y as f64));
    let message = build("").unwrap_err();
    for part in ["found 900 × 900 cells", "gdal_translate -r average", "grid.nx", "--memory"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn hydrology_errors_suggest_how_to_fill_cells_without_data() {
    let files = Files::memory_only()
        .with_file("cut-out.asc", DEM.replace("\n5 5 5 5\n5 0", "\nNODATA_value 7\n7 5 5 5\n5 0"));
    let text = "model = 'hydrology'\n[time]\nuntil = 1\n[terrain]\nfile = 'cut-out.asc'\n";
    let scene = scene::parse_with_files("a.toml", text, &[], &files).unwrap();
    let message = build_simulation(&scene).err().unwrap().to_string();
    assert!(message.contains("gdal_fillnodata.py -md 100000 cut-out.asc OUT.tif"), "{message}");
    let text = format!("{text}no_data = -1\n");
    let scene = scene::parse_with_files("a.toml", &text, &[], &files).unwrap();
    let notices = build_simulation(&scene).unwrap().notices();
    assert!(notices[0].contains("1 cells contain 7, the no-data value of the file"), "{notices:?}");
}

#[test]
fn thin_obstacles_give_a_notice() {
    let text = "model = 'flow'\n[time]\nuntil = 1\n[grid]\nnx = 20\nny = 20\ncell = 10\n\
                [terrain]\nplane = {}\n[[obstacle]]\nrect = { min = [99, 0], max = [101, 200] }\n\
                [[obstacle]]\nline = { points = [[60, 0], [140, 200]], width = 2 }\n\
                [[obstacle]]\nrect = { min = [10, 0], max = [20, 200] }\n";
    let scene = scene::parse("a.toml", text, &[]).unwrap();
    let notices = build_simulation(&scene).unwrap().notices();
    let of = |key: &str| notices.iter().any(|notice| notice.starts_with(key));
    assert!(of("obstacle[0].rect") && of("obstacle[1].line") && !of("obstacle[2]"), "{notices:?}");
}
